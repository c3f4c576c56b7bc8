//! Learning methods: one registry, [`LEARNERS`], for all of them. Each method has a file or folder,
//! and a line in the registry.
//!
//! Optimisers search the parameters of an evaluator; they propose candidates ([`Optimizer::ask`]),
//! receive their fitness ([`Optimizer::tell`]), and are independent of Tetris. Reinforcement
//! learners play themselves and change a network or tables with every move. All kinds implement one
//! trait (`LearningRun` in `run.rs`: the next generation, the solution, a checkpoint), which a
//! single driver in [`learning`](crate::learning) runs. A published configuration of a method (its
//! settings, and the game on which the authors trained) is a [`Preset`].
//!
//! ```
//! use tetrolab::learners::find_learner;
//!
//! // Find the point nearest to (1, 2).
//! let mut optimizer = find_learner("cma-es(sigma=1)")?.optimizer(2, 7)?;
//! for _ in 0..100 {
//!     let candidates = optimizer.ask();
//!     let fitness: Vec<f64> = candidates
//!         .iter()
//!         .map(|x| -(x[0] - 1.0).powi(2) - (x[1] - 2.0).powi(2))
//!         .collect();
//!     optimizer.tell(&fitness);
//! }
//! assert!((optimizer.solution()[1] - 2.0).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod optimisers;
mod reinforcement;
mod run;
mod synonyms;
#[cfg(all(test, feature = "store"))]
mod tests;

pub(crate) use optimisers::vectors;
pub use reinforcement::Diverged;
pub(crate) use run::{BoardObservation, GenerationOutcome, LearningRun, Solution, TrainingSetup};
pub use tetrolab_core::settings::{Kind, Setting, Settings};

use crate::memory::MemoryPart;
use tetrolab_core::registry::Entry;
use tetrolab_core::spec::{Spec, SpecError};

/// Proposes candidates and receives their fitness; independent of Tetris. Larger fitness is better.
pub trait Optimizer: Send {
    /// The next candidates to evaluate. Called once per generation. After the first generation,
    /// some methods (harmony search, or a genetic algorithm that keeps its best members) return
    /// fewer than the population.
    fn ask(&mut self) -> Vec<Vec<f64>>;

    /// Receives the fitness of each candidate of the last `ask`, in order. NaN counts as the worst
    /// fitness.
    ///
    /// # Panics
    /// If the number of fitness values differs from the number of candidates.
    fn tell(&mut self, fitness: &[f64]);

    /// The solution so far: the mean vector of CMA-ES and cross-entropy, the best known vector of
    /// the others.
    fn solution(&self) -> Vec<f64>;

    /// The spread of the last generation's candidates: the root of the mean variance of their
    /// coordinates.
    fn spread(&self) -> f64;

    /// Numbers to log for the last generation.
    fn diagnostics(&self) -> Diagnostics {
        Diagnostics {
            spread: self.spread(),
            ..Diagnostics::default()
        }
    }

    /// Why the search has converged, if so: the candidates no longer differ, or the step size has
    /// collapsed.
    fn stopped(&self) -> Option<String> {
        None
    }
}

/// Values that describe the state of an optimiser.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Diagnostics {
    /// The step size, if there is one.
    pub sigma: Option<f64>,
    /// The eigenvalues of the covariance matrix in increasing order, if there is one.
    pub eigenvalues: Vec<f64>,
    /// The spread of the candidates: the root of the mean variance of their coordinates.
    pub spread: f64,
}

/// A learning method.
pub type Learner = Entry<LearningMethod>;

/// A learning method, without its settings.
#[derive(Clone, Copy, Debug)]
pub struct LearningMethod {
    /// The published configurations of the method.
    pub presets: &'static [Preset],
    /// The defaults of the method other than settings.
    pub protocol: Protocol,
    /// The evaluators whose models the method trains, the default first, each with its default
    /// features or tables. Empty for a method that searches the parameters of any evaluator.
    pub evaluators: &'static [(&'static str, &'static str)],
    /// Whether plans contain the name of a preset instead of the method, as in stored runs and
    /// published players.
    pub plans_name_presets: bool,
    make: MakeLearner,
}

/// The constructor of a run.
#[derive(Clone, Copy, Debug)]
enum MakeLearner {
    /// An optimiser, which a common adapter turns into a run.
    Optimizer(MakeOptimizer),
    /// A complete run.
    Run(MakeRun),
}

/// Creates an optimiser from checked settings, for a dimension of at least 1 and a seed.
type MakeOptimizer = fn(&Settings, usize, u64) -> Box<dyn Optimizer>;
/// Creates a run in its initial state; the error names a part required by a setting that does not
/// exist or fit.
type MakeRun = fn(&Settings, &TrainingSetup<'_>) -> Result<Box<dyn LearningRun>, SpecError>;

impl LearningMethod {
    /// An optimiser.
    const fn optimiser(presets: &'static [Preset], make: MakeOptimizer) -> LearningMethod {
        LearningMethod {
            presets,
            protocol: Protocol::OPEN,
            evaluators: &[],
            plans_name_presets: false,
            make: MakeLearner::Optimizer(make),
        }
    }

    /// Whether the method trains one model, which is evaluated after every generation, instead of
    /// comparing candidates.
    pub fn trains_model(&self) -> bool {
        !self.evaluators.is_empty()
    }
}

/// A published configuration: a learner's settings, and what its authors prescribed besides the
/// optimiser.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// The name of the preset.
    pub id: &'static str,
    /// One line that describes the configuration, and which details the source does not specify.
    pub definition: &'static str,
    /// The source of the preset.
    pub source: &'static str,
    /// The settings that differ from the learner's defaults, as in a spec:
    /// `population=30,sigma=0.5`.
    pub settings: &'static str,
    /// Further choices of the authors.
    pub protocol: Protocol,
}

impl Preset {
    /// The settings that differ from the learner's defaults, by name.
    pub fn settings(&self) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        let settings = self.settings.split(',');
        settings.filter_map(|setting| setting.split_once('='))
    }
}

/// A paper's choices besides the optimiser; `None` for what it does not state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Protocol {
    /// The name of the feature set whose weights are learned.
    pub features: Option<&'static str>,
    /// The form of the evaluator; `linear` if not given.
    pub evaluator: Option<&'static str>,
    /// The player that uses the weights, without its evaluator; `greedy` if not given.
    pub player: Option<&'static str>,
    /// The spec of the ruleset of the training games.
    pub ruleset: Option<&'static str>,
    /// Games per candidate.
    pub games: Option<u64>,
    /// Pieces after which a training game is truncated.
    pub max_pieces: Option<u64>,
    /// Number of generations.
    pub generations: Option<u64>,
    /// The mean over games of `lines`, `line-points` or `pieces`, or `trimmed` for the mean of the
    /// middle third.
    pub objective: Option<&'static str>,
    /// Number of runs whose solutions are averaged.
    pub runs: Option<u64>,
    /// Number of games in the test of the learned player.
    pub test_games: Option<u64>,
}

impl Protocol {
    /// Nothing is prescribed.
    pub const OPEN: Protocol = Protocol {
        features: None,
        evaluator: None,
        player: None,
        ruleset: None,
        games: None,
        max_pieces: None,
        generations: None,
        objective: None,
        runs: None,
        test_games: None,
    };
}

/// Every learning method. To add one: write its file, add its line here.
pub const LEARNERS: &[Learner] = &[
    optimisers::ga::LEARNER,
    optimisers::pso::LEARNER,
    optimisers::cma_es::LEARNER,
    optimisers::cross_entropy::LEARNER,
    optimisers::harmony_search::LEARNER,
    optimisers::ant_colony::LEARNER,
    optimisers::random_search::LEARNER,
    reinforcement::q_network::Q_NETWORK,
    reinforcement::td_lambda::TD_LAMBDA,
    reinforcement::danger::DANGER,
    #[cfg(all(test, feature = "store"))]
    tests::HILL_CLIMBER,
];

/// All names of learners: each method, followed by its presets.
pub fn names() -> impl Iterator<Item = &'static str> {
    LEARNERS.iter().flat_map(|learner| {
        let presets = learner.make.presets.iter().map(|preset| preset.id);
        std::iter::once(learner.id).chain(presets)
    })
}

/// Every preset of every learner.
pub fn presets() -> impl Iterator<Item = &'static Preset> {
    LEARNERS.iter().flat_map(|learner| learner.make.presets)
}

/// Why a learner cannot be found, or cannot learn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LearnerError {
    /// The name or a setting is invalid.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// There are no weights to learn.
    #[error("{learner}: the player has no weights to learn")]
    NoWeights {
        /// The learner's name.
        learner: &'static str,
    },
    /// The method trains a model by playing.
    #[error("{learner} is not an optimiser: it does not search vectors of numbers")]
    NoOptimizer {
        /// The learner's name.
        learner: &'static str,
    },
}

/// A learner with all its settings.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The learner.
    pub learner: &'static Learner,
    /// The preset that was named, if any.
    pub preset: Option<&'static Preset>,
    /// A value for each of the learner's settings.
    pub settings: Settings,
    /// The spec as given.
    asked: Spec,
}

impl Chosen {
    /// An optimiser in its initial state, for vectors of this dimension.
    ///
    /// # Errors
    /// If the dimension is 0, or the method is not an optimiser.
    pub fn optimizer(
        &self,
        dimension: usize,
        seed: u64,
    ) -> Result<Box<dyn Optimizer>, LearnerError> {
        let learner = self.learner.id;
        if dimension == 0 {
            return Err(LearnerError::NoWeights { learner });
        }
        match self.learner.make.make {
            MakeLearner::Optimizer(make) => Ok(make(&self.settings, dimension, seed)),
            MakeLearner::Run(_) => Err(LearnerError::NoOptimizer { learner }),
        }
    }

    /// A run in its initial state.
    pub(crate) fn run(
        &self,
        setup: &TrainingSetup<'_>,
    ) -> Result<Box<dyn LearningRun>, LearnerError> {
        match self.learner.make.make {
            MakeLearner::Optimizer(_) => {
                let optimizer = self.optimizer(setup.dimension, setup.optimizer_seed)?;
                Ok(Box::new(optimisers::OptimizerRun::new(optimizer)))
            }
            MakeLearner::Run(make) => Ok(make(&self.settings, setup)?),
        }
    }

    /// The memory that a run needs. This is computed without creating an optimiser, which alone
    /// might need too much.
    pub(crate) fn memory(
        &self,
        setup: &TrainingSetup<'_>,
    ) -> Result<Vec<MemoryPart>, LearnerError> {
        match self.learner.make.make {
            MakeLearner::Optimizer(_) => Ok(optimisers::memory(
                self.learner,
                &self.settings,
                setup.dimension,
            )),
            MakeLearner::Run(make) => Ok(make(&self.settings, setup)?.memory()),
        }
    }

    /// The name of the preset, or of the method if there is no preset.
    pub fn name(&self) -> &'static str {
        self.preset.map_or(self.learner.id, |preset| preset.id)
    }

    /// The defaults that the preset (or the method without a preset) prescribes besides the
    /// settings. The default features depend on the evaluator, if one is given.
    pub fn protocol(&self, evaluator: Option<&str>) -> Protocol {
        let method = &self.learner.make;
        let own = self
            .preset
            .map_or(method.protocol, |preset| preset.protocol);
        let usual = own.evaluator.or(method.evaluators.first().map(|row| row.0));
        let asked = evaluator.or(usual);
        let row = method.evaluators.iter().find(|row| Some(row.0) == asked);
        let features = row.map(|row| row.1);
        Protocol {
            evaluator: usual,
            features: if asked == usual {
                own.features.or(features)
            } else {
                features.or(own.features.filter(|_| !method.trains_model()))
            },
            ..own
        }
    }

    /// Whether the result is the best of all evaluated models rather than the last.
    pub(crate) fn keeps_best(&self) -> bool {
        self.has(KEEP, "best")
    }

    /// Whether the learner scales its vectors to unit length, so that it only searches directions
    /// from 0.
    pub(crate) fn normalises(&self) -> bool {
        self.has(NORMALISE, "true")
    }

    /// Whether the setting exists and has this value.
    fn has(&self, id: &str, word: &str) -> bool {
        let mut settings = self.settings.iter();
        settings.any(|(setting, value)| setting.id == id && value.name == word)
    }

    /// The same learner for a search that starts at a player instead of at 0. Settings that the
    /// user did not give are adapted to such a search: vectors are not scaled to unit length, and
    /// lengths that a preset chose for weights around 0 are replaced by the learner's own.
    ///
    /// # Errors
    /// Only those of finding the learner, because the settings are parsed again.
    pub(crate) fn near_a_start(self) -> Result<Chosen, LearnerError> {
        let is_length = |id: &str| {
            let setting = self.learner.settings.iter().find(|known| known.id == id);
            setting.is_some_and(|setting| setting.kind == Kind::LENGTH)
        };
        let kept = |(id, _): &(&str, &str)| *id != NORMALISE && !is_length(id);
        let of_preset = self.preset.into_iter().flat_map(Preset::settings);
        let of_preset: Vec<_> = of_preset.filter(kept).collect();
        let settings = Settings::new(self.learner.settings, &of_preset, &self.asked)?;
        Ok(Chosen { settings, ..self })
    }

    /// The spec that creates this learner independent of defaults: with every setting.
    pub fn spec(&self) -> Spec {
        let named = self.learner.make.plans_name_presets;
        let name = if named { self.name() } else { self.learner.id };
        self.settings.spec(name)
    }

    /// Whether another learner has the same method and settings, regardless of its name.
    pub fn is_same(&self, other: &Chosen) -> bool {
        self.learner.id == other.learner.id && self.settings == other.settings
    }
}

/// The learner of a spec: the name of a learner or preset, with settings that override its own, as
/// in `ga(population=50,selection=tournament)` or `thesis-pso(inertia=0.5)`.
///
/// # Errors
/// If the name or a setting is unknown, or a value is out of range.
pub fn find_learner(text: &str) -> Result<Chosen, LearnerError> {
    let spec: Spec = text.parse()?;
    let preset_of = |learner: &Learner| {
        let mut presets = learner.make.presets.iter();
        presets.find(|preset| preset.id == spec.name)
    };
    let is_named = |learner: &&Learner| learner.id == spec.name || preset_of(learner).is_some();
    let learner = LEARNERS.iter().find(is_named);
    let learner = learner.ok_or_else(|| synonyms::unknown(&spec.name))?;
    let preset = preset_of(learner);
    let of_preset: Vec<_> = preset.into_iter().flat_map(Preset::settings).collect();
    let settings = Settings::new(learner.settings, &of_preset, &spec)?;
    Ok(Chosen {
        learner,
        preset,
        settings,
        asked: spec,
    })
}

/// The distance between the first candidates of a learner with its default settings, as a measure
/// of its step size.
pub(crate) fn first_spread(learner: &Learner, dimension: usize) -> Result<f64, LearnerError> {
    /// Enough samples to determine a mean to a few percent even with few weights; with many
    /// weights, fewer are needed.
    const GENERATIONS: u64 = 100;
    const NUMBERS: u64 = 100_000;
    /// The spread of a method that is not an optimiser: one unit per coordinate.
    const USUAL_SPREAD: f64 = 1.0;
    let generations = (NUMBERS / dimension as u64).clamp(1, GENERATIONS);
    let MakeLearner::Optimizer(make) = learner.make.make else {
        return Ok(USUAL_SPREAD);
    };
    let settings = learner.read(&Spec::name(learner.id))?;
    let first = |seed| make(&settings, dimension, seed).ask();
    let vectors: Vec<Vec<f64>> = (0..generations).flat_map(first).collect();
    Ok(vectors::spread(vectors.iter()))
}

/// The setting of learners that scale their vectors to unit length.
const NORMALISE: &str = "normalise";
/// The setting of methods that can use the best of all evaluated models.
const KEEP: &str = "keep";
