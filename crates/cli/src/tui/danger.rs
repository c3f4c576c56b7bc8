//! How dangerous a board is for the bot, learned in the background while the game is shown.

use std::sync::mpsc::{Receiver, TryRecvError, channel};
use tetrolab::arena::Arena;
use tetrolab::core::board::Board;
use tetrolab::core::level::Danger;
use tetrolab::core::piece::Piece;
use tetrolab::core::players::Player;
use tetrolab::core::ruleset::Ruleset;
use tetrolab::survival::{LevelKind, Splitting, SurvivalError, danger_chance};

/// Trajectories for each level: enough for a meter.
const TRAJECTORIES: usize = 300;

/// The danger of a player's boards, once it is known.
pub(crate) enum DangerMeter {
    Learning(Receiver<Option<Danger>>),
    Known(Box<Danger>),
    Unknown,
}

impl DangerMeter {
    /// Begins to learn.
    pub(crate) fn learn(ruleset: &Ruleset, player: &dyn Player) -> DangerMeter {
        let (sender, receiver) = channel();
        let (ruleset, player) = (ruleset.clone(), player.boxed());
        std::thread::spawn(move || {
            let danger = learned(&ruleset, &*player).ok();
            // Nobody listens any more when the program has ended.
            let _ = sender.send(danger);
        });
        DangerMeter::Learning(receiver)
    }

    /// Waits until it is known.
    pub(crate) fn wait(&mut self) {
        if let DangerMeter::Learning(receiver) = self {
            *self = match receiver.recv() {
                Ok(Some(danger)) => DangerMeter::Known(Box::new(danger)),
                _ => DangerMeter::Unknown,
            };
        }
    }

    /// Looks whether it is known by now.
    pub(crate) fn look(&mut self) {
        let DangerMeter::Learning(receiver) = self else {
            return;
        };
        *self = match receiver.try_recv() {
            Ok(Some(danger)) => DangerMeter::Known(Box::new(danger)),
            Ok(None) | Err(TryRecvError::Disconnected) => DangerMeter::Unknown,
            Err(TryRecvError::Empty) => return,
        };
    }

    /// The chance to die before the stack is back to normal, and that of the empty board.
    pub(crate) fn chances(&self, board: &Board, piece: Option<Piece>) -> Option<(f64, f64)> {
        let DangerMeter::Known(danger) = self else {
            return None;
        };
        let empty = Board::new(board.width(), board.height()).ok()?;
        let chance = |board: &Board, piece| danger_chance(danger.level(board.columns(), piece));
        Some((chance(board, piece), chance(&empty, None)))
    }
}

fn learned(ruleset: &Ruleset, player: &dyn Player) -> Result<Danger, SurvivalError> {
    let splitting = Splitting {
        trajectories: TRAJECTORIES,
        level: LevelKind::Danger,
        ..Splitting::default()
    };
    let arena = Arena::new(1).map_err(|_| SurvivalError::Stopped)?;
    let prepared = splitting.prepare(&arena, player, ruleset, 1)?;
    prepared.danger().cloned().ok_or(SurvivalError::Stopped)
}
