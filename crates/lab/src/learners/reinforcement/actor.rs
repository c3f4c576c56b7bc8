//! Actors play with a fixed network and record transitions.

use super::replay::Memorised;
use crate::context::Context;
use crate::feature_scale::InputScale;
use crate::settings::FromSetting;
use std::collections::VecDeque;
use tetrolab_core::board::{Board, column_holes};
use tetrolab_core::features::{FeatureMatrix, FeatureSet};
use tetrolab_core::game::{Game, Status};
use tetrolab_core::network::{Network, Pass, Signals};
use tetrolab_core::outcomes::{DecisionContext, Outcomes};
use tetrolab_core::rng::{Rng, game_seed, player_seed};
use tetrolab_core::rules::line_points;
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::simd::wide_forward;
use tetrolab_core::spec::Spec;
use tetrolab_core::stop::StopFlag;

/// The reward of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reward {
    /// The lines cleared by the move.
    Lines,
    /// The line points of the move: n lines give 2^(n-1) (the thesis).
    LinePoints,
    /// 1, unless the move ends the game.
    Survival,
    /// `exp(-holes / 33)` of the board after the move; 0 if the move ends the game (after Faußer
    /// and Schwenker 2013).
    Holes,
}

impl FromSetting for Reward {
    fn read(value: &Spec) -> Reward {
        match value.name.as_str() {
            "lines" => Reward::Lines,
            "line-points" => Reward::LinePoints,
            "survival" => Reward::Survival,
            _ => Reward::Holes,
        }
    }
}

impl Reward {
    /// The names of the rewards.
    pub(super) const NAMES: &'static [&'static str] =
        &["lines", "line-points", "survival", "holes"];

    /// The reward of a move that cleared these lines and left this board.
    pub(super) fn of(self, lines: u64, board: &Board, is_over: bool) -> f32 {
        match (self, is_over) {
            (Reward::Lines, _) => lines as f32,
            (Reward::LinePoints, _) => line_points(lines as u32) as f32,
            (Reward::Survival | Reward::Holes, true) => 0.0,
            (Reward::Survival, false) => 1.0,
            (Reward::Holes, false) => {
                let holes = board
                    .columns()
                    .iter()
                    .map(|column| column_holes(*column).count_ones());
                libm::expf(-(holes.sum::<u32>() as f32) / 33.0)
            }
        }
    }
}

/// Settings shared by all actors of a learner.
#[derive(Clone, Debug)]
pub(super) struct Manners {
    pub(super) ruleset: Ruleset,
    pub(super) features: FeatureSet,
    pub(super) scale: InputScale,
    pub(super) reward: Reward,
    /// Discount per move.
    pub(super) gamma: f32,
    /// Number of moves between the two boards of a transition.
    pub(super) steps: usize,
}

/// An actor.
pub(super) struct Actor<'a> {
    manners: &'a Manners,
    seed: u64,
    games: u64,
    game: Game,
    rng: Rng,
    /// The latest boards of the game whose transitions are incomplete, each with the rewards since
    /// then.
    waiting: VecDeque<Memorised>,
    seen: Vec<Memorised>,
    scratch: ActorScratch,
}

#[derive(Default)]
struct ActorScratch {
    outcomes: Outcomes,
    values: FeatureMatrix,
    inputs: Signals,
    pass: Pass,
}

impl<'a> Actor<'a> {
    /// An actor whose games and choices are derived from a seed.
    pub(super) fn new(manners: &'a Manners, seed: u64, stop: &StopFlag) -> Actor<'a> {
        let mut scratch = ActorScratch::default();
        scratch.pass.heed(stop);
        Actor {
            game: Game::new(&manners.ruleset, game_seed(seed, 0)),
            rng: Rng::new(player_seed(seed)),
            manners,
            seed,
            games: 1,
            waiting: VecDeque::new(),
            seen: Vec::new(),
            scratch,
        }
    }

    /// Number of games started.
    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// Takes the transitions since the last call.
    pub(super) fn take_seen(&mut self) -> Vec<Memorised> {
        std::mem::take(&mut self.seen)
    }

    /// Places some pieces, each at random with this probability, and otherwise where the network's
    /// value is highest. Stops early if the study is cancelled; the transitions are then invalid.
    pub(super) fn play(
        &mut self,
        network: &Network,
        pieces: u64,
        exploration: f64,
        context: &Context,
    ) {
        for _ in 0..pieces {
            if context.is_cancelled() {
                return;
            }
            if self.game.status() != Status::Playing {
                self.game = Game::new(&self.manners.ruleset, game_seed(self.seed, self.games));
                self.games += 1;
            }
            let chosen = self.choose(network, exploration);
            self.place(chosen);
        }
    }

    /// Completes the transitions of a game that has ended or is abandoned.
    pub(super) fn rest(&mut self) {
        if let Some(last) = self.waiting.pop_back() {
            let after = last.before;
            for mut waiting in self.waiting.drain(..) {
                waiting.after.clone_from(&after);
                self.seen.push(waiting);
            }
        }
    }

    /// The index of a placement among the outcomes. A placement that ends the game is chosen only
    /// if all placements do.
    fn choose(&mut self, network: &Network, exploration: f64) -> usize {
        let decision = DecisionContext::from(&self.game.view());
        let ActorScratch {
            outcomes,
            values,
            inputs,
            pass,
        } = &mut self.scratch;
        outcomes.generate(&decision);
        self.manners.features.fill(outcomes, values);
        self.manners.scale.fill(values, outcomes.len(), inputs);
        let ends = |index: &usize| outcomes.landing(*index).game_over;
        let mut open: Vec<usize> = (0..outcomes.len()).collect();
        if !open.iter().all(ends) {
            open.retain(|index| !ends(index));
        }
        if self.rng.unit() < exploration {
            return open[self.rng.below(open.len() as u64) as usize];
        }
        let scores = wide_forward(network, inputs, pass).row(0);
        let better = |best: usize, other: usize| {
            if scores[other] > scores[best] {
                other
            } else {
                best
            }
        };
        let best = open.into_iter().reduce(better);
        best.expect("a piece has a placement")
    }

    fn place(&mut self, chosen: usize) {
        let lines = self.game.lines();
        self.game.apply(self.scratch.outcomes.placement(chosen));
        let is_over = self.game.status() != Status::Playing;
        let manners = self.manners;
        let earned = manners
            .reward
            .of(self.game.lines() - lines, self.game.board(), is_over);
        let inputs =
            (0..manners.scale.shifts.len()).map(|number| self.scratch.inputs.row(number)[chosen]);
        let inputs: Vec<f32> = inputs.collect();
        for waiting in &mut self.waiting {
            waiting.reward += waiting.discount * earned;
            waiting.discount *= manners.gamma;
        }
        if self.waiting.len() == manners.steps
            && let Some(mut ready) = self.waiting.pop_front()
        {
            ready.after.clone_from(&inputs);
            if is_over {
                ready.discount = 0.0;
            }
            self.seen.push(ready);
        }
        if is_over {
            for mut waiting in self.waiting.drain(..) {
                waiting.after.clone_from(&inputs);
                waiting.discount = 0.0;
                self.seen.push(waiting);
            }
            return;
        }
        self.waiting.push_back(Memorised {
            before: inputs,
            after: Vec::new(),
            reward: 0.0,
            discount: 1.0,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_earns_its_reward() {
        let mut board = Board::new(4, 6).unwrap();
        (1..3).for_each(|row| board.fill(row, 2));
        let earned = |reward: Reward| {
            [(3, false), (1, true)].map(|(lines, over)| reward.of(lines, &board, over))
        };
        assert_eq!(earned(Reward::Lines), [3.0, 1.0]);
        assert_eq!(earned(Reward::LinePoints), [4.0, 1.0]);
        assert_eq!(earned(Reward::Survival), [1.0, 0.0]);
        assert_eq!(earned(Reward::Holes), [libm::expf(-1.0 / 33.0), 0.0]);
    }
}
