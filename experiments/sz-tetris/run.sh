#!/bin/sh
# SZ-Tetris, the game of S and Z alone: look-up tables by `danger`, then a factor for each table by CMA-ES on whole games. Makes the
# numbers of "SZ-Tetris" in docs/explanation/learning.md.
# From the root of the project, after `cargo build --release`:  sh experiments/sz-tetris/run.sh [learn|select|factors|test]...
# Seeds 1 to 3 learn, seed 2000 selects, seed 3000 tests. About 25 minutes on one core.
# shellcheck disable=SC2086 # flags of one word or none
set -eu
tetrolab=${TETROLAB:-target/release/tetrolab}
out=experiments/sz-tetris
lab=${LAB:-runs}
# One thread for every core, unless THREADS says how many.
threads=${THREADS:+--threads=$THREADS}
game='simplified-10x20(randomizer=weighted(I=0,O=0,T=0,J=0,L=0,S=1,Z=1))'

. "$(dirname "$0")/../learn.sh"

# Step 1: three sets of tables, about a minute each. Games are played on boards of 10 to 20 rows alike, and all placements count.
do_learn() {
    for seed in 1 2 3; do
        learn "sz-danger-$seed" 'danger(covers=64,horizon=100,full=0)' "$seed" --ruleset "$game" --games 400 --generations 8
    done
}

# Step 2: the best of them on games that none has learned from; it was that of seed 3.
do_select() {
    "$tetrolab" eval "$lab"/sz-danger-[1-3].toml --ruleset "$game" --games 1000 --seed 2000 $threads --json > "$out/select.json"
}

# Step 3: how much each of its tables should count.
do_factors() {
    learn sz-factors-3 cma-es 3 --ruleset "$game" --start "$lab/sz-danger-3.toml" --games 200 --generations 60
}

# Step 4: what that is worth.
do_test() {
    "$tetrolab" eval "$lab/sz-factors-3.toml" "$lab/sz-danger-3.toml" --ruleset "$game" --games 10000 --seed 3000 $threads --json \
        > "$out/test.json"
    "$tetrolab" results
}

mkdir -p "$out/curves" "$lab"
for step in ${*:-learn select factors test}; do
    "do_$step"
done
