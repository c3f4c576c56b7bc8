//! The full covariance matrix with its eigenvectors.

use super::{Covariance, Parameters, add, decay, largest};
use crate::learners::optimisers::eigen::{Eigen, Matrix, identity};

pub(super) struct Full {
    /// C
    matrix: Matrix,
    /// C = B D² Bᵀ at the last decomposition.
    eigen: Eigen,
    /// Generations since the last decomposition.
    eigen_age: usize,
    /// c_1 + c_μ: the share of C that changes in a generation.
    change: f64,
}

impl Full {
    pub(super) fn new(dimension: usize, parameters: &Parameters) -> Full {
        Full {
            matrix: identity(dimension),
            eigen: Eigen::identity(dimension),
            eigen_age: 0,
            change: parameters.c_1 + parameters.c_mu,
        }
    }

    /// Recomputes B and D when C has changed enough for it to matter (Hansen 2016, section B.2).
    fn update_eigen(&mut self) {
        self.eigen_age += 1;
        let n = self.matrix.len() as f64;
        if (self.eigen_age as f64) * 10.0 * n * self.change > 1.0 {
            self.eigen_age = 0;
            self.eigen = Eigen::of(&self.matrix);
            // Rounding must not turn a tiny axis into zero.
            let floor = largest(&self.eigen.values) * 1e-20;
            let values = self.eigen.values.iter_mut();
            values.for_each(|value| *value = value.max(floor));
        }
    }
}

impl Covariance for Full {
    fn stretch(&self, mut z: Vec<f64>) -> Vec<f64> {
        for (z, value) in z.iter_mut().zip(&self.eigen.values) {
            *z *= value.sqrt();
        }
        self.eigen.in_coordinates(&z)
    }

    fn whiten(&self, y: &[f64]) -> Vec<f64> {
        let mut axes = self.eigen.along_axes(y);
        for (x, value) in axes.iter_mut().zip(&self.eigen.values) {
            *x /= value.sqrt();
        }
        self.eigen.in_coordinates(&axes)
    }

    fn learn(&mut self, keep: f64, squares: &[(f64, &[f64])]) {
        self.matrix.iter_mut().for_each(|row| decay(row, keep));
        for (factor, vector) in squares {
            add_square(&mut self.matrix, *factor, vector);
        }
        self.update_eigen();
    }

    fn eigenvalues(&self) -> &[f64] {
        &self.eigen.values
    }

    fn trace(&self) -> f64 {
        (0..self.matrix.len()).map(|i| self.matrix[i][i]).sum()
    }
}

/// Adds factor · v vᵀ.
fn add_square(matrix: &mut Matrix, factor: f64, vector: &[f64]) {
    for (row, x) in matrix.iter_mut().zip(vector) {
        add(row, factor * x, vector);
    }
}
