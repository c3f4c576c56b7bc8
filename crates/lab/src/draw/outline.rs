//! The line around a piece.

use std::collections::BTreeMap;

/// A corner between cells: row and column of the cell to its upper right.
type Corner = (usize, usize);

/// The corners of the line around four cells (row from the bottom, column), moved inwards by
/// `inset`, as points of the picture; `on_paper` maps a corner between cells to a point.
pub(super) fn outline(
    cells: &[(usize, usize); 4],
    inset: f64,
    on_paper: impl Fn(Corner) -> (usize, usize),
) -> Vec<(f64, f64)> {
    let corners = corners(cells);
    let count = corners.len();
    let place = |k: usize| {
        let (x, y) = on_paper(corners[k % count]);
        (x as f64, y as f64)
    };
    let inwards = |from: (f64, f64), to: (f64, f64)| {
        // The outline runs clockwise with the cells on its right; y grows downwards.
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.abs() + dy.abs();
        (-dy / length * inset, dx / length * inset)
    };
    let moved = |k: usize| {
        let (before, own, after) = (place(k + count - 1), place(k), place(k + 1));
        let (a, b) = (inwards(before, own), inwards(own, after));
        (own.0 + a.0 + b.0, own.1 + a.1 + b.1)
    };
    (0..count).map(moved).collect()
}

/// The corners at which the outline turns, clockwise.
fn corners(cells: &[(usize, usize); 4]) -> Vec<Corner> {
    let sides: Vec<(Corner, Corner)> = cells.iter().copied().flat_map(sides).collect();
    // A side between two of the cells occurs in both directions and is not part of the outline.
    let is_outer = |&(from, to): &(Corner, Corner)| !sides.contains(&(to, from));
    let all = walk(&sides.iter().copied().filter(is_outer).collect());
    let count = all.len();
    let turns = |&k: &usize| {
        let (before, own, after) = (all[(k + count - 1) % count], all[k], all[(k + 1) % count]);
        !(before.0 == own.0 && own.0 == after.0 || before.1 == own.1 && own.1 == after.1)
    };
    (0..count).filter(turns).map(|k| all[k]).collect()
}

/// The four sides of a cell, clockwise.
fn sides((row, column): (usize, usize)) -> [(Corner, Corner); 4] {
    let (left, right) = (column, column + 1);
    let (bottom, top) = (row, row + 1);
    [
        ((bottom, left), (top, left)),
        ((top, left), (top, right)),
        ((top, right), (bottom, right)),
        ((bottom, right), (bottom, left)),
    ]
}

/// The corners in the order of the sides.
fn walk(sides: &BTreeMap<Corner, Corner>) -> Vec<Corner> {
    let first = sides.keys().next();
    let next = |corner: &&Corner| sides.get(*corner);
    let corners = std::iter::successors(first, next);
    corners.take(sides.len()).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrolab_core::piece::PIECES;

    #[test]
    fn the_outline_of_every_shape_has_the_area_of_four_cells() {
        for shape in PIECES.iter().flat_map(|piece| piece.shapes()) {
            let cells: Vec<_> = shape.cells().collect();
            let cells: [(usize, usize); 4] = cells.try_into().unwrap();
            let points = outline(&cells, 0.0, |(row, column)| (column, 10 - row));
            assert_eq!(area(&points), 4.0, "{shape:?}");
        }
    }

    #[test]
    fn an_inset_moves_every_side_inwards() {
        // A bar of four cells of ten units each, two units from every side.
        let cells = [(0, 0), (0, 1), (0, 2), (0, 3)];
        let points = outline(&cells, 2.0, |(row, column)| (10 * column, 10 - 10 * row));
        assert_eq!(area(&points), 36.0 * 6.0);
    }

    /// By the shoelace formula, clockwise on paper.
    fn area(points: &[(f64, f64)]) -> f64 {
        let pairs = points.iter().zip(points.iter().cycle().skip(1));
        pairs.map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum::<f64>() / 2.0
    }
}
