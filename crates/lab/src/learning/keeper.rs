//! Where the generations of a run are stored, so that another process can continue it: the store
//! and the checkpoints of a lab, or nowhere if there are no files.

use super::checkpoint::{CheckpointRow, FoundSolutions};
use super::generation::{Generation, StoredEnding, StoredGeneration};
use super::{Learning, LearningError, RunFolder};
use crate::learners::LearningRun;
use crate::library::safetensors::Tensors;

/// The state of a run after its last checkpoint.
pub(crate) type Restored = (Vec<CheckpointRow>, FoundSolutions);

/// Stores the progress of a plan, whose independent runs are numbered.
pub(crate) trait RunKeeper {
    /// Restores a run from its checkpoint, if there is one.
    fn restore(
        &self,
        run: u64,
        method: &mut dyn LearningRun,
        plan: &Learning,
    ) -> Result<Restored, LearningError>;

    /// How a run ended in an earlier process, if it has.
    fn ending(&self, run: u64) -> Result<Option<StoredEnding>, LearningError>;

    /// A generation that was made earlier; `before` is its predecessor.
    fn generation(
        &self,
        run: u64,
        number: u64,
        before: Option<&StoredGeneration>,
    ) -> Result<Option<StoredGeneration>, LearningError>;

    /// Stores a generation; false if it was stopped before everything was written.
    fn add(
        &mut self,
        generation: &Generation,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<bool, LearningError>;

    /// Stores a checkpoint of a run after these generations.
    fn save(
        &mut self,
        run: u64,
        tensors: Tensors,
        plan: &Learning,
        done: (&[CheckpointRow], &FoundSolutions),
    ) -> Result<(), LearningError>;

    /// Records how a run has ended.
    fn end(&mut self, run: u64, ending: &StoredEnding) -> Result<(), LearningError>;

    /// Records that all runs are done, and why each of them ended.
    fn finish(&mut self, stops: &[String]) -> Result<(), LearningError>;

    /// The folder of the run, if it has one.
    fn folder(&self) -> Option<&RunFolder>;
}

/// Stores nothing: the run lasts only as long as its process.
pub(crate) struct NothingKept;

impl RunKeeper for NothingKept {
    fn restore(
        &self,
        _: u64,
        _: &mut dyn LearningRun,
        _: &Learning,
    ) -> Result<Restored, LearningError> {
        Ok((Vec::new(), FoundSolutions::default()))
    }

    fn ending(&self, _: u64) -> Result<Option<StoredEnding>, LearningError> {
        Ok(None)
    }

    fn generation(
        &self,
        _: u64,
        _: u64,
        _: Option<&StoredGeneration>,
    ) -> Result<Option<StoredGeneration>, LearningError> {
        Ok(None)
    }

    fn add(&mut self, _: &Generation, _: &dyn Fn() -> bool) -> Result<bool, LearningError> {
        Ok(true)
    }

    fn save(
        &mut self,
        _: u64,
        _: Tensors,
        _: &Learning,
        _: (&[CheckpointRow], &FoundSolutions),
    ) -> Result<(), LearningError> {
        Ok(())
    }

    fn end(&mut self, _: u64, _: &StoredEnding) -> Result<(), LearningError> {
        Ok(())
    }

    fn finish(&mut self, _: &[String]) -> Result<(), LearningError> {
        Ok(())
    }

    fn folder(&self) -> Option<&RunFolder> {
        None
    }
}
