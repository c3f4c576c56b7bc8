//! The registries of the parts of players.

use tetrolab_core::evaluators::{EVALUATORS, EvaluatorEntry, ParameterTable};
use tetrolab_core::players::{PLAYERS, PlayerEntry};

/// The forms of evaluators and the kinds of players that a player file or a learning plan can use:
/// the shipped ones, or a caller's own.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    /// The forms of evaluators.
    pub evaluators: &'static [EvaluatorEntry],
    /// The kinds of players.
    pub players: &'static [PlayerEntry],
}

impl Default for Parts {
    /// The shipped registries.
    fn default() -> Parts {
        Parts {
            evaluators: EVALUATORS,
            players: PLAYERS,
        }
    }
}

impl Parts {
    /// The kinds of players that take an evaluator, whose parameters can be saved and learned.
    pub fn players_with_evaluator(&self) -> Vec<&'static PlayerEntry> {
        let takes_one = |entry: &&PlayerEntry| entry.takes("evaluator").is_some();
        self.players.iter().filter(takes_one).collect()
    }

    /// Every table of every form; tables of several forms are repeated.
    pub(super) fn tables(&self) -> impl Iterator<Item = &'static ParameterTable> + use<> {
        self.evaluators.iter().flat_map(|form| form.make.tables)
    }
}
