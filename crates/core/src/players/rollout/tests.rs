use super::*;
use crate::board::Board;
use crate::evaluators::testing::evaluator;
use crate::game::{Game, GameSnapshot, Status};
use crate::players::{Greedy, Random, two_piece_by_one};
use crate::randomizers::RANDOMIZERS;
use crate::ruleset::ruleset;

fn rules(spec: &str) -> Ruleset {
    ruleset(&spec.parse().unwrap(), &evaluator).unwrap()
}

fn dellacherie(width: usize) -> Arc<dyn Evaluator> {
    evaluator(&"dellacherie".parse().unwrap(), width).unwrap()
}

fn rollout(rules: &Ruleset, size: (usize, usize)) -> Rollout {
    let options = GreedyOptions::default();
    let mut player = Rollout::new(rules, dellacherie(rules.width), options, size);
    player.start(5);
    player
}

#[test]
fn one_game_of_the_piece_that_is_shown_is_the_two_piece_player() {
    let rules = rules("two-piece-6x8");
    let mut pairs = two_piece_by_one(dellacherie(6), GreedyOptions::default());
    let mut player = rollout(&rules, (1, 1));
    let mut random = Random::new(false);
    for seed in 0..6 {
        let mut game = player.begin(&rules, seed);
        while game.status() == Status::Playing {
            let view = game.view();
            assert_eq!(player.choose(&view), pairs.choose(&view));
            game.apply(random.choose(&game.view()));
        }
    }
}

#[test]
fn seven_games_meet_seven_pieces() {
    let rules = rules("simplified-6x8");
    let game = Game::with_forecast(&rules, 1);
    let player = rollout(&rules, (3, 7));
    let mut futures = player.futures(&game.view(), 9);
    assert_eq!(futures.len(), 7, "the same for all nine placements");
    let board = rules.empty_board();
    let first = futures
        .iter_mut()
        .map(|future| future.piece(0, &board).unwrap());
    let first: Vec<Piece> = first.collect();
    assert_eq!(first, crate::piece::PIECES);
    let third = futures
        .iter_mut()
        .map(|future| future.piece(2, &board).unwrap());
    let mut third: Vec<Piece> = third.collect();
    third.dedup();
    assert!(third.len() > 1, "{third:?}");
}

#[test]
fn a_decision_follows_from_the_seed_and_the_number_of_the_piece() {
    let rules = rules("simplified-6x8");
    let mut player = rollout(&rules, (4, 3));
    let mut game = player.begin(&rules, 3);
    for _ in 0..12 {
        let rated = player.analyse(&game.view());
        assert_eq!(rated[0].placement, player.choose(&game.view()));
        assert_eq!(rated, player.clone().analyse(&game.view()));
        let mut other = player.clone();
        other.start(6);
        assert_ne!(rated, other.analyse(&game.view()));
        assert_eq!(rated[0].line.len(), 4);
        game.apply(rated[0].placement);
    }
}

#[test]
fn games_are_played_on_under_every_randomizer() {
    for entry in RANDOMIZERS {
        for preview in 0..2 {
            let randomizer = entry.example();
            let rules = rules(&format!(
                "two-piece-5x6(preview={preview},randomizer={randomizer})"
            ));
            let mut player = rollout(&rules, (3, 2));
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
fn survival_takes_precedence_and_losing_immediately_is_worst() {
    // There is space for two squares next to the wall; the third always loses.
    let rules = rules("two-piece-4x4(preview=2,randomizer=fixed(OOO))");
    let board = Board::from_rows(4, 4, &["#..."; 4]).unwrap();
    let game = Game::on_board(&rules, board, 1, Some(rules.forecast()));
    let survival = |length| {
        let rated = rollout(&rules, (length, 2)).analyse(&game.view());
        let rows = rated.iter().map(|row| (row.placement.x, row.survival));
        rows.collect::<Vec<_>>()
    };
    assert_eq!(survival(1), [(1, 1.0), (2, 1.0), (0, 0.0)]);
    assert_eq!(survival(2), [(1, 0.0), (2, 0.0), (0, 0.0)]);
}

#[test]
fn it_lives_longer_than_the_policy_that_it_tries_out() {
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
    let tried = pieces(&mut rollout(&rules, (3, 7)));
    assert!(tried * 2 > greedy * 3, "{tried} {greedy}");
}

#[test]
fn pieces_that_lock_above_the_visible_rows_of_a_stepped_game_are_lost() {
    let rules = rules("guideline");
    let mut rows = vec!["..#######."; 2];
    rows.extend(["#########."; 18]);
    let board = Board::from_lowest_rows(10, 40, &rows).unwrap();
    // The first O fits in the left corner; after that, no other one fits below row 20.
    let snapshot = GameSnapshot::new(&rules, board, &[Piece::O, Piece::O]).unwrap();
    let analysed = rollout(&rules, (1, 1)).analyse(&snapshot.view());
    let row = |row: &&RatedPlacement| row.placement.x == 0 && row.placement.y == 18;
    assert_eq!(analysed.iter().find(row).unwrap().survival, 0.0);
}

#[test]
fn a_clear_that_brings_the_stack_back_onto_the_board_loses_no_game_of_tgm() {
    let rules = rules("tgm-12x20");
    let mut rows = vec!["######.#####"; 2];
    rows.extend(["###########."; 17]);
    let board = Board::from_lowest_rows(12, 20, &rows).unwrap();
    let snapshot = GameSnapshot::new(&rules, board, &[Piece::I, Piece::I]).unwrap();
    let analysed = rollout(&rules, (1, 1)).analyse(&snapshot.view());
    let row = |row: &&RatedPlacement| (row.placement.x, row.placement.y) == (0, 19);
    let lying = analysed.iter().find(row).unwrap();
    // The second one stands in the gap and reaches above the board, but removes two rows.
    let [second] = lying.line[..] else {
        panic!("{:?}", lying.line)
    };
    assert_eq!((second.x, second.y, second.shape().height), (6, 17, 4));
    assert_eq!(lying.survival, 1.0);
}
