#!/bin/sh
# How much each group of tables is worth: `danger` learns a million boards of 10x10 without it, and plays games that nothing has learned from. Makes the
# ablation of docs/explanation/wary-players.md. From the root of the project, after `cargo build --release`:  sh experiments/danger/ablation.sh
# Players that are there already are not learned again. Seed 1 learns, seed 3010 tests.
# shellcheck disable=SC2086 # flags of one word or none
set -eu
tetrolab=${TETROLAB:-target/release/tetrolab}
out=experiments/danger
lab=${LAB:-runs}
# One thread for every core, unless THREADS says how many.
threads=${THREADS:+--threads=$THREADS}

# The groups of the set `wary`, a name and its tables each.
differences='differences(columns=3,most=7)+differences(columns=4,most=6)+differences(columns=5,most=4)+differences(columns=6,most=2)+differences(columns=7,most=3)+differences(columns=auto,most=1)'
tops='tops(columns=1,cells=6,most=3)+tops(columns=2,cells=3,most=5)+tops(columns=3,cells=2,most=3)+tops(columns=4,cells=1,most=3)'
patterns='row-patterns(of=all)+row-patterns(of=highest-hole)+row-patterns(of=below-highest-hole)'
rows='rows(by=open)+rows(by=missing)'
covers='covers(with=others)+covers(with=sides)'
fits='fits(with=rows-left)+fits(with=hole-rows)'
heights='heights(with=place)+heights(with=well)+stretches(columns=1)+stretches(columns=2)+stretches(columns=3)'
crosses='cross(first=rows-left,second=holes)+cross(first=rows-left,second=hole-rows)+cross(first=rows-left,second=row-transitions)+cross(first=rows-left,second=highest-hole)+cross(first=rows-left,second=empty-cells)+cross(first=rows-left,second=spread)+cross(first=rows-left,second=bumpiness)+cross(first=wells,second=deepest-well)+cross(first=bumpiness,second=holes)+cross(first=row-transitions,second=hole-runs)+cross(first=cells,second=hole-rows)'

# all_but GROUP...: the tables of all other groups.
all_but() {
    for group in differences tops patterns rows covers fits heights crosses; do
        case " $* " in
        *" $group "*) ;;
        *) eval "printf '%s+' \"\$$group\"" ;;
        esac
    done | sed 's/+$//'
}

# learn NAME TABLES
learn() {
    [ -e "$lab/ablation-$1.toml" ] && return
    "$tetrolab" learn 'danger(cooling=800000,guided=50000,period=250000)' --generations 4 --features "$2" --games 1 --seed 1 --run "$lab/ablation-$1" --test-games 0 --quiet $threads \
        --out "$lab/ablation-$1.toml"
}

mkdir -p "$lab"
learn all "$(all_but nothing)"
for group in differences tops patterns rows covers fits heights crosses; do
    learn "without-$group" "$(all_but $group)"
done
# Smaller: without the tables of seven and five columns, of four tops and of all rows, which have most of the entries.
learn small "$(all_but nothing | sed 's/differences(columns=7,most=3)+//; s/differences(columns=5,most=4)+//; s/+tops(columns=4,cells=1,most=3)//; s/row-patterns(of=all)+//')"
test="--ruleset simplified-10x10 --games 100 --seed 3010 --json $threads"
"$tetrolab" eval "$lab/ablation-all.toml" "$lab/ablation-small.toml" "$lab"/ablation-without-*.toml $test > "$out/ablation.json"
# Leaner: without the three groups that were not missed.
learn lean "$(all_but differences fits heights)"
"$tetrolab" eval "$lab/ablation-lean.toml" $test > "$out/ablation-lean.json"
