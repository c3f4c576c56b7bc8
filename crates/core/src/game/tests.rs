use super::*;
use crate::evaluators::testing::evaluator;
use crate::piece::Rotation;
use crate::piece::Rotation::{East, North};
use crate::players::{Greedy, Player};
use crate::ruleset::ruleset;

fn new_game(spec: &str, seed: u64) -> Game {
    Game::new(&ruleset(&spec.parse().unwrap(), &evaluator).unwrap(), seed)
}

/// Drops the waiting piece.
fn drop(game: &mut Game, rotation: Rotation, x: u8) -> Transition {
    let piece = game.view().piece;
    let shape = piece.shape(rotation);
    let y = game.board().resting_row(shape, usize::from(x)) as u8;
    game.apply(Placement {
        piece,
        rotation: shape.rotation,
        x,
        y,
        spin: crate::placement::Spin::None,
    })
}

#[test]
fn a_short_game_goes_as_worked_out_by_hand() {
    let mut game = new_game("simplified-6x4(randomizer=fixed(IOTLJI))", 0);
    assert_eq!(drop(&mut game, North, 0).lines(), 0);
    let cleared = drop(&mut game, North, 4);
    assert_eq!((cleared.lines(), cleared.cleared), (1, 0b1));
    assert_eq!(
        game.board().to_rows(),
        ["......", "......", "......", "....##"]
    );
    drop(&mut game, North, 0);
    assert_eq!(
        game.board().to_rows(),
        ["......", "......", ".#....", "###.##"]
    );
    // The L, turned twice, drops its tip into the gap, and one cell remains above.
    assert_eq!(drop(&mut game, Rotation::South, 3).lines(), 1);
    assert_eq!(
        game.board().to_rows(),
        ["......", "......", "......", ".#.###"]
    );
    // The long side of the J fills the second gap, and its hook covers an empty cell.
    assert_eq!(drop(&mut game, East, 2).lines(), 0);
    assert_eq!(
        game.board().to_rows(),
        ["......", "..##..", "..#...", ".#####"]
    );
    assert_eq!(drop(&mut game, East, 0).lines(), 1);
    assert_eq!(
        game.board().to_rows(),
        ["......", "#.....", "#.##..", "#.#..."]
    );
    assert_eq!(game.status(), Status::OutOfPieces);
    assert_eq!((game.pieces(), game.lines(), game.line_points()), (6, 3, 3));
}

#[test]
fn lines_pieces_and_points_are_counted() {
    // Four bars side by side on a board four columns wide: the last one completes four lines.
    let mut game = new_game("simplified-4x8(randomizer=fixed(I,then=repeat))", 0);
    for x in 0..4 {
        assert_eq!(game.lines(), 0);
        drop(&mut game, East, x);
    }
    assert_eq!((game.lines(), game.pieces(), game.line_points()), (4, 4, 8));
    assert_eq!(game.board(), &Board::new(4, 8).unwrap());
    drop(&mut game, North, 0);
    assert_eq!((game.lines(), game.pieces(), game.line_points()), (5, 5, 9));
    assert_eq!(game.status(), Status::Playing);
}

#[test]
fn a_list_that_runs_out_leaves_the_game_without_pieces() {
    let mut game = new_game("simplified(randomizer=fixed(OO))", 0);
    drop(&mut game, North, 0);
    assert_eq!(game.status(), Status::Playing);
    let last = drop(&mut game, North, 2);
    assert_eq!(game.status(), Status::OutOfPieces);
    assert_eq!(game.check(last.placement), Err(PlacementError::Ended));
    // With a preview longer than the list the queue just gets shorter.
    let mut game = new_game("simplified(preview=3,randomizer=fixed(OI))", 0);
    assert_eq!(game.view().queue, [Piece::I]);
    drop(&mut game, North, 0);
    assert_eq!(game.view().queue, []);
    assert_eq!(game.status(), Status::Playing);
}

#[test]
fn a_losing_piece_counts_and_is_the_last() {
    let mut game = new_game("simplified-4x4(randomizer=fixed(O,then=repeat))", 0);
    drop(&mut game, North, 0);
    drop(&mut game, North, 0);
    assert!(drop(&mut game, North, 0).game_over);
    assert_eq!(game.status(), Status::Over);
    assert_eq!((game.pieces(), game.lines()), (3, 0));
}

#[test]
fn placements_that_the_rules_forbid_say_why() {
    let game = new_game("simplified(randomizer=fixed(TO))", 0);
    let at = |piece, x, y| Placement {
        piece,
        rotation: North,
        x,
        y,
        spin: crate::placement::Spin::None,
    };
    let problem = |placement| game.check(placement).unwrap_err().to_string();
    assert_eq!(game.check(at(Piece::T, 7, 0)), Ok(()));
    assert_eq!(problem(at(Piece::O, 0, 0)), "the piece is T, not O");
    assert_eq!(
        problem(at(Piece::T, 8, 0)),
        "the piece extends beyond the board at column 8"
    );
    assert_eq!(
        problem(at(Piece::T, 0, 3)),
        "the piece locks in row 0, not in row 3"
    );
}

#[test]
fn a_fork_keeps_the_visible_pieces_and_draws_different_later_ones() {
    let mut game = new_game("two-piece-10x20", 1);
    drop(&mut game, North, 0);
    let next = |game: &Game, count: usize| -> Vec<Piece> {
        let mut game = game.clone();
        (0..count)
            .map(|i| {
                let piece = game.view().piece;
                drop(&mut game, North, (i % 3 * 3) as u8);
                piece
            })
            .collect()
    };
    let (old, fork) = (next(&game, 12), next(&game.fork(99), 12));
    assert_eq!(old[..2], fork[..2]);
    assert_ne!(old, fork);
}

#[test]
fn a_forecast_covers_the_pieces_after_the_visible_ones() {
    let rules = ruleset(&"near-perfect".parse().unwrap(), &evaluator).unwrap();
    let mut game = Game::with_forecast(&rules, 1);
    let plain = Game::new(&rules, 1);
    assert!(plain.view().forecast.is_none());
    assert_eq!(plain.view().piece, game.view().piece);
    for step in 0..20 {
        let view = game.view();
        let probabilities = view.forecast.unwrap().probabilities(view.board);
        // In a bag, the last piece shown is one of those already drawn, unless the bag is empty
        // now.
        let come = (step + 2) % 7;
        let possible = probabilities
            .iter()
            .filter(|&&probability| probability > 0.0);
        assert_eq!(possible.count(), 7 - come);
        let shown = probabilities[view.queue[0] as usize];
        assert_eq!(shown > 0.0, come == 0);
        drop(&mut game, North, (step % 3 * 3) as u8);
        if step == 4 {
            // The visible pieces stay the same in another future.
            let fork = game.fork(99);
            let known = |game: &Game| game.view().forecast.unwrap().probabilities(game.board());
            assert_eq!(known(&fork), known(&game));
            game = fork;
        }
    }
}

/// Whole games of a greedy player: a change of these numbers means that the rules have changed.
#[test]
fn greedy_games_do_not_change() {
    let golden = [
        ("simplified-10x10", 1744, 689),
        ("simplified-hard-10x20", 3000, 1193),
        ("simplified-6x12(end=above-top-after-clearing)", 663, 432),
        ("two-piece-7x9", 533, 297),
        ("near-perfect", 3000, 1199),
        ("thesis", 3000, 1197),
        ("simplified(randomizer=alternating)", 254, 84),
        ("simplified(randomizer=adversary(dellacherie))", 46, 3),
    ];
    for (spec, pieces, lines) in golden {
        let ruleset = ruleset(&spec.parse().unwrap(), &evaluator).unwrap();
        let evaluator = evaluator(&"dellacherie".parse().unwrap(), ruleset.width).unwrap();
        let mut greedy = Greedy::new(evaluator, Default::default());
        let mut game = Game::new(&ruleset, 2);
        while game.status() == Status::Playing && game.pieces() < 3_000 {
            let placement = greedy.choose(&game.view());
            game.apply(placement);
        }
        assert_eq!((game.pieces(), game.lines()), (pieces, lines), "{spec}");
    }
}

#[test]
fn a_game_with_a_forecast_keeps_it_from_the_first_piece_on() {
    for name in [
        "simplified-10x10",
        "thesis(randomizer=bag)",
        "guideline",
        "tgm3",
    ] {
        let rules = ruleset(&name.parse().unwrap(), &evaluator).unwrap();
        let game = Game::with_forecast(&rules, 1);
        assert!(game.view().forecast.is_some(), "{name}");
        assert!(Game::new(&rules, 1).view().forecast.is_none(), "{name}");
    }
}

#[test]
fn a_game_that_begins_on_a_full_board_is_over() {
    let rules = "simplified-4x4(end=top-row)".parse().unwrap();
    let rules = ruleset(&rules, &evaluator).unwrap();
    let board = Board::from_rows(4, 4, &["#..."; 4]).unwrap();
    assert_eq!(
        Game::on_board(&rules, board, 1, None).status(),
        Status::Over
    );
}
