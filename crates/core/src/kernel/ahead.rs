//! Two plies: the first placement with the best replies, either to the next piece if it is shown,
//! or on average over all pieces.
//!
//! The first piece is placed in eight games together, as in a decision about one piece. Then each
//! game's boards after it are the lanes in which the second piece is placed: the next one, or each
//! possible one in turn. The value of a first placement is the score of its landing plus the mean
//! of the best scores over the pieces that can be survived; the probability of surviving the second
//! piece is compared first. If no second piece can be survived after any first placement, which
//! happens once per game, the general path decides.

use super::decide::{Decider, Decision, GROUPS, ListedPlacement, MEMBERS};
use super::exact::{exact_landing, exact_score};
use super::ratings::NO_SCORE;
use super::slots::Slots;
use super::state::GameState;
use super::surface::{Cells, fill, full_rows, remove_rows, walled};
use super::tables::Tables;
use crate::choice::{
    BestPlacement, Dealing, GreedyOptions, Lookahead, SearchLimits, SearchValue, highest,
};
use crate::ends::End;
use crate::evaluators::Evaluator;
use crate::outcomes::{DecisionContext, MAX_OUTCOMES, Scored, members};
use crate::piece::{PIECES, Piece};
use crate::placement::Placement;
use crate::rules::Rules;
use crate::simd::{LANES, Lanes, Words, Work};
use std::sync::Arc;

/// The second pieces to evaluate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SecondPieces {
    /// The next piece, which is shown.
    Next,
    /// All possible pieces.
    All,
}

/// A placement of the first piece.
#[derive(Clone, Copy, Default)]
struct First {
    index: u8,
    landing: i32,
    /// The rows that the placement completes.
    removed: u32,
    /// The score of the landing.
    landing_score: i32,
    /// The score of the resulting board.
    board_score: i32,
}

/// Second pieces with their probabilities.
struct Seconds {
    pieces: [(u8, f64); 7],
    count: usize,
}

impl Seconds {
    /// The second pieces that are evaluated when `next` is the next piece.
    #[inline(always)]
    fn new(kind: SecondPieces, next: u8, chances: &[f64; 7]) -> Seconds {
        let mut seconds = Seconds {
            pieces: [(next, 1.0); 7],
            count: 1,
        };
        if kind == SecondPieces::All {
            seconds.count = 0;
            for (piece, &chance) in chances.iter().enumerate().filter(|row| *row.1 > 0.0) {
                seconds.pieces[seconds.count] = (piece as u8, chance);
                seconds.count += 1;
            }
        }
        seconds
    }

    #[inline(always)]
    fn all(&self) -> &[(u8, f64)] {
        &self.pieces[..self.count]
    }
}

/// Scratch space for the decisions of one game.
pub(super) struct Ahead<L> {
    pub(super) kind: SecondPieces,
    chances: [f64; 7],
    general: Lookahead,
    second: Decider<L>,
    firsts: [First; MEMBERS],
    boards: [Cells; MEMBERS],
    count: usize,
    /// Scores and removed rows of first placements that were measured as whole boards, by index and
    /// lane.
    unusual: [(Words, Words); MAX_OUTCOMES],
    /// The values of the first placements, from the second pieces evaluated so far.
    values: [SearchValue<[f64; LANES]>; GROUPS],
}

/// The values before any second piece is evaluated.
const NOTHING: SearchValue<[f64; LANES]> = SearchValue {
    survival: [0.0; LANES],
    score: [0.0; LANES],
};

/// All first placements, in order.
const ALL: [u8; MEMBERS] = {
    let mut all = [0; MEMBERS];
    let mut member = 0;
    while member < MEMBERS {
        all[member] = member as u8;
        member += 1;
    }
    all
};

impl<L: Lanes> Ahead<L> {
    pub(super) fn new(kind: SecondPieces, general: Lookahead, chances: [f64; 7]) -> Ahead<L> {
        let nothing = Words([0; LANES]);
        Ahead {
            kind,
            chances,
            general,
            second: Decider::new(),
            firsts: [First::default(); MEMBERS],
            boards: [[nothing; 2]; MEMBERS],
            count: 0,
            unusual: [(nothing, nothing); MAX_OUTCOMES],
            values: [NOTHING; GROUPS],
        }
    }

    /// Measures the unusual placements of the first piece.
    #[inline(always)]
    fn measure_firsts<'b>(
        &mut self,
        tables: &Tables,
        decider: &mut Decider<L>,
        board: impl Fn(usize) -> &'b Cells,
    ) {
        for from in (0..decider.listed).step_by(LANES) {
            let measured = decider.measure(tables, &board, from, false);
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
            let board = &mut self.boards[self.count];
            *board = game.cells;
            fill::<L>(board, place, landing);
            if tables.lookup.is_some() {
                removed = full_rows::<L>(&walled(board, tables));
            } else if !is_settled {
                board_score = self.unusual[index].0.0[lane];
                removed = self.unusual[index].1.0[lane] as u32;
                landing_score += tables.eroded_score(place, landing, removed);
            }
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

    /// Rates all placements of a second piece after each of these first placements.
    #[inline(always)]
    fn rate_seconds(&mut self, tables: &Tables, piece: u8, members: &[u8]) {
        self.second.clear();
        for group in members.chunks(LANES) {
            let member = |lane: usize| {
                let lane = if lane < group.len() { lane } else { 0 };
                usize::from(group[lane]) % MEMBERS
            };
            let boards: [&Cells; LANES] = std::array::from_fn(|lane| &self.boards[member(lane)]);
            let scores = std::array::from_fn(|lane| self.firsts[member(lane)].board_score);
            self.second.rate(
                tables,
                usize::from(piece),
                &boards,
                Words(scores),
                group.len(),
            );
        }
        let boards = &self.boards;
        self.second
            .settle_unusual(tables, &|k| &boards[usize::from(members[k])]);
    }

    /// The best first placement; `None` if all of them lose.
    #[inline(always)]
    fn choose(&mut self, tables: &Tables, game: &GameState) -> Option<First> {
        if self.count == 0 {
            return None;
        }
        let seconds = Seconds::new(self.kind, game.next, &self.chances);
        self.look_ahead(tables, &seconds);
        if let Some(member) = self.best(tables, game.piece, &seconds) {
            return Some(self.firsts[member]);
        }
        let index = ask(&mut self.general, tables, game, self.kind);
        let mut firsts = self.firsts[..self.count].iter().copied();
        firsts.find(|first| usize::from(first.index) == index)
    }

    /// Finds the value of every first placement, with rounded weights.
    #[inline(always)]
    fn look_ahead(&mut self, tables: &Tables, seconds: &Seconds) {
        let unit = tables.weights.rounded_unit;
        let groups = self.count.div_ceil(LANES);
        self.values[..groups].fill(NOTHING);
        for &(piece, chance) in seconds.all() {
            self.rate_seconds(tables, piece, &ALL[..self.count]);
            for (values, best) in self.values[..groups]
                .iter_mut()
                .zip(&self.second.choices.best)
            {
                for lane in 0..LANES {
                    let (best, score) = (best.0[lane], f64::from(best.0[lane]) * unit);
                    let lives = best != NO_SCORE;
                    values.survival[lane] += if lives { chance } else { 0.0 };
                    values.score[lane] += if lives { chance * score } else { 0.0 };
                }
            }
        }
        for (member, first) in self.firsts[..self.count].iter().enumerate() {
            let score = &mut self.values[member / LANES].score[member % LANES];
            *score += f64::from(first.landing_score) * unit;
        }
        // Beyond the last first placement, lanes are empty.
        for member in self.count..groups * LANES {
            self.values[member / LANES].survival[member % LANES] = -1.0;
        }
    }

    /// The index of the best first placement; `None` if every second piece ends the game.
    #[inline(always)]
    fn best(&mut self, tables: &Tables, piece: u8, seconds: &Seconds) -> Option<usize> {
        let groups = self.count.div_ceil(LANES);
        let values = &mut self.values[..groups];
        let survival = highest(values.iter().map(|values| &values.survival));
        if survival <= 0.0 {
            return None;
        }
        for values in values.iter_mut() {
            for lane in 0..LANES {
                let score = values.score[lane];
                let is_safest = values.survival[lane] == survival;
                values.score[lane] = if is_safest { score } else { f64::NEG_INFINITY };
            }
        }
        let best = highest(values.iter().map(|values| &values.score));
        // The landing counts twice in a pair, so twice the tolerance bounds the rounding error.
        let tolerance = f64::from(2 * tables.weights.tolerance) * tables.weights.rounded_unit;
        let at_least = best - tolerance;
        let mut close = 0u64;
        for (group, values) in values.iter().enumerate() {
            for lane in 0..LANES {
                close |= u64::from(values.score[lane] >= at_least) << (group * LANES + lane);
            }
        }
        let is_clear = close.is_power_of_two() || (tolerance == 0.0 && tables.first_wins);
        Some(if is_clear {
            close.trailing_zeros() as usize
        } else {
            self.settle_tie(tables, piece, seconds, close)
        })
    }

    /// The best first placement by exact scores, among those close to the best.
    #[inline(always)]
    fn settle_tie(&mut self, tables: &Tables, piece: u8, seconds: &Seconds, set: u64) -> usize {
        let (mut close, mut count) = ([0u8; MEMBERS], 0);
        for member in members(set) {
            close[count] = member as u8;
            count += 1;
        }
        let close = &close[..count];
        let mut totals = [0.0; MEMBERS];
        for &(second, chance) in seconds.all() {
            // The ratings of the only second piece, after all first placements, are still
            // available.
            let rated = match seconds.count {
                1 => &ALL[..self.count],
                _ => close,
            };
            if seconds.count > 1 {
                self.rate_seconds(tables, second, close);
            }
            let exact = self.exact_bests(tables, rated, set);
            for (k, total) in totals[..count].iter_mut().enumerate() {
                let place = if seconds.count > 1 {
                    k
                } else {
                    usize::from(close[k])
                };
                if let Some(score) = exact[place % MEMBERS] {
                    *total += chance * (score as f64 * tables.weights.exact_unit);
                }
            }
        }
        let mut winner = (f64::NEG_INFINITY, u8::MAX, 0);
        for (&member, total) in close.iter().zip(totals) {
            let first = &self.firsts[usize::from(member)];
            let place = tables.place(piece, usize::from(first.index));
            let landing = exact_landing(tables, (place, first.landing), first.removed);
            let score = landing as f64 * tables.weights.exact_unit + total;
            let rank = tables.ranks[usize::from(piece)][usize::from(first.index)];
            if winner.0 < score || (winner.0 == score && winner.1 > rank) {
                winner = (score, rank, usize::from(member));
            }
        }
        winner.2
    }

    /// The exact scores of the best placements of the last rated second piece after these first
    /// placements; `None` where every placement loses, and where the first placement is not close
    /// to the best.
    #[inline(always)]
    fn exact_bests(
        &mut self,
        tables: &Tables,
        members: &[u8],
        close: u64,
    ) -> [Option<i64>; MEMBERS] {
        let mut bests = [None; MEMBERS];
        self.second.listed = 0;
        for (k, &member) in members.iter().enumerate() {
            let best = self.second.best(k);
            if best != NO_SCORE && close >> member & 1 == 1 {
                let enough = best.saturating_sub(tables.weights.tolerance);
                self.second.list_close(tables, k, enough.max(NO_SCORE + 1));
            }
        }
        let boards = &self.boards;
        for from in (0..self.second.listed).step_by(LANES) {
            let board = |k: usize| &boards[usize::from(members[k])];
            let measured = self.second.measure(tables, &board, from, true);
            for k in 0..(self.second.listed - from).min(LANES) {
                let candidate = self.second.candidates[from + k];
                let removed = measured.removed.0[k] as u32;
                let spot = self.second.spot(tables, candidate);
                let score = exact_score(tables, &self.second.values, k, removed, spot);
                let best = &mut bests[usize::from(candidate.member)];
                *best = Some(best.map_or(score, |best: i64| best.max(score)));
            }
        }
        bests
    }
}

/// The general path's search behind a kernel that looks two pieces ahead.
pub(super) fn general(evaluator: Arc<dyn Evaluator>, options: GreedyOptions) -> Lookahead {
    let replies = Box::new(BestPlacement::new(evaluator, options));
    Lookahead::new(replies, Dealing::ByChance, SearchLimits::exact(2))
}

/// Runs the search; returns the index of its first placement.
fn ask(general: &mut Lookahead, tables: &Tables, game: &GameState, kind: SecondPieces) -> usize {
    let mut board = tables.empty_board();
    game.write_to(&mut board);
    let next = [PIECES[usize::from(game.next)]];
    let shown = match kind {
        SecondPieces::Next => &next[..],
        SecondPieces::All => &[],
    };
    let decision = DecisionContext {
        board: &board,
        piece: PIECES[usize::from(game.piece)],
        rules: Rules::Drops(End::ABOVE_TOP),
        next: shown.first().copied(),
        scored: Scored::AfterRemoval,
        lines_before: game.lines,
    };
    let mut chances = tables.chances.clone();
    let best = general.best(&decision, shown, &mut chances, &|_| ());
    number(best.step.transition.placement, decision.piece, tables.width)
}

/// The index of a placement in the reference simulator's order.
fn number(placement: Placement, piece: Piece, width: usize) -> usize {
    let is_before = |shape: &&crate::piece::Shape| shape.rotation != placement.rotation;
    let before = piece.shapes().iter().take_while(is_before);
    let columns: usize = before.map(|shape| width + 1 - shape.width).sum();
    columns + usize::from(placement.x)
}

/// One step of games in which every decision considers two pieces.
pub(super) struct StepAhead<'s, 'k, L> {
    pub(super) slots: &'s mut Slots<'k, L>,
    pub(super) ahead: &'s mut Ahead<L>,
}

impl<L: Lanes> Work<L> for StepAhead<'_, '_, L> {
    type Output = usize;

    #[inline(always)]
    fn run(self) -> usize {
        let (slots, ahead) = (self.slots, self.ahead);
        let tables = &slots.kernel.tables;
        slots.begin_step();
        let (group, count) = slots.rate_group(0);
        let games = &slots.games;
        let board = |member: usize| &games[usize::from(group[member % LANES])].cells;
        ahead.measure_firsts(tables, &mut slots.decider, board);
        for (lane, &slot) in group[..count].iter().enumerate() {
            let game = &mut slots.games[usize::from(slot)];
            ahead.list_firsts(tables, &slots.decider, lane, game);
            let first = ahead.choose(tables, game);
            game.apply::<L>(first.map(|first| Decision {
                place: tables.place(game.piece, usize::from(first.index)),
                landing: first.landing,
                removed: first.removed,
                board_score: first.board_score,
            }));
            let drawn = tables.chances.draw(&mut game.rng) as u8;
            game.piece = match ahead.kind {
                SecondPieces::Next => std::mem::replace(&mut game.next, drawn),
                SecondPieces::All => drawn,
            };
            slots.wait_or_rest(slot);
        }
        count
    }
}
