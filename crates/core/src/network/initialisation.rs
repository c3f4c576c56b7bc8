//! Initial weights of networks.

use super::DenseLayer;
use crate::rng::Rng;

/// The distribution of weights before training; biases start at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initialisation {
    /// Uniform with a variance of 2 / inputs, for units that are 0 on one side (He et al. 2015).
    He,
    /// Uniform with a variance of 2 / (inputs + units) (Glorot and Bengio 2010).
    Xavier,
}

impl Initialisation {
    /// All initialisations with their names.
    pub const ALL: [(Initialisation, &'static str); 2] = [
        (Initialisation::He, "he"),
        (Initialisation::Xavier, "xavier"),
    ];

    /// The initialisation with this name.
    pub fn from_name(name: &str) -> Option<Initialisation> {
        let found = Initialisation::ALL.iter().find(|row| row.1 == name);
        found.map(|row| row.0)
    }

    /// The maximum absolute weight in a layer.
    pub fn bound(self, layer: &DenseLayer) -> f64 {
        let fan = match self {
            Initialisation::He => layer.inputs as f64,
            Initialisation::Xavier => (layer.inputs + layer.units) as f64,
        };
        (6.0 / fan).sqrt()
    }

    /// Draws a weight.
    pub(super) fn weight(self, layer: &DenseLayer, rng: &mut Rng) -> f32 {
        ((2.0 * rng.unit() - 1.0) * self.bound(layer)) as f32
    }
}
