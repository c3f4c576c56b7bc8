//! How dangerous a board is for the bot: learned in the background while the game is shown, or what its own look-up tables say.

use anyhow::bail;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use tetrolab::arena::Arena;
use tetrolab::context::Context;
use tetrolab::core::board::Board;
use tetrolab::core::evaluators::TableSum;
use tetrolab::core::piece::Piece;
use tetrolab::core::players::Player;
use tetrolab::core::ruleset::Ruleset;
use tetrolab::report::{percent, show};
use tetrolab::survival::{
    Danger, EMPTY_LEVEL, LEVELS_PER_NAT, LevelKind, Splitting, SurvivalError, TableDanger,
    danger_chance, times_empty,
};

/// Trajectories for each level: enough for a meter.
const TRAJECTORIES: usize = 300;

/// The danger of a player's boards, once it is known.
pub(crate) enum DangerMeter {
    Learning(Receiver<Result<Danger, SurvivalError>>),
    Known(Box<Danger>),
    /// The bot chooses by a danger of its own.
    Own(Box<OwnDanger>),
}

/// What a bot's look-up tables think of boards.
pub(crate) struct OwnDanger {
    tables: TableDanger,
    /// The level of a ragged stack up to the top: where the meter is full.
    full: f64,
}

/// What a meter shows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DangerReading {
    /// In words.
    pub(crate) text: String,
    /// How full it is.
    pub(crate) share: f64,
}

/// Between the empty board and a ragged stack up to the top, logarithms of chances lie at least and at most so far apart. Tables that learned
/// something else, such as returns, are no danger.
const NATS: std::ops::Range<f64> = 1.0..200.0;

impl OwnDanger {
    /// The danger of a player's tables, if they seem to hold one.
    fn new(tables: &TableSum, width: usize, height: usize) -> Option<OwnDanger> {
        let tables = TableDanger::new(tables.clone(), height);
        let column = |number: usize| (1u64 << (height - 2 * (number % 2))) - 1;
        let ragged: Vec<u64> = (0..width).map(column).collect();
        let full = f64::from(tables.level(&ragged));
        let is_danger = NATS.contains(&((full - EMPTY_LEVEL) / LEVELS_PER_NAT));
        is_danger.then_some(OwnDanger { tables, full })
    }

    fn reading(&self, board: &Board) -> DangerReading {
        let level = self.tables.level(board.columns());
        DangerReading {
            text: format!("{} x empty", show(times_empty(level))),
            share: (f64::from(level) - EMPTY_LEVEL) / (self.full - EMPTY_LEVEL),
        }
    }
}

impl DangerMeter {
    /// Takes the bot's own danger, if it has one, or begins to learn.
    ///
    /// # Errors
    /// When the danger of the game cannot be learned.
    pub(crate) fn learn(ruleset: &Ruleset, player: &dyn Player) -> anyhow::Result<DangerMeter> {
        let (width, height) = (ruleset.width, ruleset.height);
        let tables = player.evaluator().and_then(|own| own.as_tables());
        if let Some(own) = tables.and_then(|tables| OwnDanger::new(tables, width, height)) {
            return Ok(DangerMeter::Own(Box::new(own)));
        }
        if ruleset.stepped().is_some() {
            bail!(
                "--danger works in placement games only, and {} is a stepped game: leave it out, or use a \
                 placement ruleset such as simplified-10x20",
                ruleset.name
            );
        }
        let (sender, receiver) = channel();
        let (ruleset, player) = (ruleset.clone(), player.boxed());
        std::thread::spawn(move || {
            let danger = learned(&ruleset, &*player);
            // Nobody listens any more when the program has ended.
            let _ = sender.send(danger);
        });
        Ok(DangerMeter::Learning(receiver))
    }

    /// Waits until the danger is known, or until it is known that it cannot be learned.
    pub(crate) fn wait(&mut self) {
        if let DangerMeter::Learning(receiver) = self {
            let learned = receiver.recv().unwrap_or(Err(SurvivalError::Stopped));
            // What went wrong is said when the meter is looked at.
            *self = match learned {
                Ok(danger) => DangerMeter::Known(Box::new(danger)),
                Err(problem) => {
                    let (sender, receiver) = channel();
                    let _ = sender.send(Err(problem));
                    DangerMeter::Learning(receiver)
                }
            };
        }
    }

    /// Looks whether the danger is known by now; an error when it cannot be learned.
    pub(crate) fn look(&mut self) -> Result<(), SurvivalError> {
        let DangerMeter::Learning(receiver) = self else {
            return Ok(());
        };
        match receiver.try_recv() {
            Ok(learned) => *self = DangerMeter::Known(Box::new(learned?)),
            Err(TryRecvError::Disconnected) => return Err(SurvivalError::Stopped),
            Err(TryRecvError::Empty) => (),
        }
        Ok(())
    }

    /// How dangerous a board is, once that is known: the chance to die before the stack is back to normal, or how many times it is that
    /// of the empty board.
    pub(crate) fn reading(&self, board: &Board, piece: Option<Piece>) -> Option<DangerReading> {
        let danger = match self {
            DangerMeter::Known(danger) => danger,
            DangerMeter::Own(own) => return Some(own.reading(board)),
            DangerMeter::Learning(_) => return None,
        };
        let empty = Board::new(board.width(), board.height()).ok()?;
        let chance = |board: &Board, piece| danger_chance(danger.level(board.columns(), piece));
        let (own, of_empty) = (chance(board, piece), chance(&empty, None));
        Some(DangerReading {
            text: percent(own),
            share: 1.0 - own.ln() / of_empty.min(0.5).ln(),
        })
    }
}

fn learned(ruleset: &Ruleset, player: &dyn Player) -> Result<Danger, SurvivalError> {
    let splitting = Splitting {
        trajectories: TRAJECTORIES,
        level: LevelKind::Danger,
        ..Splitting::default()
    };
    let arena = Arena::new(1).map_err(|_| SurvivalError::Stopped)?;
    let prepared = splitting.prepare(&Context::new(&arena), player, ruleset, 1)?;
    prepared.danger().cloned().ok_or(SurvivalError::Stopped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrolab::library::{find_player, find_ruleset};

    #[test]
    fn a_player_of_tables_is_its_own_meter() {
        let ruleset = find_ruleset("simplified-10x10").unwrap();
        let player = find_player("wary-10", &ruleset).unwrap();
        let meter = DangerMeter::learn(&ruleset, &*player).unwrap();
        let read = |rows: &[&str]| {
            let board = Board::from_lowest_rows(10, 10, rows).unwrap();
            meter.reading(&board, None).unwrap()
        };
        let empty = read(&[]);
        assert_eq!((empty.text.as_str(), empty.share), ("1.00 x empty", 0.0));
        let holes = ["#.########", "##.#######", "#.########", "##.#######"];
        let some = read(&holes[..2]);
        let more = read(&holes);
        let tables = player.evaluator().unwrap().as_tables().unwrap();
        let count = tables.set().iter().count();
        let returns = tables.scaled(&vec![1000.0; count]);
        assert!(OwnDanger::new(&returns, 10, 10).is_none());
        assert!(
            0.0 < some.share && some.share < more.share,
            "{some:?} {more:?}"
        );
    }
}
