//! How the players that look ahead find the best placements of the last ply.

use crate::choice::{BestPlacement, GreedyOptions, Replies};
use crate::evaluators::Evaluator;
use crate::kernel::RepliesTogether;
use crate::ruleset::Ruleset;
use std::sync::Arc;

/// The best placements under these rules: through the kernel if there is one, otherwise one by one.
pub(super) fn replies(
    ruleset: &Ruleset,
    evaluator: Arc<dyn Evaluator>,
    options: GreedyOptions,
) -> Box<dyn Replies> {
    match RepliesTogether::new(ruleset, &evaluator, options) {
        Some(together) => Box::new(together),
        None => Box::new(BestPlacement::new(evaluator, options)),
    }
}
