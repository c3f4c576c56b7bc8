//! Mutation of children.

use super::GaSettings;
use crate::learners::optimisers::sampling::Sampler;

/// The change of a mutating coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// A number between plus and minus the step is added (near-perfect, ga-essay).
    Uniform,
    /// The step is added or subtracted (thesis: "+/- 0.2").
    Fixed,
    /// The coordinate is multiplied by a normal number around 1 (Böhm's game as reimplemented by
    /// others).
    Relative,
}

/// Changes some children.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mutation {
    chance: f64,
    each: bool,
    step: f64,
    change: Change,
}

impl Mutation {
    pub(super) fn new(settings: &GaSettings) -> Mutation {
        Mutation {
            chance: settings.mutation,
            each: settings.mutates == "each",
            step: settings.step,
            change: match settings.change.as_str() {
                "uniform" => Change::Uniform,
                "fixed" => Change::Fixed,
                _ => Change::Relative,
            },
        }
    }

    pub(super) fn apply(&self, child: &mut [f64], sampler: &mut Sampler) {
        if self.each {
            for x in child {
                if sampler.chance(self.chance) {
                    *x = self.changed(*x, sampler);
                }
            }
        } else if sampler.chance(self.chance) {
            let which = sampler.below(child.len());
            child[which] = self.changed(child[which], sampler);
        }
    }

    fn changed(&self, x: f64, sampler: &mut Sampler) -> f64 {
        match self.change {
            Change::Uniform => x + self.step * sampler.sign_unit(),
            Change::Fixed if sampler.chance(0.5) => x + self.step,
            Change::Fixed => x - self.step,
            Change::Relative => x * (1.0 + self.step * sampler.normal()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutated(mutation: Mutation, times: usize) -> Vec<Vec<f64>> {
        let mut sampler = Sampler::new(1);
        let one = |_| {
            let mut child = vec![1.0; 4];
            mutation.apply(&mut child, &mut sampler);
            child
        };
        (0..times).map(one).collect()
    }

    fn mutation(chance: f64, each: bool, change: Change) -> Mutation {
        Mutation {
            chance,
            each,
            step: 0.2,
            change,
        }
    }

    #[test]
    fn one_coordinate_of_every_twentieth_child_changes_by_up_to_the_step() {
        let children = mutated(mutation(0.05, false, Change::Uniform), 10_000);
        let changed: Vec<_> = children
            .iter()
            .filter(|child| **child != [1.0; 4])
            .collect();
        // The expected number is 500, with a standard deviation of 22.
        assert!(changed.len().abs_diff(500) < 110, "{}", changed.len());
        for child in changed {
            assert_eq!(child.iter().filter(|x| **x != 1.0).count(), 1);
            assert!(child.iter().all(|x| (x - 1.0).abs() <= 0.2));
        }
    }

    #[test]
    fn a_fixed_change_is_the_step_up_or_down() {
        let children = mutated(mutation(1.0, false, Change::Fixed), 1_000);
        let up = children.iter().filter(|child| child.contains(&1.2)).count();
        let down = children.iter().filter(|child| child.contains(&0.8)).count();
        assert_eq!(up + down, 1_000);
        assert!(up.abs_diff(500) < 80);
    }

    #[test]
    fn each_coordinate_can_have_the_chance_of_its_own() {
        let children = mutated(mutation(0.25, true, Change::Relative), 1_000);
        let changed = children.iter().flatten().filter(|x| **x != 1.0).count();
        // The expected number is 1000 of 4000, with a standard deviation of 27.
        assert!(changed.abs_diff(1_000) < 140, "{changed}");
    }
}
