//! Learners: optimisers that look for the weights of an evaluator. One per file, one line each in [`LEARNERS`].
//!
//! An optimiser proposes candidates ([`Optimizer::ask`]) and is told how good they were ([`Optimizer::tell`]); it knows
//! nothing of Tetris. The driver plays the games, keeps to the budget and writes the log. A published way to use an
//! optimiser (its settings, and the game on which the authors trained) is a [`Preset`].
//!
//! An optimiser is a pure function of its settings, the dimension, the seed and the fitness that it was told. So there is nothing to
//! save: a run is resumed by making the optimiser anew and telling it again what it was told.
//!
//! ```
//! use tetrolab::learners::find_learner;
//!
//! // Where is the point that lies nearest to (1, 2)?
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

mod ant_colony;
mod cma_es;
mod cross_entropy;
mod eigen;
mod ga;
mod harmony_search;
mod pso;
mod random_search;
mod sampling;
mod start;
pub(crate) mod vectors;

#[cfg(test)]
mod tests;

pub use tetrolab_core::settings::{Kind, Setting, Settings};

#[cfg(feature = "store")]
use crate::memory::MemoryPart;
use tetrolab_core::registry::Entry;
use tetrolab_core::spec::{Arg, Spec, SpecError};

/// Proposes candidates and is told how good they were; knows nothing of Tetris. Larger fitness is better.
pub trait Optimizer: Send {
    /// The next candidates to evaluate. Called once per generation. Some (a genetic algorithm that keeps its strongest,
    /// harmony search) return fewer than the population after the first generation.
    fn ask(&mut self) -> Vec<Vec<f64>>;

    /// The fitness of each candidate of the last `ask`, in order. NaN counts as the worst.
    ///
    /// # Panics
    /// When there is not one fitness for each candidate.
    fn tell(&mut self, fitness: &[f64]);

    /// The solution so far: the mean vector of CMA-ES and cross-entropy, the best vector that is known to the others.
    fn solution(&self) -> Vec<f64>;

    /// Numbers to log for the generation that was just told.
    fn diagnostics(&self) -> Diagnostics;

    /// Why there is nothing left to gain, if so: the candidates no longer differ, the step size has collapsed.
    fn stopped(&self) -> Option<String>;
}

/// Numbers about the state of an optimiser.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Diagnostics {
    /// The step size, where there is one.
    pub sigma: Option<f64>,
    /// The eigenvalues of the covariance matrix, smallest first, where there is one.
    pub eigenvalues: Vec<f64>,
    /// How far the candidates lie apart: the root of the mean variance of their coordinates.
    pub spread: f64,
}

/// A kind of optimiser.
pub type Learner = Entry<LearnerMethod>;

/// How a learner makes its optimiser, and published ways to use it.
#[derive(Clone, Copy, Debug)]
pub struct LearnerMethod {
    /// Published ways to use it.
    pub presets: &'static [Preset],
    optimizer: MakeOptimizer,
}

/// How a learner makes its optimiser from checked settings, for a dimension of at least 1 and a seed.
type MakeOptimizer = fn(&Settings, usize, u64) -> Box<dyn Optimizer>;

/// A published way to learn: a learner's settings, and what its authors fixed besides the optimiser.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// Its name.
    pub id: &'static str,
    /// The learner that it sets.
    pub learner: &'static str,
    /// One line: what it is, and what the source leaves open and is ours.
    pub definition: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The settings that differ from the learner's defaults.
    pub settings: &'static [(&'static str, &'static str)],
    /// What else the authors fixed.
    pub protocol: Protocol,
}

/// What a paper fixed besides the optimiser; `None` where it is silent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Protocol {
    /// The name of the feature set whose weights are learned.
    pub features: Option<&'static str>,
    /// The form of the evaluator: `linear` when not given.
    pub evaluator: Option<&'static str>,
    /// The player that uses the weights, without its evaluator: `greedy` when not given.
    pub player: Option<&'static str>,
    /// The spec of the ruleset of the training games.
    pub ruleset: Option<&'static str>,
    /// Games per candidate.
    pub games: Option<u64>,
    /// Pieces after which a training game is cut off.
    pub max_pieces: Option<u64>,
    /// How many generations were made.
    pub generations: Option<u64>,
    /// What is averaged over the games: `lines`, `line-points`, `pieces`, or `trimmed` for the mean of the middle third.
    pub objective: Option<&'static str>,
    /// How many runs were made whose solutions are averaged.
    pub runs: Option<u64>,
}

impl Protocol {
    /// Nothing is fixed.
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
    };
}

/// On what optimisers of networks learn: the thesis' features and network, on few games that are cut off, so that a run ends. Games,
/// generations and the objective are ours: pieces tell networks apart that have yet to clear a line.
const NETWORK_PROTOCOL: Protocol = Protocol {
    features: Some("thesis-6"),
    evaluator: Some("network"),
    ruleset: Some("simplified-10x20"),
    games: Some(10),
    max_pieces: Some(2_000),
    generations: Some(100),
    objective: Some("pieces"),
    ..Protocol::OPEN
};

/// Every learner. To add one: write its file, add its line here.
pub const LEARNERS: &[Learner] = &[
    ga::LEARNER,
    pso::LEARNER,
    cma_es::LEARNER,
    cross_entropy::LEARNER,
    harmony_search::LEARNER,
    ant_colony::LEARNER,
    random_search::LEARNER,
];

/// Every preset of every learner.
pub fn presets() -> impl Iterator<Item = &'static Preset> {
    LEARNERS.iter().flat_map(|learner| learner.make.presets)
}

/// Why a learner cannot be found, or cannot learn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LearnerError {
    /// The name or a setting is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// There are no weights.
    #[error("{learner}: there is no weight to learn")]
    NoWeights {
        /// The learner's name.
        learner: &'static str,
    },
}

/// A learner with all its settings, ready to make optimisers.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The learner.
    pub learner: &'static Learner,
    /// The preset by whose name it was asked for.
    pub preset: Option<&'static Preset>,
    /// A value for each of its settings.
    pub settings: Settings,
    /// The spec by which it was asked for.
    asked: Spec,
}

impl Chosen {
    /// An optimiser at its start, for vectors of this dimension.
    ///
    /// # Errors
    /// When the dimension is 0.
    pub fn optimizer(
        &self,
        dimension: usize,
        seed: u64,
    ) -> Result<Box<dyn Optimizer>, LearnerError> {
        if dimension == 0 {
            let learner = self.learner.id;
            return Err(LearnerError::NoWeights { learner });
        }
        Ok((self.learner.make.optimizer)(
            &self.settings,
            dimension,
            seed,
        ))
    }

    /// The memory that an optimiser and its candidates take, for vectors of this dimension.
    #[cfg(feature = "store")]
    pub(crate) fn memory(&self, dimension: usize) -> Vec<MemoryPart> {
        /// The optimiser, the driver and the players each have the numbers of a candidate.
        const BYTES_OF_NUMBER: usize = 40;
        /// A player without its numbers.
        const BYTES_OF_PLAYER: usize = 2048;
        let settings = &self.settings;
        let population = |id: &'static str| {
            let count = settings.count_or(id, cma_es::auto_population(dimension));
            let bytes = BYTES_OF_NUMBER
                .saturating_mul(dimension)
                .saturating_add(BYTES_OF_PLAYER);
            MemoryPart::new(id, &[count, bytes])
        };
        let id = |id: &&'static str| self.learner.settings.iter().any(|row| row.id == *id);
        let populations = ["population", "memory", "improvisations"];
        let mut parts: Vec<MemoryPart> =
            populations.into_iter().filter(id).map(population).collect();
        if id(&"levels") {
            let levels = settings.count("levels");
            parts.push(MemoryPart::new("levels", &[levels, dimension, 8]));
        }
        if id(&"covariance") && cma_es::keeps_matrix(settings, dimension) {
            parts.push(MemoryPart::new("covariance", &[dimension, dimension, 4, 8]));
        }
        parts
    }

    /// What the preset fixes besides the optimiser; nothing without a preset.
    #[must_use]
    pub fn protocol(&self) -> Protocol {
        self.preset.map_or(Protocol::OPEN, |preset| preset.protocol)
    }

    /// Whether the learner scales its vectors to unit length: then it knows directions from 0 only.
    #[must_use]
    pub fn normalises(&self) -> bool {
        let mut settings = self.settings.iter();
        settings.any(|(setting, value)| setting.id == NORMALISE && value.name == "true")
    }

    /// The same learner for a search that begins at a player instead of at 0. Settings that were not given take the values that such
    /// a search needs: vectors are not scaled to unit length, and lengths that a preset chose for weights around 0 are the learner's own.
    ///
    /// # Errors
    /// None that were not found when the learner was: the settings are read again.
    pub fn near_a_start(self) -> Result<Chosen, LearnerError> {
        let is_length = |id: &str| {
            let setting = self.learner.settings.iter().find(|known| known.id == id);
            setting.is_some_and(|setting| setting.kind == Kind::LENGTH)
        };
        let kept = |(id, _): &&(&str, &str)| *id != NORMALISE && !is_length(id);
        let of_preset = self.preset.map_or(&[][..], |preset| preset.settings);
        let of_preset: Vec<_> = of_preset.iter().filter(kept).copied().collect();
        let settings = Settings::new(self.learner.settings, &of_preset, &self.asked)?;
        Ok(Chosen { settings, ..self })
    }

    /// The spec that makes this again whatever becomes of presets and defaults: the learner with every setting.
    #[must_use]
    pub fn spec(&self) -> Spec {
        let arg = |(setting, value): (&Setting, &Spec)| Arg {
            key: Some(setting.id.to_owned()),
            value: value.clone(),
        };
        let args = self.settings.iter().map(arg).collect();
        let name = self.learner.id.to_owned();
        Spec { name, args }
    }
}

/// The learner of a spec: a learner's name or a preset's, with settings that replace its own, as in
/// `ga(population=50,selection=tournament)` or `thesis-pso(inertia=0.5)`.
///
/// # Errors
/// When nothing has this name, or a setting is unknown or out of its limits.
pub fn find_learner(text: &str) -> Result<Chosen, LearnerError> {
    let spec: Spec = text.parse()?;
    let preset = presets().find(|preset| preset.id == spec.name);
    let id = preset.map_or(spec.name.as_str(), |preset| preset.learner);
    let learner = LEARNERS.iter().find(|learner| learner.id == id);
    let learner = learner.ok_or_else(|| {
        let names = LEARNERS.iter().map(|learner| learner.id);
        SpecError::unknown("learner", &spec.name, names.chain(presets().map(|p| p.id)))
    })?;
    let of_preset = preset.map_or(&[][..], |preset| preset.settings);
    let settings = Settings::new(learner.settings, of_preset, &spec)?;
    Ok(Chosen {
        learner,
        preset,
        settings,
        asked: spec,
    })
}

/// How far the first candidates of a learner lie apart with its own defaults: its idea of a step, whatever its settings call it.
#[cfg(feature = "store")]
pub(crate) fn first_spread(learner: &Learner, dimension: usize) -> Result<f64, LearnerError> {
    /// Enough for a mean that is known to a few percent, even with few weights; many weights need fewer.
    const GENERATIONS: u64 = 100;
    const NUMBERS: u64 = 100_000;
    let generations = (NUMBERS / dimension as u64).clamp(1, GENERATIONS);
    let settings = learner.read(&Spec::name(learner.id))?;
    let first = |seed| (learner.make.optimizer)(&settings, dimension, seed).ask();
    let vectors: Vec<Vec<f64>> = (0..generations).flat_map(first).collect();
    Ok(vectors::spread(vectors.iter()))
}

/// The setting of learners that scale their vectors to unit length.
const NORMALISE: &str = "normalise";
