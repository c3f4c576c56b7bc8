//! All placements that a game allows now, those after a hold included.

use tetrolab_core::game::{Game, GameView, Status};
use tetrolab_core::outcomes::{DecisionContext, Outcomes};
use tetrolab_core::placement::Transition;

/// Lists the placements of games; its buffers are reused from game to game.
#[derive(Clone, Debug, Default)]
pub struct LegalMoves {
    outcomes: Outcomes,
}

impl LegalMoves {
    /// Visits every legal placement with its effect, in the order of [`Outcomes`]: first those of
    /// the current piece, then those of the piece after a hold. There are none when the game has
    /// ended, or while no piece falls.
    pub fn visit(&mut self, game: &Game, mut visit: impl FnMut(bool, Transition)) {
        self.visit_groups(game, |is_held, outcomes| {
            for index in 0..outcomes.len() {
                visit(is_held, outcomes.transition(index));
            }
        });
    }

    /// The same, in groups: all placements of a piece in one, or in several where there are more
    /// than [`Outcomes`] hold.
    pub(super) fn visit_groups(&mut self, game: &Game, visit: impl FnMut(bool, &mut Outcomes)) {
        let falls = game.stepped().is_none_or(|game| game.falling().is_some());
        if game.status() != Status::Playing || !falls {
            return;
        }
        self.visit_position_groups(&game.view(), visit);
    }

    /// Visits every placement of a position in which a piece waits, in the same way.
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
        // The same piece again would be the same placements; one that cannot enter has none.
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
