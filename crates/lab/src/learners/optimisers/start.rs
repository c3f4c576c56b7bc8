//! The initial candidates: in a box, or on the unit sphere.

use super::sampling::Sampler;
use super::{Kind, Setting, Settings};

/// The setting that chooses between the two.
pub(super) const START: Setting = Setting {
    id: "start",
    help: "distribution of the first candidates: in the box, or on the unit sphere",
    default: Some("box"),
    kind: Kind::Word(&["box", "sphere"]),
};

/// The setting of the box.
pub(super) const RANGE: Setting = Setting {
    id: "range",
    help: "the box extends from minus this value to plus this value in every coordinate",
    default: Some("1"),
    kind: Kind::LENGTH,
};

/// Draws the first candidates of a learner.
#[derive(Clone, Copy, Debug)]
pub(super) struct FirstPoints {
    dimension: usize,
    range: f64,
    on_sphere: bool,
}

impl FirstPoints {
    pub(super) fn new(settings: &Settings, dimension: usize) -> FirstPoints {
        FirstPoints {
            dimension,
            range: settings.number(RANGE.id),
            on_sphere: settings.word(START.id) == "sphere",
        }
    }

    /// The solution before any candidate has been evaluated: the null vector.
    pub(super) fn middle(&self) -> Vec<f64> {
        vec![0.0; self.dimension]
    }

    pub(super) fn draw(&self, sampler: &mut Sampler, count: usize) -> Vec<Vec<f64>> {
        let one = |_| {
            if self.on_sphere {
                sampler.on_sphere(self.dimension)
            } else {
                sampler.in_box(self.dimension, self.range)
            }
        };
        (0..count).map(one).collect()
    }
}
