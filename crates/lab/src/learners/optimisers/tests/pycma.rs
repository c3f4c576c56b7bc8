//! Our CMA-ES compared with pycma.
//!
//! pycma 4.5.0 with numpy 2.4.6 on 21 seeds, start at the null vector, step size 0.5, until a
//! generation has a candidate below 1e-9 (`python crates/lab/src/learners/tests/pycma.py`, which
//! has the same functions):
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

/// Name, function, population, and pycma's median number of evaluations.
const PYCMA: [(&str, Function, usize, usize); 6] = [
    ("sphere", sphere, 10, 1230),
    ("sphere", sphere, 30, 2760),
    ("ellipsoid", ellipsoid, 10, 2900),
    ("ellipsoid", ellipsoid, 30, 4590),
    ("rosenbrock", rosenbrock, 10, 3690),
    ("rosenbrock", rosenbrock, 30, 6300),
];

/// Evaluations until a generation has a candidate below 1e-9; infinite if the strategy converges
/// elsewhere (Rosenbrock's function has a second, local optimum).
fn evaluations(function: Function, population: usize, seed: u64) -> f64 {
    let chosen = find_learner(&format!("cma-es(population={population})")).unwrap();
    let mut optimizer = chosen.optimizer(DIMENSION, seed).unwrap();
    let mut spent = 0;
    while optimizer.stopped().is_none() {
        let (count, least) = generation(&mut *optimizer, function);
        spent += count;
        if least < 1e-9 {
            return spent as f64;
        }
    }
    f64::INFINITY
}

#[test]
fn cma_es_needs_no_more_than_1_2_times_the_evaluations_of_pycma() {
    for (name, function, population, of_pycma) in PYCMA {
        let run = |seed| evaluations(function, population, seed);
        let mut needed: Vec<f64> = (1..=21).map(run).collect();
        needed.sort_by(f64::total_cmp);
        let (least, median, most) = (needed[0], needed[10], needed[20]);
        println!("{name} {population}: median {median}, from {least} to {most}; pycma {of_pycma}");
        assert!(
            median <= 1.2 * of_pycma as f64,
            "{name} {population}: {median}"
        );
    }
}
