//! Each piece independently with the same chance: Pajitnov's own randomizer, and the literature's.

use super::{Chances, Draw, Knowledge, Probabilities, Randomizer, RandomizerEntry};
use crate::board::Board;
use crate::piece::{PIECES, Piece};
use std::sync::Arc;

pub(super) const ENTRY: RandomizerEntry = RandomizerEntry {
    id: "uniform",
    definition: "each piece independently with a chance of 1/7",
    source: "Pajitnov 1984; MDPTetris",
    settings: &[],
    make: |_, _| Ok(Box::new(Uniform)),
};

#[derive(Clone, Debug)]
struct Uniform;

impl Randomizer for Uniform {
    fn next(&mut self, draw: &mut dyn Draw, _: &Board) -> Option<Piece> {
        Some(PIECES[draw.below(7) as usize])
    }

    fn boxed(&self) -> Box<dyn Randomizer> {
        Box::new(self.clone())
    }

    fn knowledge(&self) -> Arc<dyn Knowledge> {
        Arc::new(self.clone())
    }

    fn chances(&self) -> Option<Chances> {
        Some(Chances::uniform())
    }
}

impl Knowledge for Uniform {
    fn probabilities(&self, _: &Board) -> Probabilities {
        [1.0 / 7.0; 7]
    }

    fn after(&self, _: Piece) -> Option<Arc<dyn Knowledge>> {
        None
    }
}
