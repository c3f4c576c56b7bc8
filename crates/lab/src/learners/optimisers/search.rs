//! Adapts an optimiser to the trait of all learning methods.
//!
//! An optimiser is a pure function of its settings, its seed and the fitness that it received.
//! Therefore a search needs no checkpoint: it is resumed by repeating the stored generations, with
//! the context returning the stored fitness instead of playing again.

use super::aside::ask_aside;
use super::{Diagnostics, Optimizer};
use crate::learners::{GenerationOutcome, LearningRun, Solution};
use crate::learning::{GenerationContext, LearningError};

/// A run of an optimiser.
pub(in crate::learners) struct OptimizerRun {
    /// `None` if a step was abandoned because the run was cancelled.
    optimizer: Option<Box<dyn Optimizer>>,
    /// The solution after the last generation.
    solution: Vec<f64>,
}

impl OptimizerRun {
    pub(in crate::learners) fn new(optimizer: Box<dyn Optimizer>) -> OptimizerRun {
        OptimizerRun {
            optimizer: Some(optimizer),
            solution: Vec::new(),
        }
    }
}

/// The state of an optimiser after it has received a generation's fitness.
struct Told {
    solution: Vec<f64>,
    diagnostics: Diagnostics,
    stopped: Option<String>,
}

impl Told {
    /// Passes the fitness of the candidates to an optimiser.
    fn new(optimizer: &mut dyn Optimizer, fitness: &[f64]) -> Told {
        optimizer.tell(fitness);
        Told {
            solution: optimizer.solution(),
            diagnostics: optimizer.diagnostics(),
            stopped: optimizer.stopped(),
        }
    }
}

impl LearningRun for OptimizerRun {
    fn generation(
        &mut self,
        context: &GenerationContext<'_>,
    ) -> Result<Option<GenerationOutcome>, LearningError> {
        let cancel = context.study.token();
        let asked = ask_aside(&mut self.optimizer, cancel, |optimizer| optimizer.ask());
        let Some(vectors) = asked else {
            return Ok(None);
        };
        let place = |vector| context.place(vector);
        let candidates: Vec<Vec<f64>> = vectors.into_iter().map(place).collect();
        let Some(judgement) = context.judge(&candidates)? else {
            return Ok(None);
        };
        let fitness = judgement.fitness.clone();
        let tell = move |optimizer: &mut dyn Optimizer| Told::new(optimizer, &fitness);
        let Some(told) = ask_aside(&mut self.optimizer, cancel, tell) else {
            return Ok(None);
        };
        self.solution = context.place(told.solution);
        Ok(Some(GenerationOutcome {
            candidates,
            judgement,
            diagnostics: told.diagnostics,
            stopped: told.stopped,
        }))
    }

    fn solution(&self) -> Solution {
        Solution::Numbers(self.solution.clone())
    }
}
