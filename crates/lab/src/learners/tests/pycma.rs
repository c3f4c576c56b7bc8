//! Our CMA-ES beside pycma.
//!
//! pycma 4.5.0 with numpy 2.4.6 on 21 seeds, start at the null vector, step size 0.5, until a generation has a candidate below
//! 1e-9 (`python crates/lab/src/learners/tests/pycma.py`, which has the same functions):
//!
//! ```text
//! sphere     10: median 1230, from 1030 to 1390, failed 0
//! sphere     30: median 2760, from 2610 to 3000, failed 0
//! ellipsoid  10: median 2900, from 2690 to 3250, failed 0
//! ellipsoid  30: median 4590, from 4320 to 4950, failed 0
//! rosenbrock 10: median 3690, from 3240 to 4560, failed 0
//! rosenbrock 30: median 6300, from 6060 to 6750, failed 0
//! ```

use super::functions::{DIMENSION, Function, ellipsoid, generation, rosenbrock, sphere};
use crate::learners::find_learner;

/// Function, population, and pycma's median number of evaluations.
const PYCMA: [(Function, usize, usize); 6] = [
    (sphere, 10, 1230),
    (sphere, 30, 2760),
    (ellipsoid, 10, 2900),
    (ellipsoid, 30, 4590),
    (rosenbrock, 10, 3690),
    (rosenbrock, 30, 6300),
];

/// Evaluations until a generation has a candidate below 1e-9.
fn evaluations(function: Function, population: usize, seed: u64) -> usize {
    let chosen = find_learner(&format!("cma-es(population={population})")).unwrap();
    let mut optimizer = chosen.optimizer(DIMENSION, seed).unwrap();
    let mut spent = 0;
    while spent < 100_000 {
        let (count, least) = generation(&mut *optimizer, function);
        spent += count;
        if least < 1e-9 {
            return spent;
        }
    }
    usize::MAX
}

#[test]
fn cma_es_needs_no_more_than_1_2_times_the_evaluations_of_pycma() {
    for (function, population, of_pycma) in PYCMA {
        let mut needed: Vec<usize> = (1..=21)
            .map(|seed| evaluations(function, population, seed))
            .collect();
        needed.sort_unstable();
        println!(
            "{population}: median {}, from {} to {}; pycma {of_pycma}",
            needed[10], needed[0], needed[20]
        );
        assert!(
            needed[10] * 10 <= of_pycma * 12,
            "{population}: {needed:?}, pycma {of_pycma}"
        );
    }
}
