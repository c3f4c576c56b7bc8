//! The kinds of tables.

use super::contest;
use super::described;
use super::lookahead;
use super::published::{Published, PublishedNumber};
use super::read;
use super::reproduction;
use super::runs;
use crate::experiments::{StageResult, kept_stage};
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
        ["seeds", curves, test] => runs::seeds(curves, test, experiments),
        ["progress", file, every] => runs::progress(file, every, experiments),
        ["courses", files @ ..] if !files.is_empty() => runs::courses(files, experiments),
        ["deaths", file, steps @ ..] if !steps.is_empty() => runs::deaths(file, steps, experiments),
        ["entries", file, count] => runs::entries(file, count, experiments),
        ["speeds", file] => runs::speeds(file, experiments),
        ["csv", file] => runs::csv(file, experiments),
        ["rows", section] => described::table(section, experiments),
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
    /// Games that were lost.
    pub(super) finished: u64,
    /// Pieces that were played for the result.
    pub(super) pieces_simulated: f64,
    /// Wall-clock time.
    pub(super) seconds: f64,
}

/// The rows of a result of `eval --json`, all of which have a mean and an interval.
pub(super) fn rows(file: &str, experiments: &Path) -> Result<Vec<ResultRow>, ReportError> {
    let rows = open_rows(file, experiments)?;
    let is_measured = |row: &ResultRow| row.mean.is_finite() && row.interval[1].is_finite();
    if !rows.iter().all(is_measured) {
        fail!("{file}: a result has no player, mean or interval");
    }
    Ok(rows)
}

/// Like [`rows`], for results with truncated games, whose means and intervals may be unknown (NaN).
pub(super) fn open_rows(file: &str, experiments: &Path) -> Result<Vec<ResultRow>, ReportError> {
    let json = results_json(file, experiments)?;
    let results = json["results"].as_array();
    let results = results.ok_or_else(|| ReportError(format!("{file}: 'results' is missing")))?;
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    let row = |result: &Value| {
        let lines = &result["lines"];
        Some(ResultRow {
            player: result["player"].as_str()?.to_owned(),
            ruleset: result["ruleset"].as_str().unwrap_or_default().to_owned(),
            games: result["games"].as_u64().unwrap_or_default(),
            decisions_per_second: result["decisions_per_second"].as_f64().unwrap_or(f64::NAN),
            largest: lines["max"].as_u64(),
            line_points: result["line_points"]["mean"].as_f64(),
            finished: result["finished"].as_u64().unwrap_or_default(),
            pieces_simulated: result["pieces_simulated"].as_f64().unwrap_or(f64::NAN),
            seconds: result["seconds"].as_f64().unwrap_or(f64::NAN),
            mean: number(&lines["mean"]),
            interval: [0, 1].map(|end| number(&lines["ci95"][end])),
        })
    };
    let whole = results.iter().map(row).collect::<Option<Vec<ResultRow>>>();
    whole.ok_or_else(|| ReportError(format!("{file}: a result has no player")))
}

/// The JSON of a file, or of a stage of an experiment: `reproduction/EXPERIMENT@STAGE`.
fn results_json(name: &str, experiments: &Path) -> Result<Value, ReportError> {
    let Some((folder, stage)) = name.split_once('@') else {
        return serde_json::from_str(&read(experiments, name)?).at(name);
    };
    let record = kept_stage(&experiments.join(folder), stage).at(name)?;
    match record.map(|record| record.result) {
        Some(StageResult::Evaluated(evaluated)) => serde_json::to_value(evaluated).at(name),
        Some(_) => fail!("{name}: not an evaluation"),
        None => fail!("{name}: the folder has no result of this stage"),
    }
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

/// The rows of several results, sorted by mean, highest first. If a player occurs several times,
/// only its first row is used.
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

/// The means of learned players; players of one learner differ in their seeds, which are at the end
/// of their names.
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

/// The median of sorted numbers; for an even number of them, the lower of the middle two.
pub(super) fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len().saturating_sub(1) / 2;
    sorted.get(middle).copied().unwrap_or(f64::NAN)
}

pub(super) fn interval(row: &ResultRow) -> String {
    let [low, high] = row.interval.map(show);
    format!("{low} to {high}")
}
