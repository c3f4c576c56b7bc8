//! What people and programs read: tables, numbers, JSON.

use serde_json::Value;
use std::io::{self, Write};

/// Prints one JSON value, indented, with a line end.
pub(crate) fn print_json(value: &Value) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, value)?;
    writeln!(out)
}

/// Prints one line of text.
pub(crate) fn line(text: &str) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{text}")
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

/// How a column of a table stands.
#[derive(Clone, Copy)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A table for the terminal: a heading, and rows of as many cells.
pub(crate) struct Table {
    columns: Vec<(&'static str, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(columns: &[(&'static str, Align)]) -> Table {
        Table {
            columns: columns.to_vec(),
            rows: Vec::new(),
        }
    }

    pub(crate) fn row(&mut self, cells: Vec<String>) {
        debug_assert_eq!(cells.len(), self.columns.len());
        self.rows.push(cells);
    }

    pub(crate) fn print(&self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let heads: Vec<String> = self
            .columns
            .iter()
            .map(|column| column.0.to_owned())
            .collect();
        let widths: Vec<usize> = (0..heads.len())
            .map(|index| {
                let cells = self.rows.iter().map(|row| row[index].chars().count());
                cells
                    .chain([heads[index].chars().count()])
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        for row in std::iter::once(&heads).chain(&self.rows) {
            let mut line = String::new();
            for ((cell, width), (_, align)) in row.iter().zip(&widths).zip(&self.columns) {
                let pad = " ".repeat(width - cell.chars().count());
                line += &match align {
                    Align::Left => format!("{cell}{pad}  "),
                    Align::Right => format!("{pad}{cell}  "),
                };
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn whole_numbers_have_no_point_in_json() {
        assert_eq!(number(44.0).to_string(), "44");
        assert_eq!(number(-0.5).to_string(), "-0.5");
        assert_eq!(number(f64::NAN).to_string(), "null");
    }
}
