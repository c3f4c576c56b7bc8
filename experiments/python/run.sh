#!/bin/sh
# Runs the learning examples of the Python package: curves, players and their test, from which the
# table and the pictures of docs/PYTHON.md are made. From the root of the project, with the package,
# PyTorch and sb3-contrib installed, after `cargo build --release`:  sh experiments/python/run.sh
set -eu
tetrolab=${TETROLAB:-target/release/tetrolab}
examples=crates/py/examples/learn
out=experiments/python

for seed in 1 2 3 4 5; do
    python "$examples/dqn.py" --seed "$seed" --out "$out/dqn"
    python "$examples/cross_entropy.py" --seed "$seed" --out "$out/cross-entropy"
done
python "$examples/maskable_ppo.py" --seed 1 --out "$out/ppo"
mkdir -p "$out/curves" "$out/players"
mv "$out"/*/*-[0-9].csv "$out/curves"
mv "$out"/dqn/dqn-* "$out"/cross-entropy/cross-entropy-* "$out/players"
rmdir "$out/dqn" "$out/cross-entropy" "$out/ppo"

# The seed of the test is none of those above.
"$tetrolab" eval "$out"/players/*.toml --ruleset simplified-10x10 --games 500 --seed 1000 --json \
    > "$out/test.json"
"$tetrolab" results docs/PYTHON.md
