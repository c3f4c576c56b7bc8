#!/bin/sh
# Makes the table of docs/explanation/learning.md: every optimiser with its published settings, all on the same task and with the same
# budget of pieces, five seeds each, and what the learned players are worth on games that none of them has seen.
# From the root of the project, after `cargo build --release`:  sh experiments/learners/run.sh
# About a quarter of an hour on two cores. Players that are there already are not learned again.
set -eu
tetrolab=${TETROLAB:-target/release/tetrolab}
out=experiments/learners
learners="thesis-ga near-perfect-ga ga-essay bohm thesis-pso pso-nus boumaza cma-es szita thiery misakamm romero chen random-search"
seeds="1 2 3 4 5"
lab=${LAB:-runs}

mkdir -p "$out/players"
for learner in $learners; do
    for seed in $seeds; do
        player=$out/players/$learner-$seed.toml
        [ -e "$player" ] && continue
        resume=
        [ -e "$lab/$learner-$seed" ] && resume=--resume
        # shellcheck disable=SC2086 # one word or none
        "$tetrolab" learn "$learner" --ruleset simplified-10x10 --features bcts --player greedy --evaluator linear \
            --objective lines --games 20 --max-pieces 100000 --generations 1000000 --total-pieces 100000000 --runs 1 \
            --seed "$seed" --run "$lab/$learner-$seed" $resume --test-games 0 --quiet --out "$player"
        # A run ends with the generation in which it has spent its budget, so large generations get more.
        pieces=$("$tetrolab" runs "$learner-$seed" --lab "$lab" --csv | awk -F, '
            NR == 1 { for (i = 1; i <= NF; i++) if ($i == "pieces") column = i; next }
            { sum += $column }
            END { printf "%.0f", sum }')
        echo "$learner,$seed,$pieces" >> "$out/pieces.csv"
    done
done

# The seed of the test is none of those above.
"$tetrolab" eval "$out"/players/*.toml --ruleset simplified-10x10 --games 2000 --seed 1000 --json > "$out/test.json"

"$tetrolab" results docs/explanation/learning.md docs/explanation/results.md
