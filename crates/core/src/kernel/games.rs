//! Games from their first piece to their last.

use super::batch::{self, MOST_GAMES, Pool, State, Step};
use super::lanes::{LANES, Lanes};
use super::pairs::{Pairs, StepPairs};
use super::tables::Tables;
use super::weights::{Eight, Eleven, Nine, Set, Six};
use super::whole::Whole;
use super::{GameResult, Kernel, Kind};
use crate::board::Board;
use crate::players::TwoPiece;
use std::marker::PhantomData;

/// How many games are played side by side: enough for eight with the same piece at every step.
const SIDE_BY_SIDE: usize = 160;
/// How many steps go by between two looks at whether to stop.
const STEPS_BETWEEN_LOOKS: u32 = 1024;

/// Games that a kernel plays with these lanes.
pub(super) struct Games<'k, L> {
    kernel: &'k Kernel,
    pool: Pool<L>,
    count: usize,
    /// For two pieces: room for a decision, and the general player.
    pairs: Option<(Box<Pairs<L>>, TwoPiece)>,
}

impl<'k, L: Lanes> Games<'k, L> {
    /// No games yet. A game pauses when it has `pause_at` pieces.
    pub(super) fn new(kernel: &'k Kernel, pause_at: u64) -> Games<'k, L> {
        Games {
            kernel,
            pool: Pool::new(pause_at),
            count: 0,
            pairs: (kernel.two_piece.clone()).map(|general| (Box::new(Pairs::new()), general)),
        }
    }

    /// Plays one game for each seed, until it ends or pauses.
    pub(super) fn play(
        mut self,
        seeds: &[u64],
        stop: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Vec<GameResult> {
        let tables = &self.kernel.tables;
        let empty = Board::new(tables.width, tables.height).expect("a ruleset's size is legal");
        let mut results = vec![GameResult::not_begun(empty); seeds.len()];
        if self.pool.pause_at == 0 {
            return results;
        }
        let fresh = self.state(&empty, 0);
        let fresh = |seed| State::new(fresh.cells, fresh.score, seed, &tables.chances);
        let mut upcoming = seeds.iter().enumerate();
        let mut played = Vec::new();
        for (number, &seed) in upcoming.by_ref().take(SIDE_BY_SIDE) {
            self.add(fresh(seed));
            played.push(Some(number));
        }
        let mut steps = 0u32;
        // Pieces of the games whose places others have taken.
        let mut placed = 0;
        while self.step() {
            for k in 0..self.pool.resting_count {
                let slot = usize::from(self.pool.resting[k]);
                if let Some(number) = played[slot].take() {
                    results[number] = self.result(slot);
                }
                if let Some((number, &seed)) = upcoming.next() {
                    placed += self.pool.games[slot].pieces;
                    played[slot] = Some(number);
                    self.replace(slot, fresh(seed));
                }
            }
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(STEPS_BETWEEN_LOOKS) {
                let going_on = played.iter().filter(|number| number.is_some());
                let begun = (seeds.len() - upcoming.len()) as u64;
                let pieces = placed
                    + self.pool.games[..self.count]
                        .iter()
                        .map(|game| game.pieces)
                        .sum::<u64>();
                if stop(begun - going_on.count() as u64, pieces) {
                    break;
                }
            }
        }
        for (slot, number) in played.into_iter().enumerate() {
            if let Some(number) = number {
                results[number] = self.result(slot);
            }
        }
        results
    }

    /// A game that begins on this board.
    pub(super) fn state(&self, board: &Board, seed: u64) -> State {
        let tables = &self.kernel.tables;
        assert_eq!(
            (board.width(), board.height()),
            (tables.width, tables.height),
            "the board has another size"
        );
        assert!(
            board.max_height() <= board.height(),
            "the board has a cell above its top row"
        );
        let score = match self.kernel.kind {
            Kind::Six => board_score::<L, Six>(tables, board),
            Kind::Eight => board_score::<L, Eight>(tables, board),
            Kind::Nine => board_score::<L, Nine>(tables, board),
            Kind::Eleven => 0,
        };
        State::new(batch::cells(board), score, seed, &tables.chances)
    }

    /// Adds a game; its number.
    pub(super) fn add(&mut self, state: State) -> usize {
        let game = self.count;
        assert!(game < MOST_GAMES, "the batch is full");
        self.count += 1;
        self.replace(game, state);
        game
    }

    /// Puts another game in the place of one that does not wait.
    pub(super) fn replace(&mut self, game: usize, mut state: State) {
        if self.pairs.is_some() {
            state.next = self.kernel.tables.chances.draw(&mut state.rng) as u8;
        }
        self.pool.games[game] = state;
        self.pool.queue(game as u8);
    }

    /// Lets a game wait for its next piece.
    pub(super) fn go_on(&mut self, game: usize) {
        if !self.pool.games[game].over {
            self.pool.queue(game as u8);
        }
    }

    /// The games that the last step ended, or that pause after it.
    pub(super) fn resting(&self) -> impl Iterator<Item = usize> + '_ {
        let resting = &self.pool.resting[..self.pool.resting_count];
        resting.iter().map(|&slot| usize::from(slot))
    }

    /// How a game stands.
    pub(super) fn result(&self, game: usize) -> GameResult {
        let state = &self.pool.games[game];
        GameResult {
            lines: state.lines,
            pieces: state.pieces,
            line_points: state.line_points,
            finished: state.over,
            board: self.board(game),
        }
    }

    /// The board of a game.
    pub(super) fn board(&self, game: usize) -> Board {
        let tables = &self.kernel.tables;
        let mut board = Board::new(tables.width, tables.height).expect("a ruleset's size is legal");
        self.pool.games[game].write_to(&mut board);
        board
    }

    /// Places one piece in some games; whether there were any.
    pub(super) fn step(&mut self) -> bool {
        match self.kernel.kind {
            Kind::Six => self.step_with::<Six>(),
            Kind::Eight => self.step_with::<Eight>(),
            Kind::Nine => self.step_with::<Nine>(),
            Kind::Eleven => self.step_with::<Eleven>(),
        }
    }

    fn step_with<S: Set>(&mut self) -> bool {
        let (pool, tables) = (&mut self.pool, &self.kernel.tables);
        if let Some((pairs, general)) = &mut self.pairs {
            return L::enter(StepPairs::<L, S> {
                pool,
                pairs,
                general,
                tables,
                set: PhantomData,
            });
        }
        L::enter(Step::<L, S> {
            pool,
            tables,
            set: PhantomData,
        })
    }
}

fn board_score<L: Lanes, S: Set>(tables: &Tables, board: &Board) -> i32 {
    let cells = batch::cells(board);
    let whole = Whole::<L, S, false> {
        boards: &[cells; LANES],
        tables,
        kind: PhantomData,
    };
    L::enter(whole).scores.0[0]
}
