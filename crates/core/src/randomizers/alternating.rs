//! S, Z, S, Z and so on: the sequence that ends every game.
//!
//! Burgiel (1997) proves that no player survives 70,000 such pieces on a board 10 columns wide.

use super::forecast::certainly;
use super::{Draw, Knowledge, Probabilities, Randomizer, RandomizerEntry};
use crate::board::Board;
use crate::piece::Piece;
use std::sync::Arc;

pub(super) const ENTRY: RandomizerEntry = RandomizerEntry {
    id: "alternating",
    definition: "S, Z, S, Z, ...",
    source: "Burgiel 1997; thesis 2.5",
    settings: &[],
    make: |_, _| Ok(Box::new(Alternating { next: Piece::S })),
};

#[derive(Clone, Debug)]
struct Alternating {
    next: Piece,
}

impl Alternating {
    /// The successor of a piece.
    fn after(piece: Piece) -> Alternating {
        let next = match piece {
            Piece::S => Piece::Z,
            _ => Piece::S,
        };
        Alternating { next }
    }
}

impl Randomizer for Alternating {
    fn next(&mut self, _: &mut dyn Draw, _: &Board) -> Option<Piece> {
        let piece = self.next;
        *self = Alternating::after(piece);
        Some(piece)
    }

    fn knowledge(&self) -> Arc<dyn Knowledge> {
        Arc::new(self.clone())
    }

    fn is_deterministic(&self) -> bool {
        true
    }
}

impl Knowledge for Alternating {
    fn probabilities(&self, _: &Board) -> Probabilities {
        certainly(Some(self.next))
    }

    fn after(&self, piece: Piece) -> Option<Arc<dyn Knowledge>> {
        Some(Arc::new(Alternating::after(piece)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::letters;

    #[test]
    fn s_and_z_take_turns() {
        assert_eq!(letters("alternating", 1, 5), "SZSZS");
    }
}
