use super::*;
use crate::board::Board;
use crate::evaluators::Score;
use crate::evaluators::testing::evaluator;
use crate::game::{Game, Status};
use crate::players::{Greedy, Random, two_piece_by_one};
use crate::randomizers::RANDOMIZERS;
use crate::ruleset::ruleset;

fn rules(spec: &str) -> Ruleset {
    ruleset(&spec.parse().unwrap(), &evaluator).unwrap()
}

fn dellacherie(width: usize) -> Arc<dyn Evaluator> {
    evaluator(&"dellacherie".parse().unwrap(), width).unwrap()
}

fn mcts(rules: &Ruleset, simulations: usize, depth: usize) -> Mcts {
    let options = GreedyOptions::default();
    let size = (simulations, depth);
    let mut player = Mcts::new(rules, dellacherie(rules.width), options, size, 0.2);
    player.start(5);
    player
}

#[test]
fn with_lines_of_two_pieces_that_are_shown_its_values_are_those_of_pairs() {
    let rules = rules("two-piece-6x8");
    let mut pairs = two_piece_by_one(dellacherie(6), GreedyOptions::default());
    let mut player = mcts(&rules, 200, 2);
    let mut random = Random::new(false);
    let mut game = player.begin(&rules, 3);
    while game.status() == Status::Playing {
        let expected = pairs.analyse(&game.view());
        let rated = player.analyse(&game.view());
        let survives = expected[0].survival > 0.0;
        for row in rated.iter().filter(|row| row.survival > 0.0) {
            let pair = expected.iter().find(|pair| pair.placement == row.placement);
            assert_eq!(pair.unwrap().score, row.score);
        }
        assert_eq!(rated.len(), expected.len());
        if survives {
            assert_eq!(rated[0].score, expected[0].score);
        }
        game.apply(random.choose(&game.view()));
    }
}

#[test]
fn a_decision_follows_from_the_seed_and_the_number_of_the_piece() {
    let rules = rules("simplified-6x8");
    let mut player = mcts(&rules, 60, 3);
    let mut game = player.begin(&rules, 3);
    for _ in 0..12 {
        let rated = player.analyse(&game.view());
        assert_eq!(rated[0].placement, player.choose(&game.view()));
        assert_eq!(rated, player.clone().analyse(&game.view()));
        let mut other = player.clone();
        other.start(6);
        assert_ne!(rated, other.analyse(&game.view()));
        assert_eq!(rated[0].line.len(), 2);
        game.apply(rated[0].placement);
    }
}

#[test]
fn trees_grow_under_every_randomizer() {
    for entry in RANDOMIZERS {
        for preview in 0..2 {
            let randomizer = entry.example();
            let rules = rules(&format!(
                "two-piece-5x6(preview={preview},randomizer={randomizer})"
            ));
            let mut player = mcts(&rules, 20, 4);
            let mut game = player.begin(&rules, 3);
            while game.status() == Status::Playing && game.pieces() < 5 {
                let placement = player.choose(&game.view());
                assert_eq!(game.check(placement), Ok(()));
                game.apply(placement);
            }
        }
    }
}

#[test]
fn a_losing_placement_is_chosen_only_when_all_lose() {
    let rules = rules("two-piece-4x4(randomizer=fixed(OIO))");
    for (rows, safe) in [(["#..."; 4], &[1, 2][..]), (["##.#"; 4], &[])] {
        let board = Board::from_rows(4, 4, &rows).unwrap();
        let game = Game::on_board(&rules, board, 1, Some(rules.forecast()));
        for simulations in [1, 10, 100] {
            let rated = mcts(&rules, simulations, 3).analyse(&game.view());
            let columns = rated.iter().map(|row| row.placement.x);
            let mut first: Vec<u8> = columns.take(safe.len()).collect();
            first.sort_unstable();
            assert_eq!(first, safe);
            let losing = &rated[safe.len()..];
            assert!(losing.iter().all(|row| row.survival == 0.0));
            let is_avoided = |row: &RatedPlacement| row.score == Score::NEG_INFINITY;
            assert!(losing.iter().all(|row| is_avoided(row) != safe.is_empty()));
        }
    }
}

#[test]
fn it_lives_longer_than_greedy() {
    let rules = rules("two-piece-6x8");
    let pieces = |player: &mut dyn Player| {
        let games = (0..8).map(|seed| {
            let mut game = player.begin(&rules, seed);
            player.start(seed);
            while game.status() == Status::Playing && game.pieces() < 300 {
                game.apply(player.choose(&game.view()));
            }
            game.pieces()
        });
        games.sum::<u64>()
    };
    let greedy = pieces(&mut Greedy::new(dellacherie(6), GreedyOptions::default()));
    let searching = pieces(&mut mcts(&rules, 30, 3));
    assert!(searching > greedy * 2, "{searching} {greedy}");
}

#[test]
fn a_tree_grows_no_larger_than_it_may() {
    // The second ruleset has large forecasts, of which a tree keeps only some.
    for spec in ["simplified-6x8", "thesis-stepped"] {
        let rules = rules(spec);
        let mut player = mcts(&rules, 1, 8);
        let game = player.begin(&rules, 3);
        let view = game.view();
        let mut tree = Tree::new(
            &view,
            &mut player.expansion,
            &mut *player.replies,
            (Rng::new(1), 8),
        );
        tree.most_bytes = 400_000;
        tree.grow(usize::MAX, 1.0, &StopFlag::default());
        let [first, second, ..] = tree.ranked()[..] else {
            panic!("an empty board has many placements");
        };
        let is_tried = |edge| tree.finding(edge).value.score.is_finite();
        assert!(is_tried(first) && is_tried(second), "{spec}");
        // A simulation adds at most eight nodes with all their placements.
        let excess = tree.bytes - tree.most_bytes;
        assert!(excess < 100_000, "{spec}: {excess}");
    }
}

#[test]
fn placements_that_were_not_stored_are_recomputed() {
    // With many simulations, nearly all placements of the boards below the root are considered.
    let rules = rules("two-piece-6x8");
    let game = mcts(&rules, 1, 3).begin(&rules, 3);
    let mut player = mcts(&rules, 3_000, 3);
    let rated = player.analyse(&game.view());
    assert!(rated.iter().all(|row| row.survival > 0.999));
    let greedy = mcts(&rules, 1, 3).analyse(&game.view());
    assert_eq!(rated.len(), greedy.len());
}
