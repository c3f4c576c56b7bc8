//! A given list of pieces in order, for worked examples and for the thesis' fixed scenario.

use super::forecast::certainly;
use super::{Draw, Knowledge, Probabilities, Randomizer, RandomizerEntry};
use crate::board::Board;
use crate::piece::Piece;
use crate::settings::{Kind, Setting};
use std::sync::Arc;

pub(super) const ENTRY: RandomizerEntry = RandomizerEntry {
    id: "fixed",
    definition: "the pieces of a list, as in fixed(IOTZSJL)",
    source: "thesis 5.3.1.4.3, the fixed scenario",
    settings: &[
        Setting {
            id: "pieces",
            help: "the list",
            default: None,
            kind: Kind::Pieces,
        },
        Setting {
            id: "then",
            help: "whether the pieces end after the last one, or the list repeats",
            default: Some("end"),
            kind: Kind::Word(&["end", "repeat"]),
        },
    ],
    make: |settings, _| {
        Ok(Box::new(Fixed {
            pieces: settings.pieces("pieces").into(),
            repeats: settings.word("then") == "repeat",
            place: 0,
        }))
    },
};

#[derive(Clone, Debug)]
struct Fixed {
    pieces: Arc<[Piece]>,
    repeats: bool,
    place: usize,
}

impl Fixed {
    fn advance(&mut self) -> Option<Piece> {
        if self.repeats && self.place == self.pieces.len() {
            self.place = 0;
        }
        let piece = self.pieces.get(self.place).copied();
        self.place += usize::from(piece.is_some());
        piece
    }
}

impl Randomizer for Fixed {
    fn next(&mut self, _: &mut dyn Draw, _: &Board) -> Option<Piece> {
        self.advance()
    }

    fn knowledge(&self) -> Arc<dyn Knowledge> {
        Arc::new(self.clone())
    }

    fn is_deterministic(&self) -> bool {
        true
    }

    fn can_run_out(&self) -> bool {
        !self.repeats
    }
}

impl Knowledge for Fixed {
    fn probabilities(&self, _: &Board) -> Probabilities {
        certainly(self.clone().advance())
    }

    fn after(&self, _: Piece) -> Option<Arc<dyn Knowledge>> {
        let mut after = self.clone();
        after.advance();
        Some(Arc::new(after))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{letters, problem};

    #[test]
    fn the_list_comes_in_order_and_ends_or_repeats() {
        assert_eq!(letters("fixed(IOTtz)", 0, 20), "IOTTZ");
        assert_eq!(letters("fixed(SZ,then=repeat)", 0, 5), "SZSZS");
        assert_eq!(letters("fixed(SZ,then=end)", 0, 20), "SZ");
    }

    #[test]
    fn wrong_lists_are_named() {
        assert_eq!(
            problem("fixed"),
            "fixed: needs a list of pieces, as in fixed(IOTZSJL)"
        );
        assert_eq!(
            problem("fixed(IXO)"),
            "fixed: 'X' in 'IXO' is not a piece; the pieces are I O T Z S J L"
        );
        assert_eq!(
            problem("fixed(I,then=stop)"),
            "fixed: then must be end or repeat, got 'stop'"
        );
        assert_eq!(problem("fixed(I,O)"), "fixed: does not take 'O' here");
    }
}
