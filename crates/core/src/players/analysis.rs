//! What searches have found, as the rows of [`Player::analyse`](super::Player::analyse).

use super::RatedPlacement;
use crate::board::Board;
use crate::choice::{BestPair, Lookahead, RatedPair, RatedStep};
use crate::evaluators::Score;
use crate::game::GameView;
use crate::moves::placements;
use crate::placement::Placement;

/// The rows of a player that rates pairs.
pub(super) fn rated_pairs(
    view: &GameView<'_>,
    decision: &BestPair,
    pairs: Vec<RatedPair>,
) -> Vec<RatedPlacement> {
    let may_lose = decision.options().may_lose;
    let unit = decision.evaluator().unit();
    let all_end = pairs.iter().all(|pair| pair.step.transition.game_over);
    let row = |pair: RatedPair| {
        let ends = pair.step.transition.game_over;
        let survives = !ends && pair.reply.is_none_or(|reply| !reply.game_over);
        let placement = pair.step.transition.placement;
        let line = pair.reply.map(|reply| reply.placement);
        RatedPlacement {
            placement,
            score: match ends && !all_end && !may_lose {
                true => Score::NEG_INFINITY,
                false => pair.rating.score * unit,
            },
            survival: if survives { 1.0 } else { 0.0 },
            line: dropped(view, placement, line.as_slice()),
        }
    };
    pairs.into_iter().map(row).collect()
}

/// The rows of a player that searches several pieces ahead: steps, best first, each with what follows it.
pub(super) fn rated_steps(
    view: &GameView<'_>,
    search: &Lookahead,
    explained: Vec<(RatedStep, Vec<Placement>)>,
) -> Vec<RatedPlacement> {
    let may_lose = search.options().may_lose;
    let unit = search.evaluator().unit();
    let ends = |row: &RatedStep| row.step.transition.game_over;
    let all_end = explained.iter().all(|(row, _)| ends(row));
    let row = |(row, line): (RatedStep, Vec<Placement>)| {
        let placement = row.step.transition.placement;
        RatedPlacement {
            placement,
            score: match ends(&row) && !all_end && !may_lose {
                true => Score::NEG_INFINITY,
                false => row.value.score * unit,
            },
            survival: if ends(&row) { 0.0 } else { row.value.survival },
            line: dropped(view, placement, &line),
        }
    };
    explained.into_iter().map(row).collect()
}

/// The placements after the first one where they come to rest in the game: a search that leaves full rows on the board has
/// seen the same drops end higher.
pub(super) fn dropped(
    view: &GameView<'_>,
    first: Placement,
    following: &[Placement],
) -> Vec<Placement> {
    let step = |board: &Board, placement| view.end.step(board, placement, None, 0);
    let mut last = step(view.board, first);
    let drop = |placement: &Placement| {
        // Nothing follows the end of the game: pieces would be piled up higher than a board can be.
        if last.game_over {
            return None;
        }
        let mut drops = placements(&last.after, placement.piece).into_iter();
        let same = drops.find(|drop| aim(drop) == aim(placement))?;
        last = step(&last.after, same);
        Some(same)
    };
    following.iter().map_while(drop).collect()
}

/// What a placement is apart from the board: how the piece is turned, and in which column it drops.
pub(super) fn aim(placement: &Placement) -> (u8, u8) {
    (placement.rotation as u8, placement.x)
}
