//! Tuples of height differences: the outline of a few neighbouring columns.

use super::words::{self, Unmixed};
use super::{BoardSize, BoardView, Found, LookupTable, MOST_COLUMNS, TableEntry, clipped};
use crate::settings::{Kind, Setting};
use crate::simd::{Word, WordNumber};
use std::cmp::Ordering;

pub(super) const ENTRY: TableEntry = TableEntry {
    id: "differences",
    definition: "differences of neighbouring heights over some columns, clipped; mirror images share an entry",
    source: "ours, after Sarjant 2008",
    settings: &[
        Setting {
            id: "columns",
            help: "number of columns; auto is the whole board",
            default: Some("auto"),
            kind: Kind::count(2, 16),
        },
        Setting {
            id: "most",
            help: "larger differences are clipped to this one",
            default: Some("1"),
            kind: Kind::count(1, 40),
        },
        Setting {
            id: "shared",
            help: "whether all positions share a table (board), or only mirror images (place)",
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
            return Err("the table would have more than 10 million patterns".to_owned());
        };
        let differences = Differences {
            columns,
            most: most as i32,
            by_place: settings.word("shared") == "place",
            patterns,
            size,
        };
        Ok(differences.into())
    },
};

/// See [`ENTRY`].
#[derive(Debug)]
pub struct Differences {
    columns: usize,
    most: i32,
    by_place: bool,
    /// Number of patterns.
    patterns: usize,
    size: BoardSize,
}

impl Differences {
    #[inline(always)]
    fn find_over<W: Word>(
        &self,
        gaps: usize,
        board: &BoardView<'_, W>,
        found: &mut impl Found<W::Num>,
    ) {
        let mut steps = [W::Num::splat(0); MOST_COLUMNS];
        for gap in 0..board.width - 1 {
            steps[gap] = clipped(board.rises[gap], self.most);
        }
        let places = board.width - gaps;
        for place in 0..places {
            let (partner, steps) = (places - 1 - place, &steps[place..place + gaps]);
            let (table, pattern) = match (self.by_place, place.cmp(&partner)) {
                (true, Ordering::Less) => (place, self.pattern(steps)),
                (true, Ordering::Greater) => (partner, self.mirrored(steps)),
                (by_place, _) => {
                    let pattern = self.pattern(steps).least(self.mirrored(steps));
                    (if by_place { place } else { 0 }, pattern)
                }
            };
            found.entry(table * self.patterns, pattern);
        }
    }

    #[inline(always)]
    fn pattern<N: WordNumber>(&self, steps: &[N]) -> N {
        let base = N::splat(2 * self.most + 1);
        let mut pattern = N::splat(0);
        for &step in steps {
            pattern = pattern * base + step;
        }
        pattern
    }

    /// The pattern of the mirror image.
    #[inline(always)]
    fn mirrored<N: WordNumber>(&self, steps: &[N]) -> N {
        let (base, all) = (N::splat(2 * self.most + 1), N::splat(2 * self.most));
        let mut pattern = N::splat(0);
        for &step in steps.iter().rev() {
            pattern = pattern * base + (all - step);
        }
        pattern
    }
}

impl LookupTable for Differences {
    fn entries(&self) -> usize {
        let places = self.size.width + 1 - self.columns;
        let tables = if self.by_place { places.div_ceil(2) } else { 1 };
        tables * self.patterns
    }

    /// A small number of columns has specialised code, in which the loops over them are unrolled.
    #[inline(always)]
    fn find<W: Word>(&self, board: &BoardView<'_, W>, found: &mut impl Found<W::Num>) {
        match self.columns - 1 {
            2 => self.find_over(2, board, found),
            3 => self.find_over(3, board, found),
            4 => self.find_over(4, board, found),
            5 => self.find_over(5, board, found),
            6 => self.find_over(6, board, found),
            9 => self.find_over(9, board, found),
            gaps => self.find_over(gaps, board, found),
        }
    }

    fn describe(&self, entry: usize) -> String {
        let (gaps, base) = (self.columns - 1, 2 * self.most as usize + 1);
        let mut rest = Unmixed(entry);
        let steps = words::differences(&rest.take_all(gaps, base), self.most);
        let places = self.size.width + 1 - self.columns;
        if self.by_place && places > 1 {
            format!("height differences {steps} from column {} on", rest.0 + 1)
        } else {
            format!("steps {steps}")
        }
    }
}
