//! The kernel against the general path, game by game.

mod batch;
mod by_features;
mod extremes;
mod lookup;

use super::slots::{SLOTS, Slots};
use super::*;
use crate::choice::{Dealing, SearchLimits, Ties};
use crate::evaluators::Linear;
use crate::features::{FeatureSet, feature, feature_set};
use crate::game::{Game, Status};
use crate::players::{Greedy, LookaheadPlayer, Player, two_piece_by_one};
use crate::rng::Rng;
use crate::ruleset::ruleset;
use crate::simd::{Lanes, Plain};

const MISAKAMM_WEIGHTS: [f64; 11] = [
    -100.0, -95.0, -401.0, -132.0, -88.0, -88.0, -75.0, 67.0, 86.0, 19.5, -0.2,
];
const BCTS_WEIGHTS: [f64; 8] = [
    -12.62900, 6.601974, -9.215815, -19.77356, -13.08335, -10.48747, -1.611863, -24.04087,
];

/// The features of a named set.
fn ids(set: &str) -> &'static [&'static str] {
    feature_set(set).unwrap().make
}

fn sized(width: usize, height: usize) -> Ruleset {
    let spec = format!("simplified-{width}x{height}").parse().unwrap();
    ruleset(&spec, &|_, _| unreachable!()).unwrap()
}

/// A board of this size with unequal probabilities of pieces; one piece never comes.
fn uneven(width: usize, height: usize, preview: usize) -> Ruleset {
    let randomizer = "weighted(S=3,Z=2.5,O=0)";
    let spec = format!("simplified-{width}x{height}(randomizer={randomizer},preview={preview})");
    ruleset(&spec.parse().unwrap(), &|_, _| unreachable!()).unwrap()
}

/// The evaluator, shared as players need it.
fn shared(linear: &Linear) -> Arc<dyn Evaluator> {
    Arc::new(linear.clone())
}

fn linear(ids: &[&str], weights: &[f64], width: usize) -> Linear {
    let features = ids.iter().map(|id| feature(id).unwrap()).collect();
    Linear::new(FeatureSet::new(features, width), weights.to_vec()).unwrap()
}

fn general(ruleset: &Ruleset, player: &mut dyn Player, seed: u64, max_pieces: u64) -> KernelResult {
    generally(player.begin(ruleset, seed), player, max_pieces)
}

fn generally(mut game: Game, player: &mut dyn Player, max_pieces: u64) -> KernelResult {
    let mut board = *game.board();
    while game.status() == Status::Playing && game.pieces() < max_pieces {
        let placement = player.choose(&game.view());
        let transition = game.apply(placement);
        board = if transition.game_over {
            transition.before
        } else {
            transition.after
        };
    }
    KernelResult {
        lines: game.lines(),
        pieces: game.pieces(),
        line_points: game.line_points(),
        finished: game.status() == Status::Over,
        board,
    }
}

/// Plays games from given boards, each with its own seed, up to a number of pieces; if fewer than
/// `fewest_together` wait, each is decided by itself.
fn play_on<L: Lanes>(
    kernel: &Kernel,
    max_pieces: u64,
    boards: &[Board],
    seeds: &[u64],
    fewest_together: usize,
) -> Vec<KernelResult> {
    assert!(boards.len() <= SLOTS);
    let mut slots = Slots::<L>::new(kernel, max_pieces).fewest_together(fewest_together);
    for (slot, (board, &seed)) in boards.iter().zip(seeds).enumerate() {
        let state = slots.state(board, seed);
        slots.start(slot, state);
    }
    while slots.step() > 0 {}
    (0..boards.len()).map(|slot| slots.result(slot)).collect()
}

fn compare<L: Lanes>(ruleset: &Ruleset, linear: &Linear, seeds: &[u64], max_pieces: u64) {
    compare_ties::<L>(ruleset, linear, seeds, max_pieces, Ties::Reference);
}

fn compare_ties<L: Lanes>(
    ruleset: &Ruleset,
    linear: &Linear,
    seeds: &[u64],
    max_pieces: u64,
    ties: Ties,
) {
    let options = GreedyOptions {
        ties,
        ..GreedyOptions::default()
    };
    let kernel = Kernel::anywhere(ruleset, &shared(linear), options).unwrap();
    let boards = vec![ruleset.empty_board(); seeds.len()];
    let play = |fewest_together| play_on::<L>(&kernel, max_pieces, &boards, seeds, fewest_together);
    let (together, alone) = (play(0), play(usize::MAX));
    let mut player = Greedy::new(Arc::new(linear.clone()), options);
    for (game, &seed) in seeds.iter().enumerate() {
        let expected = general(ruleset, &mut player, seed, max_pieces);
        let what = format!("{} {linear:?} {seed}", ruleset.name);
        assert_eq!(together[game], expected, "eight games at once: {what}");
        assert_eq!(alone[game], expected, "one game by itself: {what}");
    }
}

/// A number from approximately the standard normal distribution: the sum of twelve uniform numbers.
fn normal(rng: &mut Rng) -> f64 {
    (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0
}

/// Weights of many kinds: random, random small integers (with many ties), perturbed good ones,
/// magnitudes from tiny to huge, the largest possible next to 1, and all zero.
fn weights(rng: &mut Rng, kind: u64, count: usize) -> Vec<f64> {
    (0..count)
        .map(|k| match kind % 12 {
            0 | 3 | 6 => normal(rng),
            1 | 4 | 7 => rng.below(7) as f64 - 3.0,
            9 => BCTS_WEIGHTS[k % 8] * 10f64.powi(rng.below(17) as i32 - 8),
            10 if k % 4 == 0 => f64::from(u32::MAX),
            10 => rng.below(3) as f64 - 1.0,
            11 => 0.0,
            _ => BCTS_WEIGHTS[k % 8] * (1.0 + normal(rng) / 4.0),
        })
        .collect()
}

fn play_many<L: Lanes>(rounds: u64, seeds: u64, max_pieces: u64) {
    let mut rng = Rng::new(7);
    for round in 0..rounds {
        let ids = [ids("bcts"), ids("dellacherie"), ids("dt")][round as usize % 5 % 3];
        let width = if round % 2 == 0 {
            10
        } else {
            4 + rng.below(13) as usize
        };
        let height = 4 + rng.below(23) as usize;
        let weights = weights(&mut rng, round, ids.len());
        let seeds: Vec<u64> = (0..seeds).map(|seed| 1000 * round + seed).collect();
        let linear = linear(ids, &weights, width);
        compare::<L>(&sized(width, height), &linear, &seeds, max_pieces);
    }
}

#[test]
fn the_plain_lanes_play_the_general_games() {
    play_many::<Plain>(60, 9, 150);
}

#[test]
fn the_vector_lanes_play_the_general_games() {
    if is_available() {
        play_many::<Fastest>(300, 30, 400);
    }
}

#[test]
fn good_players_play_the_same_long_games() {
    if is_available() {
        let bcts = linear(ids("bcts"), &BCTS_WEIGHTS, 10);
        let dellacherie = linear(ids("dellacherie"), &[-1.0, 1.0, -1.0, -1.0, -4.0, -1.0], 10);
        let dt_20 = [-2.68, 1.38, -2.41, -6.32, 2.03, -2.71, -0.43, -9.48, 0.89];
        let dt = linear(ids("dt"), &dt_20, 10);
        let seeds: Vec<u64> = (0..40).collect();
        for height in [10, 16, 20] {
            compare::<Fastest>(&sized(10, height), &bcts, &seeds, 5000);
            compare::<Fastest>(&sized(10, height), &dellacherie, &seeds, 5000);
            compare::<Fastest>(&sized(10, height), &dt, &seeds, 5000);
        }
    }
}

/// A board with random cells up to a random row and no full row.
fn random_board(rng: &mut Rng, width: usize, height: usize) -> Board {
    let mut board = Board::new(width, height).unwrap();
    let (rows, density) = (rng.below(height as u64), 1 + rng.below(8));
    for row in 0..rows as usize {
        let gap = rng.below(width as u64) as usize;
        for column in (0..width).filter(|&column| column != gap) {
            if rng.below(9) < density {
                board.fill(row, column);
            }
        }
    }
    board
}

/// A board filled with noise, combs, stripes or combinations of them.
pub(super) fn wild_board(rng: &mut Rng, width: usize, height: usize) -> Board {
    let mut board = Board::new(width, height).unwrap();
    let (kind, dense, phase) = (rng.below(4), rng.below(9), rng.below(2) as usize);
    for row in 0..height {
        for column in 0..width {
            let filled = match kind {
                0 => rng.below(8) < dense,
                1 => column % 2 == phase && rng.below(20) > 0,
                2 => row % 2 == phase && rng.below(20) > 0,
                _ => (row + column) % 2 == phase,
            };
            if filled {
                board.fill(row, column);
            }
        }
    }
    board
}

/// How many pieces are played from a board.
const PIECES_ON: u64 = 5;

/// A board without full rows, either typical of play or not.
fn any_board(rng: &mut Rng, width: usize, height: usize) -> Board {
    loop {
        let board = match rng.below(2) {
            0 => random_board(rng, width, height),
            _ => wild_board(rng, width, height),
        };
        if board.full_rows() == 0 {
            return board;
        }
    }
}

/// Plays from any board: eight games together, each by itself, and on the general path.
fn compare_ways<L: Lanes>(rounds: u64, count: usize) {
    let mut rng = Rng::new(12);
    let sets = ["dellacherie", "bcts", "dt"];
    for round in 0..rounds {
        for (width, set) in (4..=16).flat_map(|width| sets.map(|set| (width, set))) {
            let height = 4 + rng.below(23) as usize;
            let weights = weights(&mut rng, round, ids(set).len());
            let options = GreedyOptions {
                ties: any_ties(&mut rng),
                ..GreedyOptions::default()
            };
            let (linear, ruleset) = (linear(ids(set), &weights, width), sized(width, height));
            let kernel = Kernel::anywhere(&ruleset, &shared(&linear), options).unwrap();
            let boards: Vec<Board> = (0..count)
                .map(|_| any_board(&mut rng, width, height))
                .collect();
            let seeds: Vec<u64> = (0..count as u64).collect();
            let play = |fewest| play_on::<L>(&kernel, PIECES_ON, &boards, &seeds, fewest);
            let (together, alone) = (play(0), play(usize::MAX));
            assert_eq!(alone, together, "{set} {weights:?} {width}x{height}");
            let mut player = Greedy::new(Arc::new(linear), options);
            for (seed, (board, result)) in boards.iter().zip(together).enumerate() {
                let game = Game::on_board(&ruleset, *board, seed as u64, None);
                let expected = generally(game, &mut player, PIECES_ON);
                assert_eq!(result, expected, "{set} {weights:?} {options:?} {board:?}");
            }
        }
    }
}

/// One of the tie-breaking orders.
fn any_ties(rng: &mut Rng) -> Ties {
    [Ties::Reference, Ties::Center, Ties::Dellacherie][rng.below(3) as usize]
}

#[test]
fn on_any_board_a_game_is_the_same_alone_in_a_batch_and_on_the_general_path() {
    compare_ways::<Plain>(3, 20);
    if is_available() {
        compare_ways::<Fastest>(12, 100);
    }
}

#[test]
fn two_pieces_are_placed_as_the_general_player_places_them() {
    if !is_available() {
        return;
    }
    let mut rng = Rng::new(8);
    for round in 0..60 {
        let ids = ["bcts", "dellacherie", "dt", "misakamm"].map(ids)[round as usize % 4];
        let width = if round % 3 == 0 {
            10
        } else {
            4 + rng.below(13) as usize
        };
        let height = 4 + rng.below(23) as usize;
        let spec = format!("two-piece-{width}x{height}").parse().unwrap();
        let ruleset = ruleset(&spec, &|_, _| unreachable!()).unwrap();
        let weights = weights(&mut rng, round / 4, ids.len());
        let linear = linear(ids, &weights, width);
        let options = GreedyOptions {
            ties: any_ties(&mut rng),
            ..GreedyOptions::default()
        };
        let Some(kernel) = Kernel::two_piece(&ruleset, &shared(&linear), options) else {
            continue;
        };
        let seeds: Vec<u64> = (0..20).map(|seed| 1000 * round + seed).collect();
        let results = kernel.play(&seeds, Some(60), &mut |_, _| false);
        let mut player = two_piece_by_one(Arc::new(linear), options);
        for (&seed, result) in seeds.iter().zip(results) {
            let expected = general(&ruleset, &mut player, seed, 60);
            assert_eq!(result, expected, "{} {weights:?} {seed}", ruleset.name);
        }
    }
}

#[test]
fn with_an_unknown_second_piece_the_best_mean_is_found_as_on_the_general_path() {
    if !is_available() {
        return;
    }
    let mut rng = Rng::new(9);
    for round in 0..24 {
        let ids = ["bcts", "dellacherie", "dt", "misakamm"].map(ids)[round as usize % 4];
        let width = if round % 3 == 0 {
            10
        } else {
            4 + rng.below(13) as usize
        };
        let height = 4 + rng.below(23) as usize;
        let ruleset = match round % 5 {
            0 => uneven(width, height, 0),
            _ => sized(width, height),
        };
        let weights = weights(&mut rng, round / 4, ids.len());
        let linear = linear(ids, &weights, width);
        let options = GreedyOptions {
            ties: any_ties(&mut rng),
            ..GreedyOptions::default()
        };
        let Some(kernel) = Kernel::expectimax(&ruleset, &shared(&linear), options) else {
            continue;
        };
        let seeds: Vec<u64> = (0..10).map(|seed| 1000 * round + seed).collect();
        let results = kernel.play(&seeds, Some(40), &mut |_, _| false);
        let limits = SearchLimits::exact(2);
        let evaluator = Arc::new(linear);
        let dealing = Dealing::ByChance;
        let mut player = LookaheadPlayer::new(&ruleset, evaluator, options, dealing, limits);
        player.allow_kernel(false);
        for (&seed, result) in seeds.iter().zip(results) {
            let expected = general(&ruleset, &mut player, seed, 40);
            assert_eq!(result, expected, "{} {weights:?} {seed}", ruleset.name);
        }
    }
}

#[test]
fn the_best_replies_to_many_boards_are_those_of_the_general_path() {
    use crate::choice::{BestPlacement, Replies, ReplyRequest, SearchNode, SearchRules};
    if !is_available() {
        return;
    }
    let mut rng = Rng::new(10);
    let (mut one_by_one, mut together) = (Vec::new(), Vec::new());
    for round in 0..40 {
        let ids = ["bcts", "dellacherie", "dt", "misakamm"].map(ids)[round as usize % 4];
        let (width, height) = (4 + rng.below(13) as usize, 4 + rng.below(23) as usize);
        let weights = weights(&mut rng, round / 4, ids.len());
        let evaluator: Arc<dyn crate::evaluators::Evaluator> =
            Arc::new(linear(ids, &weights, width));
        let options = GreedyOptions {
            ties: any_ties(&mut rng),
            ..GreedyOptions::default()
        };
        let rules = sized(width, height);
        let Some(mut replies) = RepliesTogether::new(&rules, &evaluator, options) else {
            continue;
        };
        let nodes: Vec<SearchNode> = (0..1 + rng.below(90))
            .map(|lines| SearchNode {
                board: wild_board(&mut rng, width, height),
                lines,
                level: 0,
            })
            .collect();
        let requests: Vec<ReplyRequest> = (0..rng.below(300))
            .map(|_| ReplyRequest {
                node: rng.below(nodes.len() as u64) as usize,
                piece: PIECES[rng.below(7) as usize],
                next: None,
            })
            .collect();
        let mut search_rules = SearchRules::new(rules.rules.as_ref());
        replies.find_all(&mut search_rules, &nodes, &requests, &mut together);
        BestPlacement::new(evaluator, options).find_all(
            &mut search_rules,
            &nodes,
            &requests,
            &mut one_by_one,
        );
        assert_eq!(together, one_by_one, "{} {weights:?}", rules.name);
    }
}

#[test]
fn pieces_with_unequal_chances_are_drawn_as_on_the_general_path() {
    if !is_available() {
        return;
    }
    let bcts = linear(ids("bcts"), &BCTS_WEIGHTS, 10);
    let seeds: Vec<u64> = (0..40).collect();
    let hard = ruleset(&"simplified-hard".parse().unwrap(), &|_, _| unreachable!()).unwrap();
    compare::<Fastest>(&hard, &bcts, &seeds, 2000);
    compare::<Fastest>(&uneven(10, 16, 0), &bcts, &seeds, 2000);
    compare::<Plain>(&uneven(10, 10, 0), &bcts, &seeds[..10], 100);
    let rules = uneven(10, 10, 1);
    let kernel = Kernel::two_piece(&rules, &shared(&bcts), GreedyOptions::default()).unwrap();
    let results = kernel.play(&seeds, Some(100), &mut |_, _| false);
    let mut player = two_piece_by_one(Arc::new(bcts), GreedyOptions::default());
    for (&seed, result) in seeds.iter().zip(results) {
        assert_eq!(result, general(&rules, &mut player, seed, 100), "{seed}");
    }
}

fn play_misakamm<L: Lanes>(rounds: u64, seeds: u64, max_pieces: u64) {
    let mut rng = Rng::new(9);
    for round in 0..rounds {
        let width = if round % 2 == 0 {
            10
        } else {
            4 + rng.below(13) as usize
        };
        let height = 4 + rng.below(23) as usize;
        let weights = match round % 3 {
            0 => MISAKAMM_WEIGHTS.to_vec(),
            1 => MISAKAMM_WEIGHTS
                .map(|weight| weight * (1.0 + normal(&mut rng) / 3.0))
                .to_vec(),
            _ => weights(&mut rng, 1, 11),
        };
        let linear = linear(ids("misakamm"), &weights, width);
        let ties = [Ties::Center, Ties::Reference, Ties::Dellacherie][round as usize / 3 % 3];
        let seeds: Vec<u64> = (0..seeds).map(|seed| 1000 * round + seed).collect();
        compare_ties::<L>(&sized(width, height), &linear, &seeds, max_pieces, ties);
    }
}

#[test]
fn misakamm_plays_the_same_with_vector_lanes() {
    if is_available() {
        play_misakamm::<Fastest>(120, 20, 1000);
    }
}

#[test]
fn other_tie_breaking_rules_decide_the_same() {
    if is_available() {
        let dellacherie = linear(ids("dellacherie"), &[-1.0, 1.0, -1.0, -1.0, -4.0, -1.0], 10);
        let seeds: Vec<u64> = (0..40).collect();
        for ties in [Ties::Center, Ties::Dellacherie] {
            compare_ties::<Fastest>(&sized(10, 16), &dellacherie, &seeds, 2000, ties);
        }
    }
}

#[test]
fn only_a_processor_with_the_instructions_has_a_kernel() {
    let ruleset = sized(10, 20);
    let linear = linear(ids("bcts"), &BCTS_WEIGHTS, 10);
    let options = GreedyOptions::default();
    let mut player = Greedy::new(Arc::new(linear), options);
    assert_eq!(player.kernel(&ruleset).is_some(), is_available());
    assert_eq!(general(&ruleset, &mut player, 1, 100).pieces, 100);
}
