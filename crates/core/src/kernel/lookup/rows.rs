//! Tables of rows and of what covers holes.

use super::EntrySink;
use super::lane_measurements::{LaneMeasurements, LaneView, in_row};
use crate::lookup::{BoardSize, COVERS, FARTHEST};
use crate::settings::Settings;
use crate::simd::Lanes;

/// The widest board whose rows, to the base 3, are below 2^16.
pub(super) const MOST_WIDTH: usize = 10;

/// Rows of cells as numbers.
#[derive(Clone, Debug)]
pub(super) struct RowDigits {
    /// A mask of cells as a number whose digits to the base 3 are 0 and 1, in the lower half; its mirror image in the upper.
    pub(super) of_cells: Vec<i32>,
    /// The smaller of a mask and its mirror image.
    smaller: Vec<i32>,
    width: usize,
}

impl RowDigits {
    pub(super) fn new(width: usize) -> RowDigits {
        let digits = |mask: u32| -> u32 {
            let set = (0..width as u32).filter(|bit| mask >> bit & 1 == 1);
            set.map(|bit| 3u32.pow(bit)).sum()
        };
        let mirrored = |mask: u32| mask.reverse_bits() >> (32 - width);
        let masks = 0..1u32 << width;
        let of_cells = masks.clone().map(|m| digits(m) | digits(mirrored(m)) << 16);
        RowDigits {
            of_cells: of_cells.map(|both| both as i32).collect(),
            smaller: masks.map(|m| m.min(mirrored(m)) as i32).collect(),
            width,
        }
    }
}

/// Twin of `row-patterns`.
#[derive(Clone, Debug)]
pub(super) struct LaneRowPatterns {
    first: i32,
    /// How far below the highest hole the row lies; none for all rows.
    below: Option<i32>,
}

impl LaneRowPatterns {
    pub(super) fn new(first: i32, settings: &Settings) -> LaneRowPatterns {
        let below = match settings.word("of") {
            "all" => None,
            "highest-hole" => Some(0),
            _ => Some(1),
        };
        LaneRowPatterns { first, below }
    }

    #[inline(always)]
    pub(super) fn find<L: Lanes>(&self, board: &LaneView<'_, L>, sink: &mut impl EntrySink<L>) {
        let first = L::splat(self.first);
        if let Some(below) = self.below {
            let row = board.hole_top.sub(L::splat(1 + below));
            let has_none = L::splat(0).gt(row);
            let pattern = in_row(&board.patterns, row.max(L::splat(0)));
            sink.take(pattern.and_not(has_none).add(first));
            return;
        }
        for row in 0..board.most_rows {
            let entry = L::load_from(&board.patterns[row]).add(first);
            sink.take(board.has_row(row).pick(entry, board.nothing));
        }
    }
}

/// Twin of `rows(by=open)`.
#[inline(always)]
pub(super) fn find_open<L: Lanes>(
    first: i32,
    board: &LaneView<'_, L>,
    digits: &RowDigits,
    sink: &mut impl EntrySink<L>,
) {
    let farthest = L::splat(FARTHEST as i32);
    let without_hole = board.hole_top.eq(L::splat(0));
    for row in 0..board.most_rows {
        let number = L::splat(row as i32);
        let is_below = board.hole_top.gt(number);
        let shown = board.has_row(row).and_not(is_below);
        if shown.bits() == 0 {
            continue;
        }
        let distance = number.sub(board.hole_top).min(farthest.sub(L::splat(1)));
        let distance = without_hole.pick(farthest, distance);
        let cells = board.filled_rows[row].gather(&digits.smaller);
        let entry = distance.shl_by(L::splat(digits.width as i32)).or(cells);
        sink.take(shown.pick(entry.add(L::splat(first)), board.nothing));
    }
}

/// Twin of `rows(by=missing)`.
#[derive(Clone, Debug)]
pub(super) struct LaneMissing {
    first: i32,
    height: usize,
}

impl LaneMissing {
    pub(super) fn new(first: i32, size: BoardSize) -> LaneMissing {
        let height = size.height;
        LaneMissing { first, height }
    }

    #[inline(always)]
    pub(super) fn find<L: Lanes>(&self, board: &LaneView<'_, L>, sink: &mut impl EntrySink<L>) {
        let last = L::splat(self.height as i32 - 1);
        for row in 0..board.most_rows {
            let below_top = board.height.sub(L::splat(row as i32 + 1)).min(last);
            let entry = below_top.mul(L::splat(board.width as i32 + 1));
            let entry = entry.add(board.missing[row]).add(L::splat(self.first));
            sink.take(board.has_row(row).pick(entry, board.nothing));
        }
    }
}

/// What lies above the highest hole of each column.
#[inline(always)]
pub(super) fn measure_covers<L: Lanes>(width: usize, board: &mut LaneMeasurements<L>) {
    let one = L::splat(1);
    for c in 0..width {
        let covered = board.covered[c];
        if covered.eq(L::splat(0)).bits() == 0xFF {
            continue;
        }
        // One more than the row of the hole: the first row of the cover.
        let from = covered.or(one).bit_length().sub(one);
        let top = board.heights[c + 1];
        let depth = top.sub(from).min(L::splat(COVERS.deepest as i32));
        let missing = in_row(&board.missing_below, top)
            .sub(in_row(&board.missing_below, from))
            .min(L::splat(COVERS.missing as i32));
        let depths = depth.sub(one).mul(L::splat(COVERS.missing as i32 + 1));
        board.cover_tops[c] = from;
        board.covers[c] = depths.add(missing);
    }
}

/// Twin of `covers`.
#[derive(Clone, Debug)]
pub(super) struct LaneCovers {
    first: i32,
    with_sides: bool,
}

impl LaneCovers {
    pub(super) fn new(first: i32, settings: &Settings) -> LaneCovers {
        LaneCovers {
            first,
            with_sides: settings.word("with") == "sides",
        }
    }

    #[inline(always)]
    pub(super) fn find<L: Lanes>(&self, board: &LaneView<'_, L>, sink: &mut impl EntrySink<L>) {
        for c in 0..board.width {
            let has_none = board.covered[c].eq(L::splat(0));
            if has_none.bits() == 0xFF {
                continue;
            }
            let entry = board.covers[c];
            let entry = if self.with_sides {
                self.add_sides(entry, board, c)
            } else {
                self.add_others(entry, board, board.cover_tops[c], board.heights[c + 1])
            };
            sink.take(has_none.pick(board.nothing, entry.add(L::splat(self.first))));
        }
    }

    /// Other columns that are covered in the rows of the cover.
    #[inline(always)]
    fn add_others<L: Lanes>(&self, entry: L, board: &LaneView<'_, L>, from: L, top: L) -> L {
        let bits = |rows: L| L::splat(2).shl_by(rows).sub(L::splat(1));
        let rows = bits(top).and_not(bits(from));
        let mut free = L::splat(0);
        for c in 0..board.width {
            free = free.add(board.covered[c].and(rows).eq(L::splat(0)));
        }
        let others = L::splat(board.width as i32).add(free);
        let most = COVERS.others as i32;
        entry
            .mul(L::splat(most + 1))
            .add(others.min(L::splat(most)))
    }

    /// The differences in height to both sides, the smaller first.
    #[inline(always)]
    fn add_sides<L: Lanes>(&self, entry: L, board: &LaneView<'_, L>, c: usize) -> L {
        let most = COVERS.difference;
        let own = board.heights[c + 1];
        let side = |height: L| {
            let difference = height.sub(own);
            difference
                .max(L::splat(-most))
                .min(L::splat(most))
                .add(L::splat(most))
        };
        let (left, right) = (side(board.heights[c]), side(board.heights[c + 2]));
        let size = L::splat(2 * most + 1);
        entry
            .mul(size)
            .add(left.min(right))
            .mul(size)
            .add(left.max(right))
    }
}
