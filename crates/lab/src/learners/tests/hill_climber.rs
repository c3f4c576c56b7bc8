//! A third kind of method in one file and one line of `LEARNERS`: a hill climber on the weights of
//! any evaluator. It implements the trait of all methods directly and writes its own checkpoint.
//! Registry-wide tests cover it like every other method.

use crate::learners::{
    Diagnostics, GenerationOutcome, Kind, Learner, LearningMethod, LearningRun, MakeLearner,
    Protocol, Setting, Solution,
};
use crate::learning::{GenerationContext, LearningError};
use crate::library::safetensors::Tensors;
use tetrolab_core::rng::{Rng, game_seed};

pub(in crate::learners) const HILL_CLIMBER: Learner = Learner {
    id: "test-climber",
    definition: "takes a random step wherever it improves the fitness",
    source: "this test",
    settings: &[Setting {
        id: "step",
        help: "how far a step goes",
        default: Some("0.5"),
        kind: Kind::LENGTH,
    }],
    make: LearningMethod {
        presets: &[],
        protocol: Protocol::OPEN,
        evaluators: &[],
        plans_name_presets: false,
        make: MakeLearner::Run(|settings, setup| {
            Ok(Box::new(HillClimber {
                step: settings.number("step"),
                seed: setup.seed,
                vector: vec![0.0; setup.dimension],
                numbers: Vec::new(),
                best: f64::NEG_INFINITY,
            }))
        }),
    },
};

struct HillClimber {
    step: f64,
    seed: u64,
    /// Its position, as a vector of the search and as the numbers of a player.
    vector: Vec<f64>,
    numbers: Vec<f64>,
    best: f64,
}

impl LearningRun for HillClimber {
    fn generation(
        &mut self,
        context: &GenerationContext<'_>,
    ) -> Result<Option<GenerationOutcome>, LearningError> {
        let mut rng = Rng::new(game_seed(self.seed, context.number));
        let step = |x: &f64| x + self.step * (2.0 * rng.unit() - 1.0);
        let tried: Vec<f64> = self.vector.iter().map(step).collect();
        let candidates = vec![context.place(tried.clone())];
        let Some(judgement) = context.judge(&candidates)? else {
            return Ok(None);
        };
        if judgement.fitness[0] > self.best {
            self.best = judgement.fitness[0];
            self.vector = tried;
            self.numbers = candidates[0].clone();
        }
        Ok(Some(GenerationOutcome {
            candidates,
            judgement,
            diagnostics: Diagnostics::default(),
            stopped: None,
        }))
    }

    fn solution(&self) -> Solution {
        Solution::Numbers(self.numbers.clone())
    }

    fn checkpoint(&self) -> Option<Tensors> {
        let mut tensors = Tensors::default();
        let state = (&self.vector, &self.numbers, self.best.to_bits());
        tensors.say("state", &serde_json::to_string(&state).unwrap());
        Some(tensors)
    }

    fn restore(&mut self, checkpoint: &Tensors) -> Result<(), String> {
        let state = checkpoint.word("state").ok_or("has no state")?;
        let state = serde_json::from_str(state).map_err(|error| error.to_string())?;
        let best: u64;
        (self.vector, self.numbers, best) = state;
        self.best = f64::from_bits(best);
        Ok(())
    }
}
