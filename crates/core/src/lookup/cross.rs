//! Crosses: two measures of a board together.

use super::measure::{BoardMeasure, ClippedMeasure};
use super::words::Unmixed;
use super::{BoardMeasurements, FoundEntries, LookupTable, Mixed, TableEntry};
use crate::settings::{Kind, Setting};

pub(super) const ENTRY: TableEntry = TableEntry {
    id: "cross",
    definition: "two measures of the board together, one entry",
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
        Ok(Box::new(Cross {
            first: measured("first"),
            second: measured("second"),
        }))
    },
};

#[derive(Debug)]
struct Cross {
    first: ClippedMeasure,
    second: ClippedMeasure,
}

impl LookupTable for Cross {
    fn entries(&self) -> usize {
        self.first.values() * self.second.values()
    }

    fn find(&self, board: &BoardMeasurements, found: &mut FoundEntries<'_>) {
        let entry = Mixed::default()
            .with(self.first.of(board), self.first.values())
            .with(self.second.of(board), self.second.values());
        found.entry(entry.0);
    }

    fn describe(&self, entry: usize) -> String {
        let mut rest = Unmixed(entry);
        let second = self.second.describe(rest.take(self.second.values()));
        format!("{}, {second}", self.first.describe(rest.0))
    }
}
