//! Reinforcement learners: agents that play and change a network or tables with every move. Each
//! has its own file or folder.
//!
//! An optimiser only sees the scores of a candidate's games; an agent sees every move. A generation
//! is an evaluation interval: a number of placements, after which the model is evaluated on games
//! not used in training, and a checkpoint is written.
//!
//! An interval depends only on the agent's state at its start, its number and the seed: it starts
//! with new games and uses separate streams of random numbers. Resuming a run from a checkpoint
//! therefore makes no difference, and actors that play side by side give the same result on any
//! number of threads.

mod actor;
pub(super) mod danger;
pub(super) mod q_network;
mod q_settings;
mod replay;
pub(super) mod td_lambda;
mod td_settings;
#[cfg(test)]
mod tests;
mod value_function;
mod value_network;
mod value_tables;

use super::{
    BoardObservation, Diagnostics, GenerationOutcome, Learner, LearningMethod, LearningRun,
    MakeLearner, MakeRun, Preset, Protocol, Solution, TrainingSetup,
};
use crate::context::Context;
use crate::feature_scale::InputScale;
use crate::hash::hash_of;
use crate::learning::objective::Judgement;
use crate::learning::{GenerationContext, LearningError};
use crate::library::safetensors::Tensors;
use crate::library::{FileSource, find_evaluator};
use crate::memory::MemoryPart;
use std::sync::Arc;
use tetrolab_core::evaluators::{Evaluator, Model};
use tetrolab_core::features::FeatureSet;
use tetrolab_core::network::{Activation, Initialisation, Network, NetworkError};
use tetrolab_core::rng::Rng;
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::settings::{Kind, Setting, Settings};
use tetrolab_core::spec::{Spec, SpecError};

/// A reinforcement learner: plays and changes a model.
pub(super) trait Agent: Send {
    /// Plays and learns for one evaluation interval; `None` if it was stopped, after which the
    /// agent must be dropped. Progress is measured in pieces.
    fn train(&mut self, context: &Context, interval: u64) -> Result<Option<Trained>, Diverged>;

    /// The memory that a run needs.
    fn memory(&self) -> Vec<MemoryPart>;

    /// The current model, as a player uses it.
    fn model(&self) -> Model;

    /// The complete state on which the next interval depends.
    fn checkpoint(&self) -> Tensors;

    /// Continues from a checkpoint, if it belongs to this run.
    fn restore(&mut self, checkpoint: &Tensors) -> Option<()>;
}

impl<A: Agent> LearningRun for A {
    fn generation(
        &mut self,
        context: &GenerationContext<'_>,
    ) -> Result<Option<GenerationOutcome>, LearningError> {
        let trained = self.train(context.study, context.number);
        let trained = trained.map_err(|diverged| context.diverged(diverged))?;
        let Some(Trained { games, pieces }) = trained else {
            return Ok(None);
        };
        let evaluated = context.evaluate(self.model())?;
        Ok(evaluated.map(|evaluated| GenerationOutcome {
            candidates: vec![Vec::new()],
            // The games and pieces of training are counted, not those of the evaluation.
            judgement: Judgement {
                fitness: evaluated.fitness,
                games,
                pieces,
                cut_off: None,
            },
            diagnostics: Diagnostics::default(),
            stopped: None,
        }))
    }

    fn solution(&self) -> Solution {
        Solution::Model(self.model())
    }

    fn memory(&self) -> Vec<MemoryPart> {
        Agent::memory(self)
    }

    fn checkpoint(&self) -> Option<Tensors> {
        Some(Agent::checkpoint(self))
    }

    fn restore(&mut self, checkpoint: &Tensors) -> Result<(), String> {
        let restored = Agent::restore(self, checkpoint);
        restored.ok_or_else(|| "not a checkpoint of this run".to_owned())
    }
}

/// The games and pieces of an evaluation interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Trained {
    /// Number of games started.
    pub(super) games: u64,
    /// Number of pieces placed.
    pub(super) pieces: u64,
}

/// A model whose numbers have diverged.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the model diverged after {pieces} pieces (error {error})")]
pub struct Diverged {
    /// Number of pieces placed so far.
    pub pieces: u64,
    /// The error.
    pub error: f32,
}

/// Learned players may survive for a long time, so their test has fewer games.
const USUAL: Protocol = Protocol {
    test_games: Some(100),
    ..Protocol::OPEN
};

impl LearningMethod {
    /// An agent that trains a model.
    const fn agent(
        evaluators: &'static [(&'static str, &'static str)],
        protocol: Protocol,
        presets: &'static [Preset],
        make: MakeRun,
    ) -> LearningMethod {
        LearningMethod {
            presets,
            protocol,
            evaluators,
            plans_name_presets: true,
            make: MakeLearner::Run(make),
        }
    }
}

/// Which of the evaluated models is the result of a run.
const KEEP: Setting = Setting {
    id: "keep",
    help: "which model is the result: the last one, or the one with the best test",
    default: Some("last"),
    kind: Kind::Word(&["last", "best"]),
};

/// The evaluator of the initial behaviour policy, and a hash of its content, because its file may
/// change.
fn behaviour(guide: &Spec, width: usize) -> Result<(Arc<dyn Evaluator>, String), SpecError> {
    let evaluator = find_evaluator(guide, width)?;
    let identity = FileSource::Disk.spec_identity(guide);
    let identity = identity.map_err(|error| guide.error(error.to_string()))?;
    Ok((evaluator, hash_of(&identity)))
}

/// The network of an agent, with one linear output and random weights.
fn new_network(
    inputs: usize,
    (hidden, units, activation): (usize, usize, Activation),
    weights: Initialisation,
    rng: &mut Rng,
) -> Result<Network, NetworkError> {
    let mut layers = vec![(units, activation); hidden];
    layers.push((1, Activation::Linear));
    let mut network = Network::new(inputs, &layers)?;
    network.initialise(weights, rng);
    Ok(network)
}

/// Scaling of the features for a network: none, or to mean 0 and spread 1.
fn input_scale(inputs: &str, features: &FeatureSet, ruleset: &Ruleset) -> InputScale {
    match inputs {
        "scaled" => InputScale::measured(features, ruleset),
        _ => InputScale::plain(features.len()),
    }
}

/// Why an agent with these settings cannot be created: its network would be too large.
fn too_large(settings: &Settings, error: &NetworkError) -> SpecError {
    let size = |id: &str| Spec::name(&format!("{id}={}", settings.count(id)));
    size("units").error(error.to_string())
}
