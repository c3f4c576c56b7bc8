//! Repetitions shared by several processes: each process computes a range, and the ranges are
//! combined into one estimate.

use super::batch::Halt;
use super::estimate::Survival;
use super::levels::{Levels, PilotCounts};
use super::pilot::known_levels;
use super::prepared::Prepared;
use super::repeating::FEWEST_REPETITIONS;
use super::repetition::Repetition;
use super::subject::Subject;
use super::{Goal, Splitting, SurvivalError};
use crate::arena::{into_inner, lock};
use crate::context::Context;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use tetrolab_core::players::Player;
use tetrolab_core::ruleset::Ruleset;

/// The maximum memory for the positions of all repetitions that run at the same time.
const MOST_BYTES: usize = 800_000_000;
/// The maximum memory for a trajectory's position; most need between 600 bytes and this.
const BYTES_OF_A_TRAJECTORY: usize = 1_300;

/// The maximum number of repetitions that run at the same time, regardless of the number of
/// threads.
fn most_at_a_time(trajectories: usize) -> usize {
    let bytes = trajectories.saturating_mul(BYTES_OF_A_TRAJECTORY);
    (MOST_BYTES / bytes.max(1)).max(1)
}

/// The levels of an estimate: one process chooses them for all that share the repetitions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SharedLevels(Levels);

impl Prepared {
    /// The levels, for other processes.
    pub(crate) fn shared_levels(&self) -> SharedLevels {
        SharedLevels(self.levels.clone())
    }
}

impl Splitting {
    /// An estimate with levels that another process chose for the same player, rules and seed.
    ///
    /// # Errors
    /// If the settings are invalid, or the levels do not fit them.
    pub(crate) fn prepare_with_levels(
        &self,
        context: &Context,
        (player, ruleset, seed): (&dyn Player, &Ruleset, u64),
        levels: &SharedLevels,
    ) -> Result<Prepared, SurvivalError> {
        self.check(context.library(), player, ruleset)?;
        let levels = levels.0.clone();
        let known = known_levels(context.library(), self, player, ruleset)?;
        let function = levels.function(known);
        let function = function.filter(|_| levels.trajectories == self.trajectories);
        let mut subject = Subject::new(context, player, ruleset, seed, self.chains.get());
        subject.function = function.ok_or(SurvivalError::OtherLevels)?;
        Prepared::new(context, self, (subject, levels, PilotCounts::default()))
    }
}

/// The repetitions of a range, computed by one process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharedRepetitions {
    /// The levels that they climbed.
    levels: Levels,
    /// The repetitions, in order.
    repetitions: Vec<Repetition>,
}

/// The completed part of a range.
#[derive(Default)]
struct DoneInRange {
    repetitions: BTreeMap<u64, Repetition>,
    failure: Option<Halt>,
}

impl Prepared {
    /// Does the repetitions with these numbers on all threads, or on fewer if together they would
    /// need more than 800 MB. The result of each repetition depends only on its number.
    ///
    /// # Errors
    /// If it was stopped, or the player's games may never end.
    pub(crate) fn repeat_range(
        &self,
        context: &Context,
        range: Range<u64>,
    ) -> Result<SharedRepetitions, SurvivalError> {
        self.repeat_at_most(context, range, most_at_a_time(self.levels.trajectories))
    }

    /// Does repetitions on this many threads at most.
    fn repeat_at_most(
        &self,
        context: &Context,
        range: Range<u64>,
        most: usize,
    ) -> Result<SharedRepetitions, SurvivalError> {
        let next = AtomicU64::new(range.start);
        let done = Mutex::new(DoneInRange::default());
        let threads = AtomicUsize::new(0);
        context.arena().on_all_threads(|| {
            if threads.fetch_add(1, Ordering::Relaxed) >= most {
                return;
            }
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= range.end || lock(&done).failure.is_some() {
                    return;
                }
                let repetition = self.subject.repeat(context, &self.levels, index);
                let mut done = lock(&done);
                match repetition {
                    Ok(repetition) => drop(done.repetitions.insert(index, repetition)),
                    Err(halt) => done.failure = Some(halt),
                }
            }
        });
        let done = into_inner(done);
        match done.failure {
            Some(halt) => Err(halt.into()),
            None => Ok(SharedRepetitions {
                levels: self.levels.clone(),
                repetitions: done.repetitions.into_values().collect(),
            }),
        }
    }
}

impl SharedRepetitions {
    /// The number of repetitions.
    pub(crate) fn count(&self) -> u64 {
        self.repetitions.len() as u64
    }

    /// Whether the repetitions are consistent: there are levels, and no repetition climbed more of
    /// them.
    pub(crate) fn is_sound(&self) -> bool {
        let levels = self.levels.levels.len();
        let climbs = |repetition: &Repetition| repetition.levels.len() <= levels;
        levels > 0 && self.repetitions.iter().all(climbs)
    }

    /// The number of pieces that the repetitions claim to have played.
    pub(crate) fn claimed_pieces(&self) -> u128 {
        self.repetitions
            .iter()
            .map(Repetition::claimed_pieces)
            .sum()
    }

    /// The first inconsistent number: a rate that does not follow from the counts, or a count
    /// beyond this many pieces.
    pub(crate) fn implausible(&self, most: u64) -> Option<String> {
        let mut wrong = self.repetitions.iter().filter_map(|repetition| {
            let trajectories = self.levels.trajectories as u64;
            repetition.implausible(most, trajectories)
        });
        wrong.next()
    }

    /// The estimate from several ranges, for a board of this width. The first range must begin with
    /// the first repetition. `None` if the ranges used different levels, or if there are fewer than
    /// two repetitions.
    pub(crate) fn survival(ranges: &[&SharedRepetitions], width: usize) -> Option<Survival> {
        let levels = &ranges.first()?.levels;
        let all = ranges.iter().flat_map(|range| &range.repetitions);
        let mut all: Vec<&Repetition> = all.collect();
        let goal = Goal::Repetitions(all.len() as u64);
        // One process would have stopped here.
        let fewest = FEWEST_REPETITIONS as usize;
        if all.len() > fewest && all[..fewest].iter().all(|one| one.rate <= 0.0) {
            all.truncate(fewest);
        }
        let agree = ranges.iter().all(|range| range.levels == *levels);
        let mut survival = Survival::of(levels, &all, width).filter(|_| agree && all.len() > 1)?;
        survival.unmet = goal.unmet(&all);
        Some(survival)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Arena;
    use crate::library::{find_player, find_ruleset};

    #[test]
    fn repetitions_at_the_same_time_stay_below_a_gigabyte_and_give_the_same_alone() {
        for trajectories in [1, 8_000, 100_000] {
            let bytes = most_at_a_time(trajectories) * trajectories * BYTES_OF_A_TRAJECTORY;
            assert!(bytes < 1_000_000_000, "{trajectories}: {bytes}");
        }
        assert_eq!(most_at_a_time(usize::MAX), 1);
        let ruleset = find_ruleset("simplified-8x5").unwrap();
        let player = find_player("bcts", &ruleset).unwrap();
        let splitting = Splitting {
            trajectories: 100,
            ..Splitting::default()
        };
        let found = [1, 4].map(|threads| {
            let context = Context::new(&Arena::new(threads).unwrap());
            let prepared = splitting.prepare(&context, &*player, &ruleset, 1).unwrap();
            [1, usize::MAX].map(|most| prepared.repeat_at_most(&context, 0..5, most).unwrap())
        });
        assert!(found.iter().flatten().all(|one| *one == found[0][0]));
    }
}
