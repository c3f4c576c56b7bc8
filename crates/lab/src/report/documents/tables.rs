//! The kinds of tables.

use super::contest;
use super::lookahead;
use super::published::{Published, PublishedNumber};
use super::read;
use super::reproduction;
use crate::report::error::{At, ReportError, fail};
use crate::report::{Align, Table, show};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The table of a directive, in Markdown.
pub(super) fn table(words: &[&str], experiments: &Path) -> Result<String, ReportError> {
    match words {
        ["standings", section, files @ ..] if !files.is_empty() => {
            standings(&Published::section(section)?, files, experiments)
        }
        ["boards", pairs @ ..] if !pairs.is_empty() && pairs.len().is_multiple_of(2) => {
            boards(pairs, experiments)
        }
        ["timed", section, files @ ..] if !files.is_empty() => {
            lookahead::timed(&Published::section(section)?, files, experiments)
        }
        ["plies", files @ ..] if !files.is_empty() => lookahead::plies(files, experiments),
        ["agreement", files @ ..] if !files.is_empty() && files.len().is_multiple_of(2) => {
            lookahead::agreement(files, experiments)
        }
        ["contest", curves, files @ ..] if !files.is_empty() => {
            contest::table(curves, files, experiments)
        }
        ["reproduction", folder] => reproduction::body(&experiments.join(folder)),
        ["learners", test, pieces] => learners(test, pieces, experiments),
        [kind, ..] => fail!("there is no table '{kind}' with these files"),
        [] => fail!("its kind is missing"),
    }
}

/// The mean of one player in one evaluation.
pub(super) struct ResultRow {
    pub(super) player: String,
    pub(super) ruleset: String,
    /// Number of whole games; `None` if the mean is an estimate by splitting.
    pub(super) games: u64,
    pub(super) mean: f64,
    pub(super) interval: [f64; 2],
    pub(super) decisions_per_second: f64,
    /// The lines of the largest game.
    pub(super) largest: Option<u64>,
    /// The mean of the points for lines.
    pub(super) line_points: Option<f64>,
}

/// The rows of a result of `eval --json`.
pub(super) fn rows(file: &str, experiments: &Path) -> Result<Vec<ResultRow>, ReportError> {
    let json: Value = serde_json::from_str(&read(experiments, file)?).at(file)?;
    let results = json["results"].as_array();
    let results = results.ok_or_else(|| ReportError(format!("{file}: 'results' is missing")))?;
    let row = |result: &Value| {
        let lines = &result["lines"];
        Some(ResultRow {
            player: result["player"].as_str()?.to_owned(),
            ruleset: result["ruleset"].as_str().unwrap_or_default().to_owned(),
            games: result["games"].as_u64().unwrap_or_default(),
            decisions_per_second: result["decisions_per_second"].as_f64().unwrap_or(f64::NAN),
            largest: lines["max"].as_u64(),
            line_points: result["line_points"]["mean"].as_f64(),
            mean: lines["mean"].as_f64()?,
            interval: [lines["ci95"][0].as_f64()?, lines["ci95"][1].as_f64()?],
        })
    };
    let whole = results.iter().map(row).collect::<Option<Vec<ResultRow>>>();
    whole.ok_or_else(|| ReportError(format!("{file}: a result has no player, mean or interval")))
}

/// The rows of several results.
pub(super) fn rows_of(files: &[&str], experiments: &Path) -> Result<Vec<ResultRow>, ReportError> {
    let rows = files.iter().map(|file| rows(file, experiments));
    Ok(rows
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .flatten()
        .collect())
}

/// The rows of several results, the highest mean first. A player that occurs several times counts
/// once, by its first row.
pub(super) fn ranked_rows(
    files: &[&str],
    experiments: &Path,
) -> Result<Vec<ResultRow>, ReportError> {
    let mut all: Vec<ResultRow> = Vec::new();
    for row in rows_of(files, experiments)? {
        if all.iter().all(|other| other.player != row.player) {
            all.push(row);
        }
    }
    all.sort_by(|a, b| b.mean.total_cmp(&a.mean));
    Ok(all)
}

/// Players with their means, best first, next to published numbers.
fn standings(
    published: &Published,
    files: &[&str],
    experiments: &Path,
) -> Result<String, ReportError> {
    let all = ranked_rows(files, experiments)?;
    let mut table = Table::new(&[
        ("player", Align::Left),
        ("mean lines", Align::Right),
        ("95 % interval", Align::Left),
        ("published", Align::Right),
        ("by", Align::Left),
    ]);
    for row in &all {
        let PublishedNumber {
            label,
            lines,
            source,
        } = published.of(&row.player);
        let name = label.unwrap_or(format!("`{}`", row.player));
        table.row(vec![name, show(row.mean), interval(row), lines, source]);
    }
    Ok(table.to_markdown())
}

/// The same players on several boards, each with its published numbers.
fn boards(pairs: &[&str], experiments: &Path) -> Result<String, ReportError> {
    let mut head = String::from("| player |");
    let mut rule = String::from("|---|");
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let mut order = Vec::new();
    for pair in pairs.chunks(2) {
        let (section, file) = (pair[0], pair[1]);
        let published = Published::section(section)?;
        let board = section.rsplit('-').next().unwrap_or(section);
        head += &format!(" {board}: mean lines | 95 % interval | published |");
        rule += "--:|---|--:|";
        for row in rows(file, experiments)? {
            if !order.contains(&row.player) {
                order.push(row.player.clone());
            }
            let published = published.of(&row.player).lines;
            let cells = format!(" {} | {} | {published} |", show(row.mean), interval(&row));
            texts.entry(row.player).or_default().push_str(&cells);
        }
    }
    let row = |player: &String| format!("| `{player}` |{}\n", texts[player]);
    let rows: String = order.iter().map(row).collect();
    Ok(format!("{head}\n{rule}\n{rows}"))
}

/// The means of learned players; those of one learner differ in their seeds, which end their file
/// names.
fn learners(test: &str, pieces: &str, experiments: &Path) -> Result<String, ReportError> {
    let mut means: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for row in rows(test, experiments)? {
        let name = row.player.rsplit('/').next().unwrap_or_default();
        let learner = name.rsplit_once('-').map_or(name, |parts| parts.0);
        means.entry(learner.to_owned()).or_default().push(row.mean);
    }
    let mut spent: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for line in read(experiments, pieces)?.lines() {
        let cells: Vec<&str> = line.split(',').collect();
        let [learner, _, pieces] = cells[..] else {
            fail!("{pieces}: '{line}' is not learner,seed,pieces");
        };
        let number = pieces.parse().at(line)?;
        spent.entry(learner.to_owned()).or_default().push(number);
    }
    let mut all: Vec<(String, Vec<f64>)> = means.into_iter().collect();
    all.iter_mut().for_each(|row| row.1.sort_by(f64::total_cmp));
    all.sort_by(|a, b| median(&b.1).total_cmp(&median(&a.1)));
    let mut table = Table::new(&[
        ("learner", Align::Left),
        ("median of mean lines", Align::Right),
        ("range", Align::Left),
        ("pieces (median)", Align::Right),
    ]);
    for (learner, means) in &all {
        let mut spent = spent.remove(learner).unwrap_or_default();
        spent.sort_by(f64::total_cmp);
        let (least, most) = (means[0], means[means.len() - 1]);
        table.row(vec![
            format!("`{learner}`"),
            show(median(means)),
            format!("{} to {}", show(least), show(most)),
            show(median(&spent)),
        ]);
    }
    Ok(table.to_markdown())
}

/// The middle of sorted numbers; of an even number, the lower of the two.
pub(super) fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len().saturating_sub(1) / 2;
    sorted.get(middle).copied().unwrap_or(f64::NAN)
}

pub(super) fn interval(row: &ResultRow) -> String {
    let [low, high] = row.interval.map(show);
    format!("{low} to {high}")
}
