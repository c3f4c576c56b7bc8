//! Named evaluators, for tests of code that looks evaluators up.

use super::{Evaluator, Linear, Workspace};
use crate::board::Board;
use crate::ends::End;
use crate::features::{FeatureSet, feature};
use crate::outcomes::{DecisionContext, MAX_OUTCOMES, Outcomes, Scored};
use crate::piece::Piece;
use crate::rules::Rules;
use crate::spec::{Spec, SpecError};
use std::sync::Arc;

const DELLACHERIE: &[(&str, f64)] = &[
    ("landing_height", -1.0),
    ("eroded_piece_cells", 1.0),
    ("row_transitions", -1.0),
    ("column_transitions", -1.0),
    ("holes", -4.0),
    ("well_sums", -1.0),
];

/// `dellacherie`, and `few-holes`, whose only feature is the number of holes.
pub(crate) fn evaluator(spec: &Spec, width: usize) -> Result<Arc<dyn Evaluator>, SpecError> {
    let rows = match spec.name.as_str() {
        "dellacherie" => DELLACHERIE,
        "few-holes" => &[("holes", -1.0)],
        name => return Err(SpecError::unknown("evaluator", name, [])),
    };
    let ids: Vec<&str> = rows.iter().map(|row| row.0).collect();
    let weights = rows.iter().map(|row| row.1).collect();
    let linear = Linear::new(features(&ids, width), weights);
    Ok(Arc::new(linear.expect("one weight for each feature")))
}

/// The set of the features with these names.
pub(crate) fn features(ids: &[&str], width: usize) -> FeatureSet {
    let features = ids.iter().map(|id| feature(id).expect("a feature's name"));
    FeatureSet::new(features.collect(), width)
}

/// An evaluator's scores of the three placements of O on an empty 4x4 board, left to right.
pub(crate) fn scores_of_squares(evaluator: &dyn Evaluator) -> Vec<f64> {
    let mut outcomes = Outcomes::default();
    outcomes.generate(&DecisionContext {
        board: &Board::new(4, 4).expect("a legal size"),
        piece: Piece::O,
        rules: Rules::Drops(End::ABOVE_TOP),
        next: None,
        scored: Scored::default(),
        lines_before: 0,
    });
    let mut scores = [0.0; MAX_OUTCOMES];
    evaluator.rate(&mut outcomes, &mut Workspace::default(), &mut scores);
    scores[..outcomes.len()].to_vec()
}
