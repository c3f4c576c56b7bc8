//! The accelerated two-piece player: of the current piece only those placements are paired with the
//! next one that were the best replies when the piece was still the next one. It is the two-piece
//! look-ahead with a [`Shortlist`].
//!
//! # What is remembered
//!
//! While a pair is chosen, all replies of the second piece are rated. The report remembers the best
//! N of those that follow the chosen placement, and considers no others when the piece has become
//! the current one and the piece after it is known. The first piece of a game was nobody's reply:
//! all its placements are considered.
//!
//! Where full rows are removed between the two pieces, the board of the replies is the board of the
//! next decision. Then the best N replies are the best N placements of the current piece by their
//! own scores, and nothing needs to be remembered: a decision follows from the position. Where full
//! rows stay, the replies were rated on a board that has them still, so rotations and columns are
//! really remembered.
//!
//! Placements that end the game are the last to be remembered, and if all that are remembered end
//! it (the next piece cannot enter) the others are considered too; unless losing is allowed.

use super::{EVALUATOR, LOSING, LookaheadPlayer, PlayerEntry, SCORED, TIES, greedy_options};
use crate::choice::{GreedyOptions, SearchStep, best_first};
use crate::outcomes::{MAX_OUTCOMES, Scored};
use crate::placement::Placement;
use crate::settings::{Kind, Setting};

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    id: "accelerated",
    definition: "as two-piece, but only the n placements that were the best replies when the piece was the next one",
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
    help: "how many replies are remembered (N); 64 are all, as in two-piece",
    default: Some("4"),
    kind: Kind::count(1, MAX_OUTCOMES),
};

/// Which placements of the current piece are considered.
#[derive(Clone, Debug)]
pub(super) struct Shortlist {
    n: usize,
    options: GreedyOptions,
    /// What is remembered for the current piece, and for the next one.
    current: Memory,
    next: Memory,
}

/// The replies that are remembered for one piece of a game, by rotation and column.
#[derive(Clone, Debug, Default)]
struct Memory {
    /// The number of the piece; 0, the first, was nobody's reply.
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

    /// Forgets what was remembered: a game begins.
    pub(super) fn forget(&mut self) {
        *self = Shortlist::new(self.n, self.options);
    }

    /// Whether replies must be remembered.
    pub(super) fn has_memory(&self) -> bool {
        self.options.scored == Scored::BeforeRemoval
    }

    /// Makes what was remembered for a piece the current memory. There is none at the start of a
    /// game, nor in the middle of a game that others have played.
    pub(super) fn recall(&mut self, piece: u64) {
        if self.next.piece == piece {
            std::mem::swap(&mut self.current, &mut self.next);
        }
        if self.current.piece != piece {
            self.current = Memory::default();
        }
    }

    /// Remembers the best replies to the choice for the piece with this number, which places them.
    pub(super) fn remember(&mut self, piece: u64, mut replies: Vec<SearchStep>) {
        self.keep_best(&mut replies);
        let replies = replies.iter().map(aim).collect();
        self.next = Memory { piece, replies };
    }

    /// Keeps the steps of the piece with this number that are considered.
    pub(super) fn narrow(&self, piece: u64, steps: &mut Vec<SearchStep>) {
        if self.has_memory() {
            self.keep_remembered(steps);
        } else if piece > 0 {
            self.keep_best(steps);
        }
    }

    /// Keeps the best steps by their own scores.
    fn keep_best(&self, steps: &mut Vec<SearchStep>) {
        if self.n < steps.len() {
            let may_lose = self.options.may_lose;
            steps.select_nth_unstable_by(self.n, |a, b| {
                best_first((a, a.value()), (b, b.value()), may_lose)
            });
            steps.truncate(self.n);
        }
    }

    /// Keeps the steps that are remembered, or all if there are none, or none that may be chosen.
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

/// What a placement is apart from the board: how the piece is turned, and in which column it drops.
fn aim(step: &SearchStep) -> (u8, u8) {
    let Placement { rotation, x, .. } = step.transition.placement;
    (rotation as u8, x)
}

#[cfg(test)]
mod tests;
