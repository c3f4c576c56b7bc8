//! The best placements in many positions together: the last ply of every search.
//!
//! A search reaches many boards and requests the best placement of the next piece on each.
//! Together, these requests fill the lanes of the kernel; [`BestPlacement`] answers them one by
//! one, with any evaluator and any rules, and with the same results.

use super::{BestPlacement, Choice, GreedyOptions, SearchStep};
use crate::board::Board;
use crate::evaluators::Evaluator;
use crate::moves::MoveRules;
use crate::outcomes::DecisionContext;
use crate::piece::Piece;
use crate::rules::{Rules, RulesRef};
use std::fmt::Debug;
use std::sync::Arc;

/// A board that a search has reached.
#[derive(Clone, Copy, Debug)]
pub struct SearchNode {
    /// The board.
    pub board: Board,
    /// Lines cleared in the game so far.
    pub lines: u64,
    /// The level of a stepped game; 0 where pieces drop.
    pub level: u32,
}

impl SearchNode {
    /// The node after a step.
    #[must_use]
    pub fn after(step: &SearchStep) -> SearchNode {
        SearchNode {
            board: step.transition.after,
            lines: step.lines,
            level: step.level,
        }
    }

    /// The node of a decision.
    #[must_use]
    pub fn of(decision: &DecisionContext<'_>) -> SearchNode {
        SearchNode {
            board: *decision.board,
            lines: decision.lines_before,
            level: decision.rules.level(),
        }
    }
}

/// The rules of a search, whose nodes may be at different levels of a stepped game.
#[derive(Clone, Debug)]
pub struct SearchRules<'a> {
    root: RulesRef<'a>,
    /// The rules at another level; cloned once and reused for all other levels.
    other: Option<MoveRules>,
}

impl<'a> SearchRules<'a> {
    /// The rules at the level of the root.
    #[must_use]
    pub fn new(root: RulesRef<'a>) -> SearchRules<'a> {
        SearchRules { root, other: None }
    }

    /// The rules at the level of the root. Entry and game-over rules are the same at every level.
    #[must_use]
    pub fn root(&self) -> RulesRef<'a> {
        self.root
    }

    /// The decision context of a piece on the board of a node. The evaluator determines which board
    /// is scored.
    #[inline]
    pub fn decision<'q>(
        &'q mut self,
        node: &'q SearchNode,
        piece: Piece,
        next: Option<Piece>,
    ) -> DecisionContext<'q> {
        DecisionContext {
            rules: self.at(node),
            next,
            lines_before: node.lines,
            ..DecisionContext::simple(&node.board, piece)
        }
    }

    /// The rules at the level of a node, with its gravity.
    #[inline]
    pub fn at(&mut self, node: &SearchNode) -> RulesRef<'_> {
        match self.root {
            Rules::Stepped(move_rules) if move_rules.level != node.level => {
                let other = self.other.get_or_insert_with(|| move_rules.clone());
                other.set_level(node.level);
                Rules::Stepped(other)
            }
            root => root,
        }
    }
}

/// Requests the best placement of a piece on one of the boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplyRequest {
    /// The index of the board in the list of boards.
    pub node: usize,
    /// The piece to place.
    pub piece: Piece,
    /// The piece after the one to place, if it is known.
    pub next: Option<Piece>,
}

/// Finds the best placements in many positions.
pub trait Replies: Debug + Send + Sync {
    /// Replaces the list by the best placement for every request, in their order: that of
    /// [`BestPlacement::best`].
    fn find_all(
        &mut self,
        rules: &mut SearchRules<'_>,
        nodes: &[SearchNode],
        requests: &[ReplyRequest],
        replies: &mut Vec<Choice>,
    );

    /// The evaluator.
    fn evaluator(&self) -> &Arc<dyn Evaluator>;

    /// How decisions are made, apart from the evaluator.
    fn options(&self) -> GreedyOptions;

    /// The best batch size: smaller and larger batches cost more per board.
    fn together(&self) -> usize {
        1
    }

    /// Enables or disables the kernel, if there is one; answers are the same either way.
    fn allow_kernel(&mut self, _allowed: bool) {}

    /// A copy for another thread.
    fn boxed(&self) -> Box<dyn Replies>;
}

impl Clone for Box<dyn Replies> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

impl ReplyRequest {
    /// Requests the best placement of a piece on the board with this index.
    #[must_use]
    pub fn new(node: usize, piece: Piece, next: Option<Piece>) -> ReplyRequest {
        ReplyRequest { node, piece, next }
    }
}

impl BestPlacement {
    /// The best placement for one request.
    pub(crate) fn reply(
        &mut self,
        rules: &mut SearchRules<'_>,
        node: &SearchNode,
        request: &ReplyRequest,
    ) -> Choice {
        self.best(&rules.decision(node, request.piece, request.next))
    }
}

impl Replies for BestPlacement {
    fn find_all(
        &mut self,
        rules: &mut SearchRules<'_>,
        nodes: &[SearchNode],
        requests: &[ReplyRequest],
        replies: &mut Vec<Choice>,
    ) {
        replies.clear();
        for request in requests {
            replies.push(self.reply(rules, &nodes[request.node], request));
        }
    }

    fn evaluator(&self) -> &Arc<dyn Evaluator> {
        BestPlacement::evaluator(self)
    }

    fn options(&self) -> GreedyOptions {
        BestPlacement::options(self)
    }

    fn boxed(&self) -> Box<dyn Replies> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluators::testing::evaluator;
    use crate::moves::Gravity;
    use crate::ruleset::ruleset;

    #[test]
    fn rules_are_cloned_for_other_levels_only() {
        let tgm = ruleset(&"tgm".parse().unwrap(), &evaluator).unwrap();
        let root = tgm.rules.as_ref();
        let mut node = SearchNode {
            board: tgm.empty_board(),
            lines: 0,
            level: root.level(),
        };
        let mut rules = SearchRules::new(root);
        let own = rules.at(&node).move_rules().unwrap();
        assert!(std::ptr::eq(own, root.move_rules().unwrap()));
        for (level, rows) in [(500, 5120), (251, 256)] {
            node.level = level;
            let other = rules.at(&node).move_rules().unwrap();
            assert_eq!(other.gravity, Gravity { rows, ticks: 256 });
        }
        node.level = root.level();
        assert_eq!(rules.at(&node).level(), root.level());
    }
}
