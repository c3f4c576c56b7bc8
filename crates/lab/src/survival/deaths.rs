//! How a player dies: the boards on the way of trajectories of splitting that came to their end.
//!
//! A repetition climbs from level to level, each trajectory from where another one arrived. Followed back from a death, these
//! entries are a series of boards, from an ordinary stack to one that is lost, with how rare each is. Deaths that
//! share the excursion from the base share most of their way, so of each excursion one death is shown.

use super::SurvivalError;
use super::batch::{Halt, Team};
use super::entry::{Arrival, LevelEntry};
use super::equilibrium;
use super::field::Field;
use super::levels::Levels;
use super::prepared::Prepared;
use super::subject::{Crew, FieldTask};
use crate::arena::Arena;
use serde::Serialize;
use tetrolab_core::board::Board;
use tetrolab_core::rng::game_seed;
use tetrolab_core::ruleset::Ruleset;

/// One death.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Death {
    /// The boards on the way, from the first level on.
    pub steps: Vec<DeathStep>,
}

impl Death {
    /// At most so many boards of the way, evenly spread, the last one among them.
    #[must_use]
    pub fn shown(&self, most: usize) -> Vec<&DeathStep> {
        let last = self.steps.len().saturating_sub(1);
        let count = most.min(self.steps.len());
        let place = |index: usize| match count {
            1 => last,
            _ => (index * last + (count - 1) / 2) / (count - 1),
        };
        (0..count).map(|index| &self.steps[place(index)]).collect()
    }
}

/// A board on the way to a death.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DeathStep {
    /// The level of the board, of which there may be several names.
    pub level: u32,
    /// How often, per piece, a stack comes as far as the level that it reached.
    pub rate: f64,
    /// The rows of the board, top row first.
    #[serde(serialize_with = "rows")]
    pub board: Board,
}

fn rows<S: serde::Serializer>(board: &Board, serializer: S) -> Result<S::Ok, S::Error> {
    board.to_rows().serialize(serializer)
}

impl Prepared<'_> {
    /// Deaths of a repetition, at most so many, each of another excursion from the base; none if no trajectory died.
    ///
    /// # Errors
    /// When the arena's flag stops it.
    pub fn deaths(
        &self,
        arena: &Arena,
        repetition: u64,
        most: usize,
    ) -> Result<Vec<Death>, SurvivalError> {
        let task = FindDeaths {
            levels: &self.levels,
            ruleset: self.subject.ruleset,
            seed: self.subject.repetition_seed(repetition),
            most,
        };
        Ok(self.subject.by(Crew::Everyone, arena, task)?)
    }
}

struct FindDeaths<'a> {
    levels: &'a Levels,
    ruleset: &'a Ruleset,
    seed: u64,
    most: usize,
}

/// The entries into a level: where they came from stands in their roots, as places in the list before.
struct Rung<P> {
    entries: Vec<LevelEntry<P>>,
    rate: f64,
}

impl FieldTask for FindDeaths<'_> {
    type Output = Result<Vec<Death>, Halt>;

    /// The same trajectories as those of the repetition.
    fn on<F: Field + Send>(self, team: &Team<'_, F>) -> Self::Output {
        let base = self.levels.base();
        let (equilibrium, mut entries) = equilibrium::run(team, base, game_seed(self.seed, 0))?;
        let mut rate = equilibrium.entry_rate();
        let mut rungs: Vec<Rung<F::Position>> = Vec::new();
        for index in 0..self.levels.levels.len() {
            if entries.is_empty() {
                return Ok(Vec::new());
            }
            let mut starts = entries.clone();
            let numbered = starts.iter_mut().zip(0..);
            numbered.for_each(|(entry, number)| entry.set_root(number));
            let seed = game_seed(self.seed, 1 + index as u64);
            let (result, reached) = self.levels.climb(index).run(team, &starts, seed)?;
            rungs.push(Rung { entries, rate });
            rate *= result.chance();
            entries = reached;
        }
        let mut shown: Vec<u32> = Vec::new();
        let mut deaths = Vec::new();
        for end in &entries {
            let (first, steps) = follow::<F>(&rungs, end.root(), self.ruleset);
            if deaths.len() < self.most && !shown.contains(&first) {
                shown.push(first);
                deaths.push(Death { steps });
            }
        }
        Ok(deaths)
    }
}

/// The way to a death that started from this entry into the last level, and the entry into the first with which it began.
fn follow<F: Field>(
    rungs: &[Rung<F::Position>],
    last: u32,
    ruleset: &Ruleset,
) -> (u32, Vec<DeathStep>) {
    let (mut place, mut first) = (last, last);
    let mut steps: Vec<DeathStep> = Vec::new();
    for Rung { entries, rate } in rungs.iter().rev() {
        first = place;
        let entry = &entries[place as usize];
        place = entry.root();
        // One that died on its way here has no board, and one that jumped over levels has one for all of them.
        if let Arrival::Alive { position, level } = &entry.arrival {
            let board = F::board(position, ruleset);
            match steps.last_mut() {
                Some(later) if later.board == board => {}
                _ => steps.push(DeathStep {
                    level: *level,
                    rate: *rate,
                    board,
                }),
            }
        }
    }
    steps.reverse();
    (first, steps)
}

#[cfg(test)]
mod tests {
    use super::super::{LevelKind, Splitting};
    use super::*;
    use crate::library::{find_player, find_ruleset};

    fn deaths(kernels: bool, threads: usize) -> Vec<Death> {
        let ruleset = find_ruleset("simplified-10x8").unwrap();
        let player = find_player("bcts", &ruleset).unwrap();
        let arena = Arena::new(threads).unwrap().kernels(kernels);
        let splitting = Splitting {
            trajectories: 200,
            level: LevelKind::Stack,
            ..Splitting::default()
        };
        let prepared = splitting.prepare(&arena, &*player, &ruleset, 3).unwrap();
        prepared.deaths(&arena, 0, 3).unwrap()
    }

    #[test]
    fn the_way_to_a_death_rises_from_level_to_level_and_is_the_same_on_every_path() {
        let found = deaths(true, 1);
        assert_eq!(found.len(), 3);
        for death in &found {
            assert!(death.steps.len() > 2);
            let pairs = death.steps.windows(2);
            for pair in pairs {
                assert!(pair[0].level < pair[1].level && pair[0].rate > pair[1].rate);
                assert_ne!(pair[0].board, pair[1].board);
            }
        }
        let shown = found[0].shown(3);
        assert_eq!(shown.len(), 3);
        assert_eq!(shown[0], &found[0].steps[0]);
        assert_eq!(Some(shown[2]), found[0].steps.last());
        assert_eq!(found[0].shown(1)[0], shown[2]);
        assert_eq!(found[0].shown(999).len(), found[0].steps.len());
        assert_ne!(found[0].steps[0], found[1].steps[0]);
        assert_eq!(found, deaths(true, 2));
        assert_eq!(found, deaths(false, 1));
    }
}
