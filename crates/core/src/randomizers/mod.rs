//! Randomizers choose the pieces. Each has a file, and a line in [`RANDOMIZERS`].
//!
//! A randomizer stores only its memory; random numbers come from outside, so that a game can be
//! continued with a different future, and so that tests can choose the numbers.

mod adversary;
mod alternating;
mod bag;
mod chances;
mod fixed;
mod forecast;
mod nes;
mod tgm;
mod tgm3;
mod weighted;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use chances::Chances;
pub use forecast::{Forecast, Knowledge, Probabilities};

use crate::board::Board;
use crate::evaluators::EvaluatorLookup;
use crate::piece::Piece;
use crate::registry::{Entry, find};
use crate::rng::Rng;
use crate::rules::RulesRef;
use crate::settings::Settings;
use crate::spec::{Spec, SpecError};
use crate::stop::StopFlag;
use std::fmt::Debug;
use std::sync::Arc;

/// A source of random numbers: the game's generator, or a list in a test.
pub trait Draw {
    /// A number below `bound`.
    fn below(&mut self, bound: u64) -> u64;
}

impl Draw for Rng {
    #[inline]
    fn below(&mut self, bound: u64) -> u64 {
        Rng::below(self, bound)
    }
}

/// Chooses the pieces of a game, one after the other.
pub trait Randomizer: CloneRandomizer + Debug + Send + Sync {
    /// The next piece, or `None` if there are no more. Only an adversary uses the board.
    fn next(&mut self, draw: &mut dyn Draw, board: &Board) -> Option<Piece>;

    /// The forecast after all pieces that this randomizer has drawn. It is called at the start of a
    /// game, because the state may later contain more than the pieces have revealed.
    fn knowledge(&self) -> Arc<dyn Knowledge>;

    /// Makes the randomizer stop choosing a piece soon after the flag is raised; the piece is then
    /// arbitrary.
    fn heed(&mut self, _stop: &StopFlag) {}

    /// Whether the randomizer is deterministic: the same placements always get the same pieces.
    fn is_deterministic(&self) -> bool {
        false
    }

    /// Whether [`Randomizer::next`] can run out of pieces.
    fn can_run_out(&self) -> bool {
        false
    }

    /// The probabilities of the pieces, if they are drawn independently of earlier pieces and of
    /// the board.
    fn chances(&self) -> Option<Chances> {
        None
    }
}

/// Clones boxed randomizers, for every type that is `Clone`.
pub trait CloneRandomizer {
    /// A clone with the same memory.
    fn boxed(&self) -> Box<dyn Randomizer>;
}

impl<T: Randomizer + Clone + 'static> CloneRandomizer for T {
    fn boxed(&self) -> Box<dyn Randomizer> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Randomizer> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}

/// The inputs for creating a randomizer: a part of a ruleset, since a ruleset contains a
/// randomizer.
pub struct RandomizerContext<'a> {
    /// The rules of a step.
    pub rules: RulesRef<'a>,
    /// The width of the board.
    pub width: usize,
    /// Finds evaluators by name, for a randomizer that plays against one.
    pub evaluators: &'a EvaluatorLookup<'a>,
}

/// A kind of randomizer.
pub type RandomizerEntry = Entry<MakeRandomizer>;

/// Creates a randomizer of a kind from its settings.
pub type MakeRandomizer =
    fn(&Settings, &RandomizerContext<'_>) -> Result<Box<dyn Randomizer>, SpecError>;

/// Every kind of randomizer. To add one: write its file, add its line here.
pub const RANDOMIZERS: &[RandomizerEntry] = &[
    weighted::UNIFORM,
    weighted::ENTRY,
    weighted::HARD,
    nes::ENTRY,
    tgm::ENTRY,
    tgm::TGM2,
    bag::ENTRY,
    tgm3::ENTRY,
    fixed::ENTRY,
    alternating::ENTRY,
    adversary::ENTRY,
];

/// Creates the randomizer of a spec.
///
/// # Errors
/// If the randomizer is unknown or its settings are invalid.
pub fn randomizer(
    spec: &Spec,
    context: &RandomizerContext<'_>,
) -> Result<Box<dyn Randomizer>, SpecError> {
    let entry = find(RANDOMIZERS, "randomizer", &spec.name)?;
    (entry.make)(&entry.read(spec)?, context)
}
