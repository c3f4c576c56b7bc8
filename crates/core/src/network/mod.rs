//! Small dense networks: outputs, gradients and training.
//!
//! A network is a list of layers; each computes weighted sums of all outputs of the previous layer
//! and applies an [`Activation`]. Samples (the placements of a decision, or a replay batch) are
//! processed together and are contiguous in memory ([`Signals`]), so that the compiler can put
//! several of them into one register. Every sum has a fixed order and `exp` comes from `libm`:
//! outputs and gradients have the same bits on every machine, regardless of the width of its
//! registers.
//!
//! ```
//! use tetrolab_core::network::{Activation, Initialisation, Network, Signals, Training, UpdateRule};
//! use tetrolab_core::rng::Rng;
//!
//! // Exclusive or: four samples of two inputs each.
//! let mut network = Network::new(2, &[(8, Activation::Silu), (1, Activation::Linear)])?;
//! network.initialise(Initialisation::Xavier, &mut Rng::new(1));
//! let inputs = Signals::from_rows(&[&[0.0, 0.0, 1.0, 1.0], &[0.0, 1.0, 0.0, 1.0]]);
//! let mut training = Training::new(&network, UpdateRule::adam(0.02));
//! for _ in 0..500 {
//!     training.step(&mut network, &inputs, &[0.0, 1.0, 1.0, 0.0]);
//! }
//! assert!(training.step(&mut network, &inputs, &[0.0, 1.0, 1.0, 0.0]) < 1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod activation;
mod backward;
mod forward;
mod initialisation;
mod pass;
mod signals;
#[cfg(test)]
mod tests;
mod training;
mod update;

pub use activation::Activation;
pub use initialisation::Initialisation;
pub use pass::Pass;
pub use signals::Signals;
pub use training::Training;
pub use update::{UpdateRule, Updater};

use crate::rng::Rng;
use std::fmt;

/// The maximum number of inputs of a network, and of units in a layer.
pub const MOST_UNITS: usize = 1 << 16;
/// The maximum number of parameters of a network.
pub const MOST_PARAMETERS: usize = 1 << 24;

/// A feed-forward network with all its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    inputs: usize,
    layers: Vec<DenseLayer>,
    /// Layer by layer: for each unit its weights, then the biases of all units.
    parameters: Vec<f32>,
}

/// One layer: the position of its parameters, and its activation function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DenseLayer {
    /// Number of inputs.
    pub inputs: usize,
    /// Number of units.
    pub units: usize,
    /// The activation function of the layer.
    pub activation: Activation,
    /// The index of the layer's first parameter.
    start: usize,
}

impl DenseLayer {
    /// The position of the weights among the parameters, unit by unit.
    #[inline(always)]
    pub fn weights(&self) -> std::ops::Range<usize> {
        self.start..self.start + self.inputs * self.units
    }

    /// The position of the biases among the parameters.
    #[inline(always)]
    pub fn biases(&self) -> std::ops::Range<usize> {
        let end = self.weights().end;
        end..end + self.units
    }
}

/// Why parameters do not form a network.
#[derive(Clone, Debug, PartialEq)]
pub enum NetworkError {
    /// No layers.
    NoLayers,
    /// A layer without units, or with too many.
    Units(usize),
    /// More parameters than supported.
    TooLarge(usize),
    /// The number of parameters differs from the number that the layers need.
    Parameters {
        /// The number needed.
        expected: usize,
        /// The number given.
        found: usize,
    },
    /// A parameter is not finite.
    NotFinite {
        /// The index of the parameter, starting at 0.
        index: usize,
        /// The value of the parameter.
        value: f32,
    },
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::NoLayers => write!(f, "a network needs at least one layer"),
            NetworkError::Units(found) => write!(
                f,
                "units and inputs of a layer must be between 1 and {MOST_UNITS}, got {found}"
            ),
            NetworkError::TooLarge(found) => write!(
                f,
                "a network can have at most {MOST_PARAMETERS} parameters, got {found}"
            ),
            NetworkError::Parameters { expected, found } => {
                write!(f, "the layers have {expected} parameters, not {found}")
            }
            NetworkError::NotFinite { index, value } => {
                write!(f, "parameter {index} is {value}, not a finite number")
            }
        }
    }
}

impl std::error::Error for NetworkError {}

impl Network {
    /// A network of these layers, each with its number of units, whose parameters are all 0.
    ///
    /// # Errors
    /// If there are no layers, or too many units or parameters.
    pub fn new(inputs: usize, layers: &[(usize, Activation)]) -> Result<Network, NetworkError> {
        let sizes = [inputs]
            .into_iter()
            .chain(layers.iter().map(|layer| layer.0));
        let mut wrong = sizes.filter(|units| *units == 0 || *units > MOST_UNITS);
        if let Some(units) = wrong.next() {
            return Err(NetworkError::Units(units));
        }
        let (mut made, mut start, mut before) = (Vec::new(), 0, inputs);
        for &(units, activation) in layers {
            let layer = DenseLayer {
                inputs: before,
                units,
                activation,
                start,
            };
            start = layer.biases().end;
            before = units;
            made.push(layer);
        }
        match (made.is_empty(), start > MOST_PARAMETERS) {
            (true, _) => Err(NetworkError::NoLayers),
            (_, true) => Err(NetworkError::TooLarge(start)),
            _ => Ok(Network {
                inputs,
                layers: made,
                parameters: vec![0.0; start],
            }),
        }
    }

    /// The same layers with these parameters.
    ///
    /// # Errors
    /// If there are too many or too few, or one is not finite.
    pub fn with_parameters(mut self, parameters: Vec<f32>) -> Result<Network, NetworkError> {
        let (expected, found) = (self.parameters.len(), parameters.len());
        if expected != found {
            return Err(NetworkError::Parameters { expected, found });
        }
        if let Some(index) = parameters.iter().position(|value| !value.is_finite()) {
            let value = parameters[index];
            return Err(NetworkError::NotFinite { index, value });
        }
        self.parameters = parameters;
        Ok(self)
    }

    /// Draws new values for all parameters.
    pub fn initialise(&mut self, initialisation: Initialisation, rng: &mut Rng) {
        for layer in &self.layers {
            self.parameters[layer.biases()].fill(0.0);
            let weights = &mut self.parameters[layer.weights()];
            weights.fill_with(|| initialisation.weight(layer, rng));
        }
    }

    /// Folds a scaling of the inputs into the first layer: from unscaled inputs, the new network
    /// computes what the old one computed from `(input - shift) * scale`, up to rounding.
    #[must_use]
    pub fn absorbing(&self, shifts: &[f32], scales: &[f32]) -> Network {
        let mut absorbed = self.clone();
        let first = self.layers[0];
        for unit in 0..first.units {
            let start = first.start + unit * first.inputs;
            let mut bias = f64::from(self.parameters[first.biases().start + unit]);
            for input in 0..first.inputs {
                let weight = f64::from(self.parameters[start + input]) * f64::from(scales[input]);
                absorbed.parameters[start + input] = weight as f32;
                bias -= weight * f64::from(shifts[input]);
            }
            absorbed.parameters[first.biases().start + unit] = bias as f32;
        }
        absorbed
    }

    /// Number of inputs.
    #[inline(always)]
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Number of outputs.
    #[inline(always)]
    pub fn outputs(&self) -> usize {
        self.layers.last().map_or(0, |layer| layer.units)
    }

    /// The layers in order.
    pub fn layers(&self) -> &[DenseLayer] {
        &self.layers
    }

    /// All parameters, layer by layer: for each unit its weights, then the biases of all units.
    pub fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    /// All parameters, for modification.
    pub fn parameters_mut(&mut self) -> &mut [f32] {
        &mut self.parameters
    }

    /// Whether all parameters are finite numbers.
    pub fn is_finite(&self) -> bool {
        self.parameters.iter().all(|value| value.is_finite())
    }
}
