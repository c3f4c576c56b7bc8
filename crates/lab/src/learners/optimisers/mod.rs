//! Optimisers propose vectors and receive their fitness. Each has its own file.
//!
//! An optimiser is independent of Tetris; `search.rs` adapts them to the common trait of
//! all learning methods.

pub(super) mod ant_colony;
mod aside;
pub(super) mod cma_es;
pub(super) mod cross_entropy;
mod eigen;
pub(super) mod ga;
pub(super) mod harmony_search;
pub(super) mod pso;
pub(super) mod random_search;
mod sampling;
mod search;
mod start;
pub(crate) mod vectors;

#[cfg(test)]
mod tests;

use super::{
    Diagnostics, Kind, Learner, LearningMethod, Optimizer, Preset, Protocol, Setting, Settings,
};
use crate::memory::MemoryPart;
pub(super) use search::OptimizerRun;

/// Training of the network presets: the thesis' features and network, on few truncated games, so
/// that a run ends. Games, generations and the objective are our choice: the number of pieces
/// distinguishes networks that have yet to clear a line.
const NETWORK_PROTOCOL: Protocol = Protocol {
    features: Some("thesis-6"),
    evaluator: Some("network"),
    ruleset: Some("simplified-10x20"),
    games: Some(10),
    max_pieces: Some(2_000),
    generations: Some(100),
    objective: Some("pieces"),
    ..Protocol::OPEN
};

/// The memory needed by an optimiser and its candidates, for vectors of this dimension.
pub(super) fn memory(learner: &Learner, settings: &Settings, dimension: usize) -> Vec<MemoryPart> {
    /// The optimiser, the driver and the players each store the parameters of a candidate.
    const BYTES_OF_NUMBER: usize = 40;
    /// The size of a player without its parameters.
    const BYTES_OF_PLAYER: usize = 2048;
    let population = |id: &'static str| {
        let count = settings.count_or(id, cma_es::auto_population(dimension));
        let bytes = BYTES_OF_NUMBER
            .saturating_mul(dimension)
            .saturating_add(BYTES_OF_PLAYER);
        MemoryPart::new(id, &[count, bytes])
    };
    let has = |id: &&'static str| learner.settings.iter().any(|row| row.id == *id);
    let populations = ["population", "memory", "improvisations"];
    let mut parts: Vec<MemoryPart> = populations
        .into_iter()
        .filter(has)
        .map(population)
        .collect();
    if has(&"levels") {
        let levels = settings.count("levels");
        parts.push(MemoryPart::new("levels", &[levels, dimension, 8]));
    }
    if has(&"covariance") && cma_es::keeps_matrix(settings, dimension) {
        parts.push(MemoryPart::new("covariance", &[dimension, dimension, 4, 8]));
    }
    parts
}
