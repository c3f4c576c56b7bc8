//! The trait that every learning method implements, and what a method works with.

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
/// The driver asks for one generation after the other, stores each, counts the budget and reports
/// events. A generation is a function of the state before it, its number and the seed. There are
/// two ways to resume a run, and a method chooses one:
///
/// - With a [checkpoint](LearningRun::checkpoint), which the driver writes after every generation.
///   Its state is what the checkpoint holds.
/// - Without one the driver repeats the generations of the store. [`GenerationContext::judge`] then
///   returns the stored fitness.
pub(crate) trait LearningRun: Send {
    /// Makes the next generation; nothing if it was stopped, and then the run is of no more use.
    ///
    /// # Errors
    /// When candidates cannot play, or the learned numbers diverge.
    fn generation(
        &mut self,
        context: &GenerationContext<'_>,
    ) -> Result<Option<GenerationOutcome>, LearningError>;

    /// What the method would use now.
    fn solution(&self) -> Solution;

    /// The memory that a run takes. That of an optimiser follows from its settings, before one is
    /// made.
    fn memory(&self) -> Vec<MemoryPart> {
        Vec::new()
    }

    /// All that the next generation depends on, for a method that is resumed from checkpoints.
    fn checkpoint(&self) -> Option<Tensors> {
        None
    }

    /// Continues from a checkpoint; an error says what is wrong with it.
    fn restore(&mut self, _checkpoint: &Tensors) -> Result<(), String> {
        Err("belongs to a method that keeps no checkpoint".to_owned())
    }
}

/// What a method has made of a generation.
pub(crate) struct GenerationOutcome {
    /// The numbers of every candidate as a player has them; without numbers for a model, which is
    /// in the checkpoint.
    pub(crate) candidates: Vec<Vec<f64>>,
    /// The fitness of each candidate, and the games and pieces of the generation.
    pub(crate) judgement: Judgement,
    /// The state of the method.
    pub(crate) diagnostics: Diagnostics,
    /// Why there is nothing left to gain, if so.
    pub(crate) stopped: Option<String>,
}

/// What was learned.
#[derive(Clone, Debug)]
pub(crate) enum Solution {
    /// The numbers of the evaluator that is searched.
    Numbers(Vec<f64>),
    /// A model: a network, or tables with their weights.
    Model(Model),
}

impl Solution {
    /// How many numbers it has.
    pub(crate) fn len(&self) -> usize {
        match self {
            Solution::Numbers(numbers) => numbers.len(),
            Solution::Model(model) => model.numbers().len(),
        }
    }

    /// The numbers as the store has them: those of a model are in its file.
    pub(crate) fn stored_numbers(&self) -> &[f64] {
        match self {
            Solution::Numbers(numbers) => numbers,
            Solution::Model(_) => &[],
        }
    }
}

/// What a run learns from.
pub(crate) struct TrainingSetup<'a> {
    /// The game.
    pub(crate) ruleset: &'a Ruleset,
    /// What the evaluator observes of a board.
    pub(crate) observation: BoardObservation,
    /// How many numbers are searched; 0 for a method that trains its own model.
    pub(crate) dimension: usize,
    /// Where all random numbers of the run come from ...
    pub(crate) seed: u64,
    /// ... and those of an optimiser.
    pub(crate) optimizer_seed: u64,
}

/// What a model observes of a board.
pub(crate) enum BoardObservation {
    /// Features.
    Features(FeatureSet),
    /// The board itself.
    Board,
    /// Lookup tables.
    Tables(TableSet),
}
