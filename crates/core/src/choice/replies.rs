//! The best placements in many positions at once: the last ply of every search.
//!
//! A search looks at boards after the plies before, many of them, and asks what the next piece could make of each. Asked
//! together, these questions fill the lanes of the kernel; asked one by one, they go through [`BestPlacement`]. The answers
//! are the same.

use super::{BestPlacement, Choice, GreedyOptions, SearchStep};
use crate::board::Board;
use crate::evaluators::Evaluator;
use crate::outcomes::Question;
use crate::piece::Piece;
use crate::rules::RulesRef;
use std::fmt::Debug;
use std::sync::Arc;

/// A board that a search has reached.
#[derive(Clone, Copy, Debug)]
pub struct SearchNode {
    /// The board.
    pub board: Board,
    /// Lines cleared in the game until then.
    pub lines: u64,
    /// The level of a stepped game; 0 where pieces drop.
    pub level: u32,
}

impl SearchNode {
    /// The board after a step.
    #[must_use]
    pub fn after(step: &SearchStep) -> SearchNode {
        SearchNode {
            board: step.transition.after,
            lines: step.lines,
            level: step.level,
        }
    }

    /// The board of a question.
    #[must_use]
    pub fn of(question: &Question<'_>) -> SearchNode {
        SearchNode {
            board: *question.board,
            lines: question.lines_before,
            level: question.rules.level(),
        }
    }
}

/// Asks for the best placement of a piece on one of the boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplyRequest {
    /// The number of the board in the list of boards.
    pub node: usize,
    /// The piece to place.
    pub piece: Piece,
    /// The piece after it, if it is known.
    pub next: Option<Piece>,
}

/// Finds the best placements in many positions.
pub trait Replies: Debug + Send + Sync {
    /// The best placement under these rules for every request, in their order: what [`BestPlacement::best`] would say.
    /// The list is cleared first.
    fn best(
        &mut self,
        rules: RulesRef<'_>,
        nodes: &[SearchNode],
        requests: &[ReplyRequest],
        replies: &mut Vec<Choice>,
    );

    /// The evaluator.
    fn evaluator(&self) -> &Arc<dyn Evaluator>;

    /// How decisions are made, apart from the evaluator.
    fn options(&self) -> GreedyOptions;

    /// How many boards are best asked about together: with more or fewer, answers cost more each.
    fn together(&self) -> usize {
        1
    }

    /// Allows or forbids the kernel, where there is one; it never changes an answer.
    fn allow_kernel(&mut self, _allowed: bool) {}

    /// A copy for another thread.
    fn boxed(&self) -> Box<dyn Replies>;
}

impl Clone for Box<dyn Replies> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

/// Finds them one by one, with any evaluator and any rules.
#[derive(Clone, Debug)]
pub struct RepliesOneByOne {
    decision: BestPlacement,
}

impl RepliesOneByOne {
    /// Decides with this evaluator.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator>, options: GreedyOptions) -> RepliesOneByOne {
        RepliesOneByOne {
            decision: BestPlacement::new(evaluator, options),
        }
    }

    /// The best placement for one request.
    pub(crate) fn best_of(
        &mut self,
        rules: RulesRef<'_>,
        node: &SearchNode,
        request: &ReplyRequest,
    ) -> Choice {
        let rules = rules.at_level(node.level);
        self.decision.best(&Question {
            board: &node.board,
            piece: request.piece,
            rules: rules.as_ref(),
            next: request.next,
            scored: self.decision.options().scored,
            lines_before: node.lines,
        })
    }
}

impl Replies for RepliesOneByOne {
    fn best(
        &mut self,
        rules: RulesRef<'_>,
        nodes: &[SearchNode],
        requests: &[ReplyRequest],
        replies: &mut Vec<Choice>,
    ) {
        replies.clear();
        for request in requests {
            replies.push(self.best_of(rules, &nodes[request.node], request));
        }
    }

    fn evaluator(&self) -> &Arc<dyn Evaluator> {
        self.decision.evaluator()
    }

    fn options(&self) -> GreedyOptions {
        self.decision.options()
    }

    fn boxed(&self) -> Box<dyn Replies> {
        Box::new(self.clone())
    }
}
