//! A generation: its candidates are asked for, judged, and told.

use super::objective::Judgement;
use super::store::StoredGeneration;
use super::{LearningError, Task};
use crate::learners::{Diagnostics, Optimizer};
use serde::Serialize;

/// One generation of a run, judged and told.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Generation {
    /// Which of the runs of the plan, from 0.
    pub run: u64,
    /// Its number, from 0.
    pub number: u64,
    /// The numbers of every candidate as a player has them.
    pub candidates: Vec<Vec<f64>>,
    /// The fitness of each.
    pub fitness: Vec<f64>,
    /// What the optimiser would have us use after this generation.
    pub solution: Vec<f64>,
    /// What the optimiser says of itself after this generation.
    pub diagnostics: Diagnostics,
    /// How many games were played.
    pub games: u64,
    /// How many pieces were placed.
    pub pieces: u64,
    /// How many games were cut off; nothing if it was read from the store.
    pub cut_off: Option<u64>,
    /// How long it took by the clock.
    pub seconds: f64,
    /// Whether it was read from the store.
    pub from_store: bool,
}

impl Generation {
    /// The highest fitness.
    #[must_use]
    pub fn best(&self) -> f64 {
        self.fitness
            .iter()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max)
    }

    /// How many games were cut off, if that is more than half of them: then the cap hides how long candidates would have lived.
    #[must_use]
    pub fn mostly_cut_off(&self) -> Option<u64> {
        self.cut_off.filter(|cut_off| 2 * cut_off > self.games)
    }

    /// The mean fitness.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.fitness.iter().sum::<f64>() / self.fitness.len() as f64
    }
}

/// Candidates that have not been judged yet.
pub(super) struct Asked {
    pub run: u64,
    pub number: u64,
    pub candidates: Vec<Vec<f64>>,
}

/// Candidates of which the optimiser has not heard.
pub(super) struct Judged {
    pub asked: Asked,
    pub judgement: Judgement,
    pub seconds: f64,
    pub from_store: bool,
}

impl Asked {
    /// The candidates of a learner's vectors.
    pub(super) fn new(task: &Task, run: u64, number: u64, vectors: Vec<Vec<f64>>) -> Asked {
        let place = |vector| task.template.place(vector);
        let candidates = vectors.into_iter().map(place).collect();
        Asked {
            run,
            number,
            candidates,
        }
    }

    /// What the store knows of these candidates.
    pub(super) fn judged_before(self, stored: &StoredGeneration) -> Result<Judged, LearningError> {
        if stored.candidates != self.candidates {
            return Err(LearningError::OtherCandidates {
                run: self.run + 1,
                generation: self.number + 1,
            });
        }
        Ok(Judged {
            asked: self,
            judgement: stored.judgement.clone(),
            seconds: stored.seconds,
            from_store: true,
        })
    }
}

/// What an optimiser says after it was told a generation.
pub(super) struct Told {
    pub solution: Vec<f64>,
    pub diagnostics: Diagnostics,
    pub stopped: Option<String>,
}

impl Told {
    /// Tells an optimiser how good its candidates were.
    pub(super) fn new(optimizer: &mut dyn Optimizer, fitness: &[f64]) -> Told {
        optimizer.tell(fitness);
        Told {
            solution: optimizer.solution(),
            diagnostics: optimizer.diagnostics(),
            stopped: optimizer.stopped(),
        }
    }
}

impl Judged {
    /// The generation, once the optimiser was told.
    pub(super) fn generation(self, task: &Task, told: Told) -> Generation {
        Generation {
            run: self.asked.run,
            number: self.asked.number,
            candidates: self.asked.candidates,
            fitness: self.judgement.fitness,
            solution: task.template.place(told.solution),
            diagnostics: told.diagnostics,
            games: self.judgement.games,
            pieces: self.judgement.pieces,
            cut_off: self.judgement.cut_off,
            seconds: self.seconds,
            from_store: self.from_store,
        }
    }
}
