//! Objectives: what is a candidate worth?
//!
//! An objective lets all candidates of a generation play, together on all cores and the same games for each, and says how good
//! each of them was. To add one: write its file, add its line to [`OBJECTIVES`].

mod games;
mod survival;

use super::{LearningError, Plan};
use crate::arena::{Arena, GameSeries, Observer};
use tetrolab_core::players::Player;
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::spec::{Spec, SpecError};

/// Where and for how long candidates play.
pub struct Stage<'a> {
    /// Plays the games.
    pub arena: &'a Arena,
    /// The game, the seed and the cap on pieces.
    pub series: GameSeries<'a>,
    /// How many games of the series each candidate plays, from the first on.
    pub games: u64,
    /// Is told how far the games have come.
    pub observer: &'a Observer<'a>,
}

/// What an objective found out.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The fitness of each candidate, in order; larger is better.
    pub fitness: Vec<f64>,
    /// How many games it took.
    pub games: u64,
    /// How many pieces it took.
    pub pieces: u64,
    /// How many of the games were cut off; nothing if it is not known any more, as of a generation from the store.
    pub cut_off: Option<u64>,
}

/// Says how good candidates are: a pure function of the candidates and the stage, whatever the number of threads.
pub trait Objective: Send + Sync {
    /// Whether the fitness is the logarithm of an estimate, instead of something that games had.
    fn estimates_logarithm(&self) -> bool {
        false
    }

    /// Finds what cannot work before anything is played.
    ///
    /// # Errors
    /// When the objective cannot judge under this ruleset, or the plan asks for what it does not have.
    fn check(&self, _ruleset: &Ruleset, _plan: &Plan) -> Result<(), LearningError> {
        Ok(())
    }

    /// Judges candidates side by side; nothing if it was interrupted.
    ///
    /// # Errors
    /// When the candidates cannot play.
    fn judge(
        &self,
        stage: &Stage<'_>,
        candidates: &[Box<dyn Player>],
    ) -> Result<Option<Verdict>, LearningError>;
}

/// A row of the registry.
pub struct ObjectiveEntry {
    /// Its name.
    pub id: &'static str,
    /// One line: what the fitness is.
    pub definition: &'static str,
    /// Who used it.
    pub source: &'static str,
    /// Makes it from its spec.
    pub make: fn(&Spec) -> Result<Box<dyn Objective>, SpecError>,
}

/// Every objective. To add one: write its file, add its line here.
pub const OBJECTIVES: &[ObjectiveEntry] = &[
    games::LINES,
    games::LINE_POINTS,
    games::PIECES,
    games::TRIMMED,
    survival::SURVIVAL,
];

/// Makes the objective of a spec.
///
/// # Errors
/// When there is none of that name, or a setting does not fit.
pub fn find_objective(text: &str) -> Result<Box<dyn Objective>, SpecError> {
    let spec: Spec = text.parse()?;
    let ids = OBJECTIVES.iter().map(|entry| entry.id);
    let entry = OBJECTIVES.iter().find(|entry| entry.id == spec.name);
    let entry = entry.ok_or_else(|| SpecError::unknown("objective", &spec.name, ids))?;
    (entry.make)(&spec)
}
