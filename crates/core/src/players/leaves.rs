//! How the players that look ahead find the best placements of the last ply.

use crate::choice::{GreedyOptions, Replies, RepliesOneByOne};
use crate::evaluators::Evaluator;
use crate::ruleset::Ruleset;
use std::sync::Arc;

/// The best placements under these rules.
pub(super) fn replies(
    ruleset: &Ruleset,
    evaluator: Arc<dyn Evaluator>,
    options: GreedyOptions,
) -> Box<dyn Replies> {
    Box::new(RepliesOneByOne::new(evaluator, options, ruleset.end))
}
