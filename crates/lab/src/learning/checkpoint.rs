//! Checkpoints: how they are written, and how a run continues from them.
//!
//! After a generation has been stored, a checkpoint replaces the previous one. Store and checkpoint
//! may disagree after a power cut, or if a run was copied while it was in progress:
//!
//! - The store has more generations than the checkpoint, or there is no checkpoint: they are
//!   repeated, and the results are compared with the store.
//! - The checkpoint has more generations than the store: it contains the rows of all its
//!   generations, and the missing ones are added to the store.
//! - Both have a generation, but it differs: the run is rejected.

use super::description::StoredPlan;
use super::folder::write_whole_bytes;
use super::generation::{Generation, StoredGeneration};
use super::{Learning, LearningError};
use crate::learners::{Diagnostics, LearningRun, Solution};
use crate::library::FileError;
use crate::library::safetensors::Tensors;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A generation in a checkpoint. Values are stored as bits where decimals could lose precision; a
/// model's only candidate is omitted.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct CheckpointRow {
    /// The fitness of the only candidate, or the highest.
    fitness: u64,
    games: u64,
    pieces: u64,
    seconds: u64,
    /// Candidates with their fitness.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<(Vec<f64>, u64)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    solution: Vec<f64>,
    #[serde(default, skip_serializing_if = "is_silent")]
    diagnostics: Diagnostics,
}

fn is_silent(diagnostics: &Diagnostics) -> bool {
    *diagnostics == Diagnostics::default()
}

impl CheckpointRow {
    pub(super) fn new(of: &Generation) -> CheckpointRow {
        let candidates = of.candidates.iter().cloned().zip(&of.fitness);
        let candidates = candidates.map(|(numbers, fitness)| (numbers, fitness.to_bits()));
        CheckpointRow {
            fitness: of.best().to_bits(),
            games: of.games,
            pieces: of.pieces,
            seconds: of.seconds.to_bits(),
            candidates: match &of.candidates[..] {
                [model] if model.is_empty() => Vec::new(),
                _ => candidates.collect(),
            },
            solution: of.solution.clone(),
            diagnostics: of.diagnostics.clone(),
        }
    }

    /// The generation of a model as recorded in the store.
    fn of_store(stored: &StoredGeneration) -> CheckpointRow {
        let judged = &stored.judgement;
        CheckpointRow {
            fitness: judged.fitness.first().map_or(0, |one| one.to_bits()),
            games: judged.games,
            pieces: judged.pieces,
            seconds: stored.seconds.to_bits(),
            ..CheckpointRow::default()
        }
    }

    /// Recreates the generation.
    pub(super) fn generation(&self, run: u64, number: u64) -> Generation {
        let (mut candidates, mut fitness) = (vec![Vec::new()], vec![self.fitness]);
        if !self.candidates.is_empty() {
            (candidates, fitness) = self.candidates.iter().cloned().unzip();
        }
        Generation {
            run,
            number,
            candidates,
            fitness: fitness.into_iter().map(f64::from_bits).collect(),
            solution: self.solution.clone(),
            diagnostics: self.diagnostics.clone(),
            games: self.games,
            pieces: self.pieces,
            cut_off: None,
            seconds: f64::from_bits(self.seconds),
            from_store: true,
        }
    }
}

/// The results of a run so far.
#[derive(Default)]
pub(crate) struct FoundSolutions {
    /// The solution after the last generation; invalid for a run that was stopped.
    pub(super) last: Option<Solution>,
    /// The best evaluated model, and its fitness.
    pub(super) best: Option<(f64, Solution)>,
}

impl FoundSolutions {
    /// Updates the result with the solution of a generation.
    pub(super) fn add(&mut self, fitness: f64, solution: Solution) {
        if self.best.as_ref().is_none_or(|best| fitness > best.0) {
            self.best = Some((fitness, solution.clone()));
        }
        self.last = Some(solution);
    }

    /// Adds the best solution to a checkpoint; methods whose solution is not a model keep track of
    /// it themselves.
    fn save(&self, tensors: &mut Tensors) {
        if let Some((fitness, Solution::Model(model))) = &self.best {
            tensors.say("best.fitness", &fitness.to_bits().to_string());
            let numbers = model.numbers().to_vec();
            tensors.add("best", &[numbers.len()], numbers);
        }
    }

    fn restore(run: &dyn LearningRun, tensors: &Tensors) -> Result<FoundSolutions, String> {
        let last = run.solution();
        let fitness = tensors
            .word("best.fitness")
            .and_then(|bits| bits.parse().ok());
        let best = match (&last, fitness, tensors.find("best")) {
            (Solution::Model(model), Some(bits), Some(best)) => {
                let model = model.with_numbers(best.numbers.clone())?;
                Some((f64::from_bits(bits), Solution::Model(model)))
            }
            _ => None,
        };
        let last = Some(last);
        Ok(FoundSolutions { last, best })
    }
}

/// Writes the checkpoint of a run after these generations.
pub(super) fn write(
    path: &Path,
    mut tensors: Tensors,
    plan: &Learning,
    rows: &[CheckpointRow],
    found: &FoundSolutions,
) -> Result<(), FileError> {
    tensors.say("periods", &rows.len().to_string());
    tensors.say("plan", &to_json(plan));
    tensors.say("rows", &to_json(&rows));
    found.save(&mut tensors);
    write_whole_bytes(path, &tensors.sealed_bytes())
}

/// Restores a run from its checkpoint, if there is one: its generations and solutions. The store
/// has these generations of the run.
pub(super) fn restore(
    path: &Path,
    run: &mut dyn LearningRun,
    plan: &Learning,
    in_store: &dyn Fn() -> Result<Vec<StoredGeneration>, LearningError>,
) -> Result<(Vec<CheckpointRow>, FoundSolutions), LearningError> {
    if !path.exists() {
        return Ok((Vec::new(), FoundSolutions::default()));
    }
    let wrong = |problem: &str| {
        let fix = "if you delete this file, the run starts again from its beginning, with the same result";
        FileError::of_file(path, format!("{problem}; {fix}"))
    };
    let tensors = Tensors::read(path).map_err(|error| wrong(&error.problem))?;
    let foreign = || wrong("not a checkpoint of this run");
    let own = tensors.word("plan").map(serde_json::from_str::<StoredPlan>);
    if !matches!(own, Some(Ok(StoredPlan(own))) if own.difference(plan).is_none()) {
        return Err(foreign().into());
    }
    run.restore(&tensors).map_err(|problem| wrong(&problem))?;
    let found = FoundSolutions::restore(run, &tensors).map_err(|problem| wrong(&problem))?;
    let count = tensors.word("periods").and_then(|word| word.parse().ok());
    let count: usize = count.ok_or_else(foreign)?;
    let rows: Vec<CheckpointRow> = match tensors.word("rows") {
        Some(rows) => serde_json::from_str(rows).map_err(|_| foreign())?,
        // An older checkpoint has no rows, so those of the store are used.
        None => {
            let stored = in_store()?;
            if stored.len() < count {
                let problem = format!(
                    "the checkpoint has {count} generations, but the store has only {} of them",
                    stored.len()
                );
                return Err(wrong(&problem).into());
            }
            let first = stored.iter().take(count);
            first.map(CheckpointRow::of_store).collect()
        }
    };
    if rows.len() != count {
        return Err(foreign().into());
    }
    let found = if count == 0 {
        FoundSolutions::default()
    } else {
        found
    };
    Ok((rows, found))
}

fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plans and counts are JSON")
}
