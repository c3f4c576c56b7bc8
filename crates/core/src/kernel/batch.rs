//! Many games at once, each at its own pace: whichever eight have the same piece go next.

use super::decide::{Decision, Desk, GROUPS, SEATS};
use super::lanes::{LANES, Lanes, Words, Work};
use super::set::Set;
use super::surface::{Cells, fill, remove_rows};
use super::tables::Tables;
use crate::board::Board;
use crate::level::Window;
use crate::randomizers::Chances;
use crate::rng::Rng;
use crate::rules::line_points;
use std::marker::PhantomData;

/// Most games in a batch.
pub(super) const MOST_GAMES: usize = 256;
/// With fewer games that wait, a decision is sooner made for each by itself than for some with the same piece.
const FEWEST_TOGETHER: usize = 12;

/// One game of a batch; two cache lines.
#[derive(Clone, Debug)]
#[repr(align(64))]
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
        let piece = chances.draw(&mut rng) as u8;
        State::with_piece(cells, score, piece, rng)
    }

    /// A game whose first piece is known.
    pub(super) fn with_piece(cells: Cells, score: i32, piece: u8, rng: Rng) -> State {
        State {
            cells,
            score,
            piece,
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
        remove_rows::<L>(&mut self.cells, decision.removed);
        let lines = decision.removed.count_ones();
        self.lines += u64::from(lines);
        self.line_points += line_points(lines);
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

/// The level of a board, as [`crate::level::level`] counts it.
#[inline(always)]
fn level<L: Lanes>(cells: &Cells, width: usize) -> u32 {
    // Beyond the board's width there is no floor; with one they have no height either.
    let top = |half: &Words| L::load(half).or(L::splat(1)).bit_length();
    let tops = [top(&cells[0]), top(&cells[1])];
    let sum = tops[0].add(tops[1]).fold(L::add).store().0[0];
    let highest = tops[0].max(tops[1]).fold(L::max).store().0[0] - 1;
    let floors = (2 * LANES) as i32;
    (2 * (sum - floors) + width as i32 * highest) as u32
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
    /// One for every piece, and one without games: a number below eight needs no check.
    queues: [Queue; 8],
    /// The piece of the last group.
    piece: usize,
    pub(super) desk: Desk<L>,
    /// A game that has so many pieces or more does not wait for the next one by itself.
    pub(super) pause_at: u64,
    /// Whether a game pauses too when it leaves its window ...
    pub(super) watched: bool,
    /// ... and the windows.
    pub(super) windows: Box<[Window; MOST_GAMES]>,
    /// With fewer games that wait, each is decided by itself.
    pub(super) fewest_together: usize,
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
        let mut nothing = State::new([Words([0; LANES]); 2], 0, 0, &Chances::uniform());
        nothing.over = true;
        let games = vec![nothing; MOST_GAMES].into_boxed_slice();
        Pool {
            games: games.try_into().expect("the length is right"),
            queues: std::array::from_fn(|_| queue.clone()),
            piece: 0,
            desk: Desk::new(),
            pause_at,
            watched: false,
            windows: Box::new([Window::OPEN; MOST_GAMES]),
            fewest_together: FEWEST_TOGETHER,
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

    /// Takes out one of the games that wait.
    pub(super) fn unqueue(&mut self) -> Option<u8> {
        let longest = self.longest_queue();
        let queue = &mut self.queues[longest];
        (queue.len > 0).then(|| queue.pop())
    }

    /// Plays one piece in some games: in up to eight each of some groups, those with the pieces that most games wait
    /// with, or if there are few games in each by itself. In how many.
    #[inline(always)]
    fn step<S: Set>(&mut self, tables: &Tables) -> usize {
        self.desk.clear();
        self.resting_count = 0;
        let mut seated = [0u8; SEATS];
        let waiting: usize = self.queues.iter().map(|queue| queue.len).sum();
        let taken = if waiting < self.fewest_together && !S::RECORD {
            self.seat_each::<S>(tables, &mut seated)
        } else {
            self.seat_groups::<S>(tables, &mut seated)
        };
        let board = |seat: usize| &self.games[usize::from(seated[seat % SEATS])].cells;
        self.desk.settle::<S>(tables, board);
        // Only the last group can have empty seats, and they are its last.
        for (seat, &slot) in seated[..taken].iter().enumerate() {
            let game = &mut self.games[usize::from(slot)];
            let decision = self.desk.decision::<S>(tables, seat, &game.cells);
            game.apply::<L>(decision);
            game.piece = tables.chances.draw(&mut game.rng) as u8;
            self.go_on(slot, tables.width);
        }
        taken
    }

    /// Takes groups of games with the same piece and rates their placements; how many games these are.
    #[inline(always)]
    fn seat_groups<S: Set>(&mut self, tables: &Tables, seated: &mut [u8; SEATS]) -> usize {
        let mut taken = 0;
        for group in 0..GROUPS {
            let (slots, count) = self.seat_group::<S>(tables, group);
            seated[group * LANES..][..LANES].copy_from_slice(&slots);
            taken += count;
            if count < LANES {
                break;
            }
        }
        taken
    }

    /// Takes games, whatever their pieces, and rates the placements of each by itself; how many games these are.
    #[inline(always)]
    fn seat_each<S: Set>(&mut self, tables: &Tables, seated: &mut [u8; SEATS]) -> usize {
        let mut taken = 0;
        for piece in 0..7 {
            while self.queues[piece].len > 0 && taken < SEATS {
                let slot = self.queues[piece].pop();
                let game = &self.games[usize::from(slot)];
                self.desk
                    .rate_alone::<S>(tables, piece as u8, &game.cells, game.score);
                seated[taken] = slot;
                taken += 1;
            }
        }
        taken
    }

    /// Takes up to eight games with the same piece, that of the last group as long as eight wait with it or else that of the longest
    /// queue, and rates their placements; the games, and how many they are. After the first group, one that is not full is not
    /// worth its time and keeps waiting.
    #[inline(always)]
    pub(super) fn seat_group<S: Set>(
        &mut self,
        tables: &Tables,
        group: usize,
    ) -> ([u8; LANES], usize) {
        let mut slots = [0; LANES];
        // Once the instructions for a piece are at hand, they serve all groups that wait with it.
        if self.queues[self.piece].len < LANES {
            self.piece = self.longest_queue();
        }
        let piece = self.piece;
        let count = self.queues[piece].len.min(LANES);
        if count == 0 || (count < LANES && group > 0) {
            return (slots, 0);
        }
        for slot in &mut slots[..count] {
            *slot = self.queues[piece].pop();
        }
        let first = slots[0];
        for (lane, slot) in slots.iter_mut().enumerate() {
            *slot = if lane < count { *slot } else { first };
        }
        let game = |lane: usize| &self.games[usize::from(slots[lane])];
        let boards: [&Cells; LANES] = std::array::from_fn(|lane| &game(lane).cells);
        let scores = Words(std::array::from_fn(|lane| game(lane).score));
        self.desk.rate::<S>(tables, piece, &boards, scores, count);
        (slots, count)
    }

    /// Lets a game wait for its next decision, unless it is over or pauses.
    #[inline(always)]
    pub(super) fn go_on(&mut self, slot: u8, width: usize) {
        let game = &self.games[usize::from(slot)];
        let mut rests = game.over || game.pieces >= self.pause_at;
        if self.watched {
            let window = &self.windows[usize::from(slot)];
            rests |= !window.holds(level::<L>(&game.cells, width), game.pieces);
        }
        if rests {
            self.resting[self.resting_count % SEATS] = slot;
            self.resting_count += 1;
        } else {
            self.queues[usize::from(game.piece % 8)].push(slot);
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
    type Output = usize;

    #[inline(always)]
    fn run(self) -> usize {
        self.pool.step::<S>(self.tables)
    }
}
