//! Detects games without any randomness.

use crate::arena::{GameResult, Played};
use tetrolab_core::ruleset::Ruleset;

/// Whether there was no randomness: the ruleset does not draw its pieces at random, and all games
/// of the arm had the same result, so the player uses no random numbers either.
pub(super) fn is_deterministic(ruleset: &Ruleset, arm: &Played) -> bool {
    let came_out = |game: &GameResult| (game.lines, game.pieces, game.line_points, game.finished);
    let are_alike = |pair: &[GameResult]| came_out(&pair[0]) == came_out(&pair[1]);
    ruleset.is_deterministic() && arm.games.len() > 1 && arm.games.windows(2).all(are_alike)
}
