//! Interaction terms: the combined values of two measures of a board.

use super::measure::{BoardMeasure, ClippedMeasure};
use super::words::Unmixed;
use super::{BoardView, Found, LookupTable, Needs, TableEntry};
use crate::settings::{Kind, Setting};
use crate::simd::{Word, WordNumber};

pub(super) const ENTRY: TableEntry = TableEntry {
    id: "cross",
    definition: "interaction of two measures of the board, one entry",
    source: "ours",
    settings: &[
        Setting {
            id: "first",
            help: "the first measure",
            default: Some("rows-left"),
            kind: Kind::Word(BoardMeasure::NAMES),
        },
        Setting {
            id: "second",
            help: "the second measure",
            default: Some("holes"),
            kind: Kind::Word(BoardMeasure::NAMES),
        },
    ],
    make: |settings, size| {
        let measured = |id: &str| ClippedMeasure::new(BoardMeasure::named(settings.word(id)), size);
        let (first, second) = (measured("first"), measured("second"));
        Ok(Cross { first, second }.into())
    },
};

/// See [`ENTRY`].
#[derive(Debug)]
pub struct Cross {
    first: ClippedMeasure,
    second: ClippedMeasure,
}

impl LookupTable for Cross {
    fn entries(&self) -> usize {
        self.first.values() * self.second.values()
    }

    fn needs(&self) -> Needs {
        self.first.needs() | self.second.needs()
    }

    #[inline(always)]
    fn find<W: Word>(&self, board: &BoardView<'_, W>, found: &mut impl Found<W::Num>) {
        let values = W::Num::splat(self.second.values() as i32);
        found.entry(0, self.first.of(board) * values + self.second.of(board));
    }

    fn describe(&self, entry: usize) -> String {
        let mut rest = Unmixed(entry);
        let second = self.second.describe(rest.take(self.second.values()));
        format!("{}, {second}", self.first.describe(rest.0))
    }
}
