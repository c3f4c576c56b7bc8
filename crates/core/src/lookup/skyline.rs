//! Skylines: how far some columns all over the board stand above the lowest of them.

use super::words::{self, Unmixed};
use super::{BoardMeasurements, BoardSize, FoundEntries, LookupTable, Mixed, TableEntry};
use crate::settings::{Kind, Setting};

pub(super) const ENTRY: TableEntry = TableEntry {
    id: "skyline",
    definition: "how far every so-many-th column stands above the lowest of them; one entry from each side, mirror images share the table",
    source: "ours",
    settings: &[
        Setting {
            id: "step",
            help: "from one column to the next; pieces that stand are two columns wide",
            default: Some("2"),
            kind: Kind::Count { least: 1, most: 8 },
        },
        Setting {
            id: "most",
            help: "columns that stand higher count as this high",
            default: Some("9"),
            kind: Kind::Count { least: 1, most: 40 },
        },
    ],
    make: |settings, size| {
        let BoardSize { width, .. } = size;
        let (step, most) = (settings.count("step"), settings.count("most"));
        let columns = width.div_ceil(step);
        let patterns = (most + 1).checked_pow(columns as u32);
        match patterns.filter(|count| *count <= 10_000_000) {
            Some(patterns) => Ok(Box::new(Skyline {
                step,
                most,
                columns,
                patterns,
            })),
            None => Err("has more than 10 million patterns".to_owned()),
        }
    },
};

#[derive(Debug)]
struct Skyline {
    step: usize,
    most: usize,
    columns: usize,
    patterns: usize,
}

impl Skyline {
    fn pattern<'a>(&self, heights: impl Iterator<Item = &'a u8> + Clone) -> usize {
        let seen = heights.step_by(self.step);
        let lowest = seen.clone().min().copied().unwrap_or(0);
        let above = seen.map(|height| usize::from(height - lowest).min(self.most));
        let pattern = above.fold(Mixed::default(), |all, above| {
            all.with(above, self.most + 1)
        });
        pattern.0
    }
}

impl LookupTable for Skyline {
    fn entries(&self) -> usize {
        self.patterns
    }

    fn find(&self, board: &BoardMeasurements, found: &mut FoundEntries<'_>) {
        let heights = board.heights();
        found.entry(self.pattern(heights.iter()));
        found.entry(self.pattern(heights.iter().rev()));
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
            "columns 1, {second} and so on above the lowest of them: {}",
            above.join(", ")
        )
    }
}
