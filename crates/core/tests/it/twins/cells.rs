//! Counts of cells.

use super::{Case, Twin};

pub(crate) const TWINS: &[Twin] = &[
    ("occupied_cells", |case| vec![filled(case)]),
    ("weighted_cells", |case| {
        let mut sum = 0;
        for (row, cells) in case.after.cells.iter().enumerate() {
            sum += (row + 1) * cells.iter().filter(|&&cell| cell).count();
        }
        vec![sum as f64]
    }),
    ("free_cells", |case| vec![size(case) - filled(case)]),
    ("board_fill", |case| vec![filled(case) / size(case) * 100.0]),
];

fn filled(case: &Case) -> f64 {
    let cells = case.after.cells.iter().flatten();
    cells.filter(|&&cell| cell).count() as f64
}

fn size(case: &Case) -> f64 {
    (case.after.width * case.after.height) as f64
}
