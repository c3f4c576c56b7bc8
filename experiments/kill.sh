#!/bin/bash
# Kills evaluations, experiments and learning runs with SIGKILL at random moments, resumes them, and compares the
# results with those of undisturbed runs: every digit of an evaluation and every byte of a player and
# its model must be the same. Every third kill of a learning run also puts the store back to its state
# at the kill before, so that the checkpoint is ahead of it.
# From the root of the project, after `cargo build --release`:
#     bash experiments/kill.sh [KILLS] [SEED]
# KILLS (50) is the number of kills of each job. About ten minutes on two cores. Exit code 1 if anything
# differs.
set -u
tetrolab=$(realpath "${TETROLAB:-target/release/tetrolab}")
kills=${1:-50}
RANDOM=${2:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
different=0

# Starts a command and kills it after up to LIMIT milliseconds; true if it was still running then.
killed_within() {
    local limit=$1
    shift
    "$@" > killed.out 2> killed.err &
    local process=$!
    sleep "$(printf '0.%03d' $((RANDOM % limit)))"
    kill -9 "$process" 2> killed.kill
    wait "$process" 2> killed.wait
    [ $? -eq 137 ]
}

# report NAME KILLS SETBACKS EXPECTED FOUND: compares two files.
report() {
    if cmp -s "$4" "$5"; then
        echo "same       $1: $2 kills, $3 times with an older store"
    else
        echo "DIFFERENT  $1: $2 kills, $3 times with an older store"
        different=1
    fi
}

# Results as JSON without machine-dependent values.
digits() {
    grep -v -e '"decisions_per_second"' -e '"seconds"' -e '"command"'
}

# evaluation NAME FLAGS...: whole games, killed and resumed.
evaluation() {
    local name=$1 count=0 tries=0
    shift
    "$tetrolab" eval "$@" --json 2> /dev/null | digits > "$name.expected"
    while [ "$count" -lt "$kills" ] && [ "$tries" -lt $((kills * 4)) ]; do
        tries=$((tries + 1))
        killed_within 999 "$tetrolab" eval "$@" --json --resume "$name" && count=$((count + 1))
    done
    "$tetrolab" eval "$@" --json --resume "$name" 2> /dev/null | digits > "$name.found"
    report "$name" "$count" 0 "$name.expected" "$name.found"
}

# The bytes of a player and of its model, if it has one.
player_bytes() {
    cat "$1/player.toml" "$1/player.safetensors" 2> /dev/null | grep -a -v -e '^name' -e '^source' -e '^entries' -e '^network'
}

# learning NAME FLAGS...: a learning run, killed and resumed.
learning() {
    local name=$1 count=0 tries=0 setbacks=0 resume=
    shift
    "$tetrolab" learn "$@" --test-games 0 --quiet --run "expected-$name/$name" > /dev/null 2>&1
    player_bytes "expected-$name/$name" > "$name.expected"
    [ -s "$name.expected" ] || echo "no player of $name"
    while [ "$count" -lt "$kills" ] && [ "$tries" -lt $((kills * 4)) ]; do
        tries=$((tries + 1))
        [ -e "found-$name/$name" ] && resume=--resume
        # shellcheck disable=SC2086 # a flag or nothing
        killed_within 999 "$tetrolab" learn "$@" --test-games 0 --quiet --run "found-$name/$name" $resume || break
        count=$((count + 1))
        if [ $((count % 3)) -eq 0 ] && [ -e "older-$name/lab.sqlite" ]; then
            rm -f "found-$name"/lab.sqlite*
            cp "older-$name"/lab.sqlite* "found-$name/"
            setbacks=$((setbacks + 1))
        fi
        mkdir -p "older-$name"
        cp "found-$name"/lab.sqlite* "older-$name/" 2> /dev/null
    done
    "$tetrolab" learn "$@" --test-games 0 --quiet --run "found-$name/$name" --resume > /dev/null 2> "$name.err"
    player_bytes "found-$name/$name" > "$name.found"
    [ -s "$name.err" ] && head -n 2 "$name.err"
    report "$name" "$count" "$setbacks" "$name.expected" "$name.found"
}

# experiment NAME FILE: an experiment, killed and continued; its report without times and folders.
experiment() {
    local name=$1 file=$2 count=0 tries=0
    "$tetrolab" reproduce "$file" --out "expected-$name" --json 2> /dev/null | digits > "$name.expected"
    while [ "$count" -lt "$kills" ] && [ "$tries" -lt $((kills * 4)) ]; do
        tries=$((tries + 1))
        killed_within 999 "$tetrolab" reproduce "$file" --out "found-$name" --json && count=$((count + 1))
    done
    "$tetrolab" reproduce "$file" --out "found-$name" --json 2> /dev/null | digits > "$name.found"
    report "$name" "$count" 0 "$name.expected" "$name.found"
}

cat > mine.toml << 'TOML'
question = "Does CMA-ES learn more than random search?"
seeds = 3
[learning]
ruleset = "simplified-10x10"
features = "bcts"
games = 10
budget = { generations = 20 }
[test]
ruleset = "simplified-10x10"
target = { games = 2000 }
[[arm]]
id = "cma-es"
learner = "cma-es"
[[arm]]
id = "random"
learner = "random-search"
TOML

experiment reproduce mine.toml
evaluation games dellacherie bcts dt-10 --ruleset simplified-10x10 --games 20000 --seed 5
evaluation capped dt-20 --ruleset simplified-10x16 --games 1000 --max-pieces 100000 --seed 6
learning cma-es cma-es --ruleset simplified-10x10 --features bcts --games 20 --generations 60 --seed 7
learning danger 'danger(cooling=60000,warmup=4000,interval=10000,lowest=8)' --ruleset simplified-6x10 \
    --generations 30 --seed 8
learning td-lambda td-lambda --ruleset simplified-6x10 --generations 12 --seed 9
learning q-network-fast q-network-fast --ruleset simplified-6x10 --generations 12 --seed 10
exit $different
