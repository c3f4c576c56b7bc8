//! How long games will take: a pilot run by splitting, beside games that have gone on for a while.

use super::evaluation::Evaluating;
use super::players::Named;

/// Plays games. If that takes longer than some seconds and the games are not capped, a pilot run on a thread of its own
/// estimates how long the games of each player are, and the observer is told. It changes no result.
#[cfg(not(feature = "threads"))]
pub(super) fn while_expecting<T: Send>(
    _of: &Evaluating<'_>,
    _players: &[&Named],
    _games: u64,
    play: impl FnOnce() -> T,
) -> T {
    play()
}

#[cfg(feature = "threads")]
pub(super) use beside_play::while_expecting;

#[cfg(feature = "threads")]
mod beside_play {
    use super::super::Event;
    use super::{Evaluating, Named};
    use crate::arena::Arena;
    use crate::survival::{LevelKind, Splitting, SurvivalError};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
    use std::thread::scope;
    use std::time::Duration;
    use tetrolab_core::players::Player;
    use tetrolab_core::ruleset::Ruleset;

    /// Shorter play needs no forecast.
    const SOON: Duration = Duration::from_secs(3);
    /// A pilot run of a slow player is given up after this time.
    const LONGEST: Duration = Duration::from_secs(60);
    /// Trajectories of each level: few, for the order of magnitude is enough.
    const TRAJECTORIES: usize = 200;

    /// Plays games. If that takes longer than some seconds and the games are not capped, a pilot run on a thread of its own
    /// estimates how long the games of each player are, and the observer is told. It changes no result.
    pub(in super::super) fn while_expecting<T>(
        of: &Evaluating<'_>,
        players: &[&Named],
        games: u64,
        play: impl FnOnce() -> T,
    ) -> T {
        let evaluation = of.request.evaluation;
        if evaluation.max_pieces.is_some() {
            return play();
        }
        let copies = players.iter();
        let copies: Vec<(&str, Box<dyn Player>)> = copies
            .map(|named| (named.name.as_str(), of.arena.copy_of(&*named.player)))
            .collect();
        let (ruleset, observer, seed) = (of.request.ruleset, of.observer, evaluation.seed);
        let stop = Arc::new(AtomicBool::new(false));
        let (end, ended) = channel::<()>();
        let (watched, raised) = (Arc::clone(&stop), Arc::clone(&stop));
        scope(|scope| {
            let (over, pilot_over) = channel::<()>();
            scope.spawn(move || {
                // Whoever plays drops the sender when it is done.
                if is_still_open(&ended, SOON) {
                    drop(over);
                    is_still_open(&ended, LONGEST);
                    raised.store(true, Ordering::Relaxed);
                } else {
                    let _ = over.send(());
                }
            });
            scope.spawn(move || {
                if pilot_over.recv().is_ok() {
                    return;
                }
                for (player, copy) in &copies {
                    if let Some(pieces) = pilot(&**copy, ruleset, seed, &watched) {
                        observer(&Event::Expected {
                            player,
                            games,
                            pieces,
                        });
                    }
                }
            });
            let played = play();
            stop.store(true, Ordering::Relaxed);
            drop(end);
            played
        })
    }

    /// Whether a channel is open for so long.
    fn is_still_open(channel: &Receiver<()>, time: Duration) -> bool {
        channel.recv_timeout(time) == Err(RecvTimeoutError::Timeout)
    }

    /// About how many pieces a game has, or that it may have no end; none if that cannot be told.
    fn pilot(
        player: &dyn Player,
        ruleset: &Ruleset,
        seed: u64,
        stop: &Arc<AtomicBool>,
    ) -> Option<Option<f64>> {
        let arena = Arena::new(1).ok()?.stop_flag(Arc::clone(stop));
        let splitting = Splitting {
            trajectories: TRAJECTORIES,
            level: LevelKind::Stack,
            ..Splitting::default()
        };
        let surveyed = splitting.survey_alone(&arena, player, ruleset, seed);
        let found = surveyed
            .and_then(|surveyed| surveyed.prepare(&arena))
            .and_then(|mut prepared| prepared.repeat_alone(&arena, 2));
        match found {
            Ok(survival) => Some(survival.pieces),
            Err(SurvivalError::NoEnd { .. }) => Some(None),
            Err(_) => None,
        }
    }
}
