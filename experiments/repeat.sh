#!/bin/sh
# Repeats committed raw results and compares every digit: the standings on 10x10 and 10x16 by whole
# games, one learned player for each optimiser, the first generations of each reinforcement learner,
# and one estimate by splitting. Speeds and times are left out of the comparison.
# From the root of the project, after `cargo build --release`:  sh experiments/repeat.sh
# About six minutes on two cores. Exit code 1 if anything differs.
set -eu
tetrolab=${TETROLAB:-target/release/tetrolab}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
different=0

# Prints every value of a JSON file on a separate line, after its path, except machine-dependent values.
values() {
    awk '{
        match($0, /^ */); depth = RLENGTH / 2
        value = substr($0, RLENGTH + 1); sub(/,$/, "", value)
        if (value ~ /^[\]}]/) next
        if (value ~ /^"[^"]*": /) { name[depth] = value; sub(/": .*/, "\"", name[depth]); sub(/^"[^"]*": /, "", value) }
        else name[depth] = ++count[depth]
        if (value == "{" || value == "[") { count[depth + 1] = 0; next }
        path = ""; for (i = 1; i <= depth; i++) path = path "/" name[i]
        print path, value
    }' "$1" | grep -v -e '"decisions_per_second"' -e '"seconds"'
}

# differences COMMITTED MADE: a player file is the same to the byte, apart from the command in it; of
# results every committed value is there. Newer versions add settings and fields.
differences() {
    case $1 in
    *.json)
        values "$1" > "$work/committed"
        values "$2" > "$work/made"
        grep -F -x -v -f "$work/made" "$work/committed" || true
        ;;
    *)
        grep -v '^provenance' "$1" > "$work/committed"
        grep -v '^provenance' "$2" > "$work/made"
        diff "$work/committed" "$work/made" || true
        ;;
    esac
}

# compare NAME COMMITTED MADE
compare() {
    found=$(differences "$2" "$3" | head -n 10)
    if [ -z "$found" ]; then
        echo "same       $1"
    else
        echo "DIFFERENT  $1"
        echo "$found"
        different=1
    fi
}

for learner in thesis-ga thesis-pso cma-es szita romero chen random-search; do
    "$tetrolab" learn "$learner" --ruleset simplified-10x10 --features bcts --player greedy --evaluator linear \
        --objective lines --games 20 --max-pieces 100000 --generations 1000000 --total-pieces 100000000 --runs 1 \
        --seed 1 --run "$work/runs/$learner-1" --test-games 0 --quiet --out "$work/$learner-1.toml" > /dev/null
    compare "learn $learner" "experiments/learners/players/$learner-1.toml" "$work/$learner-1.toml"
done

# curve LEARNER SEED COMMITTED FLAGS...: the first two generations of a committed learning curve.
curve() {
    learner=$1
    seed=$2
    committed=$3
    shift 3
    "$tetrolab" learn "$learner" "$@" --generations 2 --seed "$seed" --run "$work/runs/$learner-$seed" --test-games 0 \
        --quiet > /dev/null
    "$tetrolab" runs "$learner-$seed" --lab "$work/runs" --csv | cut -d, -f1-8 > "$work/curve.made"
    head -n 3 "$committed" | cut -d, -f1-8 > "$work/curve.committed"
    compare "learn $learner" "$work/curve.committed" "$work/curve.made"
}

curve q-network-fast 1 experiments/networks/curves/q-network-fast-1.csv --games 50
curve td-lambda 5 experiments/networks/curves/td-lambda-5.csv --games 10
curve td-tables 1 experiments/networks/curves/td-tables-1.csv --games 10
curve danger 1 experiments/danger/curves/danger-1.csv

"$tetrolab" eval dellacherie boumaza-8 bcts dt-10 dt-20 bdu misakamm-v2 --ruleset simplified-10x10 --games 10000 --json \
    > "$work/games-10x10.json"
compare "standings 10x10" experiments/standings/simplified-10x10.json "$work/games-10x10.json"

"$tetrolab" eval dellacherie boumaza-6 boumaza-8 ce-6 bcts --ruleset simplified-10x16 --games 100 --json \
    > "$work/games-10x16.json"
compare "standings 10x16" experiments/standings/simplified-10x16.json "$work/games-10x16.json"

"$tetrolab" eval dellacherie boumaza-8 bcts dt-10 dt-20 --ruleset simplified-10x12 --method splitting --precision 5% --level stack --seed 1 --json \
    > "$work/splitting-10x12.json"
compare "splitting 10x12" experiments/survival/splitting-10x12.json "$work/splitting-10x12.json"

exit $different
