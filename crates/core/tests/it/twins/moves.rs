//! Features of the move.

use super::{Case, Twin};
use tetrolab_core::piece::Piece;

pub(crate) const TWINS: &[Twin] = &[
    ("landing_height", |case| {
        vec![(bottom(case) + top(case)) / 2.0]
    }),
    ("landing_height_top", |case| vec![top(case)]),
    ("landing_height_bottom", |case| vec![bottom(case)]),
    ("landing_height_el_tetris", |case| {
        let piece_height = top(case) - bottom(case) + 1.0;
        vec![bottom(case) + piece_height / 2.0]
    }),
    ("piece_distance_to_top", |case| {
        let top_row = case.before.height as f64 - 1.0;
        let distances = case.cells.iter().map(|cell| top_row - cell.0 as f64);
        vec![distances.sum::<f64>() / 4.0]
    }),
    ("drop_distance", |case| {
        vec![case.before.height as f64 - 1.0 - pivot_row(case) as f64]
    }),
    ("eroded_cells", |case| vec![eroded(case)]),
    ("eroded_piece_cells", |case| {
        vec![case.cleared.len() as f64 * eroded(case)]
    }),
    ("lines_cleared", |case| vec![case.cleared.len() as f64]),
    ("any_line", |case| {
        vec![if case.cleared.is_empty() { 0.0 } else { 1.0 }]
    }),
    ("complete_lines", |case| {
        vec![case.after.full_rows().len() as f64]
    }),
    ("total_lines", |case| {
        vec![case.lines_before as f64 + case.cleared.len() as f64]
    }),
    ("constant", |_| vec![1.0]),
];

fn bottom(case: &Case) -> f64 {
    case.cells.iter().map(|cell| cell.0).min().unwrap() as f64
}

fn top(case: &Case) -> f64 {
    case.cells.iter().map(|cell| cell.0).max().unwrap() as f64
}

fn eroded(case: &Case) -> f64 {
    let in_line = |cell: &&(usize, usize)| case.cleared.contains(&cell.0);
    case.cells.iter().filter(in_line).count() as f64
}

/// The row of the cell around which the piece turns.
fn pivot_row(case: &Case) -> usize {
    let has = |row: usize, column: usize| case.cells.contains(&(row, column));
    let lowest = bottom(case) as usize;
    match case.piece {
        // T, J and L turn around the middle of their three cells in a line.
        Piece::T | Piece::J | Piece::L => {
            let in_the_middle = |&&(row, column): &&(usize, usize)| {
                (column > 0 && has(row, column - 1) && has(row, column + 1))
                    || (row > 0 && has(row - 1, column) && has(row + 1, column))
            };
            case.cells.iter().find(in_the_middle).unwrap().0
        }
        Piece::I if top(case) > bottom(case) => lowest + 2,
        Piece::I => lowest,
        // O turns around its upper cells, horizontal S and Z around their upper cells, and vertical
        // ones around their middle cells.
        Piece::O | Piece::S | Piece::Z => lowest + 1,
    }
}
