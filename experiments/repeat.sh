#!/bin/sh
# Plays committed raw results again and says whether every digit is the same: the standings on 10x10 and 10x16 by whole games, one
# learned player for each optimiser, and one estimate by splitting. Speeds and times are left out of the comparison.
# From the root of the project, after `cargo build --release`:  sh experiments/repeat.sh
# About six minutes on two cores. Exit code 1 if anything differs.
set -eu
tetrolab=${TETROLAB:-target/release/tetrolab}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
different=0

# What depends on the machine, and fields that older files do not have.
without_times() {
    grep -v -e '"decisions_per_second":' -e '"seconds":' -e '"schema":' "$1"
}

# compare NAME COMMITTED MADE
compare() {
    without_times "$2" > "$work/committed"
    without_times "$3" > "$work/made"
    if cmp -s "$work/committed" "$work/made"; then
        echo "same       $1"
    else
        echo "DIFFERENT  $1"
        diff "$work/committed" "$work/made" | head -n 10
        different=1
    fi
}

for learner in thesis-ga thesis-pso cma-es szita romero chen random-search; do
    "$tetrolab" learn "$learner" --ruleset simplified-10x10 --features bcts --player greedy --evaluator linear \
        --objective lines --games 20 --max-pieces 100000 --generations 1000000 --total-pieces 100000000 --runs 1 \
        --seed 1 --run "$work/runs/$learner-1" --test-games 0 --quiet --out "$work/$learner-1.toml" > /dev/null
    compare "learn $learner" "experiments/learners/players/$learner-1.toml" "$work/$learner-1.toml"
done

"$tetrolab" eval dellacherie boumaza-8 bcts dt-10 dt-20 bdu misakamm-v2 --ruleset simplified-10x10 --games 10000 --json \
    > "$work/games-10x10.json"
compare "standings 10x10" experiments/standings/simplified-10x10.json "$work/games-10x10.json"

"$tetrolab" eval dellacherie boumaza-6 boumaza-8 ce-6 bcts --ruleset simplified-10x16 --games 100 --json \
    > "$work/games-10x16.json"
compare "standings 10x16" experiments/standings/simplified-10x16.json "$work/games-10x16.json"

"$tetrolab" eval dellacherie boumaza-8 bcts dt-10 dt-20 --ruleset simplified-10x12 --method splitting --precision 5% --seed 1 --json \
    > "$work/splitting-10x12.json"
compare "splitting 10x12" experiments/survival/splitting-10x12.json "$work/splitting-10x12.json"

exit $different
