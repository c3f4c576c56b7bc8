//! The search against an opponent, with bounds (alpha-beta: Knuth and Moore 1975): branches that
//! cannot change the result are pruned.
//!
//! A step is pruned when one of the opponent's pieces makes it worse than another step, and a piece
//! when one of its steps is better than everything that another piece allows. Pruning works best if
//! the best step comes first: steps are tried in the order of their scores, and pieces in the order
//! of the damage they have done so far. Before the last ply, one piece is evaluated on all boards,
//! and the search continues in the order of the results, with as many boards at a time as the
//! kernel has lanes.
//!
//! Equal values are never pruned, so that ties are broken as in other searches.

mod last;

use super::{Candidate, Coming, OutOfNodes, Reached, Search, ToPlace};
use crate::choice::{RatedStep, ReplyRequest, SearchNode, SearchValue, best_first};
use crate::outcomes::DecisionContext;
use crate::piece::Piece;

/// The range of values that matter. If a search's result is below the floor, it may return any
/// value between the two; if it is not below the ceiling, any value from the ceiling to the result.
#[derive(Clone, Copy, Debug)]
struct SearchWindow {
    floor: SearchValue,
    ceiling: SearchValue,
}

impl SearchWindow {
    fn none() -> SearchWindow {
        SearchWindow {
            floor: SearchValue::LOWEST,
            ceiling: SearchValue::HIGHEST,
        }
    }

    /// The bounds of the continuation after a step that adds this value. They are slightly wider
    /// than necessary, because sums are rounded.
    fn after(self, step_value: f64) -> SearchWindow {
        let shift = |bound: SearchValue, outwards: f64| {
            let rounding = 1e-9 * bound.score.abs().max(step_value.abs());
            SearchValue {
                score: bound.score - step_value + outwards * rounding,
                ..bound
            }
        };
        SearchWindow {
            floor: shift(self.floor, -1.0),
            ceiling: shift(self.ceiling, 1.0),
        }
    }

    fn is_below(&self, value: &SearchValue) -> bool {
        *value >= self.ceiling
    }

    fn is_above(&self, value: &SearchValue) -> bool {
        *value < self.floor
    }
}

/// The best step so far, by its index among the candidates.
#[derive(Clone, Copy, Debug)]
struct Leader {
    place: usize,
    value: SearchValue,
}

impl Search<'_> {
    /// The best step from the root.
    pub(super) fn duel(
        &mut self,
        decision: &DecisionContext<'_>,
        plies: usize,
    ) -> Result<RatedStep, OutOfNodes> {
        let mut candidates = self.first_candidates(decision, plies)?;
        let Leader { place, value } =
            self.strongest(&candidates, 1, plies, SearchWindow::none())?;
        let (step, _) = candidates.swap_remove(place);
        Ok(RatedStep { step, value })
    }

    /// The value of the best step from the root. If it is above the ceiling, any value between the
    /// two may be returned instead. Fails only if the search has a budget or is stopped.
    pub(in super::super) fn value_below(
        &mut self,
        decision: &DecisionContext<'_>,
        ceiling: Option<SearchValue>,
    ) -> Result<SearchValue, OutOfNodes> {
        let window = SearchWindow {
            ceiling: ceiling.unwrap_or(SearchValue::HIGHEST),
            ..SearchWindow::none()
        };
        let node = SearchNode::of(decision);
        match self.limits.depth {
            1 => {
                let request = ReplyRequest::new(0, decision.piece, decision.next);
                let choice = self.reply(&[node], &[request])?[0];
                Ok(self.last_value(&choice, choice.game_over))
            }
            depth => {
                let candidates = self.first_candidates(decision, depth)?;
                let best = self.strongest(&candidates, 1, depth, window)?;
                Ok(best.value)
            }
        }
    }

    /// The best step of one piece and its value; after each step, `ply` pieces have been placed.
    fn strongest(
        &mut self,
        candidates: &[Candidate],
        ply: usize,
        plies: usize,
        window: SearchWindow,
    ) -> Result<Leader, OutOfNodes> {
        let order = self.in_order(candidates);
        if plies == 2 {
            return self.strongest_before_last(candidates, &order, ply, window);
        }
        let mut best: Option<Leader> = None;
        for place in order {
            let (step, _) = &candidates[place];
            let mut value = self.alone(step);
            if plies > 1 && !step.transition.game_over {
                let reached = Reached::after(&candidates[place], ply);
                let own = Self::beside(window, best).after(step.step_value);
                if let Some(follows) = self.weakest(&reached, plies - 1, own)? {
                    value = follows.after(step.step_value);
                }
            }
            self.contend(candidates, &mut best, Leader { place, value });
            if best.is_some_and(|best| window.is_below(&best.value)) {
                break;
            }
        }
        Ok(best.expect("a piece has a placement on every board"))
    }

    /// The indices of the steps that may be chosen, sorted by score, best first. Those that end the
    /// game are included if all do, or if losing is allowed.
    fn in_order(&self, candidates: &[Candidate]) -> Vec<usize> {
        let ends = |place: &usize| candidates[*place].0.transition.game_over;
        let may_end = self.may_lose || (0..candidates.len()).all(|place| ends(&place));
        let mut order: Vec<usize> = (0..candidates.len())
            .filter(|place| may_end || !ends(place))
            .collect();
        let key = |place: usize| {
            let step = &candidates[place].0;
            (step, step.value())
        };
        order.sort_by(|&a, &b| best_first(key(a), key(b), self.may_lose));
        order
    }

    /// The bounds for a step, given the best one so far.
    fn beside(window: SearchWindow, best: Option<Leader>) -> SearchWindow {
        match best {
            Some(best) if !window.is_above(&best.value) => SearchWindow {
                floor: best.value,
                ..window
            },
            _ => window,
        }
    }

    fn contend(&self, candidates: &[Candidate], best: &mut Option<Leader>, other: Leader) {
        let key = |leader: &Leader| (&candidates[leader.place].0, leader.value);
        if best.is_none_or(|best| best_first(key(&other), key(&best), self.may_lose).is_lt()) {
            *best = Some(other);
        }
    }

    /// The value of a board after the worst piece; `None` where no piece can follow.
    fn weakest(
        &mut self,
        reached: &Reached,
        plies: usize,
        window: SearchWindow,
    ) -> Result<Option<SearchValue>, OutOfNodes> {
        let coming = self.coming(reached);
        let mut lowest: Option<(SearchValue, Piece)> = None;
        for piece in self.most_harmful_last(&coming).into_iter().rev() {
            let value = if coming.barred[piece as usize] {
                self.barred(reached, piece)?
            } else {
                let lower = lowest.filter(|lowest| !window.is_below(&lowest.0));
                let ceiling = lower.map_or(window.ceiling, |lower| lower.0);
                let mut best = SearchValue::LOWEST;
                for to_place in self.with_piece(reached, piece) {
                    let window = SearchWindow { ceiling, ..window };
                    let value = self.best_below(&to_place, plies, window)?;
                    if value > best {
                        best = value;
                    }
                }
                best
            };
            if lowest.is_none_or(|lowest| value < lowest.0) {
                lowest = Some((value, piece));
            }
            if window.is_above(&value) {
                break;
            }
        }
        if let Some((_, piece)) = lowest {
            self.worst_pieces[piece as usize] += 1;
        }
        Ok(lowest.map(|lowest| lowest.0))
    }

    /// The value of the best step of a piece.
    fn best_below(
        &mut self,
        to_place: &ToPlace,
        plies: usize,
        window: SearchWindow,
    ) -> Result<SearchValue, OutOfNodes> {
        let mut candidates = Vec::new();
        self.list(to_place, plies, &mut candidates)?;
        let ply = to_place.reached.ply + 1;
        Ok(self.strongest(&candidates, ply, plies, window)?.value)
    }

    /// The possible pieces; those that have been worst most often come last.
    fn most_harmful_last(&self, coming: &Coming) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = coming.pieces().collect();
        pieces.sort_by_key(|&piece| self.worst_pieces[piece as usize]);
        pieces
    }
}
