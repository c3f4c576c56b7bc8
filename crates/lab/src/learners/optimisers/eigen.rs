//! Eigenvalues and eigenvectors of a symmetric matrix.
//!
//! Uses Jacobi's method (1846) in cyclic order. It is slow for large matrices, but ours have at
//! most about thirty rows. The method is also short, accurate even for small eigenvalues, and gives
//! the same result on every machine.

use super::vectors::dot;

/// A square matrix, row by row.
pub(super) type Matrix = Vec<Vec<f64>>;

/// The identity matrix.
pub(super) fn identity(size: usize) -> Matrix {
    let row = |i| {
        let mut row = vec![0.0; size];
        row[i] = 1.0;
        row
    };
    (0..size).map(row).collect()
}

/// A symmetric matrix as its eigenvectors and eigenvalues: C = B diag(values) Bᵀ.
#[derive(Clone, Debug)]
pub(super) struct Eigen {
    /// The eigenvalues, in the order of the vectors.
    pub(super) values: Vec<f64>,
    /// B: column `j` is the eigenvector of value `j`.
    pub(super) vectors: Matrix,
}

/// The number of sweeps over all pairs of rows; six or seven are enough for matrices of our sizes.
const MOST_SWEEPS: usize = 50;

impl Eigen {
    /// The decomposition of the identity.
    pub(super) fn identity(size: usize) -> Eigen {
        Eigen {
            values: vec![1.0; size],
            vectors: identity(size),
        }
    }

    /// The decomposition of a symmetric matrix.
    pub(super) fn of(matrix: &Matrix) -> Eigen {
        let size = matrix.len();
        let mut rest = matrix.clone();
        let mut vectors = identity(size);
        for _ in 0..MOST_SWEEPS {
            if is_diagonal(&rest) {
                break;
            }
            for p in 0..size {
                for q in p + 1..size {
                    rotate(&mut rest, &mut vectors, p, q);
                }
            }
        }
        let values = (0..size).map(|i| rest[i][i]).collect();
        Eigen { values, vectors }
    }

    /// B v.
    pub(super) fn in_coordinates(&self, vector: &[f64]) -> Vec<f64> {
        self.vectors.iter().map(|row| dot(row, vector)).collect()
    }

    /// Bᵀ v.
    pub(super) fn along_axes(&self, vector: &[f64]) -> Vec<f64> {
        let column = |j: usize| -> f64 {
            let products = self.vectors.iter().zip(vector).map(|(row, x)| row[j] * x);
            products.sum()
        };
        (0..vector.len()).map(column).collect()
    }
}

/// Whether the off-diagonal elements are too small to change the decomposition.
fn is_diagonal(matrix: &Matrix) -> bool {
    let size = matrix.len();
    let negligible = |p: usize, q: usize| {
        let scale = (matrix[p][p] * matrix[q][q]).abs().sqrt();
        matrix[p][q].abs() <= f64::EPSILON * scale
    };
    (0..size).all(|p| (p + 1..size).all(|q| negligible(p, q)))
}

/// The rotation in the plane of `p` and `q` that makes the entry (p, q) zero (Golub and Van Loan,
/// "Matrix Computations", 8.5.2), applied to the matrix from both sides and to the vectors.
fn rotate(matrix: &mut Matrix, vectors: &mut Matrix, p: usize, q: usize) {
    if matrix[p][q] == 0.0 {
        return;
    }
    let tau = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q]);
    let tangent = tau.signum() / (tau.abs() + (1.0 + tau * tau).sqrt());
    let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
    let sine = tangent * cosine;
    for row in matrix.iter_mut().chain(vectors.iter_mut()) {
        (row[p], row[q]) = turned(row[p], row[q], cosine, sine);
    }
    for i in 0..matrix.len() {
        let (upper, lower) = turned(matrix[p][i], matrix[q][i], cosine, sine);
        (matrix[p][i], matrix[q][i]) = (upper, lower);
    }
    // Exactly zero by construction, apart from rounding.
    (matrix[p][q], matrix[q][p]) = (0.0, 0.0);
}

fn turned(a: f64, b: f64, cosine: f64, sine: f64) -> (f64, f64) {
    (cosine * a - sine * b, sine * a + cosine * b)
}

#[cfg(test)]
mod tests {
    use super::super::sampling::Sampler;
    use super::*;

    /// G diag(values) Gᵀ for a random G: symmetric, positive definite.
    fn random_matrix(size: usize, condition: f64, seed: u64) -> Matrix {
        let mut sampler = Sampler::new(seed);
        let factor: Matrix = (0..size).map(|_| sampler.normals(size)).collect();
        let value = |k: usize| libm::pow(condition, k as f64 / size as f64);
        let entry = |i: usize, j: usize| -> f64 {
            let terms = (0..size).map(|k| factor[i][k] * value(k) * factor[j][k]);
            terms.sum()
        };
        (0..size)
            .map(|i| (0..size).map(|j| entry(i.min(j), i.max(j))).collect())
            .collect()
    }

    #[test]
    fn the_product_of_the_parts_is_the_matrix_and_the_vectors_are_orthonormal() {
        for (size, condition) in [(1, 1.0), (2, 1e3), (8, 1e6), (30, 1e10)] {
            let matrix = random_matrix(size, condition, size as u64);
            let eigen = Eigen::of(&matrix);
            let largest = eigen.values.iter().copied().fold(0.0, f64::max);
            for i in 0..size {
                let mut unit = vec![0.0; size];
                unit[i] = 1.0;
                let axes = eigen.along_axes(&unit);
                let back = eigen.in_coordinates(&axes);
                let scaled: Vec<f64> = axes.iter().zip(&eigen.values).map(|(x, d)| x * d).collect();
                let column = eigen.in_coordinates(&scaled);
                for j in 0..size {
                    assert!((back[j] - unit[j]).abs() < 1e-13);
                    assert!((column[j] - matrix[j][i]).abs() < 1e-13 * largest);
                }
            }
            assert!(eigen.values.iter().all(|&value| value > 0.0));
        }
    }

    #[test]
    fn the_eigenvalues_of_a_small_matrix_are_those_of_pen_and_paper() {
        let eigen = Eigen::of(&vec![vec![2.0, 1.0], vec![1.0, 2.0]]);
        let mut values = eigen.values;
        values.sort_by(f64::total_cmp);
        assert!((values[0] - 1.0).abs() < 1e-15 && (values[1] - 3.0).abs() < 1e-15);
    }
}
