//! S, Z, S, Z and so on: the sequence that ends any game.
//!
//! Burgiel (1997) proves that no player on a board 10 wide survives 70 000 such pieces.

use super::{Draw, Randomizer, RandomizerEntry};
use crate::board::Board;
use crate::piece::Piece;

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

impl Randomizer for Alternating {
    fn next(&mut self, _: &mut dyn Draw, _: &Board) -> Option<Piece> {
        let piece = self.next;
        self.next = match piece {
            Piece::S => Piece::Z,
            _ => Piece::S,
        };
        Some(piece)
    }

    fn boxed(&self) -> Box<dyn Randomizer> {
        Box::new(self.clone())
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
