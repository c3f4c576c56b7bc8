//! Holes and the cells above them.

use super::Twin;
use crate::grid::{Cells, Grid};
use std::collections::BTreeSet;

pub(crate) const TWINS: &[Twin] = &[
    ("holes", |case| vec![holes(&case.after).len() as f64]),
    ("delta_holes", |case| {
        vec![holes(&case.after).len() as f64 - holes(&case.before).len() as f64]
    }),
    ("connected_holes", |case| {
        count(&case.after, |grid, row, c| {
            !grid.at(row, c) && grid.at(row + 1, c)
        })
    }),
    ("surrounded_holes", |case| {
        count(&case.after, |grid, row, c| {
            !grid.at(row, c) && grid.at(row + 1, c) && grid.at(row - 1, c)
        })
    }),
    ("enclosed_holes", |case| {
        count(&case.after, |grid, row, c| {
            let beside = grid.at(row, c - 1) && grid.at(row, c + 1);
            !grid.at(row, c) && beside && grid.at(row + 1, c) && grid.at(row - 1, c)
        })
    }),
    ("wall_holes_0", |case| vec![from_wall(&case.after, 0)]),
    ("wall_holes_1", |case| vec![from_wall(&case.after, 1)]),
    ("wall_holes_2", |case| vec![from_wall(&case.after, 2)]),
    ("rows_with_holes", |case| {
        let rows: BTreeSet<usize> = holes(&case.after).iter().map(|hole| hole.0).collect();
        vec![rows.len() as f64]
    }),
    ("hole_depth", |case| vec![contiguous(&case.after)]),
    ("hole_depth_all", |case| vec![all_above(&case.after)]),
    ("mean_hole_depth", |case| {
        vec![per_hole(&case.after, contiguous(&case.after))]
    }),
    ("mean_hole_depth_all", |case| {
        vec![per_hole(&case.after, all_above(&case.after))]
    }),
    ("mean_hole_depth_rows", |case| {
        let to_top = |&(row, c): &(usize, usize)| (case.after.column_height(c) - row) as f64;
        let sum = holes(&case.after).iter().map(to_top).sum();
        vec![per_hole(&case.after, sum)]
    }),
    ("highest_hole", |case| {
        vec![highest(&case.after).map_or(0.0, |row| row as f64 + 1.0)]
    }),
    ("highest_hole_column_height", |case| {
        vec![of_highest(&case.after, |grid, _, c| {
            grid.column_height(c) as f64
        })]
    }),
    ("cells_above_highest_hole", |case| {
        let Some(highest) = highest(&case.after) else {
            return vec![0.0];
        };
        let above = case.after.cells[highest + 1..].iter().flatten();
        vec![above.filter(|&&cell| cell).count() as f64]
    }),
    ("cells_above_highest_hole_in_column", |case| {
        vec![of_highest(&case.after, filled_above)]
    }),
    ("potential_rows", |case| vec![potential(&case.after, 2)]),
    ("potential_rows_1", |case| vec![potential(&case.after, 1)]),
];

fn count(grid: &Grid, is: fn(&Grid, isize, isize) -> bool) -> Vec<f64> {
    let mut sum = 0.0;
    for row in 0..grid.rows() {
        for column in 0..grid.width {
            if is(grid, row as isize, column as isize) {
                sum += 1.0;
            }
        }
    }
    vec![sum]
}

/// Every empty cell with a filled cell somewhere above it.
fn holes(grid: &Grid) -> Cells {
    let mut holes = Cells::new();
    for column in 0..grid.width {
        for row in 0..grid.column_height(column) {
            if !grid.cells[row][column] {
                holes.push((row, column));
            }
        }
    }
    holes
}

fn from_wall(grid: &Grid, distance: usize) -> f64 {
    let near = |hole: &&(usize, usize)| hole.1.min(grid.width - 1 - hole.1) == distance;
    holes(grid).iter().filter(near).count() as f64
}

/// Filled cells with an empty cell below them and only filled cells between.
fn contiguous(grid: &Grid) -> f64 {
    let mut sum = 0.0;
    for column in 0..grid.width {
        for row in 0..grid.rows() {
            let on_hole = (0..row)
                .rev()
                .find(|&below| !grid.cells[below][column])
                .is_some();
            if grid.cells[row][column] && on_hole {
                sum += 1.0;
            }
        }
    }
    sum
}

fn filled_above(grid: &Grid, row: usize, column: usize) -> f64 {
    let above = row + 1..grid.rows();
    above.filter(|&above| grid.cells[above][column]).count() as f64
}

fn all_above(grid: &Grid) -> f64 {
    holes(grid)
        .iter()
        .map(|&(row, column)| filled_above(grid, row, column))
        .sum()
}

fn per_hole(grid: &Grid, sum: f64) -> f64 {
    let holes = holes(grid).len();
    if holes == 0 { 0.0 } else { sum / holes as f64 }
}

fn highest(grid: &Grid) -> Option<usize> {
    holes(grid).iter().map(|hole| hole.0).max()
}

/// The largest measure over the holes in the row of the highest hole.
fn of_highest(grid: &Grid, measure: fn(&Grid, usize, usize) -> f64) -> f64 {
    let highest = highest(grid);
    let mut most: f64 = 0.0;
    for (row, column) in holes(grid) {
        if Some(row) == highest {
            most = most.max(measure(grid, row, column));
        }
    }
    most
}

fn potential(grid: &Grid, most_empty: usize) -> f64 {
    let Some(highest) = highest(grid) else {
        return 0.0;
    };
    let empty = |row: &&Vec<bool>| row.iter().filter(|&&cell| !cell).count() <= most_empty;
    grid.cells[highest + 1..].iter().filter(empty).count() as f64
}
