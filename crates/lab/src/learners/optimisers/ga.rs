//! The genetic algorithm on real vectors, with the operators of the founding documents.
//!
//! Parents are chosen by fitness, and a child is the mean of its two parents, weighted by their
//! fitness. Occasionally, one of its coordinates is changed by up to ±0.2. The children replace the
//! weakest part of the population, or all of it (`replace=1`). A surviving member keeps its
//! fitness, although it was measured on different games than that of the children.
//!
//! Fitness-proportional operators need non-negative fitness, as games give it. If a member's
//! fitness is negative, all are measured relative to the weakest.
//!
//! 1. "TetrisBot", master's thesis (thesis), chapter 5.3.1.
//! 2. Y. Lee, "Tetris AI: the (near) perfect bot", 2013 (near-perfect).
//! 3. An essay on a genetic algorithm for Tetris (ga-essay).
//! 4. N. Böhm, G. Kókai and S. Mandl, "An evolutionary approach to Tetris", MIC 2005.

mod mutation;
mod presets;
mod selection;

use self::mutation::Mutation;
use self::selection::Selection;
use super::sampling::Sampler;
use super::start::{FirstPoints, RANGE, START};
use super::vectors::{Rated, rated, scale_to_unit_length, sort_best_first, spread};
use super::{Kind, Learner, LearningMethod, Optimizer, Settings};
use crate::settings::settings;

pub(in crate::learners) const LEARNER: Learner = Learner {
    id: "ga",
    definition: "a population whose fitter members have children, some of which mutate",
    source: "Holland 1975; thesis; near-perfect; ga-essay",
    settings: GaSettings::SETTINGS,
    make: LearningMethod::optimiser(presets::ALL, |settings, dimension, seed| {
        Box::new(Genetic::new(settings, dimension, seed))
    }),
};

settings! {
    struct GaSettings {
        /// population size; each member needs a few kilobytes during a generation
        population: usize = "100" in Kind::POPULATION;
        /// share of the population replaced by children in each generation; 1 for all
        replace: f64 = "0.3" in Kind::SHARE;
        start: String = START;
        range: f64 = RANGE;
        /// how parents are chosen: each as the best of a random pool (tournament), as the two best
        /// of one pool (pool-pair), by rank (ranking), or in proportion to fitness (roulette)
        selection: String = "tournament"
            in Kind::Word(&["tournament", "pool-pair", "ranking", "roulette"]);
        /// share of the population in a tournament (at least two)
        pool: f64 = "0.1" in Kind::SHARE;
        /// a child is the mean of its parents weighted by fitness (weighted), or takes each
        /// coordinate from either parent (uniform)
        crossover: String = "weighted" in Kind::Word(&["weighted", "uniform"]);
        /// probability that a child, or a coordinate, mutates (see mutates)
        mutation: f64 = "0.05" in Kind::SHARE;
        /// whether one random coordinate of a child mutates, or each with its own probability
        mutates: String = "one" in Kind::Word(&["one", "each"]);
        /// size of a mutation
        step: f64 = "0.2" in Kind::LENGTH;
        /// add a random number between minus and plus the step (uniform); add or subtract the step
        /// (fixed); or multiply by a normal random number around 1 with the step as its standard
        /// deviation (relative)
        change: String = "uniform" in Kind::Word(&["uniform", "fixed", "relative"]);
        /// scale every child to unit length
        normalise: bool = "false" in Kind::Flag;
        /// stop when the spread of the population falls below this value
        diversity: f64 = "0.000001" in Kind::number(0.0, 1e6);
    }
}

struct Genetic {
    settings: GaSettings,
    /// Number of members replaced by children.
    replaced: usize,
    start: FirstPoints,
    selection: Selection,
    mutation: Mutation,
    sampler: Sampler,
    asked: Vec<Vec<f64>>,
    /// Best first; empty until the first generation has been evaluated.
    population: Vec<Rated>,
}

impl Genetic {
    fn new(settings: &Settings, dimension: usize, seed: u64) -> Genetic {
        let own = GaSettings::read(settings);
        Genetic {
            replaced: settings.share_of("replace", own.population, 1),
            start: FirstPoints::new(settings, dimension),
            selection: Selection::new(settings, own.population),
            mutation: Mutation::new(&own),
            sampler: Sampler::new(seed),
            asked: Vec::new(),
            population: Vec::new(),
            settings: own,
        }
    }

    /// A child of two members that are chosen according to their shares of fitness.
    fn child(&mut self, shares: &[f64]) -> Vec<f64> {
        let (a, b) = self.selection.parents(&mut self.sampler, shares);
        let (first, second) = (&self.population[a].vector, &self.population[b].vector);
        let mut child = if self.settings.crossover == "uniform" {
            either(first, second, &mut self.sampler)
        } else {
            weighted_mean(first, shares[a], second, shares[b])
        };
        self.mutation.apply(&mut child, &mut self.sampler);
        if self.settings.normalise {
            scale_to_unit_length(&mut child);
        }
        child
    }

    fn vectors(&self) -> impl Iterator<Item = &Vec<f64>> + Clone {
        self.population.iter().map(|member| &member.vector)
    }
}

impl Optimizer for Genetic {
    fn ask(&mut self) -> Vec<Vec<f64>> {
        self.asked = if self.population.is_empty() {
            self.start.draw(&mut self.sampler, self.settings.population)
        } else {
            let shares = shares(&self.population);
            (0..self.replaced).map(|_| self.child(&shares)).collect()
        };
        self.asked.clone()
    }

    /// Replaces the weakest members by the children.
    fn tell(&mut self, fitness: &[f64]) {
        let mut children = rated(&mut self.asked, fitness);
        for child in &mut children {
            child.fitness = tamed(child.fitness);
        }
        let stay = self.settings.population - children.len();
        self.population.truncate(stay);
        self.population.extend(children);
        sort_best_first(&mut self.population);
    }

    fn solution(&self) -> Vec<f64> {
        let best = self.population.first();
        best.map_or_else(|| self.start.middle(), |best| best.vector.clone())
    }

    fn spread(&self) -> f64 {
        spread(self.vectors())
    }

    fn stopped(&self) -> Option<String> {
        let lost = !self.population.is_empty() && spread(self.vectors()) < self.settings.diversity;
        lost.then(|| "the population has lost its diversity".to_owned())
    }
}

/// A fitness that can be added up: NaN becomes the worst value, and no value is large enough for
/// sums to overflow.
fn tamed(fitness: f64) -> f64 {
    const LARGEST: f64 = 1e300;
    if fitness.is_nan() {
        -LARGEST
    } else {
        fitness.clamp(-LARGEST, LARGEST)
    }
}

/// The fitness of each member (sorted, best first), shifted to be non-negative.
fn shares(population: &[Rated]) -> Vec<f64> {
    let weakest = population.last().map_or(0.0, |member| member.fitness);
    let zero = weakest.min(0.0);
    population
        .iter()
        .map(|member| member.fitness - zero)
        .collect()
}

/// The thesis' formula 10: between the parents, nearer to the fitter one. Scaled to unit length, it
/// is Lee's p1 fit(p1) + p2 fit(p2).
fn weighted_mean(a: &[f64], of_a: f64, b: &[f64], of_b: f64) -> Vec<f64> {
    let sum = of_a + of_b;
    let share = if sum > 0.0 { of_a / sum } else { 0.5 };
    let mean = |(a, b): (&f64, &f64)| share * a + (1.0 - share) * b;
    a.iter().zip(b).map(mean).collect()
}

/// Takes each coordinate from either parent.
fn either(a: &[f64], b: &[f64], sampler: &mut Sampler) -> Vec<f64> {
    let one = |(a, b): (&f64, &f64)| if sampler.chance(0.5) { *a } else { *b };
    a.iter().zip(b).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learners::find_learner;

    #[test]
    fn a_child_is_between_its_parents_closer_to_the_fitter() {
        let child = |of_a, of_b| weighted_mean(&[0.0, 8.0], of_a, &[4.0, 0.0], of_b);
        assert_eq!(child(300.0, 100.0), [1.0, 6.0]);
        assert_eq!(child(0.0, 0.0), [2.0, 4.0]);
        assert_eq!(child(0.0, 5.0), [4.0, 0.0]);
    }

    #[test]
    fn shares_count_from_the_weakest_only_when_it_is_negative() {
        let shares = |fitness: &[f64]| {
            let member = |&fitness: &f64| Rated {
                vector: vec![],
                fitness,
            };
            shares(&fitness.iter().map(member).collect::<Vec<_>>())
        };
        assert_eq!(shares(&[9.0, 4.0, 1.0]), [9.0, 4.0, 1.0]);
        assert_eq!(shares(&[9.0, 4.0, -1.0]), [10.0, 5.0, 0.0]);
    }

    #[test]
    fn the_weakest_give_way_to_the_children_however_weak_these_are() {
        let chosen = find_learner("ga(population=10,replace=0.3,mutation=0)").unwrap();
        let mut optimizer = chosen.optimizer(2, 1).unwrap();
        let first = optimizer.ask();
        let fitness: Vec<f64> = (0..10).map(f64::from).collect();
        optimizer.tell(&fitness);
        assert_eq!(optimizer.solution(), first[9]);
        for _ in 0..3 {
            assert_eq!(optimizer.ask().len(), 3);
            optimizer.tell(&[0.5, 0.5, 0.5]);
            assert_eq!(optimizer.solution(), first[9]);
        }
    }

    #[test]
    fn replacing_the_whole_population_loses_the_best() {
        let chosen = find_learner("ga(population=10,replace=1)").unwrap();
        let mut optimizer = chosen.optimizer(2, 1).unwrap();
        optimizer.ask();
        optimizer.tell(&[9.0; 10]);
        let children = optimizer.ask();
        assert_eq!(children.len(), 10);
        let mut fitness = [1.0; 10];
        fitness[4] = 2.0;
        optimizer.tell(&fitness);
        assert_eq!(optimizer.solution(), children[4]);
    }

    #[test]
    fn without_mutation_the_population_collapses_and_the_run_reports_it() {
        let chosen = find_learner("ga(population=10,mutation=0)").unwrap();
        let mut optimizer = chosen.optimizer(3, 1).unwrap();
        for _ in 0..200 {
            let fitness: Vec<f64> = optimizer.ask().iter().map(|x| x[0]).collect();
            optimizer.tell(&fitness);
        }
        assert_eq!(
            optimizer.stopped().unwrap(),
            "the population has lost its diversity"
        );
    }
}
