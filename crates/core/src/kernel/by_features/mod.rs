//! Decisions of eight games at a time, for any features and any sum of terms, under any rules of
//! placement games.
//!
//! - `plan` determines how the values of a feature set are obtained, and stores the weights of a
//!   player.
//! - `rater` drops a piece on eight boards, lets every feature measure all placements, adds the
//!   terms up in 32-bit floats (`lane_work`), and uses exact arithmetic to compare placements whose
//!   order rounding may have changed (`pick`).
//! - `pairs` decides for players that look two pieces ahead.
//! - `games` plays whole games with these decisions.
//! - `observer` writes the measured features themselves, for environments of reinforcement learning.
//!
//! Cases that lanes cannot decide (a stack that does not fit, a value outside its table, a game
//! that every placement ends) are decided on the general path.

mod games;
mod lane_work;
mod observer;
mod pairs;
mod pick;
mod plan;
mod rater;

pub(super) use games::{FeaturePlayer, Games, Running};
pub use observer::{ObservedBoard, PlacementFeatures, PlacementRows};
pub(super) use plan::{FeaturePlan, FeatureWeights};
pub(super) use rater::{Decisions, LanePositions, Rater};
