//! The diagonal of the covariance matrix: a variance per coordinate, without covariances.
//!
//! sep-CMA-ES \[1\] is CMA-ES with two changes: off-diagonal entries stay 0, and, since there are n
//! numbers to learn instead of n², the matrix learns (n + 2) / 3 times as fast. Time and memory of
//! a candidate grow with n.
//!
//! 1. R. Ros and N. Hansen, "A simple modification in CMA-ES achieving linear time and space
//!    complexity", PPSN X, 2008.

use super::{Covariance, decay, largest};

/// The diagonal of C.
pub(super) struct Diagonal(Vec<f64>);

impl Diagonal {
    pub(super) fn new(dimension: usize) -> Diagonal {
        Diagonal(vec![1.0; dimension])
    }

    /// The factor by which the diagonal learns faster than the full matrix.
    pub(super) fn speed(dimension: usize) -> f64 {
        (dimension as f64 + 2.0) / 3.0
    }
}

impl Covariance for Diagonal {
    fn stretch(&self, mut z: Vec<f64>) -> Vec<f64> {
        let pairs = z.iter_mut().zip(&self.0);
        pairs.for_each(|(z, variance)| *z *= variance.sqrt());
        z
    }

    fn whiten(&self, y: &[f64]) -> Vec<f64> {
        let pairs = y.iter().zip(&self.0);
        pairs.map(|(y, variance)| y / variance.sqrt()).collect()
    }

    fn learn(&mut self, keep: f64, squares: &[(f64, &[f64])]) {
        decay(&mut self.0, keep);
        for (factor, vector) in squares {
            let pairs = self.0.iter_mut().zip(*vector);
            pairs.for_each(|(variance, x)| *variance += factor * x * x);
        }
        // Rounding must not turn a tiny variance into zero.
        let floor = largest(&self.0) * 1e-20;
        let variances = self.0.iter_mut();
        variances.for_each(|variance| *variance = variance.max(floor));
    }

    fn eigenvalues(&self) -> &[f64] {
        &self.0
    }

    fn trace(&self) -> f64 {
        self.0.iter().sum()
    }
}
