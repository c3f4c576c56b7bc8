//! A generation of a run.

use super::objective::Judgement;
use crate::learners::Diagnostics;
use serde::Serialize;

/// A generation that was made earlier, with enough data to inform the optimiser again.
pub(crate) struct StoredGeneration {
    pub(super) candidates: Vec<Vec<f64>>,
    pub(super) judgement: Judgement,
    pub(super) seconds: f64,
    /// The result of checking the hash.
    #[cfg(feature = "store")]
    pub(super) checked: super::store::Checked,
}

/// How one of the independent runs of a plan ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredEnding {
    /// Number of generations.
    pub(super) generations: u64,
    /// Why the run ended.
    pub(super) reason: String,
}

/// One generation of a run, evaluated.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Generation {
    /// The index of the run within the plan.
    pub run: u64,
    /// The number of the generation, starting at 0.
    pub number: u64,
    /// The parameters of every candidate in the form that players use; empty for a model.
    pub candidates: Vec<Vec<f64>>,
    /// The fitness of each.
    pub fitness: Vec<f64>,
    /// The solution after this generation; empty for a model, which has a separate file.
    pub solution: Vec<f64>,
    /// The state of the method after this generation.
    pub diagnostics: Diagnostics,
    /// Number of games played.
    pub games: u64,
    /// Number of pieces placed.
    pub pieces: u64,
    /// Number of truncated games; `None` if the generation was read from the store.
    pub cut_off: Option<u64>,
    /// Duration in wall-clock time.
    pub seconds: f64,
    /// Whether the generation was read from the store.
    pub from_store: bool,
}

impl Generation {
    /// The highest fitness.
    pub fn best(&self) -> f64 {
        self.fitness
            .iter()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max)
    }

    /// Number of truncated games, if that is more than half of all games: the cap then hides how
    /// long candidates would survive.
    pub(crate) fn mostly_cut_off(&self) -> Option<u64> {
        self.cut_off.filter(|cut_off| 2 * cut_off > self.games)
    }

    /// Whether the stored generation is the same; only its duration may differ.
    pub(super) fn is_same(&self, stored: &StoredGeneration) -> bool {
        let judged = &stored.judgement;
        let bits = |fitness: &[f64]| fitness.iter().map(|one| one.to_bits()).collect::<Vec<_>>();
        bits(&self.fitness) == bits(&judged.fitness)
            && (self.games, self.pieces) == (judged.games, judged.pieces)
            && self.candidates == stored.candidates
    }

    /// The mean fitness.
    pub fn mean(&self) -> f64 {
        self.fitness.iter().sum::<f64>() / self.fitness.len() as f64
    }
}
