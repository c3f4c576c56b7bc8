//! What a position of the tree is worth.

use std::ops::{Add, Sub};

/// The worth of a position: the chance to survive, and the score times that chance. So written, means of values are values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Value {
    pub(super) survival: f64,
    pub(super) score: f64,
}

impl Value {
    pub(super) fn sure(score: f64) -> Value {
        Value {
            survival: 1.0,
            score,
        }
    }

    pub(super) fn times(self, factor: f64) -> Value {
        Value {
            survival: self.survival * factor,
            score: self.score * factor,
        }
    }

    /// With a step before it.
    pub(super) fn after(self, worth: f64) -> Value {
        Value {
            score: self.score + self.survival * worth,
            ..self
        }
    }
}

impl Add for Value {
    type Output = Value;
    fn add(self, other: Value) -> Value {
        Value {
            survival: self.survival + other.survival,
            score: self.score + other.score,
        }
    }
}

impl Sub for Value {
    type Output = Value;
    fn sub(self, other: Value) -> Value {
        self + other.times(-1.0)
    }
}
