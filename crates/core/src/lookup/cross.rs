//! Crosses: two measures of a board together.

use super::measure::{Measure, Measured};
use super::{Found, LookupTable, Mixed, Sight, TableEntry};
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
            kind: Kind::Word(Measure::NAMES),
        },
        Setting {
            id: "second",
            help: "the second measure",
            default: Some("holes"),
            kind: Kind::Word(Measure::NAMES),
        },
    ],
    make: |settings, size| {
        let measured = |id: &str| Measured::new(Measure::named(settings.word(id)), size);
        Ok(Box::new(Cross {
            first: measured("first"),
            second: measured("second"),
        }))
    },
};

#[derive(Debug)]
struct Cross {
    first: Measured,
    second: Measured,
}

impl LookupTable for Cross {
    fn entries(&self) -> usize {
        self.first.values() * self.second.values()
    }

    fn find(&self, sight: &Sight, found: &mut Found<'_>) {
        let entry = Mixed::default()
            .with(self.first.of(sight), self.first.values())
            .with(self.second.of(sight), self.second.values());
        found.entry(entry.0);
    }
}
