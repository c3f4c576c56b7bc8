//! Tuples of height differences: the outline of some neighbouring columns.

use super::words::{self, Unmixed};
use super::{BoardMeasurements, BoardSize, FoundEntries, LookupTable, TableEntry, clipped};
use crate::settings::{Kind, Setting};

pub(super) const ENTRY: TableEntry = TableEntry {
    id: "differences",
    definition: "differences of neighbouring heights over some columns, clipped; mirror images share an entry",
    source: "ours, after Sarjant 2008",
    settings: &[
        Setting {
            id: "columns",
            help: "over how many columns; auto is the whole board",
            default: Some("auto"),
            kind: Kind::Count { least: 2, most: 16 },
        },
        Setting {
            id: "most",
            help: "larger differences count as this one",
            default: Some("1"),
            kind: Kind::Count { least: 1, most: 40 },
        },
        Setting {
            id: "shared",
            help: "whether all places share a table (board), or mirror images alone do (place)",
            default: Some("place"),
            kind: Kind::Word(&["place", "board"]),
        },
    ],
    make: |settings, size| {
        let (columns, most) = (
            settings.count_or("columns", size.width),
            settings.count("most"),
        );
        if columns > size.width {
            return Err(format!("does not fit a board {} wide", size.width));
        }
        let patterns = (2 * most + 1).checked_pow(columns as u32 - 1);
        let Some(patterns) = patterns.filter(|count| *count <= 10_000_000) else {
            return Err("has more than 10 million patterns".to_owned());
        };
        Ok(Box::new(Differences {
            columns,
            most: most as i32,
            by_place: settings.word("shared") == "place",
            patterns,
            size,
        }))
    },
};

#[derive(Debug)]
struct Differences {
    columns: usize,
    most: i32,
    by_place: bool,
    /// How many patterns there are.
    patterns: usize,
    size: BoardSize,
}

impl LookupTable for Differences {
    fn entries(&self) -> usize {
        let places = self.size.width + 1 - self.columns;
        let tables = if self.by_place { places.div_ceil(2) } else { 1 };
        tables * self.patterns
    }

    fn find(&self, board: &BoardMeasurements, found: &mut FoundEntries<'_>) {
        let places = self.size.width + 1 - self.columns;
        let (gaps, base) = (self.columns - 1, 2 * self.most as usize + 1);
        for place in 0..places {
            let (mut pattern, mut mirrored) = (0, 0);
            for gap in 0..gaps {
                pattern = pattern * base + clipped(board.rise(place + gap), self.most);
                mirrored =
                    mirrored * base + clipped(-board.rise(place + gaps - 1 - gap), self.most);
            }
            let partner = places - 1 - place;
            let (table, pattern) = match (self.by_place, place.cmp(&partner)) {
                (false, _) => (0, pattern.min(mirrored)),
                (true, std::cmp::Ordering::Less) => (place, pattern),
                (true, std::cmp::Ordering::Equal) => (place, pattern.min(mirrored)),
                (true, std::cmp::Ordering::Greater) => (partner, mirrored),
            };
            found.entry(table * self.patterns + pattern);
        }
    }

    fn describe(&self, entry: usize) -> String {
        let (gaps, base) = (self.columns - 1, 2 * self.most as usize + 1);
        let mut rest = Unmixed(entry);
        let steps = words::differences(&rest.take_all(gaps, base), self.most);
        let places = self.size.width + 1 - self.columns;
        if self.by_place && places > 1 {
            format!("steps {steps} from column {} on", rest.0 + 1)
        } else {
            format!("steps {steps}")
        }
    }
}
