//! Two pieces at a time: the first placement of the best pair, as [`BestPair`] finds it.
//!
//! The first piece is placed in eight games at once, like a single one. Then each game's boards after it are the lanes
//! in which the second piece is placed. The score of a pair is that of the second placement and of the first landing. When
//! the second piece ends the game whatever the first one does, the general player decides: that happens once per game.

use super::decide::{Decider, Decision, ListedPlacement, MEMBERS};
use super::lanes::{LANES, Lanes, Words, Work};
use super::ratings::NO_SCORE;
use super::set::Set;
use super::slots::Slots;
use super::state::GameState;
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
    /// The score of the landing.
    landing_score: i32,
    /// The score of the board after it.
    board_score: i32,
}

/// Room for the decisions of one game.
pub(super) struct Pairs<L> {
    /// Decides when the second piece ends the game whatever the first one does.
    general: BestPair,
    second: Decider<L>,
    firsts: [First; MEMBERS],
    boards: [Cells; MEMBERS],
    count: usize,
    /// Scores and removed rows of first placements that were looked at as whole boards, by number and lane.
    unusual: [(Words, Words); MAX_OUTCOMES],
}

impl<L: Lanes> Pairs<L> {
    pub(super) fn new(general: BestPair) -> Pairs<L> {
        let nothing = Words([0; LANES]);
        Pairs {
            general,
            second: Decider::new(),
            firsts: [First::default(); MEMBERS],
            boards: [[nothing; 2]; MEMBERS],
            count: 0,
            unusual: [(nothing, nothing); MAX_OUTCOMES],
        }
    }

    /// Looks at the unusual placements of the first piece.
    #[inline(always)]
    fn measure_firsts<'b, S: Set>(
        &mut self,
        tables: &Tables,
        decider: &mut Decider<L>,
        board: impl Fn(usize) -> &'b Cells,
    ) {
        for from in (0..decider.listed).step_by(LANES) {
            let measured = decider.measure::<S, false>(tables, &board, from);
            for k in 0..(decider.listed - from).min(LANES) {
                let ListedPlacement { member, index } = decider.candidates[from + k];
                let (scores, removed) = &mut self.unusual[usize::from(index)];
                scores.0[usize::from(member)] = measured.scores.0[k];
                removed.0[usize::from(member)] = measured.removed.0[k];
            }
        }
    }

    /// Lists the placements of the first piece that do not lose, and the boards after them.
    #[inline(always)]
    fn list_firsts(
        &mut self,
        tables: &Tables,
        decider: &Decider<L>,
        lane: usize,
        game: &GameState,
    ) {
        self.count = 0;
        let ratings = &decider.ratings[0];
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
            let member = |lane: usize| from + if lane < count { lane } else { 0 };
            let boards: [&Cells; LANES] = std::array::from_fn(|lane| &self.boards[member(lane)]);
            let scores = std::array::from_fn(|lane| self.firsts[member(lane)].board_score);
            self.second
                .rate::<S>(tables, piece, &boards, Words(scores), count);
        }
        let boards = &self.boards;
        self.second
            .settle_unusual::<S>(tables, &|member| &boards[member]);
    }

    /// The first placement of the best pair; nothing if all of them lose.
    #[inline(always)]
    fn choose<S: Set>(&mut self, tables: &Tables, game: &GameState) -> Option<First> {
        if self.count == 0 {
            return None;
        }
        if let Some(member) = self.best::<S>(tables, game.piece) {
            return Some(self.firsts[member]);
        }
        let index = ask(&mut self.general, tables, game);
        let mut firsts = self.firsts[..self.count].iter().copied();
        firsts.find(|first| usize::from(first.index) == index)
    }

    /// The number of the first placement of the best pair; nothing if the second piece must end the game.
    #[inline(always)]
    fn best<S: Set>(&mut self, tables: &Tables, piece: u8) -> Option<usize> {
        let (mut best, mut runner_up, mut winner) = (NO_SCORE, NO_SCORE, None);
        for member in 0..self.count {
            let second = self.second.best(member);
            if second == NO_SCORE {
                continue;
            }
            let score = self.firsts[member].landing_score + second;
            runner_up = runner_up.max(best.min(score));
            if score > best {
                (best, winner) = (score, Some(member));
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

    /// The best first placement by exact scores, among the pairs that score at least `at_least`.
    #[inline(always)]
    fn settle_tie<S: Set>(&mut self, tables: &Tables, piece: u8, at_least: i32) -> usize {
        self.second.listed = 0;
        for member in 0..self.count {
            let enough = at_least.saturating_sub(self.firsts[member].landing_score);
            let second = self.second.best(member);
            if second != NO_SCORE && second >= enough {
                self.second
                    .list_close(tables, member, enough.max(NO_SCORE + 1));
            }
        }
        let mut winner = (i64::MIN, u8::MAX, 0);
        let boards = &self.boards;
        for from in (0..self.second.listed).step_by(LANES) {
            let measured = self
                .second
                .measure::<S, true>(tables, &|member| &boards[member], from);
            for k in 0..(self.second.listed - from).min(LANES) {
                let candidate = self.second.candidates[from + k];
                let member = usize::from(candidate.member);
                let first = &self.firsts[member];
                let place = tables.place(piece, usize::from(first.index));
                let removed = measured.removed.0[k] as u32;
                let spot = self.second.spot(tables, candidate);
                let score = exact_score(tables, &self.second.values, k, removed, spot)
                    + exact_landing(tables, (place, first.landing), first.removed);
                let rank = tables.ranks[usize::from(piece)][usize::from(first.index)];
                if winner.0 < score || (winner.0 == score && winner.1 > rank) {
                    winner = (score, rank, member);
                }
            }
        }
        winner.2
    }
}

/// Asks the general player for the number of the first placement.
fn ask(general: &mut BestPair, tables: &Tables, game: &GameState) -> usize {
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

/// One step of games in which every decision is about two pieces.
pub(super) struct StepPairs<'s, 'k, L, S> {
    pub(super) slots: &'s mut Slots<'k, L>,
    pub(super) pairs: &'s mut Pairs<L>,
    pub(super) set: PhantomData<S>,
}

impl<L: Lanes, S: Set> Work<L> for StepPairs<'_, '_, L, S> {
    type Output = usize;

    #[inline(always)]
    fn run(self) -> usize {
        let (slots, pairs) = (self.slots, self.pairs);
        let tables = &slots.kernel.tables;
        slots.begin_step();
        let (group, count) = slots.rate_group::<S>(0);
        let games = &slots.games;
        let board = |member: usize| &games[usize::from(group[member % LANES])].cells;
        pairs.measure_firsts::<S>(tables, &mut slots.decider, board);
        for (lane, &slot) in group[..count].iter().enumerate() {
            let game = &mut slots.games[usize::from(slot)];
            pairs.list_firsts(tables, &slots.decider, lane, game);
            pairs.rate_seconds::<S>(tables, usize::from(game.next));
            let first = pairs.choose::<S>(tables, game);
            game.apply::<L>(first.map(|first| Decision {
                place: tables.place(game.piece, usize::from(first.index)),
                landing: first.landing,
                removed: first.removed,
                board_score: first.board_score,
            }));
            game.piece = game.next;
            game.next = tables.chances.draw(&mut game.rng) as u8;
            slots.wait_or_rest(slot);
        }
        count
    }
}
