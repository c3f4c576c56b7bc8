//! A chooser that plays against the player: always the piece that suits the board worst.
//!
//! For every piece it asks what a greedy player with the given evaluator could make of the current board at best, and
//! deals the piece for which that is worst. A piece that cannot be placed without losing is worse than any score; of
//! equals the first in the order of [`PIECES`] comes. It knows the board at the moment when the piece is drawn: under
//! a ruleset that shows pieces ahead that is before the shown ones are placed, so the adversary looks past them.

use super::forecast::certainly;
use super::{Draw, Knowledge, Probabilities, Randomizer, RandomizerEntry};
use crate::board::Board;
use crate::choice::{BestPlacement, GreedyOptions};
use crate::outcomes::{Question, Scored};
use crate::piece::{PIECES, Piece};
use crate::rules::End;
use crate::settings::{Kind, Setting};
use std::sync::Arc;

pub(super) const ENTRY: RandomizerEntry = RandomizerEntry {
    id: "adversary",
    definition: "the piece whose best placement scores lowest with an evaluator, as in adversary(dellacherie)",
    source: "a reader of near-perfect; Bastet; Hatetris",
    settings: &[Setting {
        id: "evaluator",
        help: "what it plays against: a published player or a player file",
        default: None,
        kind: Kind::EVALUATOR,
    }],
    make: |settings, context| {
        let evaluator = (context.evaluators)(settings.part("evaluator"), context.width)?;
        Ok(Box::new(Adversary {
            opponent: BestPlacement::new(evaluator, GreedyOptions::default()),
            end: context.end,
        }))
    },
};

#[derive(Clone, Debug)]
struct Adversary {
    opponent: BestPlacement,
    end: End,
}

impl Adversary {
    /// The best score that a placement of the piece can have; `None` when every placement loses.
    fn best_answer(&mut self, board: &Board, piece: Piece) -> Option<f64> {
        if self.end.bars_entry(board, piece) {
            return None;
        }
        let best = self.opponent.best(&Question {
            board,
            piece,
            end: self.end,
            next: None,
            scored: Scored::default(),
            lines_before: 0,
            steering: None,
        });
        (!best.game_over).then_some(best.score)
    }

    /// The piece that suits the board worst.
    fn worst_piece(&mut self, board: &Board) -> Option<Piece> {
        let mut worst: Option<(Piece, f64)> = None;
        for piece in PIECES {
            let Some(score) = self.best_answer(board, piece) else {
                return Some(piece);
            };
            if worst.is_none_or(|(_, lowest)| score < lowest) {
                worst = Some((piece, score));
            }
        }
        worst.map(|(piece, _)| piece)
    }
}

impl Randomizer for Adversary {
    fn next(&mut self, _: &mut dyn Draw, board: &Board) -> Option<Piece> {
        self.worst_piece(board)
    }

    fn boxed(&self) -> Box<dyn Randomizer> {
        Box::new(self.clone())
    }

    fn knowledge(&self) -> Arc<dyn Knowledge> {
        Arc::new(self.clone())
    }

    fn is_deterministic(&self) -> bool {
        true
    }
}

impl Knowledge for Adversary {
    fn probabilities(&self, board: &Board) -> Probabilities {
        certainly(self.clone().worst_piece(board))
    }

    fn after(&self, _: Piece) -> Option<Arc<dyn Knowledge>> {
        None
    }

    fn looks_at_board(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{make_for, problem};
    use super::*;
    use crate::rng::Rng;

    fn dealt(evaluator: &str, end: End, rows: &[&str]) -> Piece {
        let board = Board::from_rows(rows[0].len(), rows.len(), rows).unwrap();
        let spec = format!("adversary({evaluator})");
        let mut adversary = make_for(&spec, end, board.width()).unwrap();
        adversary.next(&mut Rng::new(0), &board).unwrap()
    }

    #[test]
    fn the_piece_that_must_leave_holes_is_dealt() {
        // On a flat floor only S and Z leave a hole; Z comes first in the order of pieces.
        assert_eq!(
            dealt(
                "few-holes",
                End::AboveTop,
                &["....", "....", "....", "...."]
            ),
            Piece::Z
        );
        // Z fits this floor standing, and every other piece fits it, but S does not.
        assert_eq!(
            dealt(
                "few-holes",
                End::AboveTop,
                &["....", "....", "....", ".###"]
            ),
            Piece::S
        );
    }

    #[test]
    fn a_piece_that_ends_the_game_is_dealt_before_any_other() {
        // Two rows are left: only I upright would stick out, but it can lie; O fits, T and the others lie.
        let two_left = ["....", "....", "##.#", "#.##"];
        assert_ne!(dealt("few-holes", End::AboveTop, &two_left), Piece::I);
        // One row is left and the gap is one wide and two deep: only I can stay, lying; O is the first that cannot.
        let one_left = ["....", "###.", ".###", "#.##"];
        assert_eq!(dealt("few-holes", End::AboveTop, &one_left), Piece::O);
    }

    #[test]
    fn a_piece_that_cannot_enter_is_dealt_at_once() {
        let rows = ["......", ".#....", "......", "......", "......"];
        // On a board 6 wide O enters in columns 2 and 3, the others from column 1 on.
        assert_eq!(dealt("few-holes", End::EntryBlocked, &rows), Piece::I);
    }

    #[test]
    fn an_adversary_needs_an_evaluator_that_exists() {
        assert_eq!(
            problem("adversary"),
            "adversary: needs an evaluator, as in adversary(dellacherie)"
        );
        assert_eq!(
            problem("adversary(nobody)"),
            "there is no evaluator 'nobody'"
        );
    }
}
