//! The best placements of one piece on eight boards.

use super::plan::{FeaturePlan, FeatureWeights, LOWEST, MOST_NUMBERS, Source, TABLE};
use crate::board::Board;
use crate::features::local::Column;
use crate::features::{FeatureMatrix, LaneDrops, LaneRow};
use crate::kernel::MOST_ROWS;
use crate::kernel::ratings::{Best, NO_SCORE};
use crate::moves::WINDOW_MARGIN;
use crate::outcomes::{MAX_OUTCOMES, Outcomes, Question, Scored};
use crate::piece::Piece;
use crate::placement::{Landing, Placement, Spin};
use crate::rules::Rules;
use crate::simd::{Fastest as L, LANES, Lanes, Vector, WordNumber, Words, Work};
use std::sync::Arc;

/// The decisions that are made together: about the same piece, each on its own board.
pub(crate) struct Decisions<'a> {
    pub(crate) piece: Piece,
    pub(crate) boards: [&'a Board; LANES],
    /// The pieces that come next, as far as the players know them.
    pub(crate) next: [Option<Piece>; LANES],
    /// Lines cleared in the games so far.
    pub(crate) lines: [u64; LANES],
    pub(crate) weights: [&'a FeatureWeights; LANES],
    /// How many of them there are; the others are copies of the first.
    pub(crate) count: usize,
}

impl Decisions<'_> {
    /// Whether all players have the same weights.
    fn share_weights(&self) -> bool {
        let first = self.weights[0];
        self.weights.iter().all(|own| std::ptr::eq(*own, first))
    }
}

/// A placement of one of the games.
#[derive(Clone, Copy)]
struct Listed {
    lane: usize,
    place: usize,
}

/// Rates all placements of a piece on eight boards. What it knows is valid until the next decisions.
pub(crate) struct Rater {
    plan: Arc<FeaturePlan>,
    drops: LaneDrops<L>,
    /// The numbers that features measure in lanes, row by row.
    numbers: Vec<LaneRow>,
    /// The values of the features that have no form for lanes: row, lane, placement.
    apart: Vec<[[f64; MAX_OUTCOMES]; LANES]>,
    /// The terms of the landings and of these features, as 32-bit floats.
    terms: LaneRow,
    /// The scores as 32-bit floats whose bits are ordered like integers.
    keys: LaneRow,
    /// One bit for each lane in which a placement ends the game.
    losing: [u8; MAX_OUTCOMES],
    /// One bit for each lane in which a placement completes rows.
    clearing: [u8; MAX_OUTCOMES],
    /// One bit for each lane that is decided on the general path.
    unsure: u8,
    /// Eight boards whose full rows are removed.
    removed: LaneDrops<L>,
    general: Box<(Outcomes, FeatureMatrix)>,
}

impl Rater {
    pub(crate) fn new(plan: Arc<FeaturePlan>) -> Rater {
        let nothing = [Words([0; LANES]); MAX_OUTCOMES];
        let apart = plan.apart.as_ref().map_or(0, |set| set.len());
        Rater {
            drops: LaneDrops::new(plan.width, plan.height),
            removed: LaneDrops::new(plan.width, plan.height),
            numbers: vec![nothing; plan.rows],
            apart: vec![[[0.0; MAX_OUTCOMES]; LANES]; apart],
            terms: nothing,
            keys: nothing,
            losing: [0; MAX_OUTCOMES],
            clearing: [0; MAX_OUTCOMES],
            unsure: 0,
            general: Box::default(),
            plan,
        }
    }

    /// The number of the best placement in every game; none where the general path decides: where all
    /// placements end the game, or the lanes cannot tell.
    pub(crate) fn rate(&mut self, decisions: &Decisions<'_>) -> [Option<usize>; LANES] {
        self.lay_out(decisions);
        let plan = self.plan.clone();
        for feature in &plan.lane_features {
            let rows = &mut self.numbers[feature.first..feature.first + feature.len];
            (feature.form.each)(&self.drops, rows);
        }
        self.find_losing(decisions);
        L::enter(LandingTerms {
            rater: self,
            decisions,
        });
        if plan.apart.is_some() {
            self.measure_apart(decisions);
        }
        self.measure_clearing(decisions);
        let scored = L::enter(ScoreAll {
            rater: self,
            decisions,
        });
        self.pick(decisions, &scored)
    }

    /// Where a placement goes.
    pub(crate) fn placement(
        &self,
        decisions: &Decisions<'_>,
        place: usize,
        lane: usize,
    ) -> Placement {
        self.landing(decisions, place, lane).placement()
    }

    /// Drops the piece onto all boards.
    fn lay_out(&mut self, decisions: &Decisions<'_>) {
        let mut columns = [Words([0; LANES]); 16];
        self.unsure = 0;
        for (lane, board) in decisions.boards.iter().enumerate() {
            let all = board.columns().iter().fold(0, |all, column| all | column);
            if all >> MOST_ROWS != 0 {
                self.unsure |= 1 << lane;
                continue;
            }
            for (own, &cells) in columns.iter_mut().zip(board.columns()) {
                own.0[lane] = cells as i32;
            }
        }
        L::enter(LayOut {
            drops: &mut self.drops,
            columns: &columns,
            piece: decisions.piece,
        });
    }

    /// Finds out which placements end the game.
    fn find_losing(&mut self, decisions: &Decisions<'_>) {
        let plan = self.plan.clone();
        let rule = plan.end.rule();
        let (height, safe) = (plan.height, plan.height.saturating_sub(rule.rows));
        let flags;
        (flags, self.clearing) = L::enter(FindHigh {
            drops: &self.drops,
            safe: safe as i32,
        });
        self.losing[..self.drops.count].fill(0);
        for (place, &flagged) in flags[..self.drops.count].iter().enumerate() {
            let mut flagged = flagged & !self.unsure;
            if flagged != 0 && plan.options.may_lose {
                // What such a placement scores depends on how it ends the game.
                self.unsure |= flagged;
                continue;
            }
            while flagged != 0 {
                let lane = flagged.trailing_zeros() as usize;
                flagged &= flagged - 1;
                if lane >= decisions.count {
                    break;
                }
                let spot = self.drops.spots[place];
                let row = self.row(place, lane) as usize;
                let overflows = row + spot.shape.height > height;
                let ends = (overflows && rule.before_clearing) || {
                    let mut board = *decisions.boards[lane];
                    let rules = Rules::Drops(plan.end);
                    let next = decisions.next[lane];
                    let settled = rules.settle(&mut board, spot.shape, (spot.x, row), next);
                    settled.game_over
                };
                self.losing[place] |= u8::from(ends) << lane;
            }
        }
    }

    /// The row in which a placement lands.
    fn row(&self, place: usize, lane: usize) -> i32 {
        self.drops.rows[place].0[lane]
    }

    /// The landing of a placement.
    fn landing(&self, decisions: &Decisions<'_>, place: usize, lane: usize) -> Landing {
        let spot = self.drops.spots[place];
        Landing {
            piece: decisions.piece,
            shape: spot.shape,
            x: spot.x as u8,
            y: self.row(place, lane) as u8,
            spin: Spin::None,
            board_height: self.plan.height as u8,
            game_over: self.losing[place] >> lane & 1 != 0,
            cleared: u64::from(self.drops.full[place].0[lane] as u32),
        }
    }

    /// Measures what has no form for lanes, one game after the other.
    fn measure_apart(&mut self, decisions: &Decisions<'_>) {
        let plan = self.plan.clone();
        let Some(set) = &plan.apart else { return };
        for lane in 0..decisions.count {
            let (outcomes, matrix) = &mut *self.general;
            outcomes.generate(&Question {
                board: decisions.boards[lane],
                piece: decisions.piece,
                rules: Rules::Drops(plan.end),
                next: decisions.next[lane],
                scored: plan.options.scored,
                lines_before: decisions.lines[lane],
            });
            set.fill(outcomes, matrix);
            for (own, row) in self.apart.iter_mut().zip(matrix.rows()) {
                own[lane] = *row;
            }
            self.add_apart(decisions, lane);
        }
    }

    /// Adds the terms of these features up.
    fn add_apart(&mut self, decisions: &Decisions<'_>, lane: usize) {
        let weights = decisions.weights[lane];
        for place in 0..self.drops.count {
            let mut sum = 0.0;
            for (number, source) in self.plan.numbers.iter().enumerate() {
                if let &Source::Apart(row) = source {
                    sum += weights.term(number, self.apart[row][lane][place]);
                }
            }
            let terms = &mut self.terms[place].0[lane];
            let sum = sum + f64::from(f32::from_bits(*terms as u32));
            if sum.is_nan() || sum.abs() > 1e30 {
                self.unsure |= 1 << lane;
            } else {
                *terms = (sum as f32).to_bits() as i32;
            }
        }
    }

    /// Measures the boards of which rows are removed, eight at a time, and the landings that complete rows.
    fn measure_clearing(&mut self, decisions: &Decisions<'_>) {
        let mut listed = [Listed { lane: 0, place: 0 }; LANES];
        let mut count = 0;
        for place in 0..self.drops.count {
            let mut lanes = self.clearing[place] & !self.losing[place] & !self.unsure;
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                if lane >= decisions.count {
                    break;
                }
                self.correct_landing(decisions, place, lane);
                listed[count] = Listed { lane, place };
                count += 1;
                if count == LANES {
                    self.measure_removed(decisions, &listed);
                    count = 0;
                }
            }
        }
        self.measure_removed(decisions, &listed[..count]);
    }

    /// Replaces the terms of a landing by those of one that completes rows.
    fn correct_landing(&mut self, decisions: &Decisions<'_>, place: usize, lane: usize) {
        let landing = self.landing(decisions, place, lane);
        let weights = decisions.weights[lane];
        let term = |landing: &Landing| weights.landing_term(&self.plan, landing);
        let terms = &mut self.terms[place].0[lane];
        let term = if self.plan.apart.is_none() {
            term(&landing)
        } else {
            let without = Landing {
                cleared: 0,
                ..landing
            };
            f64::from(f32::from_bits(*terms as u32)) + term(&landing) - term(&without)
        };
        *terms = (term as f32).to_bits() as i32;
    }

    /// Measures the boards after up to eight placements that complete rows.
    fn measure_removed(&mut self, decisions: &Decisions<'_>, listed: &[Listed]) {
        if listed.is_empty() || self.plan.options.scored == Scored::BeforeRemoval {
            return;
        }
        let mut columns = [Words([0; LANES]); 16];
        for (k, listed) in listed.iter().enumerate() {
            let spot = self.drops.spots[listed.place];
            let mut board = *decisions.boards[listed.lane];
            let row = self.row(listed.place, listed.lane) as usize;
            board.fill_shape(spot.shape, spot.x, row);
            board.remove_full_rows();
            for (own, &cells) in columns.iter_mut().zip(board.columns()) {
                own.0[k] = cells as i32;
            }
        }
        L::enter(SetColumns {
            drops: &mut self.removed,
            columns: &columns,
        });
        let plan = self.plan.clone();
        let mut values = [Words([0; LANES]); 16];
        for feature in plan.lane_features.iter().filter(|one| !one.keeps_full_rows) {
            let values = &mut values[..feature.len];
            (feature.form.whole)(&self.removed.board, values);
            for (row, value) in self.numbers[feature.first..].iter_mut().zip(values) {
                for (k, &Listed { lane, place }) in listed.iter().enumerate() {
                    row[place].0[lane] = value.0[k];
                }
            }
        }
    }

    /// Picks the best placement in every game.
    fn pick(&mut self, decisions: &Decisions<'_>, scored: &Scored8) -> [Option<usize>; LANES] {
        let ranks = &self.plan.ranks[decisions.piece as usize];
        let mut best = [None; LANES];
        for (lane, best) in best[..decisions.count].iter_mut().enumerate() {
            let is_unsure = (self.unsure | scored.beyond) >> lane & 1 != 0;
            if is_unsure || scored.best.0[lane] == NO_SCORE {
                continue;
            }
            let first = scored.index.0[lane] as usize;
            let enough = scored.enough.0[lane];
            if scored.second.0[lane] < enough {
                *best = Some(first);
                continue;
            }
            let mut winner = (f64::NEG_INFINITY, u8::MAX);
            for place in 0..self.drops.count {
                if self.keys[place].0[lane] < enough {
                    continue;
                }
                let candidate = (self.score(decisions, place, lane), ranks[place]);
                let wins =
                    candidate.0 > winner.0 || (candidate.0 == winner.0 && candidate.1 < winner.1);
                if wins {
                    (winner, *best) = (candidate, Some(place));
                }
            }
        }
        best
    }

    /// The score of a placement, as the evaluator computes it on the general path.
    pub(crate) fn score(&self, decisions: &Decisions<'_>, place: usize, lane: usize) -> f64 {
        let plan = &self.plan;
        let (weights, landing) = (
            decisions.weights[lane],
            self.landing(decisions, place, lane),
        );
        let mut score = 0.0;
        for (number, source) in plan.numbers.iter().enumerate() {
            let value = match *source {
                Source::Landing(value) => value(&landing),
                Source::Apart(row) => self.apart[row][lane][place],
                Source::Lanes(row, unit) => {
                    let units = self.numbers[row][place].0[lane];
                    unit.value(f64::from(units), plan.width, plan.height)
                }
            };
            score += weights.term(number, value);
        }
        if score.is_nan() {
            f64::NEG_INFINITY
        } else {
            score
        }
    }
}

/// Sets the columns of eight boards.
struct SetColumns<'a> {
    drops: &'a mut LaneDrops<L>,
    columns: &'a [Words; 16],
}

impl Work<L> for SetColumns<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for c in 0..self.drops.board.width {
            let cells = Vector(L::load(&self.columns[c]));
            self.drops.board.padded[c + WINDOW_MARGIN] = Column::new(cells);
        }
    }
}

/// Sets the columns of eight boards and drops a piece onto them.
struct LayOut<'a> {
    drops: &'a mut LaneDrops<L>,
    columns: &'a [Words; 16],
    piece: Piece,
}

impl Work<L> for LayOut<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let LayOut {
            drops,
            columns,
            piece,
        } = self;
        SetColumns {
            drops: &mut *drops,
            columns,
        }
        .run();
        drops.lay_out(piece);
    }
}

/// Finds the placements after which a cell is as high as the game-over rule looks, and those that complete
/// rows: for each placement one bit per lane.
struct FindHigh<'a> {
    drops: &'a LaneDrops<L>,
    /// Rows that the rule does not look at.
    safe: i32,
}

impl Work<L> for FindHigh<'_> {
    type Output = ([u8; MAX_OUTCOMES], [u8; MAX_OUTCOMES]);

    #[inline(always)]
    fn run(self) -> Self::Output {
        let board = &self.drops.board;
        let mut highest = Vector::splat(0);
        for c in 0..board.width {
            highest = highest.most(board.own(c).top);
        }
        let safe = Vector::splat(self.safe);
        let already = highest.above(safe);
        let (mut flags, mut clearing) = ([0; MAX_OUTCOMES], [0; MAX_OUTCOMES]);
        for place in 0..self.drops.count {
            let box_height = Vector::splat(self.drops.spots[place].shape.height as i32);
            let row = Vector(L::load(&self.drops.rows[place]));
            let is_high = (row + box_height).above(safe);
            let full = L::load(&self.drops.full[place]);
            flags[place] = is_high.0.or(already.0).bits() as u8;
            clearing[place] = !full.eq(L::splat(0)).bits() as u8;
        }
        (flags, clearing)
    }
}

/// Looks the terms of all landings up, as if none completed a row.
struct LandingTerms<'a, 'd> {
    rater: &'a mut Rater,
    decisions: &'a Decisions<'d>,
}

impl Work<L> for LandingTerms<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let LandingTerms { rater, decisions } = self;
        let piece = decisions.piece as usize;
        let stride = rater.plan.landing_rows();
        let shared = decisions.share_weights();
        let table = &decisions.weights[0].landing[piece];
        for place in 0..rater.drops.count {
            let rows = &rater.drops.rows[place];
            let first = L::splat((place * stride) as i32);
            rater.terms[place] = if shared {
                L::load(rows).add(first).gather(table).store()
            } else {
                Words(std::array::from_fn(|lane| {
                    let table = &decisions.weights[lane].landing[piece];
                    let entry = place * stride + rows.0[lane] as usize;
                    table[entry.min(table.len() - 1)]
                }))
            };
        }
    }
}

/// The scores of all placements.
struct Scored8 {
    best: Words,
    second: Words,
    index: Words,
    /// Placements with at least this score may be as good as the best.
    enough: Words,
    /// Lanes with a number beyond its table.
    beyond: u8,
}

/// Adds all terms up.
struct ScoreAll<'a, 'd> {
    rater: &'a mut Rater,
    decisions: &'a Decisions<'d>,
}

impl Work<L> for ScoreAll<'_, '_> {
    type Output = Scored8;

    #[inline(always)]
    fn run(self) -> Scored8 {
        let ScoreAll { rater, decisions } = self;
        let rows = rater.plan.rows.min(MOST_NUMBERS);
        let mut slopes = [L::splat(0); MOST_NUMBERS];
        let shared = decisions.share_weights();
        for (row, slope) in slopes[..rows].iter_mut().enumerate() {
            *slope = if shared {
                L::splat(decisions.weights[0].slopes[row])
            } else {
                L::load(&Words(std::array::from_fn(|lane| {
                    decisions.weights[lane].slopes[row]
                })))
            };
        }
        let magnitude = L::splat(i32::MAX);
        let (mut best, mut largest) = (Best::new(), L::splat(0));
        let mut beyond = L::splat(0);
        for place in 0..rater.drops.count {
            let mut score = L::load(&rater.terms[place]);
            let mut size = score.and(magnitude);
            for row in 0..rows {
                let number = L::load(&rater.numbers[row][place]).to_float();
                let term = number.mul_float(slopes[row]);
                score = score.add_float(term);
                size = size.add_float(term.and(magnitude));
            }
            if !decisions.weights[0].tables.is_empty() {
                add_tables(
                    rater,
                    decisions,
                    place,
                    [&mut score, &mut size, &mut beyond],
                );
            }
            // Orders the bits of floats like integers: the negative ones are inverted.
            let negative = L::splat(0).gt(score);
            let key = score.xor(negative.and(magnitude));
            let losing = L::load(&lane_mask(rater.losing[place]));
            let key = losing.pick(L::splat(NO_SCORE), key);
            rater.keys[place] = key.store();
            best.take(key, L::splat(place as i32));
            largest = largest.max(size.and_not(losing));
        }
        let negative = L::splat(0).gt(best.score);
        let score = best.score.xor(negative.and(magnitude));
        // Twice the bound on the rounding error of a sum, and more than nothing.
        let terms = rater.plan.rows + 4;
        let unit = -(terms as f32) * f32::EPSILON * 2.0;
        let slack = largest.mul_float(L::splat(unit.to_bits() as i32));
        let slack = slack.add_float(L::splat((-1e-30f32).to_bits() as i32));
        let enough = score.add_float(slack);
        let negative = L::splat(0).gt(enough);
        Scored8 {
            best: best.score.store(),
            second: best.second.store(),
            index: best.index.store(),
            enough: enough.xor(negative.and(magnitude)).store(),
            beyond: beyond.bits() as u8,
        }
    }
}

/// Adds the terms of the rows with tables to the score and the size of a placement.
#[inline(always)]
fn add_tables(
    rater: &Rater,
    decisions: &Decisions<'_>,
    place: usize,
    [score, size, beyond]: [&mut L; 3],
) {
    let shared = decisions.share_weights();
    for (number, (row, table)) in decisions.weights[0].tables.iter().enumerate() {
        let entry = L::load(&rater.numbers[*row][place]).sub(L::splat(LOWEST));
        let last = L::splat(TABLE as i32 - 1);
        *beyond = beyond.or(entry.gt(last)).or(L::splat(0).gt(entry));
        let term = if shared {
            entry.gather(table)
        } else {
            let entry = entry.store();
            L::load(&Words(std::array::from_fn(|lane| {
                let table = &decisions.weights[lane].tables[number].1;
                let entry = (entry.0[lane].max(0) as usize).min(TABLE - 1);
                table[entry]
            })))
        };
        *score = score.add_float(term);
        *size = size.add_float(term.and(L::splat(i32::MAX)));
    }
}

/// A mask of the lanes whose bits are set.
#[inline(always)]
fn lane_mask(bits: u8) -> Words {
    Words(std::array::from_fn(|lane| -i32::from(bits >> lane & 1)))
}
