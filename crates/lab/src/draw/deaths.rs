//! Deaths of a player: a row of small boards per death.

use super::frame::BoardFrame;
use super::paper::{Paper, TextStyle};
use super::{HEADING, MARGIN};
use crate::survival::Death;
use tetrolab_core::board::Board;

/// The width of a cell.
const CELL: usize = 10;
/// Height of the text below a board.
const BELOW: usize = 40;
/// Rows above a board for the last piece.
const ABOVE: usize = 2;
/// The minimum width of a panel, which its text needs.
const NARROWEST: usize = 118;

/// Draws the paths to some deaths, with at most this many boards each.
pub fn deaths_svg(title: &str, caption: &str, deaths: &[Death], boards: usize) -> String {
    let mut paper = Paper::default();
    paper.heading(title, caption);
    let first = deaths.first();
    let size = |board: &Board| (board.width(), board.height() + ABOVE);
    let (width, rows) = first.map_or((0, 0), |death| size(&death.end.board));
    let panel = NARROWEST.max(width * CELL) + MARGIN;
    let height = rows * CELL + BELOW + MARGIN;
    for (row, death) in deaths.iter().enumerate() {
        let y = HEADING + MARGIN + row * height;
        let frame = |column: usize| BoardFrame {
            origin: (MARGIN + column * panel, y),
            cell: CELL,
            rows,
        };
        let shown = death.shown(boards);
        for (column, (board, rate)) in shown.iter().enumerate() {
            frame(column).settled(&mut paper, board);
            let below = (MARGIN + column * panel, y + rows * CELL + 22);
            let once = format!("once in {:.0e}", 1.0 / rate);
            paper.text(below, TextStyle::Head, &once);
        }
        let last = frame(shown.len().saturating_sub(1));
        last.placed(&mut paper, death.end.piece, &death.end.entering());
    }
    let across = MARGIN + boards * panel;
    let down = HEADING + MARGIN + deaths.len() * height;
    paper.finish(across, down, title)
}
