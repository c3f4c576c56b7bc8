//! Harmony search: new vectors are put together from remembered ones, as musicians improvise.
//!
//! Each coordinate of a new harmony is taken from a random member of the memory (with the chance `consider`) and then perhaps shifted a
//! little (with the chance `adjust`), or else drawn anew from the box. A new harmony takes the place of the worst in the memory if it is
//! better. The first generation fills the memory; each later one has `improvisations` new harmonies, in the paper one.
//!
//! 1. Z. W. Geem, J. H. Kim and G. V. Loganathan, "A new heuristic optimization algorithm: harmony search", Simulation 76(2), 2001.
//! 2. V. Romero, L. Tomes and J. Yusiong, "Tetris agent optimization using harmony search algorithm", IJCSI 8(1), 2011.

use super::sampling::Sampler;
use super::vectors::{Rated, rated, sort_best_first, spread};
use super::{
    Diagnostics, Kind, Learner, LearningMethod, Optimizer, Preset, Protocol, Setting, Settings,
};

pub(in crate::learners) const LEARNER: Learner = Learner {
    id: "harmony-search",
    definition: "a small memory; new vectors mix its members' coordinates, shift some a little, draw a few anew",
    source: "Geem, Kim and Loganathan 2001; Romero, Tomes and Yusiong 2011",
    settings: &[
        Setting {
            id: "memory",
            help: "how many vectors are remembered (HMS)",
            default: Some("5"),
            kind: Kind::POPULATION,
        },
        Setting {
            id: "improvisations",
            help: "new vectors per generation",
            default: Some("1"),
            kind: Kind::Count {
                least: 1,
                most: 100_000,
            },
        },
        Setting {
            id: "consider",
            help: "the chance that a coordinate comes from the memory (HMCR)",
            default: Some("0.95"),
            kind: Kind::SHARE,
        },
        Setting {
            id: "adjust",
            help: "the chance that such a coordinate is shifted (PAR)",
            default: Some("0.99"),
            kind: Kind::SHARE,
        },
        Setting {
            id: "bandwidth",
            help: "how far it is shifted at most (bw)",
            default: Some("0.1"),
            kind: Kind::LENGTH,
        },
        super::start::RANGE,
    ],
    make: LearningMethod::optimiser(&[ROMERO], |settings, dimension, seed| {
        Box::new(HarmonySearch::new(settings, dimension, seed))
    }),
};

const ROMERO: Preset = Preset {
    id: "romero",
    learner: "harmony-search",
    definition: "memory of 5, as in the paper, whose objective is pieces per row (ours: lines); its other constants are not known: those \
          of a later program (Harmonomino)",
    source: "Romero, Tomes and Yusiong 2011",
    settings: &[
        ("memory", "5"),
        ("consider", "0.95"),
        ("adjust", "0.99"),
        ("bandwidth", "0.1"),
        ("range", "1"),
    ],
    protocol: Protocol {
        features: Some("romero-19"),
        ruleset: Some("simplified-10x20"),
        generations: Some(100),
        objective: Some("lines"),
        ..Protocol::OPEN
    },
};

struct HarmonySearch {
    size: usize,
    improvisations: usize,
    consider: f64,
    adjust: f64,
    bandwidth: f64,
    range: f64,
    dimension: usize,
    sampler: Sampler,
    asked: Vec<Vec<f64>>,
    /// Best first; empty until the first generation is told.
    memory: Vec<Rated>,
}

impl HarmonySearch {
    fn new(settings: &Settings, dimension: usize, seed: u64) -> HarmonySearch {
        HarmonySearch {
            size: settings.count("memory"),
            improvisations: settings.count("improvisations"),
            consider: settings.number("consider"),
            adjust: settings.number("adjust"),
            bandwidth: settings.number("bandwidth"),
            range: settings.number("range"),
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
        if !self.sampler.chance(self.consider) {
            return self.range * self.sampler.sign_unit();
        }
        let member = self.sampler.below(self.memory.len());
        let note = self.memory[member].vector[i];
        if !self.sampler.chance(self.adjust) {
            return note;
        }
        let shifted = note + self.bandwidth * self.sampler.sign_unit();
        shifted.clamp(-self.range, self.range)
    }

    fn vectors(&self) -> impl Iterator<Item = &Vec<f64>> + Clone {
        self.memory.iter().map(|harmony| &harmony.vector)
    }
}

impl Optimizer for HarmonySearch {
    fn ask(&mut self) -> Vec<Vec<f64>> {
        self.asked = if self.memory.is_empty() {
            let first = |_| self.sampler.in_box(self.dimension, self.range);
            (0..self.size).map(first).collect()
        } else {
            (0..self.improvisations).map(|_| self.improvise()).collect()
        };
        self.asked.clone()
    }

    fn tell(&mut self, fitness: &[f64]) {
        self.memory.extend(rated(&mut self.asked, fitness));
        // Of equal ones the older stays.
        sort_best_first(&mut self.memory);
        self.memory.truncate(self.size);
    }

    fn solution(&self) -> Vec<f64> {
        let best = self.memory.first().map(|harmony| harmony.vector.clone());
        best.unwrap_or_else(|| vec![0.0; self.dimension])
    }

    fn diagnostics(&self) -> Diagnostics {
        Diagnostics {
            spread: spread(self.vectors()),
            ..Diagnostics::default()
        }
    }

    fn stopped(&self) -> Option<String> {
        None
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
    fn without_adjustment_every_note_comes_from_the_memory() {
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
