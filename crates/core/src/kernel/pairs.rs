//! Two pieces at a time: the first placement of the best pair, as [`BestPair`] finds it.
//!
//! The first piece is placed in eight games at once, like a single one. Then each game's boards after it are the lanes
//! in which the second piece is placed. A pair scores what the second placement does, and the first landing. When
//! the second piece ends the game whatever the first one does, [`BestPair`] itself decides: that happens once in a game.

use super::batch::{Pool, State};
use super::decide::{Candidate, Decision, Desk, SEATS};
use super::lanes::{LANES, Lanes, Words, Work};
use super::ratings::NO_SCORE;
use super::set::Set;
use super::surface::{Cells, fill, remove_rows};
use super::tables::Tables;
use super::ties::{exact_landing, exact_score};
use crate::choice::BestPair;
use crate::outcomes::{MAX_OUTCOMES, Question, Scored};
use crate::piece::PIECES;
use crate::rules::End;
use std::marker::PhantomData;

/// A placement of the first piece.
#[derive(Clone, Copy, Default)]
struct First {
    index: u8,
    landing: i32,
    /// The rows that it completes.
    removed: u32,
    /// What the landing scores.
    landing_score: i32,
    /// What the board after it scores.
    board_score: i32,
}

/// Room for the decisions of one game.
pub(super) struct Pairs<L> {
    second: Desk<L>,
    firsts: [First; SEATS],
    boards: [Cells; SEATS],
    count: usize,
    /// Scores and removed rows of first placements that were looked at as whole boards, by number and lane.
    unusual: [(Words, Words); MAX_OUTCOMES],
}

impl<L: Lanes> Pairs<L> {
    pub(super) fn new() -> Pairs<L> {
        let nothing = Words([0; LANES]);
        Pairs {
            second: Desk::new(),
            firsts: [First::default(); SEATS],
            boards: [[nothing; 2]; SEATS],
            count: 0,
            unusual: [(nothing, nothing); MAX_OUTCOMES],
        }
    }

    /// Looks at the unusual placements of the first piece.
    #[inline(always)]
    fn measure_firsts<'b, S: Set>(
        &mut self,
        tables: &Tables,
        desk: &mut Desk<L>,
        board: impl Fn(usize) -> &'b Cells,
    ) {
        for from in (0..desk.listed).step_by(LANES) {
            let measured = desk.measure::<S, false>(tables, &board, from);
            for k in 0..(desk.listed - from).min(LANES) {
                let Candidate { seat, index } = desk.candidates[from + k];
                let (scores, removed) = &mut self.unusual[usize::from(index)];
                scores.0[usize::from(seat)] = measured.scores.0[k];
                removed.0[usize::from(seat)] = measured.removed.0[k];
            }
        }
    }

    /// Lists the placements of the first piece that do not lose, and the boards after them.
    #[inline(always)]
    fn list_firsts(&mut self, tables: &Tables, desk: &Desk<L>, lane: usize, game: &State) {
        self.count = 0;
        let ratings = &desk.ratings[0];
        for index in 0..ratings.count {
            let score = ratings.score(index, lane);
            let is_settled = ratings.is_settled(index, lane);
            if is_settled && score == NO_SCORE {
                continue;
            }
            let landing = ratings.landing(index, lane);
            let place = tables.place(game.piece, index);
            let mut landing_score = place.landing.0 + place.landing.1 * landing;
            let (mut board_score, mut removed) = (score.wrapping_sub(landing_score), 0);
            if !is_settled {
                board_score = self.unusual[index].0.0[lane];
                removed = self.unusual[index].1.0[lane] as u32;
                landing_score += tables.eroded_score(place, landing, removed);
            }
            let board = &mut self.boards[self.count];
            *board = game.cells;
            fill::<L>(board, place, landing);
            if removed != 0 {
                remove_rows::<L>(board, removed);
            }
            self.firsts[self.count] = First {
                index: index as u8,
                landing,
                removed,
                landing_score,
                board_score,
            };
            self.count += 1;
        }
    }

    /// Rates all placements of the second piece after each of the first.
    #[inline(always)]
    fn rate_seconds<S: Set>(&mut self, tables: &Tables, piece: usize) {
        self.second.clear();
        for from in (0..self.count).step_by(LANES) {
            let count = (self.count - from).min(LANES);
            let seat = |lane: usize| from + if lane < count { lane } else { 0 };
            let boards: [&Cells; LANES] = std::array::from_fn(|lane| &self.boards[seat(lane)]);
            let scores = std::array::from_fn(|lane| self.firsts[seat(lane)].board_score);
            self.second
                .rate::<S>(tables, piece, &boards, Words(scores), count);
        }
        let boards = &self.boards;
        self.second
            .settle_unusual::<S>(tables, &|seat| &boards[seat]);
    }

    /// The number of the first placement of the best pair; nothing if the second piece must end the game.
    #[inline(always)]
    fn best<S: Set>(&mut self, tables: &Tables, piece: u8) -> Option<usize> {
        let (mut best, mut runner_up, mut winner) = (NO_SCORE, NO_SCORE, None);
        for seat in 0..self.count {
            let second = self.second.best(seat);
            if second == NO_SCORE {
                continue;
            }
            let score = self.firsts[seat].landing_score + second;
            runner_up = runner_up.max(best.min(score));
            if score > best {
                (best, winner) = (score, Some(seat));
            }
        }
        // The landing counts twice in a pair, so twice the tolerance bounds what rounding changes.
        let tolerance = 2 * tables.weights.tolerance;
        let is_close = runner_up != NO_SCORE && runner_up >= best.saturating_sub(tolerance);
        if is_close && (tolerance > 0 || !tables.first_wins) {
            return Some(self.settle_tie::<S>(tables, piece, best.saturating_sub(tolerance)));
        }
        winner
    }

    /// The best first placement by exact scores, among the pairs that score at least so much.
    #[inline(always)]
    fn settle_tie<S: Set>(&mut self, tables: &Tables, piece: u8, at_least: i32) -> usize {
        self.second.listed = 0;
        for seat in 0..self.count {
            let enough = at_least.saturating_sub(self.firsts[seat].landing_score);
            let second = self.second.best(seat);
            if second != NO_SCORE && second >= enough {
                self.second
                    .list_close(tables, seat, enough.max(NO_SCORE + 1));
            }
        }
        let mut winner = (i64::MIN, u8::MAX, 0);
        let boards = &self.boards;
        for from in (0..self.second.listed).step_by(LANES) {
            let measured = self
                .second
                .measure::<S, true>(tables, &|seat| &boards[seat], from);
            for k in 0..(self.second.listed - from).min(LANES) {
                let candidate = self.second.candidates[from + k];
                let seat = usize::from(candidate.seat);
                let first = &self.firsts[seat];
                let place = tables.place(piece, usize::from(first.index));
                let removed = measured.removed.0[k] as u32;
                let spot = self.second.spot(tables, candidate);
                let score = exact_score(tables, &self.second.values, k, removed, spot)
                    + exact_landing(tables, (place, first.landing), first.removed);
                let rank = tables.ranks[usize::from(piece)][usize::from(first.index)];
                if winner.0 < score || (winner.0 == score && winner.1 > rank) {
                    winner = (score, rank, seat);
                }
            }
        }
        winner.2
    }
}

/// Asks the general decision for the number of the first placement.
fn ask(general: &mut BestPair, tables: &Tables, game: &State) -> usize {
    let mut board = tables.empty_board();
    game.write_to(&mut board);
    let piece = PIECES[usize::from(game.piece)];
    let question = Question {
        board: &board,
        piece,
        end: End::AboveTop,
        next: Some(PIECES[usize::from(game.next)]),
        scored: Scored::AfterRemoval,
        lines_before: game.lines,
    };
    let chosen = general.best(&question, None);
    let is_before = |shape: &&crate::piece::Shape| shape.rotation != chosen.rotation;
    let before = piece.shapes().iter().take_while(is_before);
    let columns: usize = before.map(|shape| tables.width + 1 - shape.width).sum();
    columns + usize::from(chosen.x)
}

/// One step of a pool in which every game places the first of two pieces.
pub(super) struct StepPairs<'a, L, S> {
    pub(super) pool: &'a mut Pool<L>,
    pub(super) pairs: &'a mut Pairs<L>,
    pub(super) general: &'a mut BestPair,
    pub(super) tables: &'a Tables,
    pub(super) set: PhantomData<S>,
}

impl<L: Lanes, S: Set> Work<L> for StepPairs<'_, L, S> {
    type Output = usize;

    #[inline(always)]
    fn run(self) -> usize {
        let (pool, pairs, tables) = (self.pool, self.pairs, self.tables);
        pool.resting_count = 0;
        pool.desk.clear();
        let (group, count) = pool.seat_group::<S>(tables, 0);
        let games = &pool.games;
        let board = |seat: usize| &games[usize::from(group[seat % LANES])].cells;
        pairs.measure_firsts::<S>(tables, &mut pool.desk, board);
        for (lane, &slot) in group[..count].iter().enumerate() {
            let game = &mut pool.games[usize::from(slot)];
            pairs.list_firsts(tables, &pool.desk, lane, game);
            pairs.rate_seconds::<S>(tables, usize::from(game.next));
            let best = pairs.best::<S>(tables, game.piece);
            let first = if pairs.count == 0 {
                None
            } else if let Some(seat) = best {
                Some(pairs.firsts[seat])
            } else {
                let index = ask(self.general, tables, game);
                let firsts = &pairs.firsts[..pairs.count];
                firsts
                    .iter()
                    .copied()
                    .find(|first| usize::from(first.index) == index)
            };
            game.apply::<L>(first.map(|first| Decision {
                place: tables.place(game.piece, usize::from(first.index)),
                landing: first.landing,
                removed: first.removed,
                board_score: first.board_score,
            }));
            game.piece = game.next;
            game.next = tables.chances.draw(&mut game.rng) as u8;
            pool.go_on(slot, tables.width);
        }
        count
    }
}
