//! Which flags of `tetrolab eval` can be combined; none is silently ignored.

use super::{Args, MethodFlag};
use anyhow::bail;
use tetrolab::survival::SurvivalError;

/// A flag, and whether it was given.
type Flag = (&'static str, bool);

/// The first flag that was given.
fn first_given(flags: &[Flag]) -> Option<&'static str> {
    flags.iter().find(|flag| flag.1).map(|flag| flag.0)
}

impl Args {
    /// The flag that selects whole games.
    fn asks_for_games(&self) -> Option<&'static str> {
        first_given(&[
            ("--games", self.games.is_some()),
            ("--max-pieces", self.max_pieces.0.is_some()),
            ("--record", self.record.is_some()),
            ("--csv", self.csv.is_some()),
            ("--method games", self.method == MethodFlag::Games),
        ])
    }

    /// The first given flag that only splitting uses.
    fn needs_splitting(&self) -> Option<&'static str> {
        first_given(&[
            ("--method splitting", self.method == MethodFlag::Splitting),
            ("--budget", self.budget.is_some()),
            ("--repetitions", self.repetitions.is_some()),
            ("--trajectories", self.trajectories.is_some()),
            ("--level", self.level.is_some()),
            ("--levels", self.levels),
        ])
    }

    /// Rejects flags that would have no effect.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        if let (Some(games), Some(splitting)) = (self.asks_for_games(), self.needs_splitting()) {
            bail!(
                "{games} requires whole games, but {splitting} requires splitting; leave one of them out"
            );
        }
        if self.record.is_some() && self.resume.is_some() {
            bail!(
                "--resume does not store the placements that --record needs; leave one of them out"
            );
        }
        if self.budget == Some(0) {
            bail!(SurvivalError::NoPieces);
        }
        Ok(())
    }
}
