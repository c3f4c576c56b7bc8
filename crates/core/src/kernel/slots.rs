//! Games in slots that progress independently: every step takes eight games with the same piece.

use super::ahead::{Ahead, SecondPieces, StepAhead};
use super::by_features::{Decisions, LanePositions, Rater};
use super::by_tables::lookup_score;
use super::decide::{Decider, GROUPS, MEMBERS};
use super::state::{self, GameState};
use super::surface::Cells;
use super::whole::board_scores;
use super::{Fastest, Kernel, KernelResult};
use crate::board::Board;
use crate::choice::BestPlacement;
use crate::outcomes::DecisionContext;
use crate::piece::PIECES;
use crate::randomizers::Chances;
use crate::simd::{LANES, Lanes, Words, Work};

/// Number of slots.
pub(super) const SLOTS: usize = 256;
/// If fewer games than this are waiting, deciding each game separately is faster than deciding
/// groups with the same piece.
const FEWEST_TOGETHER: usize = 12;

/// Slots whose games wait with the same piece: a FIFO queue.
#[derive(Clone, Debug)]
struct SlotQueue {
    slots: [u8; SLOTS],
    first: u8,
    len: usize,
}

impl SlotQueue {
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

/// The games that a kernel has in play. A game waits for its next decision until it is over or
/// pauses.
pub(super) struct Slots<'k, L> {
    pub(super) kernel: &'k Kernel,
    pub(super) games: Box<[GameState; SLOTS]>,
    /// One queue per piece, and one that stays empty, so that indices below eight need no check.
    queues: [SlotQueue; 8],
    /// The piece of the last group.
    piece: usize,
    pub(super) decider: Decider<L>,
    /// Additional state of a player that looks two pieces ahead.
    ahead: Option<Box<Ahead<L>>>,
    /// The kernel for arbitrary features, with the general path that it falls back to.
    rater: Option<Box<(Rater, BestPlacement)>>,
    /// A game pauses after this many pieces, and after every later piece.
    pause_at: u64,
    /// If fewer games are waiting, each is decided separately.
    fewest_together: usize,
    /// The games that ended or paused in the last step; only the first `resting_count` are valid.
    resting: [u8; MEMBERS],
    /// The number of games that ended or paused in the last step.
    resting_count: usize,
}

impl<'k, L: Lanes> Slots<'k, L> {
    /// Starts without games. A game pauses once it has `pause_at` pieces, and after every later
    /// piece.
    pub(super) fn new(kernel: &'k Kernel, pause_at: u64) -> Slots<'k, L> {
        let queue = SlotQueue {
            slots: [0; SLOTS],
            first: 0,
            len: 0,
        };
        let mut nothing = GameState::new([Words([1; LANES]); 2], 0, 0, &Chances::uniform());
        nothing.over = true;
        let games = vec![nothing; SLOTS].into_boxed_slice();
        Slots {
            kernel,
            games: games.try_into().expect("the length is right"),
            queues: std::array::from_fn(|_| queue.clone()),
            piece: 0,
            decider: Decider::new(),
            ahead: kernel.ahead.as_ref().map(|(kind, general)| {
                let chances = kernel.tables.chances.probabilities();
                Box::new(Ahead::new(*kind, general.clone(), chances))
            }),
            rater: kernel.features.as_ref().map(|features| {
                let general = features.player.general.clone();
                Box::new((Rater::new(features.plan.clone()), general))
            }),
            pause_at,
            fewest_together: FEWEST_TOGETHER,
            resting: [0; MEMBERS],
            resting_count: 0,
        }
    }

    /// Decides every game separately if fewer than this many are waiting. This never changes a
    /// result.
    #[cfg(test)]
    pub(super) fn fewest_together(mut self, games: usize) -> Slots<'k, L> {
        self.fewest_together = games;
        self
    }

    /// The state of a game that starts on this board.
    pub(super) fn state(&self, board: &Board, seed: u64) -> GameState {
        let tables = &self.kernel.tables;
        assert_eq!(
            (board.width(), board.height()),
            (tables.width, tables.height),
            "the board has a different size"
        );
        assert!(
            board.max_height() <= board.height(),
            "the board has a cell above its top row"
        );
        assert_eq!(board.full_rows(), 0, "the board has a full row");
        let cells = state::cells(board);
        let score = match tables.lookup {
            Some(_) => lookup_score::<L>(tables, board),
            None => board_scores::<L>(tables, &[cells; LANES]).0[0],
        };
        GameState::new(cells, score, seed, &tables.chances)
    }

    /// Starts a new game in a slot that is free or whose game has paused or ended.
    pub(super) fn start(&mut self, slot: usize, mut state: GameState) {
        if self.sees_next() {
            state.next = self.kernel.tables.chances.draw(&mut state.rng) as u8;
        }
        self.resume(slot, state);
    }

    /// Resumes a game from elsewhere in a slot that is free or whose game has paused or ended.
    pub(super) fn resume(&mut self, slot: usize, state: GameState) {
        self.games[slot] = state;
        self.wait(slot);
    }

    /// Lets a paused game that is not over wait for its next piece.
    #[inline(always)]
    pub(super) fn wait(&mut self, slot: usize) {
        let piece = usize::from(self.games[slot].piece);
        self.queues[piece % 8].push(slot as u8);
    }

    /// Removes one of the waiting games: its slot and its state.
    pub(super) fn remove(&mut self) -> Option<(usize, GameState)> {
        let queue = &mut self.queues[self.longest_queue()];
        let slot = (queue.len > 0).then(|| usize::from(queue.pop()))?;
        Some((slot, self.games[slot].clone()))
    }

    /// Whether the player sees the piece after the current one.
    pub(super) fn sees_next(&self) -> bool {
        let kind = self.ahead.as_ref().map(|ahead| ahead.kind);
        kind == Some(SecondPieces::Next)
    }

    /// The games that ended or paused in the last step.
    #[inline(always)]
    pub(super) fn resting(&self) -> &[u8] {
        &self.resting[..self.resting_count]
    }

    /// The state of a game.
    pub(super) fn result(&self, slot: usize) -> KernelResult {
        self.kernel.result(&self.games[slot])
    }

    /// Places one piece in some games; returns their number.
    pub(super) fn step(&mut self) -> usize {
        if self.rater.is_some() {
            return self.place_by_features();
        }
        let Some(mut ahead) = self.ahead.take() else {
            return L::enter(StepGames { slots: self });
        };
        let advanced = L::enter(StepAhead {
            slots: self,
            ahead: &mut ahead,
        });
        self.ahead = Some(ahead);
        advanced
    }

    /// Plays one piece in some games, and returns their number. Up to eight groups are taken,
    /// starting with the pieces that most games wait for; if few games are waiting, each is decided
    /// separately.
    #[inline(always)]
    fn place_pieces(&mut self) -> usize {
        let tables = &self.kernel.tables;
        self.begin_step();
        let mut slots = [0u8; MEMBERS];
        let waiting: usize = self.queues.iter().map(|queue| queue.len).sum();
        let taken = if waiting < self.fewest_together && tables.lookup.is_none() {
            self.rate_each(&mut slots)
        } else {
            self.rate_groups(&mut slots)
        };
        let board = |member: usize| &self.games[usize::from(slots[member % MEMBERS])].cells;
        self.decider.settle(tables, board);
        // Only the last group can have empty lanes, which are its last ones.
        for (member, &slot) in slots[..taken].iter().enumerate() {
            let game = &mut self.games[usize::from(slot)];
            let decision = self.decider.decision(tables, member, &game.cells);
            game.apply::<L>(decision);
            game.piece = tables.chances.draw(&mut game.rng) as u8;
            self.wait_or_rest(slot);
        }
        taken
    }

    /// Discards the last step.
    #[inline(always)]
    pub(super) fn begin_step(&mut self) {
        self.decider.clear();
        self.resting_count = 0;
    }

    /// Takes groups of games with the same piece and rates their placements; returns the number of
    /// games.
    #[inline(always)]
    fn rate_groups(&mut self, taken: &mut [u8; MEMBERS]) -> usize {
        let mut total = 0;
        for group in 0..GROUPS {
            let (slots, count) = self.rate_group(group);
            taken[group * LANES..][..LANES].copy_from_slice(&slots);
            total += count;
            if count < LANES {
                break;
            }
        }
        total
    }

    /// Takes games with any pieces, and rates the placements of each separately; returns the number
    /// of games.
    #[inline(always)]
    fn rate_each(&mut self, taken: &mut [u8; MEMBERS]) -> usize {
        let tables = &self.kernel.tables;
        let mut total = 0;
        for piece in 0..7 {
            while self.queues[piece].len > 0 && total < MEMBERS {
                let slot = self.queues[piece].pop();
                let game = &self.games[usize::from(slot)];
                self.decider
                    .rate_alone(tables, piece as u8, &game.cells, game.score);
                taken[total] = slot;
                total += 1;
            }
        }
        total
    }

    /// Takes up to eight games with the same piece and rates their placements; returns their slots
    /// and their number. The piece is that of the last group while eight games wait with it,
    /// otherwise that of the longest queue. After the first group, incomplete groups keep waiting,
    /// because deciding them would not pay off.
    #[inline(always)]
    pub(super) fn rate_group(&mut self, group: usize) -> ([u8; LANES], usize) {
        // Once the instructions for a piece are in the cache, all groups waiting with that piece
        // benefit.
        if self.queues[self.piece].len < LANES {
            self.piece = self.longest_queue();
        }
        let piece = self.piece;
        let count = self.queues[piece].len.min(LANES);
        if count == 0 || (count < LANES && group > 0) {
            return ([0; LANES], 0);
        }
        let slots = self.take_waiting(piece, count);
        let game = |lane: usize| &self.games[usize::from(slots[lane])];
        let boards: [&Cells; LANES] = std::array::from_fn(|lane| &game(lane).cells);
        let scores = Words(std::array::from_fn(|lane| game(lane).score));
        let tables = &self.kernel.tables;
        self.decider.rate(tables, piece, &boards, scores, count);
        (slots, count)
    }

    /// Takes some of the games that wait with a piece; returns their slots, padded by repeating the
    /// first ones.
    #[inline(always)]
    fn take_waiting(&mut self, piece: usize, count: usize) -> [u8; LANES] {
        let mut slots = [0; LANES];
        for slot in &mut slots[..count] {
            *slot = self.queues[piece].pop();
        }
        let first = slots[0];
        for (lane, slot) in slots.iter_mut().enumerate() {
            *slot = if lane < count { *slot } else { first };
        }
        slots
    }

    /// Places one piece in up to eight games with any features; returns their number.
    fn place_by_features(&mut self) -> usize {
        self.begin_step();
        let kernel = self.kernel;
        let (Some(features), Some(mut own)) = (&kernel.features, self.rater.take()) else {
            return 0;
        };
        let (rater, general) = &mut *own;
        let piece = self.longest_queue();
        let count = self.queues[piece].len.min(LANES);
        let slots = self.take_waiting(piece, count);
        let boards = slots.map(|slot| {
            let mut board = kernel.tables.empty_board();
            self.games[usize::from(slot)].write_to(&mut board);
            board
        });
        let decisions = Decisions {
            positions: LanePositions {
                piece: PIECES[piece],
                boards: boards.each_ref(),
                next: [None; LANES],
                lines: slots.map(|slot| self.games[usize::from(slot)].lines),
                count,
            },
            weights: [&features.player.weights; LANES],
        };
        let best = rater.rate(&decisions);
        for (lane, &slot) in slots[..count].iter().enumerate() {
            let decision = DecisionContext {
                lines_before: decisions.lines[lane],
                ..DecisionContext::simple(&boards[lane], decisions.piece)
            };
            let placement = best[lane].map_or_else(
                || general.best(&decision).placement,
                |place| rater.placement(&decisions, place, lane),
            );
            let step = (decision.rules).step(&boards[lane], placement, None, 0);
            let game = &mut self.games[usize::from(slot)];
            game.take_step(&step);
            game.piece = kernel.tables.chances.draw(&mut game.rng) as u8;
            self.wait_or_rest(slot);
        }
        self.rater = Some(own);
        count
    }

    /// Lets a game wait for its next decision, unless it is over or pauses.
    #[inline(always)]
    pub(super) fn wait_or_rest(&mut self, slot: u8) {
        let game = &self.games[usize::from(slot)];
        if game.over || game.pieces >= self.pause_at {
            self.resting[self.resting_count % MEMBERS] = slot;
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

impl Slots<'_, Fastest> {
    /// [`Slots::step`], compiled once in this crate; a generic function would be compiled again in
    /// other crates.
    pub(super) fn advance(&mut self) -> usize {
        self.step()
    }
}

/// One step of games in which every decision considers one piece.
struct StepGames<'s, 'k, L> {
    slots: &'s mut Slots<'k, L>,
}

impl<L: Lanes> Work<L> for StepGames<'_, '_, L> {
    type Output = usize;

    #[inline(always)]
    fn run(self) -> usize {
        self.slots.place_pieces()
    }
}
