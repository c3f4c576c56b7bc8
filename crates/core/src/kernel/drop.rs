//! Incremental scores of all placements of a piece on eight boards.
//!
//! Everything is relative to the row `y` in which the box of the shape lands. Because bit 0 of
//! every column is the floor, `top` is the height + 1 and the landing is `y + 1`, so shifting a
//! column right by the landing moves row `y` to bit 0. Two kinds of placement are *unusual*, and
//! their boards are measured as a whole: those that complete a row, and those that close the side
//! of a hole (which creates a well inside the stack).

use super::ratings::{NO_SCORE, Ratings, Running};
use super::runs::steps_score;
use super::set::Set;
use super::shape::{ConstShape, FIRST, Ledge, SHAPES};
use super::surface::Part::{self, *};
use super::surface::{Cells, MARGIN, ON_TOP, OVER_GAP, RowMeasures, SurfaceMeasures, VIEW, View};
use super::tables::{LedgeTables, ShapeTables, Side, Tables};
use super::weights::Measure;
use crate::simd::{LANES, Lanes, Words, Work};

/// Rates all placements of one piece.
pub(super) struct DropTogether<'a, L, S, const PIECE: usize> {
    pub(super) boards: &'a [&'a Cells; LANES],
    /// The scores of the boards before the placement.
    pub(super) scores: Words,
    pub(super) tables: &'a Tables,
    pub(super) surface: &'a mut SurfaceMeasures<L>,
    pub(super) ratings: &'a mut Ratings<L>,
    /// Which measures are needed.
    pub(super) _set: S,
}

impl<L: Lanes, S: Set, const PIECE: usize> Work<L> for DropTogether<'_, L, S, PIECE> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let surface = self.surface;
        surface.measure::<S, PIECE>(self.boards, self.tables);
        let scores = L::load(&self.scores);
        let (tables, ratings) = (self.tables, self.ratings);
        let mut running = Running::new();
        macro_rules! shapes {
            ($($offset:literal)*) => {$(
                if const { FIRST[PIECE] + $offset < FIRST[PIECE + 1] } {
                    drop_everywhere::<L, S, PIECE, $offset>(
                        surface, scores, tables, ratings, &mut running,
                    );
                }
            )*};
        }
        shapes!(0 1 2 3);
        ratings.finish(&running);
    }
}

/// A shape of a piece; an arbitrary one if the piece has fewer.
pub(super) const fn shape_of(piece: usize, offset: usize) -> ConstShape {
    let number = FIRST[piece] + offset;
    SHAPES[if number < SHAPES.len() { number } else { 0 }]
}

/// Rates all placements of one shape, from left to right.
#[inline(always)]
fn drop_everywhere<L: Lanes, S: Set, const PIECE: usize, const OFFSET: usize>(
    surface: &SurfaceMeasures<L>,
    board_scores: L,
    tables: &Tables,
    ratings: &mut Ratings<L>,
    running: &mut Running<L>,
) {
    let shape = const { shape_of(PIECE, OFFSET) };
    let own = &tables.shapes[FIRST[PIECE] + OFFSET];
    let scale = ShapeScale::new::<S>(&surface.rows, shape, own, board_scores, tables);
    let views = surface.columns[MARGIN - 1..].windows(VIEW);
    for view in views.take(tables.width - shape.width + 1) {
        let Some(view) = view.first_chunk::<VIEW>() else {
            return;
        };
        let drop = Dropped::new(&surface.rows, shape, view, scale.well);
        let (score, settled) = drop.rate::<S>(&scale, own, tables);
        ratings.push(running, score, settled, drop.landing);
    }
}

/// The parameters for rating all placements of one shape.
pub(super) struct ShapeScale<L> {
    /// The score without the surroundings, for `y` = -1.
    base: L,
    slope: L,
    hole_row: L,
    pub(super) well: L,
    run: L,
    /// The highest landing that does not lose.
    highest: L,
}

impl<L: Lanes> ShapeScale<L> {
    #[inline(always)]
    pub(super) fn new<S: Set>(
        rows: &RowMeasures<L>,
        shape: ConstShape,
        own: &ShapeTables,
        board_scores: L,
        tables: &Tables,
    ) -> ShapeScale<L> {
        let mut base = board_scores.add(L::splat(own.constant));
        if S::DIVERSITY {
            base = base.sub(steps_score(rows.steps, tables));
        }
        let weight = |measure| L::splat(tables.weights.of(measure));
        ShapeScale {
            base,
            slope: L::splat(own.slope),
            hole_row: weight(Measure::HoleRows),
            well: weight(Measure::Wells),
            run: weight(Measure::FastWells),
            highest: L::splat((tables.height - shape.height + 1) as i32),
        }
    }
}

/// One shape dropped in one column of eight boards, or in eight columns of one board.
pub(super) struct Dropped<'a, L, V> {
    rows: &'a RowMeasures<L>,
    pub(super) shape: ConstShape,
    /// The columns, starting with the one left of the shape.
    pub(super) view: V,
    /// The landing row of the box plus one.
    pub(super) landing: L,
    /// The bit of the landing row.
    pub(super) landing_bit: L,
    /// The weight of wells ...
    well: L,
    /// ... and the same times the landing.
    well_landing: L,
}

impl<'a, L: Lanes, V: View<L>> Dropped<'a, L, V> {
    #[inline(always)]
    pub(super) fn new(
        rows: &'a RowMeasures<L>,
        shape: ConstShape,
        view: V,
        well: L,
    ) -> Dropped<'a, L, V> {
        let mut landing = view.get(1, Top).sub(L::splat(shape.low[0] as i32));
        for j in 1..shape.width {
            landing = landing.max(view.get(j + 1, Top).sub(L::splat(shape.low[j] as i32)));
        }
        Dropped {
            rows,
            shape,
            view,
            landing,
            landing_bit: L::splat(1).shl_by(landing),
            well,
            well_landing: landing.mul(well),
        }
    }

    /// The score, undefined where the placement loses or is unusual, and a mask of the lanes with a
    /// final result: scored, or known to lose.
    #[inline(always)]
    pub(super) fn rate<S: Set>(
        &self,
        scale: &ShapeScale<L>,
        own: &ShapeTables,
        tables: &Tables,
    ) -> (L, L) {
        let mut score = scale.base.add(self.landing.mul(scale.slope));
        score = score.add(self.columns());
        score = score.add(self.side::<S>(&own.sides[0], true));
        score = score.add(self.side::<S>(&own.sides[1], false));
        score = self.add_ledges::<S>(own, score);
        if S::WELLS && self.shape.width == 1 {
            score = score.add(self.filled_wells(own, scale.well));
        }
        if S::FAST_WELLS {
            score = score.add(self.runs().mul(scale.run));
        }
        if S::DIVERSITY {
            score = score.add(steps_score(self.steps(own), tables));
        }
        if S::BURIED {
            score = score.add(self.new_hole_rows().count().mul(scale.hole_row));
        }
        let loses = self.landing.gt(scale.highest);
        let settled = self.unusual().eq(L::splat(0)).or(loses);
        let score = settled.and_not(loses).pick(score, L::splat(NO_SCORE));
        (score, settled)
    }

    /// The rows of a column from row `y + from` on, in the lowest bits.
    #[inline(always)]
    fn window(&self, column: L, from: usize) -> L {
        column.shr_by(self.landing.add(L::splat(from as i32)))
    }

    /// The score of the columns below the shape: gaps, and cells that are now deeper.
    #[inline(always)]
    fn columns(&self) -> L {
        let mut score = L::splat(0);
        for j in 0..self.shape.width {
            let cells = self.shape.cells[j] - 1;
            let part = |part: Part| self.view.get(j + 1, part);
            let floor = part(Top).sub(L::splat(self.shape.low[j] as i32));
            let over_gap = self.landing.gt(floor);
            score = score.add(over_gap.pick(part(OVER_GAP[cells]), part(ON_TOP[cells])));
        }
        score
    }

    /// The score of the column left or right of the shape.
    #[inline(always)]
    fn side<S: Set>(&self, side: &Side, left: bool) -> L {
        let width = self.shape.width;
        let (j, beside) = if left { (0, 0) } else { (width - 1, width + 1) };
        let from = self.shape.low[j];
        let filled = self.window(self.view.get(beside, Own), from);
        let mut score = filled.look_up(&side.filled[0]);
        let tall = self.shape.cells[j] == 4;
        if tall {
            score = score.add(filled.shr::<3>().look_up(&side.filled[1]));
        }
        if S::WELLS {
            let open = self
                .view
                .get(beside, if left { OpenRight } else { OpenLeft });
            if self.shape.cells[j] == 1 {
                return score.add(self.well_in_row(open, beside, from));
            }
            let open = self.window(open, from);
            let depth = self.landing.sub(self.view.get(beside, Top));
            score = score.add(wells(open, depth, &side.well_count[0], &side.well_sum[0]));
            if tall {
                let (count, sum) = (&side.well_count[1], &side.well_sum[1]);
                score = score.add(wells(open.shr::<3>(), depth, count, sum));
            }
        }
        score
    }

    #[inline(always)]
    fn add_ledges<S: Set>(&self, own: &ShapeTables, mut score: L) -> L {
        if let Some(ledge) = self.shape.ledges[0] {
            score = score.add(self.ledge::<S>(&own.ledges[0], ledge));
        }
        if let Some(ledge) = self.shape.ledges[1] {
            score = score.add(self.ledge::<S>(&own.ledges[1], ledge));
        }
        score
    }

    /// The score of the cells below a ledge.
    #[inline(always)]
    fn ledge<S: Set>(&self, tables: &LedgeTables, ledge: Ledge) -> L {
        let (low, high) = (ledge.low + 1, ledge.high + 1);
        let filled = self.window(self.view.get(high, Own), ledge.from);
        let mut score = filled.look_up(&tables.filled);
        if S::WELLS {
            // Below the high column: empty cells whose far side is filled become wells.
            let open = self.view.get(high, open_side(ledge));
            score = score.add(self.wells_below(open, high, tables, ledge));
            if !ledge.shares_low {
                // In the low column: wells that the shape fills.
                let between = self.view.get(low, Between);
                score = score.sub(self.wells_below(between, low, tables, ledge));
            }
        }
        score
    }

    /// The score of these cells of a column as wells in the rows of a ledge.
    #[inline(always)]
    fn wells_below(&self, cells: L, column: usize, tables: &LedgeTables, ledge: Ledge) -> L {
        if ledge.rows.is_power_of_two() {
            return self.well_in_row(cells, column, ledge.from);
        }
        let depth = self.landing.sub(self.view.get(column, Top));
        let cells = self.window(cells, ledge.from);
        wells(cells, depth, &tables.well_count, &tables.well_sum)
    }

    /// The score of the cell of a column in row `y + row` as a well, if it is one of these cells.
    #[inline(always)]
    fn well_in_row(&self, cells: L, column: usize, row: usize) -> L {
        let (bit, bottom) = match row {
            0 => (self.landing_bit, self.well_landing.add(self.well)),
            1 => (
                self.landing_bit.shl::<1>(),
                self.well_landing.add(self.well.shl::<1>()),
            ),
            _ => (
                self.landing_bit.shl::<2>(),
                self.well_landing.add(self.well).add(self.well.shl::<1>()),
            ),
        };
        let is_none = cells.and(bit).eq(L::splat(0));
        bottom.sub(self.view.get(column, WellTop)).and_not(is_none)
    }

    /// The change caused by a vertical I in the well that it fills: its cells, and four rows of
    /// depth for the cells above it.
    #[inline(always)]
    fn filled_wells(&self, own: &ShapeTables, weight: L) -> L {
        let well = self.window(self.view.get(1, Between), 0);
        let filled = well.look_up(&own.filled[0]);
        let filled = filled.add(well.shr::<3>().look_up(&own.filled[1]));
        filled.sub(well.shr::<4>().count().mul(weight.shl::<2>()))
    }

    /// Some rows, counted from row `y`, as bits of a column.
    #[inline(always)]
    pub(super) fn bits_of(&self, rows: u32) -> L {
        match rows {
            1 => self.landing_bit,
            2 => self.landing_bit.shl::<1>(),
            4 => self.landing_bit.shl::<2>(),
            _ => L::splat(rows as i32).shl_by(self.landing),
        }
    }

    /// Rows in which the placement creates the first hole.
    #[inline(always)]
    fn new_hole_rows(&self) -> L {
        let mut rows = L::splat(0);
        for low in 0..3 {
            // The gaps under columns whose bottoms are level end in the same row, so the deepest
            // gap contains the others.
            let mut deepest: Option<L> = None;
            for j in 0..self.shape.width {
                if self.shape.low[j] == low {
                    let top = self.view.get(j + 1, TopBit);
                    deepest = Some(deepest.map_or(top, |deepest| deepest.min(top)));
                }
            }
            let bottom = match low {
                0 => self.landing_bit,
                1 => self.landing_bit.shl::<1>(),
                _ => self.landing_bit.shl::<2>(),
            };
            if let Some(deepest) = deepest {
                rows = rows.or(bottom.sub(deepest));
            }
        }
        rows.and_not(self.rows.hole_rows)
    }

    /// Non-zero where the placement completes a row or closes the side of a hole.
    #[inline(always)]
    fn unusual(&self) -> L {
        let mut unusual = L::splat(0);
        // Rows that are needed several times are computed together.
        macro_rules! look_at {
            ($($rows:literal)*) => {$(
                if let Some(cells) = self.delicate_cells::<$rows>() {
                    unusual = unusual.or(cells.and(self.bits_of($rows)));
                }
            )*};
        }
        look_at!(1 2 3 4 5 6 7 15);
        unusual
    }

    /// Cells that make a placement unusual if they occupy exactly these rows, counted from row `y`;
    /// `None` if the shape does not use these rows.
    #[inline(always)]
    fn delicate_cells<const ROWS: u32>(&self) -> Option<L> {
        let shape = self.shape;
        let last = shape.width - 1;
        let mut found = None;
        let mut add = |cells: L| {
            found = Some(match found {
                Some(others) => L::or(others, cells),
                None => cells,
            });
        };
        if shape.columns[0] == ROWS {
            add(self.view.get(0, HoleRight));
        }
        if shape.columns[last] == ROWS {
            add(self.view.get(last + 2, HoleLeft));
        }
        for cells in 1..=4 {
            if shape.completable[cells] == ROWS {
                add(self.rows.missing[cells - 1]);
            }
        }
        for index in 0..2 {
            if let Some(ledge) = shape.ledges[index]
                && ledge.rows == ROWS
            {
                let side = if ledge.low > ledge.high {
                    HoleRight
                } else {
                    HoleLeft
                };
                add(self.view.get(ledge.high + 1, side));
            }
        }
        found
    }
}

/// The empty cells below the high column of a ledge that become wells when its low column is
/// filled.
#[inline(always)]
pub(super) fn open_side(ledge: Ledge) -> Part {
    if ledge.low > ledge.high {
        OpenRight
    } else {
        OpenLeft
    }
}

/// The score of the cells of a window as wells, in a column whose top is `depth` rows below row
/// `y`.
#[inline(always)]
fn wells<L: Lanes>(cells: L, depth: L, count: &Words, sum: &Words) -> L {
    cells.look_up(count).mul(depth).add(cells.look_up(sum))
}
