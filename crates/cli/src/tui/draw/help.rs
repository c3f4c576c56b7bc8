//! The keys.

use super::pen::{Pen, shortened};
use crate::tui::app::App;
use crate::tui::keys::ACTIONS;
use ratatui::style::Style;

/// The text below the keys.
const NOTES: [&str; 2] = [
    "In a record, left and right move by one piece, and enter takes over.",
    "Keys, colours and how keys repeat can be set: tetrolab play --print-settings",
];
/// Width of a key and its description.
const COLUMN: u16 = 38;

/// Columns of keys, and rows of each, on a screen of this size.
fn grid((width, height): (u16, u16)) -> (usize, usize) {
    // The heading, the notes and the last line.
    let others = 3 + if has_notes(width) { NOTES.len() } else { 0 };
    let columns = usize::from(width / COLUMN).clamp(1, 2);
    let rows = usize::from(height).saturating_sub(others).max(1);
    (columns, rows.min(ACTIONS.len().div_ceil(columns)))
}

fn has_notes(width: u16) -> bool {
    NOTES.iter().all(|note| note.len() < usize::from(width))
}

/// Number of pages of the help on a screen of this size.
pub(in crate::tui) fn pages(size: (u16, u16)) -> usize {
    let (columns, rows) = grid(size);
    ACTIONS.len().div_ceil(columns * rows)
}

pub(super) fn draw(app: &App, page: usize, pen: &mut Pen<'_>) {
    let (width, height) = pen.size();
    let faint = pen.faint();
    let (columns, rows) = grid((width, height));
    let pages = pages((width, height));
    let page = page % pages;
    let begin = page * columns * rows;
    let end = (begin + columns * rows).min(ACTIONS.len());
    let each = width / columns as u16;
    for (column, rows) in ACTIONS[begin..end].chunks(rows).enumerate() {
        let mut part = pen.part(each * column as u16, 0, each, height.saturating_sub(1));
        part.heading(if column == 0 { "keys" } else { "" });
        let room = usize::from(each).saturating_sub(13);
        for (action, _, _, help) in rows {
            let keys = app.settings.bindings.keys(*action);
            let row = part.take_rows(1);
            part.text(1, row, &shortened(&keys, 11), Style::new());
            part.text(13, row, &shortened(help, room), faint);
        }
    }
    let last = match pages {
        1 => "Any key goes back.".to_owned(),
        _ if width < 60 => format!("{} of {pages}: arrows; else back", page + 1),
        _ => format!(
            "Page {} of {pages}: arrows turn the page, any other key goes back.",
            page + 1
        ),
    };
    let notes = NOTES.iter().filter(|_| has_notes(width));
    let lines: Vec<&str> = notes.copied().chain([last.as_str()]).collect();
    let top = height.saturating_sub(lines.len() as u16);
    for (row, text) in lines.iter().enumerate() {
        pen.text(1, top + row as u16, text, faint);
    }
}
