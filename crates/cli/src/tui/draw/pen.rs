//! Writes into a part of the screen, line by line.

use crate::tui::palette::Colours;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

/// A part of the screen, and the line to write next.
pub(super) struct Pen<'a> {
    buffer: &'a mut Buffer,
    area: Rect,
    colours: Colours,
    row: u16,
}

/// The maximum width of a name and its value.
const WIDEST_PAIR: u16 = 24;

/// A text of at most this many characters; if shortened, it ends with an ellipsis.
pub(super) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept = text.chars().take(most.saturating_sub(1));
    kept.chain((most > 0).then_some('…')).collect()
}

impl<'a> Pen<'a> {
    pub(super) fn new(buffer: &'a mut Buffer, area: Rect, colours: Colours) -> Pen<'a> {
        Pen {
            buffer,
            area,
            colours,
            row: 0,
        }
    }

    /// A part of this area, clipped to it.
    pub(super) fn part(&mut self, left: u16, top: u16, width: u16, height: u16) -> Pen<'_> {
        let area = Rect::new(self.area.x + left, self.area.y + top, width, height);
        let area = area.intersection(self.area);
        Pen::new(self.buffer, area, self.colours)
    }

    pub(super) fn size(&self) -> (u16, u16) {
        (self.area.width, self.area.height)
    }

    pub(super) fn colours(&self) -> Colours {
        self.colours
    }

    /// The style of secondary text.
    pub(super) fn faint(&self) -> Style {
        Style::new().fg(self.colours.faint())
    }

    /// The style of important text.
    pub(super) fn alert(&self) -> Style {
        Style::new().fg(self.colours.alert())
    }

    /// The number of rows left below.
    pub(super) fn rows_left(&self) -> u16 {
        self.area.height.saturating_sub(self.row)
    }

    /// Writes at a position, clipped; returns the column after the text.
    pub(super) fn text(&mut self, column: u16, row: u16, text: &str, style: Style) -> u16 {
        if row >= self.area.height || column >= self.area.width {
            return column;
        }
        let room = usize::from(self.area.width - column);
        let (x, y) = (self.area.x + column, self.area.y + row);
        let (end, _) = self.buffer.set_stringn(x, y, text, room, style);
        end - self.area.x
    }

    /// Writes at the right edge.
    pub(super) fn text_right(&mut self, row: u16, text: &str, style: Style) {
        let length = text.chars().count() as u16;
        let column = self.area.width.saturating_sub(length + 1);
        self.text(column, row, text, style);
    }

    /// Writes the next line.
    pub(super) fn line(&mut self, text: &str, style: Style) {
        let row = self.row;
        self.text(1, row, text, style);
        self.row += 1;
    }

    /// Leaves a line empty, except at the top.
    pub(super) fn gap(&mut self) {
        self.row += u16::from(self.row > 0);
    }

    /// Writes a heading.
    pub(super) fn heading(&mut self, text: &str) {
        self.gap();
        let style = Style::new().fg(self.colours.heading());
        self.line(text, style.add_modifier(Modifier::BOLD));
    }

    /// Writes a text on at most this many lines; the rest is cut.
    pub(super) fn wrapped(&mut self, text: &str, lines: usize) {
        let room = usize::from(self.area.width.saturating_sub(1)).max(1);
        let mut letters: Vec<char> = text.chars().collect();
        for _ in 1..lines {
            if letters.len() <= room {
                break;
            }
            // Specs are broken after a parenthesis or a comma.
            let end = letters[..room]
                .iter()
                .rposition(|letter| "(,".contains(*letter));
            let rest = letters.split_off(end.map_or(room, |end| end + 1));
            self.line(&letters.iter().collect::<String>(), Style::new());
            letters = rest;
        }
        let text = letters.iter().collect::<String>();
        self.line(&shortened(&text, room), Style::new());
    }

    /// Writes a name at the left edge and a value at the right edge.
    pub(super) fn pair(&mut self, name: &str, value: &str) {
        let (row, faint) = (self.row, self.faint());
        self.text(1, row, name, faint);
        let length = value.chars().count() as u16;
        // In a wide panel the value stays near its name, in a narrow one the two are kept apart.
        let right = self.area.width.min(WIDEST_PAIR).saturating_sub(length);
        let left = 2 + name.chars().count() as u16;
        self.text(right.max(left), row, value, Style::new());
        self.row += 1;
    }

    /// Reserves this many rows for custom drawing; returns the first.
    pub(super) fn take_rows(&mut self, rows: u16) -> u16 {
        let row = self.row;
        self.row += rows;
        row
    }

    /// Writes a character with a style.
    pub(super) fn put(&mut self, column: u16, row: u16, text: &str, fore: Color, back: Color) {
        self.text(column, row, text, Style::new().fg(fore).bg(back));
    }
}
