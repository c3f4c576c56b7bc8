//! Games as environments for reinforcement learning: many games side by side, stepped by integer
//! actions, observed through plain arrays.
//!
//! ```text
//! EnvironmentSetup -> Environments -> reset(episodes) -> Observations
//!                          step(actions) -> Observations, Outputs
//! ```
//!
//! As everywhere in the laboratory, a game depends only on its ruleset, seed, number and actions,
//! not on the number of games side by side or the number of threads. The episodes of a seed are the
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
