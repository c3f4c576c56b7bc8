//! Games under every game-over rule, and under an unregistered one, which shows that a rule needs
//! only one file.

use crate::grid::{Grid, falls};
use tetrolab_core::board::{Board, column_holes};
use tetrolab_core::ends::{ENDS, End, EndEntry, EndRule};
use tetrolab_core::game::{Game, Status};
use tetrolab_core::moves::placements;
use tetrolab_core::rng::Rng;
use tetrolab_core::rules::Rules;
use tetrolab_core::ruleset::{Ruleset, RulesetParts};
use tetrolab_core::spec::{Spec, SpecError};

/// A rule that looks at the whole board. Random decisions (`boards.rs`) are made under it too.
pub(crate) const BURIED: EndEntry = EndEntry {
    id: "buried",
    definition: "the board has more than ten holes",
    source: "these tests",
    settings: &[],
    make: EndRule {
        before_clearing: false,
        rows: usize::MAX,
        looks_at_next: false,
        ends_on: |board, _| holes(board) > 10,
    },
};

fn holes(board: &Board) -> u32 {
    let holes = |column: &u64| column_holes(*column).count_ones();
    board.columns().iter().map(holes).sum()
}

fn ruleset(end: End) -> Ruleset {
    let parts = RulesetParts {
        name: "test".to_owned(),
        width: 6,
        height: 10,
        preview: 1,
        randomizer: Spec::name("uniform"),
        rules: Rules::Drops(end),
    };
    let no_names = |spec: &_, _| Err(SpecError::unknown("evaluator", &format!("{spec}"), []));
    Ruleset::new(parts, &no_names).unwrap()
}

#[test]
fn a_game_under_every_rule_ends_when_the_slow_engine_ends_it() {
    for end in ENDS.iter().chain([&BURIED]).map(End) {
        let ruleset = ruleset(end);
        for seed in 0..50 {
            let (mut game, mut rng) = (Game::new(&ruleset, seed), Rng::new(seed));
            while game.status() == Status::Playing {
                let (before, view) = (*game.board(), game.view());
                let (piece, next) = (view.piece, view.queue.first().copied());
                let all = placements(&before, piece);
                let placement = all[rng.below(all.len() as u64) as usize];
                let falls = falls(&Grid::new(&before), piece, end, next);
                let cells = placement.cells().to_vec();
                let fall = falls.iter().find(|fall| fall.cells == cells).unwrap();
                assert_eq!(game.apply(placement).game_over, fall.game_over, "{end:?}");
                assert_eq!(game.status() == Status::Over, fall.game_over, "{end:?}");
            }
            let is_buried = holes(game.board()) > 10;
            assert!(end != End(&BURIED) || is_buried || game.board().max_height() > 10);
        }
    }
}

#[test]
fn a_stack_below_the_rows_of_a_rule_ends_no_game() {
    use tetrolab_core::piece::PIECES;
    let mut rng = Rng::new(3);
    for end in ENDS {
        for _ in 0..200 {
            let mut board = Board::new(8, 9).unwrap();
            for row in 0..9usize.saturating_sub(end.make.rows) {
                let filled = (0..8).filter(|_| rng.below(3) > 0).collect::<Vec<_>>();
                filled.iter().for_each(|column| board.fill(row, *column));
            }
            for next in PIECES.map(Some).into_iter().chain([None]) {
                assert!(!(end.make.ends_on)(&board, next), "{}: {board:?}", end.id);
            }
        }
    }
}

#[test]
fn every_rule_is_found_by_its_name_and_a_wrong_name_is_corrected() {
    for end in ENDS {
        assert_eq!(End::find(end.id).unwrap(), End(end));
        assert!(!end.definition.is_empty() && !end.source.is_empty());
    }
    let error = End::find("top-rwo").unwrap_err().to_string();
    assert!(error.contains("top-row"), "{error}");
}
