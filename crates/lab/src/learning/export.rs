//! Generations and candidates of runs, as CSV and JSON for other programs.

use super::description::Learning;
#[cfg(feature = "store")]
pub use super::store::{RunTotals, candidates, generations, run_json, totals};
use super::template::{names_of_numbers, numbered};
use crate::library::find_ruleset;
use crate::number::fitness;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// An exported generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GenerationRow {
    /// The number of the run, starting at 1.
    pub run: u64,
    /// The number of the generation, starting at 1.
    pub generation: u64,
    /// The highest fitness.
    #[serde(deserialize_with = "fitness")]
    pub best: f64,
    /// The mean fitness.
    #[serde(deserialize_with = "fitness")]
    pub mean: f64,
    /// The spread of the candidates.
    pub spread: Option<f64>,
    /// The step size.
    pub sigma: Option<f64>,
    /// The eigenvalues of the covariance matrix.
    pub eigenvalues: Vec<f64>,
    /// The solution after the generation.
    pub solution: Vec<f64>,
    /// Number of games played.
    pub games: u64,
    /// Number of pieces placed.
    pub pieces: u64,
    /// Duration in seconds.
    pub seconds: f64,
}

/// An exported candidate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CandidateRow {
    /// The number of the run, starting at 1.
    pub run: u64,
    /// The number of the generation, starting at 1.
    pub generation: u64,
    /// The number of the candidate, starting at 1.
    pub candidate: u64,
    /// The fitness of the candidate.
    pub fitness: f64,
    /// The parameters of the candidate.
    pub vector: Vec<f64>,
}

/// Generations as CSV with a header. Every element of a vector has a column; those of the solution
/// have the names of the weights: `weight:holes`.
pub fn generations_csv(plan: &Learning, rows: &[GenerationRow]) -> String {
    let eigenvalues = rows.iter().map(|row| row.eigenvalues.len()).max();
    let eigenvalues = numbered("eigenvalue", eigenvalues.unwrap_or(0));
    let solution = names_of_solution(plan, rows);
    let vectors = [("solution", solution), ("eigenvalues", eigenvalues)];
    csv(&GENERATION_NUMBERS, &vectors, rows)
}

/// Candidates as CSV with a header; every weight has a column.
pub fn candidates_csv(plan: &Learning, rows: &[CandidateRow]) -> String {
    let vector = names(plan, rows.first().map(|row| &*row.vector));
    csv(&CANDIDATE_NUMBERS, &[("vector", vector)], rows)
}

/// The exported rows of a run among several.
pub struct ExportedRun<T> {
    /// The name of the run.
    pub name: String,
    /// The learner, as the run's list shows it.
    pub learner: String,
    /// The description of the run.
    pub plan: Learning,
    /// The generations or the candidates.
    pub rows: Vec<T>,
}

/// Generations of several runs as one table, like [`generations_csv`]. The last columns identify
/// the run: its name, learner and seed. A column that a run does not have is empty.
pub fn generations_of_runs_csv(runs: &[ExportedRun<GenerationRow>]) -> String {
    let one = |run: &ExportedRun<GenerationRow>| generations_csv(&run.plan, &run.rows);
    merged_csv(runs, one)
}

/// Candidates of several runs as one table, like [`candidates_csv`]. The last columns identify the
/// run: its name, learner and seed. A column that a run does not have is empty.
pub fn candidates_of_runs_csv(runs: &[ExportedRun<CandidateRow>]) -> String {
    let one = |run: &ExportedRun<CandidateRow>| candidates_csv(&run.plan, &run.rows);
    merged_csv(runs, one)
}

/// The tables of several runs below one another. Columns are matched by their names, in the order
/// in which they first occur.
fn merged_csv<T>(runs: &[ExportedRun<T>], table_of: impl Fn(&ExportedRun<T>) -> String) -> String {
    let tables: Vec<String> = runs.iter().map(table_of).collect();
    let heads_of = |table: &str| heads(table.lines().next().unwrap_or_default());
    let mut columns: Vec<String> = Vec::new();
    let mut places = BTreeMap::new();
    for head in tables.iter().flat_map(|table| heads_of(table)) {
        places.entry(head.clone()).or_insert_with(|| {
            columns.push(head);
            columns.len() - 1
        });
    }
    let of_run = ["name", "learner", "seed"];
    let mut text = columns.join(",") + "," + &of_run.join(",") + "\n";
    for (run, table) in runs.iter().zip(&tables) {
        let own: Vec<usize> = heads_of(table).iter().map(|head| places[head]).collect();
        let seed = run.plan.seed.to_string();
        let identity = [quoted(run.name.clone()), quoted(run.learner.clone()), seed].join(",");
        for line in table.lines().skip(1) {
            let mut cells = vec![""; columns.len()];
            for (&place, cell) in own.iter().zip(line.split(',')) {
                cells[place] = cell;
            }
            text += &(cells.join(",") + "," + &identity + "\n");
        }
    }
    text
}

/// The cells of a header, which may contain commas in quotes.
fn heads(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut is_quoted = false;
    for letter in line.chars() {
        is_quoted ^= letter == '"';
        match cells.last_mut() {
            Some(cell) if letter != ',' || is_quoted => cell.push(letter),
            _ => cells.push(String::new()),
        }
    }
    cells
}

/// The names of the parameters in the generations' solutions: `weight:holes`.
#[must_use]
pub fn names_of_solution(plan: &Learning, rows: &[GenerationRow]) -> Vec<String> {
    names(plan, rows.first().map(|row| &*row.solution))
}

/// The names of the elements of a run's vectors, given one vector if there is any. If the ruleset's
/// file is missing or its width has changed, the elements are numbered.
fn names(plan: &Learning, vector: Option<&[f64]>) -> Vec<String> {
    let ruleset = find_ruleset(&plan.ruleset).ok();
    let known = ruleset.and_then(|ruleset| names_of_numbers(plan, &ruleset).ok());
    let fits = |names: &Vec<String>| vector.is_none_or(|vector| vector.len() == names.len());
    let unknown = || numbered("number", vector.map_or(0, <[f64]>::len));
    known.filter(fits).unwrap_or_else(unknown)
}

const GENERATION_NUMBERS: [&str; 9] = [
    "run",
    "generation",
    "best",
    "mean",
    "spread",
    "sigma",
    "games",
    "pieces",
    "seconds",
];
const CANDIDATE_NUMBERS: [&str; 4] = ["run", "generation", "candidate", "fitness"];

/// JSON objects as CSV, with a header even if there are no rows: first keys with single values,
/// then keys with vectors, using the given column names.
fn csv(numbers: &[&str], vectors: &[(&str, Vec<String>)], rows: &[impl Serialize]) -> String {
    let heads = vectors.iter().flat_map(|(_, heads)| heads.iter().cloned());
    let heads = numbers.iter().map(|&key| key.to_owned()).chain(heads);
    let heads: Vec<String> = heads.map(quoted).collect();
    let mut text = heads.join(",") + "\n";
    for row in rows {
        let row = json!(row);
        let values = |(key, heads): &(&str, Vec<String>)| {
            let vector = &row[key];
            (0..heads.len())
                .map(|index| cell(&vector[index]))
                .collect::<Vec<_>>()
        };
        let cells = numbers.iter().map(|key| cell(&row[key]));
        let cells: Vec<String> = cells.chain(vectors.iter().flat_map(values)).collect();
        text += &(cells.join(",") + "\n");
    }
    text
}

/// A cell of text, which needs quotes if it contains commas, as specs do.
fn quoted(text: String) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

/// A number or an empty cell; no cell needs quotes.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        number => number.to_string(),
    }
}
