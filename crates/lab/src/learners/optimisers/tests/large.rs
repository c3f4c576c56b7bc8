//! CMA-ES in a thousand dimensions: what is kept of its matrix decides what it can solve, and at what cost.

use super::functions::{Function, generation, sphere};
use crate::learners::find_learner;

const LARGE: usize = 1_000;

/// The ellipsoid with its axes along the coordinates.
fn upright(x: &[f64]) -> f64 {
    stretched(x.iter().map(|x| x - 1.0))
}

/// The ellipsoid mirrored at the hyperplane orthogonal to (1, 2, ..., n).
fn askew(x: &[f64]) -> f64 {
    let axis = |i: usize| (i + 1) as f64;
    let n = x.len();
    let square: f64 = (0..n).map(|i| axis(i) * axis(i)).sum();
    let product: f64 = (0..n).map(|i| axis(i) * (x[i] - 1.0)).sum();
    stretched((0..n).map(|i| x[i] - 1.0 - 2.0 * axis(i) * product / square))
}

/// The sum of squares, each counted 10^(6 / (n - 1)) times as much as the one before it.
fn stretched(x: impl Iterator<Item = f64>) -> f64 {
    let ratio = libm::pow(10.0, 6.0 / (LARGE - 1) as f64);
    let terms = x.scan(1.0, |stretch, x| {
        let term = *stretch * x * x;
        *stretch *= ratio;
        Some(term)
    });
    terms.sum()
}

/// A form, a function, evaluations, and what is then left of the value of the null vector.
type Row = (&'static str, &'static str, Function, usize, f64);

const ROWS: &[Row] = &[
    ("auto", "sphere", sphere, 30_000, 1e-2),
    ("diagonal", "ellipsoid", upright, 100_000, 1e-3),
    ("low-rank", "sphere", sphere, 30_000, 1e-2),
    ("low-rank", "ellipsoid askew", askew, 100_000, 1e-3),
];

#[test]
fn a_thousand_dimensions_are_searched_in_bounded_evaluations() {
    for (form, name, function, evaluations, target) in ROWS {
        let chosen = find_learner(&format!("cma-es(covariance={form})")).unwrap();
        let mut optimizer = chosen.optimizer(LARGE, 1).unwrap();
        let mut spent = 0;
        while spent < *evaluations && optimizer.stopped().is_none() {
            spent += generation(&mut *optimizer, *function).0;
        }
        let left = function(&optimizer.solution()) / function(&[0.0; LARGE]);
        println!("{form}, {name}: {left:.1e} is left after {spent} evaluations");
        assert!(left < *target, "{form}, {name}: {left:e} is left");
    }
}

#[test]
fn auto_is_the_whole_matrix_up_to_200_weights_and_then_its_diagonal() {
    let asked = |form: &str, dimension: usize| {
        let chosen = find_learner(&format!("cma-es(population=4,covariance={form})")).unwrap();
        let mut optimizer = chosen.optimizer(dimension, 3).unwrap();
        generation(&mut *optimizer, sphere);
        optimizer.ask()
    };
    assert_eq!(asked("auto", 200), asked("full", 200));
    assert_ne!(asked("auto", 200), asked("diagonal", 200));
    assert_eq!(asked("auto", 201), asked("diagonal", 201));
}
