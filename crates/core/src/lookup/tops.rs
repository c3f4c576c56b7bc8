//! Columns in their context: the cells below the tops of some neighbouring columns, and how their heights differ.

use super::words::{self, Unmixed};
use super::{BoardMeasurements, FoundEntries, LookupTable, Mixed, TableEntry, clipped};
use crate::settings::{Kind, Setting};

pub(super) const ENTRY: TableEntry = TableEntry {
    id: "tops",
    definition: "cells below the tops of some neighbouring columns and their differences in height; mirror images share an entry",
    source: "ours",
    settings: &[
        Setting {
            id: "columns",
            help: "how many neighbouring columns; one is seen with the differences to both sides",
            default: Some("1"),
            kind: Kind::Count { least: 1, most: 4 },
        },
        Setting {
            id: "cells",
            help: "cells below the top of each column",
            default: Some("6"),
            kind: Kind::Count { least: 1, most: 10 },
        },
        Setting {
            id: "most",
            help: "larger differences count as this one",
            default: Some("3"),
            kind: Kind::Count { least: 1, most: 40 },
        },
    ],
    make: |settings, size| {
        let tops = Tops {
            columns: settings.count("columns"),
            cells: settings.count("cells"),
            most: settings.count("most") as i32,
            width: size.width,
        };
        let differences = (2 * tops.most as u64 + 1).checked_pow(tops.gaps() as u32);
        let patterns =
            differences.and_then(|count| count.checked_mul(1_u64 << (tops.columns * tops.cells)));
        if patterns.is_some_and(|count| count <= 10_000_000) {
            Ok(Box::new(tops))
        } else {
            Err("has more than 10 million patterns".to_owned())
        }
    },
};

#[derive(Debug)]
struct Tops {
    columns: usize,
    cells: usize,
    most: i32,
    width: usize,
}

impl Tops {
    /// How many differences are seen.
    fn gaps(&self) -> usize {
        match self.columns {
            1 => 2,
            columns => columns - 1,
        }
    }

    /// The cells below the one at the top of a column; below the floor all are filled.
    fn below_top(&self, board: &BoardMeasurements, column: usize) -> usize {
        let below = usize::from(board.heights()[column]).saturating_sub(1);
        let all = (1 << self.cells) - 1;
        match below {
            0 => all,
            // The empty cells, moved up until the top is out of sight: what comes in from below is not empty.
            _ => all & !(!board.column(column) << (64 - below) >> (64 - self.cells)) as usize,
        }
    }

    /// The entry of the columns from `place` on, seen from the left or in the mirror.
    fn pattern(&self, board: &BoardMeasurements, place: usize, in_mirror: bool) -> usize {
        let turned = |index: usize, count: usize| if in_mirror { count - 1 - index } else { index };
        let mut pattern = Mixed::default();
        for index in 0..self.columns {
            let column = place + turned(index, self.columns);
            pattern = pattern.with(self.below_top(board, column), 1 << self.cells);
        }
        let size = 2 * self.most as usize + 1;
        for index in 0..self.gaps() {
            let gap = turned(index, self.gaps());
            let difference = match (self.columns, in_mirror) {
                (1, _) => board.sides(place)[gap],
                (_, false) => board.rise(place + gap),
                (_, true) => -board.rise(place + gap),
            };
            pattern = pattern.with(clipped(difference, self.most), size);
        }
        pattern.0
    }
}

impl LookupTable for Tops {
    fn entries(&self) -> usize {
        (2 * self.most as usize + 1).pow(self.gaps() as u32) << (self.columns * self.cells)
    }

    fn find(&self, board: &BoardMeasurements, found: &mut FoundEntries<'_>) {
        for place in 0..=self.width - self.columns {
            let sides = [false, true].map(|in_mirror| self.pattern(board, place, in_mirror));
            found.entry(sides[0].min(sides[1]));
        }
    }

    fn describe(&self, entry: usize) -> String {
        let mut rest = Unmixed(entry);
        let size = 2 * self.most as usize + 1;
        let steps = rest.take_all(self.gaps(), size);
        let columns = rest.take_all(self.columns, 1 << self.cells);
        // The highest bit is the cell right below the top.
        let downwards =
            |cells: &usize| -> String { words::cells(*cells, self.cells).chars().rev().collect() };
        let columns: Vec<String> = columns.iter().map(downwards).collect();
        let columns = columns.join(" ");
        let steps = words::differences(&steps, self.most);
        match self.columns {
            1 => format!("below the top of a column {columns}, beside it {steps}"),
            _ => format!("below the tops {columns}, steps {steps}"),
        }
    }
}
