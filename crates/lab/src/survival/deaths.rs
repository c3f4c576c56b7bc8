//! How a player dies: the boards on the paths of splitting trajectories that died.
//!
//! A repetition climbs from level to level, each trajectory starting where another one arrived.
//! Traced back from a death, these entries form a series of boards from an ordinary stack to a lost
//! one, with the rarity of each. Deaths in the same excursion share most of their path, so one
//! death per excursion is shown.

use super::SurvivalError;
use super::batch::{Halt, SimulatorPool};
use super::entry::{Arrival, LevelEntry};
use super::levels::Levels;
use super::prepared::Prepared;
use super::repetition::run_watched;
use super::simulator::Simulator;
use super::subject::{SimulatorTask, TaskThreads};
use crate::context::Context;
use crate::formats::{as_rows, as_text};
use serde::Serialize;
use tetrolab_core::board::Board;
use tetrolab_core::piece::{Piece, Rotation};
use tetrolab_core::placement::{Placement, Spin};
use tetrolab_core::ruleset::Ruleset;

/// One death.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Death {
    /// The boards on the path, from the first level on.
    pub steps: Vec<DeathStep>,
    /// The end of the game.
    pub end: DeathEnd,
}

impl Death {
    /// At most this many boards with their rates, evenly spaced; the last one is the board at the
    /// end.
    pub fn shown(&self, most: usize) -> Vec<(&Board, f64)> {
        let way = self
            .steps
            .iter()
            .filter(|step| step.board != self.end.board);
        let mut boards: Vec<_> = way.map(|step| (&step.board, step.rate)).collect();
        boards.push((&self.end.board, self.end.rate));
        let (last, count) = (boards.len() - 1, most.min(boards.len()));
        let place = |index: usize| match count {
            1 => last,
            _ => (index * last + (count - 1) / 2) / (count - 1),
        };
        (0..count).map(|index| boards[place(index)]).collect()
    }
}

/// The end of a game: the player lost with this piece on this board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DeathEnd {
    /// Deaths per piece.
    pub rate: f64,
    /// The rows of the board before the last piece, top row first.
    #[serde(serialize_with = "as_rows")]
    pub board: Board,
    /// The last piece.
    #[serde(serialize_with = "as_text")]
    pub piece: Piece,
}

impl DeathEnd {
    /// The cells of the last piece above the board, where it enters: row from the bottom, column.
    pub fn entering(&self) -> [(usize, usize); 4] {
        let (piece, rotation) = (self.piece, Rotation::North);
        let left = (self.board.width() - piece.shape(rotation).width) / 2;
        let above = Placement {
            piece,
            rotation,
            x: left as u8,
            y: self.board.height() as u8,
            spin: Spin::None,
        };
        above.cells()
    }
}

/// A board on the path to a death.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DeathStep {
    /// The level of the board, by the importance function of the estimate.
    pub level: u32,
    /// The frequency, per piece, with which stacks reach the level.
    pub rate: f64,
    /// The rows of the board, top row first.
    #[serde(serialize_with = "as_rows")]
    pub board: Board,
}

/// Deaths of a repetition.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Deaths {
    /// Deaths per piece in this repetition.
    pub rate: f64,
    /// Some of these deaths, each from a different excursion.
    pub deaths: Vec<Death>,
}

impl Prepared {
    /// At most this many deaths of a repetition, each from a different excursion; empty if no
    /// trajectory died.
    pub(crate) fn deaths(
        &self,
        context: &Context,
        repetition: u64,
        most: usize,
    ) -> Result<Deaths, SurvivalError> {
        let task = FindDeaths {
            levels: &self.levels,
            ruleset: &self.subject.ruleset,
            seed: self.subject.repetition_seed(repetition),
            most,
        };
        Ok(self.subject.by(TaskThreads::All, context, task)?)
    }
}

struct FindDeaths<'a> {
    levels: &'a Levels,
    ruleset: &'a Ruleset,
    seed: u64,
    most: usize,
}

/// The entries into a level, and how often stacks reach it.
struct Rung<P> {
    /// The root of each entry is its index in the previous level; the entries of the first level
    /// have their own roots.
    entries: Vec<LevelEntry<P>>,
    rate: f64,
}

impl SimulatorTask for FindDeaths<'_> {
    type Output = Result<Deaths, Halt>;

    fn on<F: Simulator + Send>(self, pool: &SimulatorPool<'_, F>) -> Self::Output {
        let mut rungs: Vec<Rung<F::Position>> = Vec::new();
        let watch = |entries: &mut [LevelEntry<F::Position>], rate: f64| {
            rungs.push(Rung {
                entries: entries.to_vec(),
                rate,
            });
            let numbered = entries.iter_mut().zip(0..);
            numbered.for_each(|(entry, place)| entry.root = place);
        };
        let (repetition, ends) = run_watched(pool, self.levels, self.seed, watch)?;
        let mut deaths = Deaths {
            rate: repetition.rate,
            deaths: Vec::new(),
        };
        let mut shown: Vec<u32> = Vec::new();
        let is_whole = repetition.levels.len() == self.levels.levels.len();
        for end in ends.iter().filter(|_| is_whole) {
            let Arrival::Dead { lost, .. } = &end.arrival else {
                continue;
            };
            if deaths.deaths.len() == self.most {
                break;
            }
            let way = way_to(&rungs, end.root);
            let first = *way.last().expect("there is a first level");
            let steps = steps::<F>(&rungs, &way, self.ruleset);
            // A trajectory that died before it entered a level has no board to show.
            if !shown.contains(&first) && !steps.is_empty() {
                shown.push(first);
                let end = DeathEnd {
                    rate: repetition.rate,
                    board: lost.board,
                    piece: lost.piece,
                };
                deaths.deaths.push(Death { steps, end });
            }
        }
        Ok(deaths)
    }
}

/// The indices of a death's ancestors at each level, from the last level to the first.
fn way_to<P>(rungs: &[Rung<P>], last: u32) -> Vec<u32> {
    let mut place = last;
    let ancestors = rungs.iter().rev().map(|rung| {
        let own = place;
        place = rung.entries[own as usize].root;
        own
    });
    ancestors.collect()
}

/// The boards on a path, from the first level to the last.
fn steps<F: Simulator>(
    rungs: &[Rung<F::Position>],
    way: &[u32],
    ruleset: &Ruleset,
) -> Vec<DeathStep> {
    let mut steps: Vec<DeathStep> = Vec::new();
    for (Rung { entries, rate }, place) in rungs.iter().zip(way.iter().rev()) {
        let Arrival::Alive { position, level } = &entries[*place as usize].arrival else {
            break;
        };
        let step = DeathStep {
            level: *level,
            rate: *rate,
            board: F::board(position, ruleset),
        };
        match steps.last_mut() {
            // The trajectory skipped a level, so the rarer one is shown.
            Some(before) if before.board == step.board => *before = step,
            _ => steps.push(step),
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::super::{Goal, LevelKind, Splitting};
    use super::*;
    use crate::arena::Arena;
    use crate::library::{find_player, find_ruleset};
    use tetrolab_core::ends::End;
    use tetrolab_core::moves::placements;
    use tetrolab_core::rules::Rules;

    fn deaths(kernels: bool, threads: usize, ruleset: &str) -> Deaths {
        let ruleset = find_ruleset(ruleset).unwrap();
        let player = find_player("bcts", &ruleset).unwrap();
        let context = Context::new(&Arena::new(threads).unwrap().kernels(kernels));
        let splitting = Splitting {
            trajectories: 200,
            level: LevelKind::Stack,
            chains: 32.try_into().unwrap(),
            ..Splitting::default()
        };
        let mut prepared = splitting.prepare(&context, &*player, &ruleset, 3).unwrap();
        let found = prepared.deaths(&context, 1, 3).unwrap();
        let goal = Goal::Repetitions(2);
        prepared.run(&context, goal).unwrap();
        assert_eq!(found.rate, prepared.rates()[1]);
        found
    }

    #[test]
    fn the_way_to_a_death_rises_from_level_to_level_and_is_the_same_on_every_path() {
        let found = deaths(true, 1, "simplified-10x8");
        assert_eq!(found.deaths.len(), 3);
        for death in &found.deaths {
            assert!(death.steps.len() > 2);
            for pair in death.steps.windows(2) {
                assert!(pair[0].level < pair[1].level && pair[0].rate > pair[1].rate);
                assert_ne!(pair[0].board, pair[1].board);
            }
        }
        let rules = Rules::Drops(End::ABOVE_TOP);
        for DeathEnd { board, piece, .. } in found.deaths.iter().map(|death| &death.end) {
            let mut last = placements(board, *piece).into_iter();
            assert!(last.all(|last| rules.step(board, last, None, 0).game_over));
        }
        assert_ne!(found.deaths[0].steps[0], found.deaths[1].steps[0]);
        assert_eq!(found, deaths(true, 2, "simplified-10x8"));
        assert_eq!(found, deaths(false, 1, "simplified-10x8"));
    }

    #[test]
    fn some_boards_of_a_way_are_spread_over_it() {
        let death = &deaths(true, 1, "simplified-10x8").deaths[0];
        let shown = death.shown(3);
        assert_eq!(shown.len(), 3);
        assert_eq!(shown[0].0, &death.steps[0].board);
        assert_eq!(shown[2], (&death.end.board, death.end.rate));
        assert_eq!(death.shown(1)[0], shown[2]);
        assert!(death.shown(999).len() >= death.steps.len());
    }

    #[test]
    fn deaths_that_enter_no_level_alive_are_left_out() {
        for death in deaths(true, 1, "simplified-10x4").deaths {
            assert!(!death.steps.is_empty());
        }
    }
}
