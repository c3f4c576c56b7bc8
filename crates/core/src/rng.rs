//! Random numbers: one named generator, the same on every machine.

use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A stream of random numbers from a 64-bit seed: xoshiro256++ (Blackman and Vigna), seeded through
/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A number below `bound`: the high half of a product of two 64-bit numbers. Probabilities
    /// differ by less than `bound` in 2^64, and every draw uses one number of the stream.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.0.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// A number from 0 up to, but not including, 1.
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The seed of game number `index` in a series with this seed. Streams of different games are
/// independent, and a game depends neither on the number of other games nor on the number of
/// threads.
pub fn game_seed(seed: u64, index: u64) -> u64 {
    mix(mix(seed).wrapping_add(index))
}

/// The seed of a player's own random numbers in the game with this seed. Its stream differs from
/// that of the pieces, so a player cannot predict pieces from its own numbers.
pub fn player_seed(game_seed: u64) -> u64 {
    mix(game_seed ^ 0x706C_6179_6572)
}

/// The seed of one decision of a player whose random numbers have this seed. The decision is
/// therefore the same every time the player is asked about this piece of the game.
pub fn decision_seed(player_seed: u64, pieces: u64) -> u64 {
    mix(mix(player_seed ^ 0x6465_6369_6465).wrapping_add(pieces))
}

/// The output function of SplitMix64 (Steele, Lea and Flood 2014) after one step.
fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_the_same_on_every_machine() {
        let mut rng = Rng::new(1);
        let drawn: Vec<u64> = (0..12).map(|_| rng.below(7)).collect();
        assert_eq!(drawn, [5, 5, 0, 5, 1, 4, 6, 3, 0, 0, 6, 2]);
    }
}
