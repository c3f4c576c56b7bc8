//! The part of a rater that is compiled for the lanes: laying out boards and pieces, looking up
//! terms, and adding them up.

use super::plan::{LOWEST, MOST_NUMBERS, TABLE};
use super::rater::{Decisions, Rater};
use crate::features::local::{Column, Columns};
use crate::features::{LaneDrops, LaneRow};
use crate::kernel::ratings::{Best, NO_SCORE};
use crate::kernel::whole::take_rows_out;
use crate::moves::WINDOW_MARGIN;
use crate::outcomes::MAX_OUTCOMES;
use crate::piece::Piece;
use crate::simd::{Fastest as L, LANES, Lanes, Vector, Words, Work};

/// Sets the columns of eight boards.
pub(super) struct SetColumns<'a> {
    pub(super) board: &'a mut Columns<Vector<L>>,
    pub(super) columns: &'a [Words; 16],
    /// Rows to remove from each board.
    pub(super) removed: &'a Words,
}

impl Work<L> for SetColumns<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let width = self.board.width.min(self.columns.len());
        let columns = &mut self.board.padded[WINDOW_MARGIN..WINDOW_MARGIN + width];
        for (own, cells) in columns.iter_mut().zip(self.columns) {
            own.cells = Vector(L::load(cells));
        }
        take_rows_out(columns, L::load(self.removed), |own| &mut own.cells.0);
        for own in columns {
            *own = Column::new(own.cells);
        }
    }
}

/// Sets the columns of eight boards and drops a piece onto them.
pub(super) struct LayOut<'a> {
    pub(super) drops: &'a mut LaneDrops<L>,
    pub(super) columns: &'a [Words; 16],
    pub(super) piece: Piece,
    /// Rows that the game-over rule ignores.
    pub(super) safe: i32,
}

impl Work<L> for LayOut<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        SetColumns {
            board: &mut self.drops.board,
            columns: self.columns,
            removed: &Words([0; LANES]),
        }
        .run();
        self.drops.lay_out(self.piece, self.safe);
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
pub(super) struct Scored8 {
    pub(super) best: Words,
    pub(super) second: Words,
    pub(super) index: Words,
    /// Placements with at least this score may be as good as the best.
    pub(super) enough: Words,
    /// Lanes with a value outside its table, or with a term that is too large.
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
        let (mut beyond, has_tables) = (L::splat(0), !decisions.weights[0].tables.is_empty());
        let count = rater.drops.count;
        // Four placements at a time; sums beyond the last placement are undefined.
        for chunk in 0..count.div_ceil(CHUNK) {
            let terms = &chunks(&rater.terms)[chunk];
            // Not `map`, which would not be compiled with the instructions of the lanes.
            let (mut scores, mut sizes) = ([L::splat(0); CHUNK], [L::splat(0); CHUNK]);
            for k in 0..CHUNK {
                scores[k] = L::load(&terms[k]);
                sizes[k] = scores[k].and(magnitude);
            }
            for (numbers, &slope) in rater.numbers.iter().zip(&slopes[..rows]) {
                let numbers = &chunks(numbers)[chunk];
                for k in 0..CHUNK {
                    let term = L::load(&numbers[k]).to_float().mul_float(slope);
                    scores[k] = scores[k].add_float(term);
                    sizes[k] = sizes[k].add_float(term.and(magnitude));
                }
            }
            for k in 0..CHUNK.min(count - chunk * CHUNK) {
                let place = (chunk * CHUNK + k) % MAX_OUTCOMES;
                let (mut score, mut size) = (scores[k], sizes[k]);
                if has_tables {
                    let sums = [&mut score, &mut size, &mut beyond];
                    add_tables(rater, (decisions, shared), place, sums);
                }
                // Orders the bits of floats like integers by inverting those of negative floats.
                let negative = L::splat(0).gt(score);
                let mut key = score.xor(negative.and(magnitude));
                if rater.losing[place] != 0 {
                    let losing = L::load(&lane_mask(rater.losing[place]));
                    key = losing.pick(L::splat(NO_SCORE), key);
                    size = size.and_not(losing);
                }
                rater.keys[place] = key.store();
                best.take(key, L::splat(place as i32));
                largest = largest.max(size);
            }
        }
        // Infinite and NaN values are not bounds.
        beyond = beyond.or(largest.gt(L::splat(f32::MAX.to_bits() as i32)));
        let sizes = rater.sizes.map(|size| (size as f32).to_bits() as i32);
        largest = largest.add_float(L::load(&Words(sizes)));
        let negative = L::splat(0).gt(best.score);
        let score = best.score.xor(negative.and(magnitude));
        // Twice the bound on the rounding error of a sum; always positive.
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

/// Number of placements whose terms are added up together.
const CHUNK: usize = 4;

/// Splits a row of values into chunks of placements.
#[inline(always)]
fn chunks(row: &LaneRow) -> &[[Words; CHUNK]] {
    row.as_chunks().0
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
