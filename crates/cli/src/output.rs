//! What people and programs read: tables, numbers, JSON.

use serde_json::Value;
use std::borrow::Cow;
use std::io::{self, Write};

/// Whether a terminal would obey a character instead of showing it: control characters, and those that turn the direction of writing.
fn is_command(letter: char) -> bool {
    let turns = matches!(letter, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    letter.is_control() || turns
}

/// A text that a terminal shows and does not obey, whatever names from files are in it: only line breaks are left.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    let is_wrong = |letter: char| is_command(letter) && letter != '\n';
    escaped(text, is_wrong, |letter| letter.escape_default().to_string())
}

/// The same on one line: for names.
pub(crate) fn harmless_name(text: &str) -> Cow<'_, str> {
    escaped(text, is_command, |letter| {
        letter.escape_default().to_string()
    })
}

/// A JSON text without such characters: they stand in strings, where they can be written as numbers.
fn harmless_json(text: &str) -> Cow<'_, str> {
    let is_wrong = |letter: char| is_command(letter) && letter != '\n';
    escaped(text, is_wrong, |letter| {
        format!("\\u{:04x}", u32::from(letter))
    })
}

fn escaped(
    text: &str,
    is_wrong: impl Fn(char) -> bool,
    escape: impl Fn(char) -> String,
) -> Cow<'_, str> {
    if !text.contains(&is_wrong) {
        return Cow::Borrowed(text);
    }
    let mut whole = String::with_capacity(text.len());
    for letter in text.chars() {
        match is_wrong(letter) {
            true => whole.push_str(&escape(letter)),
            false => whole.push(letter),
        }
    }
    Cow::Owned(whole)
}

/// Prints one JSON value, indented, with a line end.
pub(crate) fn print_json(value: &Value) -> io::Result<()> {
    let text = serde_json::to_string_pretty(value)?;
    writeln!(io::stdout().lock(), "{}", harmless_json(&text))
}

/// Writes a JSON text on a line of its own.
pub(crate) fn json_line(out: &mut impl Write, json: &str) -> io::Result<()> {
    writeln!(out, "{}", harmless_json(json))
}

/// Prints one line of text.
pub(crate) fn line(text: &str) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{}", harmless(text))
}

/// Prints a text on as many lines as it takes.
pub(crate) fn print_wrapped(text: &str) -> io::Result<()> {
    wrap(text, WIDTH).iter().try_for_each(|text| line(text))
}

/// The heading above the commands that repeat a result, or finish it.
pub(crate) fn again(interrupted: bool) -> &'static str {
    match interrupted {
        true => "\nTo finish:",
        false => "\nAgain:",
    }
}

/// A number as JSON: whole numbers without a point, and `null` for what is not finite.
pub(crate) fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 9e15 {
        Value::from(value as i64)
    } else {
        Value::from(value)
    }
}

/// A mean for people: three or four digits that mean something, and the thousands set apart.
pub(crate) fn show(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        "?".to_owned()
    } else if size >= 9.9995e12 {
        format!("{value:.2e}")
    } else if size >= 9_999_500_000.0 {
        format!("{} G", show(value / 1e9))
    } else if size >= 9_999_500.0 {
        format!("{} M", show(value / 1e6))
    } else if size >= 999.5 {
        thousands(value.round() as u64)
    } else if size >= 99.95 {
        format!("{value:.0}")
    } else if size >= 9.995 {
        format!("{value:.1}")
    } else {
        format!("{value:.2}")
    }
}

/// A count with the thousands set apart: `1,234,567`.
pub(crate) fn thousands(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// How many characters a table with wrapped columns may be wide: as many as help has.
pub(crate) const WIDTH: usize = 100;
/// A wrapped column keeps room for this many characters: a long word, or two or three short ones.
const NARROWEST: usize = 16;

/// How a column of a table stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
    /// Left, and on several lines where the table would be too wide.
    Wrapped,
}

/// A table for the terminal: a heading, and rows of as many cells.
pub(crate) struct Table {
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(columns: &[(&str, Align)]) -> Table {
        let column = |&(head, align): &(&str, Align)| (head.to_owned(), align);
        Table {
            columns: columns.iter().map(column).collect(),
            rows: Vec::new(),
        }
    }

    pub(crate) fn row(&mut self, cells: Vec<String>) {
        debug_assert_eq!(cells.len(), self.columns.len());
        let cells = cells
            .into_iter()
            .map(|cell| harmless_name(&cell).into_owned());
        self.rows.push(cells.collect());
    }

    pub(crate) fn print(&self) -> io::Result<()> {
        io::stdout().lock().write_all(self.to_text().as_bytes())
    }

    /// The table as lines.
    pub(crate) fn to_text(&self) -> String {
        let heads: Vec<String> = self.columns.iter().map(|c| c.0.clone()).collect();
        let widths = self.widths();
        let rows = std::iter::once(&heads).chain(&self.rows);
        let lines = rows.flat_map(|row| self.lines(row, &widths));
        lines.map(|line| line + "\n").collect()
    }

    /// The widths of all columns: as wide as their cells, unless some are wrapped to make the table fit.
    fn widths(&self) -> Vec<usize> {
        let sizes = |column: usize| self.rows.iter().map(move |row| row[column].chars().count());
        let columns = self.columns.iter().enumerate();
        let natural = columns.map(|(index, (head, _))| sizes(index).fold(head.len(), usize::max));
        let mut widths: Vec<usize> = natural.collect();
        let gaps = 2 * widths.len().saturating_sub(1);
        let texts: Vec<usize> = (0..widths.len()).map(|k| sizes(k).sum()).collect();
        while widths.iter().sum::<usize>() + gaps > WIDTH {
            // A column loses where its cells fill it least: in the end each is as wide as it has text.
            let can_lose =
                |&k: &usize| self.columns[k].1 == Align::Wrapped && widths[k] > NARROWEST;
            let wrapped = (0..widths.len()).filter(can_lose);
            let filled = |&k: &usize| texts[k] as f64 / widths[k] as f64;
            match wrapped.min_by(|a, b| filled(a).total_cmp(&filled(b))) {
                Some(emptiest) => widths[emptiest] -= 1,
                None => break,
            }
        }
        widths
    }

    /// A row as lines, of which there are several if a cell is wrapped.
    fn lines(&self, row: &[String], widths: &[usize]) -> Vec<String> {
        let cells = row.iter().zip(widths);
        let cells: Vec<Vec<String>> = cells.map(|(cell, &width)| wrap(cell, width)).collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        let line = |number: usize| {
            let mut line = String::new();
            for ((cell, &width), (_, align)) in cells.iter().zip(widths).zip(&self.columns) {
                let text = cell.get(number).map_or("", String::as_str);
                line += &match align {
                    Align::Left | Align::Wrapped => format!("{text:width$}  "),
                    Align::Right => format!("{text:>width$}  "),
                };
            }
            line.trim_end().to_owned()
        };
        (0..height).map(line).collect()
    }
}

/// A text on lines of at most this many characters. They end after a blank or, for settings, a comma; a word that is longer than a
/// line is cut.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let (mut lines, mut used) = (vec![String::new()], 0);
    for word in text.split_inclusive([' ', ',']) {
        let letters = word.trim_end().chars().count();
        let begins_a_line = used > 0 && used + letters > width;
        for (index, letter) in word.chars().enumerate() {
            if (index == 0 && begins_a_line) || (used >= width && letter != ' ') {
                lines.push(String::new());
                used = 0;
            }
            lines.last_mut().expect("there is a line").push(letter);
            used += 1;
        }
    }
    let trimmed = lines.iter().map(|line| line.trim_end().to_owned());
    trimmed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        let text = "a\x1b[31mb\u{9b}2J\u{7f}\n\tc\u{202e}";
        assert_eq!(
            harmless(text),
            "a\\u{1b}[31mb\\u{9b}2J\\u{7f}\n\\tc\\u{202e}"
        );
        assert!(!harmless_name(text).contains('\n'));
        assert!(matches!(harmless("Ş · 5 %\n"), Cow::Borrowed(_)));
        let json = serde_json::to_string(&Value::from(text)).unwrap();
        let shown = harmless_json(&json);
        assert!(!shown.chars().any(is_command), "{shown}");
        let back: Value = serde_json::from_str(&shown).unwrap();
        assert_eq!(back, Value::from(text));
    }

    #[test]
    fn means_have_a_few_digits_and_thousands_apart() {
        let shown = [
            0.0,
            3.456,
            12.34,
            123.4,
            999.7,
            3877.2,
            1_234_567.0,
            31_600_000.0,
            2_345_000_000.0,
            1_443_706_000_000.0,
            5.79e16,
        ]
        .map(show);
        let expected = [
            "0.00",
            "3.46",
            "12.3",
            "123",
            "1,000",
            "3,877",
            "1,234,567",
            "31.6 M",
            "2,345 M",
            "1,444 G",
            "5.79e16",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn whole_numbers_have_no_point_in_json() {
        assert_eq!(number(44.0).to_string(), "44");
        assert_eq!(number(-0.5).to_string(), "-0.5");
        assert_eq!(number(f64::NAN).to_string(), "null");
    }

    #[test]
    fn long_texts_are_wrapped_at_blanks_and_after_commas() {
        assert_eq!(wrap("", 10), [""]);
        assert_eq!(wrap("exactly 10", 10), ["exactly 10"]);
        assert_eq!(wrap("a few words here", 8), ["a few", "words", "here"]);
        assert_eq!(wrap("[ga(size=5,step=1)]", 12), ["[ga(size=5,", "step=1)]"]);
        assert_eq!(wrap("Şimşekşimşek a", 6), ["Şimşek", "şimşek", "a"]);
    }

    #[test]
    fn wrapped_columns_share_the_room_that_there_is_by_how_much_they_say() {
        let [what, from] = ["what", "from"].map(|head| (head, Align::Wrapped));
        let mut table = Table::new(&[("name", Align::Left), what, from]);
        let words = |count: usize| "word ".repeat(count).trim_end().to_owned();
        (0..5).for_each(|_| table.row(vec!["x".repeat(14), words(40), words(20)]));
        table.row(vec!["y".to_owned(), words(1), words(80)]);
        let widths = table.widths();
        assert_eq!(widths.iter().sum::<usize>() + 4, WIDTH);
        assert!(widths[0] == 14 && widths[1] >= widths[2], "{widths:?}");
        let lines = table.lines(&table.rows[0], &widths);
        assert!(lines.len() > 3 && lines.iter().all(|line| line.len() <= WIDTH));
        assert!(lines[1].starts_with(&" ".repeat(16)));
    }
}
