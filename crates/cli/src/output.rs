//! Prints texts, tables and JSON.

use serde::Serialize;
use std::io::{self, Write};
use tetrolab::report::{Table, WIDTH, harmless, harmless_json, wrap};

/// Prints one JSON value, indented, with a line end.
pub(crate) fn print_json(value: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_string_pretty(value)?;
    writeln!(io::stdout().lock(), "{}", harmless_json(&text))
}

/// Writes a JSON value on its own line.
pub(crate) fn json_line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_string(value)?;
    writeln!(out, "{}", harmless_json(&text))
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

/// Prints a wrapped text.
pub(crate) fn print_wrapped(text: &str) -> io::Result<()> {
    wrap(text, WIDTH).iter().try_for_each(|text| line(text))
}

/// The width of names before texts.
const NAMES: usize = 12;

/// A wrapped text preceded by its name.
pub(crate) fn after_name(name: &str, text: &str) -> Vec<String> {
    let lines = wrap(text, WIDTH - NAMES).into_iter().enumerate();
    let name = |index| if index == 0 { name } else { "" };
    lines
        .map(|(index, text)| format!("{:NAMES$}{text}", name(index)))
        .collect()
}

/// The heading above the commands that repeat or finish a result.
pub(crate) fn again(interrupted: bool) -> &'static str {
    if interrupted {
        "\nTo finish:"
    } else {
        "\nAgain:"
    }
}

/// An error that names the source, if it does not already begin with it.
pub(crate) fn about(source: &str, error: anyhow::Error) -> anyhow::Error {
    if error.to_string().starts_with(source) {
        error
    } else {
        error.context(source.to_owned())
    }
}
