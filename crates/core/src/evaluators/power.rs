//! Shared by the evaluators with exponents: a power that is never NaN or infinite for ordinary
//! numbers.

use super::Score;

/// The replacement for zero under an exponent: 2^-20, about a millionth.
///
/// Zero to a negative power is infinite. With this floor, a term within Böhm's ranges (weights up
/// to 1000, exponents down to -2) stays below 2^53, so that the other terms are not lost to
/// rounding; and to the power of one it is negligible.
pub const POWER_FLOOR: f64 = 1.0 / 1_048_576.0;

/// `|base|^exponent`, with [`POWER_FLOOR`] for a smaller base. The sign is dropped because a
/// negative number has no real power in general; `libm` computes the same bits on every machine.
pub(super) fn power(base: f64, exponent: f64) -> f64 {
    libm::pow(base.abs().max(POWER_FLOOR), exponent)
}

/// Extreme parameters can overflow in both directions; the sum is then NaN, which is treated as the
/// worst score.
pub(super) fn ordered(score: Score) -> Score {
    if score.is_nan() {
        Score::NEG_INFINITY
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_zero_and_of_negative_numbers_are_numbers() {
        assert_eq!(power(9.0, 0.5), 3.0);
        assert_eq!(power(-8.0, 2.0), 64.0);
        assert_eq!(power(-9.0, 0.5), 3.0);
        assert_eq!(power(0.0, 1.0), POWER_FLOOR);
        assert_eq!(power(0.0, 0.0), 1.0);
        assert_eq!(power(0.0, -2.0), libm::ldexp(1.0, 40));
        assert_eq!(power(-0.0, -1.0), libm::ldexp(1.0, 20));
        assert!(1000.0 * power(0.0, -2.0) < libm::ldexp(1.0, 53));
    }

    #[test]
    fn a_sum_that_is_no_number_is_the_worst_score() {
        assert_eq!(ordered(f64::NAN), f64::NEG_INFINITY);
        assert_eq!(ordered(-3.0), -3.0);
    }
}
