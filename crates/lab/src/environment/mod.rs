//! Games as environments of reinforcement learning: many games side by side, stepped by numbers,
//! observed through plain arrays.
//!
//! ```text
//! EnvironmentSetup -> Environments -> reset(episodes) -> Observations
//!                          step(actions) -> Observations, Outputs
//! ```
//!
//! A game depends on its ruleset, seed, number and actions alone, as everywhere in the laboratory:
//! the number of games side by side and of threads never matters. The episodes of a seed are the
//! games that an evaluation with this seed plays, one after the other.

mod action;
mod afterstates;
mod batch;
mod episode;
mod error;
mod legal;
mod observation;
mod reward;
mod setup;

#[cfg(test)]
mod tests;

pub use action::IllegalActions;
pub use batch::{Autoreset, Environments, SavedEnvironments};
use episode::Episode;
pub use error::EnvironmentError;
pub use legal::LegalMoves;
pub use observation::{NOTHING, Observations, Outputs, Strides};
pub use reward::{RewardKind, Shaping};
pub use setup::{EnvironmentKind, EnvironmentSetup, ObservedPart};
