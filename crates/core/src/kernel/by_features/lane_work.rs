//! The part of a rater that is compiled for the lanes: laying out boards and pieces, looking up
//! terms, and adding them up.

use super::plan::{FeatureWeights, FloatBits, LOWEST, LandingTable, MOST_SHAPES, TABLE};
use super::rater::{Decisions, Rater};
use crate::features::local::{Columns, MOST_COLUMNS};
use crate::features::{LaneDrops, LaneRow};
use crate::kernel::MOST_ROWS;
use crate::kernel::ratings::{Best, NO_SCORE};
use crate::kernel::whole::take_rows_out;
use crate::moves::WINDOW_MARGIN;
use crate::piece::Piece;
use crate::simd::{Fastest as L, LANES, Lanes, Vector, Words, Work};

/// Removes rows from eight boards.
pub(super) struct RemoveRows<'a> {
    pub(super) board: &'a mut Columns<Vector<L>>,
    pub(super) columns: &'a [Words; MOST_COLUMNS],
    /// Rows that are removed from each.
    pub(super) removed: &'a Words,
}

impl Work<L> for RemoveRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let width = self.board.width.min(MOST_COLUMNS);
        let columns = &mut self.board.padded[WINDOW_MARGIN..WINDOW_MARGIN + width];
        for (own, cells) in columns.iter_mut().zip(self.columns) {
            own.cells = Vector(L::load(cells));
        }
        take_rows_out(columns, L::load(self.removed), |own| &mut own.cells.0);
        self.board.measure();
    }
}

/// Sets the columns of eight boards and drops a piece onto them.
pub(super) struct LayOut<'a> {
    pub(super) drops: &'a mut LaneDrops<L>,
    pub(super) columns: [&'a [u64; 16]; LANES],
    pub(super) piece: Piece,
    /// The rows in which no rule ends the game.
    pub(super) safe: i32,
    /// One bit for each lane whose board is known not to fit.
    pub(super) unfit: u8,
}

impl Work<L> for LayOut<'_> {
    /// One bit for each lane whose board does not fit: it is laid out as an empty one.
    type Output = u8;

    #[inline(always)]
    fn run(self) -> u8 {
        let LayOut { drops, .. } = self;
        let width = drops.board.width.min(MOST_COLUMNS);
        let columns = &mut drops.board.padded[WINDOW_MARGIN..WINDOW_MARGIN + width];
        for (chunk, own) in columns.chunks_mut(4).enumerate() {
            let mut rows = [&self.columns[0].as_chunks().0[chunk]; LANES];
            for (row, board) in rows.iter_mut().zip(&self.columns) {
                *row = &board.as_chunks().0[chunk];
            }
            for (own, cells) in own.iter_mut().zip(L::low_columns(rows)) {
                own.cells = Vector(cells);
            }
        }
        let mut all = L::splat(0);
        for own in &*columns {
            all = all.or(own.cells.0);
        }
        let beyond = all.shr::<{ MOST_ROWS as i32 }>();
        let unfit = self.unfit | !beyond.eq(L::splat(0)).bits() as u8;
        if unfit != 0 {
            let fit = L::load(&lane_mask(!unfit));
            for own in columns {
                own.cells = Vector(own.cells.0.and(fit));
            }
        }
        drops.board.measure();
        drops.lay_out(self.piece, self.safe);
        unfit
    }
}

/// Looks up the terms of all landings as if none of them completed a row.
pub(super) struct LandingTerms<'a, 'd> {
    pub(super) rater: &'a mut Rater,
    pub(super) decisions: &'a Decisions<'d>,
}

impl Work<L> for LandingTerms<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let LandingTerms { rater, decisions } = self;
        let shared = rater.shares_weights;
        if !on_lines(decisions, shared) {
            for place in 0..rater.drops.count {
                rater.terms[place] = entries(rater, decisions, place);
            }
            return;
        }
        let mut first = 0;
        for (number, shape) in rater.drops.shapes.iter().enumerate() {
            let [base, rise] = shape_lines(decisions, shared, number);
            let count = rater.drops.board.width + 1 - shape.width;
            let rows = &rater.drops.rows[first..first + count];
            for (term, row) in rater.terms[first..first + count].iter_mut().zip(rows) {
                let risen = L::load(row).to_float().mul_float(rise);
                *term = base.add_float(risen).store();
            }
            first += count;
        }
    }
}

/// Whether the terms of the landing are on lines in all lanes.
fn on_lines(decisions: &Decisions<'_>, shared: bool) -> bool {
    let is_on_lines = |own: &&FeatureWeights| {
        matches!(
            own.landing[decisions.piece as usize],
            LandingTable::Lines(_)
        )
    };
    let weights = &decisions.weights[..if shared { 1 } else { LANES }];
    weights.iter().all(is_on_lines)
}

/// The lines on which the terms of a shape are.
#[inline(always)]
fn shape_lines(decisions: &Decisions<'_>, shared: bool, number: usize) -> [L; 2] {
    if shared {
        let [base, rise] = shape_line(decisions.weights[0], decisions.piece, number);
        return [L::splat(base), L::splat(rise)];
    }
    let mut lines = [Words([0; LANES]); 2];
    for (lane, own) in decisions.weights.iter().enumerate() {
        let [base, rise] = shape_line(own, decisions.piece, number);
        (lines[0].0[lane], lines[1].0[lane]) = (base, rise);
    }
    [L::load(&lines[0]), L::load(&lines[1])]
}

/// The line on which the terms of a shape are; nothing if they are in a table.
#[inline]
fn shape_line(weights: &FeatureWeights, piece: Piece, number: usize) -> [FloatBits; 2] {
    match &weights.landing[piece as usize] {
        LandingTable::Lines(of_shapes) => of_shapes[number % MOST_SHAPES],
        LandingTable::Entries(_) => [0; 2],
    }
}

/// The terms of a placement, lane by lane.
fn entries(rater: &Rater, decisions: &Decisions<'_>, place: usize) -> Words {
    let rows = &rater.drops.rows[place];
    let mut terms = Words([0; LANES]);
    for (lane, own) in decisions.weights.iter().enumerate() {
        let row = (rows.0[lane] as usize).min(rater.plan.height);
        terms.0[lane] = own.landing_term(&rater.plan, decisions.piece, place, row);
    }
    terms
}

/// The scores of all placements.
pub(super) struct Scored8 {
    pub(super) best: Words,
    pub(super) index: Words,
    /// One bit for each lane in which another placement may be as good as the best.
    pub(super) is_close: u8,
    /// Lanes with a number beyond its table, or with a term that is too large.
    pub(super) beyond: u8,
}

/// Adds up all terms.
pub(super) struct ScoreAll<'a, 'd> {
    pub(super) rater: &'a mut Rater,
    pub(super) decisions: &'a Decisions<'d>,
}

impl Work<L> for ScoreAll<'_, '_> {
    type Output = Scored8;

    #[inline(always)]
    fn run(self) -> Scored8 {
        let ScoreAll { rater, decisions } = self;
        let count = rater.drops.count;
        let (mut best, mut largest) = add_up(rater, decisions);
        if rater.some_lose {
            best = best_not_losing(rater);
        }
        let magnitude = L::splat(i32::MAX);
        // Infinite and NaN values are not bounds.
        let beyond = rater.beyond | largest.gt(L::splat(f32::MAX.to_bits() as i32)).bits() as u8;
        let sizes = rater.sizes.map(|size| (size as f32).to_bits() as i32);
        largest = largest.add_float(L::load(&Words(sizes)));
        let negative = L::splat(0).gt(best.score);
        let score = best.score.xor(negative.and(magnitude));
        // Twice the bound on the rounding error of a sum, and greater than zero.
        let terms = rater.plan.rows + 6;
        let unit = -(terms as f32) * f32::EPSILON * 2.0;
        let slack = largest.mul_float(L::splat(unit.to_bits() as i32));
        let slack = slack.add_float(L::splat((-1e-30f32).to_bits() as i32));
        let enough = score.add_float(slack);
        let negative = L::splat(0).gt(enough);
        let enough = enough.xor(negative.and(magnitude));
        let is_close = !enough.gt(best.second).bits() as u8;
        if is_close != 0 {
            for (close, key) in rater.close[..count].iter_mut().zip(&rater.keys) {
                *close = !enough.gt(L::load(key)).bits() as u8;
            }
        }
        Scored8 {
            best: best.score.store(),
            index: best.index.store(),
            is_close,
            beyond,
        }
    }
}

/// Adds up the terms of all placements; finds the best, and the largest sums of magnitudes. Losing
/// placements are included.
#[inline(always)]
fn add_up(rater: &mut Rater, decisions: &Decisions<'_>) -> (Best<L>, L) {
    let mut own = std::mem::take(&mut rater.slopes);
    let slopes = if rater.shares_weights {
        &decisions.weights[0].slopes
    } else {
        for (row, slopes) in own.iter_mut().enumerate() {
            for (slope, weights) in slopes.0.iter_mut().zip(&decisions.weights) {
                *slope = weights.slopes[row].0[0];
            }
        }
        &own
    };
    let mut all = (Best::new(), L::splat(0));
    let (whole, rest) = (rater.drops.count / CHUNK, rater.drops.count % CHUNK);
    for chunk in 0..whole {
        add_up_chunk(rater, slopes, (chunk, CHUNK), &mut all);
    }
    if rest > 0 {
        add_up_chunk(rater, slopes, (whole, rest), &mut all);
    }
    rater.slopes = own;
    all
}

/// Adds the terms of the first `count` of a few placements up.
#[inline(always)]
fn add_up_chunk(
    rater: &mut Rater,
    slopes: &[Words],
    (chunk, count): (usize, usize),
    (best, largest): &mut (Best<L>, L),
) {
    let magnitude = L::splat(i32::MAX);
    let terms = &chunks(&rater.terms)[chunk];
    // Not `map`: it would not be compiled with the instructions of the lanes. Sums beyond the last
    // placement are undefined.
    let (mut scores, mut sizes) = ([L::splat(0); CHUNK], [L::splat(0); CHUNK]);
    for k in 0..CHUNK {
        scores[k] = L::load(&terms[k]);
    }
    for (numbers, slope) in rater.numbers.iter().zip(slopes) {
        let (numbers, slope) = (&chunks(numbers)[chunk], L::load(slope));
        for k in 0..CHUNK {
            let term = L::load(&numbers[k]).to_float().mul_float(slope);
            scores[k] = scores[k].add_float(term);
            sizes[k] = sizes[k].add_float(term.and(magnitude));
        }
    }
    let keys = &mut rater.keys.as_chunks_mut::<CHUNK>().0[chunk];
    for k in 0..CHUNK {
        if k < count {
            // Orders the bits of floats like integers: the negative ones are inverted.
            let negative = scores[k].shr_signed::<31>();
            let key = scores[k].xor(negative.shr::<1>());
            keys[k] = key.store();
            best.take(key, L::splat((chunk * CHUNK + k) as i32));
            *largest = largest.max(sizes[k]);
        }
    }
}

/// The best of the placements that do not lose.
#[inline(always)]
fn best_not_losing(rater: &mut Rater) -> Best<L> {
    let mut best = Best::new();
    for place in 0..rater.drops.count {
        let losing = L::load(&lane_mask(rater.losing[place]));
        let key = losing.pick(L::splat(NO_SCORE), L::load(&rater.keys[place]));
        rater.keys[place] = key.store();
        best.take(key, L::splat(place as i32));
    }
    best
}

/// Number of placements that are added up at a time.
const CHUNK: usize = 4;

/// Splits a row of values into chunks of placements.
#[inline(always)]
fn chunks(row: &LaneRow) -> &[[Words; CHUNK]] {
    row.as_chunks().0
}

/// Adds the terms of the rows with tables to those of the landing.
pub(super) struct TableTerms<'a, 'd> {
    pub(super) rater: &'a mut Rater,
    pub(super) decisions: &'a Decisions<'d>,
}

impl Work<L> for TableTerms<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let TableTerms { rater, decisions } = self;
        let shared = rater.shares_weights;
        let (mut beyond, mut largest) = (L::splat(0), L::splat(0));
        for place in 0..rater.drops.count {
            let (mut score, mut size) = (L::load(&rater.terms[place]), L::splat(0));
            let sums = [&mut score, &mut size, &mut beyond];
            add_tables(rater, (decisions, shared), place, sums);
            rater.terms[place] = score.store();
            let losing = L::load(&lane_mask(rater.losing[place]));
            largest = largest.max(size.and_not(losing));
        }
        let too_large = largest.gt(L::splat(f32::MAX.to_bits() as i32));
        rater.beyond |= beyond.or(too_large).bits() as u8;
        let largest = largest.store();
        for (size, &own) in rater.sizes.iter_mut().zip(&largest.0) {
            *size += f64::from(f32::from_bits(own as u32));
        }
    }
}

/// Adds the terms of the rows with tables to the score and the size of a placement.
#[inline(always)]
fn add_tables(
    rater: &Rater,
    (decisions, shared): (&Decisions<'_>, bool),
    place: usize,
    [score, size, beyond]: [&mut L; 3],
) {
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
