//! The weights as 32-bit numbers, and a bound on the rounding errors.
//!
//! A linear evaluator's weights are integers of up to 32 bits. The kernel multiplies all of them by
//! a common factor such that the score of any board fits in 32 bits, and rounds. The error of the
//! difference between two scores of a decision is then at most the sum, over the features, of the
//! weight's rounding error times the largest difference of the feature: the *tolerance*. Placements
//! within the tolerance of the best are compared again with the exact weights, so decisions never
//! depend on rounding. Weights that need no rounding have tolerance 0, and equal scores are real
//! ties.

use crate::evaluators::Linear;

/// The kernel's measures of a board or a placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// Twice the landing height.
    Landing,
    /// Eroded piece cells.
    Eroded,
    /// Row transitions.
    RowTransitions,
    /// Column transitions.
    ColumnTransitions,
    /// Holes.
    Holes,
    /// Well sums.
    Wells,
    /// Hole depth.
    HoleDepth,
    /// Rows with holes.
    HoleRows,
    /// Well sums, the fast variant.
    FastWells,
    /// Diversity.
    Diversity,
}

impl Measure {
    /// How many parts of the feature's unit it counts: landing heights are multiples of a half.
    fn parts(self) -> i64 {
        if self == Landing { 2 } else { 1 }
    }
}

/// Whether the kernel and an evaluator's features agree about which features belong to the move and
/// which to the resulting board; then the kernel's score of a landing equals
/// [`step_value`](crate::evaluators::Evaluator::step_value).
pub(super) fn agree_on_moves(linear: &Linear) -> bool {
    let counts_for_move = |id: &str| {
        let row = IDS.iter().find(|row| row.0 == id);
        row.is_some_and(|row| matches!(row.1, Landing | Eroded))
    };
    let features = linear.features().features().iter();
    features
        .into_iter()
        .all(|feature| feature.describes_move() == counts_for_move(feature.id))
}

/// Number of measures.
pub(super) const MEASURES: usize = Measure::Diversity as usize + 1;

use Measure::*;

/// The feature that each measure belongs to.
const IDS: [(&str, Measure); MEASURES] = [
    ("landing_height", Landing),
    ("eroded_piece_cells", Eroded),
    ("row_transitions", RowTransitions),
    ("column_transitions", ColumnTransitions),
    ("holes", Holes),
    ("well_sums", Wells),
    ("hole_depth", HoleDepth),
    ("rows_with_holes", HoleRows),
    ("well_sums_fast", FastWells),
    ("diversity", Diversity),
];

/// The maximum score of a placement, so that the sum of two stays far from the limits of 32 bits.
const LARGEST_SCORE: f64 = (1u32 << 29) as f64;

/// Below this, the general path's sums in halves are exact too.
const LARGEST_EXACT: f64 = (1u64 << 53) as f64;

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// The weights of all measures; zero for those that the evaluator does not have.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    /// Exact weights, scaled by a common factor.
    pub(super) exact: [i64; MEASURES],
    /// The measures of boards whose weight is not zero, with the weight.
    pub(super) used: Vec<(usize, i64)>,
    /// Rounded 32-bit weights, scaled by another common factor.
    pub(super) rounded: [i32; MEASURES],
    /// The value of one unit of an exact score, in the evaluator's unit.
    pub(super) exact_unit: f64,
    /// The value of one unit of a rounded score, in the evaluator's unit.
    pub(super) rounded_unit: f64,
    /// The maximum difference of two rounded scores of a decision whose exact scores are equal.
    pub(super) tolerance: i32,
}

impl Weights {
    /// The weights of an evaluator, if the kernel knows all of its features.
    pub(super) fn new(linear: &Linear, height: usize) -> Option<Weights> {
        let width = linear.features().width();
        let mut exact = [0i64; MEASURES];
        let features = linear.features().features().iter();
        for (feature, &weight) in features.zip(linear.scaled_weights()) {
            let &(_, measure) = IDS.iter().find(|(known, _)| *known == feature.id)?;
            // All weights refer to halves.
            exact[measure as usize] += 2 / measure.parts() * weight as i64;
        }
        let common = exact
            .iter()
            .fold(0, |common, &weight| gcd(common, weight))
            .max(1);
        exact = exact.map(|weight| weight / common);
        let spans = spans(width, height);
        let largest: f64 = (0..MEASURES)
            .map(|k| exact[k].unsigned_abs() as f64 * spans[k])
            .sum();
        if largest * common as f64 >= LARGEST_EXACT {
            return None;
        }
        let mut halvings = 0;
        while largest / (1i64 << halvings) as f64 > LARGEST_SCORE {
            halvings += 1;
        }
        let unit = (1i64 << halvings) as f64;
        let rounded = exact.map(|weight| (weight as f64 / unit).round() as i32);
        let error = |k: usize| (exact[k] as f64 / unit - f64::from(rounded[k])).abs() * spans[k];
        let tolerance = (0..MEASURES).map(error).sum::<f64>();
        let on_boards = RowTransitions as usize..MEASURES;
        let used = on_boards.map(|measure| (measure, exact[measure]));
        Some(Weights {
            exact,
            used: used.filter(|row| row.1 != 0).collect(),
            rounded,
            exact_unit: common as f64 / 2.0,
            rounded_unit: unit * common as f64 / 2.0,
            tolerance: tolerance.ceil() as i32,
        })
    }

    /// No weights, for a player without features; `unit` is the value of one unit of its integer
    /// scores.
    pub(super) fn none(unit: f64) -> Weights {
        Weights {
            exact: [0; MEASURES],
            used: Vec::new(),
            rounded: [0; MEASURES],
            exact_unit: unit,
            rounded_unit: unit,
            tolerance: 0,
        }
    }

    /// The rounded weight of a measure.
    pub(super) fn of(&self, measure: Measure) -> i32 {
        self.rounded[measure as usize]
    }

    /// Whether all measures with a non-zero weight are among these.
    pub(super) fn are_within(&self, measures: &[Measure]) -> bool {
        let weighted = IDS.iter().filter(|row| self.exact[row.1 as usize] != 0);
        weighted.into_iter().all(|row| measures.contains(&row.1))
    }
}

/// The maximum of every measure on a board of this size; measures are never negative.
fn spans(width: usize, height: usize) -> [f64; MEASURES] {
    let (w, h) = (width as f64, height as f64);
    let well = h * (h + 1.0) / 2.0;
    let mut spans = [0.0; MEASURES];
    spans[Landing as usize] = 2.0 * h;
    spans[Eroded as usize] = 16.0;
    spans[RowTransitions as usize] = (w + 1.0) * h;
    spans[ColumnTransitions as usize] = w * (h + 1.0);
    spans[Holes as usize] = w * h;
    spans[Wells as usize] = w * well;
    spans[HoleDepth as usize] = w * h;
    spans[HoleRows as usize] = h;
    spans[FastWells as usize] = w * well;
    spans[Diversity as usize] = 5.0;
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::features::feature;
    use crate::kernel::tests::wild_board;
    use crate::piece::{Piece, Rotation};
    use crate::placement::{Placement, Transition};
    use crate::rng::Rng;

    /// A step that leads to this board with a piece that lands as high as possible.
    fn step_to(board: Board) -> Transition {
        let placement = Placement {
            piece: Piece::O,
            rotation: Rotation::North,
            x: 0,
            y: board.height() as u8 - 2,
            spin: crate::placement::Spin::None,
        };
        Transition {
            before: board,
            placement,
            cleared: 0,
            after: board,
            game_over: false,
            lines_before: 0,
        }
    }

    #[test]
    fn no_board_has_more_of_a_feature_than_the_bound_on_rounding_allows_for() {
        let mut rng = Rng::new(3);
        for _ in 0..3000 {
            let width = 4 + rng.below(13) as usize;
            let height = 4 + rng.below(23) as usize;
            let step = step_to(wild_board(&mut rng, width, height));
            let spans = spans(width, height);
            for (id, measure) in IDS {
                let value = measure.parts() as f64 * feature(id).unwrap().values(&step)[0];
                let span = spans[measure as usize];
                assert!(
                    (0.0..=span).contains(&value),
                    "{id} {value} {:?}",
                    step.after
                );
            }
        }
    }

    #[test]
    fn the_kernel_and_the_features_agree_on_the_terms_of_the_move() {
        for (id, _) in IDS {
            let feature = crate::features::feature(id).expect("a feature's name");
            let set = crate::features::FeatureSet::new(vec![feature], 10);
            let linear = Linear::new(set, vec![1.0]).unwrap();
            assert!(agree_on_moves(&linear), "{id}");
        }
        let change = crate::features::feature("delta_holes").unwrap();
        let set = crate::features::FeatureSet::new(vec![change], 10);
        assert!(!agree_on_moves(&Linear::new(set, vec![1.0]).unwrap()));
    }
}
