//! Tables of heights, and of cells in their columns.

use super::EntrySink;
use super::lane_measurements::{COLUMNS, LaneMeasurements, LaneView};
use super::measures::{LaneMeasure, Measures};
use crate::lookup::{BoardSize, fit_counts};
use crate::settings::Settings;
use crate::simd::{Lanes, Words};

/// A difference as one of `2 * most + 1` numbers.
#[inline(always)]
fn clipped<L: Lanes>(difference: L, most: i32) -> L {
    let (low, high) = (L::splat(-most), L::splat(most));
    difference.max(low).min(high).add(high)
}

/// Twin of `differences`.
#[derive(Clone, Debug)]
pub(super) struct LaneDifferences {
    first: i32,
    gaps: usize,
    most: i32,
    by_place: bool,
    patterns: i32,
}

impl LaneDifferences {
    pub(super) fn new(first: i32, settings: &Settings, size: BoardSize) -> LaneDifferences {
        let columns = settings.count_or("columns", size.width);
        let (gaps, most) = (columns - 1, settings.count("most") as i32);
        LaneDifferences {
            first,
            gaps,
            most,
            by_place: settings.word("shared") == "place",
            patterns: (2 * most + 1).pow(gaps as u32),
        }
    }

    /// Those of few columns have code of their own, in which the loops over them are unrolled.
    #[inline(always)]
    pub(super) fn find<L: Lanes>(&self, board: &LaneView<'_, L>, sink: &mut impl EntrySink<L>) {
        match self.gaps {
            2 => self.find_over(2, board, sink),
            3 => self.find_over(3, board, sink),
            4 => self.find_over(4, board, sink),
            5 => self.find_over(5, board, sink),
            6 => self.find_over(6, board, sink),
            9 => self.find_over(9, board, sink),
            gaps => self.find_over(gaps, board, sink),
        }
    }

    #[inline(always)]
    fn find_over<L: Lanes>(
        &self,
        gaps: usize,
        board: &LaneView<'_, L>,
        sink: &mut impl EntrySink<L>,
    ) {
        let mut steps = [L::splat(0); COLUMNS];
        for gap in 0..board.width - 1 {
            steps[gap] = clipped(board.rises[gap], self.most);
        }
        let places = board.width - gaps;
        for place in 0..places {
            let partner = places - 1 - place;
            let steps = &steps[place..place + gaps];
            let (table, pattern) = match (self.by_place, place.cmp(&partner)) {
                (true, std::cmp::Ordering::Less) => (place, self.pattern(steps)),
                (true, std::cmp::Ordering::Greater) => (partner, self.mirrored(steps)),
                (by_place, _) => {
                    let pattern = self.pattern(steps).min(self.mirrored(steps));
                    (if by_place { place } else { 0 }, pattern)
                }
            };
            let first = self.first + table as i32 * self.patterns;
            sink.take(pattern.add(L::splat(first)));
        }
    }

    #[inline(always)]
    fn pattern<L: Lanes>(&self, steps: &[L]) -> L {
        let base = L::splat(2 * self.most + 1);
        let mut pattern = L::splat(0);
        for &step in steps {
            pattern = pattern.mul(base).add(step);
        }
        pattern
    }

    #[inline(always)]
    fn mirrored<L: Lanes>(&self, steps: &[L]) -> L {
        let (base, all) = (L::splat(2 * self.most + 1), L::splat(2 * self.most));
        let mut pattern = L::splat(0);
        for &step in steps.iter().rev() {
            pattern = pattern.mul(base).add(all.sub(step));
        }
        pattern
    }
}

/// Twin of `tops`.
#[derive(Clone, Debug)]
pub(super) struct LaneTops {
    first: i32,
    columns: usize,
    cells: i32,
    most: i32,
}

impl LaneTops {
    pub(super) fn new(first: i32, settings: &Settings) -> LaneTops {
        LaneTops {
            first,
            columns: settings.count("columns"),
            cells: settings.count("cells") as i32,
            most: settings.count("most") as i32,
        }
    }

    /// Those of few columns have code of their own, as for `differences`.
    #[inline(always)]
    pub(super) fn find<L: Lanes>(&self, board: &LaneView<'_, L>, sink: &mut impl EntrySink<L>) {
        match self.columns {
            1 => self.find_over(1, board, sink),
            2 => self.find_over(2, board, sink),
            3 => self.find_over(3, board, sink),
            4 => self.find_over(4, board, sink),
            columns => self.find_over(columns, board, sink),
        }
    }

    #[inline(always)]
    fn find_over<L: Lanes>(
        &self,
        columns: usize,
        board: &LaneView<'_, L>,
        sink: &mut impl EntrySink<L>,
    ) {
        let mut below = [L::splat(0); COLUMNS];
        for c in 0..board.width {
            below[c] = self.below_top(board.cells[c], board.heights[c + 1]);
        }
        let first = L::splat(self.first);
        let (base, all) = (L::splat(2 * self.most + 1), L::splat(2 * self.most));
        let cells = L::splat(self.cells);
        for place in 0..=board.width - columns {
            let (mut pattern, mut mirrored) = (below[place], below[place + columns - 1]);
            if columns == 1 {
                let (left, own) = (board.heights[place], board.heights[place + 1]);
                let right = board.heights[place + 2];
                let left = clipped(left.sub(own), self.most);
                let right = clipped(right.sub(own), self.most);
                pattern = pattern.mul(base).add(left).mul(base).add(right);
                mirrored = mirrored.mul(base).add(right).mul(base).add(left);
            }
            for k in 1..columns {
                pattern = pattern.shl_by(cells).or(below[place + k]);
                mirrored = mirrored.shl_by(cells).or(below[place + columns - 1 - k]);
            }
            for k in 1..columns {
                let step = clipped(board.rises[place + k - 1], self.most);
                pattern = pattern.mul(base).add(step);
                let step = clipped(board.rises[place + columns - 1 - k], self.most);
                mirrored = mirrored.mul(base).add(all.sub(step));
            }
            sink.take(pattern.min(mirrored).add(first));
        }
    }

    /// The cells below the one at the top of a column; below the floor all are filled.
    #[inline(always)]
    fn below_top<L: Lanes>(&self, column: L, height: L) -> L {
        let one = L::splat(1);
        let up = L::splat(self.cells).sub(height);
        // One of the two shifts is by less than 0 and gives nothing, unless both are by 0.
        let moved = column.shl_by(up).or(column.shr_by(L::splat(0).sub(up)));
        let floor = one.shl_by(up.max(L::splat(0))).sub(one);
        moved.or(floor).and(L::splat((1 << self.cells) - 1))
    }
}

/// Twin of `rectangles`.
#[derive(Clone, Debug)]
pub(super) struct LaneRectangles {
    first: i32,
    wide: usize,
    high: usize,
    shared: SharedBy,
    across: usize,
    up: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SharedBy {
    Place,
    Row,
    Board,
}

impl LaneRectangles {
    pub(super) fn new(first: i32, settings: &Settings, size: BoardSize) -> LaneRectangles {
        let (wide, high) = (settings.count("wide"), settings.count("high"));
        LaneRectangles {
            first,
            wide,
            high,
            shared: match settings.word("shared") {
                "place" => SharedBy::Place,
                "row" => SharedBy::Row,
                _ => SharedBy::Board,
            },
            across: size.width + 1 - wide,
            up: size.height + 1 - high,
        }
    }

    #[inline(always)]
    pub(super) fn find<L: Lanes>(&self, board: &LaneView<'_, L>, sink: &mut impl EntrySink<L>) {
        let (high, cells) = (L::splat(self.high as i32), L::splat((1 << self.high) - 1));
        for y in 0..self.up {
            let by = L::splat(y as i32 + 1);
            let mut parts = [L::splat(0); COLUMNS];
            for c in 0..board.width {
                parts[c] = board.cells[c].shr_by(by).and(cells);
            }
            for x in 0..self.across {
                let (mut pattern, mut mirrored) = (L::splat(0), L::splat(0));
                for j in 0..self.wide {
                    pattern = pattern.shl_by(high).or(parts[x + j]);
                    mirrored = mirrored.shl_by(high).or(parts[x + self.wide - 1 - j]);
                }
                let partner = self.across - 1 - x;
                let row = y * self.across.div_ceil(2);
                let (table, pattern) = match self.shared {
                    SharedBy::Place if x == partner => (row + x, pattern.min(mirrored)),
                    SharedBy::Place if x > partner => (row + partner, mirrored),
                    SharedBy::Place => (row + x, pattern),
                    SharedBy::Row => (y, pattern),
                    SharedBy::Board => (0, pattern),
                };
                let first = self.first + ((table as i32) << (self.wide * self.high));
                sink.take(pattern.add(L::splat(first)));
            }
        }
    }
}

/// Twin of `heights`.
#[derive(Clone, Debug)]
pub(super) struct LaneHeights {
    first: i32,
    with_well: bool,
    height: i32,
}

impl LaneHeights {
    pub(super) fn new(first: i32, settings: &Settings, size: BoardSize) -> LaneHeights {
        LaneHeights {
            first,
            with_well: settings.word("with") == "well",
            height: size.height as i32,
        }
    }

    #[inline(always)]
    pub(super) fn find<L: Lanes>(&self, board: &LaneView<'_, L>, sink: &mut impl EntrySink<L>) {
        let (most, rows) = (L::splat(self.height), L::splat(self.height + 1));
        let above = board.height.sub(board.highest).min(most);
        for c in 0..board.width {
            let entry = if self.with_well {
                let entry = board.wells[c].min(most).mul(rows).add(above);
                entry.add(L::splat(self.first))
            } else {
                let place = c.min(board.width - 1 - c) as i32;
                let left = board.height.sub(board.heights[c + 1]).min(most);
                left.add(L::splat(self.first + place * (self.height + 1)))
            };
            sink.take(entry);
        }
    }
}

/// Twin of `stretches`.
#[derive(Clone, Debug)]
pub(super) struct LaneStretches {
    first: i32,
    columns: usize,
    height: i32,
}

impl LaneStretches {
    pub(super) fn new(first: i32, settings: &Settings, size: BoardSize) -> LaneStretches {
        LaneStretches {
            first,
            columns: settings.count("columns"),
            height: size.height as i32,
        }
    }

    /// Those of few columns have code of their own, as for `differences`.
    #[inline(always)]
    pub(super) fn find<L: Lanes>(&self, board: &LaneView<'_, L>, sink: &mut impl EntrySink<L>) {
        match self.columns {
            1 => self.find_over(1, board, sink),
            2 => self.find_over(2, board, sink),
            3 => self.find_over(3, board, sink),
            columns => self.find_over(columns, board, sink),
        }
    }

    #[inline(always)]
    fn find_over<L: Lanes>(
        &self,
        columns: usize,
        board: &LaneView<'_, L>,
        sink: &mut impl EntrySink<L>,
    ) {
        let (mut deepest, mut tallest) = (L::splat(0), L::splat(0));
        let places = board.width + 1 - columns;
        for place in 0..places {
            let own = &board.heights[place + 1..place + 1 + columns];
            let (mut highest, mut lowest) = (own[0], own[0]);
            for &height in &own[1..] {
                highest = highest.max(height);
                lowest = lowest.min(height);
            }
            let (left, right) = (board.heights[place], board.heights[place + 1 + columns]);
            deepest = deepest.max(left.min(right).sub(highest));
            // A tower may stand at a wall.
            let left = if place == 0 { L::splat(0) } else { left };
            let right = if place == places - 1 {
                L::splat(0)
            } else {
                right
            };
            tallest = tallest.max(lowest.sub(left.max(right)));
        }
        let (most, rows) = (L::splat(self.height), self.height + 1);
        let above = board.height.sub(board.highest).min(most);
        for (which, extreme) in [deepest, tallest].into_iter().enumerate() {
            let entry = extreme.min(most).mul(L::splat(rows)).add(above);
            sink.take(entry.add(L::splat(self.first + which as i32 * rows * rows)));
        }
    }
}

/// Twin of `fits`.
#[derive(Clone, Debug)]
pub(super) struct LaneFits {
    pub(super) first: i32,
    pub(super) with: LaneMeasure,
}

impl LaneFits {
    #[inline(always)]
    pub(super) fn find<L: Lanes>(
        &self,
        board: &LaneView<'_, L>,
        measures: &Measures<L>,
        sink: &mut impl EntrySink<L>,
    ) {
        let entry = self.with.of(measures).mul(L::splat(729)).add(board.fits);
        sink.take(entry.add(L::splat(self.first)));
    }
}

/// How many places fit which pieces.
#[derive(Clone, Debug)]
pub(super) struct FitPlaces {
    /// Places for each piece, five bits each, for one rise ...
    of_rise: Words,
    /// ... and for two in a row, by `7 a + b`. Rises of 3 and more fit nothing, like the last of these numbers.
    of_rises: [i32; 49],
}

impl FitPlaces {
    pub(super) fn new() -> FitPlaces {
        let (of_rise, of_rises) = fit_counts();
        let mut fits = FitPlaces {
            of_rise: Words([0; 8]),
            of_rises: [0; 49],
        };
        for a in 0..5 {
            fits.of_rise.0[a + 1] = of_rise[a] as i32;
            for b in 0..5 {
                fits.of_rises[7 * (a + 1) + b + 1] = of_rises[a][b] as i32;
            }
        }
        fits
    }

    /// None, one or more places for each piece, as a number to the base 3.
    #[inline(always)]
    pub(super) fn count<L: Lanes>(&self, width: usize, board: &mut LaneMeasurements<L>) {
        let mut places = L::splat(0);
        // Nothing fits three rises down.
        let mut before = L::splat(0);
        for gap in 0..width - 1 {
            let rise = clipped(board.rises[gap], 3);
            places = places.add(rise.look_up(&self.of_rise));
            let both = before.shl::<3>().sub(before).add(rise);
            places = places.add(both.gather(&self.of_rises));
            before = rise;
        }
        let (mut counts, two) = (L::splat(0), L::splat(2));
        let mut rest = places;
        for _ in 0..6 {
            counts = counts.add(counts).add(counts);
            counts = counts.add(rest.and(L::splat(31)).min(two));
            rest = rest.shr::<5>();
        }
        board.fits = counts;
    }
}
