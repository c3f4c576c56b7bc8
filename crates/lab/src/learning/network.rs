//! Networks whose parameters an optimiser searches (after Langenhoven, van Heerden and Engelbrecht
//! 2010).
//!
//! A learner's vector has a coordinate for each parameter: layer after layer, for each unit its
//! weights, then the biases of all units. With [`Scale::Spread`] the network of the search sees
//! features that are scaled to mean 0 and spread 1 ([`InputScale`]), and a unit of a coordinate is
//! the largest weight that He et al. (2015) would draw in its layer. The box from -1 to 1, in which
//! swarms and genetic algorithms start, is that initialisation, and the first steps of CMA-ES (0.5
//! by default) have nearly its standard deviation of 0.58: signals keep their magnitude from layer
//! to layer, and one step size suits all of them. A bias is searched as the weight of an input that
//! is always 1.
//!
//! The network of the player gets the raw features: the scale is folded into its first layer. Its
//! parameters are those of a candidate, in the store and everywhere else, each written as the
//! shortest decimal that gives the same `f32`.

use super::coordinates::Coordinates;
use super::description::Scale;
use super::searched_model::SearchedModel;
use super::template::numbered;
use super::{Learning, LearningError};
use crate::feature_scale::InputScale;
use crate::learners::Learner;
use crate::library::{PlayerFile, find_player_file};
use tetrolab_core::evaluators::{Model, board_inputs};
use tetrolab_core::network::{Activation, DenseLayer, Initialisation, Network};
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::spec::{SpecError, shown};

/// The hidden layers of the thesis' network.
const LAYERS: &str = "32,32,32";
/// Activation function of the hidden units.
const ACTIVATION: Activation = Activation::Relu;
/// The maximum number of hidden layers, and of units in each: the same as for reinforcement
/// learners.
const MOST_LAYERS: usize = 8;
const MOST_UNITS: usize = 4096;
/// The maximum number of parameters that are searched: a population of vectors must fit into memory
/// and into the store.
pub(super) const MOST_SEARCHED: usize = 100_000;
/// The maximum absolute value of a parameter; larger ones would overflow after a few layers.
const FARTHEST: f64 = 1e9;

/// A network without its parameters, and the scale of its inputs during the search.
pub(super) struct SearchedNetwork {
    layers: Network,
    scale: InputScale,
}

impl SearchedNetwork {
    /// The network of a plan whose evaluator is a network; unspecified layers are filled in. The
    /// scale of the plan must be resolved already.
    pub(super) fn find(
        plan: &mut Learning,
        outline: &PlayerFile,
        ruleset: &Ruleset,
    ) -> Result<Option<SearchedNetwork>, LearningError> {
        let form = outline.form.id;
        if !outline.form.make.takes_network() {
            return match (&plan.layers, &plan.activation) {
                (None, None) => Ok(None),
                _ => LearningError::refused(format!(
                    "the {form} evaluator is not a network and has no layers"
                )),
            };
        }
        if plan.runs != 1 {
            return LearningError::refused(format!(
                "the {form} evaluator supports one run only, because networks cannot be averaged"
            ));
        }
        resolve(plan)?;
        let layers = layers_of(plan, outline, ruleset)?;
        let searched = layers.parameters().len();
        if searched > MOST_SEARCHED {
            return LearningError::refused(format!(
                "an optimiser searches at most {MOST_SEARCHED} parameters, and this network has {searched}"
            ));
        }
        let features = outline.feature_set_on(ruleset.width);
        let scale = match plan.scale {
            Scale::Spread if !features.is_empty() => InputScale::measured(&features, ruleset),
            _ => InputScale::plain(layers.inputs()),
        };
        Ok(Some(SearchedNetwork { layers, scale }))
    }

    /// The size of a unit of each coordinate, in terms of its parameter.
    fn units(&self) -> Vec<f64> {
        let of_layer = |layer: &DenseLayer| {
            let parameters = layer.weights().len() + layer.biases().len();
            vec![Initialisation::He.bound(layer); parameters]
        };
        self.layers.layers().iter().flat_map(of_layer).collect()
    }

    /// The parameters of a player's network, with the scale removed from its first layer.
    fn start(&self, name: &str, outline: &PlayerFile) -> Result<Vec<f64>, LearningError> {
        let file = find_player_file(name)?;
        let same_features = ids(&file).eq(ids(outline));
        let network = file.network().filter(|network| {
            file.form.id == outline.form.id
                && same_features
                && network.layers() == self.layers.layers()
        });
        let network = network.ok_or_else(|| {
            LearningError::Refused(format!(
                "{name} has no network with the same features and layers, which the start of a search needs"
            ))
        })?;
        let InputScale { shifts, scales } = &self.scale;
        // Folds an input transformation into a network: its output for (input - shift) * scale
        // equals the earlier output for the input.
        let back_shifts: Vec<f32> = shifts.iter().zip(scales).map(|(a, b)| -a * b).collect();
        let back_scales: Vec<f32> = scales.iter().map(|scale| 1.0 / scale).collect();
        let network = network.absorbing(&back_shifts, &back_scales);
        Ok(network
            .parameters()
            .iter()
            .copied()
            .map(f64::from)
            .collect())
    }

    /// The network with these parameters.
    fn network(&self, parameters: &[f64]) -> Network {
        let mut network = self.layers.clone();
        for (own, number) in network.parameters_mut().iter_mut().zip(parameters) {
            *own = number.clamp(-FARTHEST, FARTHEST) as f32;
        }
        network
    }
}

impl SearchedModel for SearchedNetwork {
    fn len(&self) -> usize {
        self.layers.parameters().len()
    }

    fn coordinates(
        &self,
        plan: &Learning,
        outline: &PlayerFile,
        learner: &Learner,
    ) -> Result<Coordinates, LearningError> {
        let units = (plan.scale == Scale::Spread).then(|| self.units());
        let start = plan.start.as_ref();
        let start = start.map(|name| self.start(name, outline)).transpose()?;
        Coordinates::of_model(start, units, learner)
    }

    /// The scale is folded into the first layer.
    fn absorbed(&self, parameters: Vec<f64>) -> Vec<f64> {
        let InputScale { shifts, scales } = &self.scale;
        let network = self.network(&parameters).absorbing(shifts, scales);
        network.parameters().iter().copied().map(shortest).collect()
    }

    fn model(&self, parameters: &[f64]) -> Model {
        Model::Network(self.network(parameters))
    }
}

fn ids(file: &PlayerFile) -> impl Iterator<Item = &'static str> {
    file.features.iter().map(|feature| feature.id)
}

/// The shortest decimal for this `f32`, so that the store contains ten digits instead of twenty.
fn shortest(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}

/// Fills in unspecified layers of a plan.
fn resolve(plan: &mut Learning) -> Result<(), LearningError> {
    let (layers, activation) = usual_layers(plan)?;
    plan.layers.get_or_insert(layers);
    plan.activation.get_or_insert(activation);
    Ok(())
}

/// The default layers and activation of a plan: those of the player from which the search starts,
/// or the thesis'.
pub(super) fn usual_layers(plan: &Learning) -> Result<(String, String), LearningError> {
    let start = plan.start.as_ref().map(|name| find_player_file(name));
    let start = start.transpose()?;
    let network = start.as_ref().and_then(|file| file.network());
    let hidden = network.and_then(|network| network.layers().split_last());
    let hidden = hidden.map(|(_, hidden)| hidden).unwrap_or_default();
    let units: Vec<String> = hidden.iter().map(|layer| layer.units.to_string()).collect();
    let layers = if units.is_empty() {
        LAYERS.to_owned()
    } else {
        units.join(",")
    };
    let activation = hidden.first().map_or(ACTIVATION, |layer| layer.activation);
    Ok((layers, activation.name().to_owned()))
}

/// The layers of a plan that specifies all of them, on boards of this game.
fn layers_of(
    plan: &Learning,
    outline: &PlayerFile,
    ruleset: &Ruleset,
) -> Result<Network, LearningError> {
    let inputs = if outline.form.make.has_features() {
        outline.feature_set_on(ruleset.width).len()
    } else {
        board_inputs(ruleset.width, ruleset.height)
    };
    let name = plan.activation.as_deref().unwrap_or_default();
    let activation = Activation::from_name(name)
        .ok_or_else(|| SpecError::unknown("activation", name, Activation::ALL.map(|row| row.1)))?;
    let hidden = hidden_units(plan.layers.as_deref().unwrap_or_default())?;
    let hidden = hidden.into_iter().map(|units| (units, activation));
    let layers: Vec<_> = hidden.chain([(1, Activation::Linear)]).collect();
    Ok(Network::new(inputs, &layers)?)
}

/// The units of each hidden layer: `32,32,32`.
fn hidden_units(text: &str) -> Result<Vec<usize>, LearningError> {
    let units = text.split(',').map(|units| units.trim().parse().ok());
    let units: Option<Vec<usize>> = units.collect();
    let fits = |units: &Vec<usize>| {
        let each = units.iter().all(|units| (1..=MOST_UNITS).contains(units));
        each && units.len() <= MOST_LAYERS
    };
    let units = units.filter(fits);
    units.ok_or_else(|| {
        let text = shown(text);
        LearningError::Refused(format!(
            "expected 1 to 8 layers of 1 to 4096 units, such as 32,32,32, got '{text}'"
        ))
    })
}

/// The names of the parameters of a plan's network, if an optimiser searches them:
/// `layer.0.weight:1`.
pub(super) fn names_of_parameters(
    plan: &Learning,
    outline: &PlayerFile,
    ruleset: &Ruleset,
) -> Result<Vec<String>, LearningError> {
    if plan.layers.is_none() {
        return Ok(Vec::new());
    }
    let network = layers_of(plan, outline, ruleset)?;
    let of_layer = |(number, layer): (usize, &DenseLayer)| {
        let weights = numbered(&format!("layer.{number}.weight"), layer.weights().len());
        let biases = numbered(&format!("layer.{number}.bias"), layer.biases().len());
        [weights, biases].concat()
    };
    let layers = network.layers().iter().enumerate();
    Ok(layers.flat_map(of_layer).collect())
}

#[cfg(test)]
mod tests;
