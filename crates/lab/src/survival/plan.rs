//! Which levels a repetition climbs: found by a small run of its own, which no estimate uses.
//!
//! Levels that were chosen by looking at the very trajectories that are counted would bias the estimate. Levels from
//! independent trajectories are as good as levels given from outside.

use super::entry::{Arrival, Climb, Entry, starts};
use super::equilibrium::{self, Base, CHAINS};
use super::field::{Course, ENDLESS, Field, Halt, Next, drive};
use std::sync::atomic::AtomicBool;
use tetrolab_core::level::Window;
use tetrolab_core::rng::game_seed;

/// The stack is in the base so much of the time ...
const IN_BASE: f64 = 0.7;
/// ... and below the first level so much.
const BELOW_FIRST: f64 = 0.8;
/// The chance to reach the next level that is aimed for.
const AIM: f64 = 0.25;
/// Trajectories by which a level is chosen.
const SCOUTS: usize = 1000;
/// Pieces of each chain that show where stacks usually are: the first ones are not looked at.
const SETTLING: u64 = 500;
const LOOKED_AT: u64 = 500;

/// What all repetitions of an estimate have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// Levels up to this one are the base.
    pub(super) base: u32,
    /// The levels above it, each to be reached from the one before; after the last comes the end of the game.
    pub(super) levels: Vec<u32>,
    /// Trajectories that start at each level.
    pub(super) trajectories: usize,
}

/// What the way to a plan showed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Survey {
    /// Pieces played while looking where stacks usually are ...
    pub(super) pieces: u64,
    /// ... and games that ended.
    pub(super) deaths: u64,
    /// Pieces played by the scouts and for a plan in all.
    pub(super) played: u64,
    /// Pieces that one repetition will play, about.
    pub(super) repetition: u64,
}

impl Plan {
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
        }
    }
}

/// Looks where stacks usually are: the base.
pub(super) fn survey<F: Field>(
    field: &mut F,
    stop: &AtomicBool,
    seed: u64,
) -> Result<(Base, Survey), Halt> {
    let mut look = Look {
        seed,
        chains: vec![(0, 0, 0); CHAINS],
        levels: Vec::new(),
    };
    drive(field, stop, CHAINS, &mut look)?;
    let mut levels = look.levels;
    levels.sort_unstable();
    let quantile = |part: f64| levels[(part * levels.len() as f64) as usize];
    let base = quantile(IN_BASE);
    let pieces = CHAINS as u64 * (SETTLING + LOOKED_AT);
    let survey = Survey {
        pieces,
        deaths: look.chains.iter().map(|chain| chain.1).sum(),
        played: pieces,
        repetition: 0,
    };
    let first = quantile(BELOW_FIRST).max(base + 1);
    Ok((Base { level: base, first }, survey))
}

/// Chooses the levels above the base.
pub(super) fn plan<F: Field>(
    field: &mut F,
    stop: &AtomicBool,
    base: Base,
    trajectories: usize,
    seed: u64,
    survey: &mut Survey,
) -> Result<Plan, Halt> {
    let (counts, mut entries) = equilibrium::run(field, stop, base, game_seed(seed, 0))?;
    survey.played += counts.played;
    survey.repetition = counts.played;
    let mut levels = vec![base.first];
    loop {
        if entries.is_empty() {
            return Err(Halt::Stuck);
        }
        let level = levels[levels.len() - 1];
        let seed = game_seed(seed, levels.len() as u64);
        let (peaks, pieces) = peaks(field, stop, &entries, base.level, seed)?;
        survey.played += pieces;
        let Some(target) = next_level(&peaks, level) else {
            survey.repetition += pieces * trajectories as u64 / SCOUTS as u64;
            break;
        };
        let climb = Climb {
            base: base.level,
            level,
            target: Some(target),
            trajectories: SCOUTS,
        };
        let (stage, next) = climb.run(field, stop, &entries, game_seed(seed, 0))?;
        survey.played += stage.pieces;
        survey.repetition += stage.pieces * trajectories as u64 / SCOUTS as u64;
        levels.push(target);
        entries = next;
    }
    Ok(Plan {
        base: base.level,
        levels,
        trajectories,
    })
}

/// The level above this one that a part [`AIM`] of trajectories with these peaks reaches; none if so many die.
fn next_level(peaks: &[Peak], level: u32) -> Option<u32> {
    let mut sorted = peaks.to_vec();
    sorted.sort_unstable();
    match sorted[((1.0 - AIM) * peaks.len() as f64) as usize] {
        Peak::Dead => None,
        Peak::Level(peak) => Some(peak.max(level + 1)),
    }
}

/// How high a trajectory came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Peak {
    Level(u32),
    Dead,
}

/// Rests after every piece.
fn every_piece() -> Window {
    Window {
        high: Some(0),
        ..Window::OPEN
    }
}

/// Chains of games whose levels are looked at after every piece.
struct Look {
    seed: u64,
    /// Of every chain: games begun, games ended, pieces of the games before the current one.
    chains: Vec<(u64, u64, u64)>,
    levels: Vec<u32>,
}

impl Look {
    fn begin<F: Field>(&mut self, field: &F, index: usize) -> Next<F::Position> {
        let seed = game_seed(self.seed, index as u64);
        let games = &mut self.chains[index].0;
        let start = field.beginning();
        let seed = game_seed(seed, 2 * *games + 1);
        *games += 1;
        Next::Start(start, seed, every_piece())
    }
}

impl<F: Field> Course<F> for Look {
    fn start(&mut self, field: &F, index: usize) -> Next<F::Position> {
        self.begin(field, index)
    }

    fn rest(&mut self, field: &F, slot: usize, index: usize) -> Next<F::Position> {
        let now = field.standing(slot);
        let (_, deaths, before) = &mut self.chains[index];
        let pieces = *before + now.pieces;
        if pieces > SETTLING {
            self.levels.push(now.level);
        }
        if now.over {
            *deaths += 1;
            *before = pieces;
        }
        if pieces >= SETTLING + LOOKED_AT {
            return Next::Done;
        }
        if now.over {
            return self.begin(field, index);
        }
        Next::GoOn(every_piece())
    }
}

/// How high trajectories come that start from these entries, and the pieces that they played.
fn peaks<F: Field>(
    field: &mut F,
    stop: &AtomicBool,
    entries: &[Entry<F::Position>],
    base: u32,
    seed: u64,
) -> Result<(Vec<Peak>, u64), Halt> {
    let mut scouts = Scouts {
        entries,
        starts: starts(entries.len(), SCOUTS, seed),
        base,
        seed,
        peaks: vec![Peak::Dead; SCOUTS],
        pieces: 0,
    };
    drive(field, stop, SCOUTS, &mut scouts)?;
    Ok((scouts.peaks, scouts.pieces))
}

struct Scouts<'a, P> {
    entries: &'a [Entry<P>],
    starts: Vec<usize>,
    base: u32,
    seed: u64,
    peaks: Vec<Peak>,
    pieces: u64,
}

impl<F: Field> Course<F> for Scouts<'_, F::Position> {
    fn start(&mut self, _field: &F, index: usize) -> Next<F::Position> {
        let Arrival::Alive { position, level } = &self.entries[self.starts[index]].arrival else {
            return Next::Done;
        };
        self.peaks[index] = Peak::Level(*level);
        let seed = game_seed(self.seed, index as u64);
        Next::Start(position.clone(), seed, every_piece())
    }

    fn rest(&mut self, field: &F, slot: usize, index: usize) -> Next<F::Position> {
        let now = field.standing(slot);
        let peak = if now.over {
            Peak::Dead
        } else {
            Peak::Level(now.level)
        };
        self.peaks[index] = self.peaks[index].max(peak);
        if now.over || now.level <= self.base {
            self.pieces += now.pieces;
            return Next::Done;
        }
        if now.pieces >= ENDLESS {
            return Next::Endless;
        }
        Next::GoOn(every_piece())
    }
}
