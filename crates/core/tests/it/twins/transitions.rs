//! Changes between filled and empty.

use super::Twin;
use crate::grid::Grid;

pub(crate) const TWINS: &[Twin] = &[
    ("row_transitions", |case| {
        // Each row above the stack has two changes; the number of these rows is negative if the
        // stack exceeds the board.
        let after = &case.after;
        let above = after.height as f64 - after.max_height() as f64;
        vec![below_top(after) + 2.0 * above]
    }),
    ("row_transitions_below_top", |case| {
        vec![below_top(&case.after)]
    }),
    ("row_transitions_no_walls", |case| {
        let rows = case.after.cells.iter();
        vec![rows.map(|row| changes(row)).sum()]
    }),
    ("column_transitions", |case| {
        each_column(&case.after, |column, _| {
            let mut line = vec![true];
            line.extend(column);
            line
        })
    }),
    ("column_transitions_ceiling", |case| {
        each_column(&case.after, |column, height| {
            let mut line = vec![true];
            line.extend(&column[..height]);
            line.push(true);
            line
        })
    }),
    ("column_transitions_no_floor", |case| {
        each_column(&case.after, |column, _| column)
    }),
    ("column_transitions_inner", |case| {
        each_column(&case.after, |column, height| column[..height].to_vec())
    }),
];

fn changes(line: &[bool]) -> f64 {
    line.windows(2).filter(|pair| pair[0] != pair[1]).count() as f64
}

/// Changes along the rows up to the highest filled cell, between filled walls.
fn below_top(grid: &Grid) -> f64 {
    let mut sum = 0.0;
    for row in &grid.cells[..grid.max_height()] {
        let mut line = vec![true];
        line.extend(row);
        line.push(true);
        sum += changes(&line);
    }
    sum
}

/// Changes along the lines of cells that `line` returns for each column and the board's height.
fn each_column(grid: &Grid, line: fn(Vec<bool>, usize) -> Vec<bool>) -> Vec<f64> {
    let column = |c: usize| grid.cells.iter().map(|row| row[c]).collect();
    let sum = (0..grid.width)
        .map(|c| changes(&line(column(c), grid.height)))
        .sum();
    vec![sum]
}
