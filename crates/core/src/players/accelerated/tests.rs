use super::*;
use crate::board::Board;
use crate::choice::{AnyPiece, BestPlacement, Dealing, Lookahead, SearchLimits, Ties};
use crate::ends::End;
use crate::evaluators::testing::{evaluator, features};
use crate::evaluators::{Evaluator, Linear};
use crate::game::{Game, GameView, Status};
use crate::outcomes::DecisionContext;
use crate::piece::{Piece, Rotation};
use crate::players::{Player, Random, two_piece_by_one};
use crate::rules::Rules;
use crate::ruleset::ruleset;
use std::sync::Arc;

fn options(may_lose: bool, scored: Scored) -> GreedyOptions {
    GreedyOptions {
        may_lose,
        scored,
        ties: Ties::Reference,
    }
}

fn dellacherie(width: usize) -> Arc<dyn Evaluator> {
    evaluator(&"dellacherie".parse().unwrap(), width).unwrap()
}

/// The next game, if this one has ended.
fn going_on(game: Game, rules: &str) -> Game {
    if game.status() == Status::Playing {
        return game;
    }
    let rules = ruleset(&rules.parse().unwrap(), &evaluator).unwrap();
    Game::new(&rules, game.pieces() * 31 + game.lines())
}

fn new_game(rules: &str, seed: u64) -> Game {
    let rules = ruleset(&rules.parse().unwrap(), &evaluator).unwrap();
    Game::new(&rules, seed)
}

#[test]
fn with_all_replies_it_decides_like_the_two_piece_player() {
    let rules = "two-piece-4x12";
    for (may_lose, scored) in [
        (false, Scored::AfterRemoval),
        (true, Scored::AfterRemoval),
        (false, Scored::BeforeRemoval),
        (true, Scored::BeforeRemoval),
    ] {
        let options = options(may_lose, scored);
        let mut full = two_piece_by_one(dellacherie(4), options);
        let mut player = two_piece_by_one(dellacherie(4), options).with_shortlist(MAX_OUTCOMES);
        let mut game = new_game(rules, 1);
        for _ in 0..25_000 {
            let placement = full.choose(&game.view());
            assert_eq!(player.choose(&game.view()), placement, "{options:?}");
            game.apply(placement);
            if game.status() != Status::Playing {
                player.start(0);
            }
            game = going_on(game, rules);
        }
    }
}

/// The report's algorithm taken literally, with full rows removed between the pieces: it stores the
/// best replies to the placement that it chose.
#[derive(Default)]
struct WordForWord {
    remembered: Vec<(u8, u8)>,
}

impl WordForWord {
    fn choose(&mut self, view: &GameView<'_>, options: GreedyOptions, n: usize) -> Placement {
        let evaluator = dellacherie(view.board.width());
        let decision = DecisionContext::from(view);
        let replies = Box::new(BestPlacement::new(evaluator.clone(), options));
        let mut search = Lookahead::new(replies, Dealing::ByChance, SearchLimits::exact(2));
        let chosen = search.best(&decision, view.queue, &mut AnyPiece, &|steps| {
            steps.retain(|step| self.remembered.is_empty() || self.remembered.contains(&aim(step)));
        });
        let decision = DecisionContext {
            board: &chosen.step.transition.after,
            piece: view.queue[0],
            next: None,
            ..decision
        };
        let mut replies = BestPlacement::new(evaluator, options).expand(&decision);
        let loses = |step: &SearchStep| !options.may_lose && step.transition.game_over;
        replies.sort_by(|a, b| {
            let by_score = b.score.partial_cmp(&a.score).unwrap();
            loses(a).cmp(&loses(b)).then(by_score)
        });
        let aims = replies.iter().map(aim);
        self.remembered = aims.take(n).collect();
        chosen.step.transition.placement
    }
}

#[test]
fn the_shortlist_equals_the_memory_of_the_report() {
    let rules = "two-piece-5x8";
    for n in [1, 2, 4, 8] {
        for may_lose in [false, true] {
            let options = options(may_lose, Scored::AfterRemoval);
            let mut player = two_piece_by_one(dellacherie(5), options).with_shortlist(n);
            assert!(!player.has_memory());
            let mut twin = WordForWord::default();
            let mut game = new_game(rules, n as u64);
            for _ in 0..400 {
                let placement = player.choose(&game.view());
                assert_eq!(placement, twin.choose(&game.view(), options, n));
                game.apply(placement);
                if game.status() != Status::Playing {
                    twin = WordForWord::default();
                }
                game = going_on(game, rules);
            }
        }
    }
}

fn linear(rows: &[(&str, f64)], width: usize) -> Arc<dyn Evaluator> {
    let ids: Vec<&str> = rows.iter().map(|row| row.0).collect();
    let weights = rows.iter().map(|row| row.1).collect();
    Arc::new(Linear::new(features(&ids, width), weights).unwrap())
}

fn view<'a>(board: &'a Board, pieces: u64, queue: &'a [Piece]) -> GameView<'a> {
    GameView {
        board,
        piece: Piece::I,
        queue,
        rules: Rules::Drops(End::ABOVE_TOP),
        lines: 0,
        pieces,
        forecast: None,
        hold: crate::game::Hold::None,
    }
}

/// A pit that a vertical bar fills, which completes four rows above a hole.
const PIT: [&str; 12] = [
    "....", "....", "....", "....", "....", "....", "....", "###.", "###.", "###.", "###.", "#.##",
];
/// The same board after removing the rows: the hole is open.
const OPEN: [&str; 12] = [
    "....", "....", "....", "....", "....", "....", "....", "....", "....", "....", "....", "#.##",
];

#[test]
fn with_full_rows_on_the_board_replies_are_remembered_by_rotation_and_column() {
    let [pit, open] = [PIT, OPEN].map(|rows| Board::from_rows(4, 12, &rows).unwrap());
    let low = linear(&[("max_height", -2.0), ("holes", -1.0)], 4);
    let second = |n| {
        let options = options(false, Scored::BeforeRemoval);
        let mut player = two_piece_by_one(low.clone(), options).with_shortlist(n);
        assert!(player.has_memory());
        // Two bars: one fills the pit, the other lies on the full rows (height 6, 1 hole). If the
        // first one lies flat there are 4 more holes, and if it is vertical elsewhere the stack is
        // 9 high.
        let first = player.choose(&view(&pit, 0, &[Piece::I]));
        assert_eq!((first.rotation, first.x, first.y), (Rotation::East, 3, 1));
        let view = view(&open, 1, &[Piece::O]);
        let rated = player.analyse(&view);
        let chosen = player.choose(&view);
        assert_eq!(rated[0].placement, chosen);
        assert_eq!(player.choose(&view), chosen, "asked again");
        let considered = rated.iter().filter(|row| row.score.is_finite());
        assert_eq!(considered.count(), n.min(5));
        chosen
    };
    // A flat bar was the best reply, and a vertical one anywhere was equally good (height 9). Now
    // that the hole is open, the bar should fill it: with the square the stack is 4 high in both
    // cases, but a flat bar leaves a hole.
    assert_eq!(second(1).rotation, Rotation::North);
    // The first vertical one is in column 0 (5 high, no hole), the second in column 1.
    assert_eq!(second(2).rotation, Rotation::North);
    let stands = second(3);
    assert_eq!((stands.rotation, stands.x), (Rotation::East, 1));
    assert_eq!(second(64), stands);
}

#[test]
fn nothing_is_remembered_from_another_game() {
    let [pit, open] = [PIT, OPEN].map(|rows| Board::from_rows(4, 12, &rows).unwrap());
    let low = linear(&[("max_height", -2.0), ("holes", -1.0)], 4);
    let options = options(false, Scored::BeforeRemoval);
    let mut player = two_piece_by_one(low, options).with_shortlist(1);
    player.choose(&view(&pit, 0, &[Piece::I]));
    player.start(0);
    let chosen = player.choose(&view(&open, 1, &[Piece::O]));
    assert_eq!(chosen.rotation, Rotation::East);
}

#[test]
fn a_remembered_placement_that_bars_the_next_piece_is_avoided() {
    for scored in [Scored::AfterRemoval, Scored::BeforeRemoval] {
        let rules = "two-piece-6x8(end=entry-blocked)";
        let options = options(false, scored);
        let mut player = two_piece_by_one(dellacherie(6), options).with_shortlist(1);
        let mut expansion = BestPlacement::new(dellacherie(6), options);
        let mut random = Random::new(false);
        let mut game = new_game(rules, 1);
        for _ in 0..2_000 {
            let view = game.view();
            let steps = expansion.expand(&DecisionContext::from(&view));
            let chosen = player.choose(&view);
            let ends = |step: &SearchStep| step.transition.game_over;
            let chosen = steps.iter().find(|s| s.transition.placement == chosen);
            assert!(!ends(chosen.unwrap()) || steps.iter().all(ends));
            game.apply(random.choose(&game.view()));
            if game.status() != Status::Playing {
                player.start(0);
            }
            game = going_on(game, rules);
        }
    }
}
