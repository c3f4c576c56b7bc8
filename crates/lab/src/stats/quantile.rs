//! Quantiles of the distributions behind the intervals.
//!
//! `statrs` computes them by iteration, which becomes slow and then wrong as the degrees of freedom
//! grow (a chi-square quantile with 10^10 degrees takes milliseconds, a Student quantile with 10^8
//! never ends), so large degrees of freedom use expansions, which are better there than the
//! iteration.
//!
//! Its last digits depend on the build: `num_traits` takes logarithms from the standard library if
//! any crate of the program asks for that, and from `libm` otherwise. [`reproducible`] rounds them
//! off, so that the program, the Python package and the browser print the same intervals.

use statrs::distribution::{ContinuousCDF, FisherSnedecor, Gamma, Normal, StudentsT};

/// From here on, the expansions are accurate to nine digits.
const LARGE: f64 = 1e5;

/// The threshold for Student's distribution, whose iteration loses digits earlier.
const LARGE_STUDENT: f64 = 1e3;

/// The 0.975 quantile of the standard normal distribution.
const Z_975: f64 = 1.959_963_984_540_054;

/// The number rounded to 24 significant bits, about seven digits. The iteration ends with differences
/// of up to 1e-11, so with 32 bits one of some hundred numbers would still differ.
fn reproducible(quantile: f64) -> f64 {
    const NOISE: u32 = 29;
    f64::from_bits((quantile.to_bits() + (1 << (NOISE - 1))) >> NOISE << NOISE)
}

/// One end of a two-sided 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    /// The 0.025 quantile.
    Low,
    /// The 0.975 quantile.
    High,
}

impl Tail {
    fn probability(self) -> f64 {
        match self {
            Tail::Low => 0.025,
            Tail::High => 0.975,
        }
    }

    fn normal(self) -> f64 {
        match self {
            Tail::Low => -Z_975,
            Tail::High => Z_975,
        }
    }
}

/// The chi-square quantile divided by its degrees of freedom: the quantile of the mean of that many
/// squares.
///
/// Large degrees use Wilson and Hilferty's cube (1931).
pub(super) fn chi_square_mean(tail: Tail, degrees: f64) -> f64 {
    debug_assert!(degrees > 0.0);
    if degrees < LARGE {
        let gamma = Gamma::new(degrees / 2.0, 1.0).expect("degrees of freedom are positive");
        return reproducible(gamma.inverse_cdf(tail.probability())) * 2.0 / degrees;
    }
    let step = 2.0 / (9.0 * degrees);
    (1.0 - step + tail.normal() * step.sqrt()).powi(3)
}

/// A quantile of Student's t; large degrees use the first three terms of its expansion about the
/// normal.
pub(crate) fn student(degrees: f64, probability: f64) -> f64 {
    if degrees < LARGE_STUDENT {
        let student = StudentsT::new(0.0, 1.0, degrees).expect("degrees of freedom are positive");
        return reproducible(student.inverse_cdf(probability));
    }
    let z = reproducible(Normal::standard().inverse_cdf(probability));
    let first = (z.powi(3) + z) / (4.0 * degrees);
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * degrees * degrees);
    z + first + second
}

/// The 0.975 quantile of the ratio of two independent means of squares. The 0.025 quantile is the
/// inverse of the one with the degrees exchanged.
pub(super) fn fisher(above: f64, below: f64) -> f64 {
    if above.min(below) < LARGE {
        // Beyond this, the larger one no longer affects the result, and the iteration would be
        // unreliable.
        let (above, below) = (above.min(1e9), below.min(1e9));
        let fisher = FisherSnedecor::new(above, below).expect("degrees of freedom are positive");
        return reproducible(fisher.inverse_cdf(0.975));
    }
    // The logarithm of a chi-square mean with k degrees has the mean -1/k, the variance 2/k and the
    // third cumulant -4/k^2; Cornish and Fisher's expansion (1938) gives the quantile.
    let width = Z_975 * (2.0 / above + 2.0 / below).sqrt();
    let shift = (1.0 / below - 1.0 / above) * (1.0 + (Z_975 * Z_975 - 1.0) / 3.0);
    libm::exp(width + shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_bits_of_a_quantile_are_rounded_off() {
        for quantile in [1.0, -2.5, 1.959_963_984_540_054, 1e-9, 49_723.123] {
            let rounded = reproducible(quantile);
            assert_near(rounded, quantile, 6.1e-8);
            assert_eq!(reproducible(rounded), rounded);
        }
        for (less, more) in [(2.0_f64.next_down(), 2.0_f64.next_up()), (0.1, 0.2 - 0.1)] {
            assert_eq!(reproducible(less), reproducible(more));
        }
        assert_eq!(student(7.0, 0.975).to_bits() % (1 << 29), 0);
    }

    #[track_caller]
    fn assert_near(found: f64, expected: f64, tolerance: f64) {
        let off = (found / expected - 1.0).abs();
        assert!(off < tolerance, "{found} is not {expected}");
    }

    /// Tables of the chi-square distribution print these: 2 degrees 0.0506 and 7.378, 10 degrees
    /// 3.247 and 20.483, 100 degrees 74.222 and 129.561.
    #[test]
    fn chi_square_quantiles_are_those_of_the_tables() {
        for (degrees, low, high) in [
            (2.0, 0.050_636, 7.377_759),
            (10.0, 3.246_973, 20.483_177),
            (100.0, 74.221_927, 129.561_197),
        ] {
            assert_near(chi_square_mean(Tail::Low, degrees) * degrees, low, 1e-5);
            assert_near(chi_square_mean(Tail::High, degrees) * degrees, high, 1e-6);
        }
    }

    /// With two degrees chi-square is exponential: the quantiles are -2 ln(0.975) and -2 ln(0.025).
    #[test]
    fn two_degrees_are_exponential() {
        let expected = -0.975_f64.ln();
        assert_near(chi_square_mean(Tail::Low, 2.0), expected, 1e-7);
        assert_near(chi_square_mean(Tail::High, 2.0), 40_f64.ln(), 1e-7);
    }

    /// Tables: t with 1, 4 and 30 degrees 12.706, 2.776 and 2.042; F with (2, 2) and (10, 10)
    /// degrees 39.00 and 3.717.
    #[test]
    fn student_and_fisher_quantiles_are_those_of_the_tables() {
        for (degrees, expected) in [(1.0, 12.706_205), (4.0, 2.776_445), (30.0, 2.042_272)] {
            assert_near(student(degrees, 0.975), expected, 1e-6);
        }
        assert_near(fisher(2.0, 2.0), 39.0, 1e-7);
        assert_near(fisher(10.0, 10.0), 3.716_792, 1e-6);
        assert_near(fisher(4.0, 20.0), 3.514_695, 1e-6);
    }

    #[test]
    fn expansions_take_over_without_a_step() {
        let (below, above) = (LARGE * (1.0 - 1e-12), LARGE);
        for tail in [Tail::Low, Tail::High] {
            let (below, above) = (chi_square_mean(tail, below), chi_square_mean(tail, above));
            assert_near(above, below, 1e-7);
        }
        assert_near(
            student(LARGE_STUDENT, 0.975),
            student(LARGE_STUDENT * (1.0 - 1e-12), 0.975),
            1e-7,
        );
        assert_near(fisher(above, above), fisher(below, below), 1e-6);
        assert_near(fisher(above, 1e7), fisher(below, 1e7), 1e-6);
    }
}
