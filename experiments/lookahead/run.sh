#!/bin/sh
# Makes the raw results of this folder: what looking one piece further is worth, splitting beside whole games of players that look
# ahead, and the strategies report's table again.
# From the root of the project, after `cargo build --release`:  sh experiments/lookahead/run.sh
set -eu
tetrolab=${TETROLAB:-target/release/tetrolab}
out=experiments/lookahead
expectimax="expectimax(dellacherie,depth=2) expectimax(bcts,depth=2) expectimax(dt-20,depth=2) expectimax(misakamm-v2,depth=2)"
two_piece="two-piece(dellacherie) two-piece(bcts) two-piece(dt-20) two-piece(misakamm-v2)"

# What a ply is worth.
for height in 10 20; do
    "$tetrolab" eval dellacherie bcts dt-20 misakamm-v2 \
        --ruleset simplified-10x$height --method splitting --precision 5% --seed 1 --json > "$out/greedy-10x$height.json"
    # shellcheck disable=SC2086 # one word for each player
    "$tetrolab" eval $expectimax --ruleset simplified-10x$height --method splitting --precision 13% --trajectories 3000 --seed 1 --json \
        > "$out/expectimax-10x$height.json"
    # shellcheck disable=SC2086
    "$tetrolab" eval $two_piece --ruleset two-piece-10x$height --method splitting --precision 13% --seed 1 --json \
        > "$out/two-piece-10x$height.json"
done

# Splitting beside whole games.
for height in 8 9; do
    # shellcheck disable=SC2086
    "$tetrolab" eval $expectimax --ruleset simplified-10x$height --games 200 --seed 2 --json > "$out/games-expectimax-10x$height.json"
    # shellcheck disable=SC2086
    "$tetrolab" eval $two_piece --ruleset two-piece-10x$height --games 200 --seed 2 --json > "$out/games-two-piece-10x$height.json"
    # shellcheck disable=SC2086
    "$tetrolab" eval $expectimax --ruleset simplified-10x$height --method splitting --precision 10% --trajectories 2000 --seed 1 --json \
        > "$out/splitting-expectimax-10x$height.json"
    # shellcheck disable=SC2086
    "$tetrolab" eval $two_piece --ruleset two-piece-10x$height --method splitting --precision 10% --trajectories 4000 --seed 1 --json \
        > "$out/splitting-two-piece-10x$height.json"
done

# More closely. Results of one player from several seeds stand one after the other in one file, and the table pools them; an estimate to 5 % stands
# instead of that to 10 %.
# estimate PLAYER RULESET PRECISION SEED, games PLAYER RULESET GAMES SEED: one result each, to be put into the files above
estimate() { "$tetrolab" eval "$1" --ruleset "$2" --method splitting --precision "$3" --trajectories 4000 --seed "$4" --json > "$out/one-$2-splitting-$4.json"; }
games() { "$tetrolab" eval "$1" --ruleset "$2" --games "$3" --seed "$4" --json > "$out/one-$2-games-$4.json"; }
estimate 'two-piece(misakamm-v2)' two-piece-10x9 5% 1
games 'two-piece(misakamm-v2)' two-piece-10x9 200 3
games 'expectimax(misakamm-v2,depth=2)' simplified-10x9 400 3
games 'two-piece(misakamm-v2)' two-piece-10x5 40000 12
estimate 'two-piece(misakamm-v2)' two-piece-10x5 1% 13
for player in 'two-piece(dellacherie)' 'two-piece(bcts)'; do
    games "$player" two-piece-10x6 5000 2
    estimate "$player" two-piece-10x6 3% 1
done
estimate 'two-piece(bcts)' two-piece-10x6 1.5% 5
for seed in 2 3 4; do games 'two-piece(misakamm-v2)' two-piece-10x6 2000 $seed; done
games 'two-piece(misakamm-v2)' two-piece-10x6 8000 21
for seed in 1 2; do estimate 'two-piece(misakamm-v2)' two-piece-10x6 4% $seed; done
estimate 'two-piece(misakamm-v2)' two-piece-10x6 2% 22

# The strategies report.
"$tetrolab" eval 'greedy(strategies,losing=allow)' 'two-piece(strategies,losing=allow)' \
    'accelerated(strategies,n=4,losing=allow)' 'accelerated(strategies,n=8,losing=allow)' \
    strategies 'two-piece(strategies)' 'accelerated(strategies,n=4)' 'accelerated(strategies,n=8)' \
    'two-piece(strategies,scored=before)' 'accelerated(strategies,n=4,scored=before)' \
    --ruleset two-piece-10x20 --games 100 --seed 1 --threads 1 --json > "$out/strategies.json"
