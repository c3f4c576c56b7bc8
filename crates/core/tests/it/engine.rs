//! Compares the engine with the slow one: where pieces lock, which rows are cleared, the resulting
//! boards, and when games end.

use crate::boards::decision;
use crate::grid::{Grid, falls};
use proptest::prelude::*;
use tetrolab_core::outcomes::{Outcomes, Scored};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_placement_ends_as_in_the_slow_engine(decision in decision()) {
        let mut outcomes = Outcomes::default();
        outcomes.generate(&decision.context());
        let before = Grid::new(&decision.board);
        let falls = falls(&before, decision.piece, decision.end, decision.next);
        prop_assert_eq!(outcomes.len(), falls.len());
        for index in 0..outcomes.len() {
            let transition = outcomes.transition(index);
            let cells = transition.placement.cells().to_vec();
            let fall = falls.iter().find(|fall| fall.cells == cells);
            let fall = fall.expect("the slow engine finds the same cells");
            let cleared = fall.cleared.iter().fold(0, |rows, row| rows | 1u64 << row);
            prop_assert_eq!(transition.cleared, cleared);
            prop_assert_eq!(transition.game_over, fall.game_over);
            prop_assert_eq!(transition.before, decision.board);
            let after = match decision.scored {
                Scored::AfterRemoval => &fall.after,
                Scored::BeforeRemoval => &fall.placed,
            };
            prop_assert_eq!(&Grid::new(&transition.after), after);
        }
    }
}
