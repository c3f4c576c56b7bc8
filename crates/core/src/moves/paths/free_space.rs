//! The positions in which a piece fits on a board, as sets: one word per column of the bounding
//! box, one bit per row.

use super::graph::{Graph, TurnEdge, TurnTest};
use crate::board::Board;
use crate::moves::COLUMNS;
use crate::rotation::{ROWS_ABOVE, When};

/// Positions of a piece in one node: bit `y` of word `x` is the bounding box with its lower left
/// corner in column `x`, row `y`.
pub(super) type Plane = [u64; COLUMNS];

/// One position of the piece: its node, and the lower left corner of its bounding box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) node: usize,
    pub(super) x: i32,
    pub(super) y: i32,
}

/// Where a piece fits.
#[derive(Clone, Debug, Default)]
pub(super) struct FreeSpace {
    /// Number of columns that positions can have.
    pub(super) width: usize,
    /// The positions in which each rotation fits, and those from which it cannot fall.
    pub(super) free: [Plane; 4],
    pub(super) grounded: [Plane; 4],
    /// The positions of each rotation whose first filled cell is in the column that forbids kicks.
    pub(super) barred: [Plane; 4],
}

impl FreeSpace {
    /// Finds the positions in which the shapes of a piece fit on a board.
    pub(super) fn measure(&mut self, board: &Board, graph: &Graph) {
        self.width = board.width();
        let rows = board.height() + ROWS_ABOVE;
        for (rotation, shape) in graph.shapes.iter().enumerate() {
            let inside = (1u64 << (rows + 1 - shape.height)) - 1;
            self.free[rotation] = [0; COLUMNS];
            self.grounded[rotation] = [0; COLUMNS];
            for x in 0..=self.width - shape.width {
                let columns = &board.columns()[x..x + shape.width];
                let mut taken = 0;
                for (column, &cells) in columns.iter().zip(&shape.columns) {
                    let mut cells = cells;
                    while cells != 0 {
                        taken |= column >> cells.trailing_zeros();
                        cells &= cells - 1;
                    }
                }
                let free = !taken & inside;
                self.free[rotation][x] = free;
                self.grounded[rotation][x] = free & !(free << 1);
            }
            if let Some(column) = graph.barring[rotation] {
                self.bar(board, graph, rotation, column);
            }
        }
    }

    /// Marks the positions of a rotation whose first filled cell, row by row from the top, is in
    /// this column of its box.
    fn bar(&mut self, board: &Board, graph: &Graph, rotation: usize, barring: u8) {
        let shape = graph.shapes[rotation];
        let above = !0u64 << (board.height() + ROWS_ABOVE);
        for x in 0..=self.width - shape.width {
            let (mut seen, mut barred) = (0, 0);
            for row in (0..shape.height).rev() {
                for column in
                    (0..shape.width).filter(|&column| shape.columns[column] >> row & 1 == 1)
                {
                    let taken = (board.columns()[x + column] | above) >> row & !seen;
                    seen |= taken;
                    if column == usize::from(barring) {
                        barred |= taken;
                    }
                }
            }
            self.barred[rotation][x] = barred;
        }
    }

    /// The positions of a rotation that touch a filled cell or a wall on the left or on the right.
    pub(super) fn beside(&self, rotation: usize, x: usize) -> u64 {
        let free = &self.free[rotation];
        let left = if x > 0 { free[x - 1] } else { 0 };
        let right = if x + 1 < COLUMNS { free[x + 1] } else { 0 };
        !(left & right)
    }

    /// Whether a set contains a position.
    fn is_in(&self, planes: &[Plane; 4], at: Spot) -> bool {
        let inside = (0..self.width as i32).contains(&at.x) && (0..64).contains(&at.y);
        inside && planes[at.node % 4][at.x as usize] >> at.y & 1 == 1
    }

    /// Whether the piece fits in a position.
    pub(super) fn is_free(&self, at: Spot) -> bool {
        self.is_in(&self.free, at)
    }

    /// Whether the piece fits in a position and cannot fall from there.
    pub(super) fn is_grounded(&self, at: Spot) -> bool {
        self.is_in(&self.grounded, at)
    }

    /// The position of a piece after it has fallen by at most this many rows.
    pub(super) fn fallen(&self, mut at: Spot, rows: u32) -> Spot {
        for _ in 0..rows {
            if self.is_grounded(at) {
                break;
            }
            at.y -= 1;
        }
        at
    }

    /// The index of the first test of a turn that succeeds.
    pub(super) fn first_test(&self, edge: &TurnEdge, from: Spot) -> Option<usize> {
        let succeeds = |test: &TurnTest| {
            let tried = match test.when {
                When::Always => true,
                When::Beside => self.beside(from.node % 4, from.x as usize) >> from.y & 1 == 1,
                When::OnGround => self.is_grounded(from),
            };
            tried && self.is_free(test.target(from))
        };
        let basic = edge.tests.first()?.target(from);
        let barred = edge.can_be_barred
            && (0..self.width as i32).contains(&basic.x)
            && shifted(self.barred[basic.node % 4][basic.x as usize], -basic.y) & 1 == 1;
        let tests = if barred {
            &edge.tests[..1]
        } else {
            &edge.tests[..]
        };
        tests.iter().position(succeeds)
    }
}

/// Shifts rows up, or down if `dy` is negative.
#[inline]
pub(super) fn shifted(rows: u64, dy: i32) -> u64 {
    if dy >= 0 { rows << dy } else { rows >> -dy }
}
