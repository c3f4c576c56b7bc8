//! Code shared by optimisers: ranking candidates, their centre and spread, and vectors of unit
//! length.

use std::cmp::Ordering;

/// Orders fitness, best first. NaN is worst.
fn best_first(a: f64, b: f64) -> Ordering {
    let worst_if_nan = |x: f64| if x.is_nan() { f64::NEG_INFINITY } else { x };
    worst_if_nan(b).total_cmp(&worst_if_nan(a))
}

/// The indices of a generation's candidates, best first; among equal ones, the earlier first.
pub(super) fn ranked(fitness: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..fitness.len()).collect();
    order.sort_by(|&a, &b| best_first(fitness[a], fitness[b]));
    order
}

/// A vector with its fitness.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rated {
    pub(super) vector: Vec<f64>,
    pub(super) fitness: f64,
}

impl Rated {
    /// A vector that was not evaluated; any other one is better.
    pub(super) fn unknown(vector: Vec<f64>) -> Rated {
        let fitness = f64::NEG_INFINITY;
        Rated { vector, fitness }
    }

    /// Replaces this vector by the other one if that is better.
    pub(super) fn improve(&mut self, vector: &[f64], fitness: f64) {
        if fitness > self.fitness {
            self.vector.copy_from_slice(vector);
            self.fitness = fitness;
        }
    }
}

/// The candidates of the last `ask`, each with its fitness.
pub(super) fn rated(asked: &mut Vec<Vec<f64>>, fitness: &[f64]) -> Vec<Rated> {
    assert_one_each(asked.len(), fitness);
    let pairs = std::mem::take(asked).into_iter().zip(fitness);
    pairs
        .map(|(vector, &fitness)| Rated { vector, fitness })
        .collect()
}

/// Checks that there is one fitness value per candidate.
pub(super) fn assert_one_each(candidates: usize, fitness: &[f64]) {
    let told = fitness.len();
    assert_eq!(
        candidates, told,
        "one fitness for each candidate of the last ask"
    );
}

/// Sorts a population, best first; among equal ones, the earlier first.
pub(super) fn sort_best_first(population: &mut [Rated]) {
    population.sort_by(|a, b| best_first(a.fitness, b.fitness));
}

/// The mean of one or more vectors of the same dimension.
pub(crate) fn centre<'a>(vectors: impl Iterator<Item = &'a Vec<f64>> + Clone) -> Vec<f64> {
    let count = vectors.clone().count() as f64;
    let mut sum = vec![0.0; vectors.clone().next().map_or(0, Vec::len)];
    for vector in vectors {
        for (total, x) in sum.iter_mut().zip(vector) {
            *total += x;
        }
    }
    sum.iter().map(|total| total / count).collect()
}

/// For every coordinate, the variance of some vectors around their centre: the mean of squares
/// (divided by their number).
pub(super) fn variances<'a>(
    vectors: impl Iterator<Item = &'a Vec<f64>> + Clone,
    centre: &[f64],
) -> Vec<f64> {
    let count = vectors.clone().count() as f64;
    let mut sum = vec![0.0; centre.len()];
    for vector in vectors {
        for ((total, x), mean) in sum.iter_mut().zip(vector).zip(centre) {
            *total += (x - mean) * (x - mean);
        }
    }
    sum.iter().map(|total| total / count).collect()
}

/// The spread of candidates as one number: the root of the mean variance of the coordinates.
pub(in crate::learners) fn spread<'a>(vectors: impl Iterator<Item = &'a Vec<f64>> + Clone) -> f64 {
    let centre = centre(vectors.clone());
    root_mean(&variances(vectors, &centre))
}

/// The root of the mean of some variances.
pub(super) fn root_mean(variances: &[f64]) -> f64 {
    let sum: f64 = variances.iter().sum();
    (sum / variances.len() as f64).sqrt()
}

/// The inner product.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The Euclidean length.
pub(crate) fn length(vector: &[f64]) -> f64 {
    dot(vector, vector).sqrt()
}

/// Scales a vector to length 1. A linear player makes the same decisions with any positive multiple
/// of its weights, so only the direction matters. The null vector stays unchanged.
pub(crate) fn scale_to_unit_length(vector: &mut [f64]) {
    let length = length(vector);
    if length > 0.0 {
        vector.iter_mut().for_each(|x| *x /= length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_is_first_and_nan_is_last() {
        let fitness = [1.0, f64::NAN, 3.0, f64::NEG_INFINITY, 3.0, -f64::NAN];
        assert_eq!(ranked(&fitness), [2, 4, 0, 1, 3, 5]);
    }

    #[test]
    fn the_spread_of_two_points_is_half_their_distance_per_root_of_the_dimension() {
        let points = [vec![1.0, 0.0], vec![-1.0, 0.0]];
        assert_eq!(centre(points.iter()), [0.0, 0.0]);
        assert_eq!(variances(points.iter(), &[0.0, 0.0]), [1.0, 0.0]);
        assert!((spread(points.iter()) - 0.5f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn only_the_null_vector_cannot_be_scaled_to_unit_length() {
        let mut vector = vec![3.0, -4.0];
        scale_to_unit_length(&mut vector);
        assert_eq!(vector, [0.6, -0.8]);
        let mut null = vec![0.0, 0.0];
        scale_to_unit_length(&mut null);
        assert_eq!(null, [0.0, 0.0]);
    }
}
