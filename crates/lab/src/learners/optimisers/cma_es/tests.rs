use crate::hash::Fnv;
use crate::learners::optimisers::vectors::length;
use crate::learners::{Optimizer, find_learner};

/// An optimiser in three dimensions after some generations.
fn told(spec: &str, generations: usize, fitness: fn(&[f64]) -> f64) -> Box<dyn Optimizer> {
    let mut optimizer = find_learner(spec).unwrap().optimizer(3, 1).unwrap();
    for _ in 0..generations {
        let told: Vec<f64> = optimizer.ask().iter().map(|x| fitness(x)).collect();
        optimizer.tell(&told);
    }
    optimizer
}

fn sigma(optimizer: &dyn Optimizer) -> f64 {
    optimizer.diagnostics().sigma.unwrap()
}

/// The cosine of the angle to (2, -1, 2).
fn direction(x: &[f64]) -> f64 {
    (2.0 * x[0] - x[1] + 2.0 * x[2]) / (3.0 * length(x))
}

#[test]
fn normalised_candidates_have_unit_length_and_their_mean_less() {
    let mut optimizer = told("boumaza", 5, direction);
    for candidate in optimizer.ask() {
        assert!((length(&candidate) - 1.0).abs() < 1e-12);
    }
    assert!(length(&optimizer.solution()) < 1.0);
}

#[test]
fn a_direction_is_found_with_steps_that_shrink_only_if_candidates_are_normalised() {
    let normalised = told("boumaza", 100, direction);
    assert!(direction(&normalised.solution()) > 1.0 - 1e-6);
    assert!(sigma(&*normalised) < 0.05);
    let free = told("boumaza(normalise=false)", 100, direction);
    assert!(length(&free.solution()) > 10.0, "{:?}", free.solution());
}

#[test]
fn the_step_size_grows_on_a_slope_and_collapses_in_a_pit() {
    let slope = told("cma-es", 50, |x| x[0]);
    assert!(sigma(&*slope) > 1e3 && slope.stopped().is_none());
    let pit = told("cma-es", 400, |x| -length(x));
    assert_eq!(pit.stopped().unwrap(), "the step size has collapsed");
}

#[test]
fn the_covariance_matrix_takes_the_shape_of_the_fitness() {
    let valley = told("cma-es", 150, |x| {
        -x[0] * x[0] - 1e4 * (x[1] * x[1] + x[2] * x[2])
    });
    let eigenvalues = valley.diagnostics().eigenvalues;
    let ratio = eigenvalues[2] / eigenvalues[1];
    assert!((2e3..5e4).contains(&ratio), "{eigenvalues:?}");
}

/// A hash of every bit of the candidates of 40 generations in five dimensions.
fn signature(spec: &str) -> u64 {
    let mut optimizer = find_learner(spec).unwrap().optimizer(5, 7).unwrap();
    let mut hash = Fnv::new();
    for _ in 0..40 {
        let asked = optimizer.ask();
        for x in asked.iter().flatten() {
            hash.add(&x.to_bits().to_le_bytes());
        }
        let told: Vec<f64> = asked.iter().map(|x| x[0] - x[1] * x[4]).collect();
        optimizer.tell(&told);
    }
    hash.value()
}

/// Recorded before there were other forms of the matrix, because runs in old stores must continue.
#[test]
fn the_full_matrix_proposes_the_recorded_candidates() {
    let signatures = ["cma-es", "boumaza"].map(signature);
    assert_eq!(
        signatures,
        [7_713_184_566_204_532_956, 13525874049851598248]
    );
}
