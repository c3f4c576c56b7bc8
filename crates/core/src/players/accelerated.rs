//! The accelerated two-piece player: the placements of the current piece are restricted to those
//! that were the best replies while it was still the next piece. It is the two-piece look-ahead
//! with a [`Shortlist`].
//!
//! # The shortlist
//!
//! While a pair is chosen, all replies of the second piece are rated. In the report, only the best
//! N of those that follow the chosen placement are considered once the piece has become the current
//! one and its successor is known. The first piece of a game was never a reply, so all its
//! placements are considered.
//!
//! Where full rows are removed between the two pieces, the board of the replies is the board of the
//! next decision. Then the best N replies are the N placements of the current piece with the
//! highest scores, and nothing needs to be stored: a decision depends only on the position. If full
//! rows stay, the replies were rated on a board that still has them, so rotations and columns are
//! stored.
//!
//! Placements that end the game come last on the shortlist. If all placements on it end the game
//! (the next piece cannot enter), the others are considered too, unless losing is allowed.

use super::{EVALUATOR, LOSING, LookaheadPlayer, PlayerEntry, SCORED, TIES, greedy_options};
use crate::choice::{GreedyOptions, SearchStep, best_first};
use crate::outcomes::{MAX_OUTCOMES, Scored};
use crate::placement::Placement;
use crate::settings::{Kind, Setting};

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    id: "accelerated",
    definition: "like two-piece, but considers only the n placements that were the best replies when the piece was the next one",
    source: "strategies, the accelerated two-step",
    settings: &[EVALUATOR, LOSING, SCORED, TIES, N],
    make: |settings, context| {
        let (evaluator, options) = greedy_options(settings, context)?;
        let player = LookaheadPlayer::two_piece(context.ruleset, evaluator, options);
        Ok(Box::new(player.with_shortlist(settings.count(N.id))))
    },
};

const N: Setting = Setting {
    id: "n",
    help: "number of replies that are kept (N); 64 keeps all, like two-piece",
    default: Some("4"),
    kind: Kind::count(1, MAX_OUTCOMES),
};

/// The placements of the current piece that are considered.
#[derive(Clone, Debug)]
pub(super) struct Shortlist {
    n: usize,
    options: GreedyOptions,
    /// The shortlists of the current piece and of the next one.
    current: Memory,
    next: Memory,
}

/// The replies that are remembered for one piece of a game, by rotation and column.
#[derive(Clone, Debug, Default)]
struct Memory {
    /// The number of the piece in the game. Number 0, the first piece, was never a reply.
    piece: u64,
    replies: Vec<(u8, u8)>,
}

impl Shortlist {
    /// Considers `n` placements.
    pub(super) fn new(n: usize, options: GreedyOptions) -> Shortlist {
        Shortlist {
            n,
            options,
            current: Memory::default(),
            next: Memory::default(),
        }
    }

    /// Clears the shortlists at the start of a game.
    pub(super) fn forget(&mut self) {
        *self = Shortlist::new(self.n, self.options);
    }

    /// Whether replies must be remembered.
    pub(super) fn has_memory(&self) -> bool {
        self.options.scored == Scored::BeforeRemoval
    }

    /// Makes the stored shortlist of a piece the current one. It is empty at the start of a game,
    /// and in a game that others have played.
    pub(super) fn recall(&mut self, piece: u64) {
        if self.next.piece == piece {
            std::mem::swap(&mut self.current, &mut self.next);
        }
        if self.current.piece != piece {
            self.current = Memory::default();
        }
    }

    /// Stores the best replies to the choice, for the piece with this number.
    pub(super) fn remember(&mut self, piece: u64, mut replies: Vec<SearchStep>) {
        self.keep_best(&mut replies);
        let replies = replies.iter().map(aim).collect();
        self.next = Memory { piece, replies };
    }

    /// Keeps those steps of the piece with this number that are on the shortlist.
    pub(super) fn narrow(&self, piece: u64, steps: &mut Vec<SearchStep>) {
        if self.has_memory() {
            self.keep_remembered(steps);
        } else if piece > 0 {
            self.keep_best(steps);
        }
    }

    /// Keeps the steps with the highest scores.
    fn keep_best(&self, steps: &mut Vec<SearchStep>) {
        if self.n < steps.len() {
            let may_lose = self.options.may_lose;
            steps.select_nth_unstable_by(self.n, |a, b| {
                best_first((a, a.value()), (b, b.value()), may_lose)
            });
            steps.truncate(self.n);
        }
    }

    /// Keeps the steps on the shortlist, or all if it is empty or none of them may be chosen.
    fn keep_remembered(&self, steps: &mut Vec<SearchStep>) {
        let remembered = |step: &SearchStep| self.current.replies.contains(&aim(step));
        let may_be_chosen = |step: &SearchStep| self.options.may_lose || !step.transition.game_over;
        if steps
            .iter()
            .any(|step| remembered(step) && may_be_chosen(step))
        {
            steps.retain(remembered);
        }
    }
}

/// A placement without its row: rotation and column.
fn aim(step: &SearchStep) -> (u8, u8) {
    let Placement { rotation, x, .. } = step.transition.placement;
    (rotation as u8, x)
}

#[cfg(test)]
mod tests;
