//! The continuation that a search expects after a step.

use super::{Candidate, Dealing, OutOfNodes, Reached, Search};
use crate::choice::{SearchStep, SearchValue, best_first};
use crate::piece::Piece;
use crate::placement::Placement;

impl Search<'_> {
    /// The placements that follow a first step in a search of this many pieces, including the
    /// first.
    pub(in super::super) fn line(&mut self, first: &SearchStep, plies: usize) -> Vec<Placement> {
        self.budget = u64::MAX;
        let mut line = Vec::new();
        let mut last: Candidate = (first.clone(), self.dealt());
        while line.len() + 1 < plies && !last.0.transition.game_over {
            let reached = Reached::after(&last, line.len() + 1);
            let next = self.next_of_line(&reached, plies - line.len() - 1);
            // The number of nodes is unlimited, but the search may have been cancelled.
            let Ok(Some(next)) = next else {
                break;
            };
            line.push(next.0.transition.placement);
            last = next;
        }
        line
    }

    /// The best step of the expected piece on a board; `None` if no piece can follow, or the
    /// expected one cannot enter.
    fn next_of_line(
        &mut self,
        reached: &Reached,
        plies: usize,
    ) -> Result<Option<Candidate>, OutOfNodes> {
        let Some(piece) = self.expected_piece(reached, plies)? else {
            return Ok(None);
        };
        let (mut candidates, values) = self.rated_steps(reached, piece, plies)?;
        let may_lose = self.may_lose;
        let best = (0..candidates.len()).min_by(|&a, &b| {
            let of = |place: usize| (&candidates[place].0, values[place]);
            best_first(of(a), of(b), may_lose)
        });
        Ok(best.map(|best| candidates.swap_remove(best)))
    }

    fn rated_steps(
        &mut self,
        reached: &Reached,
        piece: Piece,
        plies: usize,
    ) -> Result<(Vec<Candidate>, Vec<SearchValue>), OutOfNodes> {
        let mut candidates = Vec::new();
        for to_place in self.with_piece(reached, piece) {
            self.list(&to_place, plies, &mut candidates)?;
        }
        let values = self.values(&candidates, reached.ply + 1, plies)?;
        Ok((candidates, values))
    }

    /// The most likely piece, or the worst one against an opponent; ties are broken by the order of
    /// [`crate::piece::PIECES`].
    fn expected_piece(
        &mut self,
        reached: &Reached,
        plies: usize,
    ) -> Result<Option<Piece>, OutOfNodes> {
        let coming = self.coming(reached);
        let mut expected: Option<(Piece, SearchValue)> = None;
        for piece in coming.pieces() {
            let value = match self.dealing {
                // The minimum is taken, so the piece with the highest probability comes first.
                Dealing::ByChance => SearchValue {
                    survival: 0.0,
                    score: -coming.probabilities[piece as usize],
                },
                Dealing::ByOpponent if coming.barred[piece as usize] => {
                    self.barred(reached, piece)?
                }
                Dealing::ByOpponent => {
                    let to_place: Vec<_> = self.with_piece(reached, piece).collect();
                    let best = self.best(&to_place, plies)?.into_iter();
                    let best = best.max_by(SearchValue::compare);
                    best.expect("the piece itself can be placed")
                }
            };
            if expected.is_none_or(|(_, lowest)| value < lowest) {
                expected = Some((piece, value));
            }
        }
        let piece = expected.map(|(piece, _)| piece);
        Ok(piece.filter(|&piece| !coming.barred[piece as usize]))
    }
}
