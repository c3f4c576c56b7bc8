//! Forms of evaluators: their parameter tables, and the facts about these that player files and
//! learners need.

use super::{Evaluator, TableSum};
use crate::features::FeatureSet;
use crate::network::Network;
use std::fmt;
use std::sync::Arc;

/// A form of evaluator: its parameter tables, and how an evaluator is built from them and, if there
/// are parameters per feature, from the features.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// The parameter tables, in the order of player files and of the vectors of learners.
    pub tables: &'static [ParameterTable],
    /// Whether decisions are invariant under multiplying all parameters by a positive factor; if
    /// so, only the direction of the vector is learned.
    pub only_direction_counts: bool,
    /// Builds an evaluator from the parameters of each table. The set defines the width of the
    /// board, and the features if the form uses any.
    pub make: MakeEvaluator,
}

/// Creates an evaluator from the parameters of its tables.
pub type MakeFromTables = fn(FeatureSet, Vec<Vec<f64>>) -> Result<Arc<dyn Evaluator>, WeightError>;

/// What an evaluator of this form is built from.
#[derive(Clone, Copy, Debug)]
pub enum MakeEvaluator {
    /// From the parameters in its tables, which are stored in the player file and searched by
    /// optimisers.
    Tables(MakeFromTables),
    /// From a network, which is stored in a separate file next to the player file and learned while
    /// playing.
    Network {
        /// Whether its inputs are features.
        has_features: bool,
        /// Builds the evaluator.
        make: fn(FeatureSet, Network) -> Result<Arc<dyn Evaluator>, WeightError>,
    },
    /// From lookup tables with weights, which are also stored in a separate file.
    Lookup(fn(FeatureSet, TableSum) -> Result<Arc<dyn Evaluator>, WeightError>),
}

/// A model: it is too large for the text of a player file, so it is stored in a separate file, and
/// it is learned while playing.
#[derive(Clone, Debug)]
pub enum Model {
    /// A network.
    Network(Network),
    /// Lookup tables.
    Tables(TableSum),
}

/// The kind of model that a form requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelKind {
    /// A network.
    Network,
    /// Lookup tables.
    Tables,
}

impl ModelKind {
    /// Every kind.
    pub const ALL: [ModelKind; 2] = [ModelKind::Network, ModelKind::Tables];

    /// The key of the model's file in a player file.
    pub fn key(self) -> &'static str {
        match self {
            ModelKind::Network => "network",
            ModelKind::Tables => "entries",
        }
    }
}

impl Model {
    /// The kind of this model.
    pub fn kind(&self) -> ModelKind {
        match self {
            Model::Network(_) => ModelKind::Network,
            Model::Tables(_) => ModelKind::Tables,
        }
    }

    /// All parameters of the model.
    pub fn numbers(&self) -> &[f32] {
        match self {
            Model::Network(network) => network.parameters(),
            Model::Tables(tables) => tables.weights(),
        }
    }

    /// The same model with other parameters.
    ///
    /// # Errors
    /// If there are too many or too few parameters, or one is not finite.
    pub fn with_numbers(&self, numbers: Vec<f32>) -> Result<Model, String> {
        match self {
            Model::Network(network) => {
                let network = network.clone().with_parameters(numbers);
                network
                    .map(Model::Network)
                    .map_err(|error| error.to_string())
            }
            Model::Tables(tables) => {
                let covers = tables.most_covered();
                let tables = TableSum::new(tables.set().clone(), numbers);
                let tables = tables.map_err(|error| error.to_string())?;
                Ok(Model::Tables(tables.covering_at_most(covers)))
            }
        }
    }
}

/// A table of parameters of an evaluator.
#[derive(Clone, Copy, Debug)]
pub struct ParameterTable {
    /// The name of the table in player files: `weights`.
    pub id: &'static str,
    /// The name of a single parameter: `weight`.
    pub number: &'static str,
    /// The number of parameters.
    pub size: Size,
    /// The neutral value: 0 for a weight, 1 for an exponent. A search that starts from a player
    /// without this table starts at this value, so it should be near typical values; a search
    /// without a start begins at 0.
    pub neutral: f64,
    /// The effect of a learner's unit step on the parameters.
    pub scaling: Scaling,
}

/// The number of parameters in a table.
#[derive(Clone, Copy, Debug)]
pub enum Size {
    /// One per feature value.
    PerFeatureValue,
    /// The number that the function returns for a board width; the table does not depend on
    /// features.
    OnWidth(fn(usize) -> usize),
}

/// How the parameters of a table scale with their feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scaling {
    /// Inversely: if a feature's spread is twice as large, its weight's step is half as large.
    Weight,
    /// Proportionally: a value that is subtracted from the feature.
    Value,
    /// Not at all.
    Plain,
}

impl ParameterTable {
    /// A weight for each value of each feature.
    pub const WEIGHTS: ParameterTable = ParameterTable {
        id: "weights",
        number: "weight",
        size: Size::PerFeatureValue,
        neutral: 0.0,
        scaling: Scaling::Weight,
    };
    /// An exponent for each value of each feature.
    pub const EXPONENTS: ParameterTable = ParameterTable {
        id: "exponents",
        number: "exponent",
        size: Size::PerFeatureValue,
        neutral: 1.0,
        scaling: Scaling::Plain,
    };
    /// The offset that is subtracted from each value of each feature.
    pub const DISPLACEMENTS: ParameterTable = ParameterTable {
        id: "displacements",
        number: "displacement",
        size: Size::PerFeatureValue,
        neutral: 0.0,
        scaling: Scaling::Value,
    };

    /// Whether the table has a parameter for each feature.
    pub fn is_per_feature(&self) -> bool {
        matches!(self.size, Size::PerFeatureValue)
    }

    /// The number of parameters with these features and this width.
    pub fn len(&self, features: &FeatureSet) -> usize {
        match self.size {
            Size::PerFeatureValue => features.len(),
            Size::OnWidth(count) => count(features.width()),
        }
    }
}

impl Form {
    /// Whether the evaluator uses features.
    pub fn has_features(&self) -> bool {
        match self.make {
            MakeEvaluator::Tables(_) => self.tables.iter().any(ParameterTable::is_per_feature),
            MakeEvaluator::Network { has_features, .. } => has_features,
            MakeEvaluator::Lookup(_) => false,
        }
    }

    /// Whether the form is built from a network.
    pub fn takes_network(&self) -> bool {
        matches!(self.make, MakeEvaluator::Network { .. })
    }

    /// The kind of model that the form is built from, if any.
    pub fn model(&self) -> Option<ModelKind> {
        match self.make {
            MakeEvaluator::Tables(_) => None,
            MakeEvaluator::Network { .. } => Some(ModelKind::Network),
            MakeEvaluator::Lookup(_) => Some(ModelKind::Tables),
        }
    }

    /// The number of parameters with these features and this width.
    pub fn len(&self, features: &FeatureSet) -> usize {
        self.tables.iter().map(|table| table.len(features)).sum()
    }

    /// Whether the form has no parameters at all.
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// Builds the evaluator with these parameters, table after table.
    ///
    /// # Errors
    /// If there are too many or too few parameters, or one is not finite.
    pub fn evaluator(
        &self,
        features: FeatureSet,
        tables: Vec<Vec<f64>>,
    ) -> Result<Arc<dyn Evaluator>, WeightError> {
        for (table, numbers) in self.tables.iter().zip(&tables) {
            table.check(&features, numbers)?;
        }
        match self.make {
            MakeEvaluator::Tables(make) => make(features, tables),
            MakeEvaluator::Network { .. } | MakeEvaluator::Lookup(_) => {
                WeightError::because("this evaluator needs a model, not tables of numbers")
            }
        }
    }

    /// Creates the evaluator of a model.
    ///
    /// # Errors
    /// If the form does not take this kind of model, or the model does not fit the board or the
    /// features.
    pub fn model_evaluator(
        &self,
        features: FeatureSet,
        model: Model,
    ) -> Result<Arc<dyn Evaluator>, WeightError> {
        match (self.make, model) {
            (MakeEvaluator::Network { make, .. }, Model::Network(network)) => {
                make(features, network)
            }
            (MakeEvaluator::Lookup(make), Model::Tables(tables)) => make(features, tables),
            _ => WeightError::because("this evaluator does not take this kind of model"),
        }
    }
}

/// The tables of a form by name; a missing table is empty, which its check reports.
pub(super) fn tables<const COUNT: usize>(tables: Vec<Vec<f64>>) -> [Vec<f64>; COUNT] {
    let mut tables = tables.into_iter();
    std::array::from_fn(|_| tables.next().unwrap_or_default())
}

/// Why parameters do not form an evaluator: a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightError(String);

impl fmt::Display for WeightError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for WeightError {}

impl WeightError {
    /// An error with this sentence.
    pub(super) fn because<T>(sentence: impl Into<String>) -> Result<T, WeightError> {
        Err(WeightError(sentence.into()))
    }

    /// A table has too many or too few numbers of a kind: `weight`, `exponent`.
    pub(super) fn count<T>(
        kind: &str,
        (expected, found): (usize, usize),
        width: usize,
    ) -> Result<T, WeightError> {
        WeightError::because(format!(
            "expected {expected} {kind} values on a board {width} wide, found {found}"
        ))
    }

    /// The parameter of a feature, or at a position of the table (from 1), is not finite.
    pub(super) fn not_finite<T>(kind: &str, of: &str, value: f64) -> Result<T, WeightError> {
        WeightError::because(format!(
            "the {kind} of {of} is {value}, not a finite number"
        ))
    }

    /// Checks that a network has one output.
    pub(super) fn check_outputs(outputs: usize) -> Result<(), WeightError> {
        match outputs {
            1 => Ok(()),
            _ => WeightError::because(format!("the network must have 1 output, got {outputs}")),
        }
    }
}

impl ParameterTable {
    /// Checks that the table has the right number of parameters, and that all are finite.
    pub(super) fn check(&self, features: &FeatureSet, numbers: &[f64]) -> Result<(), WeightError> {
        let expected = self.len(features);
        if numbers.len() != expected {
            let counts = (expected, numbers.len());
            return WeightError::count(self.number, counts, features.width());
        }
        match numbers.iter().position(|number| !number.is_finite()) {
            None => Ok(()),
            Some(index) => {
                let owner = self.owner(features, index);
                WeightError::not_finite(self.number, &owner, numbers[index])
            }
        }
    }

    /// The feature of the parameter at an index.
    fn owner(&self, features: &FeatureSet, index: usize) -> String {
        let mut end = 0;
        let owns = |feature: &&&'static crate::features::Feature| {
            end += feature.len(features.width());
            index < end
        };
        let feature = features.features().iter().find(owns);
        feature
            .filter(|_| self.is_per_feature())
            .map_or_else(|| (index + 1).to_string(), |feature| feature.id.to_owned())
    }
}
