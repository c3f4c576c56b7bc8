//! Features of the column heights.

use super::Twin;
use crate::grid::{Grid, rotations};
use std::collections::BTreeSet;
use tetrolab_core::piece::Piece;

pub(crate) const TWINS: &[Twin] = &[
    ("max_height", |case| vec![max(&case.after)]),
    ("min_height", |case| vec![min(&case.after)]),
    ("mean_height", |case| vec![mean(&case.after)]),
    ("sum_heights", |case| {
        vec![heights(&case.after).iter().sum()]
    }),
    ("max_minus_mean", |case| {
        vec![max(&case.after) - mean(&case.after)]
    }),
    ("mean_minus_min", |case| {
        vec![mean(&case.after) - min(&case.after)]
    }),
    ("altitude_difference", |case| {
        vec![max(&case.after) - min(&case.after)]
    }),
    ("squared_height_difference", |case| {
        vec![max(&case.after).powi(2) - min(&case.after).powi(2)]
    }),
    ("distance_to_top", |case| {
        vec![case.after.height as f64 - max(&case.after)]
    }),
    ("column_heights", |case| heights(&case.after)),
    ("rbf_heights", |case| {
        let height = case.after.height as f64;
        let base = |i: i32| {
            let distance = mean(&case.after) - f64::from(i) * height / 4.0;
            (-distance.powi(2) / (2.0 * (height / 5.0).powi(2))).exp()
        };
        (0..5).map(base).collect()
    }),
    ("weighted_relative_height", |case| {
        let (heights, width) = (heights(&case.after), case.after.width);
        let mut sum = 0.0;
        for (c, height) in heights.iter().enumerate() {
            let to_wall = c.min(width - 1 - c);
            sum += (1 + to_wall) as f64 * (height - min(&case.after));
        }
        vec![sum / width as f64]
    }),
    ("bumpiness", |case| vec![bumpiness(&case.after)]),
    ("bumpiness_circular", |case| {
        let heights = heights(&case.after);
        vec![bumpiness(&case.after) + (heights[0] - heights[heights.len() - 1]).abs()]
    }),
    ("variation", |case| {
        let heights = heights(&case.after);
        let last = heights.len() - 1;
        let left = (heights[1] - heights[0]).max(0.0);
        let right = (heights[last - 1] - heights[last]).max(0.0);
        vec![bumpiness(&case.after) + left + right]
    }),
    ("column_differences", |case| {
        rises(&case.after).into_iter().map(f64::abs).collect()
    }),
    ("column_differences_signed", |case| rises(&case.after)),
    ("diversity", |case| {
        let rises = rises(&case.after);
        let occurs = |wanted: &&f64| rises.contains(wanted);
        vec![[-2.0, -1.0, 0.0, 1.0, 2.0].iter().filter(occurs).count() as f64]
    }),
    ("diversity_rows", |case| {
        let rows = &case.after.cells[..case.after.max_height()];
        vec![rows.iter().collect::<BTreeSet<_>>().len() as f64]
    }),
    ("diversity_columns", |case| {
        let after = &case.after;
        let difference = |row: usize, c: usize| {
            i8::from(after.cells[row][c]) - i8::from(after.cells[row][c + 1])
        };
        let pattern =
            |c: usize| -> Vec<i8> { (0..after.rows()).map(|row| difference(row, c)).collect() };
        let patterns: BTreeSet<_> = (0..after.width - 1).map(pattern).collect();
        vec![patterns.len() as f64]
    }),
    ("delta_max_height", |case| {
        vec![max(&case.after) - max(&case.before)]
    }),
    ("delta_mean_height", |case| {
        vec![mean(&case.after) - mean(&case.before)]
    }),
    ("delta_bumpiness", |case| {
        vec![bumpiness(&case.after) - bumpiness(&case.before)]
    }),
    ("shape_adaptability", |case| vec![adaptability(&case.after)]),
];

fn heights(grid: &Grid) -> Vec<f64> {
    grid.heights()
        .into_iter()
        .map(|height| height as f64)
        .collect()
}

fn max(grid: &Grid) -> f64 {
    heights(grid).into_iter().fold(0.0, f64::max)
}

fn min(grid: &Grid) -> f64 {
    heights(grid).into_iter().fold(f64::INFINITY, f64::min)
}

fn mean(grid: &Grid) -> f64 {
    heights(grid).iter().sum::<f64>() / grid.width as f64
}

/// The height of each column except the first, minus that of its left neighbour.
fn rises(grid: &Grid) -> Vec<f64> {
    let heights = heights(grid);
    (1..heights.len())
        .map(|c| heights[c] - heights[c - 1])
        .collect()
}

fn bumpiness(grid: &Grid) -> f64 {
    rises(grid).into_iter().map(f64::abs).sum()
}

fn adaptability(grid: &Grid) -> f64 {
    let rises = rises(grid);
    let mut points = 0.0;
    for piece in [Piece::J, Piece::L, Piece::O, Piece::S, Piece::T, Piece::Z] {
        let mut matches = 0;
        for pattern in bottom_patterns(piece) {
            let fits = |part: &&[f64]| *part == pattern;
            matches += rises.windows(pattern.len()).filter(fits).count();
        }
        points += [0.0, 4.0, 6.0][matches.min(2)];
    }
    points
}

/// The differences between the bottoms of neighbouring columns in every rotation at least two wide,
/// and their negations, each once.
fn bottom_patterns(piece: Piece) -> Vec<Vec<f64>> {
    let mut patterns: Vec<Vec<f64>> = Vec::new();
    for cells in rotations(piece) {
        let width = 1 + cells.iter().map(|cell| cell.1).max().unwrap();
        let bottom = |c: usize| {
            let rows = cells.iter().filter(|cell| cell.1 == c).map(|cell| cell.0);
            rows.min().unwrap() as f64
        };
        let pattern: Vec<f64> = (1..width).map(|c| bottom(c) - bottom(c - 1)).collect();
        let negated = pattern.iter().map(|step| 0.0 - step).collect();
        for pattern in [pattern, negated] {
            if !pattern.is_empty() && !patterns.contains(&pattern) {
                patterns.push(pattern);
            }
        }
    }
    patterns
}
