//! The environment of a learning method while it makes a generation.

use super::generation::StoredGeneration;
use super::objective::{Judgement, Trial};
use super::{LearningError, RunFolder, Task};
use crate::arena::{GameSeries, Limits};
use crate::context::Context;
use crate::learners::{Diverged, Solution};
use tetrolab_core::evaluators::Model;

/// Evaluates candidates and models for one generation of a run.
pub(crate) struct GenerationContext<'a> {
    /// The study's context; a method stops when it is cancelled.
    pub(crate) study: &'a Context,
    /// The number of the generation, starting at 0.
    pub(crate) number: u64,
    /// The index of the independent run.
    pub(super) run: u64,
    pub(super) task: &'a Task,
    /// The stored generation, if it was made before.
    pub(super) known: Option<&'a StoredGeneration>,
    /// The folder of the run, for messages.
    pub(super) folder: Option<&'a RunFolder>,
}

impl GenerationContext<'_> {
    /// The context of a generation that is not stored.
    #[cfg(test)]
    pub(crate) fn alone<'a>(
        task: &'a Task,
        study: &'a Context,
        number: u64,
    ) -> GenerationContext<'a> {
        GenerationContext {
            study,
            number,
            run: 0,
            task,
            known: None,
            folder: None,
        }
    }

    /// A vector of a search as the parameters of a player.
    pub(crate) fn place(&self, vector: Vec<f64>) -> Vec<f64> {
        self.task.template.place(vector)
    }

    /// The fitness of candidates, given as the parameters of a player. It comes from training
    /// games, which are the same for all of them, or from the store if this generation is stored.
    /// `None` if the run was stopped.
    ///
    /// # Errors
    /// If candidates cannot play, or the store contains different ones.
    pub(crate) fn judge(
        &self,
        candidates: &[Vec<f64>],
    ) -> Result<Option<Judgement>, LearningError> {
        if let Some(known) = self.known {
            if known.candidates != candidates {
                return LearningError::refused(format!(
                    "generation {} of run {} has different candidates in the store than this version of tetrolab produces; the store was written by another version or for another start",
                    self.number + 1,
                    self.run + 1
                ));
            }
            return Ok(Some(known.judgement.clone()));
        }
        if let Some(cluster) = self.study.cluster() {
            return self.judge_elsewhere(cluster, candidates);
        }
        let mut players = Vec::with_capacity(candidates.len());
        for numbers in candidates {
            if self.study.is_cancelled() {
                return Ok(None);
            }
            let solution = Solution::Numbers(numbers.clone());
            players.push(self.task.template.player(&solution, &self.task.ruleset)?);
        }
        let seed = self.task.games_seed(self.run, self.number);
        self.task.objective.judge(&self.trial(seed), &players)
    }

    /// The fitness of a model in evaluation games, which differ between generations and are never
    /// used in training. `None` if the run was stopped.
    pub(crate) fn evaluate(&self, model: Model) -> Result<Option<Judgement>, LearningError> {
        let solution = Solution::Model(model);
        let player = self.task.template.player(&solution, &self.task.ruleset)?;
        let seed = self.task.tests_seed(self.run, self.number);
        self.task.objective.judge(&self.trial(seed), &[player])
    }

    /// The error for a model that has diverged.
    pub(crate) fn diverged(&self, diverged: Diverged) -> LearningError {
        let folder = self.folder.filter(|_| self.number > 0);
        let checkpoint = folder.map(|folder| folder.checkpoint(self.run));
        let last = checkpoint.map_or("there is no earlier checkpoint".to_owned(), |path| {
            let (number, path) = (self.number, path.display());
            format!("the checkpoint of generation {number} is {path}")
        });
        LearningError::Diverged { diverged, last }
    }

    fn trial(&self, seed: u64) -> Trial<'_> {
        let plan = &self.task.plan;
        Trial {
            context: self.study,
            series: GameSeries::new(&self.task.ruleset, seed).limits(Limits {
                max_pieces: plan.max_pieces,
                record_placements: None,
            }),
            games: plan.games,
        }
    }
}
