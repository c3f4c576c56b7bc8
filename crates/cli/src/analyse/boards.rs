//! Boards as text, several side by side.

use crate::output::line;
use std::io;
use tetrolab::analysis::AnalysedPlacement;
use tetrolab::core::board::Board;
use tetrolab::report::WIDTH;

/// The gap between two boards.
const GAP: &str = "   ";

/// The lowest rows of a board between walls, top row first, with a placement and its expected
/// continuation, and the floor below. Each cell is two characters wide.
fn lines(board: &Board, rows: usize, placed: Option<&AnalysedPlacement>) -> Vec<String> {
    let row_of = |row: usize| (0..board.width()).map(move |column| cell(board, row, column));
    let mut cells: Vec<Vec<String>> = (0..rows).map(|row| row_of(row).collect()).collect();
    let pieces = placed.map_or_else(Vec::new, AnalysedPlacement::cells_on_first_board);
    for (index, (piece, own)) in pieces.into_iter().enumerate() {
        let letter = match index {
            0 => piece.letter(),
            _ => piece.letter().to_ascii_lowercase(),
        };
        for (row, column) in own {
            cells[row][column] = [letter; 2].iter().collect();
        }
    }
    let drawn = cells.iter().enumerate().rev().map(|(row, cells)| {
        let wall = if row < board.height() { '|' } else { ' ' };
        format!("{wall}{}{wall}", cells.concat())
    });
    let floor = format!("+{}+", "-".repeat(2 * board.width()));
    drawn.chain([floor]).collect()
}

fn cell(board: &Board, row: usize, column: usize) -> String {
    let text = if board.is_filled(row, column) {
        "[]"
    } else if row >= board.height() {
        "  "
    } else {
        " ."
    };
    text.to_owned()
}

/// Draws a board unchanged.
pub(crate) fn draw(board: &Board) -> io::Result<()> {
    let drawn = lines(board, board.height(), None);
    drawn.iter().try_for_each(|row| line(&format!("  {row}")))
}

/// Draws placements side by side, as many as fit, without rows that are empty on all of them.
pub(super) fn draw_placements(board: &Board, placements: &[AnalysedPlacement]) -> io::Result<()> {
    let cells = placements
        .iter()
        .flat_map(AnalysedPlacement::cells_on_first_board);
    let reached = cells.flat_map(|(_, cells)| cells.map(|cell| cell.0 + 1));
    let reached = reached.fold(board.max_height(), usize::max);
    // Shows one free row above the cells, if the board has it.
    let rows = reached.max((reached + 1).min(board.height()));
    let width = 2 * board.width() + 2;
    let fitting = (WIDTH - 2 + GAP.len()) / (width + GAP.len());
    for (group, side_by_side) in placements.chunks(fitting.max(1)).enumerate() {
        let first = group * fitting.max(1) + 1;
        line("")?;
        let boards = side_by_side.iter().enumerate().map(|(index, placed)| {
            let name = placed.step.short;
            let head = format!("{}  {name}", first + index);
            [vec![head], lines(board, rows, Some(placed))].concat()
        });
        let boards: Vec<Vec<String>> = boards.collect();
        for row in 0..rows + 2 {
            let cells = boards.iter().map(|lines| format!("{:width$}", lines[row]));
            let text = cells.collect::<Vec<_>>().join(GAP);
            line(format!("  {text}").trim_end())?;
        }
    }
    Ok(())
}
