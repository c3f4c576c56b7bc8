//! Exports of a store as CSV and JSON.

use super::description::Learning;
use super::store::{Store, StoreError, StoredRun, count, json_column};
use super::template::{names_of_numbers, numbered};
use crate::library::find_ruleset;
use crate::number::fitness;
use rusqlite::{Row, params};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// An exported generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GenerationRow {
    /// Which of the runs, from 1.
    pub run: u64,
    /// Which generation, from 1.
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
    /// The solution after it.
    pub solution: Vec<f64>,
    /// How many games were played.
    pub games: u64,
    /// How many pieces were placed.
    pub pieces: u64,
    /// How long it took.
    pub seconds: f64,
}

/// An exported candidate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CandidateRow {
    /// Which of the runs, from 1.
    pub run: u64,
    /// Which generation, from 1.
    pub generation: u64,
    /// Which candidate, from 1.
    pub candidate: u64,
    /// How good it was.
    pub fitness: f64,
    /// Its numbers.
    pub vector: Vec<f64>,
}

/// Totals over all generations of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunTotals {
    /// The highest fitness of any generation; `None` before the first.
    pub best: Option<f64>,
    /// How many games were played.
    pub games: u64,
    /// How many pieces were placed.
    pub pieces: u64,
    /// How long it took.
    pub seconds: f64,
}

/// Totals over all generations of a run. Their hashes are not checked: a list of runs must not read
/// every candidate, nor fail because one run is damaged.
///
/// # Errors
/// When the store cannot be read.
pub fn totals(store: &Store, id: &str) -> Result<RunTotals, StoreError> {
    let sql = "SELECT MAX(best), COALESCE(SUM(games), 0), COALESCE(SUM(pieces), 0), TOTAL(seconds) \
               FROM generations WHERE id = ?1";
    let rows = store.rows(sql, params![id], |row| {
        Ok(RunTotals {
            best: row.get(0)?,
            games: count(row, 1)?,
            pieces: count(row, 2)?,
            seconds: row.get(3)?,
        })
    })?;
    Ok(rows.first().copied().unwrap_or_default())
}

/// All generations of a run.
///
/// # Errors
/// When the store cannot be read.
pub fn generations(store: &Store, id: &str) -> Result<Vec<GenerationRow>, StoreError> {
    let sql = "SELECT run, number, best, mean, spread, sigma, eigenvalues, solution, games, pieces, seconds \
               FROM generations WHERE id = ?1 ORDER BY run, number";
    store.check_generations(id)?;
    store.rows(sql, params![id], generation_row)
}

/// All candidates of a run.
///
/// # Errors
/// When the store cannot be read.
pub fn candidates(store: &Store, id: &str) -> Result<Vec<CandidateRow>, StoreError> {
    let sql = "SELECT run, number, candidate, fitness, vector FROM candidates WHERE id = ?1 \
               ORDER BY run, number, candidate";
    store.check_generations(id)?;
    store.rows(sql, params![id], candidate_row)
}

fn generation_row(row: &Row<'_>) -> rusqlite::Result<GenerationRow> {
    Ok(GenerationRow {
        run: count(row, 0)? + 1,
        generation: count(row, 1)? + 1,
        best: row.get(2)?,
        mean: row.get(3)?,
        spread: row.get(4)?,
        sigma: row.get(5)?,
        eigenvalues: json_column(row, 6)?,
        solution: json_column(row, 7)?,
        games: count(row, 8)?,
        pieces: count(row, 9)?,
        seconds: row.get(10)?,
    })
}

fn candidate_row(row: &Row<'_>) -> rusqlite::Result<CandidateRow> {
    Ok(CandidateRow {
        run: count(row, 0)? + 1,
        generation: count(row, 1)? + 1,
        candidate: count(row, 2)? + 1,
        fitness: row.get(3)?,
        vector: json_column(row, 4)?,
    })
}

/// A run without its generations, as JSON.
pub fn run_json(run: &StoredRun) -> Value {
    json!({
        "run": run.id,
        "begun": run.begun,
        "ended": run.ended,
        "generations": run.generations,
        "plan": run.plan,
    })
}

/// Generations as CSV with a heading. Every number of a vector has its own column, those of the
/// solution with the names of the weights: `weight:holes`.
pub fn generations_csv(plan: &Learning, rows: &[GenerationRow]) -> String {
    let eigenvalues = rows.iter().map(|row| row.eigenvalues.len()).max();
    let eigenvalues = numbered("eigenvalue", eigenvalues.unwrap_or(0));
    let solution = names_of_solution(plan, rows);
    let vectors = [("solution", solution), ("eigenvalues", eigenvalues)];
    csv(&GENERATION_NUMBERS, &vectors, rows)
}

/// Candidates as CSV with a heading; every weight has its own column.
pub fn candidates_csv(plan: &Learning, rows: &[CandidateRow]) -> String {
    let vector = names(plan, rows.first().map(|row| &*row.vector));
    csv(&CANDIDATE_NUMBERS, &[("vector", vector)], rows)
}

/// The names of the numbers in the generations' solutions: `weight:holes`.
#[must_use]
pub fn names_of_solution(plan: &Learning, rows: &[GenerationRow]) -> Vec<String> {
    names(plan, rows.first().map(|row| &*row.solution))
}

/// The names of the numbers of a run's vectors, given one vector if there is any. If the ruleset's
/// file is gone or its width has changed, they are numbered.
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

/// JSON objects as CSV, with a heading even if there are none: keys of single numbers, then keys of
/// vectors with the names of their columns.
fn csv(numbers: &[&str], vectors: &[(&str, Vec<String>)], rows: &[impl Serialize]) -> String {
    let heads = vectors.iter().flat_map(|(_, heads)| heads.iter().cloned());
    let heads = numbers.iter().map(|&key| key.to_owned()).chain(heads);
    let heads: Vec<String> = heads.map(head).collect();
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

/// The head of a column: the spec of a table has commas.
fn head(name: String) -> String {
    if name.contains(',') {
        format!("\"{name}\"")
    } else {
        name
    }
}

/// A number or an empty cell: no cell needs quotes.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        number => number.to_string(),
    }
}
