//! The trait that every learning method implements, and its inputs.

use super::Diagnostics;
use crate::learning::objective::Judgement;
use crate::learning::{GenerationContext, LearningError};
use crate::library::safetensors::Tensors;
use crate::memory::MemoryPart;
use tetrolab_core::evaluators::Model;
use tetrolab_core::features::FeatureSet;
use tetrolab_core::lookup::TableSet;
use tetrolab_core::ruleset::Ruleset;

/// One run of a learning method.
///
/// The driver requests generations one after the other, stores them, keeps track of the budget and
/// reports events. A generation is a function of the preceding state, its number and the seed.
/// There are two ways to resume a run, and a method chooses one:
///
/// - With a [checkpoint](LearningRun::checkpoint), which the driver writes after every generation.
///   The checkpoint contains the complete state.
/// - Without one, the driver repeats the stored generations: [`GenerationContext::judge`] then
///   returns the stored fitness.
pub(crate) trait LearningRun: Send {
    /// Makes the next generation; `None` if it was stopped, after which the run must be dropped.
    ///
    /// # Errors
    /// If candidates cannot play, or the learned numbers diverge.
    fn generation(
        &mut self,
        context: &GenerationContext<'_>,
    ) -> Result<Option<GenerationOutcome>, LearningError>;

    /// The current solution.
    fn solution(&self) -> Solution;

    /// The memory of a run. For an optimiser it is computed from the settings, before it is
    /// constructed.
    fn memory(&self) -> Vec<MemoryPart> {
        Vec::new()
    }

    /// The complete state on which the next generation depends, for a method that is resumed from
    /// checkpoints.
    fn checkpoint(&self) -> Option<Tensors> {
        None
    }

    /// Restores a checkpoint; fails with the reason if the checkpoint is invalid.
    fn restore(&mut self, _checkpoint: &Tensors) -> Result<(), String> {
        Err("belongs to a method that keeps no checkpoint".to_owned())
    }
}

/// The result of a generation.
pub(crate) struct GenerationOutcome {
    /// The parameters of every candidate in the form that players use; empty for a model, which is
    /// in the checkpoint.
    pub(crate) candidates: Vec<Vec<f64>>,
    /// The fitness of each candidate, and the games and pieces of the generation.
    pub(crate) judgement: Judgement,
    /// The state of the method.
    pub(crate) diagnostics: Diagnostics,
    /// Why the method has converged, if so.
    pub(crate) stopped: Option<String>,
}

/// A learned solution.
#[derive(Clone, Debug)]
pub(crate) enum Solution {
    /// The parameters of the evaluator that is searched.
    Numbers(Vec<f64>),
    /// A model: a network, or tables with their weights.
    Model(Model),
}

impl Solution {
    /// Number of values in the solution.
    pub(crate) fn len(&self) -> usize {
        match self {
            Solution::Numbers(numbers) => numbers.len(),
            Solution::Model(model) => model.numbers().len(),
        }
    }

    /// The stored parameters: none for a model, which has a separate file.
    pub(crate) fn stored_numbers(&self) -> &[f64] {
        match self {
            Solution::Numbers(numbers) => numbers,
            Solution::Model(_) => &[],
        }
    }
}

/// The input of a run.
pub(crate) struct TrainingSetup<'a> {
    /// The game.
    pub(crate) ruleset: &'a Ruleset,
    /// The observation of a board.
    pub(crate) observation: BoardObservation,
    /// Number of values searched; 0 for a method that trains a model.
    pub(crate) dimension: usize,
    /// The seed of the run.
    pub(crate) seed: u64,
    /// The seed of the optimiser's random numbers.
    pub(crate) optimizer_seed: u64,
}

/// The observation of a board by a model.
pub(crate) enum BoardObservation {
    /// Features.
    Features(FeatureSet),
    /// The board itself.
    Board,
    /// Lookup tables.
    Tables(TableSet),
}
