//! Activation functions.

/// The activation function of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// The identity.
    Linear,
    /// The sum if it is positive, else 0 (Nair and Hinton 2010).
    Relu,
    /// `1 / (1 + exp(-z))`.
    Sigmoid,
    /// `z * sigmoid(z)` (Elfwing, Uchibe and Doya 2018, equation 10).
    Silu,
    /// The derivative of SiLU, `sigmoid(z) * (1 + z * (1 - sigmoid(z)))` (ibid., equation 13).
    Dsilu,
}

/// Beyond this, exponentials exceed the range of the type; the sigmoid is then 0 or 1 to within its
/// precision.
const FAR: f32 = 87.0;

/// `exp(z)` for `z` within [`FAR`], to about one unit in the last place; NaN is preserved. It uses
/// only additions and multiplications in a fixed order, so the bits are the same on every machine
/// and, unlike the library's function, the compiler can vectorise it.
///
/// `exp(z) = 2^n exp(r)` with `r` within half of ln 2, and a polynomial for `exp(r)` (Cephes,
/// Moshier 1989).
#[inline(always)]
fn exp(z: f32) -> f32 {
    /// Adding this number rounds a float to an integer.
    const ROUND: f32 = 12_582_912.0;
    let n = (z * std::f32::consts::LOG2_E + ROUND) - ROUND;
    let r = (z - n * 0.693_359_4) - n * -2.121_944_4e-4;
    let mut p = 1.987_569_1e-4;
    p = p * r + 1.398_2e-3;
    p = p * r + 8.333_452e-3;
    p = p * r + 4.166_579_6e-2;
    p = p * r + 1.666_666_5e-1;
    p = p * r + 5e-1;
    let power = f32::from_bits(((n as i32 + 127) << 23) as u32);
    (p * (r * r) + r + 1.0) * power
}

/// Clamps to [`FAR`]; NaN is preserved.
#[inline(always)]
fn near(z: f32) -> f32 {
    z.clamp(-FAR, FAR)
}

/// `1 / (1 + exp(-z))`, with the same bits on every machine. NaN is preserved, and no `z`
/// overflows.
#[inline(always)]
fn sigmoid(z: f32) -> f32 {
    1.0 / (1.0 + exp(-near(z)))
}

impl Activation {
    /// Every activation with its name in files.
    pub const ALL: [(Activation, &'static str); 5] = [
        (Activation::Linear, "linear"),
        (Activation::Relu, "relu"),
        (Activation::Sigmoid, "sigmoid"),
        (Activation::Silu, "silu"),
        (Activation::Dsilu, "dsilu"),
    ];

    /// The name of the activation in files.
    pub fn name(self) -> &'static str {
        let found = Activation::ALL.iter().find(|row| row.0 == self);
        found.map_or("linear", |row| row.1)
    }

    /// The activation with this name.
    pub fn from_name(name: &str) -> Option<Activation> {
        let found = Activation::ALL.iter().find(|row| row.1 == name);
        found.map(|row| row.0)
    }

    /// Applies the activation to a weighted sum.
    #[inline(always)]
    pub fn value(self, z: f32) -> f32 {
        match self {
            Activation::Linear => z,
            // NaN must be preserved: a network that has diverged must not go unnoticed.
            Activation::Relu => {
                if z < 0.0 {
                    0.0
                } else {
                    z
                }
            }
            Activation::Sigmoid => sigmoid(z),
            // Far below 0 the product is 0 to within its precision, even if z is infinite.
            Activation::Silu => {
                let least = if z < -FAR { -FAR } else { z };
                least * sigmoid(z)
            }
            Activation::Dsilu => {
                let (z, s) = (near(z), sigmoid(z));
                s * (1.0 + z * (1.0 - s))
            }
        }
    }

    /// The derivative of the value with respect to the weighted sum.
    #[inline(always)]
    pub fn slope(self, z: f32) -> f32 {
        match self {
            Activation::Linear => 1.0,
            Activation::Relu => {
                if z < 0.0 {
                    0.0
                } else {
                    1.0
                }
            }
            Activation::Sigmoid => {
                let s = sigmoid(z);
                s * (1.0 - s)
            }
            Activation::Silu => Activation::Dsilu.value(z),
            Activation::Dsilu => {
                let (z, s) = (near(z), sigmoid(z));
                s * (1.0 - s) * (2.0 + z * (1.0 - 2.0 * s))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_the_definitions() {
        assert_eq!(Activation::Relu.value(-2.0), 0.0);
        assert_eq!(Activation::Relu.value(2.5), 2.5);
        assert_eq!(Activation::Sigmoid.value(0.0), 0.5);
        assert_eq!(Activation::Silu.value(0.0), 0.0);
        assert_eq!(Activation::Dsilu.value(0.0), 0.5);
        // The paper states that SiLU has its minimum, about -0.28, near -1.28, and dSiLU its
        // maximum, about 1.1, near 2.4.
        assert!((Activation::Silu.value(-1.28) + 0.278).abs() < 1e-3);
        assert!((Activation::Dsilu.value(2.4) - 1.0998).abs() < 1e-4);
    }

    #[test]
    fn exponentials_are_those_of_the_library() {
        for step in -8700..=8700 {
            let z = step as f32 / 100.0 + 0.003;
            let (own, other) = (exp(near(z)), libm::exp(f64::from(near(z))));
            let error = (f64::from(own) / other - 1.0).abs();
            assert!(error < 2e-7, "exp({z}) is off by {error}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert!(exp(f32::NAN).is_nan());
    }

    #[test]
    fn slopes_agree_with_finite_differences() {
        for (activation, name) in Activation::ALL {
            for step in -80..=80 {
                let z = step as f32 / 10.0 + 0.05;
                let h = 1e-2;
                let rise = activation.value(z + h) - activation.value(z - h);
                let slope = activation.slope(z);
                let error = (rise / (2.0 * h) - slope).abs();
                assert!(error < 2e-4, "{name} at {z}: {slope}, off by {error}");
            }
        }
    }

    #[test]
    fn extreme_inputs_do_not_give_nan_and_nan_stays_nan() {
        for (activation, name) in Activation::ALL {
            assert!(activation.value(f32::NAN).is_nan(), "{name}");
            for z in [-1e30, 1e30, f32::NEG_INFINITY, f32::INFINITY] {
                assert!(!activation.value(z).is_nan(), "{name} of {z}");
            }
            assert_eq!(Activation::from_name(name), Some(activation));
            assert_eq!(activation.name(), name);
        }
    }
}
