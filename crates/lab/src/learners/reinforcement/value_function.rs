//! Value functions of boards for TD learning: networks and tables.

use crate::library::safetensors::Tensors;
use tetrolab_core::evaluators::Model;
use tetrolab_core::outcomes::Outcomes;
use tetrolab_core::stop::StopFlag;

/// A value function of boards that is learned online.
///
/// The board being learned about is *held*: the one after the last placement. Its gradient is added
/// to the eligibility trace at the next update.
pub(super) trait ValueFunction: Send {
    /// Aborts slow operations once a flag is raised; the function is then invalid. Fast
    /// implementations may ignore it.
    fn heed(&mut self, _stop: &StopFlag) {}

    /// Evaluates all placements of a decision.
    fn look(&mut self, outcomes: &mut Outcomes);

    /// The value of an afterstate at the last [look](ValueFunction::look).
    fn value(&self, placement: usize) -> f32;

    /// Holds the board after a placement.
    fn hold(&mut self, placement: usize);

    /// The current value of the held board, if one is held.
    fn held(&mut self) -> Option<f32>;

    /// Decays the trace, adds the gradient of the held board, and moves the parameters along the
    /// trace.
    fn learn(&mut self, error: f32, step: TraceStep);

    /// Drops the held board and the trace: the game is over.
    fn let_go(&mut self);

    /// Moves the average towards the parameters by a share of the difference.
    fn average(&mut self, share: f32);

    /// The function as an evaluator, with its values multiplied by a sign: the average, once there
    /// is one.
    fn model(&self, sign: f32) -> Model;

    /// Whether all parameters are finite.
    fn is_finite(&self) -> bool;

    /// Saves the state that is kept between games.
    fn save(&self, tensors: &mut Tensors);

    /// Restores a saved state, if it fits.
    fn restore(&mut self, tensors: &Tensors) -> Option<()>;
}

/// The size of an update of the parameters.
#[derive(Clone, Copy, Debug)]
pub(super) struct TraceStep {
    /// The step size, alpha.
    pub(super) rate: f32,
    /// The share of the trace that remains: gamma times lambda.
    pub(super) decay: f32,
}

/// Parameters and their moving average.
#[derive(Clone, Debug)]
pub(super) struct Averaged {
    average: Vec<f32>,
    /// Number of updates.
    moves: u64,
}

impl Averaged {
    pub(super) fn new(numbers: usize) -> Averaged {
        Averaged {
            average: vec![0.0; numbers],
            moves: 0,
        }
    }

    /// Moves by a share of the difference; at first, the share is so large that all values so far
    /// have equal weight.
    pub(super) fn follow(&mut self, numbers: &[f32], share: f32) {
        self.moves += 1;
        let share = share.max(1.0 / self.moves as f32);
        for (average, number) in self.average.iter_mut().zip(numbers) {
            *average += share * (number - *average);
        }
    }

    /// The average, or the parameters themselves before there is one.
    pub(super) fn or<'a>(&'a self, numbers: &'a [f32]) -> &'a [f32] {
        match self.moves {
            0 => numbers,
            _ => &self.average,
        }
    }

    pub(super) fn save(&self, tensors: &mut Tensors) {
        tensors.say("average.moves", &self.moves.to_string());
        tensors.add("average", &[self.average.len()], self.average.clone());
    }

    pub(super) fn restore(&mut self, tensors: &Tensors) -> Option<()> {
        self.moves = count_of(tensors, "average.moves")?;
        self.average = numbers_of(tensors, "average", self.average.len())?;
        Some(())
    }
}

/// The maximum count in a checkpoint: no run reaches it, and sums of such counts do not overflow.
pub(super) const MOST_COUNTED: u64 = 1 << 60;

/// The count with this key in a checkpoint, if it is plausible.
pub(super) fn count_of(tensors: &Tensors, key: &str) -> Option<u64> {
    let count = tensors.word(key)?.parse().ok()?;
    (count <= MOST_COUNTED).then_some(count)
}

/// The finite numbers with this name, if the tensors contain this many.
pub(super) fn numbers_of(tensors: &Tensors, name: &str, count: usize) -> Option<Vec<f32>> {
    let numbers = &tensors.find(name)?.numbers;
    let fits = numbers.len() == count && numbers.iter().all(|number| number.is_finite());
    fits.then(|| numbers.clone())
}
