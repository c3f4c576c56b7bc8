//! Temporal differences on afterstates, with eligibility traces: TD(lambda) (Sutton 1988).
//!
//! After every placement the board before it, `s`, learns from the board after it, `s'`. With
//! `value=return` (Elfwing, Uchibe and Doya 2018; Jaśkowski, Szubert, Liskowski and Krawiec 2015)
//! it learns the return:
//!
//! ```text
//! delta = r + gamma v(s') - v(s)          v(s') = 0 when the game is over
//! ```
//!
//! With `value=danger` it learns the probability `q` of losing, discounted by `gamma` per
//! placement, which spans many orders of magnitude. So its logarithm is learned, `q = exp(f)`, with
//! relative errors clipped at ten. If most of the probability comes from rare moves, `q` is
//! underestimated, which hardly affects the ranking of boards:
//!
//! ```text
//! delta = min(gamma q(s') / q(s), 10) - 1   q(s') = 1, and no gamma, when the game is over
//! ```
//!
//! and the placement with the smallest `f` is chosen. In both cases, the parameters `w` move along
//! the trace: `e = gamma lambda e + grad`, `w += alpha delta e`. Play is on-policy: the best
//! placement, or one drawn by softmax with a temperature that falls to 0.

use super::td_settings::TdSettings;
use super::value_function::{TraceStep, ValueFunction, count_of};
use super::value_network::ValueNetwork;
use super::value_tables::ValueTables;
use super::{
    Agent, BoardObservation, Diverged, Learner, LearningMethod, Preset, Protocol, Trained,
    TrainingSetup, USUAL, behaviour, too_large,
};
use crate::context::Context;
use crate::library::safetensors::Tensors;
use crate::memory::MemoryPart;
use tetrolab_core::choice::{BestPlacement, GreedyOptions};
use tetrolab_core::evaluators::Model;
use tetrolab_core::game::{Game, Status};
use tetrolab_core::network::NetworkError;
use tetrolab_core::outcomes::{DecisionContext, Outcomes};
use tetrolab_core::rng::{Rng, game_seed};
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::spec::SpecError;

pub(in crate::learners) const TD_LAMBDA: Learner = Learner {
    id: "td-lambda",
    definition: "temporal differences with eligibility traces, for a network of features or of the board, or for lookup tables",
    source: "Sutton 1988; Elfwing, Uchibe and Doya 2018; the danger is ours",
    settings: TdSettings::SETTINGS,
    make: LearningMethod::agent(
        &[
            ("network", "afterstate-13"),
            ("board-network", ""),
            ("tables", "wary"),
        ],
        ON_10X10,
        &[TABLES],
        |settings, setup| {
            let td = TdSettings::read(settings);
            let function = new_function(&td, setup);
            let function = function.map_err(|error| too_large(settings, &error))?;
            Ok(Box::new(TdLambda::new(td, setup, function)?))
        },
    ),
};

const ON_10X10: Protocol = Protocol {
    ruleset: Some("simplified-10x10"),
    ..USUAL
};

const TABLES: Preset = Preset {
    id: "td-tables",
    definition: "the same for lookup tables, with larger steps that decrease with every visit of an entry",
    source: "Jaśkowski, Szubert, Liskowski and Krawiec 2015; the danger and the tables are ours",
    settings: "rate=0.5,rate_end=0.5,lambda=0,first=-6",
    protocol: Protocol {
        evaluator: Some("tables"),
        ..ON_10X10
    },
};

/// The maximum relative error; larger ones are clipped.
const MOST_RATIO: f32 = 10.0;
/// A value beyond this means that the function has diverged: no logarithm or return is that large.
const RUNAWAY: f32 = 1e9;
/// Number of placements between updates of the average.
const BETWEEN_AVERAGES: u64 = 2000;

/// Streams of random numbers, each with its own seeds.
#[derive(Clone, Copy)]
enum TdStream {
    Weights = 1,
    Games = 2,
    Choices = 3,
}

/// The initial function for these observations. Fails if a network would be too large.
fn new_function(
    settings: &TdSettings,
    setup: &TrainingSetup<'_>,
) -> Result<Box<dyn ValueFunction>, NetworkError> {
    if let BoardObservation::Tables(set) = &setup.observation {
        return Ok(Box::new(ValueTables::new(set.clone(), settings)));
    }
    let mut rng = Rng::new(game_seed(setup.seed, TdStream::Weights as u64));
    Ok(Box::new(ValueNetwork::new(settings, setup, &mut rng)?))
}

/// The learner.
struct TdLambda {
    settings: TdSettings,
    ruleset: Ruleset,
    seed: u64,
    behaviour: BestPlacement,
    /// A hash of the behaviour policy, because its file may change.
    behaviour_identity: String,
    function: Box<dyn ValueFunction>,
    /// Number of pieces placed.
    pieces: u64,
    outcomes: Outcomes,
    /// The placements that do not end the game.
    open: Vec<usize>,
}

impl TdLambda {
    fn new(
        settings: TdSettings,
        setup: &TrainingSetup<'_>,
        function: Box<dyn ValueFunction>,
    ) -> Result<TdLambda, SpecError> {
        let (behaviour, behaviour_identity) = behaviour(&settings.behaviour, setup.ruleset.width)?;
        Ok(TdLambda {
            function,
            behaviour_identity,
            behaviour: BestPlacement::new(behaviour, GreedyOptions::default()),
            ruleset: setup.ruleset.clone(),
            seed: setup.seed,
            pieces: 0,
            outcomes: Outcomes::default(),
            open: Vec::new(),
            settings,
        })
    }

    /// The sign of improvement: scores should be high, dangers low.
    fn sign(&self) -> f32 {
        if self.settings.learns_danger() {
            -1.0
        } else {
            1.0
        }
    }

    /// Places one piece and learns from it; returns the value of a board if learning diverges.
    fn step(&mut self, game: &mut Game, rng: &mut Rng) -> Result<(), f32> {
        let decision = DecisionContext::from(&game.view());
        self.outcomes.generate(&decision);
        let outcomes = &self.outcomes;
        self.open.clear();
        let stays = |index: &usize| !outcomes.landing(*index).game_over;
        self.open.extend((0..outcomes.len()).filter(stays));
        let followed = if self.pieces < self.settings.warmup && !self.open.is_empty() {
            Some(self.behaviour.best(&decision).placement)
        } else {
            None
        };
        self.function.look(&mut self.outcomes);
        let chosen = match followed {
            Some(followed) => {
                let mut open = self.open.iter().copied();
                open.find(|index| self.outcomes.placement(*index) == followed)
            }
            None => self.choose(rng),
        };
        let lines = game.lines();
        game.apply(self.outcomes.placement(chosen.unwrap_or(0)));
        let status = game.status();
        // Running out of pieces is not a loss, so nothing is learned from the end of such a game.
        let held = self.function.held();
        let held = held.filter(|_| status != Status::OutOfPieces);
        if let Some(held) = held {
            let next = chosen.filter(|_| status == Status::Playing);
            let next = next.map(|index| self.function.value(index));
            let wild = [Some(held), next].into_iter().flatten();
            if let Some(value) = wild.into_iter().find(|v| v.is_nan() || v.abs() > RUNAWAY) {
                return Err(value);
            }
            let error = self.error(held, next, game, lines);
            let TdSettings { gamma, lambda, .. } = self.settings;
            let rate = self.settings.rate_at(self.pieces);
            let decay = gamma * lambda;
            self.function.learn(error, TraceStep { rate, decay });
        }
        match (status, chosen) {
            (Status::Playing, Some(chosen)) => self.function.hold(chosen),
            _ => self.function.let_go(),
        }
        self.pieces += 1;
        if self.pieces.is_multiple_of(BETWEEN_AVERAGES) {
            self.average(BETWEEN_AVERAGES);
        }
        Ok(())
    }

    /// Updates the average, if there is one, after this many placements.
    fn average(&mut self, placements: u64) {
        let TdSettings {
            average, warmup, ..
        } = self.settings;
        if average > 0 && self.pieces > warmup {
            let share = placements as f32 / average as f32;
            self.function.average(share.min(1.0));
        }
    }

    /// The temporal difference between the held board and the board after it, if the game
    /// continues.
    fn error(&self, held: f32, next: Option<f32>, game: &Game, lines: u64) -> f32 {
        let TdSettings { gamma, reward, .. } = self.settings;
        if !self.settings.learns_danger() {
            let earned = reward.of(game.lines() - lines, game.board(), next.is_none());
            return earned + next.map_or(0.0, |next| gamma * next) - held;
        }
        let ratio = match next {
            Some(next) => gamma * libm::expf(next.min(0.0) - held),
            None => libm::expf(-held),
        };
        ratio.min(MOST_RATIO) - 1.0
    }

    /// One of the open placements, if any: the best one, or one drawn by softmax.
    fn choose(&mut self, rng: &mut Rng) -> Option<usize> {
        let (function, sign) = (&self.function, self.sign());
        let score = |index: usize| sign * function.value(index);
        let mut best: Option<(usize, f32)> = None;
        for &index in &self.open {
            let score = score(index);
            if best.is_none_or(|best| score > best.1) {
                best = Some((index, score));
            }
        }
        let (best, highest) = best?;
        let temperature = self.settings.temperature_at(self.pieces);
        if temperature == 0.0 {
            return Some(best);
        }
        let chance = |index: usize| libm::exp(f64::from(score(index) - highest) / temperature);
        let all: f64 = self.open.iter().map(|&index| chance(index)).sum();
        let mut drawn = rng.unit() * all;
        let mut open = self.open.iter().copied();
        let found = open.find(|&index| {
            drawn -= chance(index);
            drawn < 0.0
        });
        Some(found.unwrap_or(best))
    }
}

impl Agent for TdLambda {
    fn train(&mut self, context: &Context, interval: u64) -> Result<Option<Trained>, Diverged> {
        let stream = |stream: TdStream| game_seed(game_seed(self.seed, stream as u64), interval);
        let (games, mut rng) = (stream(TdStream::Games), Rng::new(stream(TdStream::Choices)));
        let mut trained = Trained::default();
        let ruleset = context.copy_of_ruleset(&self.ruleset);
        let mut game = Game::new(&ruleset, game_seed(games, 0));
        trained.games = 1;
        self.function.let_go();
        self.function.heed(&context.token().flag());
        while trained.pieces < self.settings.interval {
            if context.is_cancelled() {
                return Ok(None);
            }
            if game.status() != Status::Playing {
                game = Game::new(&ruleset, game_seed(games, trained.games));
                trained.games += 1;
            }
            let stepped = self.step(&mut game, &mut rng);
            // A step that was cut short does not count as divergence.
            if context.is_cancelled() {
                return Ok(None);
            }
            let pieces = self.pieces;
            stepped.map_err(|error| Diverged { pieces, error })?;
            trained.pieces += 1;
            context.progress(trained.pieces, self.settings.interval);
        }
        // The tested average must be current.
        match self.pieces % BETWEEN_AVERAGES {
            0 => {}
            placements => self.average(placements),
        }
        if !self.function.is_finite() {
            let (pieces, error) = (self.pieces, f32::INFINITY);
            return Err(Diverged { pieces, error });
        }
        Ok(Some(trained))
    }

    fn memory(&self) -> Vec<MemoryPart> {
        // The parameters, their average, the trace, visits or the state of the update rule, and
        // copies.
        let numbers = self.model().numbers().len();
        vec![MemoryPart::new(
            "network or set of tables",
            &[numbers, 10, 4],
        )]
    }

    fn model(&self) -> Model {
        self.function.model(self.sign())
    }

    fn checkpoint(&self) -> Tensors {
        let mut tensors = Tensors::default();
        tensors.say("pieces", &self.pieces.to_string());
        tensors.say("guide", &self.behaviour_identity);
        self.function.save(&mut tensors);
        tensors
    }

    fn restore(&mut self, checkpoint: &Tensors) -> Option<()> {
        let is_same = checkpoint.word("guide") == Some(&self.behaviour_identity);
        self.pieces = count_of(checkpoint, "pieces").filter(|_| is_same)?;
        self.function.restore(checkpoint)
    }
}
