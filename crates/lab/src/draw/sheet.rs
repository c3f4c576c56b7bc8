//! A sheet of small boards: how several players rate a position.

use super::frame::{BoardFrame, small_piece};
use super::paper::{Paper, TextStyle};
use super::{HEADING, MARGIN, signed};
use crate::analysis::{Analysed, AnalysedPlacement, AnalysedPosition};
use tetrolab_core::placement::Placement;

/// The width of a cell.
const CELL: usize = 15;
/// The minimum width of a panel, which its text needs.
const NARROWEST: usize = 150;
/// Number of panels side by side.
const PER_LINE: usize = 5;
/// The minimum width of a sheet, which its title needs.
const LEAST_WIDTH: usize = 540;
/// The height of the pieces under the heading.
const PIECES: usize = 80;
/// The height of a player's name.
const NAME: usize = 34;
/// Heights of the text above and below a board.
const ABOVE: usize = 26;
const BELOW: usize = 62;
/// The maximum number of placements listed per continuation.
const NAMED: usize = 3;

/// Draws the best placements of every player, each on a small board with the expected continuation.
pub fn sheet_svg(analysed: &Analysed) -> String {
    let sheet = Sheet::new(analysed);
    let mut paper = Paper::default();
    let title = title(&analysed.position);
    paper.heading(&title, &caption(analysed));
    sheet.pieces(&mut paper);
    let mut y = HEADING + MARGIN + PIECES;
    for player in &analysed.players {
        paper.text((MARGIN, y + 14), TextStyle::Title, &player.player);
        y += NAME;
        for (number, line) in player.placements.chunks(PER_LINE).enumerate() {
            sheet.line(&mut paper, y, line, number * PER_LINE + 1);
            y += sheet.panel_height();
        }
    }
    paper.finish(sheet.width(), y, &title)
}

/// An analysis and the positions of its parts.
struct Sheet<'a> {
    analysed: &'a Analysed,
    /// Number of rows of each board: those of the board, and those above it that a placement
    /// reaches.
    rows: usize,
}

impl<'a> Sheet<'a> {
    fn new(analysed: &'a Analysed) -> Sheet<'a> {
        let placements = analysed.players.iter().flat_map(|row| &row.placements);
        let tops = placements.flat_map(|placed| placed.cells_on_first_board());
        let top = tops.map(|(_, cells)| cells[3].0 + 1).max().unwrap_or(0);
        let rows = analysed.position.height.max(top);
        Sheet { analysed, rows }
    }

    fn panel_width(&self) -> usize {
        NARROWEST.max(self.analysed.position.width * CELL)
    }

    fn panel_height(&self) -> usize {
        ABOVE + self.rows * CELL + BELOW
    }

    fn width(&self) -> usize {
        let counts = self.analysed.players.iter().map(|row| row.placements.len());
        let most = counts.max().unwrap_or(0).min(PER_LINE);
        LEAST_WIDTH.max(most * (self.panel_width() + MARGIN) + MARGIN)
    }

    /// Draws the piece and those shown after it.
    fn pieces(&self, paper: &mut Paper) {
        let AnalysedPosition { piece, queue, .. } = &self.analysed.position;
        let y = HEADING + MARGIN + 16;
        paper.text((MARGIN, y), TextStyle::Head, "piece");
        small_piece(paper, (MARGIN, y + 8), *piece, CELL);
        let next = MARGIN + 6 * CELL;
        if !queue.is_empty() {
            paper.text((next, y), TextStyle::Head, "next");
        }
        for (index, &piece) in queue.iter().enumerate() {
            let at = (next + index * 5 * CELL, y + 8);
            small_piece(paper, at, piece, CELL);
        }
    }

    /// Panels side by side; `rank` is that of the first.
    fn line(&self, paper: &mut Paper, y: usize, line: &[AnalysedPlacement], rank: usize) {
        for (index, placed) in line.iter().enumerate() {
            let x = MARGIN + index * (self.panel_width() + MARGIN);
            self.panel(paper, (x, y), placed, rank + index);
        }
    }

    /// A small board with a placement and the expected continuation.
    fn panel(
        &self,
        paper: &mut Paper,
        (x, y): (usize, usize),
        placed: &AnalysedPlacement,
        rank: usize,
    ) {
        let position = &self.analysed.position;
        let frame = BoardFrame {
            origin: (x, y + ABOVE),
            cell: CELL,
            rows: self.rows,
        };
        match rank {
            1 => paper.swatch((x, y + 2), true, position.piece),
            _ => paper.text((x + 8, y + 14), TextStyle::Rank, &rank.to_string()),
        }
        let name = placed.step.short.to_string();
        paper.text((x + 22, y + 14), TextStyle::Text, &name);
        if let Some(score) = placed.score {
            let right = (x + self.panel_width(), y + 14);
            paper.text(right, TextStyle::Number, &signed(score));
        }
        frame.settled(paper, &position.board);
        let mut pieces = placed.cells_on_first_board().into_iter();
        if let Some((piece, cells)) = pieces.next() {
            frame.placed(paper, piece, &cells);
        }
        for (piece, cells) in pieces {
            // A piece that locks across a removed row has no outline on the board before.
            if Placement::from_cells(piece, &cells).is_some() {
                frame.outlined(paper, piece, &cells, 2.5);
            }
        }
        for (index, words) in words(placed).iter().enumerate() {
            let at = (x, y + ABOVE + self.rows * CELL + 20 + 16 * index);
            paper.text(at, TextStyle::Head, words);
        }
    }
}

fn title(position: &AnalysedPosition) -> String {
    let ruleset = &position.ruleset;
    position.record.as_ref().map_or_else(
        || format!("Where the {} goes · {ruleset}", position.piece),
        |record| format!("A game of {} · {ruleset}", record.player),
    )
}

fn caption(analysed: &Analysed) -> String {
    let AnalysedPosition { pieces, lines, .. } = analysed.position;
    let mut parts = Vec::new();
    match &analysed.position.record {
        None => parts.push("the given board".to_owned()),
        Some(record) => {
            parts.push(format!("piece {}", pieces + 1));
            parts.push(format!("{lines} lines so far"));
            let played = record.played.iter();
            parts.extend(played.map(|played| format!("played {played}")));
        }
    }
    let mut placements = analysed.players.iter().flat_map(|row| &row.placements);
    if placements.any(|placed| !placed.line.is_empty()) {
        parts.push("dashed: expected continuation".to_owned());
    }
    parts.join(" · ")
}

/// The text below a board.
fn words(placed: &AnalysedPlacement) -> Vec<String> {
    let mut words = Vec::new();
    if placed.step.game_over {
        words.push("ends the game".to_owned());
    } else if let Some(survival) = placed.survival {
        words.push(format!("survives {:.0} %", 100.0 * survival));
    }
    if !placed.line.is_empty() {
        let named = placed.line.iter().take(NAMED);
        let named: Vec<String> = named.map(|step| step.short.to_string()).collect();
        let more = if placed.line.len() > NAMED {
            " …"
        } else {
            ""
        };
        words.push(format!("then {}{more}", named.join(" ")));
    }
    words
}
