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

# More closely: one player to 5 % where the two ways lay apart, and a board on which thousands of games can be played.
"$tetrolab" eval 'two-piece(misakamm-v2)' --ruleset two-piece-10x9 --method splitting --precision 5% --trajectories 4000 --seed 1 --json \
    > "$out/misakamm-10x9.json" # stands in splitting-two-piece-10x9.json instead of the estimate to 10 %
for precision in 3% 4%; do
    case $precision in
        3%) players="two-piece(dellacherie) two-piece(bcts)" games=5000 ;;
        *) players="two-piece(misakamm-v2)" games=2000 ;;
    esac
    # shellcheck disable=SC2086
    "$tetrolab" eval $players --ruleset two-piece-10x6 --games $games --seed 2 --json > "$out/games-10x6-$games.json"
    # shellcheck disable=SC2086
    "$tetrolab" eval $players --ruleset two-piece-10x6 --method splitting --precision $precision --trajectories 4000 --seed 1 --json \
        > "$out/splitting-10x6-$games.json" # both stand together in games- and splitting-two-piece-10x6.json
done

# The strategies report.
"$tetrolab" eval 'greedy(strategies,losing=allow)' 'two-piece(strategies,losing=allow)' \
    'accelerated(strategies,n=4,losing=allow)' 'accelerated(strategies,n=8,losing=allow)' \
    strategies 'two-piece(strategies)' 'accelerated(strategies,n=4)' 'accelerated(strategies,n=8)' \
    'two-piece(strategies,scored=before)' 'accelerated(strategies,n=4,scored=before)' \
    --ruleset two-piece-10x20 --games 100 --seed 1 --threads 1 --json > "$out/strategies.json"
