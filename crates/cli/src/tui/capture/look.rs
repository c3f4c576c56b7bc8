//! The appearance of a cell of the screen.

use super::colours::{BACKGROUND, FOREGROUND, Rgb};
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::Modifier;

/// The appearance outside of the screen.
static BLANK: Cell = Cell::EMPTY;

/// The appearance of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Look<'a> {
    pub(super) symbol: &'a str,
    pub(super) foreground: Rgb,
    pub(super) background: Rgb,
    pub(super) is_bold: bool,
    pub(super) is_underlined: bool,
}

impl<'a> Look<'a> {
    pub(super) fn of(cell: &'a Cell) -> Look<'a> {
        let has = |modifier| cell.modifier.contains(modifier);
        let mut foreground = Rgb::of(cell.fg, FOREGROUND);
        let mut background = Rgb::of(cell.bg, BACKGROUND);
        if has(Modifier::DIM) {
            foreground = foreground.towards(background, 2, 5);
        }
        if has(Modifier::REVERSED) {
            (foreground, background) = (background, foreground);
        }
        Look {
            symbol: printable(cell),
            foreground,
            background,
            is_bold: has(Modifier::BOLD),
            is_underlined: has(Modifier::UNDERLINED),
        }
    }

    /// The character that a picture shows.
    pub(super) fn character(&self) -> char {
        self.symbol.chars().next().unwrap_or(' ')
    }
}

/// The cell in this column and row, counted from the upper left of the screen; a blank one outside.
pub(super) fn cell_at(screen: &Buffer, column: u16, row: u16) -> &Cell {
    let x = screen.area.x.saturating_add(column);
    let y = screen.area.y.saturating_add(row);
    screen.cell((x, y)).unwrap_or(&BLANK)
}

/// The text of a cell; a blank for characters that terminals or XML do not accept.
pub(super) fn printable(cell: &Cell) -> &str {
    let is_text = |letter: char| !letter.is_control() && !matches!(letter, '\u{fffe}' | '\u{ffff}');
    match cell.symbol() {
        symbol if symbol.is_empty() || !symbol.chars().all(is_text) => " ",
        symbol => symbol,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::{Color, Style};

    fn look_of(style: Style) -> (Rgb, Rgb) {
        let mut cell = Cell::new("x");
        cell.set_style(style);
        let look = Look::of(&cell);
        (look.foreground, look.background)
    }

    #[test]
    fn reversed_cells_swap_their_colours() {
        let plain = Style::new().add_modifier(Modifier::REVERSED);
        assert_eq!(look_of(plain), (BACKGROUND, FOREGROUND));
        let red = plain.fg(Color::Red);
        assert_eq!(look_of(red), (BACKGROUND, Rgb(205, 0, 0)));
    }

    #[test]
    fn dim_text_is_closer_to_its_background() {
        let style = Style::new().fg(Color::Rgb(100, 100, 100)).bg(Color::Black);
        let dim = style.add_modifier(Modifier::DIM);
        assert_eq!(look_of(dim), (Rgb(60, 60, 60), Rgb(0, 0, 0)));
    }

    #[test]
    fn control_characters_are_blanks() {
        assert_eq!(printable(&Cell::new("\u{1b}")), " ");
        assert_eq!(printable(&Cell::new("")), " ");
        assert_eq!(printable(&Cell::new("é")), "é");
    }

    #[test]
    fn outside_of_the_screen_is_blank() {
        let screen = Buffer::with_lines(["ab"]);
        assert_eq!(cell_at(&screen, 1, 0).symbol(), "b");
        assert_eq!(cell_at(&screen, 2, 0).symbol(), " ");
        assert_eq!(cell_at(&screen, u16::MAX, u16::MAX).symbol(), " ");
    }
}
