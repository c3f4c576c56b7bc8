//! Objectives: what is a candidate worth?
//!
//! An objective lets all candidates of a generation play, together on all cores and the same games for each, and says how good
//! each of them was. To add one: write its file, add its line to [`OBJECTIVES`].

mod games;
mod survival;

use super::{LearningError, Plan};
use crate::arena::Arena;
use tetrolab_core::players::Player;
use tetrolab_core::registry::{Entry, find};
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::settings::Settings;
use tetrolab_core::spec::{Spec, SpecError};

/// Where and for how long candidates play.
pub struct Stage<'a> {
    /// Plays the games; it knows the cap on pieces.
    pub arena: &'a Arena,
    /// The game.
    pub ruleset: &'a Ruleset,
    /// How many games each candidate plays.
    pub games: u64,
    /// The seed of the series of games.
    pub seed: u64,
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

/// An objective with a name.
pub type ObjectiveEntry = Entry<MakeObjective>;

/// How an objective is made from its settings.
pub type MakeObjective = fn(&Settings) -> Box<dyn Objective>;

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
    let entry = find(OBJECTIVES, "objective", &spec.name)?;
    Ok((entry.make)(&entry.read(&spec)?))
}
