//! Whether games depend on chance at all.

use crate::arena::{GameResult, Played};
use tetrolab_core::game::{Game, Status};
use tetrolab_core::ruleset::Ruleset;

/// This many games that begin with the same piece do so by rule: by chance they would once in 7^31.
const GAMES: u64 = 32;

/// Whether nothing was left to chance: all games came out alike, and the ruleset does not draw its pieces.
pub(super) fn is_deterministic(ruleset: &Ruleset, arm: &Played) -> bool {
    let came_out = |game: &GameResult| (game.lines, game.pieces, game.line_points, game.finished);
    let are_alike = |pair: &[GameResult]| came_out(&pair[0]) == came_out(&pair[1]);
    arm.games.len() > 1 && arm.games.windows(2).all(are_alike) && begins_alike(ruleset)
}

/// Whether games begin alike whatever their seed.
fn begins_alike(ruleset: &Ruleset) -> bool {
    let first = |seed: u64| {
        let game = Game::new(ruleset, seed);
        (game.status() == Status::Playing).then(|| game.view().piece)
    };
    (1..GAMES).all(|seed| first(seed) == first(0))
}
