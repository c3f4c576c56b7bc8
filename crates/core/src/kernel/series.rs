//! Games that are played to their end, many side by side, and that may change hands on the way.

use super::batch::State;
use super::games::Games;
use super::lanes::Lanes;
use super::{GameResult, Kernel};
use crate::board::Board;
use std::collections::VecDeque;

/// How many games are played side by side. With 50 every step finds eight with the same piece; with more it finds several
/// groups with the same piece, whose instructions are then at hand.
const SIDE_BY_SIDE: usize = 160;

/// A game between two pieces. It can go on in any [`super::Series`] of the same kernel, and comes out the same.
#[derive(Debug)]
pub struct Suspended {
    number: u64,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// It has not begun; its seed.
    New(u64),
    /// It stands like this.
    Begun(Box<State>),
}

/// Games of a kernel that are played to their end or to a number of pieces.
pub(super) struct Course<'k, L> {
    games: Games<'k, L>,
    /// A game with no piece yet, for any seed.
    fresh: State,
    /// Games for which there was no room yet.
    upcoming: VecDeque<Suspended>,
    /// The number of the game in every place.
    places: Vec<Option<u64>>,
    /// Places without a game.
    free: Vec<usize>,
    ended: Vec<(u64, GameResult)>,
    placed: u64,
}

impl<'k, L: Lanes> Course<'k, L> {
    /// No games yet, each for at most so many pieces, at least one.
    pub(super) fn new(kernel: &'k Kernel, max_pieces: u64) -> Course<'k, L> {
        let games = Games::new(kernel, max_pieces);
        Course {
            fresh: games.state(&kernel.tables.empty_board(), 0),
            games,
            upcoming: VecDeque::new(),
            places: vec![None; SIDE_BY_SIDE],
            free: (0..SIDE_BY_SIDE).rev().collect(),
            ended: Vec::new(),
            placed: 0,
        }
    }

    /// Decides by itself in every game when fewer than so many wait. It never changes a result.
    #[cfg(test)]
    pub(super) fn fewest_together(mut self, games: usize) -> Course<'k, L> {
        self.games = self.games.fewest_together(games);
        self
    }

    /// Adds a game under a number of the caller's.
    pub(super) fn add(&mut self, number: u64, seed: u64) {
        let stage = Stage::New(seed);
        self.resume(Suspended { number, stage });
    }

    /// Adds a game that was given away by another series.
    pub(super) fn resume(&mut self, game: Suspended) {
        self.upcoming.push_back(game);
    }

    /// Places pieces in so many steps, up to some dozens in each; whether there are games left.
    pub(super) fn play(&mut self, steps: u32) -> bool {
        self.take_places();
        for _ in 0..steps {
            let advanced = self.games.step();
            if advanced == 0 {
                break;
            }
            self.placed += advanced as u64;
            if self.games.is_any_resting() {
                self.clear_places();
                self.take_places();
            }
        }
        self.left() > 0
    }

    /// How many games have not ended.
    pub(super) fn left(&self) -> usize {
        self.upcoming.len() + self.places.len() - self.free.len()
    }

    /// How many games have no place.
    pub(super) fn waiting(&self) -> usize {
        self.upcoming.len().saturating_sub(self.free.len())
    }

    /// How many pieces were placed here.
    pub(super) fn placed(&self) -> u64 {
        self.placed
    }

    /// Keeps the results of the games that ended with the last step.
    fn clear_places(&mut self) {
        for place in self.games.resting() {
            if let Some(number) = self.places[place].take() {
                self.ended.push((number, self.games.result(place)));
                self.free.push(place);
            }
        }
    }

    /// Lets games begin or go on while there is room.
    fn take_places(&mut self) {
        while !self.upcoming.is_empty()
            && let Some(place) = self.free.pop()
            && let Some(game) = self.upcoming.pop_front()
        {
            self.places[place] = Some(game.number);
            match game.stage {
                Stage::Begun(state) => self.games.seat(place, *state),
                Stage::New(seed) => {
                    let state = self.games.state_like(&self.fresh, seed);
                    self.games.replace(place, state);
                }
            }
        }
    }

    /// The games that have ended since the last call, with their numbers.
    pub(super) fn take_ended(&mut self) -> Vec<(u64, GameResult)> {
        std::mem::take(&mut self.ended)
    }

    /// Gives so many games away: those for which there was no room yet first.
    pub(super) fn give(&mut self, count: usize) -> Vec<Suspended> {
        let waiting = self.upcoming.len().saturating_sub(count);
        let mut given: Vec<Suspended> = self.upcoming.split_off(waiting).into();
        while given.len() < count
            && let Some((place, state)) = self.games.unseat()
        {
            self.free.push(place);
            if let Some(number) = self.places[place].take() {
                let stage = Stage::Begun(Box::new(state));
                given.push(Suspended { number, stage });
            }
        }
        given
    }

    /// All games that have not ended, as they stand; those without a piece are left out.
    pub(super) fn cut_off(mut self) -> Vec<(u64, GameResult)> {
        let left = self.give(self.left()).into_iter();
        let result = |game: Suspended| match game.stage {
            Stage::New(_) => None,
            Stage::Begun(state) => Some((game.number, self.games.result_of(&state))),
        };
        let results = left.filter_map(result);
        results.filter(|game| game.1.pieces > 0).collect()
    }

    /// Plays one game for each seed. `stop` is told now and then how many games have ended and how many pieces were
    /// placed; when it says so, games are cut off.
    pub(super) fn play_all(
        mut self,
        seeds: &[u64],
        empty: Board,
        stop: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Vec<GameResult> {
        let mut results = vec![GameResult::not_begun(empty); seeds.len()];
        for (number, &seed) in seeds.iter().enumerate() {
            self.add(number as u64, seed);
        }
        while self.play(STEPS_BETWEEN_LOOKS) {
            if stop((seeds.len() - self.left()) as u64, self.placed) {
                break;
            }
        }
        let ended = self.take_ended();
        for (number, result) in ended.into_iter().chain(self.cut_off()) {
            results[number as usize] = result;
        }
        results
    }
}

/// How many steps go by between two looks at whether to stop.
pub(super) const STEPS_BETWEEN_LOOKS: u32 = 128;
