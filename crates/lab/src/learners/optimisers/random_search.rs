//! Random search: independent candidates, of which the best is kept. The baseline for every other
//! learner.
//!
//! With noisy fitness, the best of many candidates is a lucky one: measure it again.

use super::sampling::Sampler;
use super::start::{FirstPoints, RANGE, START};
use super::vectors::{Rated, assert_one_each, spread};
use super::{Kind, Learner, LearningMethod, Optimizer, Settings};
use crate::settings::settings;

pub(in crate::learners) const LEARNER: Learner = Learner {
    id: "random-search",
    definition: "independent candidates, of which the best is kept",
    source: "Bergstra and Bengio 2012",
    settings: RandomSettings::SETTINGS,
    make: LearningMethod::optimiser(&[], |settings, dimension, seed| {
        Box::new(RandomSearch::new(settings, dimension, seed))
    }),
};

settings! {
    struct RandomSettings {
        /// candidates per generation
        population: usize = "50" in Kind::POPULATION;
        start: String = START;
        range: f64 = RANGE;
    }
}

struct RandomSearch {
    population: usize,
    start: FirstPoints,
    sampler: Sampler,
    asked: Vec<Vec<f64>>,
    best: Rated,
}

impl RandomSearch {
    fn new(settings: &Settings, dimension: usize, seed: u64) -> RandomSearch {
        let start = FirstPoints::new(settings, dimension);
        RandomSearch {
            population: RandomSettings::read(settings).population,
            best: Rated::unknown(start.middle()),
            start,
            sampler: Sampler::new(seed),
            asked: Vec::new(),
        }
    }
}

impl Optimizer for RandomSearch {
    fn ask(&mut self) -> Vec<Vec<f64>> {
        self.asked = self.start.draw(&mut self.sampler, self.population);
        self.asked.clone()
    }

    fn tell(&mut self, fitness: &[f64]) {
        assert_one_each(self.asked.len(), fitness);
        for (vector, &fitness) in self.asked.iter().zip(fitness) {
            self.best.improve(vector, fitness);
        }
    }

    fn solution(&self) -> Vec<f64> {
        self.best.vector.clone()
    }

    fn spread(&self) -> f64 {
        spread(self.asked.iter())
    }
}
