//! CMA-ES: the evolution strategy that adapts its covariance matrix.
//!
//! Candidates are drawn from a normal distribution around a mean; the mean moves towards the better ones, the covariance matrix
//! learns the shape of the steps that succeeded, and the step size grows while steps go the same way and shrinks when they cancel.
//! Names and equations follow \[1\]; `active` adds the negative weights of \[1\], equations 49 to 53, as pycma does by default.
//!
//! With `normalise` every sample is scaled to unit length before it is evaluated, and the scaled vector is what the strategy learns
//! from \[2\]: all multiples of a linear player's weights play alike, and without this the step size grows without end.
//!
//! 1. N. Hansen, "The CMA evolution strategy: a tutorial", arXiv:1604.00772, 2016.
//! 2. A. Boumaza, "On the evolution of artificial Tetris players", IEEE CIG 2009.
//! 3. N. Hansen and A. Ostermeier, "Completely derandomized self-adaptation in evolution strategies", Evolutionary Computation 9(2), 2001.

mod parameters;
#[cfg(test)]
mod tests;

use self::parameters::Parameters;
use super::eigen::{Eigen, Matrix, identity};
use super::sampling::Sampler;
use super::vectors::{assert_one_each, length, ranked, scale_to_unit_length};
use super::{
    Diagnostics, Kind, Learner, LearnerMethod, Optimizer, Preset, Protocol, Setting, Settings,
};

pub(super) const LEARNER: Learner = Learner {
    id: "cma-es",
    definition: "normal candidates around a mean, with a covariance matrix and a step size that learn from what succeeded",
    source: "Hansen and Ostermeier 2001; Hansen 2016",
    settings: &[
        Setting {
            id: "population",
            help: "candidates per generation (lambda); the better half moves the mean; auto is 4 + 3 ln(weights)",
            default: Some("auto"),
            kind: Kind::POPULATION,
        },
        Setting {
            id: "sigma",
            help: "the step size at the start, at the null vector",
            default: Some("0.5"),
            kind: Kind::LENGTH,
        },
        Setting {
            id: "normalise",
            help: "scale every candidate to unit length, for fitness that depends on the direction only",
            default: Some("false"),
            kind: Kind::Flag,
        },
        Setting {
            id: "active",
            help: "let the worse half push the covariance matrix away (negative weights)",
            default: Some("true"),
            kind: Kind::Flag,
        },
    ],
    make: LearnerMethod {
        presets: &[BOUMAZA],
        optimizer: |settings, dimension, seed| Box::new(CmaEs::new(settings, dimension, seed)),
    },
};

const BOUMAZA: Preset = Preset {
    id: "boumaza",
    learner: "cma-es",
    definition: "30 candidates of unit length (mu 15), 50 iterations on the harder game, mean vectors of 20 runs averaged; his program \
          clears lines after an overflow, ours ends above the top",
    source: "Boumaza 2009",
    settings: &[
        ("population", "30"),
        ("sigma", "0.5"),
        ("normalise", "true"),
        ("active", "false"),
    ],
    protocol: Protocol {
        features: Some("bcts"),
        ruleset: Some("simplified-hard-10x20"),
        games: Some(100),
        generations: Some(50),
        objective: Some("lines"),
        runs: Some(20),
        ..Protocol::OPEN
    },
};

struct CmaEs {
    parameters: Parameters,
    normalise: bool,
    sampler: Sampler,
    asked: Vec<Vec<f64>>,
    /// m
    mean: Vec<f64>,
    /// σ
    sigma: f64,
    /// C
    covariance: Matrix,
    /// C = B D² Bᵀ, as it was when it was last computed.
    eigen: Eigen,
    /// Generations since then.
    eigen_age: usize,
    /// p_σ
    sigma_path: Vec<f64>,
    /// p_c
    covariance_path: Vec<f64>,
    /// (1 - c_σ)^2g after g generations: how much of p_σ is still its start.
    start_left: f64,
}

impl CmaEs {
    fn new(settings: &Settings, dimension: usize, seed: u64) -> CmaEs {
        let auto = 4 + (3.0 * libm::log(dimension as f64)) as usize;
        let population = settings.count_or("population", auto);
        CmaEs {
            parameters: Parameters::new(dimension, population, settings.flag("active")),
            normalise: settings.flag("normalise"),
            sampler: Sampler::new(seed),
            asked: Vec::new(),
            mean: vec![0.0; dimension],
            sigma: settings.number("sigma"),
            covariance: identity(dimension),
            eigen: Eigen::identity(dimension),
            eigen_age: 0,
            sigma_path: vec![0.0; dimension],
            covariance_path: vec![0.0; dimension],
            start_left: 1.0,
        }
    }

    /// x = m + σ B D z (equations 38 to 40).
    fn sample(&mut self) -> Vec<f64> {
        let mut z = self.sampler.normals(self.mean.len());
        for (z, value) in z.iter_mut().zip(&self.eigen.values) {
            *z *= value.sqrt();
        }
        let step = self.eigen.in_coordinates(&z);
        let mut x: Vec<f64> = self.mean.clone();
        add(&mut x, self.sigma, &step);
        if self.normalise {
            scale_to_unit_length(&mut x);
        }
        x
    }

    /// The steps from the mean in units of σ, y_i:λ, best first.
    fn ranked_steps(&self, fitness: &[f64]) -> Vec<Vec<f64>> {
        let step = |index: usize| {
            let pairs = self.asked[index].iter().zip(&self.mean);
            pairs.map(|(x, mean)| (x - mean) / self.sigma).collect()
        };
        ranked(fitness).into_iter().map(step).collect()
    }

    /// C^(-1/2) y.
    fn whiten(&self, y: &[f64]) -> Vec<f64> {
        let mut axes = self.eigen.along_axes(y);
        for (x, value) in axes.iter_mut().zip(&self.eigen.values) {
            *x /= value.sqrt();
        }
        self.eigen.in_coordinates(&axes)
    }

    /// Equations 43 and 44: the path of the steps with their shape taken out, compared with that of random steps.
    fn adapt_sigma(&mut self, mean_step: &[f64]) {
        let p = &self.parameters;
        let gain = (p.c_sigma * (2.0 - p.c_sigma) * p.mu_eff).sqrt();
        let (c_sigma, d_sigma, chi) = (p.c_sigma, p.d_sigma, p.expected_length);
        let white = self.whiten(mean_step);
        decay(&mut self.sigma_path, 1.0 - c_sigma);
        add(&mut self.sigma_path, gain, &white);
        let excess = c_sigma / d_sigma * (length(&self.sigma_path) / chi - 1.0);
        // One generation multiplies the step size by at most e, as in pycma.
        self.sigma *= libm::exp(excess.min(1.0));
    }

    /// h_σ: false while the path is so long that the step size is far too small; then p_c waits.
    fn path_is_short(&mut self) -> bool {
        let keep = 1.0 - self.parameters.c_sigma;
        self.start_left *= keep * keep;
        let usual = self.parameters.expected_length * (1.0 - self.start_left).sqrt();
        let n = self.mean.len() as f64;
        length(&self.sigma_path) < (1.4 + 2.0 / (n + 1.0)) * usual
    }

    /// Equations 45 to 47.
    fn adapt_covariance(&mut self, mean_step: &[f64], steps: &[Vec<f64>]) {
        let short = self.path_is_short();
        let weights = self.bounded_weights(steps);
        let p = &self.parameters;
        decay(&mut self.covariance_path, 1.0 - p.c_c);
        if short {
            let gain = (p.c_c * (2.0 - p.c_c) * p.mu_eff).sqrt();
            add(&mut self.covariance_path, gain, mean_step);
        }
        let waiting = if short { 0.0 } else { p.c_c * (2.0 - p.c_c) };
        let weight_sum: f64 = p.weights.iter().sum();
        let keep = 1.0 + p.c_1 * waiting - p.c_1 - p.c_mu * weight_sum;
        self.covariance.iter_mut().for_each(|row| decay(row, keep));
        add_square(&mut self.covariance, p.c_1, &self.covariance_path);
        for (weight, step) in weights.iter().zip(steps) {
            add_square(&mut self.covariance, p.c_mu * weight, step);
        }
    }

    /// Equation 46: a step with a negative weight counts as if it had the usual length, so that C stays positive definite.
    fn bounded_weights(&self, steps: &[Vec<f64>]) -> Vec<f64> {
        let n = self.mean.len() as f64;
        let bounded = |(&weight, step): (&f64, &Vec<f64>)| {
            if weight >= 0.0 {
                return weight;
            }
            let length = length(&self.whiten(step));
            if length > 0.0 {
                weight * n / (length * length)
            } else {
                0.0
            }
        };
        self.parameters
            .weights
            .iter()
            .zip(steps)
            .map(bounded)
            .collect()
    }

    /// Computes B and D anew when C has changed enough for it to matter (\[1\], section B.2).
    fn update_eigen(&mut self) {
        self.eigen_age += 1;
        let p = &self.parameters;
        let n = self.mean.len() as f64;
        if (self.eigen_age as f64) * 10.0 * n * (p.c_1 + p.c_mu) > 1.0 {
            self.eigen_age = 0;
            self.eigen = Eigen::of(&self.covariance);
            // Rounding must not make a tiny axis vanish.
            let floor = largest(&self.eigen.values) * 1e-20;
            self.eigen
                .values
                .iter_mut()
                .for_each(|value| *value = value.max(floor));
        }
    }
}

impl Optimizer for CmaEs {
    fn ask(&mut self) -> Vec<Vec<f64>> {
        self.asked = (0..self.parameters.weights.len())
            .map(|_| self.sample())
            .collect();
        self.asked.clone()
    }

    fn tell(&mut self, fitness: &[f64]) {
        assert_one_each(self.asked.len(), fitness);
        let steps = self.ranked_steps(fitness);
        // Equations 41 and 42: the weighted mean of the better half.
        let mut mean_step = vec![0.0; self.mean.len()];
        let better = self
            .parameters
            .weights
            .iter()
            .zip(&steps)
            .filter(|(weight, _)| **weight > 0.0);
        better.for_each(|(weight, step)| add(&mut mean_step, *weight, step));
        add(&mut self.mean, self.sigma, &mean_step);
        self.adapt_sigma(&mean_step);
        self.adapt_covariance(&mean_step, &steps);
        self.update_eigen();
    }

    fn solution(&self) -> Vec<f64> {
        self.mean.clone()
    }

    fn diagnostics(&self) -> Diagnostics {
        let mut eigenvalues = self.eigen.values.clone();
        eigenvalues.sort_by(f64::total_cmp);
        let trace: f64 = (0..self.mean.len()).map(|i| self.covariance[i][i]).sum();
        Diagnostics {
            sigma: Some(self.sigma),
            eigenvalues,
            spread: self.sigma * (trace / self.mean.len() as f64).sqrt(),
        }
    }

    fn stopped(&self) -> Option<String> {
        let longest = largest(&self.eigen.values);
        let shortest = self
            .eigen
            .values
            .iter()
            .copied()
            .fold(f64::INFINITY, f64::min);
        if self.sigma * longest.sqrt() < 1e-12 {
            return Some("the step size has collapsed".to_owned());
        }
        if longest > 1e14 * shortest {
            return Some("the covariance matrix has become singular".to_owned());
        }
        None
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

fn decay(vector: &mut [f64], factor: f64) {
    vector.iter_mut().for_each(|x| *x *= factor);
}

fn add(vector: &mut [f64], factor: f64, other: &[f64]) {
    vector
        .iter_mut()
        .zip(other)
        .for_each(|(x, y)| *x += factor * y);
}

/// Adds factor · v vᵀ.
fn add_square(matrix: &mut Matrix, factor: f64, vector: &[f64]) {
    for (row, x) in matrix.iter_mut().zip(vector) {
        add(row, factor * x, vector);
    }
}
