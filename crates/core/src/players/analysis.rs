//! What searches have found, as the rows of [`Player::analyse`](super::Player::analyse).

use super::RatedPlacement;
use crate::board::Board;
use crate::choice::{BestPair, Lookahead, RatedPair, RatedStep};
use crate::evaluators::Score;
use crate::game::GameView;
use crate::outcomes::Scored;
use crate::placement::Placement;
use crate::rotation::Falling;

/// The score of a placement as players show it: minus infinity for one that ends the game while others do not, unless
/// losing is allowed.
pub(super) fn shown_score(score: Score, ends: bool, all_end: bool, may_lose: bool) -> Score {
    match ends && !all_end && !may_lose {
        true => Score::NEG_INFINITY,
        false => score,
    }
}

/// The rows of a player that rates pairs.
pub(super) fn rated_pairs(
    view: &GameView<'_>,
    decision: &BestPair,
    pairs: Vec<RatedPair>,
) -> Vec<RatedPlacement> {
    let scored = decision.options().scored;
    let all_end = pairs.iter().all(|pair| pair.step.transition.game_over);
    let row = |pair: RatedPair| {
        let line = pair.reply.map(|reply| reply.placement);
        let mut row = rated_pair(decision, &pair, all_end);
        row.line = in_game(view, scored, row.placement, line.as_slice());
        row
    };
    pairs.into_iter().map(row).collect()
}

/// The row of a pair without its line.
pub(super) fn rated_pair(decision: &BestPair, pair: &RatedPair, all_end: bool) -> RatedPlacement {
    let score = pair.rating.score * decision.evaluator().unit();
    let ends = pair.step.transition.game_over;
    let survives = !ends && pair.reply.is_none_or(|reply| !reply.game_over);
    RatedPlacement {
        placement: pair.step.transition.placement,
        score: shown_score(score, ends, all_end, decision.options().may_lose),
        survival: if survives { 1.0 } else { 0.0 },
        line: Vec::new(),
    }
}

/// The rows of a player that searches several pieces ahead: steps, best first, each with what follows it.
pub(super) fn rated_steps(
    view: &GameView<'_>,
    search: &Lookahead,
    explained: Vec<(RatedStep, Vec<Placement>)>,
) -> Vec<RatedPlacement> {
    let scored = search.options().scored;
    let all_end = explained
        .iter()
        .all(|(row, _)| row.step.transition.game_over);
    let row = |(row, line): (RatedStep, Vec<Placement>)| {
        let mut row = rated_step(search, &row, all_end);
        row.line = in_game(view, scored, row.placement, &line);
        row
    };
    explained.into_iter().map(row).collect()
}

/// The row of a step without its line.
pub(super) fn rated_step(search: &Lookahead, rated: &RatedStep, all_end: bool) -> RatedPlacement {
    let score = rated.value.score * search.evaluator().unit();
    let ends = rated.step.transition.game_over;
    RatedPlacement {
        placement: rated.step.transition.placement,
        score: shown_score(score, ends, all_end, search.options().may_lose),
        survival: if ends { 0.0 } else { rated.value.survival },
        line: Vec::new(),
    }
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
