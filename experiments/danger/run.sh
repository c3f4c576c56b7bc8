#!/bin/sh
# Learns the wary players, chooses among candidates, and tests what was chosen: the numbers of docs/explanation/wary-players.md.
# From the root of the project, after `cargo build --release`:  sh experiments/danger/run.sh [learn|learn_tall|select|test]...
# Seeds 1 to 5 learn, seed 2000 selects, seeds from 3000 on test; tests of a run on its way have streams of their own.
# shellcheck disable=SC2086 # flags of one word or none
set -eu
tetrolab=${TETROLAB:-target/release/tetrolab}
out=experiments/danger
lab=${LAB:-runs}
# One thread for every core, unless THREADS says how many.
threads=${THREADS:+--threads=$THREADS}

. "$(dirname "$0")/../learn.sh"

# Step 1: five players for 10x10, about two minutes each on two cores ...
do_learn() {
    for seed in 1 2 3 4 5; do
        learn "danger-$seed" danger "$seed"
    done
}

# ... and one for 10x20, about half an hour.
do_learn_tall() {
    learn "danger-tall-1" 'danger-tall(rate_end=0.05)' 1 --objective 'survival(trajectories=300,repetitions=2,rounds=1)'
}

# Step 2: wary-10 is the candidate with the highest mean on games that none has learned from. wary-20 has one candidate.
do_select() {
    "$tetrolab" eval "$lab"/danger-[1-5].toml --ruleset simplified-10x10 --games 100 --seed 2000 $threads --json > "$out/select-10x10.json"
}

# evaluate NAME FLAGS...: a result; one that is there already is not made again
evaluate() {
    name=$1
    shift
    [ -s "$out/$name.json" ] && return
    "$tetrolab" eval "$@" $threads --json > "$out/$name.json"
}

# Step 3: what they are worth. On two busy cores wary-10 took 54 minutes and wary-20 on 10x12 63, and wary-20 by levels that know nothing of its tables
# about a quarter of an hour; the seconds in wary-20-danger.json are those of its last part, because it was stopped and resumed.
do_test() {
    evaluate wary-10 wary-10 --ruleset simplified-10x10 --games 10000 --seed 3000
    evaluate wary-20-own wary-20 --ruleset simplified-10x20 --level own --precision 10% --seed 3001
    evaluate wary-20-danger wary-20 --ruleset simplified-10x20 --precision 15% --trajectories 40000 --seed 3002
    evaluate wary-20-10x16 wary-20 --ruleset simplified-10x16 --level own --precision 10% --seed 3003
    evaluate wary-20-10x14 wary-20 --ruleset simplified-10x14 --level own --precision 10% --seed 3004
    evaluate wary-20-10x12 wary-20 --ruleset simplified-10x12 --games 200 --seed 3005
    evaluate wary-20-10x12-splitting wary-20 --ruleset simplified-10x12 --level own --precision 10% --seed 3009
    evaluate misakamm-10x12 misakamm-v2 --ruleset simplified-10x12 --precision 10% --seed 3013
    evaluate misakamm-10x14 misakamm-v2 --ruleset simplified-10x14 --precision 10% --seed 3006
    evaluate misakamm-10x16 misakamm-v2 --ruleset simplified-10x16 --precision 10% --seed 3007
    evaluate expectimax-10x6 wary-10 'expectimax(wary-10)' --ruleset simplified-10x6 --games 200 --seed 3014
    deaths='deaths wary-20 --ruleset simplified-10x20 --level own --seed 3008'
    "$tetrolab" $deaths --deaths 3 --svg docs/images/deaths.svg
    "$tetrolab" $deaths --deaths 12 --json > "$out/deaths-wary-20.json"
    "$tetrolab" results
}

mkdir -p "$out/curves" "$lab"
for step in ${*:-learn learn_tall select test}; do
    "do_$step"
done
