//! Pictures: a player's decision, a sheet with the decisions of several players, the boards before
//! a player's deaths, or a plot, as SVG.
//!
//! [`svg`] turns a [`Picture`] into text, and [`sheet_svg`] does the same with an analysis; the
//! functions of [`plot`] draw numbers. A picture has its own background, with a dark variant.

mod deaths;
mod feature;
mod frame;
mod outline;
pub(crate) mod paper;
pub mod plot;
mod sheet;

pub use deaths::deaths_svg;
pub use feature::{
    DrawnCell, DrawnFeature, FeatureDrawingError, FeatureRequest, StepSource, draw_feature,
};
pub use sheet::sheet_svg;

use frame::{BoardFrame, small_piece};
use paper::{Paper, TextStyle};
use tetrolab_core::board::Board;
use tetrolab_core::evaluators::Score;
use tetrolab_core::piece::{PIECES, Piece};
use tetrolab_core::placement::Placement;

/// The width of a cell.
const CELL: usize = 28;
/// Margin around and between the parts.
const MARGIN: usize = 24;
/// The width of the part next to the board.
const SIDE: usize = 216;
/// The height of the heading above the board.
const HEADING: usize = 54;
/// The distance between lines in the list of placements.
const LINE: usize = 26;

/// A board, a piece, and the placements that a player would choose.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    /// The first line above the board, such as the player and the ruleset.
    pub title: String,
    /// The second line, such as the progress of the game.
    pub caption: String,
    /// The settled stack.
    pub board: &'a Board,
    /// The pieces after the current one, as far as the player sees them.
    pub queue: &'a [Piece],
    /// The placements, best first; the first one is the choice. Only a player that rates placements
    /// has scores.
    pub placements: Vec<(Placement, Option<Score>)>,
}

/// Draws the picture.
pub fn svg(picture: &Picture<'_>) -> String {
    let drawing = Drawing::new(picture);
    let mut paper = Paper::default();
    paper.heading(&picture.title, &picture.caption);
    drawing.frame.settled(&mut paper, picture.board);
    drawing.placements(&mut paper);
    drawing.beside(&mut paper);
    paper.finish(drawing.width(), drawing.height(), &picture.title)
}

/// A picture and the positions of its parts.
struct Drawing<'a> {
    picture: &'a Picture<'a>,
    frame: BoardFrame,
}

impl<'a> Drawing<'a> {
    fn new(picture: &'a Picture<'a>) -> Drawing<'a> {
        let placed = picture.placements.iter();
        let cells = placed.flat_map(|placed| placed.0.cells());
        let top = cells.map(|(row, _)| row + 1).max().unwrap_or(0);
        let rows = picture.board.height().max(top);
        let frame = BoardFrame {
            origin: (MARGIN, HEADING + MARGIN),
            cell: CELL,
            rows,
        };
        Drawing { picture, frame }
    }

    fn board_width(&self) -> usize {
        self.picture.board.width() * CELL
    }

    fn width(&self) -> usize {
        self.board_width() + SIDE + 3 * MARGIN
    }

    fn height(&self) -> usize {
        let list = 24 + 3 * CELL + self.picture.placements.len() * LINE;
        HEADING + MARGIN + list.max(self.frame.rows * CELL) + MARGIN
    }

    /// Draws the choice in full colour and the others as numbered outlines. Overlapping outlines
    /// are drawn inside each other.
    fn placements(&self, paper: &mut Paper) {
        let Some((choice, others)) = self.picture.placements.split_first() else {
            return;
        };
        let piece = choice.0.piece;
        self.frame.placed(paper, piece, &choice.0.cells());
        let mut taken = choice.0.cells().to_vec();
        for (index, (placement, _)) in others.iter().enumerate() {
            let cells = placement.cells();
            let overlaps = |other: &&(Placement, Option<Score>)| {
                other.0.cells().iter().any(|cell| cells.contains(cell))
            };
            let inset = 3.0 + 4.5 * others[..index].iter().filter(overlaps).count() as f64;
            self.frame.outlined(paper, piece, &cells, inset);
            let free = cells.iter().find(|cell| !taken.contains(cell));
            let (x, y) = self.frame.corner(*free.unwrap_or(&cells[0]));
            let middle = (x + CELL / 2, y + CELL / 2 + 5);
            paper.text(middle, TextStyle::Rank, &(index + 2).to_string());
            taken.extend(cells);
        }
    }

    /// Draws the piece, the pieces after it, and the list of placements with their scores.
    fn beside(&self, paper: &mut Paper) {
        let (x, mut y) = (self.board_width() + 2 * MARGIN, HEADING + MARGIN);
        let Some((choice, _)) = self.picture.placements.first() else {
            return;
        };
        paper.text((x, y + 12), TextStyle::Head, "piece");
        small_piece(paper, (x, y + 24), choice.piece, CELL * 3 / 4);
        if !self.picture.queue.is_empty() {
            paper.text((x + 4 * CELL, y + 12), TextStyle::Head, "next");
        }
        for (index, &piece) in self.picture.queue.iter().take(2).enumerate() {
            let at = (x + 4 * CELL + index * 2 * CELL, y + 24);
            small_piece(paper, at, piece, CELL / 2);
        }
        y += 24 + 3 * CELL;
        paper.text((x, y), TextStyle::Head, "placement");
        paper.text((x + SIDE, y), TextStyle::HeadRight, "score");
        for (index, (placement, score)) in self.picture.placements.iter().enumerate() {
            y += LINE;
            paper.swatch((x, y - 13), index == 0, placement.piece);
            paper.text((x + 24, y), TextStyle::Text, &label(index));
            if let Some(score) = score {
                paper.text((x + SIDE, y), TextStyle::Number, &signed(*score));
            }
        }
    }
}

fn label(index: usize) -> String {
    match index {
        0 => "chosen".to_owned(),
        _ => format!("{}", index + 1),
    }
}

fn signed(score: Score) -> String {
    if score < 0.0 {
        format!("−{:.2}", -score)
    } else {
        format!("{score:.2}")
    }
}

/// The letters of all pieces, for the style sheet.
fn letters() -> impl Iterator<Item = (String, &'static str)> {
    const COLOURS: [&str; 7] = [
        "#0ea5b7", "#d9a406", "#9b51e0", "#e5484d", "#2f9e44", "#3b72e8", "#ee7b1c",
    ];
    PIECES.iter().map(ToString::to_string).zip(COLOURS)
}

#[cfg(test)]
mod tests;
