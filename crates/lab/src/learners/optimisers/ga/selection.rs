//! Selection: how parents are chosen.

use crate::learners::Settings;
use crate::learners::optimisers::sampling::Sampler;

/// How parents are chosen from a population that is sorted, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Selection {
    /// Each parent is the best of a pool of this size (thesis).
    Tournament(usize),
    /// The parents are the two best of one pool of this size (near-perfect, ga-essay).
    PoolPair(usize),
    /// The best of n has n tickets, the next n - 1, and so on; the last has one (thesis).
    Ranking,
    /// Probabilities proportional to fitness (thesis).
    Roulette,
}

impl Selection {
    pub(super) fn new(settings: &Settings, population: usize) -> Selection {
        let pool = settings.share_of("pool", population, 2);
        match settings.word("selection") {
            "tournament" => Selection::Tournament(pool),
            "pool-pair" => Selection::PoolPair(pool),
            "ranking" => Selection::Ranking,
            _ => Selection::Roulette,
        }
    }

    /// The indices of two parents in the population, given every member's non-negative fitness.
    pub(super) fn parents(self, sampler: &mut Sampler, shares: &[f64]) -> (usize, usize) {
        if let Selection::PoolPair(pool) = self {
            let mut places = sampler.distinct(pool, shares.len());
            places.sort_unstable();
            return (places[0], places[1]);
        }
        (self.parent(sampler, shares), self.parent(sampler, shares))
    }

    fn parent(self, sampler: &mut Sampler, shares: &[f64]) -> usize {
        let count = shares.len();
        match self {
            Selection::Tournament(pool) | Selection::PoolPair(pool) => {
                let places = sampler.distinct(pool, count);
                places.into_iter().min().unwrap_or(0)
            }
            Selection::Ranking => {
                let lots: Vec<f64> = (1..=count).rev().map(|lots| lots as f64).collect();
                sampler.weighted(&lots)
            }
            Selection::Roulette => sampler.weighted(shares),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each of four members, with fitness 6, 3, 1 and 0, is a parent in 10 000 pairs.
    fn counts(selection: Selection) -> [usize; 4] {
        let mut sampler = Sampler::new(1);
        let mut counts = [0; 4];
        for _ in 0..10_000 {
            let (a, b) = selection.parents(&mut sampler, &[6.0, 3.0, 1.0, 0.0]);
            counts[a] += 1;
            counts[b] += 1;
        }
        counts
    }

    fn assert_chances(selection: Selection, chances: [f64; 4]) {
        let counts = counts(selection);
        for (count, chance) in counts.into_iter().zip(chances) {
            let expected = 20_000.0 * chance;
            // The largest standard deviation is 71.
            assert!(
                (count as f64 - expected).abs() < 300.0,
                "{selection:?}: {counts:?}"
            );
        }
    }

    #[test]
    fn every_selection_has_the_stated_probabilities() {
        assert_chances(Selection::Roulette, [0.6, 0.3, 0.1, 0.0]);
        assert_chances(Selection::Ranking, [0.4, 0.3, 0.2, 0.1]);
        // With pools of two out of four, the best is the first member in 3 of 6 cases, the second
        // in 2, and the third in 1.
        assert_chances(
            Selection::Tournament(2),
            [1.0 / 2.0, 1.0 / 3.0, 1.0 / 6.0, 0.0],
        );
        // With a pool of two, every pair can be parents; with a pool of four, only the first two.
        assert_chances(Selection::PoolPair(2), [0.25; 4]);
        assert_chances(Selection::PoolPair(4), [0.5, 0.5, 0.0, 0.0]);
    }

    #[test]
    fn a_population_without_any_success_has_parents_all_the_same() {
        let mut sampler = Sampler::new(1);
        let (a, b) = Selection::Roulette.parents(&mut sampler, &[0.0; 3]);
        assert!(a < 3 && b < 3);
    }
}
