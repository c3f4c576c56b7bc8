//! Tables of learning runs, their progress and their tests, and of other raw results: traced
//! deaths, speeds, and CSV files written by commands.

use super::contest::contestants;
use super::tables::interval;
use super::{curve_file, curve_of, read, stem};
use crate::learning::export::GenerationRow;
use crate::report::error::{At, ReportError, fail};
use crate::report::{Align, Table, show, show_count};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The training seeds of one learner: the best of its generations, when it was reached, and the
/// test of the player on other games.
pub(super) fn seeds(curves: &str, test: &str, experiments: &Path) -> Result<String, ReportError> {
    let all = contestants(&[test], experiments)?;
    let [one] = all.as_slice() else {
        fail!("{test}: expected the players of one learner");
    };
    let mut table = Table::new(&[
        ("training seed", Align::Right),
        ("best evaluation while training", Align::Right),
        ("at placement", Align::Right),
        ("seconds", Align::Right),
        ("mean lines, unseen games", Align::Right),
        ("95 % interval", Align::Left),
    ]);
    for (seed, test) in &one.tests {
        let rows = curve_of(experiments, curves, &one.learner, *seed)?;
        let best = rows.iter().map(|row| row.best).reduce(f64::max);
        let Some(best) = best else {
            fail!("{curves}: {}-{seed} has no generations", one.learner);
        };
        let until = rows.iter().position(|row| row.best == best).unwrap_or(0);
        let seconds: f64 = rows.iter().map(|row| row.seconds).sum();
        table.row(vec![
            seed.to_string(),
            show(best),
            show_count(pieces(&rows[..=until])),
            show(seconds),
            show(test.mean),
            interval(test),
        ]);
    }
    Ok(table.to_markdown())
}

fn pieces(rows: &[GenerationRow]) -> u64 {
    rows.iter().map(|row| row.pieces).sum()
}

/// Every n-th generation of a run whose fitness is the logarithm of the mean lines.
pub(super) fn progress(file: &str, every: &str, experiments: &Path) -> Result<String, ReportError> {
    let every: usize = every.parse().at(every)?;
    let rows = curve_file(&experiments.join(file))?;
    let mut table = Table::new(&[
        ("boards", Align::Right),
        ("seconds", Align::Right),
        ("mean lines", Align::Right),
    ]);
    for (place, row) in rows.iter().enumerate() {
        if place > 0 && !(place + 1).is_multiple_of(every) {
            continue;
        }
        let so_far = &rows[..=place];
        let seconds: f64 = so_far.iter().map(|row| row.seconds).sum();
        table.row(vec![
            show(pieces(so_far) as f64),
            show(seconds),
            show(row.best.exp()),
        ]);
    }
    Ok(table.to_markdown())
}

/// Learning runs from their first generation to their last.
pub(super) fn courses(files: &[&str], experiments: &Path) -> Result<String, ReportError> {
    let mut table = Table::new(&[
        ("learner", Align::Left),
        ("generations", Align::Right),
        ("games", Align::Right),
        ("mean fitness, first generation", Align::Right),
        ("last generation", Align::Right),
        ("best of the last", Align::Right),
        ("seconds", Align::Right),
    ]);
    for file in files {
        let rows = curve_file(&experiments.join(file))?;
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
            fail!("{file}: has no generations");
        };
        table.row(vec![
            format!("`{}`", stem(file)),
            rows.len().to_string(),
            show_count(rows.iter().map(|row| row.games).sum()),
            show(first.mean),
            show(last.mean),
            show(last.best),
            show(rows.iter().map(|row| row.seconds).sum()),
        ]);
    }
    Ok(table.to_markdown())
}

/// Means over the deaths of `deaths --json` at some steps, which are numbered from 1: how rare such
/// a board is, its rows with cells, the number of these rows that lack one cell, and its holes.
pub(super) fn deaths(
    file: &str,
    steps: &[&str],
    experiments: &Path,
) -> Result<String, ReportError> {
    let json: Value = serde_json::from_str(&read(experiments, file)?).at(file)?;
    let deaths = json["deaths"].as_array();
    let deaths = deaths.ok_or_else(|| ReportError(format!("{file}: 'deaths' is missing")))?;
    let mut table = Table::new(&[
        ("step", Align::Right),
        ("once in ... pieces", Align::Right),
        ("rows with cells", Align::Right),
        ("of them with one cell missing", Align::Right),
        ("holes", Align::Right),
    ]);
    for name in steps {
        let step: usize = name.parse().at(name)?;
        let boards: Option<Vec<(f64, [f64; 3])>> = deaths
            .iter()
            .map(|death| death_step(&death["steps"][step.checked_sub(1)?]))
            .collect();
        let Some(boards) = boards.filter(|boards| !boards.is_empty()) else {
            fail!("{file}: a death has no step {step}");
        };
        let count = boards.len() as f64;
        // Deaths are compared by the logarithms of their rates.
        let rarity = (boards.iter().map(|board| -board.0.ln()).sum::<f64>() / count).exp();
        let mean = |part: usize| boards.iter().map(|board| board.1[part]).sum::<f64>() / count;
        let means = [0, 1, 2].map(|part| format!("{:.1}", mean(part)));
        let first = [step.to_string(), show(rarity)];
        table.row([&first[..], &means].concat());
    }
    Ok(table.to_markdown())
}

/// The rate of a step of a death and the three counts of its board.
fn death_step(step: &Value) -> Option<(f64, [f64; 3])> {
    let rate = step["rate"].as_f64()?;
    let rows: Option<Vec<&str>> = step["board"]
        .as_array()?
        .iter()
        .map(Value::as_str)
        .collect();
    let rows = rows?;
    let filled = |row: &&&str| row.contains('#');
    let lacks_one = |row: &&&str| row.matches('.').count() == 1;
    let rows_with = rows.iter().filter(filled).count();
    let nearly = rows.iter().filter(filled).filter(lacks_one).count();
    let holes: usize = (0..rows.first()?.len())
        .map(|column| holes(&rows, column))
        .sum();
    Some((rate, [rows_with, nearly, holes].map(|count| count as f64)))
}

/// The empty cells of a column below its top; rows are given from the top.
fn holes(rows: &[&str], column: usize) -> usize {
    let cells = rows.iter().map(|row| row.as_bytes()[column] == b'#');
    let below_top = cells.skip_while(|filled| !filled);
    below_top.filter(|filled| !filled).count()
}

/// The entries of lookup tables, from `tables --json`, that add most to the score or subtract most
/// from it.
pub(super) fn entries(file: &str, count: &str, experiments: &Path) -> Result<String, ReportError> {
    let count: usize = count.parse().at(count)?;
    let json: Value = serde_json::from_str(&read(experiments, file)?).at(file)?;
    let mut entries: Vec<(f64, [&str; 2], f64)> = Vec::new();
    for table in json["tables"].as_array().into_iter().flatten() {
        let (best, worst) = (table["best"].as_array(), table["worst"].as_array());
        for entry in best.into_iter().chain(worst).flatten() {
            let texts = table["table"].as_str().zip(entry["entry"].as_str());
            let numbers = entry["adds"].as_f64().zip(entry["share"].as_f64());
            let (Some((table, entry)), Some((adds, share))) = (texts, numbers) else {
                fail!("{file}: an entry has no text or no numbers");
            };
            entries.push((adds, [table, entry], share));
        }
    }
    if entries.is_empty() {
        fail!("{file}: has no entries");
    }
    entries.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    let mut table = Table::new(&[
        ("table", Align::Left),
        ("entry", Align::Left),
        ("adds", Align::Right),
        ("on boards", Align::Right),
    ]);
    for (adds, [kind, entry], share) in entries.into_iter().take(count) {
        table.row(vec![
            format!("`{kind}`"),
            entry.to_owned(),
            format!("{adds:+.2}"),
            format!("{:.2} %", 100.0 * share),
        ]);
    }
    Ok(table.to_markdown())
}

/// Decisions per second of the workloads of `bench --json`, by the general path and by a kernel.
pub(super) fn speeds(file: &str, experiments: &Path) -> Result<String, ReportError> {
    let json: Value = serde_json::from_str(&read(experiments, file)?).at(file)?;
    let mut order: Vec<&str> = Vec::new();
    let mut speeds: BTreeMap<(&str, &str), f64> = BTreeMap::new();
    for workload in json["workloads"].as_array().into_iter().flatten() {
        let text = |key: &str| workload[key].as_str();
        let speed = workload["decisions_per_second"].as_f64();
        let (Some(name), Some(path), Some(speed)) = (text("name"), text("path"), speed) else {
            fail!("{file}: a workload has no name, path or speed");
        };
        if !order.contains(&name) {
            order.push(name);
        }
        speeds.insert((name, path), speed);
    }
    let mut table = Table::new(&[
        ("workload", Align::Left),
        ("general", Align::Right),
        ("kernel", Align::Right),
    ]);
    for name in order {
        let speed = |path| {
            let speed = speeds.get(&(name, path));
            speed.map_or("–".to_owned(), |speed| show_count(speed.round() as u64))
        };
        table.row(vec![format!("`{name}`"), speed("general"), speed("kernel")]);
    }
    Ok(table.to_markdown())
}

/// A table that a command wrote as CSV; the headings are on its first line. Cells without a letter
/// are numbers.
pub(super) fn csv(file: &str, experiments: &Path) -> Result<String, ReportError> {
    let text = read(experiments, file)?;
    let lines = text.lines().filter(|line| !line.is_empty());
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let Some((heads, rows)) = rows.split_first() else {
        fail!("{file}: is empty");
    };
    if let Some(row) = rows.iter().find(|row| row.len() != heads.len()) {
        fail!(
            "{file}: '{}' has a different number of cells",
            row.join(",")
        );
    }
    let is_text = |column: usize| {
        let mut cells = rows.iter().map(|row| row[column]);
        cells.any(|cell| cell.chars().any(char::is_alphabetic))
    };
    let columns = heads.iter().enumerate().map(|(column, head)| {
        let align = if is_text(column) {
            Align::Left
        } else {
            Align::Right
        };
        (*head, align)
    });
    let mut table = Table::new(&columns.collect::<Vec<_>>());
    for row in rows {
        table.row(row.iter().map(|cell| grouped(cell)).collect());
    }
    Ok(table.to_markdown())
}

/// An integer with its thousands separated; any other cell unchanged.
fn grouped(cell: &str) -> String {
    cell.parse::<u64>()
        .map_or_else(|_| cell.to_owned(), show_count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_empty_cells_below_the_top_of_a_column() {
        let rows = ["#..", "#.#", ".##", "#.."];
        assert_eq!([0, 1, 2].map(|column| holes(&rows, column)), [1, 1, 1]);
        assert_eq!(holes(&["...", "..."], 0), 0);
    }

    #[test]
    fn numbers_of_a_csv_file_end_at_the_right() {
        let folder = tempfile::tempdir().unwrap();
        let write = |text: &str| std::fs::write(folder.path().join("a.csv"), text).unwrap();
        write("player,games\nbcts,12000\n");
        let table = csv("a.csv", folder.path()).unwrap();
        assert_eq!(table, "| player | games |\n|---|--:|\n| bcts | 12,000 |\n");
        write("player,games\nbcts\n");
        let error = csv("a.csv", folder.path()).unwrap_err().to_string();
        assert_eq!(error, "a.csv: 'bcts' has a different number of cells");
    }
}
