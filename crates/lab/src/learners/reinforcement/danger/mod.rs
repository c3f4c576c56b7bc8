//! Danger: the logarithm of the probability of losing, learned move by move as a sum of table
//! entries.
//!
//! To survive for a long time, choose the board from which dying before returning to a normal stack
//! is least likely. Let `q(s) = E[gamma^T]`, where `T` counts the pieces until death under the
//! player's own play. It spans many orders of magnitude, so its logarithm is learned, `q = exp(f)`,
//! where `f` is the sum of the board's table entries; the error is relative, which is the gradient
//! of a Poisson likelihood:
//!
//! ```text
//! target = gamma mean over all pieces p of q(best board after p)       q = 1 where all placements lose
//! w_j += alpha (target / q(s) - 1) r_j / sum of r       for the entries j of s, r_j = sqrt(c / (c + visits of j))
//! ```
//!
//! The mean over all pieces makes the target exact regardless of which piece is played, so pieces
//! can be drawn from any distribution, and games can start on any board. Play concentrates on
//! dangerous positions: pieces are drawn in proportion to the danger after them, boards are lower,
//! and games start from ancestors of deaths found by a small splitting run (`ancestors`). Part of
//! the target comes from the rest of the trajectory (tree backups: Precup, Sutton and Singh 2000).
//! The player is a moving average of the weights.
//!
//! Groups of games (`group`) play with a snapshot of the weights while the trajectories of the
//! previous round are learned (`weights`), so the result does not depend on the number of threads.

mod ancestors;
mod group;
mod settings;
mod weights;

use super::value_function::count_of;
use super::{
    Agent, BoardObservation, Diverged, Learner, LearningMethod, Preset, Protocol, Trained,
    TrainingSetup, USUAL, behaviour,
};
use crate::context::Context;
use crate::library::safetensors::Tensors;
use crate::memory::MemoryPart;
use ancestors::{AncestorPass, AncestorPool, Ancestors};
use group::{GameGroup, PlayContext, Visited};
use settings::DangerSettings;
use std::sync::Arc;
use tetrolab_core::board::Board;
use tetrolab_core::ends::End;
use tetrolab_core::evaluators::{Evaluator, Model};
use tetrolab_core::kernel::{Afterstates, KernelBoard};
use tetrolab_core::rng::{Rng, game_seed};
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::spec::{Spec, SpecError};
use weights::LearnedWeights;

pub(in crate::learners) const DANGER: Learner = Learner {
    id: "danger",
    definition: "the logarithm of the probability of losing as a sum of table entries, learned from exact means over all pieces; play concentrates on dangerous boards",
    source: "ours",
    settings: DangerSettings::SETTINGS,
    make: LearningMethod::agent(
        &[("tables", "wary")],
        PROTOCOL,
        &[QUICK, TALL],
        |settings, setup| Ok(Box::new(DangerLearner::new(settings, setup)?)),
    ),
};

const PROTOCOL: Protocol = Protocol {
    ruleset: Some("simplified-10x10"),
    generations: Some(8),
    ..USUAL
};

const QUICK: Preset = Preset {
    id: "danger-quick",
    definition: "the same with a fifth of the boards, which takes less than a minute",
    source: "ours",
    settings: "cooling=600000,warmup=40000,interval=180000",
    protocol: Protocol {
        games: Some(10),
        max_pieces: Some(100_000),
        generations: Some(4),
        ..PROTOCOL
    },
};

const TALL: Preset = Preset {
    id: "danger-tall",
    definition: "the same for high boards, on which deaths are so rare that they must be found by splitting",
    source: "ours",
    settings: "horizon=28,rate=0.4,cooling=30000000,first=-8,lowest=8,full=0.4,ancestors=0.5,\
        interval=2000000",
    protocol: Protocol {
        ruleset: Some("simplified-10x20"),
        objective: Some("survival"),
        generations: Some(20),
        ..USUAL
    },
};

/// Number of pieces that every game places between two snapshots of the weights.
const ROUND: u64 = 32;

/// Streams of random numbers, each with its own seeds.
#[derive(Clone, Copy)]
enum DangerStream {
    Games = 1,
    Ancestors = 2,
}

/// The learner.
struct DangerLearner {
    settings: DangerSettings,
    /// The chances of the pieces.
    chances: [f64; 7],
    seed: u64,
    behaviour: Arc<dyn Evaluator>,
    /// A hash of the behaviour policy, because its file may change.
    behaviour_identity: String,
    width: usize,
    lowest: usize,
    height: usize,
    afterstates: Afterstates,
    learned: LearnedWeights,
    pool: AncestorPool,
    /// Number of boards learned when ancestors were last sampled.
    refreshed: u64,
}

impl DangerLearner {
    fn new(
        settings: &tetrolab_core::settings::Settings,
        setup: &TrainingSetup<'_>,
    ) -> Result<DangerLearner, SpecError> {
        let refuse = |problem: &str| Spec::name("danger").error(problem.to_owned());
        let BoardObservation::Tables(set) = &setup.observation else {
            return Err(refuse("the evaluator must have lookup tables"));
        };
        let chances = chances(setup.ruleset).map_err(refuse)?;
        let settings = DangerSettings::read(settings);
        let afterstates = Afterstates::new(set, Some(settings.covers));
        let width = setup.ruleset.width;
        let (behaviour, behaviour_identity) = behaviour(&settings.behaviour, width)?;
        Ok(DangerLearner {
            learned: LearnedWeights::new(set.clone(), &settings),
            afterstates,
            behaviour,
            behaviour_identity,
            width,
            lowest: settings.lowest.min(setup.ruleset.height),
            height: setup.ruleset.height,
            seed: setup.seed,
            chances,
            pool: AncestorPool::default(),
            refreshed: 0,
            settings,
        })
    }

    fn is_warm_start(&self) -> bool {
        self.learned.boards < self.settings.warmup
    }

    fn stream(&self, stream: DangerStream, number: u64) -> u64 {
        game_seed(game_seed(self.seed, stream as u64), number)
    }

    /// Samples ancestors of deaths if they are due: one pass per group, in parallel.
    fn refresh(&mut self, context: &Context) {
        let boards = self.learned.boards;
        let is_time = boards >= self.refreshed + self.settings.refresh;
        if self.settings.ancestors == 0.0 || self.is_warm_start() || !is_time {
            return;
        }
        self.refreshed = boards;
        let empty = Board::new(self.width, self.height).expect("a ruleset's size is legal");
        let seed = self.stream(DangerStream::Ancestors, boards);
        let (by, settings) = (&self.learned.slow, &self.settings);
        let passes = (0..settings.groups).map(|pass| {
            let rng = Rng::new(game_seed(seed, pass));
            (self.afterstates.clone(), rng, None::<Ancestors>)
        });
        let mut passes: Vec<_> = passes.collect();
        context.arena().beside(
            || (),
            &mut passes,
            |(afterstates, rng, found)| {
                let mut pass = AncestorPass {
                    afterstates,
                    by,
                    chances: &self.chances,
                    empty: KernelBoard::new(&empty),
                    trajectories: settings.trajectories,
                    rng: rng.clone(),
                    cancel: context.token(),
                };
                *found = pass.find();
            },
        );
        for found in passes.into_iter().filter_map(|pass| pass.2) {
            self.pool.add(found);
        }
    }

    /// One round: the groups play while the trajectories of the previous round are learned.
    fn round(
        &mut self,
        context: &Context,
        groups: &mut [GameGroup],
        ways: &[Vec<Visited>],
    ) -> Result<(), f32> {
        let is_warm_start = self.is_warm_start();
        let (fast, slow) = (self.learned.fast.clone(), self.learned.slow.clone());
        let around = PlayContext {
            cancel: context.token(),
            settings: &self.settings,
            chances: &self.chances,
            fast: &fast,
            slow: &slow,
            pool: &self.pool,
            usual: self.learned.usual,
            is_warm_start,
        };
        let (learned, afterstates) = (&mut self.learned, &mut self.afterstates);
        let learn = || {
            let mut ways = ways.iter();
            ways.try_for_each(|way| {
                if context.is_cancelled() {
                    Ok(())
                } else {
                    learned.learn(way, afterstates, around.settings, around.chances)
                }
            })
        };
        context
            .arena()
            .beside(learn, groups, |group| group.play(&around, ROUND))
    }

    fn learn_all(&mut self, ways: &[Vec<Visited>]) -> Result<(), f32> {
        for way in ways {
            self.learned
                .learn(way, &mut self.afterstates, &self.settings, &self.chances)?;
        }
        Ok(())
    }
}

/// The probabilities of a game's pieces. Fails with the reason if the game is not supported.
fn chances(ruleset: &Ruleset) -> Result<[f64; 7], &'static str> {
    if ruleset.rules.end() != Some(End::ABOVE_TOP) || ruleset.height > 26 {
        return Err("games must end above the top row, on boards of up to 26 rows");
    }
    if ruleset.preview > 0 {
        return Err("games must not show the next piece");
    }
    let chances = ruleset.randomizer().chances();
    let chances = chances.ok_or("pieces must be independent of each other")?;
    Ok(chances.probabilities())
}

/// Draws a piece in proportion to some numbers.
fn draw_piece(chances: &[f64; 7], rng: &mut Rng) -> usize {
    let mut left = rng.unit() * chances.iter().sum::<f64>();
    let drawn = chances.iter().position(|chance| {
        left -= chance;
        left < 0.0
    });
    // Rounding may leave a remainder, which selects the last possible piece.
    let last = chances.iter().rposition(|chance| *chance > 0.0);
    drawn.or(last).unwrap_or(0)
}

impl Agent for DangerLearner {
    fn train(&mut self, context: &Context, interval: u64) -> Result<Option<Trained>, Diverged> {
        let games = self.stream(DangerStream::Games, interval);
        let heights = self.lowest..=self.height;
        let group = |number: u64| {
            GameGroup::new(
                game_seed(games, number),
                self.afterstates.clone(),
                self.behaviour.clone(),
                self.width,
                heights.clone(),
            )
        };
        let mut groups: Vec<GameGroup> = (0..self.settings.groups).map(group).collect();
        self.learned.round();
        let mut trained = Trained::default();
        let placed = self.settings.groups * Afterstates::TOGETHER as u64 * ROUND;
        let mut ways: Vec<Vec<Visited>> = Vec::new();
        let diverged = |boards: u64| {
            move |error: f32| Diverged {
                pieces: boards,
                error,
            }
        };
        while trained.pieces < self.settings.interval {
            if context.is_cancelled() {
                return Ok(None);
            }
            self.refresh(context);
            let boards = self.learned.boards;
            let played = self.round(context, &mut groups, &ways);
            played.map_err(diverged(boards))?;
            if context.is_cancelled() {
                return Ok(None);
            }
            ways.clear();
            ways.extend(groups.iter_mut().flat_map(|group| group.finished.drain(..)));
            trained.pieces += placed;
            context.progress(trained.pieces, self.settings.interval);
        }
        groups.iter_mut().for_each(GameGroup::rest);
        ways.extend(groups.iter_mut().flat_map(|group| group.finished.drain(..)));
        let boards = self.learned.boards;
        self.learn_all(&ways).map_err(diverged(boards))?;
        if !self.learned.is_finite() {
            return Err(diverged(boards)(f32::INFINITY));
        }
        trained.games = groups.iter().map(|group| group.games).sum();
        Ok(Some(trained))
    }

    fn memory(&self) -> Vec<MemoryPart> {
        let groups = self.settings.groups as usize;
        let entries = self.learned.tables().set().entries();
        vec![
            // Weights, visits, the average, two rounded copies, and copies for a checkpoint.
            MemoryPart::new("set of tables", &[entries, 14, 4]),
            MemoryPart::new(
                "trajectories",
                &[groups, self.settings.trajectories, 100, 100],
            ),
        ]
    }

    fn model(&self) -> Model {
        self.learned.model()
    }

    fn checkpoint(&self) -> Tensors {
        let mut tensors = Tensors::default();
        tensors.say("guide", &self.behaviour_identity);
        tensors.say("refreshed", &self.refreshed.to_string());
        self.learned.save(&mut tensors);
        self.pool.save(&mut tensors, self.width);
        tensors
    }

    fn restore(&mut self, checkpoint: &Tensors) -> Option<()> {
        let is_same = checkpoint.word("guide") == Some(&self.behaviour_identity);
        is_same.then_some(())?;
        self.refreshed = count_of(checkpoint, "refreshed")?;
        self.learned.restore(checkpoint)?;
        self.pool.restore(checkpoint, self.width, self.height)
    }
}
