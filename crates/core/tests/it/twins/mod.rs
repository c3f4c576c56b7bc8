//! Slow second implementations of all features, written from their definitions.

mod cells;
mod holes;
mod moves;
mod surface;
mod transitions;
mod wells;
mod xtris;

use crate::boards::decision;
use crate::grid::{Cells, Grid, falls};
use proptest::prelude::*;
use tetrolab_core::features::FEATURES;
use tetrolab_core::outcomes::{Outcomes, Scored};
use tetrolab_core::piece::Piece;

/// One step of a game, on grids.
pub(crate) struct Case {
    pub(crate) piece: Piece,
    pub(crate) cells: Cells,
    pub(crate) before: Grid,
    /// The board with the piece, before full rows are removed.
    pub(crate) placed: Grid,
    pub(crate) cleared: Vec<usize>,
    /// The board that is scored.
    pub(crate) after: Grid,
    pub(crate) lines_before: u64,
}

/// A feature's id and its slow definition.
pub(crate) type Twin = (&'static str, fn(&Case) -> Vec<f64>);

fn twins() -> Vec<Twin> {
    [
        moves::TWINS,
        surface::TWINS,
        transitions::TWINS,
        holes::TWINS,
        wells::TWINS,
        cells::TWINS,
        xtris::TWINS,
    ]
    .concat()
}

#[test]
fn every_feature_has_one_twin() {
    let twins: Vec<_> = twins().iter().map(|twin| twin.0).collect();
    for feature in FEATURES {
        let count = twins.iter().filter(|id| **id == feature.id).count();
        let id = feature.id;
        assert_eq!(
            count, 1,
            "twins of {id}: it needs one row in the TWINS of a file in crates/core/tests/it/twins/"
        );
    }
    assert_eq!(twins.len(), FEATURES.len(), "a twin of no feature");
}

/// Whether two numbers are equal up to the rounding of sums in another order.
fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * (1.0 + a.abs().max(b.abs()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn every_feature_has_its_twins_value(decision in decision()) {
        let mut outcomes = Outcomes::default();
        outcomes.generate(&decision.context());
        let transition = outcomes.transition(decision.placement(&outcomes));
        let before = Grid::new(&decision.board);
        let cells = transition.placement.cells().to_vec();
        let falls = falls(&before, decision.piece, decision.end, decision.next);
        let fall = falls.into_iter().find(|fall| fall.cells == cells);
        let fall = fall.expect("the slow engine finds the same cells");
        let after = match decision.scored {
            Scored::AfterRemoval => fall.after,
            Scored::BeforeRemoval => fall.placed.clone(),
        };
        let case = Case {
            piece: decision.piece,
            cells,
            before,
            placed: fall.placed,
            cleared: fall.cleared,
            after,
            lines_before: decision.lines_before,
        };
        for (id, twin) in twins() {
            let values = tetrolab_core::features::feature(id).unwrap().values(&transition);
            let expected = twin(&case);
            prop_assert_eq!(values.len(), expected.len(), "{}", id);
            for (value, expected) in values.iter().zip(&expected) {
                prop_assert!(close(*value, *expected), "{}: {} should be {}", id, value, expected);
            }
        }
    }
}
