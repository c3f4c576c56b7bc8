//! The weights that are learned: the logarithm of the danger as a sum of table entries.

use super::super::value_function::{Averaged, count_of, numbers_of};
use super::group::Visited;
use super::settings::DangerSettings;
use crate::library::safetensors::Tensors;
use tetrolab_core::evaluators::{Model, TableSum};
use tetrolab_core::kernel::{Afterstates, KernelBoard};
use tetrolab_core::lookup::TableSet;

/// The unit of a rounded weight: sums of up to 1000 fit.
const SCALE: f32 = 1.0 / 1_048_576.0;
/// A log danger above this means that learning has diverged.
const RUNAWAY: f64 = 500.0;
/// The maximum visit count: up to this number, a 32-bit float, in which checkpoints store it, is
/// exact.
const MOST_VISITS: f32 = 16_777_216.0;
/// How quickly the usual danger follows that of the game's boards: it averages about five hundred
/// of them.
const USUAL_SHARE: f32 = 0.002;
/// Number of boards between updates of the average.
const BETWEEN_AVERAGES: u64 = 4000;

/// Weights as integers, with the sign chosen so that the highest sum is the best, for looking up
/// boards.
#[derive(Clone, Debug)]
pub(super) struct Rounded {
    weights: Vec<i32>,
    first: f32,
}

impl Rounded {
    pub(super) fn new(weights: &[f32], first: f32) -> Rounded {
        let rounded = weights.iter().map(|weight| round(*weight)).chain([0]);
        Rounded {
            weights: rounded.collect(),
            first,
        }
    }

    pub(super) fn weights(&self) -> &[i32] {
        &self.weights
    }

    /// The log danger of a board with this sum.
    pub(super) fn danger(&self, sum: i32) -> f32 {
        self.first - sum as f32 * SCALE
    }
}

fn round(weight: f32) -> i32 {
    (-weight / SCALE).round_ties_even() as i32
}

/// Weights with their learning state.
pub(super) struct LearnedWeights {
    set: TableSet,
    covers: Option<u32>,
    first: f32,
    weights: Vec<f32>,
    visits: Vec<f32>,
    averaged: Averaged,
    /// The weights and their average in the last snapshot.
    pub(super) fast: Rounded,
    pub(super) slow: Rounded,
    /// Number of boards learned.
    pub(super) boards: u64,
    /// The usual danger of the game's boards.
    pub(super) usual: f32,
    lists: [Vec<u32>; Afterstates::TOGETHER],
    shares: Vec<f32>,
}

impl LearnedWeights {
    pub(super) fn new(set: TableSet, settings: &DangerSettings) -> LearnedWeights {
        let first = settings.first;
        let count = set.entries();
        let weights = vec![0.0; count];
        let rounded = Rounded::new(&weights, first);
        LearnedWeights {
            set,
            covers: Some(settings.covers),
            first,
            visits: vec![0.0; count],
            averaged: Averaged::new(count),
            fast: rounded.clone(),
            slow: rounded,
            weights,
            boards: 0,
            usual: first,
            lists: Default::default(),
            shares: Vec::new(),
        }
    }

    /// Learns from a trajectory, from its end to its start. Each board learns from the best boards
    /// after it, and from the updated value of the next board. Returns the danger of a board if
    /// learning diverges.
    pub(super) fn learn(
        &mut self,
        way: &[Visited],
        afterstates: &mut Afterstates,
        settings: &DangerSettings,
        chances: &[f64; 7],
    ) -> Result<(), f32> {
        let mut follows: Option<f64> = None;
        for eight in way.rchunks(Afterstates::TOGETHER) {
            let stacks: [KernelBoard; Afterstates::TOGETHER] =
                std::array::from_fn(|k| eight[k.min(eight.len() - 1)].stack);
            let mut lists = std::mem::take(&mut self.lists);
            afterstates.entries(&stacks, &mut lists);
            for (visited, entries) in eight.iter().zip(&lists).rev() {
                let target = visited.target(follows, settings, chances);
                follows = Some(target.min(0.0));
                self.learn_board(entries, target, settings)?;
                if visited.is_usual {
                    let danger = self.danger(entries);
                    self.usual += USUAL_SHARE * (danger - self.usual);
                }
            }
            self.lists = lists;
        }
        Ok(())
    }

    fn danger(&self, entries: &[u32]) -> f32 {
        let shown = entries.iter().map(|entry| self.weights[*entry as usize]);
        self.first + shown.sum::<f32>()
    }

    /// Moves the danger of a board towards a target; entries with many visits move less.
    fn learn_board(
        &mut self,
        entries: &[u32],
        target: f64,
        settings: &DangerSettings,
    ) -> Result<(), f32> {
        let danger = self.danger(entries);
        if danger.is_nan() || f64::from(danger).abs() > RUNAWAY {
            return Err(danger);
        }
        let error = (libm::exp(target - f64::from(danger)) - 1.0).min(settings.most);
        let patience = settings.visits;
        self.shares.clear();
        let mut sum = 0.0;
        for entry in entries {
            let visits = &mut self.visits[*entry as usize];
            let share = (patience / (patience + *visits)).sqrt();
            *visits = (*visits + 1.0).min(MOST_VISITS);
            sum += share;
            self.shares.push(share);
        }
        let step = (settings.rate_at(self.boards) * error) as f32 / sum.max(1e-6);
        for (entry, share) in entries.iter().zip(&self.shares) {
            let entry = *entry as usize;
            self.weights[entry] += step * share;
            self.fast.weights[entry] = round(self.weights[entry]);
        }
        self.boards += 1;
        if self.boards.is_multiple_of(BETWEEN_AVERAGES) {
            self.average(settings);
        }
        Ok(())
    }

    /// Updates the average, which starts when the initial behaviour policy ends.
    fn average(&mut self, settings: &DangerSettings) {
        let since = self.boards.saturating_sub(settings.warmup) as f64;
        if settings.average > 0.0 && since > 0.0 {
            let share = BETWEEN_AVERAGES as f64 / (settings.average * since);
            self.averaged.follow(&self.weights, share.min(1.0) as f32);
        }
        self.slow = Rounded::new(self.averaged.or(&self.weights), self.first);
    }

    /// The tables of the player: the average, once there is one.
    pub(super) fn tables(&self) -> TableSum {
        let weights = self.averaged.or(&self.weights).iter();
        let tables = TableSum::new(self.set.clone(), weights.map(|weight| -weight).collect());
        let tables = tables.expect("what is not finite has been found before");
        tables.covering_at_most(self.covers)
    }

    pub(super) fn model(&self) -> Model {
        Model::Tables(self.tables())
    }

    pub(super) fn is_finite(&self) -> bool {
        self.weights.iter().all(|weight| weight.is_finite())
    }

    pub(super) fn save(&self, tensors: &mut Tensors) {
        let count = self.weights.len();
        tensors.say("boards", &self.boards.to_string());
        tensors.add("usual", &[1], vec![self.usual]);
        tensors.add("weights", &[count], self.weights.clone());
        tensors.add("visits", &[count], self.visits.clone());
        self.averaged.save(tensors);
    }

    pub(super) fn restore(&mut self, tensors: &Tensors) -> Option<()> {
        let count = self.weights.len();
        self.boards = count_of(tensors, "boards")?;
        self.usual = numbers_of(tensors, "usual", 1)?[0];
        self.weights = numbers_of(tensors, "weights", count)?;
        self.visits = numbers_of(tensors, "visits", count)?;
        self.averaged.restore(tensors)?;
        self.round();
        Some(())
    }

    /// Takes a snapshot of the weights for the next round.
    pub(super) fn round(&mut self) {
        self.fast = Rounded::new(&self.weights, self.first);
        self.slow = Rounded::new(self.averaged.or(&self.weights), self.first);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrolab_core::lookup::BoardSize;

    fn learned(text: &str) -> (LearnedWeights, DangerSettings) {
        let spec = text.parse().unwrap();
        let settings = tetrolab_core::settings::Settings::new(DangerSettings::SETTINGS, &[], &spec);
        let settings = DangerSettings::read(&settings.unwrap());
        let size = BoardSize {
            width: 4,
            height: 6,
        };
        let set = TableSet::find("heights+cross", size).unwrap();
        (LearnedWeights::new(set, &settings), settings)
    }

    #[test]
    fn the_danger_of_a_board_moves_by_the_rate_times_its_relative_error() {
        let (mut learned, settings) = learned("danger(rate=0.5,first=-2,most=10)");
        let entries = [3, 7, 9];
        learned
            .learn_board(&entries, libm::log(1.2) - 2.0, &settings)
            .unwrap();
        // The relative error is 0.2.
        assert!((learned.danger(&entries) + 1.9).abs() < 1e-5);
        // An unvisited entry moves further than a visited one.
        learned.learn_board(&[3, 8], -1.0, &settings).unwrap();
        assert!(learned.weights[8] > learned.weights[3] - learned.weights[7]);
    }

    #[test]
    fn errors_are_clipped_and_implausible_dangers_are_reported() {
        let (mut learned, settings) = learned("danger(rate=0.5,first=-9,most=3)");
        learned.learn_board(&[1], 0.0, &settings).unwrap();
        assert!((learned.danger(&[1]) + 7.5).abs() < 1e-5);
        learned.weights[2] = f32::NAN;
        assert!(
            learned
                .learn_board(&[2], 0.0, &settings)
                .unwrap_err()
                .is_nan()
        );
        learned.weights[2] = 1e6;
        assert!(learned.learn_board(&[2], 0.0, &settings).is_err());
    }

    #[test]
    fn a_sum_of_rounded_weights_is_the_danger() {
        let (mut learned, settings) = learned("danger(first=-3)");
        for round in 0..50 {
            learned
                .learn_board(&[round % 5, 5 + round % 3], -1.0, &settings)
                .unwrap();
        }
        let sum = learned.fast.weights()[2] + learned.fast.weights()[6];
        assert!((learned.fast.danger(sum) - learned.danger(&[2, 6])).abs() < 1e-5);
    }
}
