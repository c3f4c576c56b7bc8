//! All kinds of wells.

use super::Twin;
use crate::grid::Grid;

pub(crate) const TWINS: &[Twin] = &[
    ("well_sums", |case| {
        let mut sum = 0;
        for (row, column) in between(&case.after) {
            sum += empty_down_from(&case.after, row, column);
        }
        vec![sum as f64]
    }),
    ("well_sums_fast", |case| {
        let runs = runs(&case.after).into_iter();
        vec![runs.map(one_to).sum()]
    }),
    ("well_cells", |case| {
        vec![runs(&case.after).into_iter().sum::<usize>() as f64]
    }),
    ("well_sums_streak", |case| {
        // Each well cell counts the well cells of its run from the bottom up to itself.
        let cells = between(&case.after);
        let streak = |&(row, column): &(usize, usize)| {
            (0..=row)
                .rev()
                .take_while(|&below| cells.contains(&(below, column)))
                .count()
        };
        vec![cells.iter().map(streak).sum::<usize>() as f64]
    }),
    ("well_cells_between", |case| {
        vec![between(&case.after).len() as f64]
    }),
    ("well_cells_open", |case| {
        let open =
            |&&(row, column): &&(usize, usize)| !case.after.at(row as isize + 1, column as isize);
        vec![between(&case.after).iter().filter(open).count() as f64]
    }),
    ("well_depths", |case| {
        vec![depths(&case.after).into_iter().sum()]
    }),
    ("well_depths_filled", |case| {
        vec![depths_filled(&case.after).into_iter().sum()]
    }),
    ("max_well_depth", |case| {
        vec![depths(&case.after).into_iter().fold(0.0, f64::max)]
    }),
    ("max_well_depth_filled", |case| {
        vec![depths_filled(&case.after).into_iter().fold(0.0, f64::max)]
    }),
    ("deep_wells", |case| {
        vec![
            depths(&case.after)
                .into_iter()
                .filter(|&depth| depth >= 2.0)
                .sum(),
        ]
    }),
    ("number_of_wells", |case| vec![at_least(&case.after, 1.0)]),
    ("number_of_wells_2", |case| vec![at_least(&case.after, 2.0)]),
    ("number_of_wells_3", |case| vec![at_least(&case.after, 3.0)]),
    ("thesis_well_max", |case| {
        vec![thesis(&case.after).into_iter().fold(0.0, f64::max)]
    }),
    ("thesis_well_sum", |case| {
        vec![thesis(&case.after).into_iter().sum()]
    }),
    ("thesis_well_max_printed", |case| {
        vec![printed(&case.after).into_iter().fold(0.0, f64::max)]
    }),
    ("thesis_well_sum_printed", |case| {
        vec![printed(&case.after).into_iter().sum()]
    }),
    ("misakamm_wells", |case| {
        let prices = misakamm(&case.after);
        let most = prices.iter().copied().fold(0.0, f64::max);
        vec![5.0 * (2.0 * prices.iter().sum::<f64>() - most)]
    }),
];

/// Every empty cell with both side neighbours filled.
fn between(grid: &Grid) -> Vec<(usize, usize)> {
    let mut cells = Vec::new();
    for row in 0..grid.rows() {
        for column in 0..grid.width {
            let (r, c) = (row as isize, column as isize);
            if !grid.at(r, c) && grid.at(r, c - 1) && grid.at(r, c + 1) {
                cells.push((row, column));
            }
        }
    }
    cells
}

/// The cell and the empty cells directly below it.
fn empty_down_from(grid: &Grid, row: usize, column: usize) -> usize {
    (0..=row)
        .rev()
        .take_while(|&below| !grid.cells[below][column])
        .count()
}

/// The lengths of the runs in each column that begin at a well cell and extend down to a filled
/// one.
fn runs(grid: &Grid) -> Vec<usize> {
    let cells = between(grid);
    let mut runs = Vec::new();
    for column in 0..grid.width {
        let mut length = 0;
        for row in (0..grid.rows()).rev() {
            if grid.cells[row][column] {
                runs.push(length);
                length = 0;
            } else if length > 0 || cells.contains(&(row, column)) {
                length += 1;
            }
        }
        runs.push(length);
    }
    runs
}

fn one_to(n: usize) -> f64 {
    (1..=n).sum::<usize>() as f64
}

/// The heights of the neighbours of a column; a wall has none.
fn neighbours(grid: &Grid, column: usize) -> (Option<f64>, Option<f64>) {
    let height = |column: usize| grid.column_height(column) as f64;
    let left = column.checked_sub(1).map(height);
    let right = (column + 1 < grid.width).then(|| height(column + 1));
    (left, right)
}

fn depths(grid: &Grid) -> Vec<f64> {
    let depth = |column: usize| {
        let (left, right) = neighbours(grid, column);
        let lower = left
            .unwrap_or(f64::INFINITY)
            .min(right.unwrap_or(f64::INFINITY));
        (lower - grid.column_height(column) as f64).max(0.0)
    };
    (0..grid.width).map(depth).collect()
}

fn depths_filled(grid: &Grid) -> Vec<f64> {
    let cells = between(grid);
    let depth = |column: usize| {
        let above = grid.column_height(column)..grid.rows();
        above.filter(|&row| cells.contains(&(row, column))).count() as f64
    };
    (0..grid.width).map(depth).collect()
}

fn at_least(grid: &Grid, depth: f64) -> f64 {
    depths(grid).into_iter().filter(|&own| own >= depth).count() as f64
}

/// How far a column is below the mean of its neighbours, or below its only neighbour.
fn thesis(grid: &Grid) -> Vec<f64> {
    let well = |column: usize| {
        let level = match neighbours(grid, column) {
            (Some(left), Some(right)) => (left + right) / 2.0,
            (one, other) => one.or(other).unwrap(),
        };
        (level - grid.column_height(column) as f64).max(0.0)
    };
    (0..grid.width).map(well).collect()
}

/// The thesis' formula with its misprints.
fn printed(grid: &Grid) -> Vec<f64> {
    let well = |column: usize| {
        let own = grid.column_height(column) as f64;
        let value: f64 = match neighbours(grid, column) {
            (None, Some(right)) => right - own,
            (Some(left), None) => own - left,
            (left, right) => (left.unwrap() + right.unwrap()) / 2.0 - 2.0 * own,
        };
        value.max(0.0)
    };
    (0..grid.width).map(well).collect()
}

/// The Misakamm player's price of each column's well.
fn misakamm(grid: &Grid) -> Vec<f64> {
    let wall = grid.height as f64;
    let price = |column: usize| {
        let (left, right) = neighbours(grid, column);
        let (left, right) = (left.unwrap_or(wall), right.unwrap_or(wall));
        let own = grid.column_height(column) as f64;
        if left < own || right < own {
            return 0.0;
        }
        let extra = match column.min(grid.width - 1 - column) {
            0 => 132.0,
            1 | 2 => 88.0,
            _ => 0.0,
        };
        match left.min(right) - own {
            0.0 => 0.0,
            1.0 => 176.0 / 5.0,
            2.0 => 176.0,
            depth => 99.0 + (depth - 2.0) * (401.0 + extra),
        }
    };
    (0..grid.width).map(price).collect()
}
