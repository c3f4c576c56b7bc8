//! Generations and candidates of runs, as CSV and JSON for other programs.

use super::description::Learning;
#[cfg(feature = "store")]
pub use super::store::{RunTotals, candidates, generations, run_json, totals};
use super::template::{names_of_numbers, numbered};
use crate::library::find_ruleset;
use crate::number::fitness;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

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

/// The header of a column, which may need quotes because the spec of a table contains commas.
fn head(name: String) -> String {
    if name.contains(',') {
        format!("\"{name}\"")
    } else {
        name
    }
}

/// A number or an empty cell; no cell needs quotes.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        number => number.to_string(),
    }
}
