//! Deaths of a player: a row of small boards for each.

use super::frame::BoardFrame;
use super::paper::{Paper, TextStyle};
use super::{HEADING, MARGIN};
use crate::survival::{Death, DeathStep};

/// How wide a cell is.
const CELL: usize = 10;
/// How high the words below a board are.
const BELOW: usize = 40;
/// The narrowest panel: its words need room.
const NARROWEST: usize = 118;

/// Draws the ways to some deaths, of each at most so many boards.
#[must_use]
pub fn deaths_svg(title: &str, caption: &str, deaths: &[Death], boards: usize) -> String {
    let mut paper = Paper::default();
    paper.text((MARGIN, MARGIN + 16), TextStyle::Title, title);
    paper.text((MARGIN, MARGIN + 38), TextStyle::Caption, caption);
    let first = deaths.first().and_then(|death| death.steps.first());
    let (width, rows) = first.map_or((0, 0), |step| (step.board.width(), step.board.height()));
    let panel = NARROWEST.max(width * CELL) + MARGIN;
    let height = rows * CELL + BELOW + MARGIN;
    for (row, death) in deaths.iter().enumerate() {
        let y = HEADING + MARGIN + row * height;
        for (column, step) in death.shown(boards).into_iter().enumerate() {
            let origin = (MARGIN + column * panel, y);
            let frame = BoardFrame {
                origin,
                cell: CELL,
                rows,
            };
            frame.settled(&mut paper, &step.board);
            let below = (origin.0, y + rows * CELL + 22);
            paper.text(below, TextStyle::Head, &once(step));
        }
    }
    let across = MARGIN + boards * panel;
    let down = HEADING + MARGIN + deaths.len() * height;
    paper.finish(across, down, title)
}

/// How rare a board is.
fn once(step: &DeathStep) -> String {
    format!("once in {:.0e}", 1.0 / step.rate)
}
