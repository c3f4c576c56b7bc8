//! The rows of [`Player::analyse`](super::Player::analyse) and
//! [`Player::rated_choice`](super::Player::rated_choice), shared by all players.

use super::RatedPlacement;
use crate::board::Board;
use crate::choice::{BestPlacement, Choice, RatedStep, SearchValue};
use crate::evaluators::Score;
use crate::game::GameView;
use crate::outcomes::Scored;
use crate::placement::Placement;
use crate::rotation::Falling;

/// A player's rating of a placement.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) placement: Placement,
    /// Whether the placement ends the game.
    pub(super) ends: bool,
    pub(super) value: SearchValue,
    /// The expected continuation found by the search.
    pub(super) line: Vec<Placement>,
}

impl Finding {
    /// The chosen row. It ends the game only if all do, or if losing is allowed.
    pub(super) fn chosen(self, rating: &BestPlacement) -> RatedPlacement {
        RatedPlacement {
            placement: self.placement,
            score: self.value.score * rating.evaluator().unit(),
            survival: if self.ends { 0.0 } else { self.value.survival },
            line: self.line,
        }
    }
}

impl From<&RatedStep> for Finding {
    fn from(rated: &RatedStep) -> Finding {
        Finding {
            placement: rated.step.transition.placement,
            ends: rated.step.transition.game_over,
            value: rated.value,
            line: Vec::new(),
        }
    }
}

impl From<Choice> for Finding {
    fn from(choice: Choice) -> Finding {
        Finding {
            placement: choice.placement,
            ends: choice.game_over,
            value: choice.value(),
            line: Vec::new(),
        }
    }
}

/// The rows of an analysis, in the order of the findings. A placement that ends the game gets a
/// score of minus infinity if another placement does not, unless losing is allowed.
pub(super) fn rows(
    view: &GameView<'_>,
    rating: &BestPlacement,
    findings: Vec<Finding>,
) -> Vec<RatedPlacement> {
    let options = rating.options();
    let is_end_avoided = !options.may_lose && findings.iter().any(|finding| !finding.ends);
    let row = |finding: Finding| {
        let is_avoided = finding.ends && is_end_avoided;
        let mut row = finding.chosen(rating);
        if is_avoided {
            row.score = Score::NEG_INFINITY;
        }
        row.line = in_game(view, options.scored, row.placement, &row.line);
        row
    };
    findings.into_iter().map(row).collect()
}

/// The placements after the first one, as they would occur in the game. A search that leaves full
/// rows on the board places them higher, so they are lowered by the rows removed below them, and
/// then dropped to the ground.
fn in_game(
    view: &GameView<'_>,
    scored: Scored,
    first: Placement,
    following: &[Placement],
) -> Vec<Placement> {
    let mut last = view.rules.step(view.board, first, None, 0);
    let mut removed = vec![last.cleared];
    let fall = |placement: &Placement| {
        // Nothing follows the end of the game; further pieces would be stacked higher than a board
        // can be.
        if last.game_over {
            return None;
        }
        let mut placement = *placement;
        if scored == Scored::BeforeRemoval {
            for rows in &removed {
                placement.y -= (rows & !(u64::MAX << placement.y)).count_ones() as u8;
            }
            placement.y = fallen(&last.after, placement)?.y as u8;
        }
        last = view.rules.step(&last.after, placement, None, 0);
        removed.push(last.cleared);
        Some(placement)
    };
    following.iter().map_while(fall).collect()
}

/// The piece on the ground below a placement; `None` if it is blocked.
fn fallen(board: &Board, placement: Placement) -> Option<Falling> {
    let falling = Falling {
        piece: placement.piece,
        rotation: placement.rotation,
        x: placement.x as i8,
        y: placement.y as i8,
    };
    falling.fits(board).then(|| falling.fallen(board, u32::MAX))
}
