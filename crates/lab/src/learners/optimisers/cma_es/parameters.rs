//! The constants of CMA-ES for a dimension and a population: table 1 of Hansen 2016
//! (arXiv:1604.00772).

/// Weights and learning rates, under the tutorial's names.
#[derive(Clone, Debug)]
pub(super) struct Parameters {
    /// w_i, best first: the positive ones sum to 1; the others are negative, or 0 if they are not
    /// used.
    pub(super) weights: Vec<f64>,
    /// μ_eff: the effective number of parents.
    pub(super) mu_eff: f64,
    /// How quickly the path of the step size forgets.
    pub(super) c_sigma: f64,
    /// The damping of the step size.
    pub(super) d_sigma: f64,
    /// How quickly the path of the covariance matrix forgets.
    pub(super) c_c: f64,
    /// c_1: learning rate of the rank-one update.
    pub(super) c_1: f64,
    /// c_μ: learning rate of the rank-μ update.
    pub(super) c_mu: f64,
    /// χ_n: the expected length of a standard normal vector.
    pub(super) expected_length: f64,
}

impl Parameters {
    /// `speed` is how much faster the matrix learns than a full one.
    pub(super) fn new(dimension: usize, population: usize, active: bool, speed: f64) -> Parameters {
        let n = dimension as f64;
        let raw = raw_weights(population);
        let mu_eff = effective(raw.iter().filter(|weight| **weight > 0.0));
        let c_sigma = (mu_eff + 2.0) / (n + mu_eff + 5.0);
        let excess = ((mu_eff - 1.0) / (n + 1.0)).sqrt() - 1.0;
        let c_1 = 2.0 / ((n + 1.3) * (n + 1.3) + mu_eff);
        let c_1 = (speed * c_1).min(1.0);
        let c_mu = 2.0 * (0.25 + mu_eff + 1.0 / mu_eff - 2.0) / ((n + 2.0) * (n + 2.0) + mu_eff);
        let c_mu = (speed * c_mu).min(1.0 - c_1);
        let negative_sum = if active {
            negative_sum(&raw, mu_eff, n, c_1, c_mu)
        } else {
            0.0
        };
        Parameters {
            weights: scaled(&raw, negative_sum),
            mu_eff,
            c_sigma,
            d_sigma: 1.0 + 2.0 * excess.max(0.0) + c_sigma,
            c_c: (4.0 + mu_eff / n) / (n + 4.0 + 2.0 * mu_eff / n),
            c_1,
            c_mu,
            expected_length: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
        }
    }
}

/// Equation 49: w'_i = ln((λ + 1) / 2) - ln i.
fn raw_weights(population: usize) -> Vec<f64> {
    let half = libm::log((population as f64 + 1.0) / 2.0);
    let weight = |i: usize| half - libm::log(i as f64);
    (1..=population).map(weight).collect()
}

/// (sum of w)² / sum of w²; 0 for no weights.
fn effective<'a>(weights: impl Iterator<Item = &'a f64>) -> f64 {
    let (sum, squares) = weights.fold((0.0, 0.0), |(sum, squares), w| (sum + w, squares + w * w));
    if squares > 0.0 {
        sum * sum / squares
    } else {
        0.0
    }
}

/// The sum of the absolute values of the negative weights: the minimum of equations 50 to 52.
fn negative_sum(raw: &[f64], mu_eff: f64, n: f64, c_1: f64, c_mu: f64) -> f64 {
    let mu_eff_minus = effective(raw.iter().filter(|weight| **weight < 0.0));
    let no_decay = 1.0 + c_1 / c_mu;
    let as_many = 1.0 + 2.0 * mu_eff_minus / (mu_eff + 2.0);
    let positive_definite = (1.0 - c_1 - c_mu) / (n * c_mu);
    no_decay.min(as_many).min(positive_definite)
}

/// Equation 53: positive weights sum to 1, the negative ones to `-negative_sum`.
fn scaled(raw: &[f64], negative_sum: f64) -> Vec<f64> {
    let sum = |positive: bool| -> f64 {
        let side = raw.iter().filter(|weight| (**weight > 0.0) == positive);
        side.map(|weight| weight.abs()).sum()
    };
    let (positive, negative) = (sum(true), sum(false));
    let scale = |weight: &f64| {
        if *weight > 0.0 {
            weight / positive
        } else {
            weight * negative_sum / negative
        }
    };
    raw.iter().map(scale).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_constants_are_those_of_the_tutorial() {
        // By hand from table 1, n = 8, λ = 10: the five positive logarithms sum to 3.736 and their
        // squares to 4.219.
        let p = Parameters::new(8, 10, true, 1.0);
        let close = |a: f64, b: f64| (a - b).abs() < 2e-3;
        assert!(close(p.mu_eff, 3.167), "{p:?}");
        assert!(
            close(p.c_sigma, 5.167 / 16.167) && close(p.d_sigma, 1.3196),
            "{p:?}"
        );
        assert!(close(p.c_c, 4.396 / 12.792), "{p:?}");
        assert!(
            close(p.c_1, 2.0 / 89.657) && close(p.c_mu, 3.465 / 103.167),
            "{p:?}"
        );
        let positive: f64 = p.weights.iter().filter(|w| **w > 0.0).sum();
        assert!((positive - 1.0).abs() < 1e-12);
        assert_eq!(p.weights.iter().filter(|w| **w > 0.0).count(), 5);
    }

    #[test]
    fn with_negative_weights_the_covariance_neither_grows_nor_decays() {
        let p = Parameters::new(8, 10, true, 1.0);
        let sum: f64 = p.weights.iter().sum();
        assert!((p.c_1 + p.c_mu * sum).abs() < 1e-12);
        let positive_only = Parameters::new(8, 10, false, 1.0);
        assert!(positive_only.weights.iter().all(|weight| *weight >= 0.0));
    }
}
