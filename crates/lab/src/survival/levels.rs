//! Chooses the levels of the repetitions by a small separate run, which is not used in the
//! estimate.
//!
//! Levels chosen from the counted trajectories would bias the estimate. Levels from independent
//! trajectories are as good as fixed ones.

use super::batch::{ENDLESS, Halt, Next, SimulatorPool, TrajectoryBatch};
use super::entry::{Arrival, Climb, Falls, LevelEntry, starts};
use super::equilibrium::{self, Base};
use super::importance::{Danger, ImportanceFunction};
use super::simulator::Simulator;
use crate::hash::{Fnv, hash_of_bytes};
use crate::library::model_bytes;
use serde::{Deserialize, Serialize};
use tetrolab_core::evaluators::Model;
use tetrolab_core::kernel::Window;
use tetrolab_core::rng::game_seed;

/// The fraction of time that the stack is in the base set.
const IN_BASE: f64 = 0.7;
/// The fraction of time that the stack is below the first level.
const BELOW_FIRST: f64 = 0.8;
/// The target probability of reaching the next level.
const AIM: f64 = 0.25;
/// The number of levels that a trajectory may fall before it must win a draw to continue.
const FALLS_FREE: usize = 1;
/// Number of trajectories for choosing a level.
const PILOTS: usize = 1000;
/// Number of pieces at the start of each chain that are ignored, and number of later pieces that
/// show where stacks usually are.
const SETTLING: u64 = 500;
const LOOKED_AT: u64 = 500;

/// The data shared by all repetitions of an estimate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Levels {
    /// Levels up to this one belong to the base set.
    pub(super) base: u32,
    /// The levels above the base set, each to be reached from the previous one; the last is
    /// followed by the end of the game.
    pub(super) levels: Vec<u32>,
    /// Number of trajectories that start at each level.
    pub(super) trajectories: usize,
    /// The danger that defines the levels; `None` if the stack does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) danger: Option<DangerNumbers>,
}

/// A danger in a form that can be stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum DangerNumbers {
    /// A learned danger: its parameters.
    Learned { empty: i64, weights: Vec<i64> },
    /// The danger of lookup tables: a hash of their entries.
    Tables { tables: String },
}

impl DangerNumbers {
    /// None for levels of the stack.
    pub(super) fn of(function: &ImportanceFunction) -> Option<DangerNumbers> {
        match function {
            ImportanceFunction::Stack => None,
            ImportanceFunction::Danger(danger) => {
                let (empty, weights) = danger.numbers();
                Some(DangerNumbers::Learned {
                    empty,
                    weights: weights.to_vec(),
                })
            }
            ImportanceFunction::Tables(danger) => {
                let tables = hash_of_bytes(&model_bytes(&Model::Tables(danger.tables().clone())));
                Some(DangerNumbers::Tables { tables })
            }
        }
    }
}

/// More levels than any estimate uses.
const MOST_LEVELS: usize = 10_000;

impl Levels {
    /// The importance function of levels that another process chose, if these levels and the
    /// function are valid; `known` is the function that need not be learned.
    pub(super) fn function(&self, known: ImportanceFunction) -> Option<ImportanceFunction> {
        let ascends = self.base < *self.levels.first()? && self.levels.is_sorted_by(|a, b| a < b);
        if !ascends || self.levels.len() > MOST_LEVELS {
            return None;
        }
        match &self.danger {
            Some(DangerNumbers::Learned { empty, weights }) => {
                let danger = Danger::from_numbers(*empty, weights)?;
                Some(ImportanceFunction::Danger(Box::new(danger)))
            }
            same => (DangerNumbers::of(&known) == *same).then_some(known),
        }
    }
}

/// Statistics of choosing the levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PilotCounts {
    /// Pieces played to find where stacks usually are.
    pub(super) pieces: u64,
    /// Number of games that ended in the meantime.
    pub(super) deaths: u64,
    /// Total number of pieces played until the levels were chosen.
    pub(super) played: u64,
    /// The approximate number of pieces of one repetition.
    pub(super) repetition: u64,
    /// A hash of the observed levels, which differs between players.
    pub(super) fingerprint: u64,
}

impl Levels {
    pub(super) fn base(&self) -> Base {
        Base {
            level: self.base,
            first: self.levels[0],
        }
    }

    /// The step from one level to the next.
    pub(super) fn climb(&self, index: usize) -> Climb {
        Climb {
            base: self.base,
            level: self.levels[index],
            target: self.levels.get(index + 1).copied(),
            trajectories: self.trajectories,
            falls: self.falls(index),
        }
    }

    /// The levels below which a trajectory from this one must win a draw to continue.
    fn falls(&self, index: usize) -> Falls {
        let lower = self.danger.is_some().then_some(&self.levels[..index]);
        let lower = lower.unwrap_or_default().iter().rev().skip(FALLS_FREE);
        let mut falls = Falls::default();
        falls
            .iter_mut()
            .zip(lower)
            .for_each(|(fall, level)| *fall = Some(*level));
        falls
    }
}

/// Finds the base set, where stacks usually are.
pub(super) fn pilot<F: Simulator + Send>(
    pool: &SimulatorPool<'_, F>,
    seed: u64,
) -> Result<(Base, PilotCounts), Halt> {
    let chains = pool.play(pool.chains, &PilotChain { seed })?;
    let mut levels: Vec<u32> = Vec::new();
    chains.iter().for_each(|chain| levels.extend(&chain.levels));
    let fingerprint = fingerprint(&levels);
    levels.sort_unstable();
    let quantile = |part: f64| levels[(part * levels.len() as f64) as usize];
    let base = quantile(IN_BASE);
    let pieces = pool.chains as u64 * (SETTLING + LOOKED_AT);
    let pilot = PilotCounts {
        pieces,
        deaths: chains.iter().map(|chain| chain.deaths).sum(),
        played: pieces,
        repetition: 0,
        fingerprint,
    };
    let first = quantile(BELOW_FIRST).max(base + 1);
    Ok((Base { level: base, first }, pilot))
}

fn fingerprint(levels: &[u32]) -> u64 {
    let mut hash = Fnv::new();
    levels
        .iter()
        .for_each(|level| hash.add(&level.to_le_bytes()));
    hash.value()
}

/// Chooses the levels above the base set.
pub(super) fn choose<F: Simulator + Send>(
    pool: &SimulatorPool<'_, F>,
    (base, function): (Base, &ImportanceFunction),
    trajectories: usize,
    seed: u64,
    pilot: &mut PilotCounts,
) -> Result<Levels, Halt> {
    let (counts, mut entries) = equilibrium::run(pool, base, game_seed(seed, 0))?;
    pilot.played += counts.played;
    pilot.repetition = counts.played;
    let mut levels = vec![base.first];
    loop {
        if entries.is_empty() {
            return Err(Halt::Stuck);
        }
        let level = levels[levels.len() - 1];
        let seed = game_seed(seed, levels.len() as u64);
        let (peaks, pieces) = peaks(pool, &entries, base.level, seed)?;
        pilot.played += pieces;
        let Some(target) = next_level(&peaks, level) else {
            pilot.repetition += pieces * trajectories as u64 / PILOTS as u64;
            break;
        };
        let climb = Climb {
            base: base.level,
            level,
            target: Some(target),
            trajectories: PILOTS,
            falls: Falls::default(),
        };
        let (result, next) = climb.run(pool, &entries, game_seed(seed, 0))?;
        pilot.played += result.pieces;
        pilot.repetition += result.pieces * trajectories as u64 / PILOTS as u64;
        levels.push(target);
        entries = next;
    }
    Ok(Levels {
        base: base.level,
        levels,
        trajectories,
        danger: DangerNumbers::of(function),
    })
}

/// The level above this one that the fraction [`AIM`] of trajectories with these peaks reaches;
/// `None` if too many of them die.
fn next_level(peaks: &[Peak], level: u32) -> Option<u32> {
    let mut sorted = peaks.to_vec();
    sorted.sort_unstable();
    match sorted[((1.0 - AIM) * peaks.len() as f64) as usize] {
        Peak::Dead => None,
        Peak::Level(peak) => Some(peak.max(level + 1)),
    }
}

/// How high a trajectory climbed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Peak {
    Level(u32),
    Dead,
}

/// A window that stops after every piece.
pub(super) fn every_piece() -> Window {
    Window {
        high: Some(0),
        ..Window::OPEN
    }
}

/// Chains of games whose levels are recorded after every piece.
struct PilotChain {
    seed: u64,
}

/// The record of one chain.
#[derive(Default)]
struct Seen {
    /// Games begun.
    games: u64,
    /// Games that ended.
    deaths: u64,
    /// Pieces of the games before the current one.
    before: u64,
    levels: Vec<u32>,
}

impl PilotChain {
    /// Begins the next game of a chain.
    fn begin<F: Simulator>(
        &self,
        simulator: &F,
        index: usize,
        seen: &mut Seen,
    ) -> Next<F::Position> {
        let seed = game_seed(self.seed, index as u64);
        let seed = game_seed(seed, 2 * seen.games + 1);
        seen.games += 1;
        Next::Start(simulator.beginning(), seed, every_piece())
    }
}

impl<F: Simulator> TrajectoryBatch<F> for PilotChain {
    type State = Seen;

    fn start(&self, simulator: &F, index: usize) -> (Seen, Next<F::Position>) {
        let mut seen = Seen::default();
        let next = self.begin(simulator, index, &mut seen);
        (seen, next)
    }

    fn rest(&self, simulator: &F, slot: usize, index: usize, seen: &mut Seen) -> Next<F::Position> {
        let now = simulator.standing(slot);
        let pieces = seen.before + now.pieces;
        if pieces > SETTLING {
            seen.levels.push(now.level);
        }
        if now.over {
            seen.deaths += 1;
            seen.before = pieces;
        }
        if pieces >= SETTLING + LOOKED_AT {
            return Next::Done;
        }
        if now.over {
            return self.begin(simulator, index, seen);
        }
        Next::Continue(every_piece())
    }
}

/// How high the trajectories that start from these entries climb, and the pieces that they play.
fn peaks<F: Simulator + Send>(
    pool: &SimulatorPool<'_, F>,
    entries: &[LevelEntry<F::Position>],
    base: u32,
    seed: u64,
) -> Result<(Vec<Peak>, u64), Halt> {
    let pilots = PilotTrajectories {
        entries,
        starts: starts(entries.len(), PILOTS, seed),
        base,
        seed,
    };
    let seen = pool.play(PILOTS, &pilots)?;
    let pieces = seen.iter().map(|(_, pieces)| pieces).sum();
    Ok((seen.into_iter().map(|(peak, _)| peak).collect(), pieces))
}

/// Trajectories that show how high others will climb.
struct PilotTrajectories<'a, P> {
    entries: &'a [LevelEntry<P>],
    starts: Vec<usize>,
    base: u32,
    seed: u64,
}

impl<F: Simulator> TrajectoryBatch<F> for PilotTrajectories<'_, F::Position> {
    /// The peak and the pieces played.
    type State = (Peak, u64);

    fn start(&self, _field: &F, index: usize) -> (Self::State, Next<F::Position>) {
        let Arrival::Alive { position, level } = &self.entries[self.starts[index]].arrival else {
            return ((Peak::Dead, 0), Next::Done);
        };
        let seed = game_seed(self.seed, index as u64);
        let next = Next::Start(position.clone(), seed, every_piece());
        ((Peak::Level(*level), 0), next)
    }

    fn rest(
        &self,
        simulator: &F,
        slot: usize,
        _index: usize,
        (peak, pieces): &mut Self::State,
    ) -> Next<F::Position> {
        let now = simulator.standing(slot);
        let reached = if now.over {
            Peak::Dead
        } else {
            Peak::Level(now.level)
        };
        *peak = reached.max(*peak);
        if now.over || now.level <= self.base {
            *pieces = now.pieces;
            return Next::Done;
        }
        if now.pieces >= ENDLESS {
            return Next::Endless;
        }
        Next::Continue(every_piece())
    }
}
