//! The tables evaluator: the score is the sum of the table entries that match the board after the
//! placement (n-tuple networks: Jaśkowski, Szubert, Liskowski and Krawiec 2015).
//!
//! Weights are rounded to multiples of a small power of two and added up as integers, so the sum is
//! the same in any order and on every machine.

use super::{
    Evaluator, EvaluatorEntry, Form, MakeEvaluator, NUMBERS, Scores, WeightError, Workspace,
};
use crate::board::Board;
use crate::lookup::TableSet;
use crate::outcomes::Outcomes;
use std::sync::Arc;

pub(super) const ENTRY: EvaluatorEntry = EvaluatorEntry {
    id: "tables",
    definition: "sum of the lookup table entries of the board after the placement",
    source: "Jaśkowski, Szubert, Liskowski and Krawiec 2015",
    settings: NUMBERS,
    make: Form {
        tables: &[],
        only_direction_counts: false,
        make: MakeEvaluator::Lookup(|features, sum| sum.check_width(features.width())),
    },
};

/// Score = sum of the weights of the entries that match a board.
#[derive(Clone, Debug)]
pub struct TableSum {
    set: TableSet,
    weights: Arc<[f32]>,
    /// The weights as integers, followed by a 0, the weight of no entry.
    rounded: Arc<[i32]>,
    /// The value of the integer 1.
    scale: f64,
    most_covered: Option<u32>,
}

impl PartialEq for TableSum {
    /// Whether two sums are equal for every board: the same tables, weights and limit.
    fn eq(&self, other: &TableSum) -> bool {
        let specs = |sum: &TableSum| -> Vec<String> {
            let set = sum.set.iter();
            set.map(|(spec, _)| spec.to_string()).collect()
        };
        self.weights == other.weights
            && self.most_covered == other.most_covered
            && self.set.size() == other.set.size()
            && specs(self) == specs(other)
    }
}

impl TableSum {
    /// Tables with a weight for each of their entries.
    ///
    /// # Errors
    /// If there are too many or too few weights, or one is not finite.
    pub fn new(set: TableSet, weights: Vec<f32>) -> Result<TableSum, WeightError> {
        let (expected, found) = (set.entries(), weights.len());
        if expected != found {
            return WeightError::count("entry", (expected, found), set.size().width);
        }
        match weights.iter().position(|weight| !weight.is_finite()) {
            None => {
                let scale = scale(&set, &weights);
                let rounded = weights.iter().map(|weight| round(*weight, scale));
                Ok(TableSum {
                    rounded: rounded.chain([0]).collect(),
                    weights: weights.into(),
                    scale,
                    set,
                    most_covered: None,
                })
            }
            Some(place) => {
                let (number, value) = ((place + 1).to_string(), f64::from(weights[place]));
                WeightError::not_finite("entry", &number, value)
            }
        }
    }

    /// The same tables, restricted to fewer placements: see [`TableSum::most_covered`].
    #[must_use]
    pub fn covering_at_most(mut self, most_covered: Option<u32>) -> TableSum {
        self.most_covered = most_covered;
        self
    }

    /// The same tables with the weights of each multiplied by a factor; infinite results are
    /// clamped.
    ///
    /// # Panics
    /// If there are fewer factors than tables, or one is NaN.
    pub fn scaled(&self, factors: &[f32]) -> TableSum {
        let mut weights = self.weights.to_vec();
        for (table, (_, range)) in self.set.iter().enumerate() {
            let factor = factors[table];
            let scaled = |weight: &mut f32| *weight = (*weight * factor).clamp(f32::MIN, f32::MAX);
            weights[range].iter_mut().for_each(scaled);
        }
        let scaled = TableSum::new(self.set.clone(), weights);
        let scaled = scaled.expect("as many entries as before, and finite ones");
        scaled.covering_at_most(self.most_covered)
    }

    /// While at least eight rows above the stack are empty, a placement is skipped if it covers
    /// more than this many empty cells beyond the minimum over placements that do not end the game,
    /// unless it completes a row. This makes decisions faster. On higher stacks, all placements are
    /// scored.
    pub fn most_covered(&self) -> Option<u32> {
        self.most_covered
    }

    /// The tables.
    pub fn set(&self) -> &TableSet {
        &self.set
    }

    /// The weights, table after table.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The weights as integers of the [scale](TableSum::scale), and a 0 after the last.
    pub fn rounded(&self) -> &Arc<[i32]> {
        &self.rounded
    }

    /// The value of the integer 1: a power of two.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The score of one board.
    pub fn value(&self, board: &Board) -> f64 {
        self.score(&self.set.entries_of(board))
    }

    /// The contribution of each table to the sum for one board, in the order of the set.
    pub fn terms(&self, board: &Board) -> Vec<f64> {
        let entries = self.set.entries_of(board);
        let of_table = |range: std::ops::Range<usize>| {
            let own = entries
                .iter()
                .copied()
                .filter(|entry| range.contains(&(*entry as usize)));
            self.score(&own.collect::<Vec<u32>>())
        };
        self.set.iter().map(|(_, range)| of_table(range)).collect()
    }

    /// The sum of the rounded weights of some entries.
    fn score(&self, entries: &[u32]) -> f64 {
        let weights = entries.iter().map(|entry| self.rounded[*entry as usize]);
        f64::from(weights.sum::<i32>()) * self.scale
    }

    fn check_width(self, width: usize) -> Result<Arc<dyn Evaluator>, WeightError> {
        match self.set.size().width {
            made if made == width => Ok(Arc::new(self)),
            made => WeightError::because(format!(
                "the tables were made for boards {made} wide, not {width}"
            )),
        }
    }
}

/// No sum of rounded weights exceeds this, so that the sum of two stays far from the limits of 32
/// bits.
const LARGEST_SUM: f64 = (1u32 << 29) as f64;
/// The finest scale: a weight of 1 has 24 bits, like a 32-bit float.
const FINEST: i32 = -24;

/// The smallest power of two with which no sum of weights overflows.
fn scale(set: &TableSet, weights: &[f32]) -> f64 {
    let largest = |range: std::ops::Range<usize>| {
        let sizes = weights[range].iter().map(|weight| weight.abs());
        f64::from(sizes.fold(0.0, f32::max))
    };
    let tables = set.iter().zip(set.most_shown());
    // Slightly above zero, so that tables of zeros have a scale too.
    let most: f64 = tables
        .map(|((_, range), shown)| (largest(range) + 1e-6) * shown as f64)
        .sum();
    let power = libm::log2(most / LARGEST_SUM).ceil() as i32;
    libm::exp2(f64::from(power.max(FINEST)))
}

/// Expresses a weight as an integer multiple of the scale, rounded.
fn round(weight: f32, scale: f64) -> i32 {
    (f64::from(weight) / scale).round_ties_even() as i32
}

/// The sum of the weights of some entries, in their order: the same bits on every machine.
#[inline]
pub fn sum(weights: &[f32], entries: &[u32]) -> f32 {
    entries.iter().map(|entry| weights[*entry as usize]).sum()
}

/// With at least this many empty rows above the stack there is no danger.
pub(crate) const SAFE_ROWS: usize = 8;

/// A filter of placements. On high stacks it keeps all; otherwise it keeps those that complete a
/// row, or cover at most this many more empty cells than the minimum over placements that do not
/// end the game. Covered cells are those of the piece's columns between the stack and the piece.
pub(crate) fn covers_few(outcomes: &Outcomes, most: u32) -> impl Fn(usize) -> bool + use<> {
    let heights = outcomes.before().heights();
    let covered = |index: usize| -> u32 {
        let landing = outcomes.landing(index);
        let gaps = (0..landing.shape.width).map(|j| {
            let bottom = u32::from(landing.y) + u32::from(landing.shape.bottoms[j]);
            bottom.saturating_sub(u32::from(heights[usize::from(landing.x) + j]))
        });
        gaps.sum()
    };
    let all: Vec<u32> = (0..outcomes.len()).map(covered).collect();
    let open = (0..outcomes.len()).filter(|index| !outcomes.landing(*index).game_over);
    let fewest = open.map(|index| all[index]).min().unwrap_or(0);
    let before = outcomes.before();
    let is_limited = before.board.height() >= SAFE_ROWS + usize::from(before.max_height());
    let completes = |index: usize| outcomes.landing(index).cleared != 0;
    let few = (0..outcomes.len())
        .map(|index| !is_limited || completes(index) || all[index] <= fewest.saturating_add(most));
    let few: Vec<bool> = few.collect();
    move |index| few[index]
}

impl Evaluator for TableSum {
    fn rate(&self, outcomes: &mut Outcomes, workspace: &mut Workspace, scores: &mut Scores) {
        outcomes.settle_all();
        let (measurements, entries) = &mut workspace.looked_up;
        for (index, score) in scores[..outcomes.len()].iter_mut().enumerate() {
            let board = &outcomes.after(index).board;
            self.set.look_up(board, measurements, entries);
            *score = self.score(entries);
        }
        if let Some(most) = self.most_covered {
            let looked_up = covers_few(outcomes, most);
            for (index, score) in scores[..outcomes.len()].iter_mut().enumerate() {
                if !looked_up(index) {
                    *score = f64::NEG_INFINITY;
                }
            }
        }
    }

    fn as_tables(&self) -> Option<&TableSum> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluators::testing::evaluator;
    use crate::lookup::BoardSize;
    use crate::outcomes::DecisionContext;
    use crate::piece::Piece;
    use crate::ruleset::ruleset;

    /// Gravity is maximal. Pieces cannot pass the tower in column 2, and right of it a square
    /// covers four cells in every placement; the flat columns left of the tower cannot be reached.
    #[test]
    fn a_drop_that_cannot_be_reached_is_no_measure_of_few_covered_cells() {
        let rules = ruleset(&"tgm(level=500)".parse().unwrap(), &evaluator).unwrap();
        let (top, ragged) = ("..#.......", "..#.#.#.#.");
        let rows = [[top; 4], [ragged; 4]].concat();
        let board = Board::from_lowest_rows(10, 20, &rows).unwrap();
        let mut outcomes = Outcomes::default();
        outcomes.generate(&DecisionContext {
            rules: rules.rules.as_ref(),
            ..DecisionContext::simple(&board, Piece::O)
        });
        let columns: Vec<u8> = outcomes.iter().map(|outcome| outcome.landing.x).collect();
        assert_eq!(columns, [3, 4, 5, 6, 7, 8]);
        let few = covers_few(&outcomes, 0);
        assert!((0..outcomes.len()).all(few));
    }

    #[test]
    fn a_wrong_number_of_entries_is_refused_in_one_sentence() {
        let size = BoardSize {
            width: 4,
            height: 6,
        };
        let set = TableSet::find("heights", size).unwrap();
        let error = TableSum::new(set.clone(), vec![0.0; set.entries() - 1]).unwrap_err();
        let (needed, found) = (set.entries(), set.entries() - 1);
        let expected = format!("expected {needed} entry values on a board 4 wide, found {found}");
        assert_eq!(error.to_string(), expected);
    }
}
