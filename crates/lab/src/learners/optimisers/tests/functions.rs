//! Three functions to be minimised, all with their minimum 0 at (1, 1, ..., 1): away from the start
//! and from the centre of any box, so that an optimiser that only shrinks towards the centre fails.

use crate::learners::Optimizer;

/// A function to be minimised.
pub(super) type Function = fn(&[f64]) -> f64;

/// The number of coordinates in all tests.
pub(super) const DIMENSION: usize = 8;

/// The sum of squares: the easiest function.
pub(super) fn sphere(x: &[f64]) -> f64 {
    x.iter().map(|x| (x - 1.0) * (x - 1.0)).sum()
}

/// A quadratic function with condition number 10^6 whose axes are not parallel to the coordinates:
/// the difference from the optimum is mirrored at the hyperplane orthogonal to (1, 2, ..., n), then
/// stretched. It is hard for methods that change one coordinate at a time.
pub(super) fn ellipsoid(x: &[f64]) -> f64 {
    let axis = |i: usize| (i + 1) as f64;
    let n = x.len();
    let square: f64 = (0..n).map(|i| axis(i) * axis(i)).sum();
    let product: f64 = (0..n).map(|i| axis(i) * (x[i] - 1.0)).sum();
    stretched((0..n).map(|i| x[i] - 1.0 - 2.0 * axis(i) * product / square))
}

/// The sum of squares, each weighted 10^(6 / (n - 1)) times as much as the one before it.
pub(super) fn stretched(x: impl ExactSizeIterator<Item = f64>) -> f64 {
    let ratio = libm::pow(10.0, 6.0 / (x.len() - 1) as f64);
    let terms = x.scan(1.0, |stretch, x| {
        let term = *stretch * x * x;
        *stretch *= ratio;
        Some(term)
    });
    terms.sum()
}

/// A long bent valley (Rosenbrock 1960), from the origin to the optimum.
pub(super) fn rosenbrock(x: &[f64]) -> f64 {
    let term = |pair: &[f64]| {
        let (ascent, rest) = (pair[1] - pair[0] * pair[0], 1.0 - pair[0]);
        100.0 * ascent * ascent + rest * rest
    };
    x.windows(2).map(term).sum()
}

/// One generation: asks, evaluates, tells. Returns the number of candidates and the smallest value
/// among them.
pub(super) fn generation(optimizer: &mut dyn Optimizer, function: Function) -> (usize, f64) {
    let candidates = optimizer.ask();
    let values: Vec<f64> = candidates.iter().map(|x| function(x)).collect();
    let fitness: Vec<f64> = values.iter().map(|value| -value).collect();
    optimizer.tell(&fitness);
    (
        values.len(),
        values.into_iter().fold(f64::INFINITY, f64::min),
    )
}

#[test]
fn the_optimum_of_every_function_is_at_all_ones_and_nowhere_near() {
    for function in [sphere, ellipsoid, rosenbrock] {
        assert_eq!(function(&[1.0; DIMENSION]), 0.0);
        for i in 0..DIMENSION {
            let mut beside = [1.0; DIMENSION];
            beside[i] += 0.1;
            assert!(function(&beside) > 0.009);
        }
    }
    // The ellipsoid's longest and shortest axes: the mirror images of the first and the last unit
    // vector.
    let along = |unit: usize| {
        let axis = |i: usize| (i + 1) as f64;
        let mirrored =
            |i: usize| f64::from(u8::from(i == unit)) - 2.0 * axis(i) * axis(unit) / 204.0;
        let point: Vec<f64> = (0..DIMENSION).map(|i| 1.0 + mirrored(i)).collect();
        ellipsoid(&point)
    };
    assert!((along(0) - 1.0).abs() < 1e-6);
    assert!((along(7) - 1e6).abs() < 1e-3);
}
