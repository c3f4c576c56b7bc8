#!/bin/sh
# Makes the raw results of this folder: splitting beside whole games, its coverage, and the standings on 10x20.
# From the root of the project, after `cargo build --release`:  sh experiments/survival/run.sh
# Estimates with levels of the stack were made when there were no others; the coverage is that of a danger.
# About half an hour on two cores. What the coverage check found is counted, printed and checked by a test:
#   cargo test --release -p tetrolab committed_coverage -- --nocapture
set -eu
tetrolab=${TETROLAB:-target/release/tetrolab}
out=experiments/survival
players="dellacherie boumaza-8 bcts dt-10 dt-20"

for height in 10 12 14 16; do
    games=1000
    [ "$height" = 16 ] && games=300
    ruleset=simplified-10x$height
    # shellcheck disable=SC2086 # one word for each player
    "$tetrolab" eval $players --ruleset $ruleset --games $games --seed 2 --json > "$out/games-10x$height.json"
    # shellcheck disable=SC2086
    "$tetrolab" eval $players --ruleset $ruleset --method splitting --precision 5% --level stack --seed 1 --json \
        > "$out/splitting-10x$height.json"
done

"$tetrolab" eval dellacherie boumaza-6 boumaza-8 ce-6 bcts bdu dt-10 dt-20 misakamm-v2 \
    --ruleset simplified-10x20 --method splitting --precision 10% --level stack --seed 1 --json > "$out/standings-10x20.json"

"$tetrolab" eval bcts --ruleset simplified-10x8 --games 2000000 --seed 3 --json > "$out/coverage-games.json"
: > "$out/coverage.jsonl"
for seed in $(seq 1 400); do
    "$tetrolab" eval bcts --ruleset simplified-10x8 --method splitting --precision 5% --seed "$seed" --json > "$out/one.json"
    tr -d '\n' < "$out/one.json" | tr -s ' ' >> "$out/coverage.jsonl"
    echo >> "$out/coverage.jsonl"
done
rm "$out/one.json"

# The bias, with levels of the stack: estimates of many repetitions beside six million whole games.
for size in 5x6 6x8 10x6; do
    "$tetrolab" eval bcts --ruleset simplified-$size --method splitting --budget 250000000 --level stack --seed 11 --json \
        > "$out/bias-splitting-$size.json"
    for seed in 21 22 23; do
        "$tetrolab" eval bcts --ruleset simplified-$size --games 2000000 --seed $seed --json > "$out/bias-games-$size-$seed.json"
    done
done

# What a danger saves: the same estimates with levels of the stack. `experiments/lookahead/greedy-10x20.json` has them with a danger.
"$tetrolab" eval bcts dt-20 misakamm-v2 --ruleset simplified-10x20 --method splitting --precision 5% --level stack --seed 1 --json \
    > "$out/stack-10x20.json"
