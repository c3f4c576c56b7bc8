//! Time estimates: a pilot run by splitting, in parallel with games that have already taken a
//! while.

use super::evaluation::Evaluating;
use super::players::Named;
use crate::context::{CancelToken, Context, Event};
use crate::survival::{LevelKind, Splitting, SurvivalError};
use crate::time::Instant;
use std::sync::mpsc::{Sender, channel};
use std::thread::scope;
use std::time::Duration;
use tetrolab_core::players::Player;
use tetrolab_core::ruleset::Ruleset;

/// Games that take less time than this need no estimate.
const SOON: Duration = Duration::from_secs(3);
/// The pilot run of a slow player is abandoned after this time.
const LONGEST: Duration = Duration::from_secs(60);
/// Number of trajectories per level: few, because the order of magnitude is sufficient.
const TRAJECTORIES: usize = 200;

/// Plays games. If this takes longer than a few seconds and the games are not capped, a pilot run
/// on a separate thread estimates the length of each player's games and notifies the observer. The
/// pilot run does not affect results.
pub(super) fn while_expecting<T>(
    of: &Evaluating<'_>,
    players: &[&Named],
    games: u64,
    play: impl FnOnce() -> T,
) -> T {
    let evaluation = of.request.evaluation;
    if !cfg!(feature = "threads") || evaluation.plan.max_pieces().is_some() {
        return play();
    }
    let copies = players.iter();
    let copies: Vec<(&str, Box<dyn Player>)> = copies
        .map(|named| (named.name.as_str(), of.context.copy_of(&*named.player)))
        .collect();
    let (ruleset, seed, context) = (of.request.ruleset, evaluation.seed, of.context);
    let piloting = context
        .until(Some(Instant::now() + SOON + LONGEST))
        .silent();
    let token = piloting.token().clone();
    let expect = move || {
        for (player, copy) in &copies {
            if let Some(pieces) = pilot(&**copy, ruleset, seed, &piloting) {
                context.report(Event::Expected {
                    player: (*player).to_owned(),
                    games,
                    pieces,
                });
            }
        }
    };
    beside(context, &token, expect, play)
}

/// Plays and, if this takes long, runs something else on another thread, which is cancelled when
/// play ends or panics.
fn beside<T>(
    context: &Context,
    token: &CancelToken,
    other: impl FnOnce() + Send,
    play: impl FnOnce() -> T,
) -> T {
    /// Ends the other thread: it is cancelled, or stops waiting.
    struct EndOfPlay<'a> {
        token: &'a CancelToken,
        _end: Sender<()>,
    }
    impl Drop for EndOfPlay<'_> {
        fn drop(&mut self) {
            self.token.cancel();
        }
    }
    let (end, ended) = channel();
    scope(|scope| {
        let _end = EndOfPlay { token, _end: end };
        scope.spawn(move || {
            if context.wait(SOON, &ended) {
                other();
            }
        });
        play()
    })
}

/// The approximate number of pieces of a game, or that games may never end; `None` if it cannot be
/// estimated.
fn pilot(
    player: &dyn Player,
    ruleset: &Ruleset,
    seed: u64,
    context: &Context,
) -> Option<Option<f64>> {
    let splitting = Splitting {
        trajectories: TRAJECTORIES,
        level: LevelKind::Stack,
        ..Splitting::default()
    };
    let pilot = splitting.pilot_alone(context, player, ruleset, seed);
    let found = pilot
        .and_then(|pilot| pilot.prepare(context))
        .and_then(|mut prepared| prepared.repeat_alone(context, 2));
    match found {
        Ok(survival) => Some(survival.pieces),
        Err(SurvivalError::NoEnd { .. }) => Some(None),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::MockClock;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;

    #[test]
    fn a_panic_in_the_play_does_not_wait_for_the_pilot_run() {
        let context = Context::on_threads(1).clock(Arc::new(MockClock::default()));
        let token = CancelToken::new();
        let (begin, begun) = channel();
        let began = Instant::now();
        let watched = token.clone();
        let other = move || {
            begin.send(()).unwrap();
            while !watched.is_cancelled() && began.elapsed() < LONGEST {
                std::thread::yield_now();
            }
        };
        let play = || {
            begun.recv().unwrap();
            panic!("a player is wrong");
        };
        let played = catch_unwind(AssertUnwindSafe(|| {
            beside(&context, &token, other, play);
        }));
        assert!(played.is_err() && token.is_cancelled());
        assert!(began.elapsed() < LONGEST);
    }
}
