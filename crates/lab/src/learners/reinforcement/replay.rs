//! The replay buffer.

use super::value_function::count_of;
use crate::library::safetensors::Tensors;
use tetrolab_core::network::Signals;
use tetrolab_core::rng::Rng;

/// A transition: the inputs of an afterstate, the rewards up to a later afterstate, and the inputs
/// of the later one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Memorised {
    /// The inputs of the earlier afterstate.
    pub(super) before: Vec<f32>,
    /// The inputs of the later afterstate; arbitrary if the game was over.
    pub(super) after: Vec<f32>,
    /// Discounted rewards in between.
    pub(super) reward: f32,
    /// Discount of the later afterstate's value; 0 if the game was over.
    pub(super) discount: f32,
}

/// A queue of a fixed capacity: new moves replace the oldest ones.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Replay {
    inputs: usize,
    capacity: usize,
    /// Number of moves ever added.
    seen: usize,
    /// The values of each transition: before, after, reward, discount.
    numbers: Vec<f32>,
}

impl Replay {
    pub(super) fn new(inputs: usize, capacity: usize) -> Replay {
        Replay {
            inputs,
            capacity,
            seen: 0,
            numbers: Vec::new(),
        }
    }

    fn width(&self) -> usize {
        2 * self.inputs + 2
    }

    /// Number of moves in the queue.
    pub(super) fn len(&self) -> usize {
        self.seen.min(self.capacity)
    }

    pub(super) fn push(&mut self, seen: &Memorised) {
        let width = self.width();
        let place = self.seen % self.capacity * width;
        if self.numbers.len() == place {
            let most = self.capacity * width;
            // The last time the queue grows, it grows to its final size instead of doubling.
            if self.numbers.capacity() == place && 2 * place >= most {
                self.numbers.reserve_exact(most - place);
            }
            self.numbers.resize(place + width, 0.0);
        }
        let row = &mut self.numbers[place..place + width];
        row[..self.inputs].copy_from_slice(&seen.before);
        row[self.inputs..width - 2].copy_from_slice(&seen.after);
        (row[width - 2], row[width - 1]) = (seen.reward, seen.discount);
        self.seen += 1;
    }

    /// Draws a batch with replacement: as many moves as `batch` has space for.
    pub(super) fn draw(&self, rng: &mut Rng, batch: &mut Drawn) {
        let width = self.width();
        for sample in 0..batch.rewards.len() {
            let place = rng.below(self.len() as u64) as usize * width;
            let row = &self.numbers[place..place + width];
            for input in 0..self.inputs {
                batch.before.row_mut(input)[sample] = row[input];
                batch.after.row_mut(input)[sample] = row[self.inputs + input];
            }
            batch.rewards[sample] = row[width - 2];
            batch.discounts[sample] = row[width - 1];
        }
    }

    /// Adds the content of the queue to a checkpoint.
    pub(super) fn save(&self, tensors: &mut Tensors) {
        tensors.say("replay.seen", &self.seen.to_string());
        let shape = [self.len(), self.width()];
        tensors.add("replay", &shape, self.numbers.clone());
    }

    /// Restores a checkpoint; returns whether it fits.
    pub(super) fn restore(&mut self, tensors: &Tensors) -> bool {
        let seen = count_of(tensors, "replay.seen").and_then(|seen| usize::try_from(seen).ok());
        let (Some(seen), Some(saved)) = (seen, tensors.find("replay")) else {
            return false;
        };
        self.seen = seen;
        self.numbers.clone_from(&saved.numbers);
        saved.shape == [self.len(), self.width()]
    }
}

/// A batch of moves, side by side.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    pub(super) before: Signals,
    pub(super) after: Signals,
    pub(super) rewards: Vec<f32>,
    pub(super) discounts: Vec<f32>,
}

impl Drawn {
    /// Space for a batch.
    pub(super) fn new(inputs: usize, count: usize) -> Drawn {
        Drawn {
            before: Signals::new(inputs, count),
            after: Signals::new(inputs, count),
            rewards: vec![0.0; count],
            discounts: vec![0.0; count],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memorised(number: f32) -> Memorised {
        Memorised {
            before: vec![number, 0.0],
            after: vec![number + 1.0, 0.0],
            reward: number,
            discount: 0.5,
        }
    }

    #[test]
    fn the_oldest_moves_are_dropped_and_a_checkpoint_contains_the_rest() {
        let mut replay = Replay::new(2, 3);
        (0..5).for_each(|number| replay.push(&memorised(number as f32)));
        assert_eq!(replay.len(), 3);
        let mut drawn = Drawn::new(2, 50);
        replay.draw(&mut Rng::new(1), &mut drawn);
        let mut found: Vec<f32> = drawn.rewards.clone();
        assert!(drawn.before.row(0) == found && drawn.discounts.iter().all(|d| *d == 0.5));
        found.sort_by(f32::total_cmp);
        found.dedup();
        assert_eq!(found, [2.0, 3.0, 4.0]);
        let mut tensors = Tensors::default();
        replay.save(&mut tensors);
        let mut again = Replay::new(2, 3);
        assert!(again.restore(&tensors));
        assert_eq!(again, replay);
        assert!(!Replay::new(3, 3).restore(&tensors));
    }
}
