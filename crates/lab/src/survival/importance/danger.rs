//! Danger: the logarithm of the probability of dying before the stack returns to normal, as a
//! learned function of the board.
//!
//! How likely a stack is to reach the top depends on more than its height: holes, the rows that
//! they block, the cells above them, and wells make one stack a hundred times as dangerous as
//! another of the same height. With this importance function, splitting starts its trajectories
//! where deaths come from. A danger is linear in a few terms of the board, so that it can be fitted
//! to the trajectories of one player, and in integers, so that it is the same on every machine.

use tetrolab_core::board::{column_height, column_holes};
use tetrolab_core::piece::Piece;

/// The number of measures: sums over the board.
const MEASURES: usize = 13;
/// The number of terms about fitting pieces.
const FITS: usize = 6;
/// The number of terms about the next piece, if known.
const KNOWN: usize = 8;

/// Number of terms: the measures, the measures times the height of the highest column, whether
/// pieces fit, and the known piece.
pub(in crate::survival) const DANGER_TERMS: usize = 2 * MEASURES + FITS + KNOWN;

/// The terms of a board.
pub(in crate::survival) type DangerTerms = [i32; DANGER_TERMS];

/// The terms of a board with these columns, and of the piece to be placed on it, if it is known.
///
/// - Measures: the sum of the heights; the highest column; holes; rows with holes; filled cells
///   above the highest hole of each column; the depths of columns below both neighbours, and the
///   same with each depth d weighted by (d - 1) / 2; differences of neighbouring heights; cells
///   that differ from the one to their right; and for 1 to 4 neighbouring columns, the smallest
///   height of the highest of them: the free space.
/// - The measures times the highest column: the effect of a hole depends on the height of the
///   stack.
/// - Fits: whether no placement, and whether exactly one, of S, Z and O makes no new hole.
/// - Known piece: which one, and whether it fits nowhere without a new hole.
#[inline]
pub(in crate::survival) fn danger_terms(columns: &[u64], piece: Option<Piece>) -> DangerTerms {
    let mut heights = [0i32; 16];
    for (height, &column) in heights.iter_mut().zip(columns) {
        *height = column_height(column) as i32;
    }
    let heights = &heights[..columns.len()];
    let mut terms = [0; DANGER_TERMS];
    let measures = measures(columns, heights);
    let highest = measures[1];
    for (term, value) in measures.into_iter().enumerate() {
        terms[term] = value;
        terms[MEASURES + term] = value * highest;
    }
    let places = Places::of(heights);
    for (pair, places) in [places.s, places.z, places.o].into_iter().enumerate() {
        terms[2 * MEASURES + 2 * pair] = i32::from(places == 0);
        terms[2 * MEASURES + 2 * pair + 1] = i32::from(places == 1);
    }
    if let Some(piece) = piece {
        let known = 2 * MEASURES + FITS;
        terms[known + piece as usize] = 1;
        terms[known + 7] = i32::from(!places.take(piece));
    }
    terms
}

/// The measures of a board.
#[inline]
fn measures(columns: &[u64], heights: &[i32]) -> [i32; MEASURES] {
    // Walls are as high as any stack.
    const WALL: i32 = i32::MAX;
    let (mut sum, mut highest) = (0, 0);
    let (mut holes, mut spoiled, mut cover) = (0, 0u64, 0);
    let (mut wells, mut deep_wells, mut bumps, mut transitions) = (0, 0, 0, 0);
    let mut room = [WALL; 4];
    let mut recent = [WALL; 4];
    for (index, (&column, &height)) in columns.iter().zip(heights).enumerate() {
        let own_holes = column_holes(column);
        sum += height;
        highest = highest.max(height);
        holes += own_holes.count_ones() as i32;
        spoiled |= own_holes;
        let above = column.unbounded_shr(64 - own_holes.leading_zeros());
        cover += if own_holes == 0 {
            0
        } else {
            above.count_ones() as i32
        };
        let left = if index == 0 { WALL } else { heights[index - 1] };
        let right = heights.get(index + 1).copied().unwrap_or(WALL);
        let depth = (left.min(right) - height).max(0);
        wells += depth;
        deep_wells += depth * (depth - 1) / 2;
        if let Some(next) = columns.get(index + 1) {
            bumps += (height - right).abs();
            transitions += (column ^ next).count_ones() as i32;
        }
        // The heights of this column and up to three before it, for their maximum.
        recent = [
            height,
            recent[0].max(height),
            recent[1].max(height),
            recent[2].max(height),
        ];
        for (room, highest) in room.iter_mut().zip(recent) {
            *room = highest.min(*room);
        }
    }
    let [one, two, three, four] = room;
    let spoiled = spoiled.count_ones() as i32;
    [
        sum,
        highest,
        holes,
        spoiled,
        cover,
        wells,
        deep_wells,
        bumps,
        transitions,
        one,
        two,
        three,
        four,
    ]
}

/// Number of placements of a piece that create no hole.
struct Places {
    s: u32,
    z: u32,
    o: u32,
    /// For T, J and L, only whether there is such a placement.
    t: bool,
    j: bool,
    l: bool,
}

impl Places {
    #[inline]
    fn of(heights: &[i32]) -> Places {
        // Bit i: column i + 1 is higher than column i by this much.
        let (mut level, mut up, mut down, mut up_two, mut down_two) =
            (0u32, 0u32, 0u32, 0u32, 0u32);
        for (index, pair) in heights.windows(2).enumerate() {
            let step = pair[1] - pair[0];
            level |= u32::from(step == 0) << index;
            up |= u32::from(step == 1) << index;
            down |= u32::from(step == -1) << index;
            up_two |= u32::from(step == 2) << index;
            down_two |= u32::from(step == -2) << index;
        }
        Places {
            // Upright on a step down, or lying on two level columns and a step up; Z is the mirror
            // image.
            s: down.count_ones() + (level & up >> 1).count_ones(),
            z: up.count_ones() + (down & level >> 1).count_ones(),
            o: level.count_ones(),
            t: up | down != 0 || level & level >> 1 != 0,
            j: level | up_two != 0,
            l: level | down_two != 0,
        }
    }

    #[inline]
    fn take(&self, piece: Piece) -> bool {
        match piece {
            Piece::I => true,
            Piece::O => self.o > 0,
            Piece::S => self.s > 0,
            Piece::Z => self.z > 0,
            Piece::T => self.t,
            Piece::J => self.j,
            Piece::L => self.l,
        }
    }
}

/// The level of a board on which death is certain.
pub(in crate::survival) const CERTAIN_DEATH: i32 = 4000;
/// Levels for each factor of e in the probability of dying.
pub(crate) const LEVELS_PER_NAT: f64 = 32.0;
/// The unit of weights: this many make a level.
const UNIT: f64 = 65536.0;

/// Larger weights, in this unit, are clipped.
const MOST_WEIGHT: f64 = 1e12;

/// A danger function: integer weights of its terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Danger {
    /// The value of an empty board, in units of 1/65536 of a level.
    empty: i64,
    /// In the same unit, the weight of each term.
    weights: [i64; DANGER_TERMS],
}

impl Danger {
    /// The danger whose logarithm of the probability of dying is `intercept` plus the weighted sum
    /// of the terms. Weights are rounded and clipped to a sensible range.
    pub(in crate::survival) fn new(intercept: f64, weights: &[f64; DANGER_TERMS]) -> Danger {
        let whole = |nats: f64| {
            (nats * LEVELS_PER_NAT * UNIT)
                .round()
                .clamp(-MOST_WEIGHT, MOST_WEIGHT) as i64
        };
        Danger {
            empty: whole(intercept) + i64::from(CERTAIN_DEATH) * UNIT as i64,
            weights: weights.map(whole),
        }
    }

    /// The danger with these parameters, as returned by [`Danger::numbers`]; `None` if the number
    /// of weights is wrong, or a weight exceeds the limit.
    pub(in crate::survival) fn from_numbers(empty: i64, weights: &[i64]) -> Option<Danger> {
        let possible = |number: i64| number.unsigned_abs() <= 2 * MOST_WEIGHT as u64;
        let weights: [i64; DANGER_TERMS] = weights.try_into().ok()?;
        let all_possible = possible(empty) && weights.iter().all(|&weight| possible(weight));
        all_possible.then_some(Danger { empty, weights })
    }

    /// The parameters of the danger: the value of the empty board, and the weight of each term.
    pub(in crate::survival) fn numbers(&self) -> (i64, &[i64; DANGER_TERMS]) {
        (self.empty, &self.weights)
    }

    /// The importance of a board with these columns and this piece to place, if known:
    /// [`CERTAIN_DEATH`] plus [`LEVELS_PER_NAT`] times the logarithm of the probability of dying,
    /// at least 0.
    #[inline]
    pub(crate) fn level(&self, columns: &[u64], piece: Option<Piece>) -> u32 {
        let terms = danger_terms(columns, piece);
        let weighted = self.weights.iter().zip(terms);
        let total = weighted.fold(self.empty, |sum, (weight, term)| {
            sum + weight * i64::from(term)
        });
        (total >> 16).clamp(0, i64::from(u32::MAX)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrolab_core::board::Board;
    use tetrolab_core::piece::PIECES;

    fn terms(rows: &[&str], piece: Option<Piece>) -> DangerTerms {
        let board = Board::from_lowest_rows(rows[0].len(), 8, rows).unwrap();
        danger_terms(board.columns(), piece)
    }

    #[test]
    fn measures_of_a_worked_board() {
        // Heights 4, 1, 3, 0, 3. Column 0 has one hole (row 1) under two cells, column 4 two holes
        // (rows 0 and 1) under one.
        let found = terms(&["#....", "#.#.#", "..#..", "###.."], None);
        let measures = [
            11, // 4 + 1 + 3 + 0 + 3
            4, 3, 2,  // rows 0 and 1
            3,  // 2 above the hole of column 0, 1 above those of column 4
            5,  // column 1: 2 below column 2; column 3: 3 below both sides
            4,  // 2 x 1 / 2 + 3 x 2 / 2
            11, // 3 + 2 + 3 + 3
            8,  // 2 + 2 + 3 + 1
            0, 3, 3, 3, // column 3; columns 1 and 2; columns 1 to 3; columns 1 to 4
        ];
        assert_eq!(found[..MEASURES], measures);
        assert_eq!(
            found[MEASURES..2 * MEASURES],
            measures.map(|measure| 4 * measure)
        );
        assert_eq!(found[2 * MEASURES + FITS..], [0; KNOWN]);
    }

    #[test]
    fn places_without_a_new_hole() {
        // Heights 2, 1, 1, 2, 2: a step down, a level pair, a step up, a level pair.
        let rows = ["#..##", "#####"];
        let fits = |found: &DangerTerms| found[2 * MEASURES..][..FITS].to_vec();
        // S: upright on the step down, or flat on columns 1 to 3. Z: upright on the step up, or
        // flat on columns 0 to 2. O: both pairs.
        assert_eq!(fits(&terms(&rows, None)), [0, 0, 0, 0, 0, 0]);
        // Heights 0, 0, 2, 2: S and Z fit nowhere, O on both pairs.
        let found = terms(&["..##", "..##"], Some(Piece::S));
        assert_eq!(fits(&found), [1, 0, 1, 0, 0, 0]);
        assert_eq!(found[2 * MEASURES + FITS + Piece::S as usize], 1);
        assert_eq!(found[DANGER_TERMS - 1], 1);
        // Heights 0, 3, 0, 3: only I fits.
        for piece in PIECES {
            let found = terms(&[".#.#", ".#.#", ".#.#"], Some(piece));
            assert_eq!(
                found[DANGER_TERMS - 1],
                i32::from(piece != Piece::I),
                "{piece:?}"
            );
        }
    }

    #[test]
    fn a_piece_that_fits_has_a_placement_without_a_hole() {
        use tetrolab_core::rng::Rng;
        let mut rng = Rng::new(7);
        for _ in 0..400 {
            let heights: Vec<usize> = (0..6).map(|_| (rng.unit() * 4.0) as usize).collect();
            let mut board = Board::new(6, 12).unwrap();
            for (column, &height) in heights.iter().enumerate() {
                (0..height).for_each(|row| board.fill(row, column));
            }
            for piece in PIECES {
                let fits = piece.shapes().iter().any(|shape| {
                    (0..=6 - shape.width).any(|x| {
                        let mut after = board;
                        after.fill_shape(shape, x, board.resting_row(shape, x));
                        after
                            .columns()
                            .iter()
                            .all(|&column| column_holes(column) == 0)
                    })
                });
                let terms = danger_terms(board.columns(), Some(piece));
                assert_eq!(terms[DANGER_TERMS - 1] == 0, fits, "{piece:?} {heights:?}");
            }
        }
    }

    #[test]
    fn a_level_is_a_logarithm_above_certain_death() {
        let mut weights = [0.0; DANGER_TERMS];
        weights[0] = 0.5;
        let danger = Danger::new(-10.0, &weights);
        let empty = Board::new(4, 8).unwrap();
        assert_eq!(danger.level(empty.columns(), None), 4000 - 320);
        let board = Board::from_lowest_rows(4, 8, &["##.."]).unwrap();
        assert_eq!(danger.level(board.columns(), None), 4000 - 320 + 32);
        let hopeless = Danger::new(-1000.0, &weights);
        assert_eq!(hopeless.level(empty.columns(), None), 0);
    }
}
