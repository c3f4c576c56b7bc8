//! Models that an optimiser searches: the parameters of a network, or a factor for each look-up table.

use super::coordinates::Coordinates;
use super::factors::{SearchedTables, names_of_factors};
use super::network::{SearchedNetwork, names_of_parameters};
use super::{Learning, LearningError};
use crate::learners::Learner;
use crate::library::PlayerFile;
use tetrolab_core::evaluators::{Model, ModelKind};
use tetrolab_core::ruleset::Ruleset;

/// A model without the numbers that are searched.
pub(super) enum SearchedModel {
    Network(SearchedNetwork),
    Tables(SearchedTables),
}

impl SearchedModel {
    /// The model of a plan, if its evaluator is made from one. What the plan leaves open of it is resolved.
    pub(super) fn find(
        plan: &mut Learning,
        outline: &PlayerFile,
        ruleset: &Ruleset,
        learner: &Learner,
    ) -> Result<Option<SearchedModel>, LearningError> {
        let network = SearchedNetwork::find(plan, outline, ruleset)?;
        let tables = SearchedTables::find(plan, outline, ruleset, learner)?;
        let network = network.map(SearchedModel::Network);
        Ok(network.or(tables.map(SearchedModel::Tables)))
    }

    /// How many numbers are learned.
    pub(super) fn len(&self) -> usize {
        match self {
            SearchedModel::Network(network) => network.len(),
            SearchedModel::Tables(tables) => tables.len(),
        }
    }

    /// The coordinates of the search.
    pub(super) fn coordinates(
        &self,
        plan: &Learning,
        outline: &PlayerFile,
        learner: &Learner,
    ) -> Result<Coordinates, LearningError> {
        match self {
            SearchedModel::Network(network) => network.coordinates(plan, outline, learner),
            SearchedModel::Tables(tables) => tables.coordinates(plan, learner),
        }
    }

    /// The numbers of a candidate from those of the search.
    pub(super) fn absorbed(&self, numbers: Vec<f64>) -> Vec<f64> {
        match self {
            SearchedModel::Network(network) => network.absorbed(&numbers),
            SearchedModel::Tables(_) => numbers,
        }
    }

    /// The model with these numbers.
    pub(super) fn model(&self, numbers: &[f64]) -> Model {
        match self {
            SearchedModel::Network(network) => Model::Network(network.network(numbers)),
            SearchedModel::Tables(tables) => Model::Tables(tables.tables(numbers)),
        }
    }
}

/// What the numbers of a plan whose evaluator is made from a model are called.
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
