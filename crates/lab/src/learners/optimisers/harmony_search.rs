//! Harmony search: new vectors are combined from a memory of good ones, as musicians improvise.
//!
//! Each coordinate of a new harmony is taken from a random member of the memory (with probability
//! `consider`) and then possibly shifted a little (with probability `adjust`), or else drawn from
//! the box. A new harmony replaces the worst in the memory if it is better. The first generation
//! fills the memory; each later one creates `improvisations` new harmonies (one in the paper).
//!
//! 1. Z. W. Geem, J. H. Kim and G. V. Loganathan, "A new heuristic optimization algorithm: harmony
//!    search", Simulation 76(2), 2001.
//! 2. V. Romero, L. Tomes and J. Yusiong, "Tetris agent optimization using harmony search
//!    algorithm", IJCSI 8(1), 2011.

use super::sampling::Sampler;
use super::start::RANGE;
use super::vectors::{Rated, rated, sort_best_first, spread};
use super::{Kind, Learner, LearningMethod, Optimizer, Preset, Protocol, Settings};
use crate::settings::settings;

pub(in crate::learners) const LEARNER: Learner = Learner {
    id: "harmony-search",
    definition: "new vectors combine coordinates of a small memory, shift some a little, and draw a few at random",
    source: "Geem, Kim and Loganathan 2001; Romero, Tomes and Yusiong 2011",
    settings: HarmonySettings::SETTINGS,
    make: LearningMethod::optimiser(&[ROMERO], |settings, dimension, seed| {
        Box::new(HarmonySearch::new(settings, dimension, seed))
    }),
};

settings! {
    struct HarmonySettings {
        /// number of remembered vectors (HMS)
        memory: usize = "5" in Kind::POPULATION;
        /// new vectors per generation
        improvisations: usize = "1" in Kind::count(1, 100_000);
        /// probability that a coordinate comes from the memory (HMCR)
        consider: f64 = "0.95" in Kind::SHARE;
        /// probability that such a coordinate is shifted (PAR)
        adjust: f64 = "0.99" in Kind::SHARE;
        /// largest shift of a coordinate (bw)
        bandwidth: f64 = "0.1" in Kind::LENGTH;
        range: f64 = RANGE;
    }
}

const ROMERO: Preset = Preset {
    id: "romero",
    definition: "memory of 5, as in the paper, whose objective is pieces per row (ours: lines); its other constants are unknown, so those of a later program (Harmonomino) are used",
    source: "Romero, Tomes and Yusiong 2011",
    settings: "memory=5,consider=0.95,adjust=0.99,bandwidth=0.1,range=1",
    protocol: Protocol {
        features: Some("romero-19"),
        ruleset: Some("simplified-10x20"),
        generations: Some(100),
        objective: Some("lines"),
        ..Protocol::OPEN
    },
};

struct HarmonySearch {
    settings: HarmonySettings,
    dimension: usize,
    sampler: Sampler,
    asked: Vec<Vec<f64>>,
    /// Best first; empty until the first generation has been evaluated.
    memory: Vec<Rated>,
}

impl HarmonySearch {
    fn new(settings: &Settings, dimension: usize, seed: u64) -> HarmonySearch {
        HarmonySearch {
            settings: HarmonySettings::read(settings),
            dimension,
            sampler: Sampler::new(seed),
            asked: Vec::new(),
            memory: Vec::new(),
        }
    }

    fn improvise(&mut self) -> Vec<f64> {
        (0..self.dimension).map(|i| self.note(i)).collect()
    }

    /// One coordinate of a new harmony.
    fn note(&mut self, i: usize) -> f64 {
        if !self.sampler.chance(self.settings.consider) {
            return self.settings.range * self.sampler.sign_unit();
        }
        let member = self.sampler.below(self.memory.len());
        let note = self.memory[member].vector[i];
        if !self.sampler.chance(self.settings.adjust) {
            return note;
        }
        let shifted = note + self.settings.bandwidth * self.sampler.sign_unit();
        shifted.clamp(-self.settings.range, self.settings.range)
    }

    fn vectors(&self) -> impl Iterator<Item = &Vec<f64>> + Clone {
        self.memory.iter().map(|harmony| &harmony.vector)
    }
}

impl Optimizer for HarmonySearch {
    fn ask(&mut self) -> Vec<Vec<f64>> {
        self.asked = if self.memory.is_empty() {
            let first = |_| self.sampler.in_box(self.dimension, self.settings.range);
            (0..self.settings.memory).map(first).collect()
        } else {
            (0..self.settings.improvisations)
                .map(|_| self.improvise())
                .collect()
        };
        self.asked.clone()
    }

    fn tell(&mut self, fitness: &[f64]) {
        self.memory.extend(rated(&mut self.asked, fitness));
        // Among equal ones, the older one is kept.
        sort_best_first(&mut self.memory);
        self.memory.truncate(self.settings.memory);
    }

    fn solution(&self) -> Vec<f64> {
        let best = self.memory.first().map(|harmony| harmony.vector.clone());
        best.unwrap_or_else(|| vec![0.0; self.dimension])
    }

    fn spread(&self) -> f64 {
        spread(self.vectors())
    }
}

#[cfg(test)]
mod tests {
    use crate::learners::find_learner;

    #[test]
    fn a_new_harmony_replaces_the_worst_only_if_it_is_better() {
        let chosen = find_learner("harmony-search(memory=3)").unwrap();
        let mut optimizer = chosen.optimizer(2, 1).unwrap();
        let first = optimizer.ask();
        optimizer.tell(&[1.0, 2.0, 3.0]);
        assert_eq!(optimizer.ask().len(), 1);
        let before = optimizer.diagnostics();
        optimizer.tell(&[1.0]);
        assert_eq!(optimizer.diagnostics(), before);
        assert_eq!(optimizer.solution(), first[2]);
        let better = optimizer.ask();
        optimizer.tell(&[4.0]);
        assert_ne!(optimizer.diagnostics(), before);
        assert_eq!(optimizer.solution(), better[0]);
    }

    #[test]
    fn without_adjustment_every_note_is_from_the_memory() {
        let spec = "harmony-search(memory=3,consider=1,adjust=0,improvisations=50)";
        let mut optimizer = find_learner(spec).unwrap().optimizer(2, 1).unwrap();
        let memory = optimizer.ask();
        optimizer.tell(&[0.0; 3]);
        for harmony in optimizer.ask() {
            for i in 0..2 {
                assert!(memory.iter().any(|member| member[i] == harmony[i]));
            }
        }
    }

    #[test]
    fn notes_stay_in_the_box_and_near_the_memory() {
        let spec = "harmony-search(memory=2,consider=1,adjust=1,range=0.5,improvisations=200)";
        let mut optimizer = find_learner(spec).unwrap().optimizer(1, 1).unwrap();
        let memory = optimizer.ask();
        optimizer.tell(&[0.0; 2]);
        for harmony in optimizer.ask() {
            assert!(harmony[0].abs() <= 0.5);
            assert!(
                memory
                    .iter()
                    .any(|member| (member[0] - harmony[0]).abs() <= 0.1)
            );
        }
    }
}
