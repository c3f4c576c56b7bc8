//! The cross-entropy method: independent normal distributions, repeatedly fitted to the best of
//! their samples.
//!
//! Without noise, the variances vanish before the optimum is found; so noise is added to them after
//! every generation \[1\]: Z_t = max(noise - fall t, 0) after generation t = 1, 2, ... Constant
//! noise (fall 0) was best in \[2\] and \[3\].
//!
//! 1. I. Szita and A. Lőrincz, "Learning Tetris using the noisy cross-entropy method", Neural
//!    Computation 18(12), 2006.
//! 2. C. Thiery and B. Scherrer, "Improvements on learning Tetris with cross entropy", ICGA Journal
//!    32(1), 2009.
//! 3. B. Scherrer et al., "Approximate modified policy iteration and its application to the game of
//!    Tetris", JMLR 16, 2015.
//! 4. P.-T. de Boer, D. Kroese, S. Mannor and R. Rubinstein, "A tutorial on the cross-entropy
//!    method", 2005.

use super::sampling::Sampler;
use super::vectors::{assert_one_each, centre, ranked, root_mean, variances};
use super::{Kind, Learner, LearningMethod, Optimizer, Preset, Protocol, Settings};
use crate::settings::settings;

pub(in crate::learners) const LEARNER: Learner = Learner {
    id: "cross-entropy",
    definition: "independent normal distributions, fitted to the best of their samples, with noise added to the variances",
    source: "Szita and Lőrincz 2006; de Boer et al. 2005",
    settings: CeSettings::SETTINGS,
    make: LearningMethod::optimiser(&[SZITA, THIERY, MISAKAMM], |settings, dimension, seed| {
        Box::new(CrossEntropy::new(settings, dimension, seed))
    }),
};

settings! {
    struct CeSettings {
        /// samples per generation (n)
        population: usize = "100" in Kind::POPULATION;
        /// share of the samples to which the distributions are fitted (rho)
        elite: f64 = "0.1" in Kind::SHARE;
        /// initial variance of every weight, around 0
        variance: f64 = "100" in Kind::LENGTH;
        /// added to every variance after a generation; 0 for none
        noise: f64 = "4" in Kind::number(0.0, 1e6);
        /// decrease of the noise per generation; 0 for constant noise
        fall: f64 = "0" in Kind::number(0.0, 1e6);
    }
}

const SZITA: Preset = Preset {
    id: "szita",
    definition: "decreasing noise, one game per sample (noise=0 or noise=4,fall=0 for the paper's other two)",
    source: "Szita and Lőrincz 2006",
    settings: "noise=5,fall=0.1",
    protocol: Protocol {
        features: Some("bertsekas-22"),
        ruleset: Some("simplified-10x20(end=top-row)"),
        games: Some(1),
        generations: Some(50),
        objective: Some("lines"),
        ..Protocol::OPEN
    },
};

const THIERY: Preset = Preset {
    id: "thiery",
    definition: "constant noise on the eight features of BCTS; the number of generations is not stated",
    source: "Thiery and Scherrer 2009",
    settings: "noise=4",
    protocol: Protocol {
        features: Some("bcts"),
        ruleset: Some("simplified-10x20"),
        games: Some(1),
        objective: Some("lines"),
        ..Protocol::OPEN
    },
};

const MISAKAMM: Preset = Preset {
    id: "misakamm",
    definition: "20 samples on a board of 13 rows, the middle third of 100 games; elite, noise, and the initial mean and variance are ours",
    source: "Misakamm 2026 (tetr-ai v2.0)",
    settings: "population=20,elite=0.25,noise=4",
    protocol: Protocol {
        features: Some("misakamm"),
        player: Some("greedy(ties=center)"),
        ruleset: Some("simplified-10x13"),
        games: Some(100),
        generations: Some(100),
        objective: Some("trimmed"),
        ..Protocol::OPEN
    },
};

struct CrossEntropy {
    settings: CeSettings,
    elite: usize,
    sampler: Sampler,
    asked: Vec<Vec<f64>>,
    mean: Vec<f64>,
    variance: Vec<f64>,
    /// t
    generation: u32,
}

impl CrossEntropy {
    fn new(settings: &Settings, dimension: usize, seed: u64) -> CrossEntropy {
        let own = CeSettings::read(settings);
        CrossEntropy {
            elite: settings.share_of("elite", own.population, 1),
            sampler: Sampler::new(seed),
            asked: Vec::new(),
            mean: vec![0.0; dimension],
            variance: vec![own.variance; dimension],
            generation: 0,
            settings: own,
        }
    }

    fn sample(&mut self) -> Vec<f64> {
        let distributions = self.mean.iter().zip(&self.variance);
        distributions
            .map(|(mean, variance)| mean + variance.sqrt() * self.sampler.normal())
            .collect()
    }

    /// Z_t
    fn current_noise(&self) -> f64 {
        let CeSettings { noise, fall, .. } = self.settings;
        (noise - fall * f64::from(self.generation)).max(0.0)
    }
}

impl Optimizer for CrossEntropy {
    fn ask(&mut self) -> Vec<Vec<f64>> {
        self.asked = (0..self.settings.population)
            .map(|_| self.sample())
            .collect();
        self.asked.clone()
    }

    fn tell(&mut self, fitness: &[f64]) {
        assert_one_each(self.asked.len(), fitness);
        let order = ranked(fitness);
        let elite = order[..self.elite].iter().map(|&index| &self.asked[index]);
        self.mean = centre(elite.clone());
        self.variance = variances(elite, &self.mean);
        self.generation += 1;
        let noise = self.current_noise();
        self.variance
            .iter_mut()
            .for_each(|variance| *variance += noise);
    }

    fn solution(&self) -> Vec<f64> {
        self.mean.clone()
    }

    fn spread(&self) -> f64 {
        root_mean(&self.variance)
    }

    fn stopped(&self) -> Option<String> {
        let collapsed = root_mean(&self.variance) < 1e-12;
        collapsed.then(|| "the variances have vanished".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::super::vectors::length;
    use super::*;
    use crate::learners::find_learner;

    fn told(spec: &str, generations: usize) -> Box<dyn Optimizer> {
        let mut optimizer = find_learner(spec).unwrap().optimizer(2, 1).unwrap();
        for _ in 0..generations {
            let candidates = optimizer.ask();
            let fitness: Vec<f64> = candidates.iter().map(|x| -length(x)).collect();
            optimizer.tell(&fitness);
        }
        optimizer
    }

    #[test]
    fn the_distributions_are_fitted_to_the_elite() {
        let chosen = find_learner("cross-entropy(population=20,noise=0)").unwrap();
        let mut optimizer = chosen.optimizer(2, 1).unwrap();
        let samples = optimizer.ask();
        let mut fitness = [0.0; 20];
        (fitness[3], fitness[8]) = (1.0, 2.0);
        optimizer.tell(&fitness);
        let (a, b) = (&samples[3], &samples[8]);
        assert_eq!(
            optimizer.solution(),
            [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0]
        );
        let squares = (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
        let spread = optimizer.diagnostics().spread;
        assert!((spread * spread - squares / 8.0).abs() < 1e-9);
    }

    #[test]
    fn noise_sustains_the_variances_until_it_reaches_zero() {
        let constant = told("cross-entropy(noise=4)", 100).diagnostics().spread;
        assert!((2.0..3.0).contains(&constant), "{constant}");
        assert!(told("szita", 45).diagnostics().spread > 0.7);
        assert!(told("szita", 60).diagnostics().spread < 0.1);
        let plain = told("cross-entropy(noise=0)", 100);
        assert_eq!(plain.stopped().unwrap(), "the variances have vanished");
    }
}
