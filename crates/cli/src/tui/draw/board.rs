//! A board with its stack, the falling piece, its ghost and a hint.

use super::pen::Pen;
use crate::tui::app::{App, Editor};
use crate::tui::palette::Colours;
use crate::tui::seat::Seat;
use ratatui::style::{Color, Modifier, Style};
use tetrolab::core::piece::Piece;

/// How a cell looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CellLook {
    Empty,
    Settled(Option<Piece>),
    Falling(Piece),
    Ghost(Piece),
    Hint(Piece),
}

/// How large the board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoardLayout {
    width: usize,
    /// Rows inside the frame, the lowest ones.
    rows: usize,
    /// Rows above it, where pieces of stepped games come in; then the frame has no upper edge.
    above: usize,
    /// Whether two rows share a line.
    is_small: bool,
}

/// Rows above the board that are shown where there is room.
const MOST_ABOVE: usize = 2;

impl BoardLayout {
    /// The largest layout that fits: two characters for a cell, or two cells in a character.
    pub(super) fn fitting(seat: &Seat, width: u16, height: u16) -> BoardLayout {
        let (columns, rows) = (seat.ruleset().width, seat.visible_rows());
        let (room, lines) = (usize::from(width), usize::from(height).saturating_sub(2));
        let is_small = rows > lines || 2 * columns + 2 > room;
        let most = if is_small { 2 * lines } else { lines };
        // The line of the upper edge is one of them.
        let above = match seat.ruleset().stepped() {
            Some(_) if !is_small => (lines - rows + 1).min(MOST_ABOVE),
            _ => 0,
        };
        BoardLayout {
            width: columns,
            rows: rows.min(most),
            above,
            is_small,
        }
    }

    /// Columns and lines of the screen, the frame included.
    pub(super) fn size(&self) -> (u16, u16) {
        let (columns, lines) = match self.is_small {
            true => (self.width, self.rows.div_ceil(2)),
            false => (2 * self.width, self.rows),
        };
        (columns as u16 + 2, (lines + 1 + self.above.max(1)) as u16)
    }
}

pub(super) fn draw(
    app: &App,
    seat: &Seat,
    editor: Option<&Editor>,
    layout: BoardLayout,
    pen: &mut Pen<'_>,
) {
    frame(layout, pen);
    let looks = looks(app, seat, editor, layout);
    let cursor = editor.map(|editor| editor.cursor);
    let edge = u16::from(layout.above == 0);
    let mut inside = {
        let (width, height) = pen.size();
        pen.part(
            1,
            edge,
            width.saturating_sub(2),
            height.saturating_sub(1 + edge),
        )
    };
    match layout.is_small {
        true => draw_small(&looks, cursor, &mut inside),
        false => draw_large(&looks, cursor, layout.rows, &mut inside),
    }
}

fn frame(layout: BoardLayout, pen: &mut Pen<'_>) {
    let (width, height) = pen.size();
    if width < 2 || height < 2 {
        return;
    }
    let style = Style::new().fg(pen.colours().faint());
    let bar = "─".repeat(usize::from(width) - 2);
    let top = layout.above as u16;
    if top == 0 {
        pen.text(0, 0, &format!("╭{bar}╮"), style);
    }
    for row in top.max(1)..height - 1 {
        pen.text(0, row, "│", style);
        pen.text(width - 1, row, "│", style);
    }
    pen.text(0, height - 1, &format!("╰{bar}╯"), style);
}

/// How every cell looks, from the bottom.
fn looks(
    app: &App,
    seat: &Seat,
    editor: Option<&Editor>,
    layout: BoardLayout,
) -> Vec<Vec<CellLook>> {
    let board = seat.game().board();
    let look = |row: usize, column: usize| match editor {
        Some(editor) if row < layout.rows && editor.is_filled(row, column) => {
            CellLook::Settled(None)
        }
        None if board.is_filled(row, column) => CellLook::Settled(seat.stack().piece(row, column)),
        _ => CellLook::Empty,
    };
    let row = |row| (0..layout.width).map(|column| look(row, column)).collect();
    let mut looks: Vec<Vec<CellLook>> = (0..layout.rows + layout.above).map(row).collect();
    if editor.is_some() {
        return looks;
    }
    let mut set = |row: usize, column: usize, look: CellLook, over: bool| {
        let cell = looks.get_mut(row).and_then(|cells| cells.get_mut(column));
        if let Some(cell) = cell.filter(|cell| over || **cell == CellLook::Empty) {
            *cell = look;
        }
    };
    if let Some(hint) = seat.hint {
        for (row, column) in hint.cells() {
            set(row, column, CellLook::Hint(hint.piece), false);
        }
    }
    if let Some(ghost) = seat.ghost().filter(|_| app.settings().ghost) {
        for (row, column) in ghost.cells() {
            set(row, column, CellLook::Ghost(ghost.piece), false);
        }
    }
    if let Some(falling) = seat.falling() {
        for (row, column) in falling.cells() {
            if let (Ok(row), Ok(column)) = (row.try_into(), column.try_into()) {
                set(row, column, CellLook::Falling(falling.piece), true);
            }
        }
    }
    looks
}

/// Two characters for a cell.
fn draw_large(
    looks: &[Vec<CellLook>],
    cursor: Option<(usize, usize)>,
    rows: usize,
    pen: &mut Pen<'_>,
) {
    let colours = pen.colours();
    for (row, cells) in looks.iter().enumerate() {
        let line = (looks.len() - 1 - row) as u16;
        for (column, look) in cells.iter().enumerate() {
            if row >= rows && *look == CellLook::Empty {
                continue;
            }
            let (text, mut style) = large(*look, colours);
            if cursor == Some((row, column)) {
                style = Style::new()
                    .fg(colours.alert())
                    .add_modifier(Modifier::REVERSED);
            }
            pen.text(2 * column as u16, line, &text, style);
        }
    }
}

fn large(look: CellLook, colours: Colours) -> (String, Style) {
    let letter = |piece: Option<Piece>| match (piece, colours.has_letters()) {
        (Some(piece), true) => format!("{}{}", piece.letter(), piece.letter().to_ascii_lowercase()),
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

fn filled(piece: Option<Piece>, colours: Colours) -> Style {
    match colours.has_colours() {
        true => Style::new().fg(Color::Black).bg(colours.piece(piece)),
        false => Style::new(),
    }
}

/// Two cells in a character, one above the other.
fn draw_small(looks: &[Vec<CellLook>], cursor: Option<(usize, usize)>, pen: &mut Pen<'_>) {
    let colours = pen.colours();
    let lines = looks.len().div_ceil(2);
    for line in 0..lines {
        let lower = 2 * (lines - 1 - line);
        for column in 0..looks[lower].len() {
            let look = |row: usize| match looks.get(row) {
                Some(cells) => small(cells[column], cursor == Some((row, column)), colours),
                None => None,
            };
            let (text, fore, back) = match (look(lower + 1), look(lower)) {
                (None, None) => ("·", colours.dots(), Color::Reset),
                (Some(upper), None) => ("▀", upper, Color::Reset),
                (None, Some(lower)) => ("▄", lower, Color::Reset),
                // Without colours two halves of the same colour are one block.
                (Some(upper), Some(lower)) if upper == lower => ("█", upper, Color::Reset),
                (Some(upper), Some(lower)) => ("▀", upper, lower),
            };
            pen.put(column as u16, line as u16, text, fore, back);
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
