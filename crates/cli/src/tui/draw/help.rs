//! The keys.

use super::pen::Pen;
use crate::tui::app::App;
use crate::tui::keys::ACTIONS;
use ratatui::style::Style;

pub(super) fn draw(app: &App, pen: &mut Pen<'_>) {
    let (width, height) = pen.size();
    let faint = Style::new().fg(pen.colours().faint());
    let columns = if width >= 76 { 2 } else { 1 };
    let rows = ACTIONS.len().div_ceil(columns);
    let each = width / columns as u16;
    for (column, rows) in ACTIONS.chunks(rows).enumerate() {
        let mut part = pen.part(each * column as u16, 0, each, height.saturating_sub(4));
        part.heading(if column == 0 { "keys" } else { "" });
        for (action, _, _, help) in rows {
            let keys = app.settings().bindings.keys(*action);
            let row = part.take_rows(1);
            part.text(1, row, &keys, Style::new());
            part.text(13, row, help, faint);
        }
    }
    let lines = [
        "A record: left and right go piece by piece, enter plays on from here.",
        "Keys, colours and how keys repeat can be set: tetrolab play --print-settings",
        "Any key goes back.",
    ];
    let top = height.saturating_sub(lines.len() as u16);
    for (row, text) in lines.iter().enumerate() {
        pen.text(1, top + row as u16, text, faint);
    }
}
