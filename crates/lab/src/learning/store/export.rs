//! Exports the content of a store to other programs.

use super::{Store, StoreError, StoredRun, count, json_column};
use crate::learning::export::{CandidateRow, GenerationRow};
use rusqlite::{Row, params};
use serde_json::{Value, json};

/// Totals over all generations of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunTotals {
    /// The highest fitness of any generation; `None` before the first.
    pub best: Option<f64>,
    /// Number of games played.
    pub games: u64,
    /// Number of pieces placed.
    pub pieces: u64,
    /// Duration in seconds.
    pub seconds: f64,
}

/// Totals over all generations of a run. Hashes are not checked: a list of runs should not read
/// every candidate, nor fail because one run is damaged.
///
/// # Errors
/// If the store cannot be read.
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
/// If the store cannot be read.
pub fn generations(store: &Store, id: &str) -> Result<Vec<GenerationRow>, StoreError> {
    let sql = "SELECT run, number, best, mean, spread, sigma, eigenvalues, solution, games, pieces, seconds \
               FROM generations WHERE id = ?1 ORDER BY run, number";
    store.check_generations(id)?;
    store.rows(sql, params![id], generation_row)
}

/// All candidates of a run.
///
/// # Errors
/// If the store cannot be read.
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
