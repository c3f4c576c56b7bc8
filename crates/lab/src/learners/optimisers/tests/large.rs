//! CMA-ES in hundreds of dimensions: the representation of its matrix determines what it can solve,
//! and at what cost.

use super::functions::{Function, ellipsoid, generation, sphere, stretched};
use crate::learners::find_learner;

/// The ellipsoid with its axes along the coordinates.
fn upright(x: &[f64]) -> f64 {
    stretched(x.iter().map(|x| x - 1.0))
}

/// A representation, a function, the number of evaluations per dimension, and the share of the null
/// vector's value that the solution must be below.
type Row = (&'static str, &'static str, Function, usize, f64);

const ROWS: &[Row] = &[
    ("auto", "sphere", sphere, 30, 1e-2),
    ("diagonal", "ellipsoid", upright, 100, 1e-3),
    ("low-rank", "sphere", sphere, 30, 1e-2),
    ("low-rank", "ellipsoid askew", ellipsoid, 100, 1e-3),
];

fn search_in(dimension: usize) {
    for (form, name, function, evaluations, target) in ROWS {
        let chosen = find_learner(&format!("cma-es(covariance={form})")).unwrap();
        let mut optimizer = chosen.optimizer(dimension, 1).unwrap();
        let mut spent = 0;
        while spent < evaluations * dimension && optimizer.stopped().is_none() {
            spent += generation(&mut *optimizer, *function).0;
        }
        let left = function(&optimizer.solution()) / function(&vec![0.0; dimension]);
        println!("{form}, {name}: {left:.1e} of the value is left after {spent} evaluations");
        assert!(left < *target, "{form}, {name}: {left:e} is left");
    }
}

#[test]
fn hundreds_of_dimensions_are_searched_in_bounded_evaluations() {
    search_in(300);
}

#[test]
#[ignore = "takes ten times as long as 300 dimensions"]
fn a_thousand_dimensions_are_searched_in_bounded_evaluations() {
    search_in(1_000);
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
