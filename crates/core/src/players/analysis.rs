//! What searches have found, as the rows of [`Player::analyse`](super::Player::analyse).

use super::RatedPlacement;
use crate::board::Board;
use crate::choice::{BestPair, GreedyOptions, Lookahead, RatedPair, RatedStep};
use crate::evaluators::Score;
use crate::game::GameView;
use crate::outcomes::Scored;
use crate::placement::Placement;
use crate::rotation::Falling;

/// The rows of a player that rates pairs.
pub(super) fn rated_pairs(
    view: &GameView<'_>,
    decision: &BestPair,
    pairs: Vec<RatedPair>,
) -> Vec<RatedPlacement> {
    let GreedyOptions {
        may_lose, scored, ..
    } = decision.options();
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
            line: in_game(view, scored, placement, line.as_slice()),
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
    let GreedyOptions {
        may_lose, scored, ..
    } = search.options();
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
            line: in_game(view, scored, placement, &line),
        }
    };
    explained.into_iter().map(row).collect()
}

/// The placements after the first one as they are in the game. A search that leaves full rows on the board has seen
/// them higher: they are lowered by the rows that were removed below them, and fall to the ground from there.
pub(super) fn in_game(
    view: &GameView<'_>,
    scored: Scored,
    first: Placement,
    following: &[Placement],
) -> Vec<Placement> {
    let mut last = view.rules.step(view.board, first, None, 0);
    let mut removed = vec![last.cleared];
    let fall = |placement: &Placement| {
        // Nothing follows the end of the game: pieces would be piled up higher than a board can be.
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

/// The piece on the ground below a placement; none if something is in its way.
fn fallen(board: &Board, placement: Placement) -> Option<Falling> {
    let falling = Falling {
        piece: placement.piece,
        rotation: placement.rotation,
        x: placement.x as i8,
        y: placement.y as i8,
    };
    falling.fits(board).then(|| falling.fallen(board, u32::MAX))
}

/// What a placement is apart from the board: how the piece is turned, and in which column it drops.
pub(super) fn aim(placement: &Placement) -> (u8, u8) {
    (placement.rotation as u8, placement.x)
}
