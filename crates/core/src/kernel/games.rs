//! Games at any point, and one step of some of them.

use super::batch::{self, Pool, State, Step};
use super::lanes::{LANES, Lanes, Words};
use super::pairs::{Pairs, StepPairs};
use super::set::{Eight, Eleven, Kind, Nine, Set, Six};
use super::surface::COLUMNS;
use super::tables::Tables;
use super::weights::MEASURES;
use super::whole::Whole;
use super::{GameResult, Kernel};
use crate::board::Board;
use crate::choice::BestPair;
use std::marker::PhantomData;

/// Games that a kernel plays with these lanes.
pub(super) struct Games<'k, L> {
    pub(super) kernel: &'k Kernel,
    pub(super) pool: Pool<L>,
    /// For two pieces: room for a decision, and the general decision.
    pairs: Option<(Box<Pairs<L>>, BestPair)>,
}

impl<'k, L: Lanes> Games<'k, L> {
    /// No games yet. A game pauses when it has `pause_at` pieces.
    pub(super) fn new(kernel: &'k Kernel, pause_at: u64) -> Games<'k, L> {
        Games {
            kernel,
            pool: Pool::new(pause_at),
            pairs: (kernel.two_piece.clone()).map(|general| (Box::new(Pairs::new()), general)),
        }
    }

    /// Decides by itself in every game when fewer than so many wait. It never changes a result.
    #[cfg(test)]
    pub(super) fn fewest_together(mut self, games: usize) -> Games<'k, L> {
        self.pool.fewest_together = games;
        self
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
        assert_eq!(board.full_rows(), 0, "the board has a full row");
        let score = match self.kernel.kind {
            Kind::Six => board_score::<L, Six>(tables, board),
            Kind::Eight => board_score::<L, Eight>(tables, board),
            Kind::Nine => board_score::<L, Nine>(tables, board),
            Kind::Eleven => 0,
        };
        State::new(batch::cells(board), score, seed, &tables.chances)
    }

    /// A game that begins on the same board as another, with its own seed.
    pub(super) fn state_like(&self, other: &State, seed: u64) -> State {
        let chances = &self.kernel.tables.chances;
        State::new(other.cells, other.score, seed, chances)
    }

    /// Lets a game begin in the place of one that does not wait.
    pub(super) fn replace(&mut self, game: usize, mut state: State) {
        if self.pairs.is_some() {
            state.next = self.kernel.tables.chances.draw(&mut state.rng) as u8;
        }
        self.seat(game, state);
    }

    /// Lets a game go on in the place of one that does not wait.
    pub(super) fn seat(&mut self, game: usize, state: State) {
        self.pool.games[game] = state;
        self.pool.queue(game as u8);
    }

    /// Takes one of the games out that wait: its place, and how it stands.
    pub(super) fn unseat(&mut self) -> Option<(usize, State)> {
        let slot = usize::from(self.pool.unqueue()?);
        Some((slot, self.pool.games[slot].clone()))
    }

    /// Lets a game that is not over wait for its next piece.
    pub(super) fn go_on(&mut self, game: usize) {
        self.pool.queue(game as u8);
    }

    /// Whether a game is over.
    pub(super) fn is_over(&self, game: usize) -> bool {
        self.pool.games[game].over
    }

    /// Whether the player sees the piece after the current one.
    pub(super) fn sees_next(&self) -> bool {
        self.pairs.is_some()
    }

    /// The games that the last step ended, or that pause after it.
    pub(super) fn resting(&self) -> impl Iterator<Item = usize> + '_ {
        let resting = &self.pool.resting[..self.pool.resting_count];
        resting.iter().map(|&slot| usize::from(slot))
    }

    /// Whether the last step ended a game, or one pauses after it.
    pub(super) fn is_any_resting(&self) -> bool {
        self.pool.resting_count > 0
    }

    /// How a game stands.
    pub(super) fn result(&self, game: usize) -> GameResult {
        self.result_of(&self.pool.games[game])
    }

    /// How a game stands that may be anywhere.
    pub(super) fn result_of(&self, state: &State) -> GameResult {
        let mut board = self.kernel.tables.empty_board();
        state.write_to(&mut board);
        GameResult {
            lines: state.lines,
            pieces: state.pieces,
            line_points: state.line_points,
            finished: state.over,
            board,
        }
    }

    /// The board of a game.
    pub(super) fn board(&self, game: usize) -> Board {
        self.result(game).board
    }

    /// Places one piece in some games; in how many.
    pub(super) fn step(&mut self) -> usize {
        match self.kernel.kind {
            Kind::Six => self.step_with::<Six>(),
            Kind::Eight => self.step_with::<Eight>(),
            Kind::Nine => self.step_with::<Nine>(),
            Kind::Eleven => self.step_with::<Eleven>(),
        }
    }

    fn step_with<S: Set>(&mut self) -> usize {
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
        own: &mut [L::splat(-1); COLUMNS],
        tables,
        values: &mut [Words([0; LANES]); MEASURES],
        kind: PhantomData,
    };
    L::enter(whole).scores.0[0]
}
