//! Ant colony: ants walk through a graph of weights and leave trails that later ants follow.
//!
//! The graph has a layer for each weight and in it a node for each value that the weight may have;
//! a walk from the first layer to the last is a vector \[1\]. The poster does not specify the
//! values, the trails or its "dynamic heuristic" against early convergence. In this implementation:
//!
//! - `levels` values in each layer, evenly from -range to range. An ant chooses one in proportion
//!   to the layer's trails.
//! - The trails of a layer sum to 1 (the hyper-cube framework \[2\]): in each generation the share
//!   `evaporation` evaporates, and the best ants deposit the same amount in proportion to their
//!   ranks \[3\].
//! - Trails below `floor` / `levels` are raised to it before all are scaled to sum to 1 again, so
//!   that every value keeps a positive probability \[4\] of at least 1 / (1 + `floor`) of that
//!   bound.
//! - Once the ants agree (the strongest trails hold `agreement` on average) the layers are rebuilt
//!   around the strongest path, `zoom` times as wide. With `zoom=1`, the graph and its resolution
//!   do not change.
//!
//! The solution is the path of the strongest trails, which is less noisy than the best ant.
//!
//! 1. X. Chen, H. Wang, W. Wang, Y. Shi and Y. Gao, "Apply ant colony optimization to Tetris",
//!    GECCO 2009 (poster).
//! 2. C. Blum and M. Dorigo, "The hyper-cube framework for ant colony optimization", IEEE Trans.
//!    SMC B 34(2), 2004.
//! 3. B. Bullnheimer, R. Hartl and C. Strauss, "A new rank based version of the ant system", CEJOR
//!    7(1), 1999.
//! 4. T. Stützle and H. Hoos, "MAX-MIN ant system", Future Generation Computer Systems 16(8), 2000.

use super::sampling::Sampler;
use super::start::RANGE;
use super::vectors::{assert_one_each, ranked, spread};
use super::{Kind, Learner, LearningMethod, Optimizer, Preset, Protocol, Settings};
use crate::settings::settings;

pub(in crate::learners) const LEARNER: Learner = Learner {
    id: "ant-colony",
    definition: "ants choose a value for each weight according to the trails of earlier ants; the best ants renew the trails",
    source: "Chen et al. 2009; Blum and Dorigo 2004",
    settings: AntSettings::SETTINGS,
    make: LearningMethod::optimiser(&[CHEN], |settings, dimension, seed| {
        Box::new(Colony::new(settings, dimension, seed))
    }),
};

settings! {
    struct AntSettings {
        /// ants per generation
        population: usize = "50" in Kind::POPULATION;
        /// values that a weight can have
        levels: usize = "11" in Kind::count(2, 10_001);
        range: f64 = RANGE;
        /// share of the ants that lay trails
        elite: f64 = "0.2" in Kind::SHARE;
        /// share of all trails that each generation renews
        evaporation: f64 = "0.2" in Kind::SHARE;
        /// approximate lower bound of a trail, relative to a uniform one
        floor: f64 = "0.1" in Kind::SHARE;
        /// mean of the strongest trails at which the layers are rebuilt
        agreement: f64 = "0.6" in Kind::SHARE;
        /// width of the new layers relative to the old ones; 1 keeps the old ones
        zoom: f64 = "0.7" in Kind::number(0.01, 1.0);
    }
}

const CHEN: Preset = Preset {
    id: "chen",
    definition: "a fixed graph of 21 values from -1 to 1 per weight; the poster states no parameters; all are ours",
    source: "Chen et al. 2009",
    settings: "levels=21,range=1,zoom=1",
    protocol: Protocol {
        ruleset: Some("simplified-10x20"),
        objective: Some("lines"),
        ..Protocol::OPEN
    },
};

struct Colony {
    settings: AntSettings,
    /// Number of ants that lay trails.
    elite: usize,
    sampler: Sampler,
    /// The walks of the last generation: a node for every layer.
    walks: Vec<Vec<usize>>,
    /// The centre of each layer's values.
    middles: Vec<f64>,
    /// Distance of the outermost values from the centre.
    range: f64,
    /// For each layer, the trails of the nodes, which sum to 1.
    trails: Vec<Vec<f64>>,
    /// The values along the strongest trails after the last generation.
    solution: Vec<f64>,
}

impl Colony {
    fn new(settings: &Settings, dimension: usize, seed: u64) -> Colony {
        let own = AntSettings::read(settings);
        Colony {
            elite: settings.share_of("elite", own.population, 1),
            sampler: Sampler::new(seed),
            walks: Vec::new(),
            middles: vec![0.0; dimension],
            range: own.range,
            trails: vec![vec![1.0 / own.levels as f64; own.levels]; dimension],
            solution: vec![0.0; dimension],
            settings: own,
        }
    }

    fn walk(&mut self) -> Vec<usize> {
        let layers = self.trails.iter();
        layers.map(|trails| self.sampler.weighted(trails)).collect()
    }

    /// The values of the nodes of a walk.
    fn vector(&self, walk: &[usize]) -> Vec<f64> {
        let last = (self.trails[0].len() - 1) as f64;
        let offset = |node: usize| self.range * (2.0 * node as f64 / last - 1.0);
        let pairs = self.middles.iter().zip(walk);
        pairs.map(|(middle, &node)| middle + offset(node)).collect()
    }

    /// For each layer, the node with the strongest trail.
    fn strongest_path(&self) -> Vec<usize> {
        self.trails.iter().map(|trails| ranked(trails)[0]).collect()
    }

    /// The mean of the strongest trails.
    fn current_agreement(&self) -> f64 {
        let strongest = |trails: &Vec<f64>| trails.iter().copied().fold(0.0, f64::max);
        let sum: f64 = self.trails.iter().map(strongest).sum();
        sum / self.trails.len() as f64
    }

    /// Evaporation, then the elite's deposits: the r-th best of k deposits k + 1 - r parts.
    fn renew_trails(&mut self, order: &[usize]) {
        let kept = 1.0 - self.settings.evaporation;
        self.trails
            .iter_mut()
            .flatten()
            .for_each(|trail| *trail *= kept);
        let parts = (self.elite * (self.elite + 1) / 2) as f64;
        for (rank, &ant) in order[..self.elite].iter().enumerate() {
            let amount = self.settings.evaporation * (self.elite - rank) as f64 / parts;
            for (trails, &node) in self.trails.iter_mut().zip(&self.walks[ant]) {
                trails[node] += amount;
            }
        }
        let floor = self.settings.floor / self.settings.levels as f64;
        for trails in &mut self.trails {
            raise_to_floor(trails, floor);
        }
    }

    /// New, narrower layers around the strongest path, with even trails.
    fn zoom_in(&mut self) {
        self.middles = self.solution.clone();
        self.range *= self.settings.zoom;
        let even = 1.0 / self.trails[0].len() as f64;
        self.trails
            .iter_mut()
            .flatten()
            .for_each(|trail| *trail = even);
    }
}

/// Raises trails below the floor, then scales all of them to sum to 1, which lowers the raised ones
/// slightly.
fn raise_to_floor(trails: &mut [f64], floor: f64) {
    trails
        .iter_mut()
        .for_each(|trail| *trail = trail.max(floor));
    let sum: f64 = trails.iter().sum();
    trails.iter_mut().for_each(|trail| *trail /= sum);
}

impl Optimizer for Colony {
    fn ask(&mut self) -> Vec<Vec<f64>> {
        self.walks = (0..self.settings.population).map(|_| self.walk()).collect();
        self.walks.iter().map(|walk| self.vector(walk)).collect()
    }

    fn tell(&mut self, fitness: &[f64]) {
        assert_one_each(self.walks.len(), fitness);
        self.renew_trails(&ranked(fitness));
        self.solution = self.vector(&self.strongest_path());
        if self.settings.zoom < 1.0 && self.current_agreement() > self.settings.agreement {
            self.zoom_in();
        }
    }

    fn solution(&self) -> Vec<f64> {
        self.solution.clone()
    }

    fn spread(&self) -> f64 {
        let vectors: Vec<Vec<f64>> = self.walks.iter().map(|walk| self.vector(walk)).collect();
        spread(vectors.iter())
    }

    fn stopped(&self) -> Option<String> {
        (self.range < 1e-12).then(|| "the values of the weights no longer differ".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learners::find_learner;

    fn colony(text: &str) -> Colony {
        Colony::new(&find_learner(text).unwrap().settings, 2, 1)
    }

    #[test]
    fn the_nodes_of_a_layer_are_even_values_from_end_to_end() {
        let mut colony = colony("ant-colony(levels=5,range=2)");
        let value = |colony: &Colony, node| colony.vector(&[node, 0])[0];
        let values: Vec<f64> = (0..5).map(|node| value(&colony, node)).collect();
        assert_eq!(values, [-2.0, -1.0, 0.0, 1.0, 2.0]);
        colony.middles[0] = 3.0;
        assert_eq!(value(&colony, 4), 5.0);
    }

    #[test]
    fn the_best_ants_lay_trails_by_rank_and_all_else_evaporates() {
        let mut colony =
            colony("ant-colony(population=4,elite=0.5,levels=4,evaporation=0.3,floor=0)");
        colony.walks = vec![vec![0, 0], vec![1, 0], vec![2, 3], vec![3, 3]];
        colony.renew_trails(&[2, 1, 0, 3]);
        // 0.7 of a quarter remains everywhere; of the other 0.3, the best ant deposits two thirds
        // and the second one third.
        let expected = [[0.175, 0.275, 0.375, 0.175], [0.275, 0.175, 0.175, 0.375]];
        for (trails, expected) in colony.trails.iter().flatten().zip(expected.as_flattened()) {
            assert!((trails - expected).abs() < 1e-12, "{:?}", colony.trails);
        }
    }

    #[test]
    fn every_value_keeps_a_chance() {
        let mut trails = vec![1.0, 0.0, 0.0, 0.0];
        raise_to_floor(&mut trails, 0.025);
        assert!((trails.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(trails[1..].iter().all(|trail| *trail > 0.02));
    }

    #[test]
    fn ants_that_agree_get_narrower_layers_around_their_path() {
        let mut colony = colony("ant-colony(zoom=0.5)");
        let mut ranges = vec![colony.range];
        for _ in 0..60 {
            let fitness: Vec<f64> = colony.ask().iter().map(|x| -(x[0] - 0.3).abs()).collect();
            colony.tell(&fitness);
            ranges.push(colony.range);
        }
        assert!(colony.range < 1.0);
        assert!(
            ranges
                .windows(2)
                .all(|pair| pair[1] == pair[0] || pair[1] == pair[0] / 2.0)
        );
        assert!((colony.solution()[0] - 0.3).abs() < 0.1);
    }
}
