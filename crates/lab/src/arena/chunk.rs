//! Plays the games of a chunk one after the other.

use super::progress::Meter;
use super::{GameResult, Limits, OutOfPieces};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tetrolab_core::game::Status;
use tetrolab_core::players::Player;
use tetrolab_core::rng::{game_seed, player_seed};
use tetrolab_core::ruleset::Ruleset;

/// What all games of a run have in common.
pub(super) struct Terms<'a> {
    pub ruleset: &'a Ruleset,
    pub seed: u64,
    pub limits: Limits,
    pub stop: &'a AtomicBool,
    /// Whether a worker has panicked.
    pub broken: AtomicBool,
}

impl Terms<'_> {
    /// Whether play is to end.
    pub(super) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.broken.load(Ordering::Relaxed)
    }
}

/// Games of one arm that a worker has played.
pub(super) struct PlayedChunk {
    pub arm: usize,
    pub results: Vec<GameResult>,
    pub took: Duration,
}

/// Plays the games with these numbers, in order, and appends their results. When the stop flag is raised, the game in
/// progress is cut off where it stands and those behind it are not begun.
pub(super) fn play_chunk(
    player: &mut dyn Player,
    terms: &Terms<'_>,
    games: Range<u64>,
    meter: &mut Meter<'_>,
    results: &mut Vec<GameResult>,
) -> Result<(), OutOfPieces> {
    for index in games {
        if terms.stopped() {
            break;
        }
        results.extend(play_game(player, terms, index, meter)?);
    }
    Ok(())
}

/// Plays one game. A game that is stopped before its first piece has not been played.
fn play_game(
    player: &mut dyn Player,
    terms: &Terms<'_>,
    index: u64,
    meter: &mut Meter<'_>,
) -> Result<Option<GameResult>, OutOfPieces> {
    let seed = game_seed(terms.seed, index);
    let Limits {
        max_pieces,
        record_placements,
        ..
    } = terms.limits;
    let max_pieces = max_pieces.unwrap_or(u64::MAX);
    let mut game = player.begin(terms.ruleset, seed);
    let mut placements = record_placements.map(|_| Vec::new());
    player.start(player_seed(seed));
    // One relaxed load per piece costs nothing beside the decision, and players may think for seconds.
    while game.status() == Status::Playing && game.pieces() < max_pieces && !terms.stopped() {
        let placement = player.choose(&game.view());
        if let (Some(placements), Some(most)) = (&mut placements, record_placements)
            && placements.len() < most
        {
            placements.push(placement);
        }
        game.apply(placement);
        meter.piece();
    }
    if game.status() == Status::OutOfPieces && game.pieces() < max_pieces {
        let pieces = game.pieces();
        return Err(OutOfPieces { index, pieces });
    }
    if game.pieces() == 0 {
        return Ok(None);
    }
    meter.game();
    Ok(Some(GameResult {
        index,
        seed,
        lines: game.lines(),
        pieces: game.pieces(),
        line_points: game.line_points(),
        finished: game.status() == Status::Over,
        placements,
    }))
}
