//! LM-MA-ES: a few directions instead of a covariance matrix \[1\].
//!
//! A matrix M with M Mᵀ = C turns a standard normal vector into a step. It is never stored: it is
//! the product of m ≈ 3 ln n matrices (1 - c_d) I + c_d m_j m_jᵀ, and each m_j is a path of
//! successful steps that forgets at its own rate. Time and memory of a candidate grow with n ln n,
//! and unlike a diagonal matrix it follows rotated valleys. Names and constants are those of
//! algorithm 2 of \[1\].
//!
//! Differences from the paper: rates that its formulas put above 1, which happens with few
//! coordinates, are set to 1 (1/2 for c_d). A generation multiplies the step size by at most e.
//! Steps are recovered by inverting the matrices instead of being stored, so that candidates can be
//! scaled to unit length as in `cma_es.rs`.
//!
//! 1. I. Loshchilov, T. Glasmachers and H.-G. Beyer, "Limited-memory matrix adaptation for large
//!    scale black-box optimization", arXiv:1705.06693, 2017.

use super::{CmaSettings, Parameters, add, auto_population, decay};
use crate::learners::optimisers::sampling::Sampler;
use crate::learners::optimisers::vectors::{
    assert_one_each, dot, length, ranked, scale_to_unit_length, spread,
};
use crate::learners::{Diagnostics, Optimizer, Settings};

pub(super) struct LowRank {
    normalise: bool,
    sampler: Sampler,
    /// λ
    population: usize,
    asked: Vec<Vec<f64>>,
    /// w_i, of the better half.
    weights: Vec<f64>,
    /// μ_w
    mu_w: f64,
    /// y
    mean: Vec<f64>,
    /// σ
    sigma: f64,
    /// c_σ
    c_sigma: f64,
    /// p_σ
    sigma_path: Vec<f64>,
    directions: Vec<Direction>,
    /// Number of directions in use: one more in each generation, until all are used.
    used: usize,
}

/// One factor of M.
struct Direction {
    /// m_j
    path: Vec<f64>,
    /// c_d,j: how strongly the direction transforms a step.
    c_d: f64,
    /// c_c,j: how quickly the direction forgets.
    c_c: f64,
}

impl Direction {
    fn new(number: usize, dimension: usize, population: usize) -> Direction {
        let n = dimension as f64;
        Direction {
            path: vec![0.0; dimension],
            c_d: (1.0 / (libm::pow(1.5, number as f64) * n)).min(0.5),
            c_c: (population as f64 / (libm::pow(4.0, number as f64) * n)).min(1.0),
        }
    }

    /// d ← (1 - c_d) d + c_d m (mᵀ d).
    fn turn(&self, d: &mut [f64]) {
        let along = dot(&self.path, d);
        decay(d, 1.0 - self.c_d);
        add(d, self.c_d * along, &self.path);
    }

    /// The inverse of `turn` (Sherman and Morrison).
    fn turn_back(&self, d: &mut [f64]) {
        let keep = 1.0 - self.c_d;
        let whole = keep + self.c_d * dot(&self.path, &self.path);
        let along = self.c_d * dot(&self.path, d) / whole;
        add(d, -along, &self.path);
        decay(d, 1.0 / keep);
    }
}

impl LowRank {
    pub(super) fn new(settings: &Settings, dimension: usize, seed: u64) -> LowRank {
        let own = CmaSettings::read(settings);
        let auto = auto_population(dimension);
        let population = own.population.unwrap_or(auto);
        let Parameters {
            mut weights,
            mu_eff,
            ..
        } = Parameters::new(dimension, population, false, 1.0);
        weights.retain(|weight| *weight > 0.0);
        let direction = |number| Direction::new(number, dimension, population);
        LowRank {
            normalise: own.normalise,
            sampler: Sampler::new(seed),
            population,
            asked: Vec::new(),
            weights,
            mu_w: mu_eff,
            mean: vec![0.0; dimension],
            sigma: own.sigma,
            c_sigma: (2.0 * population as f64 / dimension as f64).min(1.0),
            sigma_path: vec![0.0; dimension],
            // m is the population that the paper recommends, regardless of the actual population.
            directions: (0..auto).map(direction).collect(),
            used: 0,
        }
    }

    /// x = y + σ M z.
    fn sample(&mut self) -> Vec<f64> {
        let mut d = self.sampler.normals(self.mean.len());
        let used = self.directions[..self.used].iter();
        used.for_each(|direction| direction.turn(&mut d));
        let mut x = self.mean.clone();
        add(&mut x, self.sigma, &d);
        if self.normalise {
            scale_to_unit_length(&mut x);
        }
        x
    }

    /// M⁻¹ d.
    fn turned_back(&self, mut d: Vec<f64>) -> Vec<f64> {
        let used = self.directions[..self.used].iter().rev();
        used.for_each(|direction| direction.turn_back(&mut d));
        d
    }

    /// Σ w_i d_i:λ: the mean of the better half of the steps, in units of σ.
    fn mean_step(&self, fitness: &[f64]) -> Vec<f64> {
        let mut step = vec![0.0; self.mean.len()];
        for (weight, index) in self.weights.iter().zip(ranked(fitness)) {
            let x = &self.asked[index];
            let pairs = step.iter_mut().zip(x.iter().zip(&self.mean));
            pairs.for_each(|(sum, (x, mean))| *sum += weight * (x - mean) / self.sigma);
        }
        step
    }
}

/// p ← (1 - c) p + √(μ_w c (2 - c)) z.
fn follow(path: &mut [f64], c: f64, mu_w: f64, z: &[f64]) {
    decay(path, 1.0 - c);
    add(path, (mu_w * c * (2.0 - c)).sqrt(), z);
}

impl Optimizer for LowRank {
    fn ask(&mut self) -> Vec<Vec<f64>> {
        self.asked = (0..self.population).map(|_| self.sample()).collect();
        self.asked.clone()
    }

    fn tell(&mut self, fitness: &[f64]) {
        assert_one_each(self.asked.len(), fitness);
        let step = self.mean_step(fitness);
        add(&mut self.mean, self.sigma, &step);
        // M is linear: it maps the mean of the z_i to the mean of the d_i.
        let z = self.turned_back(step);
        follow(&mut self.sigma_path, self.c_sigma, self.mu_w, &z);
        for direction in &mut self.directions {
            follow(&mut direction.path, direction.c_c, self.mu_w, &z);
        }
        self.used = (self.used + 1).min(self.directions.len());
        let square = dot(&self.sigma_path, &self.sigma_path);
        let excess = self.c_sigma / 2.0 * (square / self.mean.len() as f64 - 1.0);
        self.sigma *= libm::exp(excess.min(1.0));
    }

    fn solution(&self) -> Vec<f64> {
        self.mean.clone()
    }

    fn spread(&self) -> f64 {
        spread(self.asked.iter())
    }

    fn diagnostics(&self) -> Diagnostics {
        Diagnostics {
            sigma: Some(self.sigma),
            spread: self.spread(),
            ..Diagnostics::default()
        }
    }

    fn stopped(&self) -> Option<String> {
        let longest = self
            .directions
            .iter()
            .map(|direction| length(&direction.path));
        let longest = longest.fold(1.0, f64::max);
        let collapsed = self.sigma * longest < 1e-12;
        collapsed.then(|| "the step size has collapsed".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learners::find_learner;

    #[test]
    fn inverting_a_step_gives_the_drawn_vector() {
        let chosen = find_learner("cma-es(covariance=low-rank)").unwrap();
        let mut strategy = LowRank::new(&chosen.settings, 20, 1);
        for _ in 0..30 {
            let asked = strategy.ask();
            let told: Vec<f64> = asked.iter().map(|x| x[0] - 9.0 * x[1] * x[1]).collect();
            strategy.tell(&told);
        }
        let z = strategy.sampler.normals(20);
        let mut d = z.clone();
        let all = strategy.directions.iter();
        all.for_each(|direction| direction.turn(&mut d));
        let change: f64 = z.iter().zip(&d).map(|(a, b)| (a - b).abs()).sum();
        assert!(change > 0.5, "{change}");
        for (back, z) in strategy.turned_back(d).iter().zip(&z) {
            assert!((back - z).abs() < 1e-9, "{back} {z}");
        }
    }

    #[test]
    fn memory_is_that_of_some_vectors() {
        let chosen = find_learner("cma-es(covariance=low-rank)").unwrap();
        let strategy = LowRank::new(&chosen.settings, 10_000, 1);
        assert_eq!(strategy.directions.len(), 4 + 27);
    }
}
