//! The risk meter: the probability that a bot loses from a board.

use crate::context::Context;
use crate::report::{percent, show};
use crate::survival::{
    Danger, EMPTY_LEVEL, LEVELS_PER_NAT, LevelKind, Splitting, SurvivalError, TableDanger,
    danger_chance, times_empty,
};
use serde::Serialize;
use tetrolab_core::board::Board;
use tetrolab_core::evaluators::TableSum;
use tetrolab_core::piece::Piece;
use tetrolab_core::players::Player;
use tetrolab_core::ruleset::Ruleset;

/// Number of trajectories at each level: enough for a meter.
const TRAJECTORIES: usize = 300;

/// The risk of a player's boards.
pub struct RiskMeter(Source);

enum Source {
    /// A danger that was learned from the player's games.
    Learned(Box<Danger>),
    /// The player's own lookup tables, and the value for a ragged stack up to the top, where the
    /// meter is full.
    Own(Box<TableDanger>, f64),
}

/// The reading of a meter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RiskReading {
    /// As text.
    pub text: String,
    /// The reading of the meter, from 0 to 1.
    pub share: f64,
}

/// The log death probabilities of the empty board and of a ragged stack up to the top differ by an
/// amount in this range. Tables outside this range were trained for something else, such as
/// returns.
const NATS: std::ops::Range<f64> = 1.0..200.0;

impl RiskMeter {
    /// The meter of a player whose own lookup tables estimate danger.
    pub fn own(ruleset: &Ruleset, player: &dyn Player) -> Option<RiskMeter> {
        let tables = player.evaluator()?.as_tables()?;
        RiskMeter::of_tables(tables, ruleset.width, ruleset.height)
    }

    fn of_tables(tables: &TableSum, width: usize, height: usize) -> Option<RiskMeter> {
        let tables = TableDanger::new(tables.clone(), height);
        let column = |number: usize| (1u64 << (height - 2 * (number % 2))) - 1;
        let ragged: Vec<u64> = (0..width).map(column).collect();
        let full = f64::from(tables.level(&ragged));
        let is_danger = NATS.contains(&((full - EMPTY_LEVEL) / LEVELS_PER_NAT));
        is_danger.then(|| RiskMeter(Source::Own(Box::new(tables), full)))
    }

    /// Learns the danger of a player's boards, which takes seconds.
    ///
    /// # Errors
    /// If the danger of the game cannot be learned, as in stepped games.
    pub fn learn(
        context: &Context,
        ruleset: &Ruleset,
        player: &dyn Player,
    ) -> Result<RiskMeter, SurvivalError> {
        let splitting = Splitting {
            trajectories: TRAJECTORIES,
            level: LevelKind::Danger,
            ..Splitting::default()
        };
        let prepared = splitting.prepare(context, player, ruleset, 1)?;
        let danger = prepared.danger().cloned().ok_or(SurvivalError::Stopped)?;
        Ok(RiskMeter(Source::Learned(Box::new(danger))))
    }

    /// The risk of a board as a number; see [`RiskMeter::unit`].
    pub fn risk(&self, board: &Board) -> Option<f64> {
        let risk = match &self.0 {
            Source::Learned(danger) => danger_chance(danger.level(board.columns(), None)),
            Source::Own(tables, _) => times_empty(tables.level(board.columns())),
        };
        Some(risk).filter(|risk| risk.is_finite())
    }

    /// The meaning of the number: a probability, or a ratio to that of the empty board.
    pub fn unit(&self) -> &'static str {
        match &self.0 {
            Source::Learned(_) => "risk of losing",
            Source::Own(..) => "risk of losing (1 = empty board)",
        }
    }

    /// The risk of a board: the probability of losing before the stack returns to normal, or its
    /// ratio to that of the empty board.
    pub fn reading(&self, board: &Board, piece: Option<Piece>) -> Option<RiskReading> {
        let danger = match &self.0 {
            Source::Learned(danger) => danger,
            Source::Own(tables, full) => {
                let level = tables.level(board.columns());
                return Some(RiskReading {
                    text: format!("{} x empty", show(times_empty(level))),
                    share: (f64::from(level) - EMPTY_LEVEL) / (full - EMPTY_LEVEL),
                });
            }
        };
        let empty = Board::new(board.width(), board.height()).ok()?;
        let chance = |board: &Board, piece| danger_chance(danger.level(board.columns(), piece));
        let (own, of_empty) = (chance(board, piece), chance(&empty, None));
        Some(RiskReading {
            text: percent(own),
            share: 1.0 - own.ln() / of_empty.min(0.5).ln(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::{find_player, find_ruleset};

    #[test]
    fn a_player_of_tables_is_its_own_meter() {
        let ruleset = find_ruleset("simplified-10x10").unwrap();
        let player = find_player("wary-10", &ruleset).unwrap();
        let meter = RiskMeter::own(&ruleset, &*player).unwrap();
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
        assert!(RiskMeter::of_tables(&returns, 10, 10).is_none());
        assert!(
            0.0 < some.share && some.share < more.share,
            "{some:?} {more:?}"
        );
    }
}
