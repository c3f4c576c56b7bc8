//! Values learned from a replay buffer: the thesis' variant of Q-learning.
//!
//! The network estimates the value of an afterstate. Transitions are stored in a replay buffer, and
//! random batches train the network towards the reward of the next move plus `gamma` times the
//! value of the afterstate that follows (Watkins 1989; Lin 1992 for the replay; Mnih et al. 2015
//! for the target network, which is off by default).
//!
//! The thesis uses 6 features, three layers of 32 rectifiers and one linear output; a buffer of
//! 10^6 moves; once it is half full, 10 epochs on 128 random moves after every 5 placements; gamma
//! from 0.8 to 0.99; and exploration before exploitation. Our choices: the batch is one step of
//! each epoch; placements are random until the buffer is half full, and then exploration decreases
//! linearly; the placements of a round are played with the network from the start of the round, so
//! that training and play run in parallel. Games are abandoned at the end of an evaluation
//! interval.

use super::actor::{Actor, Manners};
use super::q_settings::QSettings;
use super::replay::{Drawn, Replay};
use super::value_function::count_of;
use super::{
    Agent, BoardObservation, Diverged, Learner, LearningMethod, Preset, Protocol, Trained,
    TrainingSetup, USUAL, input_scale, new_network, too_large,
};
use crate::context::Context;
use crate::feature_scale::InputScale;
use crate::library::safetensors::Tensors;
use crate::memory::MemoryPart;
use tetrolab_core::evaluators::Model;
use tetrolab_core::network::{Network, NetworkError, Pass, Training};
use tetrolab_core::rng::{Rng, game_seed};
use tetrolab_core::simd::{wide_forward, wide_step};

pub(in crate::learners) const Q_NETWORK: Learner = Learner {
    id: "q-network",
    definition: "afterstate values from a replay buffer, a form of Q-learning, for a network of features",
    source: "thesis; Watkins 1989; Lin 1992",
    settings: QSettings::SETTINGS,
    make: LearningMethod::agent(
        &[("network", "thesis-6")],
        Protocol {
            ruleset: Some("simplified-10x20"),
            ..USUAL
        },
        &[FAST],
        |settings, setup| {
            let agent = QNetwork::new(QSettings::read(settings), setup);
            let agent = agent.map_err(|error| too_large(settings, &error))?;
            Ok(Box::new(agent))
        },
    ),
};

const FAST: Preset = Preset {
    id: "q-network-fast",
    definition: "the same with the settings that we found to be best for 15 minutes of training on two cores",
    source: "ours, after the thesis",
    settings: "inputs=scaled,queue=200000,begin=0.05,every=8,epochs=1,batch=128,gamma=0.95,\
        steps=4,reward=holes,explore=0.05,explore_end=0,target=200,keep=best,actors=16,\
        ahead=16",
    protocol: Protocol {
        ruleset: Some("simplified-10x10"),
        features: Some("bcts"),
        ..USUAL
    },
};

/// An error beyond which a network has diverged: no reward is that large.
const RUNAWAY: f32 = 1e12;

/// Streams of random numbers, each with its own seeds.
#[derive(Clone, Copy)]
enum QStream {
    Weights = 1,
    Games = 2,
    Batches = 3,
}

/// The learner.
struct QNetwork {
    settings: QSettings,
    manners: Manners,
    seed: u64,
    learned: Learned,
    /// Number of pieces placed.
    pieces: u64,
    /// Number of pieces placed before learning started.
    begun_at: Option<u64>,
}

/// The state that a training step changes.
struct Learned {
    network: Network,
    target: Option<Network>,
    training: Training,
    training_steps: u64,
    replay: Replay,
    drawn: Drawn,
    pass: Pass,
}

impl QNetwork {
    fn new(settings: QSettings, setup: &TrainingSetup<'_>) -> Result<QNetwork, NetworkError> {
        let BoardObservation::Features(features) = &setup.observation else {
            unreachable!("its evaluator sees features");
        };
        let inputs = features.len();
        let hidden = (settings.layers, settings.units, settings.activation);
        let mut rng = Rng::new(game_seed(setup.seed, QStream::Weights as u64));
        let network = new_network(inputs, hidden, settings.weights, &mut rng)?;
        Ok(QNetwork {
            manners: Manners {
                ruleset: setup.ruleset.clone(),
                features: features.clone(),
                scale: input_scale(&settings.inputs, features, setup.ruleset),
                reward: settings.reward,
                gamma: settings.gamma,
                steps: settings.steps,
            },
            seed: setup.seed,
            learned: Learned {
                target: (settings.target > 0).then(|| network.clone()),
                training: Training::new(&network, settings.update_rule())
                    .clipped(settings.clipped_at()),
                training_steps: 0,
                replay: Replay::new(inputs, settings.queue),
                drawn: Drawn::new(inputs, settings.batch),
                pass: Pass::default(),
                network,
            },
            pieces: 0,
            begun_at: None,
            settings,
        })
    }

    /// Number of placements since learning started.
    fn since_beginning(&self) -> Option<u64> {
        self.begun_at.map(|begun_at| self.pieces - begun_at)
    }

    fn exploration(&self) -> f64 {
        let own = &self.settings;
        self.since_beginning().map_or(1.0, |pieces| {
            own.explore + (own.explore_end - own.explore) * own.cooled(pieces)
        })
    }

    /// Number of training steps due in a round of this many placements, so that there is one per
    /// `every` placements overall.
    fn training_steps_due(&self, placements: u64) -> u64 {
        let every = self.settings.every;
        let due = |pieces: u64| (pieces + placements) / every - pieces / every;
        self.since_beginning().map_or(0, due)
    }

    fn cool(&mut self) {
        if let Some(pieces) = self.since_beginning() {
            let QSettings { rate, rate_end, .. } = self.settings;
            let share = 1.0 + (rate_end - 1.0) * self.settings.cooled(pieces);
            self.learned
                .training
                .updater()
                .set_rate((rate * share) as f32);
        }
    }
}

impl Learned {
    /// Makes some training steps; returns the largest error as soon as one is implausible.
    fn learn(
        &mut self,
        settings: &QSettings,
        training_steps: u64,
        rng: &mut Rng,
        context: &Context,
    ) -> Result<(), f32> {
        let mut targets = vec![0.0; settings.batch];
        for _ in 0..training_steps {
            self.replay.draw(rng, &mut self.drawn);
            let judge = self.target.as_ref().unwrap_or(&self.network);
            let values = wide_forward(judge, &self.drawn.after, &mut self.pass).row(0);
            for (sample, target) in targets.iter_mut().enumerate() {
                let later = match self.drawn.discounts[sample] {
                    0.0 => 0.0,
                    discount => discount * values[sample],
                };
                *target = self.drawn.rewards[sample] + later;
            }
            for _ in 0..settings.epochs {
                // The training is then discarded.
                if context.is_cancelled() {
                    return Ok(());
                }
                let before = &self.drawn.before;
                let error = wide_step(&mut self.training, &mut self.network, before, &targets);
                if error.is_nan() || error > RUNAWAY {
                    return Err(error);
                }
            }
            self.training_steps += 1;
            if let Some(target) = &mut self.target
                && self.training_steps.is_multiple_of(settings.target)
            {
                target.clone_from(&self.network);
            }
        }
        Ok(())
    }
}

impl Agent for QNetwork {
    fn train(&mut self, context: &Context, interval: u64) -> Result<Option<Trained>, Diverged> {
        let (actors, ahead) = (self.settings.actors, self.settings.ahead);
        let length = self.settings.interval;
        let manners = Manners {
            ruleset: context.copy_of_ruleset(&self.manners.ruleset),
            ..self.manners.clone()
        };
        let games = game_seed(game_seed(self.seed, QStream::Games as u64), interval);
        let stop = context.token().flag();
        self.learned.pass.heed(&stop);
        self.learned.training.heed(&stop);
        let actor = |number| Actor::new(&manners, game_seed(games, number), &stop);
        let mut workers: Vec<Actor<'_>> = (0..actors).map(actor).collect();
        let batches = game_seed(game_seed(self.seed, QStream::Batches as u64), interval);
        let mut rng = Rng::new(batches);
        let mut trained = Trained::default();
        while trained.pieces < length {
            if context.is_cancelled() {
                return Ok(None);
            }
            self.cool();
            let (exploration, network) = (self.exploration(), self.learned.network.clone());
            let training_steps = self.training_steps_due(actors * ahead);
            let (settings, learned) = (&self.settings, &mut self.learned);
            let result = context.arena().beside(
                || learned.learn(settings, training_steps, &mut rng, context),
                &mut workers,
                |actor| actor.play(&network, ahead, exploration, context),
            );
            if context.is_cancelled() {
                return Ok(None);
            }
            self.pieces += actors * ahead;
            trained.pieces += actors * ahead;
            context.progress(trained.pieces, length);
            let pieces = self.pieces;
            result.map_err(|error| Diverged { pieces, error })?;
            for seen in workers.iter_mut().flat_map(Actor::take_seen) {
                self.learned.replay.push(&seen);
            }
            if self.begun_at.is_none() && self.learned.replay.len() >= self.settings.begins_at() {
                self.begun_at = Some(self.pieces);
            }
        }
        workers.iter_mut().for_each(Actor::rest);
        for seen in workers.iter_mut().flat_map(Actor::take_seen) {
            self.learned.replay.push(&seen);
        }
        if !self.learned.network.is_finite() {
            let (pieces, error) = (self.pieces, f32::INFINITY);
            return Err(Diverged { pieces, error });
        }
        trained.games = workers.iter().map(Actor::games).sum();
        Ok(Some(trained))
    }

    fn memory(&self) -> Vec<MemoryPart> {
        let own = &self.settings;
        let placements = (own.actors * own.ahead) as usize;
        let width = 2 * self.manners.features.len() + 2;
        let parameters = self.learned.network.parameters().len();
        vec![
            // Two networks, the state of the update rule, gradients, and copies for a checkpoint.
            MemoryPart::new("units", &[parameters, 8, 4]),
            MemoryPart::new("queue", &[own.queue, width, 3, 4]),
            MemoryPart::new("batch", &[own.batch, own.layers, own.units, 3, 4]),
            MemoryPart::new("ahead", &[placements, 4 * width + 100]),
        ]
    }

    fn model(&self) -> Model {
        let InputScale { shifts, scales } = &self.manners.scale;
        Model::Network(self.learned.network.absorbing(shifts, scales))
    }

    fn checkpoint(&self) -> Tensors {
        let mut tensors = Tensors::default();
        tensors.say("pieces", &self.pieces.to_string());
        tensors.say(
            "begun_at",
            &self.begun_at.map_or("-".to_owned(), |at| at.to_string()),
        );
        tensors.say("training_steps", &self.learned.training_steps.to_string());
        let learned = &self.learned;
        let mut add = |name: &str, numbers: Vec<f32>| tensors.add(name, &[numbers.len()], numbers);
        add("network", learned.network.parameters().to_vec());
        let target = learned.target.as_ref();
        add(
            "target",
            target.map_or(Vec::new(), |target| target.parameters().to_vec()),
        );
        add("updater", learned.training.memory());
        learned.replay.save(&mut tensors);
        tensors
    }

    fn restore(&mut self, checkpoint: &Tensors) -> Option<()> {
        let number = |key: &str| count_of(checkpoint, key);
        let numbers = |name: &str| Some(checkpoint.find(name)?.numbers.clone());
        self.pieces = number("pieces")?;
        self.begun_at = match checkpoint.word("begun_at")? {
            "-" => None,
            _ => Some(number("begun_at").filter(|at| *at <= self.pieces)?),
        };
        let learned = &mut self.learned;
        learned.training_steps = number("training_steps").or_else(|| number("lessons"))?;
        let network = learned.network.clone();
        learned.network = network.with_parameters(numbers("network")?).ok()?;
        if let Some(target) = &mut learned.target {
            *target = target.clone().with_parameters(numbers("target")?).ok()?;
        }
        let updater = learned.training.updater();
        let fits = updater.restore(&numbers("updater")?) && learned.replay.restore(checkpoint);
        fits.then_some(())
    }
}
