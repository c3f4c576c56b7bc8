#!/bin/sh
# Makes the table of docs/LEARNERS.md: every optimiser with its published settings, all on the same task and with the same
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

# The table: the median and the range of the means of each learner's players, and the median of the pieces they took; the best first.
awk '
    function sort(list, name, n,    i, j, swap) {
        for (i = 2; i <= n; i++)
            for (j = i; j > 1 && list[name, j] < list[name, j - 1]; j--) {
                swap = list[name, j]; list[name, j] = list[name, j - 1]; list[name, j - 1] = swap
            }
    }
    FNR == NR { split($0, row, ","); spent[row[1], ++runs[row[1]]] = row[3] / 1e6; next }
    /"player":/ { name = $2; gsub(/.*\/|-[0-9]+\.toml",?|"/, "", name) }
    /"lines": \{/ { in_lines = 1 }
    in_lines && /"mean":/ { mean[name, ++players[name]] = $2 + 0; in_lines = 0 }
    END {
        for (name in players) {
            n = players[name]; middle = int((n + 1) / 2)
            sort(mean, name, n); sort(spent, name, runs[name])
            printf "%d | `%s` | %.0f | %.0f to %.0f | %.0f M |\n", \
                mean[name, middle], name, mean[name, middle], mean[name, 1], mean[name, n], spent[name, int((runs[name] + 1) / 2)]
        }
    }' "$out/pieces.csv" "$out/test.json" | sort -rn | sed 's/^[0-9]* //' > "$out/table.md"
cat "$out/table.md"
