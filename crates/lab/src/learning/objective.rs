//! Objectives define the fitness of candidates.
//!
//! An objective lets all candidates of a generation play the same games, together on all cores, and
//! returns their fitness. To add one: write its file, add its line to [`OBJECTIVES`].

mod games;
mod survival;

pub(super) use games::judged_together;

use super::{Learning, LearningError};
use crate::arena::{GameSeries, Played};
use crate::context::Context;
use crate::memory::MemoryPart;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use tetrolab_core::players::Player;
use tetrolab_core::registry::{Entry, find};
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::settings::Settings;
use tetrolab_core::spec::{Spec, SpecError};

/// The games of candidates.
pub struct Trial<'a> {
    /// The context of the study.
    pub context: &'a Context,
    /// The game, the seed and the cap on pieces.
    pub series: GameSeries<'a>,
    /// Number of games of the series that each candidate plays, starting with the first.
    pub games: u64,
}

/// The result of an objective.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The fitness of each candidate, in order; larger is better.
    pub fitness: Vec<f64>,
    /// Number of games played.
    pub games: u64,
    /// Number of pieces placed.
    pub pieces: u64,
    /// Number of truncated games; `None` if unknown, as for a generation from the store.
    pub cut_off: Option<u64>,
}

impl Default for Judgement {
    /// The result for no candidates.
    fn default() -> Judgement {
        Judgement {
            fitness: Vec::new(),
            games: 0,
            pieces: 0,
            cut_off: Some(0),
        }
    }
}

impl Judgement {
    /// Adds the results of more candidates.
    pub(super) fn add(&mut self, next: Judgement) {
        self.fitness.extend(next.fitness);
        self.games += next.games;
        self.pieces += next.pieces;
        self.cut_off = self.cut_off.zip(next.cut_off).map(|(a, b)| a + b);
    }
}

/// What an objective counts.
pub type Quantity = &'static str;

/// Everything that objectives count.
pub const QUANTITIES: [Quantity; 3] = ["lines", "points", "pieces"];

fn quantity<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static str, D::Error> {
    let text = String::deserialize(deserializer)?;
    let known = QUANTITIES.into_iter().find(|known| *known == text);
    known.ok_or_else(|| D::Error::custom(format!("no objective counts {text}")))
}

/// The quantity that the fitness measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FitnessUnit {
    /// The counted quantity: one of [`QUANTITIES`].
    #[serde(deserialize_with = "quantity")]
    pub quantity: Quantity,
    /// Whether the fitness is the logarithm of the quantity.
    pub logarithm: bool,
}

impl FitnessUnit {
    /// The mean of a count.
    pub const fn mean(quantity: &'static str) -> FitnessUnit {
        let logarithm = false;
        FitnessUnit {
            quantity,
            logarithm,
        }
    }

    /// The logarithm of the mean of a count.
    pub const fn logarithm(quantity: &'static str) -> FitnessUnit {
        let logarithm = true;
        FitnessUnit {
            quantity,
            logarithm,
        }
    }

    /// Converts a fitness to the counted quantity.
    pub fn value(&self, fitness: f64) -> f64 {
        if self.logarithm {
            fitness.exp()
        } else {
            fitness
        }
    }

    /// The mean fitness of several candidates, converted to the counted quantity; for logarithms it
    /// is a geometric mean.
    pub fn name_of_mean(&self) -> String {
        if self.logarithm {
            format!("geometric mean of {}", self.quantity)
        } else {
            format!("mean {}", self.quantity)
        }
    }
}

/// Evaluates candidates: a pure function of the candidates and the trial, independent of the number
/// of threads.
pub trait Objective: Send + Sync {
    /// The unit of the fitness.
    fn unit(&self) -> FitnessUnit;

    /// Whether candidates play whole games.
    fn plays_games(&self) -> bool {
        true
    }

    /// The memory of an evaluation on this many threads, if it grows with a setting.
    #[doc(hidden)]
    fn memory(&self, _threads: usize) -> Option<MemoryPart> {
        None
    }

    /// Finds problems before anything is played.
    ///
    /// # Errors
    /// If the objective cannot be used under this ruleset, or does not support something in the
    /// description.
    fn check(&self, _ruleset: &Ruleset, _learning: &Learning) -> Result<(), LearningError> {
        Ok(())
    }

    /// Judges candidates by games that were played elsewhere; `None` if the objective needs more
    /// than games.
    fn judge_games(&self, _played: &[Played]) -> Option<Judgement> {
        None
    }

    /// Evaluates candidates together; `None` if it was interrupted.
    ///
    /// # Errors
    /// If the candidates cannot play.
    fn judge(
        &self,
        trial: &Trial<'_>,
        candidates: &[Box<dyn Player>],
    ) -> Result<Option<Judgement>, LearningError>;
}

/// An objective with a name.
pub type ObjectiveEntry = Entry<MakeObjective>;

/// Creates an objective from its settings.
pub type MakeObjective = fn(&Settings) -> Box<dyn Objective>;

/// Every objective. To add one: write its file, add its line here.
pub const OBJECTIVES: &[ObjectiveEntry] = &[
    games::LINES,
    games::LINE_POINTS,
    games::PIECES,
    games::TRIMMED,
    survival::SURVIVAL,
];

/// Creates the objective of a spec.
///
/// # Errors
/// If the name is unknown, or a setting is invalid.
pub fn find_objective(text: &str) -> Result<Box<dyn Objective>, SpecError> {
    let spec: Spec = text.parse()?;
    let entry = find(OBJECTIVES, "objective", &spec.name)?;
    Ok((entry.make)(&entry.read(&spec)?))
}
