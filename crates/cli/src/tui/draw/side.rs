//! The next pieces and the held piece.

use super::board::letters;
use super::pen::Pen;
use ratatui::style::Color;
use tetrolab::core::piece::{Piece, Rotation};
use tetrolab::session::Session;

/// Draws the held piece, if the rules have a hold.
pub(super) fn hold(session: &Session, pen: &mut Pen<'_>) {
    let Some(game) = session.game().stepped().filter(|game| game.rules().hold) else {
        return;
    };
    pen.heading("hold");
    match game.held() {
        Some(piece) => draw_piece(piece, pen),
        None => pen.line("-", pen.faint()),
    }
}

/// Draws the next pieces, as far as they fit.
pub(super) fn next(session: &Session, pen: &mut Pen<'_>) {
    let waiting = session.game().waiting_pieces();
    // While no piece is falling, the first piece in the queue is the next one.
    let stepped = session.game().stepped();
    let falls = stepped.is_none_or(|game| game.falling().is_some());
    let next = &waiting[usize::from(falls && !waiting.is_empty())..];
    if session.ruleset().preview == 0 && falls {
        return;
    }
    pen.heading("next");
    for piece in next.iter().take(session.ruleset().preview.max(1)) {
        if pen.rows_left() < 2 {
            break;
        }
        draw_piece(*piece, pen);
        pen.gap();
    }
}

/// Draws a small picture of a horizontal piece on two lines.
fn draw_piece(piece: Piece, pen: &mut Pen<'_>) {
    let colours = pen.colours();
    let shape = piece.shape(Rotation::North);
    let top = pen.take_rows(shape.height as u16);
    for (row, column) in shape.cells() {
        let line = top + (shape.height - 1 - row) as u16;
        let left = 1 + 2 * column as u16;
        let (text, fore) = match (colours.has_letters(), colours.has_colours()) {
            (true, true) => (letters(piece), Color::Black),
            (true, false) => (letters(piece), Color::Reset),
            (false, _) => ("  ".to_owned(), Color::Reset),
        };
        pen.put(left, line, &text, fore, colours.piece(Some(piece)));
    }
}
