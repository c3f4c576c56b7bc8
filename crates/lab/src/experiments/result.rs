//! Results of stages: one JSON file each.

use super::{ExperimentError, StageStudy};
use crate::learning::export::{self, GenerationRow};
use crate::learning::{RunFolder, Store, write_whole};
use crate::library::{FileError, read_long_text};
use crate::study::{Compared, Evaluated, LearningResult, PlayerResult};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The version of result files; it increases when a field is removed or changes its meaning.
pub const STAGE_SCHEMA: u32 = 1;

/// The result of a stage with its provenance: the content of `KEY.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageRecord {
    /// The version of this schema: [`STAGE_SCHEMA`].
    pub schema: u32,
    /// The experiment.
    pub experiment: String,
    /// The stage.
    pub stage: String,
    /// The hash of the description, of the players in it, and of the method's version.
    pub key: String,
    /// The description, in which `@STAGE` refers to the player of another stage.
    pub study: StageStudy,
    /// The provenance of the result.
    pub provenance: StageProvenance,
    /// The result.
    pub result: StageResult,
}

/// The provenance of a result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StageProvenance {
    /// The command that repeats the stage; `None` for steps between studies.
    pub command: Option<String>,
    /// The seed; `None` for steps between studies.
    pub seed: Option<u64>,
    /// The version of tetrolab.
    pub tetrolab: String,
    /// The wall-clock duration in seconds.
    pub seconds: f64,
}

/// The result of a stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StageResult {
    /// A learned player.
    Learned(Box<LearnedPlayer>),
    /// An evaluation.
    Evaluated(Evaluated),
    /// The result of a comparison of two players.
    Compared(Box<Compared>),
    /// The selected player.
    Selected {
        /// The player, as named in the description of the evaluation.
        player: String,
    },
    /// A file was written.
    Written,
}

/// The result of a learning run, with every generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearnedPlayer {
    /// The result of the study.
    pub learning: LearningResult,
    /// Every generation of every run, without solutions of more than [`Self::MOST_NUMBERS`] values.
    pub generations: Vec<GenerationRow>,
    /// The standard deviation of each coordinate of the candidates in every generation; empty for
    /// models, and for vectors with more than [`Self::MOST_NUMBERS`] values.
    pub deviations: Vec<Vec<f64>>,
    /// The text of the player file, unless its model is in a separate file.
    pub player: Option<String>,
}

impl LearnedPlayer {
    /// Deviations and solutions of longer vectors are not kept, because those of a network would
    /// take megabytes.
    pub const MOST_NUMBERS: usize = 100;

    /// Reads a finished run from the store.
    pub(super) fn read(
        learning: LearningResult,
        run: &RunFolder,
    ) -> Result<LearnedPlayer, ExperimentError> {
        let store = Store::read(&run.store()).map_err(ExperimentError::store)?;
        let mut generations =
            export::generations(&store, &run.id).map_err(ExperimentError::store)?;
        let numbers = generations.first().map_or(0, |row| row.solution.len());
        if numbers > Self::MOST_NUMBERS {
            for row in &mut generations {
                row.solution.clear();
            }
        }
        let deviations = if (1..=Self::MOST_NUMBERS).contains(&numbers) {
            let rows = export::candidates(&store, &run.id).map_err(ExperimentError::store)?;
            deviations(&rows)
        } else {
            Vec::new()
        };
        let text = read_long_text(&run.player()).ok();
        Ok(LearnedPlayer {
            learning,
            generations,
            deviations,
            player: text.filter(|_| !run.model().exists()),
        })
    }

    /// The generations of one of the independent runs, which are numbered from 1.
    pub fn run(&self, run: u64) -> impl Iterator<Item = &GenerationRow> {
        self.generations.iter().filter(move |row| row.run == run)
    }

    /// Number of independent runs.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.generations.last().map_or(0, |row| row.run)
    }

    /// The highest fitness of a candidate in any generation.
    #[must_use]
    pub fn best(&self) -> Option<f64> {
        let best = self.generations.iter().map(|row| row.best);
        best.reduce(f64::max)
    }

    /// The generation, starting at 1, in which the highest fitness was first reached.
    #[must_use]
    pub(crate) fn best_generation(&self) -> Option<u64> {
        let best = self.best()?;
        let first = self.generations.iter().find(|row| row.best == best);
        first.map(|row| row.generation)
    }

    /// Mean duration of a generation in seconds.
    #[must_use]
    pub(crate) fn seconds_per_generation(&self) -> Option<f64> {
        let seconds: f64 = self.generations.iter().map(|row| row.seconds).sum();
        (!self.generations.is_empty()).then(|| seconds / self.generations.len() as f64)
    }
}

/// The standard deviations of every coordinate, for each generation in order.
fn deviations(rows: &[export::CandidateRow]) -> Vec<Vec<f64>> {
    let of_generation = |a: &export::CandidateRow, b: &export::CandidateRow| {
        (a.run, a.generation) == (b.run, b.generation)
    };
    rows.chunk_by(of_generation)
        .map(|candidates| {
            let numbers = candidates.first().map_or(0, |row| row.vector.len());
            (0..numbers)
                .map(|index| {
                    let values: Vec<f64> = candidates.iter().map(|row| row.vector[index]).collect();
                    standard_deviation(&values)
                })
                .collect()
        })
        .collect()
}

/// The sample standard deviation; 0 for fewer than two values.
pub(super) fn standard_deviation(values: &[f64]) -> f64 {
    if values.len() < 2 {
        return 0.0;
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (values.len() - 1) as f64).sqrt()
}

impl StageRecord {
    /// Why a player failed in this stage, if it did.
    pub(super) fn failed(&self, player: &str) -> Option<&str> {
        let StageResult::Evaluated(found) = &self.result else {
            return None;
        };
        let failed = found.failed.iter().find(|failed| failed.player == player);
        failed.map(|failed| failed.error.as_str())
    }

    /// Reads the file of a result, if it exists and has this key and schema.
    pub(super) fn read(path: &Path, key: &str) -> Option<StageRecord> {
        let text = read_long_text(path).ok()?;
        let record: StageRecord = serde_json::from_str(&text).ok()?;
        (record.schema == STAGE_SCHEMA && record.key == key).then_some(record)
    }

    /// Reads the file of a result with any key.
    ///
    /// # Errors
    /// If it cannot be read, or is not a result with this schema.
    pub(super) fn from_file(path: &Path) -> Result<StageRecord, ExperimentError> {
        let problem = |text: String| FileError::of_file(path, &text);
        let text = read_long_text(path)?;
        let record: StageRecord =
            serde_json::from_str(&text).map_err(|error| problem(error.to_string()))?;
        if record.schema != STAGE_SCHEMA {
            let found = record.schema;
            let text = format!("expected a result of schema {STAGE_SCHEMA}, found schema {found}");
            return Err(problem(text).into());
        }
        Ok(record)
    }

    /// Writes the file of a result.
    pub(super) fn write(&self, path: &Path) -> Result<(), ExperimentError> {
        let text = serde_json::to_string(self).expect("a record is JSON");
        Ok(write_whole(path, &(text + "\n"))?)
    }

    /// The result of a player in an evaluation, as named in the description.
    #[must_use]
    pub(crate) fn of_player(&self, player: &str) -> Option<&PlayerResult> {
        let StageResult::Evaluated(evaluated) = &self.result else {
            return None;
        };
        let mut results = evaluated.results.iter();
        results.find(|result| result.player == player)
    }

    /// The learned player, if this stage learns.
    #[must_use]
    pub fn learned(&self) -> Option<&LearnedPlayer> {
        match &self.result {
            StageResult::Learned(learned) => Some(learned),
            _ => None,
        }
    }
}
