//! Prints texts, tables and JSON.

use serde_json::Value;
use std::io::{self, Write};
use tetrolab::report::{Table, WIDTH, harmless, harmless_json, wrap};

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

/// Prints a table.
pub(crate) fn print_table(table: &Table) -> io::Result<()> {
    io::stdout().lock().write_all(table.to_text().as_bytes())
}

/// Prints several lines of text.
pub(crate) fn print_lines(lines: &[String]) -> io::Result<()> {
    lines.iter().try_for_each(|text| line(text))
}

/// Prints a text on as many lines as it takes.
pub(crate) fn print_wrapped(text: &str) -> io::Result<()> {
    wrap(text, WIDTH).iter().try_for_each(|text| line(text))
}

/// The heading above the commands that repeat a result, or finish it.
pub(crate) fn again(interrupted: bool) -> &'static str {
    if interrupted {
        "\nTo finish:"
    } else {
        "\nAgain:"
    }
}
