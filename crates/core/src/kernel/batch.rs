//! Many games at once, each at its own pace: whichever eight have the same piece go next.

use super::decide::{Decision, Desk, GROUPS, SEATS};
use super::lanes::{LANES, Lanes, Words, Work};
use super::surface::{Cells, fill, remove_rows};
use super::tables::Tables;
use super::weights::Set;
use crate::board::Board;
use crate::game::line_points;
use crate::randomizers::Chances;
use crate::rng::Rng;
use std::marker::PhantomData;

/// Most games in a batch.
pub(super) const MOST_GAMES: usize = 256;

/// One game of a batch.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) cells: Cells,
    /// What the board scores, with rounded weights.
    pub(super) score: i32,
    pub(super) piece: u8,
    /// The piece after it; only drawn when the player sees it.
    pub(super) next: u8,
    pub(super) over: bool,
    pub(super) rng: Rng,
    pub(super) pieces: u64,
    pub(super) lines: u64,
    pub(super) line_points: u64,
}

impl State {
    pub(super) fn new(cells: Cells, score: i32, seed: u64, chances: &Chances) -> State {
        let mut rng = Rng::new(seed);
        State {
            cells,
            score,
            piece: chances.draw(&mut rng) as u8,
            next: 0,
            over: false,
            rng,
            pieces: 0,
            lines: 0,
            line_points: 0,
        }
    }

    /// Fills the cells of an empty board.
    pub(super) fn write_to(&self, board: &mut Board) {
        for column in 0..board.width() {
            let cells = self.cells[column / LANES].0[column % LANES];
            for row in (0..board.height()).filter(|row| cells >> (row + 1) & 1 == 1) {
                board.fill(row, column);
            }
        }
    }

    /// Places the piece as was decided.
    #[inline(always)]
    pub(super) fn apply<L: Lanes>(&mut self, decision: Option<Decision<'_>>) {
        self.pieces += 1;
        let Some(decision) = decision else {
            self.over = true;
            return;
        };
        fill::<L>(&mut self.cells, decision.place, decision.landing);
        self.score = decision.board_score;
        if decision.removed != 0 {
            let lines = decision.removed.count_ones();
            remove_rows::<L>(&mut self.cells, decision.removed);
            self.lines += u64::from(lines);
            self.line_points += line_points(lines);
        }
    }
}

/// The cells of a board with the floor below them.
pub(super) fn cells(board: &Board) -> Cells {
    let mut cells = [Words([0; LANES]); 2];
    for (cell, &column) in cells
        .iter_mut()
        .flat_map(|half| &mut half.0)
        .zip(board.columns())
    {
        *cell = (column as i32) << 1 | 1;
    }
    cells
}

/// Games that wait with the same piece; first come, first served.
#[derive(Clone, Debug)]
struct Queue {
    slots: [u8; MOST_GAMES],
    first: u8,
    len: usize,
}

impl Queue {
    #[inline(always)]
    fn push(&mut self, slot: u8) {
        self.slots[usize::from(self.first.wrapping_add(self.len as u8))] = slot;
        self.len += 1;
    }

    #[inline(always)]
    fn pop(&mut self) -> u8 {
        let slot = self.slots[usize::from(self.first)];
        self.first = self.first.wrapping_add(1);
        self.len -= 1;
        slot
    }
}

/// Games that are played together.
pub(super) struct Pool<L> {
    pub(super) games: Box<[State; MOST_GAMES]>,
    queues: [Queue; 7],
    pub(super) desk: Desk<L>,
    /// A game that has so many pieces or more does not wait for the next one by itself.
    pub(super) pause_at: u64,
    /// The games that the last step ended, or that pause after it ...
    pub(super) resting: [u8; SEATS],
    /// ... and how many these are.
    pub(super) resting_count: usize,
}

impl<L: Lanes> Pool<L> {
    pub(super) fn new(pause_at: u64) -> Pool<L> {
        let queue = Queue {
            slots: [0; MOST_GAMES],
            first: 0,
            len: 0,
        };
        let nothing = State::new([Words([0; LANES]); 2], 0, 0, &Chances::uniform());
        let games = vec![nothing; MOST_GAMES].into_boxed_slice();
        Pool {
            games: games.try_into().expect("the length is right"),
            queues: std::array::from_fn(|_| queue.clone()),
            desk: Desk::new(),
            pause_at,
            resting: [0; SEATS],
            resting_count: 0,
        }
    }

    /// Lets a game wait for its next decision.
    #[inline(always)]
    pub(super) fn queue(&mut self, slot: u8) {
        let piece = usize::from(self.games[usize::from(slot)].piece);
        self.queues[piece].push(slot);
    }

    /// Plays one piece in up to eight games each of some groups: those with the pieces that most games wait with.
    /// Whether there were any.
    #[inline(always)]
    fn step<S: Set>(&mut self, tables: &Tables) -> bool {
        self.desk.clear();
        self.resting_count = 0;
        let mut seated = [0u8; SEATS];
        let mut taken = 0;
        for group in 0..GROUPS {
            let (slots, count) = self.seat_group::<S>(tables, group);
            seated[group * LANES..][..LANES].copy_from_slice(&slots);
            taken += count;
            if count < LANES {
                break;
            }
        }
        let board = |seat: usize| &self.games[usize::from(seated[seat % SEATS])].cells;
        self.desk.settle::<S>(tables, board);
        // Only the last group can have empty seats, and they are its last.
        for (seat, &slot) in seated[..taken].iter().enumerate() {
            let game = &mut self.games[usize::from(slot)];
            let decision = self.desk.decision::<S>(tables, seat, &game.cells);
            game.apply::<L>(decision);
            game.piece = tables.chances.draw(&mut game.rng) as u8;
            self.go_on(slot);
        }
        taken > 0
    }

    /// Takes up to eight games with the same piece from the longest queue and rates their placements; the games, and
    /// how many they are. After the first group, one that is not full is not worth its time and keeps waiting.
    #[inline(always)]
    pub(super) fn seat_group<S: Set>(
        &mut self,
        tables: &Tables,
        group: usize,
    ) -> ([u8; LANES], usize) {
        let mut slots = [0; LANES];
        let piece = self.longest_queue();
        let count = self.queues[piece].len.min(LANES);
        if count == 0 || (count < LANES && group > 0) {
            return (slots, 0);
        }
        for slot in &mut slots[..count] {
            *slot = self.queues[piece].pop();
        }
        let first = slots[0];
        slots[count..].fill(first);
        let game = |lane: usize| &self.games[usize::from(slots[lane])];
        let boards: [&Cells; LANES] = std::array::from_fn(|lane| &game(lane).cells);
        let scores = Words(std::array::from_fn(|lane| game(lane).score));
        self.desk.rate::<S>(tables, piece, &boards, scores, count);
        (slots, count)
    }

    /// Lets a game wait for its next decision, unless it is over or pauses.
    #[inline(always)]
    pub(super) fn go_on(&mut self, slot: u8) {
        let game = &self.games[usize::from(slot)];
        if game.over || game.pieces >= self.pause_at {
            self.resting[self.resting_count % SEATS] = slot;
            self.resting_count += 1;
        } else {
            self.queues[usize::from(game.piece % 7)].push(slot);
        }
    }

    #[inline(always)]
    fn longest_queue(&self) -> usize {
        let mut longest = 0;
        for piece in 1..7 {
            if self.queues[piece].len > self.queues[longest].len {
                longest = piece;
            }
        }
        longest
    }
}

/// One step of a pool.
pub(super) struct Step<'a, L, S> {
    pub(super) pool: &'a mut Pool<L>,
    pub(super) tables: &'a Tables,
    pub(super) set: PhantomData<S>,
}

impl<L: Lanes, S: Set> Work<L> for Step<'_, L, S> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        self.pool.step::<S>(self.tables)
    }
}
