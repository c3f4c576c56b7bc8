//! Decisions of players that look two pieces ahead, with the second piece shown or not. For the
//! second piece, the lanes are the boards after the first one, of all games that are decided
//! together.

use super::plan::FeaturePlan;
use super::rater::{Decisions, LanePositions, Rater};
use crate::board::Board;
use crate::choice::{BestPlacement, Branches, SearchValue, expected};
use crate::outcomes::{DecisionContext, Scored};
use crate::piece::{PIECES, Piece};
use crate::randomizers::Chances;
use crate::rules::Rules;
use crate::simd::LANES;
use std::sync::Arc;

/// The board after a placement of the first piece.
#[derive(Clone, Copy)]
struct Reached {
    /// The game, and the index of the placement.
    lane: usize,
    place: usize,
    board: Board,
    /// Lines cleared in the game so far.
    lines: u64,
    /// The step's own contribution, which is added to the value of the continuation.
    step_value: f64,
    /// The value after each second piece, with the piece's probability.
    branches: Branches,
}

/// The player's search on the general path, and the probabilities of the pieces that are not shown.
pub(crate) type PairPlayer = (BestPlacement, Chances);

/// The games whose first pieces are decided together.
pub(crate) struct PairDecisions<'a> {
    /// The decisions about the first piece.
    pub(crate) first: Decisions<'a>,
    /// The visible pieces after the current one.
    pub(crate) shown: [&'a [Piece]; LANES],
    /// The players.
    pub(crate) players: [usize; LANES],
}

/// Chooses first placements by their best continuations.
pub(crate) struct Pairs {
    plan: Arc<FeaturePlan>,
    /// Rates the second pieces.
    rater: Rater,
    players: Vec<PairPlayer>,
    /// The boards after the first piece, game after game.
    reached: Vec<Reached>,
    /// For each game, the end of its boards.
    ends: [usize; LANES],
}

impl Pairs {
    pub(crate) fn new(plan: Arc<FeaturePlan>, players: Vec<PairPlayer>) -> Pairs {
        Pairs {
            rater: Rater::new(plan.clone()),
            plan,
            players,
            reached: Vec::new(),
            ends: [0; LANES],
        }
    }

    /// The index of the best placement of the first piece in every game; `None` where every
    /// placement ends the game or the lanes cannot decide, so that the general path must search.
    /// Afterwards, the first pieces are still dropped in `first`.
    pub(crate) fn choose(
        &mut self,
        first: &mut Rater,
        decisions: &PairDecisions<'_>,
    ) -> [Option<usize>; LANES] {
        first.drop_first(&decisions.first);
        self.reached.clear();
        for lane in 0..decisions.first.count {
            self.list(first, decisions, lane);
            self.ends[lane] = self.reached.len();
        }
        for second in PIECES {
            self.follow(decisions, second);
        }
        self.best(decisions)
    }

    /// Lists the boards after the placements of the first piece that do not end the game.
    fn list(&mut self, first: &Rater, decisions: &PairDecisions<'_>, lane: usize) {
        let own = &decisions.first;
        let (before, lines, next) = (own.boards[lane], own.lines[lane], own.next[lane]);
        for place in first.surviving(lane) {
            let placement = first.placement(own, place, lane);
            let mut reached = Reached {
                lane,
                place,
                board: *before,
                lines,
                step_value: 0.0,
                branches: [None; 7],
            };
            match self.plan.options.scored {
                Scored::BeforeRemoval => {
                    let (x, y) = (usize::from(placement.x), usize::from(placement.y));
                    reached.board.fill_shape(placement.shape(), x, y);
                }
                Scored::AfterRemoval => {
                    let rules = Rules::Drops(self.plan.end);
                    let step = rules.step(before, placement, next, lines);
                    reached.lines += u64::from(step.lines());
                    reached.step_value = own.weights[lane].evaluator.step_value(&step);
                    reached.board = step.after;
                }
            }
            self.reached.push(reached);
        }
    }

    /// The probability that a piece is the second one in a game.
    fn chance(&self, decisions: &PairDecisions<'_>, lane: usize, second: Piece) -> f64 {
        match decisions.shown[lane].first() {
            Some(&shown) => f64::from(shown == second),
            None => self.players[decisions.players[lane]].1.probabilities()[second as usize],
        }
    }

    /// Evaluates a second piece on all boards on which it is possible.
    fn follow(&mut self, decisions: &PairDecisions<'_>, second: Piece) {
        let chances: [f64; LANES] =
            std::array::from_fn(|lane| self.chance(decisions, lane, second));
        let (mut eight, mut count) = ([0; LANES], 0);
        for lane in 0..decisions.first.count {
            let begin = if lane == 0 { 0 } else { self.ends[lane - 1] };
            if chances[lane] <= 0.0 {
                continue;
            }
            for k in begin..self.ends[lane] {
                eight[count] = k;
                count += 1;
                if count == LANES {
                    self.rate(decisions, (second, &chances), &eight);
                    count = 0;
                }
            }
        }
        if count > 0 {
            self.rate(decisions, (second, &chances), &eight[..count]);
        }
    }

    /// Rates the placements of a second piece on up to eight boards.
    fn rate(
        &mut self,
        decisions: &PairDecisions<'_>,
        (second, chances): (Piece, &[f64; LANES]),
        eight: &[usize],
    ) {
        let own: [&Reached; LANES] =
            std::array::from_fn(|k| &self.reached[eight[if k < eight.len() { k } else { 0 }]]);
        let seconds = Decisions {
            positions: LanePositions {
                piece: second,
                boards: own.map(|reached| &reached.board),
                next: own.map(|reached| decisions.shown[reached.lane].get(1).copied()),
                lines: own.map(|reached| reached.lines),
                count: eight.len(),
            },
            weights: own.map(|reached| decisions.first.weights[reached.lane]),
        };
        let replies = self.rater.rate(&seconds);
        let mut values = [SearchValue::default(); LANES];
        for (k, reached) in own[..eight.len()].iter().enumerate() {
            let (score, ends) = if let Some(place) = replies[k] {
                (self.rater.score(&seconds, place, k), false)
            } else {
                let (general, _) = &mut self.players[decisions.players[reached.lane]];
                let choice = general.best(&DecisionContext {
                    rules: Rules::Drops(self.plan.end),
                    next: seconds.next[k],
                    lines_before: reached.lines,
                    ..DecisionContext::simple(&reached.board, second)
                });
                (choice.score, choice.game_over)
            };
            let is_shown = !decisions.shown[reached.lane].is_empty();
            let lost = ends || (!is_shown && self.is_barred(&reached.board, second));
            values[k] = SearchValue::of_last(score, lost).judged(self.plan.options.may_lose);
        }
        for (&k, value) in eight.iter().zip(values) {
            let reached = &mut self.reached[k];
            reached.branches[second as usize] = Some((chances[reached.lane], value));
        }
    }

    /// Whether a piece that is not shown cannot enter the board after the first piece.
    fn is_barred(&self, board: &Board, piece: Piece) -> bool {
        if self.plan.end.rule().rows == 0 {
            return false;
        }
        let mut board = *board;
        if self.plan.options.scored == Scored::BeforeRemoval {
            board.remove_full_rows();
        }
        Rules::Drops(self.plan.end).blocks_entry(&board, piece)
    }

    /// The best first placement of every game.
    fn best(&self, decisions: &PairDecisions<'_>) -> [Option<usize>; LANES] {
        let ranks = &self.plan.ranks[decisions.first.piece as usize];
        let mut best: [Option<(SearchValue, usize)>; LANES] = [None; LANES];
        for reached in &self.reached {
            let Some(follows) = expected(&reached.branches, self.plan.options.may_lose) else {
                continue;
            };
            let value = follows.after(reached.step_value);
            let wins = best[reached.lane].is_none_or(|(other, place)| {
                let order = value.compare(&other);
                order.is_gt() || (order.is_eq() && ranks[reached.place] < ranks[place])
            });
            if wins {
                best[reached.lane] = Some((value, reached.place));
            }
        }
        best.map(|best| best.map(|(_, place)| place))
    }
}
