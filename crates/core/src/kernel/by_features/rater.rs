//! The best placements of one piece on eight boards.

use super::lane_work::{LandingTerms, LayOut, RemoveRows, ScoreAll, TableTerms};
use super::pick::{eight_places, in_eight_places};
use super::plan::{FeaturePlan, FeatureWeights, LandingSum, Source, Spot};
use crate::board::Board;
use crate::features::local::{Columns, MOST_COLUMNS};
use crate::features::{FeatureMatrix, LaneDrops, LaneRow};
use crate::kernel::MOST_ROWS;
use crate::outcomes::{DecisionContext, MAX_OUTCOMES, Outcomes, Scored, members};
use crate::piece::{Piece, Shape};
use crate::placement::{Landing, Placement, Spin};
use crate::rules::Rules;
use crate::simd::{Fastest as L, LANES, Lanes, Vector, Words};
use std::ops::Deref;
use std::sync::Arc;

/// Positions that are measured together: the same piece, each on a different board.
pub(crate) struct LanePositions<'a> {
    pub(crate) piece: Piece,
    pub(crate) boards: [&'a Board; LANES],
    /// The next pieces, if the players can see them.
    pub(crate) next: [Option<Piece>; LANES],
    /// Lines cleared in the games so far.
    pub(crate) lines: [u64; LANES],
    /// Number of positions; the other lanes are copies of the first.
    pub(crate) count: usize,
}

/// Decisions that are made together.
pub(crate) struct Decisions<'a> {
    pub(crate) positions: LanePositions<'a>,
    pub(crate) weights: [&'a FeatureWeights; LANES],
}

impl<'a> Deref for Decisions<'a> {
    type Target = LanePositions<'a>;

    #[inline]
    fn deref(&self) -> &LanePositions<'a> {
        &self.positions
    }
}

impl LanePositions<'_> {
    /// A bit for each lane with a game; 0 if no game is waiting.
    pub(super) fn lanes(&self) -> u8 {
        ((1_u16 << self.count) - 1) as u8
    }
}

impl Decisions<'_> {
    /// Whether all players have the same weights.
    pub(super) fn share_weights(&self) -> bool {
        let first = self.weights[0];
        self.weights.iter().all(|own| std::ptr::eq(*own, first))
    }
}

/// A chosen placement.
#[derive(Clone, Copy)]
pub(crate) struct Placed {
    pub(crate) shape: &'static Shape,
    /// The column and the row of its lower left corner.
    pub(crate) corner: (usize, usize),
    /// The rows that it completes.
    pub(crate) cleared: u64,
    /// Whether the piece and the stack stay below all rows that the game-over rule depends on, so
    /// that the placement cannot end the game.
    pub(crate) is_low: bool,
}

impl Placed {
    /// The placement, of this piece.
    pub(crate) fn placement(&self, piece: Piece) -> Placement {
        Placement {
            piece,
            rotation: self.shape.rotation,
            x: self.corner.0 as u8,
            y: self.corner.1 as u8,
            spin: Spin::None,
        }
    }
}

/// A placement of one of the games.
#[derive(Clone, Copy)]
struct Listed {
    lane: usize,
    place: usize,
}

/// Rates all placements of a piece on eight boards. The state is valid until the next decisions.
pub(crate) struct Rater {
    pub(super) plan: Arc<FeaturePlan>,
    pub(super) drops: LaneDrops<L>,
    /// Scratch space for the columns of eight boards with the piece in place.
    filled: [Words; MOST_COLUMNS],
    /// The numbers that features measure in lanes, row by row.
    pub(super) numbers: Vec<LaneRow>,
    /// The values of the features that cannot be measured in lanes: row, lane, placement.
    pub(super) apart: Vec<[[f64; MAX_OUTCOMES]; LANES]>,
    /// The terms of the landings and of these features, as 32-bit floats.
    pub(super) terms: LaneRow,
    /// For every lane, an upper bound on the sum of the magnitudes of these terms over all
    /// placements.
    pub(super) sizes: [f64; LANES],
    /// The same before rows are completed.
    apart_sizes: [f64; LANES],
    /// The scores as 32-bit floats whose bits are ordered like integers.
    pub(super) keys: LaneRow,
    /// For each placement one bit for each lane in which it may be as good as the best.
    pub(super) close: [u8; MAX_OUTCOMES],
    /// One bit for each lane in which a number is beyond its table, or a term is too large.
    pub(super) beyond: u8,
    /// One bit for each lane in which a placement ends the game.
    pub(super) losing: [u8; MAX_OUTCOMES],
    /// Whether a placement ends the game in some lane.
    pub(super) some_lose: bool,
    /// Whether all players of the current decisions have the same weights.
    pub(super) shares_weights: bool,
    /// A bit for each lane that is decided on the general path.
    pub(super) unsure: u8,
    /// Eight boards with full rows removed.
    removed: Columns<Vector<L>>,
    /// Scratch space for the contributions of one unit of each row, if players differ in them.
    pub(super) slopes: Vec<Words>,
    /// Scratch space for the values of a feature of these boards.
    scratch: Vec<Words>,
    general: Box<(Outcomes, FeatureMatrix)>,
}

impl Rater {
    pub(crate) fn new(plan: Arc<FeaturePlan>) -> Rater {
        let nothing = [Words([0; LANES]); MAX_OUTCOMES];
        let apart = plan.apart.as_ref().map_or(0, |set| set.len());
        Rater {
            drops: LaneDrops::new(plan.width, plan.height),
            removed: Columns::new(plan.width, plan.height),
            slopes: vec![Words([0; LANES]); plan.rows],
            scratch: vec![Words([0; LANES]); plan.rows],
            filled: [Words([0; LANES]); MOST_COLUMNS],
            numbers: vec![nothing; plan.rows],
            apart: vec![[[0.0; MAX_OUTCOMES]; LANES]; apart],
            terms: nothing,
            sizes: [0.0; LANES],
            apart_sizes: [0.0; LANES],
            keys: nothing,
            close: [0; MAX_OUTCOMES],
            beyond: 0,
            losing: [0; MAX_OUTCOMES],
            some_lose: false,
            shares_weights: false,
            unsure: 0,
            general: Box::default(),
            plan,
        }
    }

    /// The index of the best placement in every game; `None` where the general path must decide,
    /// because every placement ends the game or the lanes cannot decide.
    pub(crate) fn rate(&mut self, decisions: &Decisions<'_>) -> [Option<usize>; LANES] {
        self.drop_piece(decisions);
        let (has_landing, has_apart) = (self.plan.has_landing(), self.plan.apart.is_some());
        let removes_rows = self.plan.options.scored == Scored::AfterRemoval;
        self.sizes = (decisions.weights).map(|own| own.landing_sizes[decisions.piece as usize]);
        self.measure_lanes();
        self.beyond = 0;
        self.shares_weights = decisions.share_weights();
        let has_tables = !decisions.weights[0].tables.is_empty();
        if has_landing || has_apart || has_tables {
            L::enter(LandingTerms {
                rater: self,
                decisions,
            });
        }
        if has_apart {
            for lane in 0..decisions.count {
                self.measure_apart(decisions, lane);
                self.add_apart(decisions, lane);
            }
            self.apart_sizes = self.sizes;
        }
        if has_landing || removes_rows {
            self.measure_clearing(decisions, |rater, own| {
                if has_landing {
                    rater.correct_landing(decisions, own.place, own.lane);
                }
            });
        }
        if has_tables {
            L::enter(TableTerms {
                rater: self,
                decisions,
            });
        }
        let scored = L::enter(ScoreAll {
            rater: self,
            decisions,
        });
        self.unsure |= scored.beyond;
        self.pick(decisions, &scored)
    }

    /// Measures everything that a score may depend on, without computing a score.
    pub(super) fn measure(&mut self, positions: &LanePositions<'_>) {
        self.drop_piece(positions);
        self.measure_lanes();
        for lane in 0..positions.count {
            self.measure_apart(positions, lane);
        }
        self.measure_clearing(positions, |_, _| ());
    }

    /// Measures the placements by all features that are measured in lanes, as if none completed a row.
    fn measure_lanes(&mut self) {
        for feature in &self.plan.lane_features {
            let rows = &mut self.numbers[feature.first..feature.first + feature.len];
            (feature.form.each)(&self.drops, rows);
        }
    }

    /// Drops the first of two pieces, and finds the placements whose continuations are evaluated. A
    /// search does not continue after placements that score minus infinity, so it decides where a
    /// score may be too large.
    pub(super) fn drop_first(&mut self, decisions: &Decisions<'_>) {
        if decisions.weights.iter().any(|own| !own.tables.is_empty()) {
            self.rate(decisions);
            return;
        }
        self.drop_piece(decisions);
        if self.plan.has_landing() {
            self.each_clearing(decisions, |rater, Listed { lane, place }| {
                rater.correct_landing(decisions, place, lane);
            });
        }
    }

    /// Drops the piece onto all boards, and finds the placements that end the game.
    fn drop_piece(&mut self, positions: &LanePositions<'_>) {
        self.lay_out(positions);
        self.find_losing(positions);
    }

    /// The placements that do not end the game; `None` if the lanes cannot decide.
    pub(super) fn surviving(&self, lane: usize) -> impl Iterator<Item = usize> {
        let is_known = self.unsure >> lane & 1 == 0;
        let count = if is_known { self.drops.count } else { 0 };
        (0..count).filter(move |&place| self.losing[place] >> lane & 1 == 0)
    }

    /// The shape and column of a placement.
    pub(crate) fn placement(
        &self,
        positions: &LanePositions<'_>,
        place: usize,
        lane: usize,
    ) -> Placement {
        self.landing(positions.piece, place, lane).placement()
    }

    /// The placement with this number.
    #[inline]
    pub(crate) fn placed(&self, decisions: &Decisions<'_>, place: usize, lane: usize) -> Placed {
        let Spot { shape, x } = self.spot(decisions.piece, place);
        Placed {
            shape,
            corner: (x, self.row(place, lane) as usize),
            cleared: u64::from(self.drops.full[place].0[lane] as u32),
            is_low: self.drops.high[place] >> lane & 1 == 0,
        }
    }

    /// Lays out the boards and the dropped piece.
    fn lay_out(&mut self, positions: &LanePositions<'_>) {
        // A board that is not higher fits into the lanes, including any piece on top of it.
        let mut unfit = 0;
        if self.plan.height > MOST_ROWS {
            for (lane, board) in positions.boards.iter().enumerate() {
                unfit |= u8::from(board.max_height() > MOST_ROWS) << lane;
            }
        }
        self.unsure = L::enter(LayOut {
            drops: &mut self.drops,
            columns: positions.boards.map(|board| board.all_columns()),
            piece: positions.piece,
            safe: self.plan.safe_rows() as i32,
            unfit,
        });
    }

    /// Finds the placements that end the game.
    fn find_losing(&mut self, positions: &LanePositions<'_>) {
        if self.some_lose {
            self.losing = [0; MAX_OUTCOMES];
            self.some_lose = false;
        }
        if !self.drops.some_high {
            return;
        }
        let plan = self.plan.clone();
        for place in 0..self.drops.count {
            let high = self.drops.high[place];
            let flagged = high & !self.unsure & positions.lanes();
            if flagged != 0 && plan.options.may_lose {
                // The score of such a placement depends on how the placement ends the game.
                self.unsure |= flagged;
                continue;
            }
            for lane in members(u64::from(flagged)) {
                let ends = self.ends_game(&plan, positions, place, lane);
                self.losing[place] |= u8::from(ends) << lane;
                self.some_lose |= ends;
            }
        }
    }

    /// Whether a placement ends the game.
    fn ends_game(
        &self,
        plan: &FeaturePlan,
        positions: &LanePositions<'_>,
        place: usize,
        lane: usize,
    ) -> bool {
        let spot = self.spot(positions.piece, place);
        let row = self.row(place, lane) as usize;
        let overflows = row + spot.shape.height > plan.height;
        (overflows && plan.end.rule().before_clearing) || {
            let mut board = *positions.boards[lane];
            let next = positions.next[lane];
            let corner = (spot.x, row);
            let settled = Rules::Drops(plan.end).settle(&mut board, spot.shape, corner, next);
            settled.game_over
        }
    }

    /// The shape and column of a placement.
    fn spot(&self, piece: Piece, place: usize) -> Spot {
        self.plan.spots[piece as usize][place]
    }

    /// The row in which a placement lands.
    pub(super) fn row(&self, place: usize, lane: usize) -> i32 {
        self.drops.rows[place].0[lane]
    }

    /// The landing of a placement.
    pub(super) fn landing(&self, piece: Piece, place: usize, lane: usize) -> Landing {
        let spot = self.spot(piece, place);
        Landing {
            piece,
            shape: spot.shape,
            x: spot.x as u8,
            y: self.row(place, lane) as u8,
            spin: Spin::None,
            board_height: self.plan.height as u8,
            game_over: self.losing[place] >> lane & 1 != 0,
            cleared: u64::from(self.drops.full[place].0[lane] as u32),
        }
    }

    /// Measures the features of one game that cannot be measured in lanes.
    fn measure_apart(&mut self, positions: &LanePositions<'_>, lane: usize) {
        let plan = self.plan.clone();
        let Some(set) = &plan.apart else { return };
        let (outcomes, matrix) = &mut *self.general;
        outcomes.generate(&DecisionContext {
            board: positions.boards[lane],
            piece: positions.piece,
            rules: Rules::Drops(plan.end),
            next: positions.next[lane],
            scored: plan.options.scored,
            lines_before: positions.lines[lane],
        });
        set.fill(outcomes, matrix);
        for (own, row) in self.apart.iter_mut().zip(matrix.rows()) {
            own[lane] = *row;
        }
    }

    /// Adds up the terms of these features.
    fn add_apart(&mut self, decisions: &Decisions<'_>, lane: usize) {
        let weights = decisions.weights[lane];
        let landing = self.sizes[lane];
        for place in 0..self.drops.count {
            let mut all = LandingSum {
                sum: 0.0,
                size: landing,
            };
            for (number, source) in self.plan.numbers.iter().enumerate() {
                if let &Source::Apart(row) = source {
                    let term = weights.term(number, self.apart[row][lane][place]);
                    all.sum += term;
                    all.size += term.abs();
                }
            }
            all.sum += self.term(place, lane);
            self.set_term(place, lane, all);
        }
    }

    /// The sum of a placement's terms so far.
    fn term(&self, place: usize, lane: usize) -> f64 {
        f64::from(f32::from_bits(self.terms[place].0[lane] as u32))
    }

    /// Sets this sum; if it is too large, the lanes cannot decide.
    fn set_term(&mut self, place: usize, lane: usize, all: LandingSum) {
        let Some(bits) = all.bits() else {
            self.unsure |= 1 << lane;
            return;
        };
        self.terms[place].0[lane] = bits;
        self.sizes[lane] = self.sizes[lane].max(all.size);
    }

    /// Iterates over the placements that complete rows and do not end the game, in lanes that can
    /// decide.
    fn each_clearing(
        &mut self,
        positions: &LanePositions<'_>,
        mut f: impl FnMut(&mut Rater, Listed),
    ) {
        let known = positions.lanes() & !self.unsure;
        for eight in 0..self.drops.count.div_ceil(8) {
            let clearing = eight_places(&self.drops.clearing, eight);
            let losing = eight_places(&self.losing, eight);
            for bit in members(clearing & !losing & in_eight_places(known)) {
                let (place, lane) = (8 * eight + bit / LANES, bit % LANES);
                if place < self.drops.count {
                    f(self, Listed { lane, place });
                }
            }
        }
    }

    /// Measures the boards with removed rows, eight at a time; calls `each` for each of them.
    fn measure_clearing(
        &mut self,
        positions: &LanePositions<'_>,
        mut each: impl FnMut(&mut Rater, Listed),
    ) {
        let mut listed = [Listed { lane: 0, place: 0 }; LANES];
        let mut count = 0;
        self.each_clearing(positions, |rater, own| {
            each(rater, own);
            listed[count] = own;
            count += 1;
            if count == LANES {
                rater.measure_removed(positions, &listed);
                count = 0;
            }
        });
        self.measure_removed(positions, &listed[..count]);
    }

    /// Replaces the terms of a landing by those of a landing that completes rows.
    fn correct_landing(&mut self, decisions: &Decisions<'_>, place: usize, lane: usize) {
        let landing = self.landing(decisions.piece, place, lane);
        let weights = decisions.weights[lane];
        let mut all = weights.landing_sum(&self.plan, &landing);
        if self.plan.apart.is_some() {
            let without = Landing {
                cleared: 0,
                ..landing
            };
            let without = weights.landing_sum(&self.plan, &without);
            all.sum += self.term(place, lane) - without.sum;
            all.size += self.apart_sizes[lane];
        }
        self.set_term(place, lane, all);
    }

    /// Measures the boards after up to eight placements that complete rows.
    fn measure_removed(&mut self, positions: &LanePositions<'_>, listed: &[Listed]) {
        if listed.is_empty() || self.plan.options.scored == Scored::BeforeRemoval {
            return;
        }
        let mut removed = Words([0; LANES]);
        for (k, &Listed { lane, place }) in listed.iter().enumerate() {
            let (spot, row) = (self.spot(positions.piece, place), self.row(place, lane));
            // A board whose lane can decide fits into 32 bits.
            let columns = positions.boards[lane].all_columns();
            for (own, &cells) in self.filled[..self.plan.width].iter_mut().zip(columns) {
                own.0[k] = cells as i32;
            }
            let own = &mut self.filled[spot.x..][..spot.shape.width];
            for (own, &cells) in own.iter_mut().zip(&spot.shape.columns) {
                own.0[k] |= i32::from(cells) << row;
            }
            removed.0[k] = self.drops.full[place].0[lane];
        }
        L::enter(RemoveRows {
            board: &mut self.removed,
            columns: &self.filled,
            removed: &removed,
        });
        let features = self.plan.lane_features.iter();
        for feature in features.filter(|one| !one.keeps_full_rows) {
            let values = &mut self.scratch[..feature.len];
            (feature.form.whole)(&self.removed, values);
            for (row, value) in self.numbers[feature.first..].iter_mut().zip(values) {
                for (k, &Listed { lane, place }) in listed.iter().enumerate() {
                    row[place].0[lane] = value.0[k];
                }
            }
        }
    }
}
