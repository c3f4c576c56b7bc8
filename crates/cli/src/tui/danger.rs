//! How dangerous a board is for the bot: learned in the background while the game is shown, or what its own look-up tables say.

use std::sync::mpsc::{Receiver, TryRecvError, channel};
use tetrolab::arena::Arena;
use tetrolab::core::board::Board;
use tetrolab::core::evaluators::TableSum;
use tetrolab::core::level::{Danger, EMPTY_LEVEL, LEVELS_PER_NAT, TableDanger};
use tetrolab::core::piece::Piece;
use tetrolab::core::players::Player;
use tetrolab::core::ruleset::Ruleset;
use tetrolab::survival::{LevelKind, Splitting, SurvivalError, danger_chance, times_empty};

/// Trajectories for each level: enough for a meter.
const TRAJECTORIES: usize = 300;

/// The danger of a player's boards, once it is known.
pub(crate) enum DangerMeter {
    Learning(Receiver<Option<Danger>>),
    Known(Box<Danger>),
    /// The bot chooses by a danger of its own.
    Own(Box<OwnDanger>),
    Unknown,
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
            text: format!("{} x empty", times(times_empty(level))),
            share: (f64::from(level) - EMPTY_LEVEL) / (self.full - EMPTY_LEVEL),
        }
    }
}

/// A factor in at most five letters, for the narrow panel.
fn times(factor: f64) -> String {
    match (0.05..999.5).contains(&factor) {
        true if factor < 9.95 => format!("{factor:.1}"),
        true => format!("{factor:.0}"),
        false => format!("{factor:.0e}"),
    }
}

impl DangerMeter {
    /// Takes the bot's own danger, if it has one, or begins to learn.
    pub(crate) fn learn(ruleset: &Ruleset, player: &dyn Player) -> DangerMeter {
        let (width, height) = (ruleset.width, ruleset.height);
        let tables = player.evaluator().and_then(|own| own.as_tables());
        if let Some(own) = tables.and_then(|tables| OwnDanger::new(tables, width, height)) {
            return DangerMeter::Own(Box::new(own));
        }
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

    /// How dangerous a board is, once that is known: the chance to die before the stack is back to normal, or how many times it is that
    /// of the empty board.
    pub(crate) fn reading(&self, board: &Board, piece: Option<Piece>) -> Option<DangerReading> {
        let danger = match self {
            DangerMeter::Known(danger) => danger,
            DangerMeter::Own(own) => return Some(own.reading(board)),
            DangerMeter::Learning(_) | DangerMeter::Unknown => return None,
        };
        let empty = Board::new(board.width(), board.height()).ok()?;
        let chance = |board: &Board, piece| danger_chance(danger.level(board.columns(), piece));
        let (own, of_empty) = (chance(board, piece), chance(&empty, None));
        Some(DangerReading {
            text: format!("{own:.1e}"),
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
    let prepared = splitting.prepare(&arena, player, ruleset, 1)?;
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
        let meter = DangerMeter::learn(&ruleset, &*player);
        let read = |rows: &[&str]| {
            let board = Board::from_lowest_rows(10, 10, rows).unwrap();
            meter.reading(&board, None).unwrap()
        };
        let empty = read(&[]);
        assert_eq!((empty.text.as_str(), empty.share), ("1.0 x empty", 0.0));
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
