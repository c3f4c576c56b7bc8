//! The tables evaluator: a score that is the sum of the entries which the board after the placement shows
//! (n-tuple networks: Jaśkowski, Szubert, Liskowski and Krawiec 2015).

use super::{Evaluator, EvaluatorEntry, Form, MakeEvaluator, NUMBERS, Scores, WeightError};
use crate::board::Board;
use crate::features::FeatureMatrix;
use crate::lookup::TableSet;
use crate::outcomes::Outcomes;
use std::sync::Arc;

pub(super) const ENTRY: EvaluatorEntry = EvaluatorEntry {
    id: "tables",
    definition: "sum of the entries of look-up tables that the board after the placement shows",
    source: "Jaśkowski, Szubert, Liskowski and Krawiec 2015",
    settings: NUMBERS,
    make: Form {
        tables: &[],
        only_direction_counts: false,
        make: MakeEvaluator::Lookup(|features, sum| sum.check_width(features.width())),
    },
};

/// Score = sum of the weights of the entries that a board shows.
#[derive(Clone, Debug)]
pub struct TableSum {
    set: TableSet,
    weights: Arc<[f32]>,
}

impl TableSum {
    /// Tables with a weight for each of their entries.
    ///
    /// # Errors
    /// When there are too many or too few weights, or one is not finite.
    pub fn new(set: TableSet, weights: Vec<f32>) -> Result<TableSum, WeightError> {
        let (expected, found) = (set.entries(), weights.len());
        if expected != found {
            let width = set.size().width;
            return Err(WeightError::Count {
                kind: "entrie",
                expected,
                found,
                width,
            });
        }
        match weights.iter().position(|weight| !weight.is_finite()) {
            None => Ok(TableSum {
                set,
                weights: weights.into(),
            }),
            Some(place) => Err(WeightError::NotFinite {
                kind: "entry",
                feature: (place + 1).to_string(),
                value: f64::from(weights[place]),
            }),
        }
    }

    /// The tables.
    #[must_use]
    pub fn set(&self) -> &TableSet {
        &self.set
    }

    /// The weights, table after table.
    #[must_use]
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The sum for one board.
    #[must_use]
    pub fn value(&self, board: &Board) -> f32 {
        sum(&self.weights, &self.set.entries_of(board))
    }

    fn check_width(self, width: usize) -> Result<Arc<dyn Evaluator>, WeightError> {
        match self.set.size().width {
            made if made == width => Ok(Arc::new(self)),
            made => Err(WeightError::TableWidth { made, width }),
        }
    }
}

/// The sum of the weights of some entries, in their order: the same bits on every machine.
#[must_use]
#[inline]
pub fn sum(weights: &[f32], entries: &[u32]) -> f32 {
    entries.iter().map(|entry| weights[*entry as usize]).sum()
}

impl Evaluator for TableSum {
    fn rate(&self, outcomes: &mut Outcomes, values: &mut FeatureMatrix, scores: &mut Scores) {
        outcomes.settle_all();
        let (mut sight, mut entries) = std::mem::take(&mut values.looked_up);
        for (index, score) in scores[..outcomes.len()].iter_mut().enumerate() {
            sight.look(&outcomes.after(index).board);
            self.set.look_up(&sight, &mut entries);
            *score = f64::from(sum(&self.weights, &entries));
        }
        values.looked_up = (sight, entries);
    }
}
