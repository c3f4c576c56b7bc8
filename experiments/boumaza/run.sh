#!/bin/sh
# Makes the raw results of this folder: Boumaza's experiment (2009), 20 runs of CMA-ES on the harder game, and what the averaged
# player is worth on the standard board: by 100 whole games, as in the paper, and by splitting.
# From the root of the project, after `cargo build --release`:  sh experiments/boumaza/run.sh
# About half an hour on two cores; stopped, it goes on where it was.
set -eu
tetrolab=${TETROLAB:-target/release/tetrolab}
out=experiments/boumaza
lab=${LAB:-runs}
resume=
[ -e "$lab/boumaza" ] && resume=--resume

if [ ! -e "$out/player.toml" ]; then
    # shellcheck disable=SC2086 # one word or none
    "$tetrolab" learn boumaza --max-pieces 100000 --seed 1 --run "$lab/boumaza" $resume --out "$out/player.toml" --test-games 0
fi
"$tetrolab" runs boumaza --lab "$lab" --csv > "$out/generations.csv"
"$tetrolab" eval "$out/player.toml" --ruleset simplified-10x20 --games 100 --seed 1 --json > "$out/games-10x20.json"
"$tetrolab" eval "$out/player.toml" --ruleset simplified-10x20 --method splitting --precision 5% --level stack --seed 1 --json \
    > "$out/splitting-10x20.json"
