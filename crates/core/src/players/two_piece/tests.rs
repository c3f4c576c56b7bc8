use crate::board::Board;
use crate::choice::{GreedyOptions, Ties};
use crate::ends::End;
use crate::evaluators::testing::{evaluator, features};
use crate::evaluators::{Evaluator, Linear};
use crate::features::Rule;
use crate::game::{Game, GameView, Status};
use crate::moves::placements;
use crate::outcomes::Scored;
use crate::piece::{Piece, Rotation};
use crate::placement::{Placement, Transition};
use crate::players::{Greedy, Player, RatedPlacement, two_piece_by_one};
use crate::rules::Rules;
use crate::ruleset::ruleset;
use std::sync::Arc;

fn linear(rows: &[(&str, f64)], width: usize) -> Arc<dyn Evaluator> {
    let ids: Vec<&str> = rows.iter().map(|row| row.0).collect();
    let weights = rows.iter().map(|row| row.1).collect();
    Arc::new(Linear::new(features(&ids, width), weights).unwrap())
}

fn board(rows: &[&str]) -> Board {
    Board::from_rows(rows[0].len(), rows.len(), rows).unwrap()
}

fn view<'a>(board: &'a Board, piece: Piece, queue: &'a [Piece]) -> GameView<'a> {
    GameView {
        board,
        piece,
        queue,
        rules: Rules::Drops(End::ABOVE_TOP),
        lines: 0,
        pieces: 0,
        forecast: None,
        hold: crate::game::Hold::None,
    }
}

/// One step of the game; if rows are scored before their removal, they stay.
fn step(before: &Board, placement: Placement, scored: Scored) -> Transition {
    let mut transition = Rules::Drops(End::ABOVE_TOP).step(before, placement, None, 0);
    if scored == Scored::BeforeRemoval {
        transition.after = *before;
        let (x, y) = (usize::from(placement.x), usize::from(placement.y));
        transition.after.fill_shape(placement.shape(), x, y);
    }
    transition
}

fn weigh(evaluator: &Linear, step: &Transition, landing_only: bool) -> f64 {
    let numbers = evaluator.features().values(step);
    let pairs = numbers.iter().zip(evaluator.scaled_weights());
    let counts = |index: usize| {
        let feature = evaluator.features().features()[index];
        !landing_only || matches!(feature.make.rule, Rule::Landing(_))
    };
    let terms = pairs.enumerate().filter(|(index, _)| counts(*index));
    terms.map(|(_, (value, weight))| value * weight).sum()
}

/// The definition, taken literally, by trying every pair.
fn by_trying(
    evaluator: &Linear,
    view: &GameView<'_>,
    options: GreedyOptions,
) -> (u8, f64, Placement) {
    let mut best: Option<(u8, f64, Placement)> = None;
    for first in placements(view.board, view.piece) {
        let one = step(view.board, first, options.scored);
        let (mut survival, mut score) = (0, weigh(evaluator, &one, false));
        if !one.game_over {
            let mut answer: Option<(bool, f64)> = None;
            for second in placements(&one.after, view.queue[0]) {
                let two = step(&one.after, second, options.scored);
                let this = (!two.game_over, weigh(evaluator, &two, false));
                answer = Some(answer.map_or(this, |best| if this > best { this } else { best }));
            }
            let (stays, answer) = answer.unwrap();
            survival = if stays { 2 } else { 1 };
            score = answer;
            if options.scored == Scored::AfterRemoval {
                score += weigh(evaluator, &one, true);
            }
        }
        if best.is_none_or(|best| (survival, score) > (best.0, best.1)) {
            best = Some((survival, score, first));
        }
    }
    best.unwrap()
}

#[test]
fn the_choice_is_the_one_that_trying_every_pair_gives() {
    let rules = ruleset(&"two-piece-6x8".parse().unwrap(), &evaluator).unwrap();
    let spec = "dellacherie".parse().unwrap();
    for scored in [Scored::AfterRemoval, Scored::BeforeRemoval] {
        let options = GreedyOptions {
            scored,
            ..GreedyOptions::default()
        };
        let evaluator = evaluator(&spec, 6).unwrap();
        let mut player = two_piece_by_one(evaluator.clone(), options);
        let mut random = crate::players::Random::new(false);
        for seed in 0..4 {
            let mut game = Game::new(&rules, seed);
            while game.status() == Status::Playing && game.pieces() < 60 {
                let expected = by_trying(evaluator.as_linear().unwrap(), &game.view(), options);
                assert_eq!(player.choose(&game.view()), expected.2);
                // Random play leads to boards that the player itself would avoid.
                game.apply(random.choose(&game.view()));
            }
        }
    }
}

#[test]
fn the_next_piece_changes_the_choice() {
    let evaluator = linear(&[("holes", -1.0), ("landing_height", -1.0)], 6);
    let trough = board(&["......", "......", "......", "......", "..####"]);
    let seen = view(&trough, Piece::T, &[Piece::O]);
    // Considered alone, T goes into the trough (height 1, no hole). With a square to come, it lies
    // on the right (1.5), which leaves the trough to the square (0.5): together 2, against 1 + 1.5.
    let alone = Greedy::new(evaluator.clone(), GreedyOptions::default()).choose(&seen);
    assert_eq!((alone.rotation, alone.x, alone.y), (Rotation::East, 1, 0));
    let pair = two_piece_by_one(evaluator, GreedyOptions::default()).choose(&seen);
    assert_eq!((pair.rotation, pair.x, pair.y), (Rotation::North, 2, 1));
}

#[test]
fn losing_is_put_off_as_long_as_possible() {
    let low = board(&["....", "....", "....", "#.##"]);
    let high_is_good = linear(&[("landing_height", 1.0)], 4);
    let chosen = |may_lose, piece, next| {
        let options = GreedyOptions {
            may_lose,
            ..GreedyOptions::default()
        };
        let mut player = two_piece_by_one(high_is_good.clone(), options);
        player.choose(&view(&low, piece, &[next]))
    };
    // A square in the middle leaves no space for another one.
    assert_eq!(chosen(false, Piece::O, Piece::O).x, 0);
    // A flat bar (1) supports the square (2.5). A vertical bar in the gap (1.5) clears a row and
    // supports a square that ends the game (3.5): more height, for a player that may lose. A
    // vertical bar elsewhere ends the game itself.
    assert_eq!(chosen(false, Piece::I, Piece::O).rotation, Rotation::North);
    let reckless = chosen(true, Piece::I, Piece::O);
    assert_eq!((reckless.rotation, reckless.x), (Rotation::East, 1));
}

#[test]
fn equal_pairs_are_decided_by_the_first_placement() {
    let empty = Board::new(10, 20).unwrap();
    let x_with = |ties| {
        let options = GreedyOptions {
            ties,
            ..GreedyOptions::default()
        };
        let mut player = two_piece_by_one(linear(&[("holes", 0.0)], 10), options);
        player.choose(&view(&empty, Piece::O, &[Piece::T])).x
    };
    assert_eq!(x_with(Ties::Reference), 0);
    assert_eq!(x_with(Ties::Center), 4);
    assert_eq!(x_with(Ties::Dellacherie), 0);
}

#[test]
fn the_last_piece_of_a_list_is_placed_greedily() {
    let spec = "two-piece-6x8(randomizer=fixed(OIT))".parse().unwrap();
    let mut game = Game::new(&ruleset(&spec, &evaluator).unwrap(), 0);
    let dellacherie = evaluator(&"dellacherie".parse().unwrap(), 6).unwrap();
    let mut player = two_piece_by_one(dellacherie.clone(), GreedyOptions::default());
    assert_eq!(player.needs_preview(), 1);
    for _ in 0..2 {
        game.apply(player.choose(&game.view()));
    }
    let mut greedy = Greedy::new(dellacherie, GreedyOptions::default());
    assert_eq!(player.choose(&game.view()), greedy.choose(&game.view()));
}

#[test]
fn changes_of_both_moves_add_up() {
    // The change of holes over two moves is the final number of holes minus a constant.
    let plain = linear(&[("holes", -3.0), ("bumpiness", -1.0)], 6);
    let changes = [("holes", -1.0), ("bumpiness", -1.0), ("delta_holes", -2.0)];
    let changes = linear(&changes, 6);
    let rules = ruleset(&"two-piece-6x12".parse().unwrap(), &|_, _| unreachable!()).unwrap();
    let mut plain = two_piece_by_one(plain, GreedyOptions::default());
    let mut changes = two_piece_by_one(changes, GreedyOptions::default());
    let mut game = Game::new(&rules, 3);
    for _ in 0..200 {
        if game.status() != Status::Playing {
            game = Game::new(&rules, game.pieces());
        }
        let chosen = plain.choose(&game.view());
        assert_eq!(changes.choose(&game.view()), chosen);
        game.apply(chosen);
    }
}

#[test]
fn every_first_placement_is_rated_with_its_reply() {
    let low = board(&["....", "....", "....", "#.##"]);
    let lines = linear(&[("lines_cleared", 1.0), ("holes", -10.0)], 4);
    let mut player = two_piece_by_one(lines, GreedyOptions::default());
    let rated = player.analyse(&view(&low, Piece::I, &[Piece::O]));
    assert_eq!(rated.len(), 5);
    let of = |rotation, x| {
        let is_it =
            |row: &&RatedPlacement| row.placement.rotation == rotation && row.placement.x == x;
        rated.iter().find(is_it).unwrap()
    };
    // A vertical bar in the gap clears the row, and the square lands next to it: one line, no hole.
    let gap = of(Rotation::East, 1);
    assert_eq!((gap.score, gap.survival), (1.0, 1.0));
    let reply = gap.line[0];
    assert_eq!((reply.piece, reply.x, reply.y), (Piece::O, 2, 0));
    // A vertical bar on a column ends the game: it is never chosen, and nothing follows.
    let end = of(Rotation::East, 3);
    assert_eq!((end.score, end.survival), (f64::NEG_INFINITY, 0.0));
    assert!(end.line.is_empty());
}
