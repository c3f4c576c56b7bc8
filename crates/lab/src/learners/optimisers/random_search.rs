//! Random search: candidates without any memory, of which the best is kept. What every other learner must beat.
//!
//! Under a noisy fitness the best of many is the luckiest of the good ones: measure it again.

use super::sampling::Sampler;
use super::start::FirstPoints;
use super::vectors::{Rated, assert_one_each, spread};
use super::{Diagnostics, Kind, Learner, LearningMethod, Optimizer, Setting, Settings};

pub(in crate::learners) const LEARNER: Learner = Learner {
    id: "random-search",
    definition: "independent candidates; the best that came is kept",
    source: "the baseline",
    settings: &[
        Setting {
            id: "population",
            help: "candidates per generation",
            default: Some("50"),
            kind: Kind::POPULATION,
        },
        super::start::START,
        super::start::RANGE,
    ],
    make: LearningMethod::optimiser(&[], |settings, dimension, seed| {
        Box::new(RandomSearch::new(settings, dimension, seed))
    }),
};

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
            population: settings.count("population"),
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

    fn diagnostics(&self) -> Diagnostics {
        Diagnostics {
            spread: spread(self.asked.iter()),
            ..Diagnostics::default()
        }
    }

    fn stopped(&self) -> Option<String> {
        None
    }
}
