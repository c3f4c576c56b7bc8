//! Decisions of eight games at a time by any features and any sum of terms, under any rules of
//! placement games.
//!
//! - `plan` says where the numbers of a feature set come from, and holds the weights of a player.
//! - `rater` drops a piece on eight boards, lets every feature measure all placements, adds the
//!   terms up in 32-bit floats (`lane_work`), and compares the placements that rounding could
//!   confuse exactly.
//! - `pairs` decides for players that look two pieces ahead.
//! - `games` plays whole games with these decisions.
//!
//! Cases that no lane can decide (a stack that does not fit, a number beyond its table, a game that
//! all placements end) are decided on the general path.

mod games;
mod lane_work;
mod pairs;
mod plan;
mod rater;

pub(super) use games::{FeaturePlayer, Games, Running};
pub(super) use plan::{FeaturePlan, FeatureWeights};
pub(super) use rater::{Decisions, Rater};
