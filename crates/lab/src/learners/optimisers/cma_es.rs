//! CMA-ES: the evolution strategy that adapts its covariance matrix.
//!
//! Candidates are drawn from a normal distribution around a mean; the mean moves towards the better
//! ones, the covariance matrix learns the shape of the steps that succeeded, and the step size
//! grows while successive steps have similar directions and shrinks when they cancel out. Names and
//! equations follow \[1\]; `active` adds the negative weights of \[1\], equations 49 to 53, as
//! pycma does by default.
//!
//! With `normalise` every sample is scaled to unit length before it is evaluated, and the strategy
//! learns from the scaled vector \[2\]: positive multiples of a linear player's weights make the
//! same decisions, so without scaling the step size would grow without bound.
//!
//! `covariance` chooses the representation of the matrix: the full matrix ([`full`]), which takes
//! n² numbers and occasionally n³ steps; its diagonal ([`diagonal`]); or a few directions instead
//! of a matrix ([`low_rank`], a different strategy).
//!
//! 1. N. Hansen, "The CMA evolution strategy: a tutorial", arXiv:1604.00772, 2016.
//! 2. A. Boumaza, "On the evolution of artificial Tetris players", IEEE CIG 2009.
//! 3. N. Hansen and A. Ostermeier, "Completely derandomized self-adaptation in evolution
//!    strategies", Evolutionary Computation 9(2), 2001.

mod diagonal;
mod full;
mod low_rank;
mod parameters;
#[cfg(test)]
mod tests;

use self::diagonal::Diagonal;
use self::full::Full;
use self::low_rank::LowRank;
use self::parameters::Parameters;
use super::sampling::Sampler;
use super::vectors::{assert_one_each, length, ranked, scale_to_unit_length};
use super::{
    Diagnostics, Kind, Learner, LearningMethod, NETWORK_PROTOCOL, Optimizer, Preset, Protocol,
    Settings,
};
use crate::settings::settings;

pub(in crate::learners) const LEARNER: Learner = Learner {
    id: "cma-es",
    definition: "normal candidates around a mean, with a covariance matrix and a step size that adapt to successful steps",
    source: "Hansen and Ostermeier 2001; Hansen 2016; Ros and Hansen 2008; Loshchilov, Glasmachers and Beyer 2017",
    settings: CmaSettings::SETTINGS,
    make: LearningMethod::optimiser(
        &[BOUMAZA, NETWORK],
        |settings, dimension, seed| match settings.word("covariance") {
            "low-rank" => Box::new(LowRank::new(settings, dimension, seed)),
            _ => Box::new(CmaEs::new(settings, dimension, seed)),
        },
    ),
};

settings! {
    struct CmaSettings {
        /// candidates per generation (lambda); the better half moves the mean; auto is
        /// 4 + 3 ln(weights)
        population: Option<usize> = "auto" in Kind::POPULATION;
        /// initial step size, around the null vector
        sigma: f64 = "0.5" in Kind::LENGTH;
        /// scale every candidate to unit length, for fitness that depends on the direction only
        normalise: bool = "false" in Kind::Flag;
        /// let the worse half push the covariance matrix away (negative weights); not used by
        /// low-rank
        active: bool = "true" in Kind::Flag;
        /// representation of the covariance matrix: full, diagonal (Ros and Hansen 2008), or a few
        /// directions (Loshchilov, Glasmachers and Beyer 2017); auto is full up to 200 weights,
        /// then diagonal
        covariance: String = "auto" in Kind::Word(&["full", "diagonal", "low-rank"]);
    }
}

const BOUMAZA: Preset = Preset {
    id: "boumaza",
    definition: "30 candidates of unit length (mu 15), 50 iterations on the harder game, mean vectors of 20 runs averaged; his program \
          clears lines after an overflow, whereas here the game ends above the top",
    source: "Boumaza 2009",
    settings: "population=30,sigma=0.5,normalise=true,active=false",
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

const NETWORK: Preset = Preset {
    id: "network-cma-es",
    definition: "the parameters of the thesis' network, which the thesis trains in a different way; all settings are ours",
    source: "ours, after the thesis; Ros and Hansen 2008",
    settings: "covariance=diagonal",
    protocol: NETWORK_PROTOCOL,
};

/// Up to this many weights, `auto` keeps the full matrix (our choice): beyond that, n² numbers and
/// eigenvectors in n³ steps become expensive.
const FULL_UP_TO: usize = 200;

/// The population that the literature recommends for a dimension.
pub(super) fn auto_population(dimension: usize) -> usize {
    4 + (3.0 * libm::log(dimension as f64)) as usize
}

/// Whether the full covariance matrix is kept.
pub(super) fn keeps_matrix(settings: &Settings, dimension: usize) -> bool {
    match settings.word("covariance") {
        "full" => true,
        "auto" => dimension <= FULL_UP_TO,
        _ => false,
    }
}

/// The representation of the covariance matrix C.
trait Covariance: Send {
    /// C^(1/2) z.
    fn stretch(&self, z: Vec<f64>) -> Vec<f64>;

    /// C^(-1/2) y.
    fn whiten(&self, y: &[f64]) -> Vec<f64>;

    /// Equation 47: C is scaled, and squares v vᵀ are added with their weights.
    fn learn(&mut self, keep: f64, squares: &[(f64, &[f64])]);

    /// The eigenvalues, in any order.
    fn eigenvalues(&self) -> &[f64];

    /// The sum of the variances of all coordinates.
    fn trace(&self) -> f64;
}

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
    covariance: Box<dyn Covariance>,
    /// p_σ
    sigma_path: Vec<f64>,
    /// p_c
    covariance_path: Vec<f64>,
    /// (1 - c_σ)^2g after g generations: the remaining weight of the initial p_σ.
    start_left: f64,
}

impl CmaEs {
    fn new(settings: &Settings, dimension: usize, seed: u64) -> CmaEs {
        let own = CmaSettings::read(settings);
        let population = own.population.unwrap_or(auto_population(dimension));
        let is_full = keeps_matrix(settings, dimension);
        let speed = if is_full {
            1.0
        } else {
            Diagonal::speed(dimension)
        };
        let parameters = Parameters::new(dimension, population, own.active, speed);
        let covariance: Box<dyn Covariance> = if is_full {
            Box::new(Full::new(dimension, &parameters))
        } else {
            Box::new(Diagonal::new(dimension))
        };
        CmaEs {
            parameters,
            normalise: own.normalise,
            sampler: Sampler::new(seed),
            asked: Vec::new(),
            mean: vec![0.0; dimension],
            sigma: own.sigma,
            covariance,
            sigma_path: vec![0.0; dimension],
            covariance_path: vec![0.0; dimension],
            start_left: 1.0,
        }
    }

    /// x = m + σ C^(1/2) z (equations 38 to 40).
    fn sample(&mut self) -> Vec<f64> {
        let z = self.sampler.normals(self.mean.len());
        let step = self.covariance.stretch(z);
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

    /// Equations 43 and 44: the path of the whitened steps is compared with that of random steps.
    fn adapt_sigma(&mut self, mean_step: &[f64]) {
        let p = &self.parameters;
        let gain = (p.c_sigma * (2.0 - p.c_sigma) * p.mu_eff).sqrt();
        let (c_sigma, d_sigma, chi) = (p.c_sigma, p.d_sigma, p.expected_length);
        let white = self.covariance.whiten(mean_step);
        decay(&mut self.sigma_path, 1.0 - c_sigma);
        add(&mut self.sigma_path, gain, &white);
        let excess = c_sigma / d_sigma * (length(&self.sigma_path) / chi - 1.0);
        // A generation multiplies the step size by at most e, as in pycma.
        self.sigma *= libm::exp(excess.min(1.0));
    }

    /// h_σ: false while the path is so long that the step size is far too small; then p_c stalls.
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
        let of_steps = weights.iter().zip(steps);
        let of_steps = of_steps.map(|(weight, step)| (p.c_mu * weight, &step[..]));
        let of_path = (p.c_1, &self.covariance_path[..]);
        let squares: Vec<(f64, &[f64])> = [of_path].into_iter().chain(of_steps).collect();
        self.covariance.learn(keep, &squares);
    }

    /// Equation 46: a step with a negative weight is scaled to the expected length, so that C stays
    /// positive definite.
    fn bounded_weights(&self, steps: &[Vec<f64>]) -> Vec<f64> {
        let n = self.mean.len() as f64;
        let bounded = |(&weight, step): (&f64, &Vec<f64>)| {
            if weight >= 0.0 {
                return weight;
            }
            let length = length(&self.covariance.whiten(step));
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
    }

    fn solution(&self) -> Vec<f64> {
        self.mean.clone()
    }

    fn spread(&self) -> f64 {
        let trace = self.covariance.trace();
        self.sigma * (trace / self.mean.len() as f64).sqrt()
    }

    fn diagnostics(&self) -> Diagnostics {
        let mut eigenvalues = self.covariance.eigenvalues().to_vec();
        eigenvalues.sort_by(f64::total_cmp);
        Diagnostics {
            sigma: Some(self.sigma),
            eigenvalues,
            spread: self.spread(),
        }
    }

    fn stopped(&self) -> Option<String> {
        let eigenvalues = self.covariance.eigenvalues();
        let longest = largest(eigenvalues);
        let shortest = eigenvalues.iter().copied().fold(f64::INFINITY, f64::min);
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
