//! Skylines: the heights of a few columns spread across the board, relative to the lowest of them.

use super::words::{self, Unmixed};
use super::{BoardSize, BoardView, Found, LookupTable, MOST_COLUMNS, TableEntry};
use crate::settings::{Kind, Setting};
use crate::simd::{Word, WordNumber};

pub(super) const ENTRY: TableEntry = TableEntry {
    id: "skyline",
    definition: "heights of every n-th column above the lowest of them; one entry from each side, mirror images share the table",
    source: "ours",
    settings: &[
        Setting {
            id: "step",
            help: "distance n between the columns; vertical pieces are two columns wide",
            default: Some("2"),
            kind: Kind::count(1, 8),
        },
        Setting {
            id: "most",
            help: "higher columns are clipped to this height",
            default: Some("9"),
            kind: Kind::count(1, 40),
        },
    ],
    make: |settings, size| {
        let BoardSize { width, .. } = size;
        let (step, most) = (settings.count("step"), settings.count("most"));
        let columns = width.div_ceil(step);
        let patterns = (most + 1).checked_pow(columns as u32);
        let Some(patterns) = patterns.filter(|count| *count <= 10_000_000) else {
            return Err("the table would have more than 10 million patterns".to_owned());
        };
        let skyline = Skyline {
            step,
            most,
            columns,
            patterns,
        };
        Ok(skyline.into())
    },
};

/// See [`ENTRY`].
#[derive(Debug)]
pub struct Skyline {
    step: usize,
    most: usize,
    columns: usize,
    patterns: usize,
}

impl Skyline {
    /// The entry of the columns as seen from the left, or mirrored.
    #[inline(always)]
    fn pattern<W: Word>(&self, board: &BoardView<'_, W>, in_mirror: bool) -> W::Num {
        let last = board.width - 1;
        let mut heights = [board.height; MOST_COLUMNS];
        let mut lowest = board.height;
        for k in 0..self.columns {
            let column = if in_mirror {
                last - k * self.step
            } else {
                k * self.step
            };
            heights[k] = board.height_of(column);
            lowest = lowest.least(heights[k]);
        }
        let most = W::Num::splat(self.most as i32);
        let mut pattern = W::Num::splat(0);
        for &height in &heights[..self.columns] {
            pattern = pattern * (most + W::Num::splat(1)) + (height - lowest).least(most);
        }
        pattern
    }
}

impl LookupTable for Skyline {
    fn entries(&self) -> usize {
        self.patterns
    }

    #[inline(always)]
    fn find<W: Word>(&self, board: &BoardView<'_, W>, found: &mut impl Found<W::Num>) {
        found.entry(0, self.pattern(board, false));
        found.entry(0, self.pattern(board, true));
    }

    fn describe(&self, entry: usize) -> String {
        let mut rest = Unmixed(entry);
        let above = rest.take_all(self.columns, self.most + 1);
        let above: Vec<String> = above
            .iter()
            .map(|above| words::count(*above, self.most))
            .collect();
        let second = self.step + 1;
        format!(
            "heights of columns 1, {second} and so on above the lowest of them: {}",
            above.join(", ")
        )
    }
}
