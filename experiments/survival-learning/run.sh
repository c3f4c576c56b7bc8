#!/bin/sh
# Makes the raw results of this folder: a player learned on the standard board with the objective `survival`, from a zero start,
# and its mean by splitting on seeds that it has not seen.
# From the root of the project, after `cargo build --release`:  sh experiments/survival-learning/run.sh
# Less than an hour on two cores; stopped, it goes on where it was.
set -eu
tetrolab=${TETROLAB:-target/release/tetrolab}
out=experiments/survival-learning
lab=${LAB:-runs}
resume=
[ -e "$lab/survival-dt-40" ] && resume=--resume

if [ ! -e "$out/player.toml" ]; then
    # shellcheck disable=SC2086 # one word or none
    "$tetrolab" learn 'cma-es(population=40)' --objective 'survival(rounds=1)' --ruleset simplified-10x20 --features dt \
        --generations 100 --seed 1 --run "$lab/survival-dt-40" $resume --out "$out/player.toml" --test-games 0
fi
"$tetrolab" runs survival-dt-40 --lab "$lab" --csv > "$out/generations.csv"
"$tetrolab" eval "$out/player.toml" dt-20 --ruleset simplified-10x20 --method splitting --precision 5% --level stack --seed 1000 --json \
    > "$out/splitting-10x20.json"
