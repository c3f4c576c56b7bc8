//! Random numbers for optimisers: uniform, normal, on the sphere; the same bits on every machine.

use tetrolab_core::rng::Rng;

/// A stream of random numbers from a seed. Logarithms come from `libm`, and square roots are exact
/// according to IEEE 754.
#[derive(Clone, Debug)]
pub(super) struct Sampler {
    rng: Rng,
    /// Normal numbers are generated in pairs; this is the unused second one.
    spare: Option<f64>,
}

impl Sampler {
    pub(super) fn new(seed: u64) -> Sampler {
        let rng = Rng::new(seed);
        Sampler { rng, spare: None }
    }

    /// A number from 0 up to, but not including, 1.
    pub(super) fn unit(&mut self) -> f64 {
        self.rng.unit()
    }

    /// A number from -1 to 1.
    pub(super) fn sign_unit(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    /// True with this probability.
    pub(super) fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// An index below `bound`.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.rng.below(bound as u64) as usize
    }

    /// A standard normal number, by the polar method (Marsaglia and Bray 1964).
    pub(super) fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        loop {
            let (x, y) = (self.sign_unit(), self.sign_unit());
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                let scale = (-2.0 * libm::log(square) / square).sqrt();
                self.spare = Some(y * scale);
                return x * scale;
            }
        }
    }

    /// Independent standard normal numbers.
    pub(super) fn normals(&mut self, dimension: usize) -> Vec<f64> {
        (0..dimension).map(|_| self.normal()).collect()
    }

    /// A point of the box from `-range` to `range` in every coordinate.
    pub(super) fn in_box(&mut self, dimension: usize, range: f64) -> Vec<f64> {
        let coordinates = (0..dimension).map(|_| range * self.sign_unit());
        coordinates.collect()
    }

    /// A uniformly distributed direction: a vector of length 1.
    pub(super) fn on_sphere(&mut self, dimension: usize) -> Vec<f64> {
        let mut vector = self.normals(dimension);
        super::vectors::scale_to_unit_length(&mut vector);
        vector
    }

    /// An index with a probability proportional to its weight; any index if all weights are 0.
    pub(super) fn weighted(&mut self, weights: &[f64]) -> usize {
        let total: f64 = weights.iter().sum();
        if total <= 0.0 {
            return self.below(weights.len());
        }
        let mut rest = self.unit() * total;
        for (index, weight) in weights.iter().enumerate() {
            rest -= weight;
            if rest < 0.0 {
                return index;
            }
        }
        // Rounding can leave a small remainder, which goes to the last index with a positive
        // weight.
        weights
            .iter()
            .rposition(|&weight| weight > 0.0)
            .unwrap_or(0)
    }

    /// `count` different indices below `bound`, in random order.
    pub(super) fn distinct(&mut self, count: usize, bound: usize) -> Vec<usize> {
        let mut indices: Vec<usize> = (0..bound).collect();
        for taken in 0..count {
            let other = taken + self.below(bound - taken);
            indices.swap(taken, other);
        }
        indices.truncate(count);
        indices
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_numbers_have_the_moments_of_the_normal_law() {
        let mut sampler = Sampler::new(1);
        let numbers = sampler.normals(100_000);
        let moment = |power: i32| {
            let sum: f64 = numbers.iter().map(|x| x.powi(power)).sum();
            sum / numbers.len() as f64
        };
        // Five standard errors each: sqrt(1, 2, 15, 96) / sqrt(100,000).
        assert!(moment(1).abs() < 0.016);
        assert!((moment(2) - 1.0).abs() < 0.023);
        assert!(moment(3).abs() < 0.062);
        assert!((moment(4) - 3.0).abs() < 0.155);
    }

    #[test]
    fn normal_numbers_are_the_same_on_every_machine() {
        let drawn = Sampler::new(7).normals(3);
        let bits: Vec<u64> = drawn.iter().map(|x| x.to_bits()).collect();
        let expected = [
            4_610_218_009_084_539_922,
            13_826_591_734_396_992_478,
            4_603_020_175_525_004_683,
        ];
        assert_eq!(bits, expected);
    }

    #[test]
    fn an_index_is_drawn_in_proportion_to_its_weight() {
        let mut sampler = Sampler::new(2);
        let mut counts = [0u32; 4];
        for _ in 0..10_000 {
            counts[sampler.weighted(&[1.0, 0.0, 3.0, 0.0])] += 1;
        }
        assert_eq!((counts[1], counts[3]), (0, 0));
        // The standard deviation is 43.
        assert!(counts[0].abs_diff(2_500) < 200, "{counts:?}");
        assert!(sampler.weighted(&[0.0, 0.0]) < 2);
    }

    #[test]
    fn distinct_indices_are_distinct_and_each_is_as_likely_as_any_other() {
        let mut sampler = Sampler::new(3);
        let mut counts = [0u32; 5];
        for _ in 0..5_000 {
            let drawn = sampler.distinct(2, 5);
            assert_ne!(drawn[0], drawn[1]);
            drawn.iter().for_each(|&index| counts[index] += 1);
        }
        // The expected number is 2000 each, with a standard deviation of 35.
        assert!(
            counts.iter().all(|count| count.abs_diff(2_000) < 180),
            "{counts:?}"
        );
    }
}
