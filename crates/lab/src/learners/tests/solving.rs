//! Each optimiser on three functions in 8 dimensions, within a stated number of evaluations.

use super::functions::{DIMENSION, Function, ellipsoid, generation, rosenbrock, sphere};
use crate::learners::{LEARNERS, find_learner};

/// A learner, evaluations, and what the solution's value must then be below on the sphere, the ellipsoid and Rosenbrock's valley.
///
/// Beside each row, the median values that were measured. The null vector, where a broken optimiser may well stay, has the values
/// 8, 2.3 million and 7.
type Row = (&'static str, usize, [f64; 3]);

const ROWS: &[Row] = &[
    // 9e-8, 670, 5.3: means of two parents shrink the population long before it has come through the bent valley.
    ("ga(range=2,mutation=0.5)", 20_000, [1e-5, 1.5e3, 6.0]),
    // 6e-6, 170, 3.9: each coordinate from either parent, and changes in proportion to it.
    ("bohm(range=2)", 20_000, [1e-4, 4e2, 5.0]),
    // 2e-24, 3e-24, 5e-20
    ("cma-es", 5_000, [1e-9, 1e-9, 1e-9]),
    // 0.97, 3500, 97: a volume of the box within 0.98 of the optimum holds one in 20 000 of its points.
    ("random-search(range=2)", 20_000, [1.5, 6e3, 1.3e2]),
];

/// The median over eleven seeds of the value of the solution after so many evaluations.
fn median_value(spec: &str, function: Function, evaluations: usize) -> f64 {
    let value = |seed| {
        let chosen = find_learner(spec).unwrap();
        let mut optimizer = chosen.optimizer(DIMENSION, seed).unwrap();
        let mut spent = 0;
        while spent < evaluations && optimizer.stopped().is_none() {
            spent += generation(&mut *optimizer, function).0;
        }
        function(&optimizer.solution())
    };
    let mut values: Vec<f64> = (1..=11).map(value).collect();
    values.sort_by(f64::total_cmp);
    values[5]
}

#[test]
fn every_learner_comes_as_close_to_the_optimum_as_stated() {
    for &(spec, evaluations, targets) in ROWS {
        let values = [sphere, ellipsoid, rosenbrock]
            .map(|function: Function| median_value(spec, function, evaluations));
        println!(
            "{spec}, {evaluations} evaluations: {:?}",
            values.map(|value| format!("{value:.1e}"))
        );
        for (value, target) in values.into_iter().zip(targets) {
            assert!(value < target, "{spec}: {value:e} is not below {target:e}");
        }
    }
}

#[test]
fn every_learner_has_its_row() {
    for learner in LEARNERS {
        let has_row = |row: &Row| find_learner(row.0).unwrap().learner.id == learner.id;
        assert!(ROWS.iter().any(has_row), "{}", learner.id);
    }
}

#[test]
#[ignore = "prints how SPECS=a;b do; for choosing the rows above"]
fn print() {
    for spec in std::env::var("SPECS").unwrap().split(';') {
        for n in [1000, 5000, 20000, 50000] {
            let values = [sphere, ellipsoid, rosenbrock]
                .map(|function: Function| median_value(spec, function, n));
            println!(
                "{spec} {n}: {:?}",
                values.map(|value| format!("{value:.1e}"))
            );
        }
    }
}
