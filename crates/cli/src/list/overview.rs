//! Short lists: names only, or one line per part.

use super::{ListedPart, PartKind, common_settings, settings_table};
use crate::output::{line, print_table};
use tetrolab::report::{WIDTH, wrap};

/// The indentation of names below their kind.
const INDENT: usize = 2;

/// Prints the names of all parts, kind by kind.
pub(super) fn of_all(kinds: &[PartKind]) -> anyhow::Result<()> {
    for kind in kinds {
        let rows = kind.parts();
        line(&format!("{} ({})", kind.name, rows.len()))?;
        let names: Vec<&str> = rows.iter().map(|row| &*row.name).collect();
        for text in wrap(&names.join(", "), WIDTH - INDENT) {
            line(&format!("{:INDENT$}{text}", ""))?;
        }
    }
    Ok(line(
        "\n`tetrolab list KIND` prints one line per part, `tetrolab list NAME` prints everything about one\npart, and `tetrolab list --all` prints everything.",
    )?)
}

/// Prints a line for each part of a kind, followed by the settings that all of them share.
pub(super) fn of_kind(kind: &PartKind) -> anyhow::Result<()> {
    let rows = kind.parts();
    let names = rows.iter().map(|row| row.name.chars().count());
    let width = names.max().unwrap_or(0);
    for row in &rows {
        line(&one_line(row, width))?;
    }
    let common = common_settings(&rows);
    if !common.is_empty() {
        line("\nEach takes these settings:")?;
        print_table(&settings_table("setting", &common))?;
    }
    Ok(line(&format!(
        "\n`tetrolab list {} NAME` shows everything about one of them.",
        kind.name
    ))?)
}

/// A part on one line: its name, and as much of its definition as fits.
fn one_line(row: &ListedPart, width: usize) -> String {
    let room = WIDTH - width - INDENT;
    let mut text: String = row.definition.chars().take(room).collect();
    if row.definition.chars().count() > room {
        text.pop();
        text = text.trim_end().to_owned() + "…";
    }
    format!("{:width$}{:INDENT$}{text}", row.name, "")
        .trim_end()
        .to_owned()
}
