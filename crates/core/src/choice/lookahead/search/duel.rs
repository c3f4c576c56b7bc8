//! The search against an opponent, with bounds (alpha-beta: Knuth and Moore 1975): what cannot change the result is not looked at.
//!
//! A step need not be followed to its end when one of the opponent's pieces makes it worse than another step, and a piece need not when
//! one of its steps is better than all that another piece allows. The sooner the best is found, the more is saved: steps are
//! tried in the order of their own scores, and pieces in the order in which they have hurt most so far. Before the last ply all
//! boards are asked about one piece, and go on in the order of the answers; as many together as the kernel has lanes.
//!
//! Equal values are never cut off, so that ties are decided as everywhere.

mod last;

use super::{Candidate, Coming, OutOfNodes, Reached, Search, ToPlace, alone, first_of};
use crate::choice::{NodeValue, RatedStep, ReplyRequest, SearchNode};
use crate::outcomes::Question;
use crate::piece::Piece;

/// What is worse than every value.
const LOWEST: NodeValue = NodeValue {
    survival: f64::NEG_INFINITY,
    score: f64::NEG_INFINITY,
};
/// What is better than every value.
const HIGHEST: NodeValue = NodeValue {
    survival: f64::INFINITY,
    score: f64::INFINITY,
};

/// Which values matter. A search whose result is below the floor may return anything between the two, and one whose result is not
/// below the ceiling anything from the ceiling to the result.
#[derive(Clone, Copy, Debug)]
struct SearchWindow {
    floor: NodeValue,
    ceiling: NodeValue,
}

impl SearchWindow {
    fn none() -> SearchWindow {
        SearchWindow {
            floor: LOWEST,
            ceiling: HIGHEST,
        }
    }

    /// The bounds of what follows a step that adds this worth. They are a little wider than they need be: sums are rounded.
    fn after(self, worth: f64) -> SearchWindow {
        let shift = |bound: NodeValue, outwards: f64| {
            let rounding = 1e-9 * bound.score.abs().max(worth.abs());
            NodeValue {
                score: bound.score - worth + outwards * rounding,
                ..bound
            }
        };
        SearchWindow {
            floor: shift(self.floor, -1.0),
            ceiling: shift(self.ceiling, 1.0),
        }
    }

    fn is_below(&self, value: &NodeValue) -> bool {
        value.compare(&self.ceiling).is_ge()
    }

    fn is_above(&self, value: &NodeValue) -> bool {
        value.compare(&self.floor).is_lt()
    }
}

/// The best step so far, by its place among the candidates.
#[derive(Clone, Copy, Debug)]
struct Leader {
    place: usize,
    value: NodeValue,
}

impl Search<'_> {
    /// The best step from the root.
    pub(super) fn duel(
        &mut self,
        question: &Question<'_>,
        plies: usize,
    ) -> Result<RatedStep, OutOfNodes> {
        let mut candidates = self.first_candidates(question, plies)?;
        let Leader { place, value } =
            self.strongest(&candidates, 1, plies, SearchWindow::none())?;
        let (step, _) = candidates.swap_remove(place);
        Ok(RatedStep { step, value })
    }

    /// What the best step from the root is worth, or something from the ceiling on.
    pub(in super::super) fn worth_below(
        &mut self,
        question: &Question<'_>,
        ceiling: Option<NodeValue>,
    ) -> NodeValue {
        let window = SearchWindow {
            ceiling: ceiling.unwrap_or(HIGHEST),
            ..SearchWindow::none()
        };
        let node = SearchNode::of(question);
        let mut value = || match self.limits.depth {
            1 => {
                let (piece, next) = (question.piece, question.next);
                let request = ReplyRequest {
                    node: 0,
                    piece,
                    next,
                };
                let choice = self.reply(&[node], &[request])?[0];
                Ok(self.last_value(&choice, choice.game_over))
            }
            depth => {
                let candidates = self.first_candidates(question, depth)?;
                let best = self.strongest(&candidates, 1, depth, window)?;
                Ok::<_, OutOfNodes>(best.value)
            }
        };
        value().expect("any number of nodes")
    }

    /// The best of the steps of one piece, with each of which `ply` pieces are placed, and what it is worth.
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
            let mut value = alone(step, self.may_lose);
            if plies > 1 && !step.transition.game_over {
                let reached = Reached::after(&candidates[place], ply);
                let own = Self::beside(window, best).after(step.worth);
                if let Some(follows) = self.weakest(&reached, plies - 1, own)? {
                    value = NodeValue {
                        survival: follows.survival,
                        score: step.worth + follows.score,
                    };
                }
            }
            self.contend(candidates, &mut best, Leader { place, value });
            if best.is_some_and(|best| window.is_below(&best.value)) {
                break;
            }
        }
        Ok(best.expect("a piece has a placement on every board"))
    }

    /// The places of the steps that may be taken, best first by their own scores. Those that end the game may when all do, or when
    /// losing is allowed.
    fn in_order(&self, candidates: &[Candidate]) -> Vec<usize> {
        let ends = |place: &usize| candidates[*place].0.transition.game_over;
        let may_end = self.may_lose || (0..candidates.len()).all(|place| ends(&place));
        let mut order: Vec<usize> = (0..candidates.len())
            .filter(|place| may_end || !ends(place))
            .collect();
        let key = |place: usize| {
            let step = &candidates[place].0;
            (step, alone(step, self.may_lose))
        };
        order.sort_by(|&a, &b| first_of(key(a), key(b), self.may_lose));
        order
    }

    /// The bounds for a step beside one that was found before.
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
        if best.is_none_or(|best| first_of(key(&other), key(&best), self.may_lose).is_lt()) {
            *best = Some(other);
        }
    }

    /// What the worst piece leaves of a board; none where no piece can come.
    fn weakest(
        &mut self,
        reached: &Reached,
        plies: usize,
        window: SearchWindow,
    ) -> Result<Option<NodeValue>, OutOfNodes> {
        let coming = self.coming(reached);
        let mut lowest: Option<(NodeValue, Piece)> = None;
        for piece in self.most_harmful_last(&coming).into_iter().rev() {
            let value = match coming.barred[piece as usize] {
                true => self.barred(reached, piece)?,
                false => {
                    let lower = lowest.filter(|lowest| !window.is_below(&lowest.0));
                    let ceiling = lower.map_or(window.ceiling, |lower| lower.0);
                    let mut best: Option<NodeValue> = None;
                    for to_place in self.with_piece(reached, piece) {
                        let window = SearchWindow { ceiling, ..window };
                        let value = self.best_below(&to_place, plies, window)?;
                        if best.is_none_or(|best| value.compare(&best).is_gt()) {
                            best = Some(value);
                        }
                    }
                    best.expect("the piece itself can be placed")
                }
            };
            if lowest.is_none_or(|lowest| value.compare(&lowest.0).is_lt()) {
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

    /// What the best step of a piece is worth.
    fn best_below(
        &mut self,
        to_place: &ToPlace,
        plies: usize,
        window: SearchWindow,
    ) -> Result<NodeValue, OutOfNodes> {
        let mut candidates = Vec::new();
        self.expand(to_place, &mut candidates)?;
        self.narrow(&mut candidates, 0);
        let ply = to_place.reached.ply + 1;
        Ok(self.strongest(&candidates, ply, plies, window)?.value)
    }

    /// The pieces that may come, those that were the worst most often last.
    fn most_harmful_last(&self, coming: &Coming) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = coming.pieces().collect();
        pieces.sort_by_key(|&piece| self.worst_pieces[piece as usize]);
        pieces
    }
}
