//! What a store holds, as CSV and JSON for other programs.

use super::store::{Store, StoreError, StoredRun, count, json_column};
use rusqlite::{Row, params};
use serde_json::{Value, json};

/// A generation as it is exported.
#[derive(Clone, Debug, PartialEq)]
pub struct GenerationRow {
    /// Which of the runs, from 1.
    pub run: u64,
    /// Which generation, from 1.
    pub generation: u64,
    /// The highest fitness.
    pub best: f64,
    /// The mean fitness.
    pub mean: f64,
    /// How far the candidates lay apart.
    pub spread: Option<f64>,
    /// The step size.
    pub sigma: Option<f64>,
    /// The eigenvalues of the covariance matrix.
    pub eigenvalues: Vec<f64>,
    /// What the learner would have used.
    pub solution: Vec<f64>,
    /// How many games were played.
    pub games: u64,
    /// How many pieces were placed.
    pub pieces: u64,
    /// How long it took.
    pub seconds: f64,
}

/// A candidate as it is exported.
#[derive(Clone, Debug, PartialEq)]
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

/// All generations of a run.
///
/// # Errors
/// When the store cannot be read.
pub fn generations(store: &Store, id: &str) -> Result<Vec<GenerationRow>, StoreError> {
    let sql = "SELECT run, number, best, mean, spread, sigma, eigenvalues, solution, games, pieces, seconds \
               FROM generations WHERE id = ?1 ORDER BY run, number";
    store.rows(sql, params![id], generation_row)
}

/// All candidates of a run.
///
/// # Errors
/// When the store cannot be read.
pub fn candidates(store: &Store, id: &str) -> Result<Vec<CandidateRow>, StoreError> {
    let sql = "SELECT run, number, candidate, fitness, vector FROM candidates WHERE id = ?1 \
               ORDER BY run, number, candidate";
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
#[must_use]
pub fn run_json(run: &StoredRun) -> Value {
    json!({
        "run": run.id,
        "begun": run.begun,
        "ended": run.ended,
        "generations": run.generations,
        "plan": serde_json::to_value(&run.plan).expect("a plan is JSON"),
        "command": run.plan.command(),
    })
}

/// A generation as JSON.
#[must_use]
pub fn generation_json(row: &GenerationRow) -> Value {
    json!({
        "run": row.run,
        "generation": row.generation,
        "best": row.best,
        "mean": row.mean,
        "spread": row.spread,
        "sigma": row.sigma,
        "eigenvalues": row.eigenvalues,
        "solution": row.solution,
        "games": row.games,
        "pieces": row.pieces,
        "seconds": row.seconds,
    })
}

/// A candidate as JSON.
#[must_use]
pub fn candidate_json(row: &CandidateRow) -> Value {
    json!({
        "run": row.run,
        "generation": row.generation,
        "candidate": row.candidate,
        "fitness": row.fitness,
        "vector": row.vector,
    })
}

/// Generations as CSV with a heading; vectors have blanks between their numbers.
#[must_use]
pub fn generations_csv(rows: &[GenerationRow]) -> String {
    csv(&GENERATION_COLUMNS, rows.iter().map(generation_json))
}

/// Candidates as CSV with a heading; vectors have blanks between their numbers.
#[must_use]
pub fn candidates_csv(rows: &[CandidateRow]) -> String {
    csv(&CANDIDATE_COLUMNS, rows.iter().map(candidate_json))
}

const GENERATION_COLUMNS: [&str; 11] = [
    "run",
    "generation",
    "best",
    "mean",
    "spread",
    "sigma",
    "eigenvalues",
    "solution",
    "games",
    "pieces",
    "seconds",
];
const CANDIDATE_COLUMNS: [&str; 5] = ["run", "generation", "candidate", "fitness", "vector"];

/// Flat JSON objects as CSV, with a heading even if there are none.
fn csv(columns: &[&str], rows: impl Iterator<Item = Value>) -> String {
    let mut text = columns.join(",") + "\n";
    for row in rows {
        let cells: Vec<String> = columns.iter().map(|column| cell(&row[column])).collect();
        text += &(cells.join(",") + "\n");
    }
    text
}

/// A number, nothing, or numbers: no cell needs quotes.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Array(numbers) => {
            let numbers: Vec<String> = numbers.iter().map(Value::to_string).collect();
            numbers.join(" ")
        }
        other => other.to_string(),
    }
}
