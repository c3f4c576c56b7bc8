//! An adversary that always chooses the worst piece for the player.
//!
//! For every piece it computes the best value that a player with the given evaluator can reach on
//! the current board, and chooses the piece with the lowest value. With a depth of 1, the player is
//! greedy. With a greater depth, it looks ahead, and the adversary chooses all following pieces:
//! the minimax value ([`Lookahead`]). A piece that inevitably loses the game within the depth is
//! worse than any score; ties are broken by the order of [`PIECES`]. The adversary sees the board
//! at the moment the piece is drawn. Under a ruleset with a preview, the visible pieces have not
//! been placed yet at that time, and the adversary ignores them.

use super::forecast::certainly;
use super::{Draw, Knowledge, Probabilities, Randomizer, RandomizerEntry};
use crate::board::Board;
use crate::choice::{BestPlacement, Dealing, GreedyOptions, Lookahead, SearchLimits, SearchValue};
use crate::outcomes::{DecisionContext, Scored};
use crate::piece::{PIECES, Piece};
use crate::rules::Rules;
use crate::settings::{Kind, Setting};
use crate::stop::StopFlag;
use std::sync::Arc;

pub(super) const ENTRY: RandomizerEntry = RandomizerEntry {
    id: "adversary",
    definition: "the piece whose best placement scores lowest with an evaluator, as in adversary(dellacherie)",
    source: "a reader of near-perfect; Bastet; Hatetris",
    settings: &[
        Setting {
            id: "evaluator",
            help: "evaluator of the player that it opposes: a published player or a player file",
            default: None,
            kind: Kind::EVALUATOR,
        },
        Setting {
            id: "depth",
            help: "number of pieces it looks ahead, including the next one; it chooses all of them",
            default: Some("1"),
            kind: Kind::count(1, 4),
        },
    ],
    make: |settings, context| {
        let evaluator = (context.evaluators)(settings.part("evaluator"), context.width)?;
        let replies = BestPlacement::new(evaluator, GreedyOptions::default());
        let limits = SearchLimits::exact(settings.count("depth"));
        Ok(Box::new(Adversary {
            opponent: Lookahead::new(Box::new(replies), Dealing::ByOpponent, limits),
            rules: context.rules.cloned(),
        }))
    },
};

#[derive(Clone, Debug)]
struct Adversary {
    opponent: Lookahead,
    rules: Rules,
}

impl Adversary {
    /// The player's best value with the piece; `None` if it loses or the search is stopped. The value
    /// is exact only if it is lower than the lowest so far.
    fn best_answer(
        &mut self,
        board: &Board,
        piece: Piece,
        before: Option<SearchValue>,
    ) -> Option<SearchValue> {
        if self.rules.as_ref().blocks_entry(board, piece) {
            return None;
        }
        let decision = DecisionContext {
            board,
            piece,
            rules: self.rules.as_ref(),
            next: None,
            scored: Scored::default(),
            lines_before: 0,
        };
        let value = (self.opponent).value_against_opponent(&decision, before)?;
        (value.survival > 0.0).then_some(value)
    }

    /// The worst piece for the board.
    fn worst_piece(&mut self, board: &Board) -> Option<Piece> {
        let mut worst: Option<(Piece, SearchValue)> = None;
        for piece in PIECES {
            let lowest = worst.map(|(_, lowest)| lowest);
            let Some(value) = self.best_answer(board, piece, lowest) else {
                return Some(piece);
            };
            if lowest.is_none_or(|lowest| value < lowest) {
                worst = Some((piece, value));
            }
        }
        worst.map(|(piece, _)| piece)
    }
}

impl Randomizer for Adversary {
    fn next(&mut self, _: &mut dyn Draw, board: &Board) -> Option<Piece> {
        self.worst_piece(board)
    }

    fn knowledge(&self) -> Arc<dyn Knowledge> {
        Arc::new(self.clone())
    }

    fn heed(&mut self, stop: &StopFlag) {
        self.opponent.heed(stop);
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
    use crate::ends::End;
    use crate::features::feature;
    use crate::moves::placements;
    use crate::rng::Rng;

    fn dealt(evaluator: &str, end: End, rows: &[&str]) -> Piece {
        let board = Board::from_rows(rows[0].len(), rows.len(), rows).unwrap();
        let spec = format!("adversary({evaluator})");
        let mut adversary = make_for(&spec, end, board.width()).unwrap();
        adversary.next(&mut Rng::new(0), &board).unwrap()
    }

    #[test]
    fn the_piece_that_must_leave_holes_is_dealt() {
        // On a flat floor, only S and Z leave a hole; Z is the first of them in the order of
        // pieces.
        assert_eq!(
            dealt(
                "few-holes",
                End::ABOVE_TOP,
                &["....", "....", "....", "...."]
            ),
            Piece::Z
        );
        // A vertical Z fits this floor, and so does every other piece except S.
        assert_eq!(
            dealt(
                "few-holes",
                End::ABOVE_TOP,
                &["....", "....", "....", ".###"]
            ),
            Piece::S
        );
    }

    #[test]
    fn a_piece_that_ends_the_game_is_dealt_before_any_other() {
        // Two rows are left. Only a vertical I would stick out, but it can be placed horizontally;
        // O fits, and so do T and the others with the flat side down.
        let two_left = ["....", "....", "##.#", "#.##"];
        assert_ne!(dealt("few-holes", End::ABOVE_TOP, &two_left), Piece::I);
        // One row is left, and the gap is one column wide and two deep: only a horizontal I fits. O
        // is the first piece that does not.
        let one_left = ["....", "###.", ".###", "#.##"];
        assert_eq!(dealt("few-holes", End::ABOVE_TOP, &one_left), Piece::O);
    }

    #[test]
    fn a_piece_that_cannot_enter_is_dealt_immediately() {
        let rows = ["......", ".#....", "......", "......", "......"];
        // On a board 6 columns wide, O enters in columns 2 and 3, the others from column 1 on.
        assert_eq!(dealt("few-holes", End::ENTRY_BLOCKED, &rows), Piece::I);
    }

    /// Whether the game continues, and the number of holes, if both sides play optimally for this
    /// many pieces. This is the definition, computed by plain recursion.
    fn after_best_play(board: &Board, piece: Piece, depth: usize) -> (bool, f64) {
        let holes = feature("holes").unwrap();
        let each = placements(board, piece).into_iter().map(|placement| {
            let step = Rules::Drops(End::ABOVE_TOP).step(board, placement, None, 0);
            if step.game_over || depth == 1 {
                return (!step.game_over, -holes.values(&step)[0]);
            }
            let follows = PIECES.map(|next| after_best_play(&step.after, next, depth - 1));
            let worst = follows.into_iter().min_by(|a, b| a.partial_cmp(b).unwrap());
            worst.unwrap()
        });
        each.max_by(|a, b| a.partial_cmp(b).unwrap()).unwrap()
    }

    #[test]
    fn a_deeper_adversary_deals_the_piece_that_leads_to_the_worst() {
        let mut rng = Rng::new(5);
        let mut differ = 0;
        for _ in 0..40 {
            let cells = [(); 6].map(|()| [".", "#"][rng.below(2) as usize]);
            let filled = [&cells[..3], &cells[3..]].map(|row| format!(".{}", row.concat()));
            let rows = ["....", "....", "....", &filled[0], &filled[1]];
            let board = Board::from_rows(4, 5, &rows).unwrap();
            for depth in [1, 2] {
                let values = PIECES.map(|piece| (piece, after_best_play(&board, piece, depth)));
                let lost = values.iter().find(|(_, (lives, _))| !lives);
                let lowest = values.iter().min_by(|a, b| a.1.partial_cmp(&b.1).unwrap());
                let spec = format!("few-holes,depth={depth}");
                let piece = dealt(&spec, End::ABOVE_TOP, &rows);
                assert_eq!(piece, lost.or(lowest).unwrap().0, "{rows:?} {depth}");
            }
            let at_depth =
                |depth| dealt(&format!("few-holes,depth={depth}"), End::ABOVE_TOP, &rows);
            differ += usize::from(at_depth(1) != at_depth(2));
        }
        assert!(differ > 0);
    }

    #[test]
    fn a_raised_flag_ends_the_search_for_the_worst_piece() {
        let flag = Arc::new(std::sync::atomic::AtomicBool::new(true));
        let board = Board::new(10, 20).unwrap();
        let mut adversary = make_for("adversary(few-holes,depth=4)", End::ABOVE_TOP, 10).unwrap();
        adversary.heed(&StopFlag::new(flag));
        // The search would take seconds; both the randomizer and its forecast return immediately.
        assert!(adversary.next(&mut Rng::new(0), &board).is_some());
        let chances = adversary.knowledge().probabilities(&board);
        assert_eq!(chances.iter().sum::<f64>(), 1.0);
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
