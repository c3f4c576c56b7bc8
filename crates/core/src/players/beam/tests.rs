use super::*;
use crate::board::Board;
use crate::choice::Ties;
use crate::evaluators::testing::{evaluator, features};
use crate::evaluators::{Linear, Score};
use crate::game::{Game, Status};
use crate::outcomes::Scored;
use crate::players::{Greedy, Random, two_piece_by_one};
use crate::ruleset::ruleset;

fn rules(spec: &str) -> Ruleset {
    ruleset(&spec.parse().unwrap(), &evaluator).unwrap()
}

fn dellacherie(width: usize) -> Arc<dyn Evaluator> {
    evaluator(&"dellacherie".parse().unwrap(), width).unwrap()
}

fn linear(rows: &[(&str, f64)], width: usize) -> Arc<dyn Evaluator> {
    let ids: Vec<&str> = rows.iter().map(|row| row.0).collect();
    let weights = rows.iter().map(|row| row.1).collect();
    Arc::new(Linear::new(features(&ids, width), weights).unwrap())
}

/// Positions of random play, which leads to boards that a player would avoid.
fn positions(rules: &Ruleset, seeds: std::ops::Range<u64>) -> Vec<Game> {
    let mut positions = Vec::new();
    let mut random = Random::new(false);
    for seed in seeds {
        let mut game = Game::new(rules, seed);
        while game.status() == Status::Playing {
            positions.push(game.clone());
            game.apply(random.choose(&game.view()));
        }
    }
    positions
}

#[test]
fn two_pieces_and_all_boards_are_the_two_piece_player() {
    for scored in [Scored::AfterRemoval, Scored::BeforeRemoval] {
        for may_lose in [false, true] {
            for rules in [
                rules("two-piece-6x8"),
                rules("two-piece-6x8(end=entry-blocked)"),
            ] {
                let options = GreedyOptions {
                    may_lose,
                    scored,
                    ..GreedyOptions::default()
                };
                let mut pairs = two_piece_by_one(dellacherie(6), options);
                let mut beam = Beam::new(&rules, dellacherie(6), options, (1_000, 2));
                for game in positions(&rules, 0..6) {
                    let expected = pairs.choose(&game.view());
                    assert_eq!(beam.choose(&game.view()), expected);
                }
            }
        }
    }
}

#[test]
fn one_piece_is_the_greedy_player() {
    let rules = rules("two-piece-6x8");
    let options = GreedyOptions::default();
    let mut greedy = Greedy::new(dellacherie(6), options);
    let mut beam = Beam::new(&rules, dellacherie(6), options, (1, 1));
    assert_eq!(beam.needs_preview(), 0);
    for game in positions(&rules, 0..6) {
        assert_eq!(beam.choose(&game.view()), greedy.choose(&game.view()));
    }
}

/// The best line, found by trying all of them: number of pieces survived, and score.
fn by_trying(view: &GameView<'_>, evaluator: &Arc<dyn Evaluator>, pieces: &[Piece]) -> SearchValue {
    let decision = DecisionContext {
        piece: pieces[0],
        next: pieces.get(1).copied(),
        ..DecisionContext::from(view)
    };
    let steps = BestPlacement::new(evaluator.clone(), GreedyOptions::default()).expand(&decision);
    let line = |step: &SearchStep| {
        let ends = step.transition.game_over;
        if ends || pieces.len() == 1 {
            return step.value();
        }
        let after = GameView {
            board: &step.transition.after,
            lines: step.lines,
            ..*view
        };
        let rest = by_trying(&after, evaluator, &pieces[1..]);
        SearchValue {
            survival: 1.0 + rest.survival,
            score: step.step_value + rest.score,
        }
    };
    let lines = steps.iter().map(line);
    lines.max_by(SearchValue::compare).unwrap()
}

#[test]
fn an_unlimited_beam_finds_the_best_line_of_three_and_a_narrow_one_finds_none_better() {
    let rules = rules("two-piece-4x6(preview=2)");
    let (options, dellacherie) = (GreedyOptions::default(), dellacherie(4));
    let mut all = Beam::new(&rules, dellacherie.clone(), options, (10_000, 3));
    let mut narrow = Beam::new(&rules, dellacherie.clone(), options, (2, 3));
    let mut differ = 0;
    for game in positions(&rules, 0..6) {
        let view = game.view();
        let pieces = [view.piece, view.queue[0], view.queue[1]];
        let best = by_trying(&view, &dellacherie, &pieces);
        let found = |beam: &mut Beam| {
            let search = beam.search(&view);
            search.best[search.ranked()[0]].unwrap().value
        };
        assert_eq!(found(&mut all), best);
        let narrow = found(&mut narrow);
        assert!(narrow <= best, "{narrow:?} {best:?}");
        differ += usize::from(narrow < best);
    }
    assert!(differ > 0);
}

/// The player's ratings for the first of many squares.
fn squares(rows: &[&str], depth: usize) -> Vec<RatedPlacement> {
    let (width, height) = (rows[0].len(), rows.len());
    let board = Board::from_rows(width, height, rows).unwrap();
    let rules = rules(&format!("two-piece-{width}x{height}(preview=3)"));
    let options = GreedyOptions {
        ties: Ties::Center,
        ..GreedyOptions::default()
    };
    let high_is_good = linear(&[("landing_height", 1.0)], width);
    let mut beam = Beam::new(&rules, high_is_good, options, (100, depth));
    beam.analyse(&GameView {
        board: &board,
        piece: Piece::O,
        queue: &[Piece::O, Piece::O, Piece::O],
        rules: rules.rules.as_ref(),
        lines: 0,
        pieces: 0,
        forecast: None,
        hold: crate::game::Hold::None,
    })
}

#[test]
fn the_fourth_piece_changes_the_choice() {
    // A roof in the corner: no row can be completed. Four columns are free, enough for two squares
    // side by side, two high.
    let roof = ["....#", ".....", ".....", ".....", "....."];
    let first = |rated: &[RatedPlacement]| {
        let row = &rated[0];
        (row.placement.x, row.score, row.survival)
    };
    // Considered alone, every square lands at 0.5, and the middle wins the tie.
    assert_eq!(first(&squares(&roof, 1)), (1, 0.5, 1.0));
    // Two others can rest half on a first square in the middle: 0.5 + 2.5 + 2.5, against two on top
    // of each other and one next to them.
    assert_eq!(first(&squares(&roof, 3)), (1, 5.5, 1.0));
    // But then a fourth one does not fit. In two stacks it does: 0.5 + 2.5 + 0.5 + 2.5.
    let four = squares(&roof, 4);
    assert_eq!(first(&four), (2, 6.0, 1.0));
    assert_eq!(four[0].line.len(), 3);
    // Starting with column 0 leads to the same boards, which are attributed to column 2; of the
    // remaining lines, those from column 0 lose at the third square, those from column 1 at the
    // fourth.
    let columns: Vec<u8> = four.iter().map(|row| row.placement.x).collect();
    assert_eq!(columns, [2, 1, 0, 3]);
    assert_eq!(
        (four[1].survival, four[3].score),
        (0.0, Score::NEG_INFINITY)
    );
}

#[test]
fn if_all_lines_lose_the_longest_is_played() {
    // There is space for two squares next to the wall. The third lands on top of something: 0.5 +
    // 2.5 + 4.5.
    let rated = squares(&["#..."; 4], 3);
    let columns: Vec<u8> = rated.iter().map(|row| row.placement.x).collect();
    assert_eq!(columns, [1, 2, 0]);
    assert!(rated.iter().all(|row| row.survival == 0.0));
    assert_eq!((rated[0].score, rated[1].score), (7.5, 7.5));
    assert_eq!(rated[2].score, Score::NEG_INFINITY);
}

#[test]
fn lines_dropped_from_the_beam_are_never_chosen() {
    let rules = rules("two-piece-6x8");
    let (options, dellacherie) = (GreedyOptions::default(), dellacherie(6));
    let mut narrow = Beam::new(&rules, dellacherie.clone(), options, (3, 2));
    let game = Game::new(&rules, 1);
    let rated = narrow.analyse(&game.view());
    assert_eq!(rated[0].placement, narrow.choose(&game.view()));
    let considered = rated.iter().filter(|row| row.score.is_finite());
    assert!(considered.count() <= 3);
}
