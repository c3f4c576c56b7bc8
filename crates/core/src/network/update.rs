//! Update rules: how parameters follow a gradient.

/// An update rule. Every rule has a step size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum UpdateRule {
    /// A step against the gradient.
    Sgd {
        /// The step size.
        rate: f32,
    },
    /// A step along a decaying sum of gradients (Polyak 1964).
    Momentum {
        /// The step size.
        rate: f32,
        /// The share of the sum that remains after each step.
        decay: f32,
    },
    /// Adam (Kingma and Ba 2015, algorithm 1).
    Adam {
        /// The step size, alpha.
        rate: f32,
        /// The share of the mean gradient that remains after each step.
        beta1: f32,
        /// The share of the mean squared gradient that remains after each step.
        beta2: f32,
        /// The term that keeps the quotient finite.
        epsilon: f32,
    },
}

impl UpdateRule {
    /// Adam with the paper's constants.
    pub const fn adam(rate: f32) -> UpdateRule {
        UpdateRule::Adam {
            rate,
            beta1: 0.9,
            beta2: 0.999,
            epsilon: 1e-8,
        }
    }

    /// RMSprop (Tieleman and Hinton 2012): Adam without the mean gradient, with a long memory and a
    /// floor that suits single samples.
    pub const fn rmsprop(rate: f32) -> UpdateRule {
        UpdateRule::Adam {
            rate,
            beta1: 0.0,
            beta2: 0.9995,
            epsilon: 1e-4,
        }
    }
}

/// An update rule with its state.
#[derive(Clone, Debug, PartialEq)]
pub struct Updater {
    rule: UpdateRule,
    /// The decaying sum or mean of gradients.
    first: Vec<f32>,
    /// The decaying mean of squared gradients.
    second: Vec<f32>,
    /// The powers of beta1 and beta2 after all steps so far.
    powers: [f32; 2],
}

impl Updater {
    /// A rule for this many parameters in its initial state.
    pub fn new(rule: UpdateRule, parameters: usize) -> Updater {
        let kept = |kept: bool| vec![0.0; if kept { parameters } else { 0 }];
        Updater {
            rule,
            first: kept(!matches!(rule, UpdateRule::Sgd { .. })),
            second: kept(matches!(rule, UpdateRule::Adam { .. })),
            powers: [1.0; 2],
        }
    }

    /// Changes the step size.
    pub fn set_rate(&mut self, new: f32) {
        let (UpdateRule::Sgd { rate }
        | UpdateRule::Momentum { rate, .. }
        | UpdateRule::Adam { rate, .. }) = &mut self.rule;
        *rate = new;
    }

    /// The complete state, to be [restored](Updater::restore) later.
    pub fn memory(&self) -> Vec<f32> {
        [&self.powers, &self.first[..], &self.second[..]].concat()
    }

    /// Restores the state of an updater of the same rule and size; returns whether it fits.
    pub fn restore(&mut self, memory: &[f32]) -> bool {
        let (first, second) = (self.first.len(), self.second.len());
        if memory.len() != 2 + first + second {
            return false;
        }
        self.powers.copy_from_slice(&memory[..2]);
        self.first.copy_from_slice(&memory[2..2 + first]);
        self.second.copy_from_slice(&memory[2 + first..]);
        true
    }

    /// Moves parameters against a gradient.
    ///
    /// # Panics
    /// If the sizes differ.
    #[inline(always)]
    pub fn apply(&mut self, parameters: &mut [f32], gradient: &[f32]) {
        assert_eq!(parameters.len(), gradient.len(), "one for each parameter");
        match self.rule {
            UpdateRule::Sgd { rate } => {
                for (parameter, slope) in parameters.iter_mut().zip(gradient) {
                    *parameter -= rate * slope;
                }
            }
            UpdateRule::Momentum { rate, decay } => {
                let pairs = parameters.iter_mut().zip(gradient);
                for ((parameter, slope), sum) in pairs.zip(&mut self.first) {
                    *sum = decay * *sum + slope;
                    *parameter -= rate * *sum;
                }
            }
            UpdateRule::Adam {
                rate,
                beta1,
                beta2,
                epsilon,
            } => {
                self.powers = [self.powers[0] * beta1, self.powers[1] * beta2];
                let means = [1.0 / (1.0 - self.powers[0]), 1.0 / (1.0 - self.powers[1])];
                let pairs = parameters.iter_mut().zip(gradient);
                let moments = self.first.iter_mut().zip(&mut self.second);
                for ((parameter, &slope), (first, second)) in pairs.zip(moments) {
                    *first = not_tiny(beta1 * *first + (1.0 - beta1) * slope);
                    *second = not_tiny(beta2 * *second + (1.0 - beta2) * (slope * slope));
                    let step = *first * means[0] / ((*second * means[1]).sqrt() + epsilon);
                    *parameter -= rate * step;
                }
            }
        }
    }
}

/// Flushes denormal numbers to zero: decaying values would become denormal, which makes processors
/// a hundred times slower.
#[inline(always)]
fn not_tiny(number: f32) -> f32 {
    const TINY: f32 = 1e-30;
    if number.abs() < TINY { 0.0 } else { number }
}
