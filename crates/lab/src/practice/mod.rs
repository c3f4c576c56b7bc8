//! Learners that play: the second kind, beside the optimisers of [`learners`](crate::learners). One per file, one line each in
//! [`PRACTICES`].
//!
//! An optimiser sees of a candidate's games what they were worth. A learner that plays sees every move and changes a network or
//! tables all the time. It works in *periods* of a number of placements; after each the driver tests what was learned on games that training has not seen,
//! and keeps a checkpoint.
//!
//! A period is a function of the learner's state at its beginning, its number and the seed alone: it begins with new games, and random numbers
//! come from streams that belong to it. So a run goes on from a checkpoint as if nothing had happened, and several actors
//! that play side by side give the same result on any number of threads.

mod actor;
mod danger;
mod q_network;
mod q_settings;
mod replay;
mod setting;
mod td_lambda;
mod td_settings;
#[cfg(test)]
mod tests;
mod value_function;
mod value_network;
mod value_tables;

use crate::arena::Arena;
use crate::learners::Protocol;
use crate::library::safetensors::Tensors;
use crate::memory::MemoryPart;
use tetrolab_core::evaluators::Model;
use tetrolab_core::features::FeatureSet;
use tetrolab_core::lookup::TableSet;
use tetrolab_core::network::NetworkError;
use tetrolab_core::registry::Entry;
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::settings::Settings;
use tetrolab_core::spec::{Spec, SpecError};

/// A learner that plays and changes a model.
pub(crate) trait Apprentice: Send {
    /// Plays and learns for one period; nothing if it was stopped, and then it is of no more use.
    fn practise(&mut self, arena: &Arena, period: u64) -> Result<Option<Practised>, Diverged>;

    /// The memory that it takes in the course of a run.
    fn memory(&self) -> Vec<MemoryPart>;

    /// The model as a player has it: what the learner would have us use.
    fn model(&self) -> Model;

    /// All that the next period depends on.
    fn checkpoint(&self) -> Tensors;

    /// Goes on from a checkpoint; an error says what is wrong with it.
    fn restore(&mut self, checkpoint: &Tensors) -> Result<(), String>;
}

/// What a period was.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Practised {
    /// Games that were begun.
    pub(crate) games: u64,
    /// Pieces that were placed.
    pub(crate) pieces: u64,
}

/// A model whose numbers have run away.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("what was learned ran away after {pieces} pieces: the error was {error}")]
pub struct Diverged {
    /// Pieces that were placed until then.
    pub pieces: u64,
    /// The error.
    pub error: f32,
}

/// What an apprentice learns from.
pub(crate) struct Lesson<'a> {
    /// The game.
    pub(crate) ruleset: &'a Ruleset,
    /// What is seen of a board.
    pub(crate) eyes: Eyes,
    /// Where all random numbers come from.
    pub(crate) seed: u64,
}

/// What a model sees of a board.
pub(crate) enum Eyes {
    /// Features, for a network.
    Features(FeatureSet),
    /// The board itself, for a network.
    Board,
    /// Look-up tables.
    Tables(TableSet),
}

/// A learner that plays.
pub type Practice = Entry<PracticeMethod>;

/// Makes a learner at its beginning; an error names a part that a setting asks for and that there is not.
type MakeApprentice = fn(&Settings, &Lesson<'_>) -> Result<Box<dyn Apprentice>, SpecError>;

/// How such a learner is made.
#[derive(Clone, Copy)]
pub struct PracticeMethod {
    /// Settings that differ from the defaults of its list: the name of a way to use them.
    pub preset: &'static [(&'static str, &'static str)],
    /// What else is usual.
    pub protocol: Protocol,
    /// The evaluators that it can learn, the usual one first, each with the features or tables that are usual with it.
    pub evaluators: &'static [(&'static str, &'static str)],
    make: MakeApprentice,
}

impl std::fmt::Debug for PracticeMethod {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PracticeMethod")
            .field("preset", &self.preset)
            .finish_non_exhaustive()
    }
}

/// Every learner that plays. To add one: write its file, add its line here.
pub const PRACTICES: &[Practice] = &[
    q_network::Q_NETWORK,
    q_network::Q_NETWORK_FAST,
    td_lambda::TD_LAMBDA,
    td_lambda::TD_TABLES,
    danger::DANGER,
    danger::DANGER_QUICK,
    danger::DANGER_TALL,
];

/// Why a learner with these settings cannot be made: its network would be too large.
fn too_large(settings: &Settings, error: &NetworkError) -> SpecError {
    let size = |id: &str| Spec::name(&format!("{id}={}", settings.count(id)));
    size("units").error(error.to_string())
}

/// A learner that plays with all its settings.
#[derive(Clone, Debug)]
pub struct ChosenPractice {
    /// The learner.
    pub practice: &'static Practice,
    /// A value for each of its settings.
    pub settings: Settings,
}

impl ChosenPractice {
    /// The spec that makes this again whatever becomes of defaults: the learner with every setting.
    #[must_use]
    pub fn spec(&self) -> Spec {
        self.settings.spec(self.practice.id)
    }

    /// The learner at its beginning.
    ///
    /// # Errors
    /// When a part that a setting names is unknown or does not fit the game.
    pub(crate) fn apprentice(&self, lesson: &Lesson<'_>) -> Result<Box<dyn Apprentice>, SpecError> {
        (self.practice.make.make)(&self.settings, lesson)
    }
}

/// The learner of a spec, if its name is that of one that plays: `q-network(gamma=0.95)`.
///
/// # Errors
/// When a setting is unknown or out of its limits.
pub fn find_practice(text: &str) -> Result<Option<ChosenPractice>, SpecError> {
    let spec: Spec = text.parse()?;
    let Some(practice) = PRACTICES.iter().find(|practice| practice.id == spec.name) else {
        return Ok(None);
    };
    let settings = Settings::new(practice.settings, practice.make.preset, &spec)?;
    Ok(Some(ChosenPractice { practice, settings }))
}
