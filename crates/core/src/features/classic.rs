//! The eight features of the classic players in one pass.
//!
//! The players of Dellacherie, Thiery and Scherrer, and Boumaza use these features. Each is defined
//! in its own file. Here they are computed together and incrementally, from the changes that a
//! falling piece makes, which is many times faster: the piece locks *above* the top of every column
//! that it touches, so for example its gaps become holes.
//!
//! All placements of one shape are computed together, in plain loops over lanes (one for each
//! column in which the shape can drop) that the compiler turns into vector instructions. They use
//! only the heights of the columns, so the result is wrong if there are holes at the height of the
//! piece; these placements are recomputed from the columns themselves. If rows are removed, the
//! resulting board is measured as a whole.

use super::column_transitions::FloorFilled;
use super::hole_depth::Contiguous;
use super::local::{At, Column, ColumnTerm, GapTerm, RowUnion};
use super::row_transitions::WithWalls;
use super::rows_with_holes::RowsWithHoles;
use super::wells::WellSums;
use crate::board::column_height;
use crate::moves::{COLUMNS, Group, Padded, PerColumn, WINDOW_MARGIN, for_each_lane, lane_if};
use crate::outcomes::{MAX_OUTCOMES, Outcomes};
use crate::piece::{SHAPES, Shape};
use crate::placement::{Landing, Surface};

/// The features that are computed together, in the order of [`Counts`].
pub(super) const CLASSIC: [&str; 8] = [
    "landing_height",
    "eroded_piece_cells",
    "row_transitions",
    "column_transitions",
    "holes",
    "well_sums",
    "hole_depth",
    "rows_with_holes",
];

/// The factors that turn counts into feature values: the middle of a piece can be between two rows.
pub(super) const UNITS: [f64; 8] = [0.5, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];

const LANDING_HEIGHT: usize = 0;
pub(super) const ERODED: usize = 1;
const ROW_TRANSITIONS: usize = 2;
const COLUMN_TRANSITIONS: usize = 3;
const HOLES: usize = 4;
const WELLS: usize = 5;
const HOLE_DEPTH: usize = 6;
const HOLE_ROWS: usize = 7;

/// The eight features in integers (see [`UNITS`]), placement by placement.
pub(super) type Counts = [[i16; MAX_OUTCOMES]; 8];

/// Computes the eight features of all placements.
pub(super) fn fill(outcomes: &Outcomes, counts: &mut Counts) {
    let before = Before::new(outcomes);
    let fills = FILLS[outcomes.drops().piece() as usize];
    let groups = outcomes.drops().straight_groups();
    for (group, fill_shape) in groups.iter().zip(fills) {
        let marked = fill_shape(&before, group, counts);
        for_each_lane(marked, group.count, |x| {
            fill_from_columns(outcomes, group, x, &before, counts);
        });
    }
    for row in counts.iter_mut() {
        outcomes.by_placement(row);
    }
    for index in outcomes.tucked() {
        let landing = outcomes.landing(index);
        let height = 2 * usize::from(landing.y) + landing.shape.height - 1;
        counts[LANDING_HEIGHT][index] = height as i16;
        counts[ERODED][index] = 0;
    }
    for index in outcomes.clearing() {
        counts[ERODED][index] = eroded(&outcomes.landing(index));
    }
    // A piece below an overhang is measured as a whole too.
    for index in outcomes.removing().chain(outcomes.tucked()) {
        let after = Sums::of(outcomes.after(index), |_, _| {});
        for (row, count) in after.counts() {
            counts[row][index] = count;
        }
    }
}

/// The five sums over columns of one board, and its rows with holes.
struct Sums {
    row_transitions: i32,
    column_transitions: i32,
    holes: i32,
    wells: i32,
    hole_depth: i32,
    hole_rows: u64,
}

impl Sums {
    /// Adds up the columns; calls `each` with each column's index and number of holes.
    #[inline]
    fn of(surface: &Surface, mut each: impl FnMut(usize, u64)) -> Sums {
        let (width, height) = (surface.board.width(), surface.board.height());
        let (mut left, wall) = (Column::wall(), Column::wall());
        let mut sum = Sums {
            row_transitions: WithWalls::offset::<u64>(height),
            column_transitions: 0,
            holes: 0,
            wells: 0,
            hole_depth: 0,
            hole_rows: 0,
        };
        let columns = surface.board.columns();
        let mut own = Column::new(columns[0]);
        for (column, &top) in surface.heights().iter().enumerate() {
            // Each height is computed only once, not again for the neighbours.
            own.top = i32::from(top);
            let right = columns
                .get(column + 1)
                .map_or(wall, |&cells| Column { cells, top: 0 });
            let at = At {
                column,
                width,
                height,
            };
            sum.row_transitions += WithWalls::term(left, own);
            sum.column_transitions += FloorFilled::term(left, own, right, at);
            sum.hole_depth += Contiguous::term(left, own, right, at);
            sum.wells += WellSums::term(left, own, right, at);
            let holes = RowsWithHoles::rows(own);
            sum.holes += holes.count_ones() as i32;
            sum.hole_rows |= holes;
            each(column, holes);
            (left, own) = (own, right);
        }
        sum.row_transitions += WithWalls::term(left, wall);
        sum
    }

    fn counts(&self) -> [(usize, i16); 6] {
        [
            (ROW_TRANSITIONS, self.row_transitions as i16),
            (COLUMN_TRANSITIONS, self.column_transitions as i16),
            (HOLES, self.holes as i16),
            (WELLS, self.wells as i16),
            (HOLE_DEPTH, self.hole_depth as i16),
            (HOLE_ROWS, self.hole_rows.count_ones() as i16),
        ]
    }
}

/// The board before the placement.
struct Before {
    counts: [i16; 8],
    hole_rows: u64,
    /// Height of the highest hole; 0 without holes.
    highest_hole: i16,
    /// The heights of the columns, from two columns left of each lane on, and of their highest
    /// holes.
    tops: [PerColumn; 8],
    hole_tops: [PerColumn; 8],
}

/// One copy for each distance from a lane. With a single list in a loop over lanes, the compiler
/// would carry values from lane to lane and not vectorise.
fn by_distance(padded: &Padded<i16>) -> [PerColumn; 8] {
    let mut lanes = [[0; COLUMNS]; 8];
    for (distance, lanes) in lanes.iter_mut().enumerate() {
        lanes.copy_from_slice(&padded[distance..distance + COLUMNS]);
    }
    lanes
}

impl Before {
    fn new(outcomes: &Outcomes) -> Before {
        let mut hole_tops = [0; COLUMNS + 8];
        let sum = Sums::of(&outcomes.drops().before, |column, holes| {
            hole_tops[column + WINDOW_MARGIN] = column_height(holes) as i16;
        });
        let mut counts = [0; 8];
        for (row, count) in sum.counts() {
            counts[row] = count;
        }
        Before {
            counts,
            hole_rows: sum.hole_rows,
            highest_hole: column_height(sum.hole_rows) as i16,
            tops: by_distance(&outcomes.drops().tops),
            hole_tops: by_distance(&hole_tops),
        }
    }
}

/// Fills in the counts of all placements of a shape; returns the lanes that must be recomputed from
/// the columns.
type FillShape = fn(&Before, &Group, &mut Counts) -> u16;

/// One function for each shape of each piece: because the shape is a constant, the compiler removes
/// everything that does not apply.
const FILLS: [&[FillShape]; 7] = [
    &[fill_shape::<0, 0>, fill_shape::<0, 1>],
    &[fill_shape::<1, 0>],
    &[
        fill_shape::<2, 0>,
        fill_shape::<2, 1>,
        fill_shape::<2, 2>,
        fill_shape::<2, 3>,
    ],
    &[fill_shape::<3, 0>, fill_shape::<3, 1>],
    &[fill_shape::<4, 0>, fill_shape::<4, 1>],
    &[
        fill_shape::<5, 0>,
        fill_shape::<5, 1>,
        fill_shape::<5, 2>,
        fill_shape::<5, 3>,
    ],
    &[
        fill_shape::<6, 0>,
        fill_shape::<6, 1>,
        fill_shape::<6, 2>,
        fill_shape::<6, 3>,
    ],
];

/// Repeats a block for the numbers 0 to 3. A nested loop would prevent the compiler from
/// vectorising the loop over lanes.
macro_rules! repeated {
    ($number:ident, $block:block) => {
        repeated!($number, $block, 0 1 2 3)
    };
    ($number:ident, $block:block, $($value:literal)*) => {
        $( { let $number = $value; $block } )*
    };
}

#[expect(clippy::needless_range_loop, reason = "x is a lane in all lists")]
fn fill_shape<const PIECE: usize, const SHAPE: usize>(
    before: &Before,
    group: &Group,
    counts: &mut Counts,
) -> u16 {
    let shape = const { SHAPES[PIECE][SHAPE] };
    let (base, lanes) = (&before.counts, group.lanes());
    let mut rows = [[0; COLUMNS]; 8];
    let mut marked = 0;
    for x in 0..lanes {
        let y = group.y[x];
        let around = Around::new(&shape, before, x, y);
        let covered = covered(&shape, &around);
        rows[LANDING_HEIGHT][x] = 2 * y + shape.height as i16 - 1;
        rows[ERODED][x] = 0; // a piece loses cells only where it completes rows
        rows[ROW_TRANSITIONS][x] = base[ROW_TRANSITIONS] + row_transitions(&shape, &around);
        rows[COLUMN_TRANSITIONS][x] = base[COLUMN_TRANSITIONS] + 2 * covered.gaps;
        rows[HOLES][x] = base[HOLES] + covered.holes;
        rows[WELLS][x] = base[WELLS] + wells(&shape, &around);
        rows[HOLE_DEPTH][x] = base[HOLE_DEPTH] + covered.depth;
        rows[HOLE_ROWS][x] = base[HOLE_ROWS] + (covered.to - covered.from).max(0);
        let holes_beside = around.highest_hole > y;
        let holes_in_same_rows = y + covered.from < before.highest_hole;
        marked |= lane_if(holes_beside | holes_in_same_rows, x);
    }
    for (row, own) in counts.iter_mut().zip(&rows) {
        // All lanes are copied: the meaningless ones are overwritten by the next shape.
        row[group.start..group.start + COLUMNS].copy_from_slice(own);
    }
    marked
}

/// The heights of the columns from two left of a piece to two right of it, above the lowest row of
/// the piece. Column `j` of the piece is at `j + WINDOW_MARGIN`.
struct Around {
    tops: [i16; 8],
    /// Height of the highest hole in the piece's own columns; 0 without holes.
    own_holes: [i16; 4],
    /// Height of the highest hole around the piece.
    highest_hole: i16,
}

impl Around {
    #[inline(always)]
    fn new(shape: &Shape, before: &Before, x: usize, y: i16) -> Around {
        let mut around = Around {
            tops: [0; 8],
            own_holes: [0; 4],
            highest_hole: 0,
        };
        repeated!(k, {
            around.tops[k] = before.tops[k][x] - y;
            around.highest_hole = around.highest_hole.max(before.hole_tops[k][x]);
            if k < shape.width {
                around.tops[k + 4] = before.tops[k + 4][x] - y;
                around.highest_hole = around.highest_hole.max(before.hole_tops[k + 4][x]);
                around.own_holes[k] = before.hole_tops[k + WINDOW_MARGIN][x];
            }
        });
        around
    }

    /// Height of the column at this distance from the left end of the piece.
    #[inline(always)]
    fn top(&self, j: isize) -> i16 {
        self.tops[(j + WINDOW_MARGIN as isize) as usize]
    }

    /// Whether a column is filled in a row before the placement. The row is never above the piece
    /// itself, which the compiler cannot know.
    #[inline(always)]
    fn was_filled(&self, shape: &Shape, j: isize, row: i16) -> bool {
        let free = is_own(shape, j) && row >= i16::from(shape.bottoms[j as usize]);
        !free && self.top(j) > row
    }

    /// Whether the column is filled in a row with the piece in place.
    #[inline(always)]
    fn is_filled(&self, shape: &Shape, j: isize, row: i16) -> bool {
        has_cell(shape, j, row) || self.was_filled(shape, j, row)
    }
}

#[inline(always)]
fn is_own(shape: &Shape, j: isize) -> bool {
    j >= 0 && j < shape.width as isize
}

#[inline(always)]
fn has_cell(shape: &Shape, j: isize, row: i16) -> bool {
    is_own(shape, j) && shape.columns[j as usize] >> row & 1 == 1
}

#[inline(always)]
fn count_if(condition: bool, count: i16) -> i16 {
    if condition { count } else { 0 }
}

/// The gaps below a piece.
struct Covered {
    /// Number of columns with a gap below the piece, and number of cells in the gaps.
    gaps: i16,
    holes: i16,
    /// Number of the piece's cells above holes, old or new.
    depth: i16,
    /// The range of rows of the gaps, above the lowest row of the piece. It is contiguous, because
    /// the piece rests on at least one column.
    from: i16,
    to: i16,
}

#[inline(always)]
fn covered(shape: &Shape, around: &Around) -> Covered {
    const NONE: i16 = 64;
    let mut covered = Covered {
        gaps: 0,
        holes: 0,
        depth: 0,
        from: NONE,
        to: 0,
    };
    repeated!(j, {
        if j < shape.width {
            let (bottom, above) = (i16::from(shape.bottoms[j]), i16::from(shape.tops[j]));
            let top = around.tops[j + WINDOW_MARGIN];
            let has_gap = top < bottom;
            covered.gaps += count_if(has_gap, 1);
            covered.holes += bottom - top;
            covered.depth += count_if(has_gap | (around.own_holes[j] > 0), above - bottom);
            covered.from = covered.from.min(if has_gap { top } else { NONE });
            covered.to = covered.to.max(count_if(has_gap, bottom));
        }
    });
    covered
}

/// The change in row transitions: each row of the piece is a contiguous run of cells with two ends,
/// and each end adds or removes a transition.
#[inline(always)]
fn row_transitions(shape: &Shape, around: &Around) -> i16 {
    let mut sum = 2 * shape.height as i16;
    repeated!(row, {
        repeated!(j, {
            if has_cell(shape, j, row) && !has_cell(shape, j - 1, row) {
                sum -= count_if(around.was_filled(shape, j - 1, row), 2);
            }
            if has_cell(shape, j, row) && !has_cell(shape, j + 1, row) {
                sum -= count_if(around.was_filled(shape, j + 1, row), 2);
            }
        });
    });
    sum
}

/// The change in wells. They change only in the piece's own rows, in its own columns and in those
/// next to it, except for the cells above a vertical I.
#[inline(always)]
fn wells(shape: &Shape, around: &Around) -> i16 {
    let (width, height) = (shape.width as isize, shape.height as i16);
    let mut sum = 0;
    repeated!(row, {
        if has_cell(shape, 0, row) {
            sum += well_beside(shape, around, -1, -2, row);
        }
        if has_cell(shape, width - 1, row) {
            sum += well_beside(shape, around, width, width + 1, row);
        }
        repeated!(j, {
            if j < width && row < height {
                sum += own_well(shape, around, j, row);
            }
        });
    });
    if width == 1 {
        // Every well cell above the bar becomes less deep by the height of the bar.
        sum -= height * (around.top(-1).min(around.top(1)) - height).max(0);
    }
    sum
}

/// The change in wells caused by a cell of the piece in a neighbouring column, whose other
/// neighbour is the column `far`.
#[inline(always)]
fn well_beside(shape: &Shape, around: &Around, beside: isize, far: isize, row: i16) -> i16 {
    let depth = row + 1 - around.top(beside);
    let opens = around.was_filled(shape, far, row) & (depth > 0);
    count_if(opens, depth)
}

/// The change in the wells in a row of one of the piece's own columns.
#[inline(always)]
fn own_well(shape: &Shape, around: &Around, j: isize, row: i16) -> i16 {
    let above = i16::from(shape.tops[j as usize]);
    let old_depth = row + 1 - around.top(j);
    let is_empty = !around.was_filled(shape, j, row);
    let was_well =
        is_empty & around.was_filled(shape, j - 1, row) & around.was_filled(shape, j + 1, row);
    let is_well = is_empty
        & !has_cell(shape, j, row)
        & around.is_filled(shape, j - 1, row)
        & around.is_filled(shape, j + 1, row);
    let new_depth = if row >= above {
        row + 1 - above
    } else {
        old_depth
    };
    count_if(is_well, new_depth) - count_if(was_well, old_depth)
}

/// Computes the counts of a placement for which the heights of the columns are not sufficient.
fn fill_from_columns(
    outcomes: &Outcomes,
    group: &Group,
    x: usize,
    before: &Before,
    counts: &mut Counts,
) {
    let (index, width) = (group.start + x, group.shape.width);
    let (old, new) = (
        &outcomes.drops().padded[x..x + 8],
        group.window(&outcomes.drops().padded, x),
    );
    let mut row_transitions = 0;
    for k in WINDOW_MARGIN..=WINDOW_MARGIN + width {
        row_transitions += WithWalls::term(Column::new(new[k - 1]), Column::new(new[k]));
        row_transitions -= WithWalls::term(Column::new(old[k - 1]), Column::new(old[k]));
    }
    let mut wells = 0;
    for k in WINDOW_MARGIN - 1..=WINDOW_MARGIN + width {
        wells += wells_at(&new, k) - wells_at(old, k);
    }
    let mut hole_rows = before.hole_rows;
    for &own in &new[WINDOW_MARGIN..WINDOW_MARGIN + width] {
        hole_rows |= RowsWithHoles::rows(Column::new(own));
    }
    counts[ROW_TRANSITIONS][index] = before.counts[ROW_TRANSITIONS] + row_transitions as i16;
    counts[WELLS][index] = before.counts[WELLS] + wells as i16;
    counts[HOLE_ROWS][index] = hole_rows.count_ones() as i16;
}

/// The wells in the column at index `k` of a window. A wall has none.
fn wells_at(window: &[u64], k: usize) -> i32 {
    let [left, own, right] = [window[k - 1], window[k], window[k + 1]].map(Column::new);
    let at = At {
        column: k,
        width: window.len(),
        height: 0,
    };
    WellSums::term(left, own, right, at)
}

fn eroded(landing: &Landing) -> i16 {
    (landing.lines() * landing.cleared_piece_cells()) as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, HEIGHTS, WIDTHS};
    use crate::ends::{ENDS, End};
    use crate::features::{FeatureMatrix, FeatureSet, feature};
    use crate::outcomes::{DecisionContext, Scored};
    use crate::piece::{PIECES, Piece};
    use crate::rules::Rules;
    use proptest::prelude::*;

    /// Boards of every size, from empty to completely filled, from solid to full of holes.
    fn boards() -> impl Strategy<Value = Board> {
        let size = (WIDTHS, HEIGHTS).prop_flat_map(|(width, height)| {
            let columns = proptest::collection::vec((0..=height, any::<u64>()), width);
            (Just((width, height)), columns, 0..=height, 0..4usize)
        });
        size.prop_map(|((width, height), columns, stack, sparse)| {
            let mut board = Board::new(width, height).unwrap();
            for (column, (top, mut cells)) in columns.into_iter().enumerate() {
                // Half, three quarters, seven eighths or all of the cells are filled.
                for shift in [17, 31].into_iter().take(sparse) {
                    cells |= cells.rotate_right(shift);
                }
                let all = if sparse == 3 { u64::MAX } else { cells };
                for row in 0..top.min(stack) {
                    if all >> row & 1 != 0 || row + 1 == top {
                        board.fill(row, column);
                    }
                }
            }
            board
        })
    }

    fn check(board: &Board, piece: Piece, end: End, scored: Scored) {
        let features = CLASSIC.map(|id| feature(id).unwrap()).to_vec();
        let set = FeatureSet::new(features, board.width());
        let decision = DecisionContext {
            board,
            piece,
            rules: Rules::Drops(end),
            next: Some(Piece::I),
            scored,
            lines_before: 0,
        };
        let (mut outcomes, mut matrix) = (Outcomes::default(), FeatureMatrix::default());
        outcomes.generate(&decision);
        set.fill(&mut outcomes, &mut matrix);
        for index in 0..outcomes.len() {
            let values: Vec<f64> = matrix.rows().map(|row| row[index]).collect();
            let transition = outcomes.transition(index);
            assert_eq!(values, set.values(&transition), "{transition:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn the_features_together_are_the_features_by_themselves(
            board in boards(),
            piece in proptest::sample::select(&PIECES[..]),
            end in proptest::sample::select(ENDS.iter().map(End).collect::<Vec<_>>()),
            before_removal in any::<bool>(),
        ) {
            let scored = if before_removal { Scored::BeforeRemoval } else { Scored::AfterRemoval };
            check(&board, piece, end, scored);
        }

        /// Almost complete rows, as players leave them: most placements complete some.
        #[test]
        fn where_rows_are_removed_too(
            mut board in boards(),
            well in 0..4usize,
            piece in proptest::sample::select(&PIECES[..]),
        ) {
            for column in (0..board.width()).filter(|&column| column != well) {
                for row in 0..board.height() / 2 {
                    board.fill(row, column);
                }
            }
            check(&board, piece, End::ABOVE_TOP, Scored::AfterRemoval);
            check(&board, piece, End::TOP_ROW, Scored::BeforeRemoval);
        }
    }
}
