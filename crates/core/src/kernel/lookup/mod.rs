//! Look-up tables on eight boards at once: the entries that [`crate::lookup`] finds, one lane for each board.
//!
//! Every kind of table that is known here has a twin there, which says what its entries mean. Scores are whole numbers
//! ([`crate::evaluators::TableSum`]), so their sum does not depend on the order in which tables are looked up.
//!
//! - `lane_measurements` measures the eight boards once for all tables.
//! - `outline` has the tables of heights, `rows` those of rows and covers, `measures` the crosses.

mod lane_measurements;
mod measures;
mod outline;
mod rows;

use super::shape::{FIRST, SHAPES};
use super::surface::PerColumn;
use crate::lookup::{BoardMeasure, TABLES, TableSet};
use crate::simd::{LANES, Lanes};
pub(super) use lane_measurements::LaneMeasurements;
use lane_measurements::LaneView;
use measures::LaneMeasure;

/// What is done with the entries that eight boards show.
pub(super) trait EntrySink<L> {
    /// The number of an entry in every lane; that of [`LanePlan::nothing`] where a board shows none.
    fn take(&mut self, entries: L);
}

/// Adds up the weights of all entries.
pub(super) struct WeightSum<'w, L> {
    weights: &'w [i32],
    sum: L,
}

impl<L: Lanes> EntrySink<L> for WeightSum<'_, L> {
    #[inline(always)]
    fn take(&mut self, entries: L) {
        self.sum = self.sum.add(entries.gather(self.weights));
    }
}

/// Lists all entries, board by board.
pub(super) struct EntryLists<'l> {
    pub(super) lists: &'l mut [Vec<u32>; LANES],
    /// See [`LanePlan::nothing`].
    pub(super) nothing: i32,
}

impl<L: Lanes> EntrySink<L> for EntryLists<'_> {
    #[inline(always)]
    fn take(&mut self, entries: L) {
        let entries = entries.store().0;
        for (list, entry) in self.lists.iter_mut().zip(entries) {
            if entry != self.nothing {
                list.push(entry as u32);
            }
        }
    }
}

/// A set of tables, as it is looked up eight boards at a time.
#[derive(Clone, Debug)]
pub(super) struct LanePlan {
    tables: Vec<LaneTable>,
    /// Which measures are asked for.
    measured: [bool; BoardMeasure::COUNT],
    needs_rows: bool,
    needs_fits: bool,
    needs_covers: bool,
    fit_places: outline::FitPlaces,
    row_digits: rows::RowDigits,
    /// See [`LanePlan::nothing`].
    nothing: i32,
    width: usize,
    /// See [`LanePlan::places`].
    places: [Vec<i32>; 7],
}

/// The cells of every placement of each piece, bit 0 the row in which its box lands: 16 columns each.
fn places(width: usize) -> [Vec<i32>; 7] {
    std::array::from_fn(|piece| {
        let mut cells = Vec::new();
        for shape in &SHAPES[FIRST[piece]..FIRST[piece + 1]] {
            for x in 0..=width - shape.width {
                let mut columns = [0; 16];
                for j in 0..shape.width {
                    columns[x + j] = shape.columns[j] as i32;
                }
                cells.extend(columns);
            }
        }
        cells
    })
}

/// One table of a set, the number of its first entry, and what else tells entries apart.
#[derive(Clone, Debug)]
enum LaneTable {
    Differences(outline::LaneDifferences),
    Tops(outline::LaneTops),
    Rectangles(outline::LaneRectangles),
    Heights(outline::LaneHeights),
    Stretches(outline::LaneStretches),
    Fits(outline::LaneFits),
    RowPatterns(rows::LaneRowPatterns),
    OpenRows(i32),
    MissingCells(rows::LaneMissing),
    Covers(rows::LaneCovers),
    Cross(i32, [LaneMeasure; 2]),
}

impl LanePlan {
    /// A plan for these tables, if each has a twin here.
    pub(super) fn new(set: &TableSet) -> Option<LanePlan> {
        let size = set.size();
        let mut tables = Vec::new();
        for (spec, entries) in set.iter() {
            let kind = TABLES.iter().find(|kind| kind.id == spec.name)?;
            let settings = kind.read(spec).ok()?;
            let first = entries.start as i32;
            let measure = |id: &str| LaneMeasure::new(settings.word(id), size);
            tables.push(match kind.id {
                "differences" => {
                    LaneTable::Differences(outline::LaneDifferences::new(first, &settings, size))
                }
                "tops" => LaneTable::Tops(outline::LaneTops::new(first, &settings)),
                "rectangles" => {
                    LaneTable::Rectangles(outline::LaneRectangles::new(first, &settings, size))
                }
                "heights" => LaneTable::Heights(outline::LaneHeights::new(first, &settings, size)),
                "stretches" => {
                    LaneTable::Stretches(outline::LaneStretches::new(first, &settings, size))
                }
                "fits" => LaneTable::Fits(outline::LaneFits {
                    first,
                    with: measure("with"),
                }),
                "row-patterns" => {
                    LaneTable::RowPatterns(rows::LaneRowPatterns::new(first, &settings))
                }
                "rows" if settings.word("by") == "open" => LaneTable::OpenRows(first),
                "rows" => LaneTable::MissingCells(rows::LaneMissing::new(first, size)),
                "covers" => LaneTable::Covers(rows::LaneCovers::new(first, &settings)),
                "cross" => LaneTable::Cross(first, [measure("first"), measure("second")]),
                _ => return None,
            });
        }
        let mut measured = [false; BoardMeasure::COUNT];
        let mut needs_rows = false;
        for table in &tables {
            match table {
                LaneTable::Cross(_, both) => {
                    both.iter().for_each(|one| measured[one.number()] = true);
                }
                LaneTable::Fits(fits) => measured[fits.with.number()] = true,
                LaneTable::RowPatterns(_)
                | LaneTable::OpenRows(_)
                | LaneTable::MissingCells(_)
                | LaneTable::Covers(_) => needs_rows = true,
                _ => {}
            }
        }
        // Rows are told apart by two numbers to the base 3 in one word.
        if needs_rows && size.width > rows::MOST_WIDTH {
            return None;
        }
        let any = |of: fn(&LaneTable) -> bool| tables.iter().any(of);
        Some(LanePlan {
            needs_fits: any(|table| matches!(table, LaneTable::Fits(_))),
            needs_covers: any(|table| matches!(table, LaneTable::Covers(_))),
            fit_places: outline::FitPlaces::new(),
            places: places(size.width),
            tables,
            measured,
            needs_rows,
            row_digits: rows::RowDigits::new(size.width.min(rows::MOST_WIDTH)),
            nothing: set.entries() as i32,
            width: size.width,
        })
    }

    /// One more than the last entry: what a board shows that shows nothing.
    pub(super) fn nothing(&self) -> i32 {
        self.nothing
    }

    /// How many columns a board must have.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Room for looks at boards.
    #[inline(always)]
    pub(super) fn measurements<L: Lanes>(&self) -> LaneMeasurements<L> {
        LaneMeasurements::new(self.nothing)
    }

    /// The cells of every placement of a piece, 16 columns each.
    #[inline(always)]
    pub(super) fn places(&self, piece: usize) -> &[i32] {
        &self.places[piece]
    }

    /// The weights of the entries that eight boards of these heights show, added up; the last weight is that of nothing, and 0.
    #[inline(always)]
    pub(super) fn sum<L: Lanes>(
        &self,
        own: &PerColumn<L>,
        heights: L,
        weights: &[i32],
        measurements: &mut LaneMeasurements<L>,
    ) -> L {
        let mut sum = WeightSum {
            weights,
            sum: L::splat(0),
        };
        self.find(own, heights, &mut sum, measurements);
        sum.sum
    }

    /// Tells which entries eight boards of these heights show. Boards of ten columns have code of their own, in which the loops over
    /// columns are unrolled.
    #[inline(always)]
    pub(super) fn find<L: Lanes>(
        &self,
        own: &PerColumn<L>,
        heights: L,
        sink: &mut impl EntrySink<L>,
        measurements: &mut LaneMeasurements<L>,
    ) {
        match self.width {
            10 => self.find_in(10, own, heights, sink, measurements),
            width => self.find_in(width, own, heights, sink, measurements),
        }
    }

    #[inline(always)]
    fn find_in<L: Lanes>(
        &self,
        width: usize,
        own: &PerColumn<L>,
        heights: L,
        sink: &mut impl EntrySink<L>,
        measurements: &mut LaneMeasurements<L>,
    ) {
        measurements.look(width, own, heights);
        if self.needs_rows {
            measurements.turn(width, &self.row_digits);
        }
        if self.needs_fits {
            self.fit_places.count(width, measurements);
        }
        if self.needs_covers {
            rows::measure_covers(width, measurements);
        }
        let measurements = &LaneView {
            width,
            measurements,
        };
        let measures = measures::measure(measurements, &self.measured);
        for table in &self.tables {
            match table {
                LaneTable::Differences(table) => table.find(measurements, sink),
                LaneTable::Tops(table) => table.find(measurements, sink),
                LaneTable::Rectangles(table) => table.find(measurements, sink),
                LaneTable::Heights(table) => table.find(measurements, sink),
                LaneTable::Stretches(table) => table.find(measurements, sink),
                LaneTable::Fits(table) => table.find(measurements, &measures, sink),
                LaneTable::RowPatterns(table) => table.find(measurements, sink),
                LaneTable::OpenRows(first) => {
                    rows::find_open(*first, measurements, &self.row_digits, sink);
                }
                LaneTable::MissingCells(table) => table.find(measurements, sink),
                LaneTable::Covers(table) => table.find(measurements, sink),
                LaneTable::Cross(first, [one, other]) => {
                    let value = one.of(&measures).mul(L::splat(other.values()));
                    sink.take(value.add(other.of(&measures)).add(L::splat(*first)));
                }
            }
        }
    }
}
