//! A run that is stored in its lab, with checkpoints in its folder.

use super::Store;
use crate::learners::LearningRun;
use crate::learning::checkpoint::{self, CheckpointRow, FoundSolutions};
use crate::learning::generation::{Generation, StoredEnding, StoredGeneration};
use crate::learning::keeper::{Restored, RunKeeper};
use crate::learning::{Learning, LearningError, RunFolder};
use crate::library::safetensors::Tensors;

/// Keeps a run in its folder and in the store of its lab.
pub(crate) struct KeptInLab<'a> {
    /// The store.
    pub(crate) store: &'a mut Store,
    /// The folder; its name is the name of the run in the store.
    pub(crate) folder: &'a RunFolder,
}

impl RunKeeper for KeptInLab<'_> {
    fn restore(
        &self,
        run: u64,
        method: &mut dyn LearningRun,
        plan: &Learning,
    ) -> Result<Restored, LearningError> {
        let path = self.folder.checkpoint(run);
        let in_store = || Ok(self.store.generations(&self.folder.id, run)?);
        checkpoint::restore(&path, method, plan, &in_store)
    }

    fn ending(&self, run: u64) -> Result<Option<StoredEnding>, LearningError> {
        Ok(self.store.ending(&self.folder.id, run)?)
    }

    fn generation(
        &self,
        run: u64,
        number: u64,
        before: Option<&StoredGeneration>,
    ) -> Result<Option<StoredGeneration>, LearningError> {
        Ok(self
            .store
            .generation(&self.folder.id, run, number, before)?)
    }

    fn add(
        &mut self,
        generation: &Generation,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<bool, LearningError> {
        Ok(self.store.add(&self.folder.id, generation, is_stopped)?)
    }

    fn save(
        &mut self,
        run: u64,
        tensors: Tensors,
        plan: &Learning,
        (rows, found): (&[CheckpointRow], &FoundSolutions),
    ) -> Result<(), LearningError> {
        let path = self.folder.checkpoint(run);
        Ok(checkpoint::write(&path, tensors, plan, rows, found)?)
    }

    fn end(&mut self, run: u64, ending: &StoredEnding) -> Result<(), LearningError> {
        Ok(self.store.end(&self.folder.id, run, ending)?)
    }

    fn finish(&mut self, stops: &[String]) -> Result<(), LearningError> {
        Ok(self.store.finish(&self.folder.id, stops)?)
    }

    fn folder(&self) -> Option<&RunFolder> {
        Some(self.folder)
    }
}
