//! Recordings of the terminal's output: asciicast, version 2.
//!
//! The first line is an object with the size and the title. Every other line is a list: the time in
//! seconds, "o" for output, and the output that turns the previous screen into this one.

use super::colours::{BACKGROUND, FOREGROUND, NAMED, named};
use super::look::{cell_at, printable};
use super::part_file::{PartFile, cannot_write};
use anyhow::Result;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Clears the screen and hides the cursor.
const START: &str = "\u{1b}[?25l\u{1b}[0m\u{1b}[2J";

/// The codes of text attributes.
const MODIFIERS: &[(Modifier, u8)] = &[
    (Modifier::BOLD, 1),
    (Modifier::DIM, 2),
    (Modifier::ITALIC, 3),
    (Modifier::UNDERLINED, 4),
    (Modifier::SLOW_BLINK, 5),
    (Modifier::RAPID_BLINK, 6),
    (Modifier::REVERSED, 7),
    (Modifier::HIDDEN, 8),
    (Modifier::CROSSED_OUT, 9),
];

/// A recording in progress. The file gets its name only when it is finished.
#[derive(Debug)]
pub(crate) struct CastFile {
    path: PathBuf,
    out: PartFile,
    columns: u16,
    rows: u16,
    /// The cells that the terminal shows.
    cells: Vec<Cell>,
    /// The current text style of the terminal.
    pen: CastPen,
    /// The time of the last screen.
    last: Duration,
}

/// A text style: foreground, background and attributes.
type CastPen = (Color, Color, Modifier);

/// The text style of a cell.
fn pen_of(cell: &Cell) -> CastPen {
    (cell.fg, cell.bg, cell.modifier)
}

impl CastFile {
    /// Begins a recording of screens of this size.
    pub(crate) fn create(path: &Path, width: u16, height: u16, title: &str) -> Result<CastFile> {
        let mut cast = CastFile {
            path: path.to_owned(),
            out: PartFile::create(path)?,
            columns: width,
            rows: height,
            cells: vec![Cell::EMPTY; usize::from(width) * usize::from(height)],
            pen: pen_of(&Cell::EMPTY),
            last: Duration::ZERO,
        };
        cast.write(&header(width, height, title))?;
        cast.event(Duration::ZERO, START)?;
        Ok(cast)
    }

    /// Adds a screen that was visible from this time on. Anything that does not fit is omitted.
    pub(crate) fn add(&mut self, screen: &Buffer, at: Duration) -> Result<()> {
        let changes = self.changes(screen);
        if changes.is_empty() {
            return Ok(());
        }
        self.event(at, &changes)
    }

    /// Shows the last screen until this time of the recording, then gives the file its name.
    pub(crate) fn finish(mut self, at: Duration) -> Result<()> {
        // Later output in the same terminal appears below, with a cursor.
        let end = format!("\u{1b}[0m\u{1b}[{};1H\u{1b}[?25h", self.rows);
        self.event(at, &end)?;
        self.out.finish()
    }

    /// The output that turns the previous screen into this one.
    fn changes(&mut self, screen: &Buffer) -> String {
        let mut data = String::new();
        for row in 0..self.rows {
            // The column in which the terminal writes next, if it is in this row.
            let mut cursor = None;
            for column in 0..self.columns {
                let index = usize::from(row) * usize::from(self.columns) + usize::from(column);
                let cell = cell_at(screen, column, row);
                if self.cells[index] == *cell {
                    continue;
                }
                self.cells[index] = cell.clone();
                data.push_str(&move_to(cursor, column, row));
                data.push_str(&change(self.pen, pen_of(cell)));
                self.pen = pen_of(cell);
                data.push_str(printable(cell));
                cursor = Some(column + 1);
            }
        }
        data
    }

    fn event(&mut self, at: Duration, data: &str) -> Result<()> {
        self.last = self.last.max(at);
        let seconds = (self.last.as_secs_f64() * 1000.0).round() / 1000.0;
        self.write(&json!([seconds, "o", data]))
    }

    fn write(&mut self, line: &Value) -> Result<()> {
        let written = writeln!(self.out, "{line}");
        written.map_err(|error| cannot_write(&self.path, &error))
    }
}

/// The first line. It contains our colours, so that players of the recording use them.
fn header(width: u16, height: u16, title: &str) -> Value {
    let palette: Vec<String> = NAMED.iter().map(|row| row.1.to_string()).collect();
    json!({
        "version": 2,
        "width": width,
        "height": height,
        "title": title,
        "env": { "TERM": "xterm-256color" },
        "theme": {
            "fg": FOREGROUND.to_string(),
            "bg": BACKGROUND.to_string(),
            "palette": palette.join(":"),
        },
    })
}

/// Moves the cursor; `cursor` is its column if it is already in the row.
fn move_to(cursor: Option<u16>, column: u16, row: u16) -> String {
    match cursor {
        Some(at) if at == column => String::new(),
        Some(at) => format!("\u{1b}[{}C", column - at),
        None => format!("\u{1b}[{};{}H", u32::from(row) + 1, u32::from(column) + 1),
    }
}

/// Changes the terminal's text style.
fn change(old: CastPen, new: CastPen) -> String {
    if old == new {
        return String::new();
    }
    let mut codes = Vec::new();
    // No code removes a single attribute on all terminals.
    let is_reset = !new.2.contains(old.2);
    codes.extend(is_reset.then(|| "0".to_owned()));
    let old = if is_reset { pen_of(&Cell::EMPTY) } else { old };
    let added = new.2.difference(old.2);
    let added = MODIFIERS.iter().filter(|row| added.contains(row.0));
    codes.extend(added.map(|row| row.1.to_string()));
    codes.extend((old.0 != new.0).then(|| colour_code(new.0, 30)));
    codes.extend((old.1 != new.1).then(|| colour_code(new.1, 40)));
    format!("\u{1b}[{}m", codes.join(";"))
}

/// The code of a colour: codes from 30 are for text, from 40 for the background.
fn colour_code(colour: Color, base: u8) -> String {
    match (colour, named(colour)) {
        (Color::Rgb(red, green, blue), _) => format!("{};2;{red};{green};{blue}", base + 8),
        (Color::Indexed(index), _) => format!("{};5;{index}", base + 8),
        (_, Some(index)) if index < 8 => (base + index).to_string(),
        (_, Some(index)) => (base + 60 + index - 8).to_string(),
        (_, None) => (base + 9).to_string(),
    }
}

#[cfg(test)]
mod tests;
