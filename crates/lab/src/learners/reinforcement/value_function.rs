//! Functions of boards that are learned: what a learner of temporal differences asks of a network
//! or of tables.

use crate::library::safetensors::Tensors;
use tetrolab_core::evaluators::Model;
use tetrolab_core::outcomes::Outcomes;
use tetrolab_core::stop::StopFlag;

/// A function of boards that is learned from one board after the other.
///
/// The board that is learned about is *held*: the one after the last placement. Its gradient joins
/// the eligibility trace when something is learned of it.
pub(super) trait ValueFunction: Send {
    /// Ends a look or a step early when a flag is raised: the function is of no use then. What is
    /// quick need not.
    fn heed(&mut self, _stop: &StopFlag) {}

    /// Looks at all placements of a decision.
    fn look(&mut self, outcomes: &mut Outcomes);

    /// What the board after a placement is worth, as it was when last [looked](ValueFunction::look)
    /// at.
    fn value(&self, placement: usize) -> f32;

    /// Holds the board after a placement.
    fn hold(&mut self, placement: usize);

    /// What the held board is worth now, if one is held.
    fn held(&mut self) -> Option<f32>;

    /// Lets the trace decay, adds the gradient of the held board, and moves the numbers along the
    /// trace.
    fn learn(&mut self, error: f32, step: TraceStep);

    /// Forgets the held board and the trace: the game is over.
    fn let_go(&mut self);

    /// Moves the average of the numbers towards them by a share of the way.
    fn average(&mut self, share: f32);

    /// The function as an evaluator has it, its values times a sign: the average, once there is
    /// one.
    fn model(&self, sign: f32) -> Model;

    /// Whether all numbers are finite.
    fn is_finite(&self) -> bool;

    /// Adds all that it remembers between games.
    fn save(&self, tensors: &mut Tensors);

    /// Remembers what another of the same kind has saved, if it fits.
    fn restore(&mut self, tensors: &Tensors) -> Option<()>;
}

/// How far numbers move.
#[derive(Clone, Copy, Debug)]
pub(super) struct TraceStep {
    /// The step size, alpha.
    pub(super) rate: f32,
    /// How much of the trace remains: gamma times lambda.
    pub(super) decay: f32,
}

/// Numbers and their moving average.
#[derive(Clone, Debug)]
pub(super) struct Averaged {
    average: Vec<f32>,
    /// How often it was moved.
    moves: u64,
}

impl Averaged {
    pub(super) fn new(numbers: usize) -> Averaged {
        Averaged {
            average: vec![0.0; numbers],
            moves: 0,
        }
    }

    /// Moves by a share of the way; at first by so much that all numbers so far count alike.
    pub(super) fn follow(&mut self, numbers: &[f32], share: f32) {
        self.moves += 1;
        let share = share.max(1.0 / self.moves as f32);
        for (average, number) in self.average.iter_mut().zip(numbers) {
            *average += share * (number - *average);
        }
    }

    /// The average, or the numbers themselves if there is none yet.
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

/// The most placements, moves or boards that a checkpoint counts: no run comes near it, and sums of
/// such counts do not overflow.
pub(super) const MOST_COUNTED: u64 = 1 << 60;

/// The count under a key of a checkpoint, if it is one that a run can come to.
pub(super) fn count_of(tensors: &Tensors, key: &str) -> Option<u64> {
    let count = tensors.word(key)?.parse().ok()?;
    (count <= MOST_COUNTED).then_some(count)
}

/// So many finite numbers of this name, if the tensors have them.
pub(super) fn numbers_of(tensors: &Tensors, name: &str, count: usize) -> Option<Vec<f32>> {
    let numbers = &tensors.find(name)?.numbers;
    let fits = numbers.len() == count && numbers.iter().all(|number| number.is_finite());
    fits.then(|| numbers.clone())
}
