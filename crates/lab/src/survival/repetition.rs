//! One independent estimate of how often games end.

use super::entry::{Entry, Stage};
use super::equilibrium::{self, Equilibrium};
use super::field::{Field, Halt};
use super::plan::Plan;
use std::sync::atomic::AtomicBool;
use tetrolab_core::rng::game_seed;

/// What one repetition found.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Repetition {
    pub(super) equilibrium: Equilibrium,
    /// One for every level, up to the first one from which nobody went on.
    pub(super) stages: Vec<Stage>,
    /// Deaths per piece.
    pub(super) rate: f64,
    /// Mean number of cells on the board when a game is over; 0 if none was.
    pub(super) cells: f64,
}

impl Repetition {
    /// All pieces played.
    pub(super) fn pieces(&self) -> u64 {
        let climbed: u64 = self.stages.iter().map(|stage| stage.pieces).sum();
        self.equilibrium.played + climbed
    }
}

/// Runs one repetition: the equilibrium run, then the climb from level to level.
pub(super) fn run<F: Field>(
    field: &mut F,
    stop: &AtomicBool,
    plan: &Plan,
    seed: u64,
) -> Result<Repetition, Halt> {
    let (equilibrium, mut entries) =
        equilibrium::run(field, stop, plan.base(), game_seed(seed, 0))?;
    let mut stages = Vec::new();
    let mut rate = equilibrium.entry_rate();
    for index in 0..plan.levels.len() {
        if entries.is_empty() {
            break;
        }
        let seed = game_seed(seed, 1 + index as u64);
        let (stage, reached) = plan.climb(index).run(field, stop, &entries, seed)?;
        rate *= stage.successes as f64 / stage.trajectories as f64;
        stages.push(stage);
        entries = reached;
    }
    let cells: Vec<u32> = entries.iter().filter_map(Entry::cells_at_death).collect();
    let total: u64 = cells.iter().copied().map(u64::from).sum();
    Ok(Repetition {
        equilibrium,
        stages,
        rate,
        cells: total as f64 / (cells.len() as f64).max(1.0),
    })
}
