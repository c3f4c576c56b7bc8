//! Models that an optimiser searches: the parameters of a network, or a scale for each lookup
//! table.

use super::coordinates::Coordinates;
use super::factors::{SearchedTables, names_of_factors};
use super::network::{SearchedNetwork, names_of_parameters};
use super::{Learning, LearningError};
use crate::learners::Learner;
use crate::library::PlayerFile;
use tetrolab_core::evaluators::{Model, ModelKind};
use tetrolab_core::ruleset::Ruleset;

/// A model without the parameters being searched.
pub(super) trait SearchedModel: Send + Sync {
    /// Number of values learned.
    fn len(&self) -> usize;

    /// The coordinates of the search.
    fn coordinates(
        &self,
        plan: &Learning,
        outline: &PlayerFile,
        learner: &Learner,
    ) -> Result<Coordinates, LearningError>;

    /// The parameters of a candidate, computed from those of the search.
    fn absorbed(&self, numbers: Vec<f64>) -> Vec<f64> {
        numbers
    }

    /// The model with these parameters.
    fn model(&self, numbers: &[f64]) -> Model;
}

/// The model of a plan, if its evaluator has one, with open settings resolved.
pub(super) fn searched_model(
    plan: &mut Learning,
    outline: &PlayerFile,
    ruleset: &Ruleset,
    learner: &Learner,
) -> Result<Option<Box<dyn SearchedModel>>, LearningError> {
    if let Some(network) = SearchedNetwork::find(plan, outline, ruleset)? {
        return Ok(Some(Box::new(network)));
    }
    let tables = SearchedTables::find(plan, outline, ruleset, learner)?;
    Ok(tables.map(|tables| -> Box<dyn SearchedModel> { Box::new(tables) }))
}

/// The names of the parameters of a plan whose evaluator has a model.
pub(super) fn names_of_model(
    kind: ModelKind,
    plan: &Learning,
    outline: &PlayerFile,
    ruleset: &Ruleset,
) -> Result<Vec<String>, LearningError> {
    match kind {
        ModelKind::Network => names_of_parameters(plan, outline, ruleset),
        ModelKind::Tables => names_of_factors(plan, ruleset),
    }
}
