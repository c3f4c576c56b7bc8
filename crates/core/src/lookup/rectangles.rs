//! Rectangles of cells: systematic n-tuples (Jaśkowski, Szubert, Liskowski and Krawiec 2015).

use super::words::Unmixed;
use super::{BoardSize, BoardView, Found, LookupTable, MOST_COLUMNS, TableEntry};
use crate::settings::{Kind, Setting};
use crate::simd::{Word, WordNumber};
use std::cmp::Ordering;

pub(super) const ENTRY: TableEntry = TableEntry {
    id: "rectangles",
    definition: "the cells of every rectangle of a size",
    source: "Jaśkowski, Szubert, Liskowski and Krawiec 2015",
    settings: &[
        Setting {
            id: "wide",
            help: "columns of a rectangle",
            default: Some("3"),
            kind: Kind::count(1, 16),
        },
        Setting {
            id: "high",
            help: "rows of a rectangle",
            default: Some("3"),
            kind: Kind::count(1, 20),
        },
        Setting {
            id: "shared",
            help: "rectangles that share a table: only mirror images (place), those of the same rows (row), or all (board)",
            default: Some("place"),
            kind: Kind::Word(&["place", "row", "board"]),
        },
    ],
    make: |settings, size| {
        let (wide, high) = (settings.count("wide"), settings.count("high"));
        if wide > size.width || high > size.height {
            let BoardSize { width, height } = size;
            return Err(format!("does not fit a board of {width}x{height}"));
        }
        if wide * high > 20 {
            return Err(format!(
                "a rectangle may have at most 20 cells, got {}",
                wide * high
            ));
        }
        let shared = match settings.word("shared") {
            "place" => Shared::Place,
            "row" => Shared::Row,
            _ => Shared::Board,
        };
        let rectangles = Rectangles {
            wide,
            high,
            shared,
            size,
        };
        Ok(rectangles.into())
    },
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shared {
    Place,
    Row,
    Board,
}

/// See [`ENTRY`].
#[derive(Debug)]
pub struct Rectangles {
    wide: usize,
    high: usize,
    shared: Shared,
    size: BoardSize,
}

impl Rectangles {
    /// Number of positions from left to right, and from the bottom up.
    fn places(&self) -> [usize; 2] {
        [
            self.size.width + 1 - self.wide,
            self.size.height + 1 - self.high,
        ]
    }

    /// The index of a rectangle's table. A rectangle on the right half shares the table of its
    /// mirror image on the left.
    #[inline(always)]
    fn table(&self, x: usize, y: usize) -> usize {
        let across = self.places()[0];
        match self.shared {
            Shared::Place => y * across.div_ceil(2) + x.min(across - 1 - x),
            Shared::Row => y,
            Shared::Board => 0,
        }
    }

    /// The cells of a rectangle column by column, from the left or mirrored.
    #[inline(always)]
    fn pattern<W: Word>(&self, columns: &[W], in_mirror: bool) -> W::Num {
        let high = W::Num::splat(self.high as i32);
        let place = |j: usize| if in_mirror { columns.len() - 1 - j } else { j };
        let mut pattern = columns[place(0)];
        for j in 1..columns.len() {
            pattern = pattern.up_by(high) | columns[place(j)];
        }
        pattern.number()
    }

    fn tables(&self) -> usize {
        let [across, up] = self.places();
        match self.shared {
            Shared::Place => across.div_ceil(2) * up,
            Shared::Row => up,
            Shared::Board => 1,
        }
    }
}

impl LookupTable for Rectangles {
    fn entries(&self) -> usize {
        self.tables() << (self.wide * self.high)
    }

    fn most_shown(&self) -> usize {
        self.places().iter().product()
    }

    #[inline(always)]
    fn find<W: Word>(&self, board: &BoardView<'_, W>, found: &mut impl Found<W::Num>) {
        let cells = W::bits((1 << self.high) - 1);
        let [across, up] = self.places();
        for y in 0..up {
            let mut parts = [W::bits(0); MOST_COLUMNS];
            for c in 0..board.width {
                parts[c] = board.columns[c].down_by(W::Num::splat(y as i32)) & cells;
            }
            for x in 0..across {
                let parts = &parts[x..x + self.wide];
                let pattern = match (self.shared, (2 * x + 1).cmp(&across)) {
                    (Shared::Place, Ordering::Equal) => {
                        self.pattern(parts, false).least(self.pattern(parts, true))
                    }
                    (Shared::Place, Ordering::Greater) => self.pattern(parts, true),
                    _ => self.pattern(parts, false),
                };
                found.entry(self.table(x, y) << (self.wide * self.high), pattern);
            }
        }
    }

    fn describe(&self, entry: usize) -> String {
        let mut rest = Unmixed(entry);
        let columns = rest.take_all(self.wide, 1 << self.high);
        let row = |y: usize| -> String {
            let cell = |column: &usize| if column >> y & 1 == 1 { '#' } else { '.' };
            columns.iter().map(cell).collect()
        };
        let rows: Vec<String> = (0..self.high).rev().map(row).collect();
        let [across, _] = self.places();
        let place = match self.shared {
            Shared::Board => "anywhere".to_owned(),
            Shared::Row => format!("from row {} on", rest.0 + 1),
            Shared::Place => {
                let column = rest.take(across.div_ceil(2)) + 1;
                format!("from row {} and column {column} on", rest.0 + 1)
            }
        };
        format!("cells {}, {place}", rows.join("/"))
    }
}
