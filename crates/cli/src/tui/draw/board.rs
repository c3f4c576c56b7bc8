//! A board with its stack, the falling piece, its ghost and a hint.

use super::layout::BoardLayout;
use super::pen::Pen;
use crate::tui::app::App;
use crate::tui::palette::Colours;
use ratatui::style::{Color, Modifier, Style};
use tetrolab::core::piece::Piece;
use tetrolab::session::{Editor, Session};

/// The appearance of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CellLook {
    Empty,
    Settled(Option<Piece>),
    Falling(Piece),
    Ghost(Piece),
    Hint(Piece),
}

pub(super) fn draw(
    app: &App,
    session: &Session,
    editor: Option<&Editor>,
    layout: BoardLayout,
    pen: &mut Pen<'_>,
) {
    frame(layout, pen);
    let looks = shown(&looks(app, session, editor, layout), layout);
    let cursor = editor.and_then(|editor| {
        let (row, column) = editor.cursor;
        Some((layout.place(row)?, column))
    });
    let edge = u16::from(layout.above == 0);
    let (width, height) = pen.size();
    let (width, height) = (width.saturating_sub(2), height.saturating_sub(1 + edge));
    let mut inside = pen.part(1, edge, width, height);
    match layout.scale % 2 {
        0 => draw_even(&looks, cursor, layout, &mut inside),
        _ => draw_odd(&looks, cursor, layout, &mut inside),
    }
}

/// The visible rows, from the bottom.
fn shown(looks: &[Vec<CellLook>], layout: BoardLayout) -> Vec<Vec<CellLook>> {
    let rows = looks.iter().enumerate();
    let shown = rows.filter(|(row, _)| layout.place(*row).is_some());
    shown.map(|(_, cells)| cells.clone()).collect()
}

fn frame(layout: BoardLayout, pen: &mut Pen<'_>) {
    let (width, height) = pen.size();
    if width < 2 || height < 2 {
        return;
    }
    let style = pen.faint();
    let inside = usize::from(width) - 2;
    let bar = "─".repeat(inside);
    let top = layout.above as u16;
    if top == 0 {
        pen.text(0, 0, &format!("╭{bar}╮"), style);
    }
    let gap = layout.gap_line(height);
    for row in layout.lines_above().max(1)..height - 1 {
        let side = if gap == Some(row) { "≈" } else { "│" };
        pen.text(0, row, side, style);
        pen.text(width - 1, row, side, style);
    }
    pen.text(0, height - 1, &format!("╰{bar}╯"), style);
    if layout.hidden() > 0 {
        let texts = ["rows hidden", "hidden"];
        let texts = texts.map(|text| format!("{} {text}", layout.hidden()));
        let text = texts.iter().find(|text| text.len() <= inside);
        let text = text.map_or("", String::as_str);
        let left = 1 + (inside - text.len()) / 2;
        let alert = pen.alert();
        pen.text(left as u16, height - 1, text, alert);
    }
}

/// The appearance of every cell, from the bottom.
fn looks(
    app: &App,
    session: &Session,
    editor: Option<&Editor>,
    layout: BoardLayout,
) -> Vec<Vec<CellLook>> {
    let board = session.game().board();
    let look = |row: usize, column: usize| match editor {
        Some(editor) if row < layout.all_rows() && editor.is_filled(row, column) => {
            CellLook::Settled(None)
        }
        None if board.is_filled(row, column) => {
            CellLook::Settled(session.stack().piece(row, column))
        }
        _ => CellLook::Empty,
    };
    let row = |row| (0..layout.width).map(|column| look(row, column)).collect();
    let mut looks: Vec<Vec<CellLook>> = (0..layout.all_rows() + layout.above).map(row).collect();
    if editor.is_some() {
        return looks;
    }
    let mut set = |row: usize, column: usize, look: CellLook, over: bool| {
        let cell = looks.get_mut(row).and_then(|cells| cells.get_mut(column));
        if let Some(cell) = cell.filter(|cell| over || **cell == CellLook::Empty) {
            *cell = look;
        }
    };
    let hint = session
        .hint()
        .map(|hint| (hint, CellLook::Hint(hint.piece)));
    let ghost = session.ghost().filter(|_| app.settings.ghost);
    let ghost = ghost.map(|ghost| (ghost, CellLook::Ghost(ghost.piece)));
    for (placement, look) in hint.into_iter().chain(ghost) {
        for (row, column) in placement.cells() {
            set(row, column, look, false);
        }
    }
    if let Some(falling) = session.falling() {
        for (row, column) in falling.cells() {
            if let (Ok(row), Ok(column)) = (row.try_into(), column.try_into()) {
                set(row, column, CellLook::Falling(falling.piece), true);
            }
        }
    }
    looks
}

/// Draws cells that are one or more whole lines high, and two characters wide per line.
fn draw_even(
    looks: &[Vec<CellLook>],
    cursor: Option<(usize, usize)>,
    layout: BoardLayout,
    pen: &mut Pen<'_>,
) {
    let colours = pen.colours();
    let scale = layout.scale;
    let lines = scale / 2;
    for (row, cells) in looks.iter().enumerate() {
        let top = (looks.len() - 1 - row) * lines;
        for (column, look) in cells.iter().enumerate() {
            let is_empty = *look == CellLook::Empty;
            if row >= layout.shown_rows() && is_empty {
                continue;
            }
            let (text, mut style) = large(*look, colours);
            if cursor == Some((row, column)) {
                style = pen.alert().add_modifier(Modifier::REVERSED);
            }
            for line in 0..lines {
                // An empty cell has a dot in its middle.
                let text = if !is_empty {
                    text.repeat(lines)
                } else if line == lines / 2 {
                    let (width, rest) = (lines + 1, lines - 1);
                    format!("{text:>width$}{:rest$}", "")
                } else {
                    " ".repeat(scale)
                };
                pen.text((scale * column) as u16, (top + line) as u16, &text, style);
            }
        }
    }
}

fn large(look: CellLook, colours: Colours) -> (String, Style) {
    let letter = |piece: Option<Piece>| match (piece, colours.has_letters()) {
        (Some(piece), true) => letters(piece),
        (None, _) if !colours.has_colours() => "##".to_owned(),
        _ => "  ".to_owned(),
    };
    match look {
        CellLook::Empty => (" ·".to_owned(), Style::new().fg(colours.dots())),
        CellLook::Settled(piece) => (letter(piece), filled(piece, colours)),
        CellLook::Falling(piece) => {
            let style = filled(Some(piece), colours);
            (letter(Some(piece)), style.add_modifier(Modifier::BOLD))
        }
        CellLook::Ghost(piece) => ("░░".to_owned(), Style::new().fg(colours.piece(Some(piece)))),
        CellLook::Hint(piece) => ("▒▒".to_owned(), Style::new().fg(colours.piece(Some(piece)))),
    }
}

/// The two characters of a cell of a piece.
pub(super) fn letters(piece: Piece) -> String {
    format!("{piece}{}", piece.letter().to_ascii_lowercase())
}

fn filled(piece: Option<Piece>, colours: Colours) -> Style {
    if colours.has_colours() {
        Style::new().fg(Color::Black).bg(colours.piece(piece))
    } else {
        Style::new()
    }
}

/// Draws cells whose height is an odd number of half lines; each character shows two half lines,
/// one above the other.
fn draw_odd(
    looks: &[Vec<CellLook>],
    cursor: Option<(usize, usize)>,
    layout: BoardLayout,
    pen: &mut Pen<'_>,
) {
    let colours = pen.colours();
    let scale = layout.scale;
    let lines = (looks.len() * scale).div_ceil(2);
    for line in 0..lines {
        let lower = 2 * (lines - 1 - line);
        for x in 0..layout.width * scale {
            let (column, across) = (x / scale, x % scale);
            let look = |half: usize| {
                let row = half / scale;
                let cell = looks.get(row)?[column];
                small(cell, cursor == Some((row, column)), colours)
            };
            let is_inside = lower / scale < layout.shown_rows();
            let middle = [lower, lower + 1].map(|half| half % scale == scale / 2);
            let (text, fore, back) = match (look(lower + 1), look(lower)) {
                // The dot of an empty cell is in its middle.
                (None, None) if is_inside && across == scale / 2 && middle.contains(&true) => {
                    ("·", colours.dots(), Color::Reset)
                }
                (None, None) => (" ", Color::Reset, Color::Reset),
                (Some(upper), None) => ("▀", upper, Color::Reset),
                (None, Some(lower)) => ("▄", lower, Color::Reset),
                // Without colours, two halves that look the same form one block.
                (Some(upper), Some(lower)) if upper == lower => ("█", upper, Color::Reset),
                (Some(upper), Some(lower)) => ("▀", upper, lower),
            };
            pen.put(x as u16, line as u16, text, fore, back);
        }
    }
}

fn small(look: CellLook, is_cursor: bool, colours: Colours) -> Option<Color> {
    match look {
        _ if is_cursor => Some(colours.alert()),
        CellLook::Empty => None,
        CellLook::Settled(piece) => Some(colours.piece(piece)),
        CellLook::Falling(piece) => Some(colours.piece(Some(piece))),
        CellLook::Ghost(_) => Some(colours.dots()),
        CellLook::Hint(_) => Some(colours.faint()),
    }
}
