//! Features that are sums over columns: written once as the term of one column, computed for every placement of a
//! decision from the few columns that the piece changes.

use crate::board::{Board, WALL, column_height};
use crate::moves::{Excerpt, WINDOW_MARGIN};
use crate::outcomes::Outcomes;

/// A feature whose value is the sum of one term per column.
pub trait ColumnTerm {
    /// Whether the term looks at the neighbours; if not, `left` and `right` must not be used.
    const NEIGHBOURS: bool;

    /// What the column `own` adds, standing in column number `c` of `width` between `left` and `right` (walls
    /// beside the board).
    fn term(left: u64, own: u64, right: u64, at: At) -> i32;
}

/// Where a column stands.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// Number of the column, from the left, the first being 0.
    pub column: usize,
    /// Width of the board.
    pub width: usize,
    /// Height of the board.
    pub height: usize,
    /// Height of the column itself.
    pub top: usize,
}

impl At {
    /// Distance from the nearer wall: 0 for the outermost columns.
    #[must_use]
    #[inline]
    pub fn from_wall(self) -> usize {
        self.column.min(self.width - 1 - self.column)
    }
}

/// A feature whose value is the sum of one term per pair of neighbouring columns.
pub trait GapTerm {
    /// Whether the gaps between the outermost columns and the walls count.
    const WALLS: bool;

    /// What the gap between two columns adds on a board of this height.
    fn term(left: u64, right: u64, height: usize) -> i32;

    /// What is added once to the sum over the gaps.
    #[inline]
    fn offset(_height: usize) -> i32 {
        0
    }
}

/// A feature of the rows that are marked in any column.
pub trait RowUnion {
    /// The rows that a column of height `top` marks.
    fn rows(own: u64, top: usize) -> u64;

    /// The value of all marked rows together, on a board of this height.
    fn value(rows: u64, height: usize) -> f64;
}

/// How a local feature is computed: for one board, and for all placements of a decision.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    /// The value of a whole board.
    pub whole: fn(&Board) -> f64,
    /// The values of all placements, right where no row is removed; the windows must be shown.
    pub each: fn(&Outcomes, &mut [f64]),
}

/// A feature as a sum over columns.
pub(super) const fn columns<T: ColumnTerm>() -> Local {
    Local {
        whole: whole_columns::<T>,
        each: each_columns::<T>,
    }
}

/// A feature as a sum over gaps between columns.
pub(super) const fn gaps<T: GapTerm>() -> Local {
    Local {
        whole: whole_gaps::<T>,
        each: each_gaps::<T>,
    }
}

/// A feature of the rows marked in any column.
pub(super) const fn union<T: RowUnion>() -> Local {
    Local {
        whole: whole_union::<T>,
        each: each_union::<T>,
    }
}

/// Calls `f::<T, WIDTH>(outcomes, values, arguments)` for the placements of each shape, with the width of the shape as a
/// constant: the loops over its columns then have no end to test for.
macro_rules! for_each_shape {
    ($outcomes:expr, $values:expr, $f:ident::<$term:ident>($($argument:expr),*)) => {
        for group in $outcomes.drops().groups() {
            let own = $outcomes.of_group(group);
            let values = &mut $values[group.start..group.start + group.count];
            match group.shape.width {
                1 => $f::<$term, 1>(own, values, $($argument),*),
                2 => $f::<$term, 2>(own, values, $($argument),*),
                3 => $f::<$term, 3>(own, values, $($argument),*),
                _ => $f::<$term, 4>(own, values, $($argument),*),
            }
        }
    };
}

#[inline]
fn place(board: &Board, column: usize, own: u64) -> At {
    At {
        column,
        width: board.width(),
        height: board.height(),
        top: column_height(own),
    }
}

fn whole_columns<T: ColumnTerm>(board: &Board) -> f64 {
    let columns = board.columns();
    let mut sum = 0;
    let mut left = WALL;
    for (c, &own) in columns.iter().enumerate() {
        let right = columns.get(c + 1).copied().unwrap_or(WALL);
        sum += T::term(left, own, right, place(board, c, own));
        left = own;
    }
    f64::from(sum)
}

fn each_columns<T: ColumnTerm>(outcomes: &Outcomes, values: &mut [f64]) {
    let board = &outcomes.drops().before.board;
    let (width, padded) = (board.width(), &outcomes.drops().padded);
    // before[c] = sum of the terms of the columns left of c on the board before the placement.
    let mut before = [0; 17];
    for c in 0..width {
        let p = c + WINDOW_MARGIN;
        before[c + 1] = before[c]
            + T::term(
                padded[p - 1],
                padded[p],
                padded[p + 1],
                place(board, c, padded[p]),
            );
    }
    for_each_shape!(outcomes, values, columns_changed::<T>(board, &before));
}

/// The sums after the placements of one shape, `WIDTH` columns wide: only its columns, and their neighbours if the
/// term looks at those, differ from before.
fn columns_changed<T: ColumnTerm, const WIDTH: usize>(
    outcomes: &[Excerpt],
    values: &mut [f64],
    board: &Board,
    before: &[i32; 17],
) {
    let width = board.width();
    let reach = usize::from(T::NEIGHBOURS);
    for (x, (value, outcome)) in values.iter_mut().zip(outcomes).enumerate() {
        let (at_left, at_right) = (x == 0, x + WIDTH == width);
        let first = x - if at_left { 0 } else { reach };
        let last = x + WIDTH + if at_right { 0 } else { reach };
        let mut sum = before[width] - before[last] + before[first];
        let window = &outcome.columns;
        for k in WINDOW_MARGIN - reach..WINDOW_MARGIN + WIDTH + reach {
            let beyond_left = k < WINDOW_MARGIN && at_left;
            let beyond_right = k >= WINDOW_MARGIN + WIDTH && at_right;
            if !beyond_left && !beyond_right {
                let at = place(board, x + k - WINDOW_MARGIN, window[k]);
                sum += T::term(window[k - 1], window[k], window[k + 1], at);
            }
        }
        *value = f64::from(sum);
    }
}

fn whole_gaps<T: GapTerm>(board: &Board) -> f64 {
    let columns = board.columns();
    let mut sum: i32 = columns
        .windows(2)
        .map(|pair| T::term(pair[0], pair[1], board.height()))
        .sum();
    if T::WALLS {
        sum += T::term(WALL, columns[0], board.height());
        sum += T::term(columns[columns.len() - 1], WALL, board.height());
    }
    f64::from(sum + T::offset(board.height()))
}

fn each_gaps<T: GapTerm>(outcomes: &Outcomes, values: &mut [f64]) {
    let board = &outcomes.drops().before.board;
    let (width, height, padded) = (board.width(), board.height(), &outcomes.drops().padded);
    // Gap g lies left of column g; gaps 0 and width touch the walls.
    let gaps = if T::WALLS { 0..width + 1 } else { 1..width };
    let mut before = [0; 18];
    for g in 0..=width {
        let p = g + WINDOW_MARGIN;
        let counts = gaps.contains(&g);
        let term = if counts {
            T::term(padded[p - 1], padded[p], height)
        } else {
            0
        };
        before[g + 1] = before[g] + term;
    }
    for_each_shape!(outcomes, values, gaps_changed::<T>(board, &before));
}

fn gaps_changed<T: GapTerm, const WIDTH: usize>(
    outcomes: &[Excerpt],
    values: &mut [f64],
    board: &Board,
    before: &[i32; 18],
) {
    let (width, height) = (board.width(), board.height());
    for (x, (value, outcome)) in values.iter_mut().zip(outcomes).enumerate() {
        let mut sum = T::offset(height) + before[width + 1] - before[x + WIDTH + 1] + before[x];
        for k in WINDOW_MARGIN..=WINDOW_MARGIN + WIDTH {
            let left_wall = k == WINDOW_MARGIN && x == 0;
            let right_wall = k == WINDOW_MARGIN + WIDTH && x + WIDTH == width;
            if T::WALLS || !(left_wall || right_wall) {
                sum += T::term(outcome.columns[k - 1], outcome.columns[k], height);
            }
        }
        *value = f64::from(sum);
    }
}

fn whole_union<T: RowUnion>(board: &Board) -> f64 {
    T::value(
        board
            .columns()
            .iter()
            .fold(0, |rows, &own| rows | T::rows(own, column_height(own))),
        board.height(),
    )
}

fn each_union<T: RowUnion>(outcomes: &Outcomes, values: &mut [f64]) {
    let board = &outcomes.drops().before.board;
    let width = board.width();
    let (mut left_of, mut from) = ([0; 17], [0; 17]);
    for (c, &own) in board.columns().iter().enumerate() {
        let rows = T::rows(own, column_height(own));
        left_of[c + 1] = left_of[c] | rows;
        from[c] = rows;
    }
    for c in (0..width).rev() {
        from[c] |= from[c + 1];
    }
    for_each_shape!(outcomes, values, rows_changed::<T>(board, &left_of, &from));
}

fn rows_changed<T: RowUnion, const WIDTH: usize>(
    outcomes: &[Excerpt],
    values: &mut [f64],
    board: &Board,
    left_of: &[u64; 17],
    from: &[u64; 17],
) {
    for (x, (value, outcome)) in values.iter_mut().zip(outcomes).enumerate() {
        let mut rows = left_of[x] | from[x + WIDTH];
        for &column in &outcome.columns[WINDOW_MARGIN..WINDOW_MARGIN + WIDTH] {
            rows |= T::rows(column, column_height(column));
        }
        *value = T::value(rows, board.height());
    }
}
