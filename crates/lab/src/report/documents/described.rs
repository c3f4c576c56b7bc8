//! Tables whose rows and columns are described in `experiments/tables.toml`: names by hand, every
//! number from a raw result.
//!
//! ```toml
//! [wary-boards]
//! columns = [["board", "text 1"], ["`wary-20`", "mean 1"], ["ratio", "ratio 1 2"]]
//! rows = [
//!     { text = ["10x12"], of = ["danger/wary-20.json", "reproduction/wary@misakamm-10x12"] },
//! ]
//! ```
//!
//! A result is `FILE` or `reproduction/EXPERIMENT@STAGE`, followed by a player if there are
//! several; `A + B` pools two. `published EXPERIMENT: ARM` is a published mean, and an empty text
//! leaves the cell empty.

use super::lookahead::{joint_difference, pooled};
use super::published::published_mean;
use super::read;
use super::tables::{ResultRow, interval, open_rows};
use crate::report::error::{At, ReportError, fail};
use crate::report::{Align, Table, show, show_count};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The file that describes the tables.
const TABLES: &str = "tables.toml";

/// One table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RowTable {
    /// The heading of each column, and what the column shows.
    columns: Vec<[String; 2]>,
    rows: Vec<RowOf>,
}

/// One row.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RowOf {
    #[serde(default)]
    text: Vec<String>,
    #[serde(default)]
    of: Vec<String>,
}

/// A number that a row refers to.
enum Named {
    Measured(Box<ResultRow>),
    Published(String),
    Nothing,
}

/// The table of a section, in Markdown.
pub(super) fn table(section: &str, experiments: &Path) -> Result<String, ReportError> {
    let tables: BTreeMap<String, RowTable> =
        toml::from_str(&read(experiments, TABLES)?).at(TABLES)?;
    let Some(described) = tables.get(section) else {
        fail!("{TABLES} has no section '{section}'");
    };
    let columns = described.columns.iter();
    let columns: Vec<(&str, Align)> = columns.map(|[head, what]| (&**head, align(what))).collect();
    let mut table = Table::new(&columns);
    for (number, row) in described.rows.iter().enumerate() {
        let place = || format!("{TABLES}, {section}, row {}", number + 1);
        let of = row.of.iter().map(|name| named(name, experiments));
        let of = of.collect::<Result<Vec<_>, _>>().at(place())?;
        let columns = described.columns.iter();
        let cells = columns.map(|[_, what]| cell(what, &row.text, &of));
        table.row(cells.collect::<Result<_, _>>().at(place())?);
    }
    Ok(table.to_markdown())
}

/// Texts and intervals are aligned left, numbers right.
fn align(what: &str) -> Align {
    match what.split(' ').next() {
        Some("text" | "interval") => Align::Left,
        _ => Align::Right,
    }
}

/// The result, or the published number, with a name.
fn named(name: &str, experiments: &Path) -> Result<Named, ReportError> {
    if name.is_empty() {
        return Ok(Named::Nothing);
    }
    if let Some(number) = name.strip_prefix("published ") {
        let place = number.split_once(": ");
        let found = place.and_then(|(experiment, arm)| published_mean(experiment, arm));
        return match found {
            Some(number) => Ok(Named::Published(number)),
            None => fail!("there is no published mean '{number}'"),
        };
    }
    let parts = name.split(" + ").map(|part| result(part, experiments));
    let mut all = pooled(parts.collect::<Result<_, _>>()?);
    match (all.pop(), all.is_empty()) {
        (Some(one), true) => Ok(Named::Measured(Box::new(one))),
        _ => fail!("'{name}' has results of several players or boards"),
    }
}

/// The only result in a file, or the result of one of its players.
fn result(name: &str, experiments: &Path) -> Result<ResultRow, ReportError> {
    let (file, player) = match name.split_once(' ') {
        Some((file, player)) => (file, Some(player)),
        None => (name, None),
    };
    let mut all = open_rows(file, experiments)?;
    all.retain(|row| player.is_none_or(|player| row.player == player));
    match (all.pop(), all.is_empty()) {
        (Some(one), true) => Ok(one),
        (None, _) => fail!(
            "{file} has no result of the player {}",
            player.unwrap_or("?")
        ),
        (Some(_), false) => fail!("{file} has several results: name a player after the file"),
    }
}

/// The cell of a column: `what` consists of a word and the numbers of the texts or results that it
/// needs.
fn cell(what: &str, text: &[String], of: &[Named]) -> Result<String, ReportError> {
    let mut words = what.split(' ');
    let kind = words.next().unwrap_or_default();
    let places = words.map(|word| word.parse::<usize>().ok()?.checked_sub(1));
    let places: Option<Vec<usize>> = places.collect();
    let Some(places) = places.filter(|places| !places.is_empty()) else {
        fail!("'{what}' is not a kind of cell and the numbers of its texts or results");
    };
    if kind == "text" {
        return Ok(text.get(places[0]).cloned().unwrap_or_default());
    }
    let mut found = Vec::new();
    for place in &places {
        match of.get(*place) {
            Some(Named::Measured(row)) => found.push(&**row),
            Some(Named::Published(number)) if kind == "mean" => return Ok(number.clone()),
            Some(Named::Published(_)) => return Ok("–".to_owned()),
            Some(Named::Nothing) => return Ok(String::new()),
            None => fail!("'{what}' needs more results than the row has"),
        }
    }
    let is_known = |row: &&ResultRow| row.mean.is_finite() && row.interval[1].is_finite();
    if !COUNTS.contains(&kind) && !found.iter().all(is_known) {
        fail!("'{what}' needs a mean with an interval, which a result does not have");
    }
    number(kind, &found)
}

/// The kinds of cells that do not need a mean.
const COUNTS: [&str; 5] = ["games", "lost", "max", "pieces", "seconds"];

/// A number of one result, or of two.
fn number(kind: &str, of: &[&ResultRow]) -> Result<String, ReportError> {
    Ok(match (kind, of) {
        ("mean", [row]) => show(row.mean),
        ("exact", [row]) => format!("{:.3}", row.mean),
        ("interval", [row]) => interval(row),
        ("games", [row]) => show_count(row.games),
        ("lost", [row]) => format!("{}/{}", row.finished, row.games),
        ("max", [row]) => row.largest.map_or("–".to_owned(), show_count),
        ("pieces", [row]) => show(row.pieces_simulated),
        ("seconds", [row]) => show(row.seconds),
        ("ratio", [a, b]) => show(a.mean / b.mean),
        ("joint", [a, b]) => format!("{:+.2}", joint_difference(a, b)),
        ("off", [a, b]) => {
            let off = 100.0 * (a.mean / b.mean - 1.0);
            let error = 100.0 * standard_error(a).hypot(standard_error(b));
            format!("{off:+.2} % ± {error:.2}")
        }
        _ => fail!("there is no cell '{kind}' of {} results", of.len()),
    })
}

/// The standard error of a mean, relative to it.
fn standard_error(row: &ResultRow) -> f64 {
    let [low, high] = row.interval;
    (high - low) / (2.0 * 1.96 * row.mean)
}
