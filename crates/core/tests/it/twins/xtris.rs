//! The features of the xtris bot: computed before full rows are removed, ignoring cells above the
//! top.

use super::Twin;
use crate::grid::Grid;

pub(crate) const TWINS: &[Twin] = &[
    ("xtris_max_height", |case| {
        let placed = &case.placed;
        let counts = |row: &usize| placed.cells[*row].contains(&true) && !placed.is_full(*row);
        let highest = (0..placed.height).rev().find(counts);
        vec![highest.map_or(0.0, |row| row as f64 + 1.0)]
    }),
    ("xtris_frontier", |case| vec![frontier(&case.placed)]),
    ("xtris_pits", |case| {
        let pits = (0..case.placed.width).map(|column| pit(&case.placed, column));
        vec![
            pits.filter(|&pit| pit >= 2)
                .map(|pit| pit as f64 - 1.0)
                .sum(),
        ]
    }),
    ("xtris_embedded_holes", |case| vec![embedded(&case.placed)]),
];

/// Whether a cell inside the board is filled.
fn cell(grid: &Grid, row: isize, column: isize) -> bool {
    let inside =
        (0..grid.height as isize).contains(&row) && (0..grid.width as isize).contains(&column);
    inside && grid.at(row, column)
}

fn frontier(grid: &Grid) -> f64 {
    let mut sides = 0.0;
    for row in 0..grid.height as isize {
        for column in 0..grid.width as isize {
            if cell(grid, row, column) {
                continue;
            }
            let touches = [
                cell(grid, row + 1, column),
                cell(grid, row - 1, column),
                column == 0 || cell(grid, row, column - 1),
                column + 1 == grid.width as isize || cell(grid, row, column + 1),
            ];
            sides += touches.iter().filter(|&&touches| touches).count() as f64;
        }
    }
    sides
}

/// How much farther an object one column wide falls than one two columns wide.
fn pit(grid: &Grid, column: usize) -> usize {
    let column = column as isize;
    let last = grid.width as isize - 1;
    let passable =
        |row: isize, column: isize| !cell(grid, row, column) || grid.is_full(row as usize);
    let mut row = grid.height as isize - 1;
    while row >= 0
        && passable(row, column)
        && ((column > 0 && passable(row, column - 1))
            || (column < last && passable(row, column + 1)))
    {
        row -= 1;
    }
    let mut depth = 0;
    while row >= 0 && !cell(grid, row, column) {
        row -= 1;
        depth += 1;
    }
    depth
}

/// Each empty cell counts one; if its nearest filled cell above is one or two rows higher, the
/// count of that cell's row is added.
fn embedded(grid: &Grid) -> f64 {
    let mut sums = vec![0.0; grid.height];
    for row in (0..grid.height).rev() {
        for column in 0..grid.width {
            if grid.cells[row][column] {
                continue;
            }
            let above = (row + 1..grid.height).find(|&above| grid.cells[above][column]);
            sums[row] += 1.0;
            if let Some(above) = above.filter(|&above| above <= row + 2) {
                sums[row] += sums[above];
            }
        }
    }
    sums.iter().sum()
}
