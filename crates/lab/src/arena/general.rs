//! Plays games on the general path, one after the other.

use super::call::ArenaCall;
use super::progress::Meter;
use super::result::PlayedChunk;
use super::{GameResult, GameSeries, OutOfPieces};
use std::ops::Range;
use tetrolab_core::game::Status;
use tetrolab_core::players::Player;
use tetrolab_core::rng::{game_seed, player_seed};

/// Plays the games with these numbers in order, and adds them to `played`. When play is stopped,
/// the game in progress is truncated and the remaining ones are not started.
pub(super) fn play_chunk(
    player: &mut dyn Player,
    call: &ArenaCall<'_>,
    games: Range<u64>,
    meter: &mut Meter<'_>,
    played: &mut PlayedChunk,
) -> Result<(), OutOfPieces> {
    for index in games {
        if call.is_stopped() {
            break;
        }
        if !call.hooks.is_known(played.arm, index) {
            play_game(player, call, index, meter, played)?;
        }
    }
    Ok(())
}

/// Plays one game. A game that is stopped before its first piece does not count as played.
fn play_game(
    player: &mut dyn Player,
    call: &ArenaCall<'_>,
    index: u64,
    meter: &mut Meter<'_>,
    played: &mut PlayedChunk,
) -> Result<(), OutOfPieces> {
    let GameSeries {
        ruleset,
        seed,
        limits,
    } = *call.series;
    let seed = game_seed(seed, index);
    let max_pieces = limits.max_pieces.unwrap_or(u64::MAX);
    let mut game = player.begin(ruleset, seed);
    let mut placements = limits.record_placements.map(|_| Vec::new());
    player.start(player_seed(seed));
    // One relaxed load per piece is negligible compared with a decision, and players may think for
    // seconds.
    while game.status() == Status::Playing && game.pieces() < max_pieces && !call.is_stopped() {
        let placement = player.decide(&game.view());
        // A slow decision may have been cut short.
        if call.is_stopped() {
            break;
        }
        if let (Some(placements), Some(most)) = (&mut placements, limits.record_placements)
            && placements.len() < most
        {
            placements.push(placement);
        }
        game.apply(placement);
        meter.piece();
    }
    if game.status() == Status::OutOfPieces && game.pieces() < max_pieces {
        let (arm, pieces) = (played.arm, game.pieces());
        return Err(OutOfPieces { arm, index, pieces });
    }
    if game.pieces() == 0 {
        return Ok(());
    }
    meter.game();
    let result = GameResult {
        index,
        lines: game.lines(),
        pieces: game.pieces(),
        line_points: game.line_points(),
        points: game.stepped().map_or(0, |stepped| stepped.tally().points),
        finished: game.status() == Status::Over,
    };
    played.games.push(result);
    if call.hooks.sink.is_some() {
        let whole = result.finished || result.pieces >= max_pieces;
        call.pass_on(played.arm, &[result], placements.as_slice(), whole);
    } else {
        played.placements.extend(placements);
    }
    Ok(())
}
