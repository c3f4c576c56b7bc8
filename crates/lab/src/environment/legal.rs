//! All placements that a game currently allows, including those after a hold.

use tetrolab_core::game::{Game, GameView, Status};
use tetrolab_core::outcomes::{DecisionContext, Outcomes};
use tetrolab_core::placement::Transition;

/// Lists the placements of games; its buffers are reused.
#[derive(Clone, Debug, Default)]
pub struct LegalMoves {
    outcomes: Outcomes,
}

impl LegalMoves {
    /// Visits every legal placement with its effect, in the order of [`Outcomes`]: first those of
    /// the current piece, then those of the piece after a hold. There are no placements if the game
    /// has ended, or while no piece is falling.
    pub fn visit(&mut self, game: &Game, mut visit: impl FnMut(bool, Transition)) {
        self.visit_groups(game, |is_held, outcomes| {
            for index in 0..outcomes.len() {
                visit(is_held, outcomes.transition(index));
            }
        });
    }

    /// Visits the same placements in groups: all placements of a piece together, or in several
    /// groups if there are more than fit into [`Outcomes`].
    pub(super) fn visit_groups(&mut self, game: &Game, visit: impl FnMut(bool, &mut Outcomes)) {
        let falls = game.stepped().is_none_or(|game| game.falling().is_some());
        if game.status() != Status::Playing || !falls {
            return;
        }
        self.visit_position_groups(&game.view(), visit);
    }

    /// Visits the placements of a position in which a piece is waiting.
    pub fn visit_position(&mut self, view: &GameView<'_>, mut visit: impl FnMut(bool, Transition)) {
        self.visit_position_groups(view, |is_held, outcomes| {
            for index in 0..outcomes.len() {
                visit(is_held, outcomes.transition(index));
            }
        });
    }

    fn visit_position_groups(
        &mut self,
        view: &GameView<'_>,
        mut visit: impl FnMut(bool, &mut Outcomes),
    ) {
        self.visit_view(view, &mut |outcomes| visit(false, outcomes));
        let held = view.after_hold();
        // The same piece would have the same placements; a piece that cannot enter has none.
        let is_other = |held: &GameView<'_>| {
            held.piece != view.piece && !held.rules.blocks_entry(held.board, held.piece)
        };
        if let Some(held) = held.filter(is_other) {
            self.visit_view(&held, &mut |outcomes| visit(true, outcomes));
        }
    }

    fn visit_view(&mut self, view: &GameView<'_>, visit: &mut dyn FnMut(&mut Outcomes)) {
        let decision = DecisionContext::from(view);
        self.outcomes.generate(&decision);
        loop {
            visit(&mut self.outcomes);
            if !self.outcomes.generate_more(&decision) {
                return;
            }
        }
    }
}
