//! A slow reference implementation of the search, for tests: the definition in
//! [`crate::choice::Lookahead`] by plain recursion.

use crate::board::Board;
use crate::choice::{Dealing, GreedyOptions, SearchValue};
use crate::evaluators::Linear;
use crate::game::GameView;
use crate::moves::placements;
use crate::outcomes::Scored;
use crate::piece::{PIECES, Piece};
use crate::placement::{Placement, Transition};
use crate::randomizers::Forecast;
use crate::rules::RulesRef;

/// The plain search.
pub(super) struct PlainSearch<'a> {
    pub(super) evaluator: &'a Linear,
    pub(super) options: GreedyOptions,
    pub(super) dealing: Dealing,
    pub(super) rules: RulesRef<'a>,
    pub(super) shown: &'a [Piece],
}

/// A placement with its value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlainStep {
    pub(super) placement: Placement,
    pub(super) ends: bool,
    pub(super) value: SearchValue,
}

/// The state of the plain search: the board, the lines of the game, the number of pieces placed,
/// and the knowledge of the next ones.
#[derive(Clone)]
struct PlainNode {
    board: Board,
    lines: u64,
    ply: usize,
    forecast: Option<Forecast>,
}

impl<'a> PlainSearch<'a> {
    /// All placements of the piece, in the reference simulator's order.
    pub(super) fn rate(&self, view: &GameView<'_>, depth: usize) -> Vec<PlainStep> {
        let place = PlainNode {
            board: *view.board,
            lines: view.lines,
            ply: 0,
            forecast: view.forecast.cloned(),
        };
        self.steps(&place, view.piece, depth)
    }

    fn steps(&self, place: &PlainNode, piece: Piece, plies: usize) -> Vec<PlainStep> {
        let each = placements(&place.board, piece).into_iter();
        each.map(|placement| self.step(place, placement, plies))
            .collect()
    }

    fn step(&self, place: &PlainNode, placement: Placement, plies: usize) -> PlainStep {
        let next = self.shown.get(place.ply).copied();
        let mut step = self.rules.step(&place.board, placement, next, place.lines);
        let before_removal = self.options.scored == Scored::BeforeRemoval;
        if before_removal {
            step.after = place.board;
            let (x, y) = (usize::from(placement.x), usize::from(placement.y));
            step.after.fill_shape(placement.shape(), x, y);
        }
        let lost = step.game_over && !self.options.may_lose;
        let mut value = SearchValue {
            survival: if lost { 0.0 } else { 1.0 },
            score: self.weigh(&step, false),
        };
        let after = PlainNode {
            board: step.after,
            lines: place.lines
                + if before_removal {
                    0
                } else {
                    u64::from(step.lines())
                },
            ply: place.ply + 1,
            forecast: place.forecast.clone(),
        };
        if plies > 1
            && !step.game_over
            && let Some(follows) = self.follows(&after, plies - 1)
        {
            let step_value = if before_removal {
                0.0
            } else {
                self.weigh(&step, true)
            };
            value = SearchValue {
                survival: follows.survival,
                score: step_value + follows.score,
            };
        }
        PlainStep {
            placement,
            ends: step.game_over,
            value,
        }
    }

    fn weigh(&self, step: &Transition, of_move_only: bool) -> f64 {
        let features = self.evaluator.features().features();
        let weights = self.evaluator.scaled_weights();
        let terms = features.iter().zip(weights).map(|(feature, weight)| {
            let counts = !of_move_only || feature.describes_move();
            if counts {
                weight * feature.values(step)[0]
            } else {
                0.0
            }
        });
        terms.sum()
    }

    fn follows(&self, place: &PlainNode, plies: usize) -> Option<SearchValue> {
        if let Some(&piece) = self.shown.get(place.ply - 1) {
            return Some(self.best(place, piece, plies));
        }
        let mut real_board = place.board;
        real_board.remove_full_rows();
        let forecast = place.forecast.as_ref()?;
        let probabilities = forecast.probabilities(&real_board);
        let mut branches = Vec::new();
        for piece in PIECES {
            let probability = probabilities[piece as usize];
            if probability == 0.0 {
                continue;
            }
            let after = PlainNode {
                forecast: Some(forecast.after(piece)),
                ..place.clone()
            };
            let value = if self.rules.blocks_entry(&real_board, piece) {
                SearchValue {
                    survival: if self.options.may_lose { 1.0 } else { 0.0 },
                    ..self.best(&after, piece, 1)
                }
            } else {
                self.best(&after, piece, plies)
            };
            branches.push((probability, value));
        }
        self.fold(&branches)
    }

    fn fold(&self, branches: &[(f64, SearchValue)]) -> Option<SearchValue> {
        if self.dealing == Dealing::ByOpponent {
            let values = branches.iter().map(|branch| branch.1);
            return values.min_by(SearchValue::compare);
        }
        branches.first()?;
        let lost = branches.iter().all(|branch| branch.1.survival == 0.0);
        let mut mean = SearchValue {
            survival: 0.0,
            score: 0.0,
        };
        for (probability, value) in branches {
            mean.survival += probability * value.survival;
            if lost || value.survival > 0.0 {
                mean.score += probability * value.score;
            }
        }
        if self.options.may_lose {
            mean.survival = 1.0;
        }
        Some(mean)
    }

    fn best(&self, place: &PlainNode, piece: Piece, plies: usize) -> SearchValue {
        let steps = self.steps(place, piece, plies);
        let may_end = self.options.may_lose || steps.iter().all(|step| step.ends);
        let allowed = steps.iter().filter(|step| may_end || !step.ends);
        let values = allowed.map(|step| step.value);
        values.max_by(SearchValue::compare).unwrap()
    }
}
