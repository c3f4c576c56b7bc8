#!/bin/sh
# Learns networks while playing, five seeds each: q-network as the thesis has it on the board of 10x20, q-network-fast and td-lambda on 10x10; then what
# the learned players are worth on games that none of them has seen. Makes the tables of "Learning while playing" in docs/explanation/learning.md.
# From the root of the project, after `cargo build --release`:  sh experiments/networks/run.sh
# Players that are there already are not learned again; one that was stopped goes on.
set -eu
tetrolab=${TETROLAB:-target/release/tetrolab}
out=experiments/networks
lab=${LAB:-runs}

# learn NAME SEED FLAGS...: the player, and its test curve as CSV
learn() {
    name=$1-$2
    learner=$1
    seed=$2
    shift 2
    [ -e "$out/players/$name.toml" ] && return
    resume=
    [ -e "$lab/$name" ] && resume=--resume
    # shellcheck disable=SC2086 # one word or none
    "$tetrolab" learn "$learner" "$@" --seed "$seed" --run "$lab/$name" $resume --test-games 0 --quiet --out "$out/players/$name.toml"
    "$tetrolab" runs "$name" --lab "$lab" --csv > "$out/curves/$name.csv"
}

mkdir -p "$out/players" "$out/curves"
for seed in ${FAST_SEEDS-1 2 3 4 5}; do
    learn q-network-fast "$seed" --games 50 --generations 12
done
for seed in ${TD_SEEDS-1 2 3 4 5}; do
    learn td-lambda "$seed" --games 10 --generations 20
done
for seed in ${THESIS_SEEDS-1 2 3 4 5}; do
    learn q-network "$seed" --games 20 --max-pieces 20000 --generations 15
done
# The thesis' other two players, evolution and swarm, with the same six features on the same board.
for seed in ${THESIS_SEEDS-1 2 3 4 5}; do
    learn thesis-ga "$seed" --features thesis-6 --ruleset simplified-10x20 --games 5 --max-pieces 5000 --total-pieces 15000000
    learn thesis-pso "$seed" --features thesis-6 --ruleset simplified-10x20 --games 5 --max-pieces 5000 --total-pieces 15000000
done

# The seed of the tests is none of those above.
"$tetrolab" eval "$out"/players/q-network-fast-*.toml --ruleset simplified-10x10 --games 500 --seed 1000 --json > "$out/test-fast.json"
"$tetrolab" eval "$out"/players/td-lambda-*.toml --ruleset simplified-10x10 --games 100 --seed 1000 --json > "$out/test-td-lambda.json"
"$tetrolab" eval "$out"/players/thesis-ga-*.toml "$out"/players/thesis-pso-*.toml "$out"/players/q-network-[0-9].toml \
    --ruleset simplified-10x20 --games 100 --seed 1000 --json > "$out/test-thesis.json"
"$tetrolab" results
