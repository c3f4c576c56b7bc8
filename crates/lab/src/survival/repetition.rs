//! One independent estimate of the rate at which games end.

use super::batch::{Halt, SimulatorPool};
use super::entry::{LevelEntry, LevelResult};
use super::equilibrium::{self, Equilibrium};
use super::levels::Levels;
use super::simulator::Simulator;
use serde::{Deserialize, Serialize};
use tetrolab_core::rng::game_seed;

/// The result of one repetition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Repetition {
    pub(super) equilibrium: Equilibrium,
    /// One for every level, up to the first one at which no trajectory succeeded.
    pub(super) levels: Vec<LevelResult>,
    /// Deaths per piece.
    pub(super) rate: f64,
    /// Mean number of cells on the board when a game is over; 0 if no game was.
    pub(super) cells: f64,
}

impl Repetition {
    /// All pieces played.
    pub(super) fn claimed_pieces(&self) -> u128 {
        let climbed = self.levels.iter().map(|level| u128::from(level.pieces));
        u128::from(self.equilibrium.played) + climbed.sum::<u128>()
    }

    /// All pieces played.
    pub(super) fn pieces(&self) -> u64 {
        let climbed: u64 = self.levels.iter().map(|level| level.pieces).sum();
        self.equilibrium.played + climbed
    }

    /// Why the repetition is inconsistent, if it is.
    pub(super) fn implausible(&self, most: u64, trajectories: u64) -> Option<String> {
        let Equilibrium {
            pieces,
            early_entries,
            late_entries,
            deaths,
            lines,
            line_points,
            played,
        } = self.equilibrium;
        let counts = [pieces, early_entries, late_entries, deaths];
        let cleared = [lines / 4, line_points / 8];
        if played > most || counts.iter().chain(&cleared).any(|&count| count > played) {
            return Some("an equilibrium run counts more than it plays".to_owned());
        }
        let mut rate = self.equilibrium.entry_rate();
        for level in &self.levels {
            let went_on = level.successes.max(level.ancestors);
            if level.trajectories == 0 || went_on > level.trajectories {
                return Some(format!(
                    "{went_on} of {} trajectories continued",
                    level.trajectories
                ));
            }
            if level.trajectories > trajectories || level.pieces > most {
                return Some(format!(
                    "{} trajectories at a level, with {} pieces",
                    level.trajectories, level.pieces
                ));
            }
            rate *= level.successes as f64 / level.trajectories as f64;
        }
        let is_rate = self.rate == rate || (self.rate == 0.0 && rate.is_nan());
        (!is_rate).then(|| format!("a rate of {}, but the counts give {rate}", self.rate))
    }
}

/// Runs one repetition: the equilibrium run, then the climb from level to level.
pub(super) fn run<F: Simulator + Send>(
    pool: &SimulatorPool<'_, F>,
    levels: &Levels,
    seed: u64,
) -> Result<Repetition, Halt> {
    let (repetition, _) = run_watched(pool, levels, seed, |_, _| {})?;
    Ok(repetition)
}

/// The result of a repetition, and the trajectories that died.
type Watched<P> = (Repetition, Vec<LevelEntry<P>>);

/// Runs a repetition with a callback. The callback inspects the entries into every level before
/// trajectories start from them, and how often stacks reach the level. It may only change the roots
/// of the entries.
pub(super) fn run_watched<F: Simulator + Send>(
    pool: &SimulatorPool<'_, F>,
    levels: &Levels,
    seed: u64,
    mut watch: impl FnMut(&mut [LevelEntry<F::Position>], f64),
) -> Result<Watched<F::Position>, Halt> {
    let (equilibrium, mut entries) = equilibrium::run(pool, levels.base(), game_seed(seed, 0))?;
    let mut results = Vec::new();
    let mut rate = equilibrium.entry_rate();
    for index in 0..levels.levels.len() {
        if entries.is_empty() {
            break;
        }
        watch(&mut entries, rate);
        let seed = game_seed(seed, 1 + index as u64);
        let (result, reached) = levels.climb(index).run(pool, &entries, seed)?;
        rate *= result.successes as f64 / result.trajectories as f64;
        results.push(result);
        entries = reached;
    }
    let cells: Vec<u32> = entries
        .iter()
        .filter_map(LevelEntry::cells_at_death)
        .collect();
    let total: u64 = cells.iter().copied().map(u64::from).sum();
    let repetition = Repetition {
        equilibrium,
        levels: results,
        rate,
        cells: total as f64 / (cells.len() as f64).max(1.0),
    };
    Ok((repetition, entries))
}
