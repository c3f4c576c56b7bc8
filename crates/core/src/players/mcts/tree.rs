//! The tree of one decision.

use crate::board::Board;
use crate::choice::{
    BestPlacement, Choice, Replies, ReplyRequest, SearchNode, SearchRules, SearchStep, SearchValue,
    UnseenPieces, best_first,
};
use crate::game::GameView;
use crate::outcomes::DecisionContext;
use crate::piece::{PIECES, Piece};
use crate::placement::Placement;
use crate::players::analysis::Finding;
use crate::players::forecasts::ForecastTree;
use crate::rng::Rng;
use crate::stop::StopFlag;
use std::cmp::Ordering;
use std::ops::Add;

/// The maximum size of a tree in bytes, counted with fixed sizes for nodes, placements and pieces.
/// A tree of this size stops growing, so that decisions depend neither on the machine nor on its
/// memory.
const MOST_BYTES: usize = 400_000_000;
const NODE_BYTES: usize = 512;
const EDGE_BYTES: usize = 256;
const BRANCH_BYTES: usize = 96;
/// Number of placements of a node that are kept initially; the others are recomputed when they are
/// considered.
const FEW: usize = 4;

/// A tree that grows by simulations. Scores in its values are multiplied by survival, so that the
/// mean of several values is a value.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    view: &'a GameView<'a>,
    rules: SearchRules<'a>,
    expansion: &'a mut BestPlacement,
    replies: &'a mut dyn Replies,
    rng: Rng,
    /// The random numbers that determine the pieces: number n is used at visit n of every edge.
    numbers: Vec<f64>,
    /// The number of pieces in a line.
    depth: usize,
    nodes: Vec<Node>,
    /// The knowledge of the pieces that are not shown.
    unseen: ForecastTree,
    /// The size of the tree, and its limit.
    pub(super) bytes: usize,
    pub(super) most_bytes: usize,
    /// The lowest and the highest score of a leaf.
    range: (f64, f64),
}

/// A board with the piece to place.
#[derive(Debug)]
struct Node {
    /// The number of pieces placed before this board in the search.
    number: usize,
    board: SearchNode,
    piece: Piece,
    /// The knowledge of hidden pieces after the piece and the visible ones.
    state: usize,
    visits: u32,
    /// Number of placements, and number of those that may be chosen.
    placements: usize,
    allowed: usize,
    /// The placements that were considered, and a few more, sorted by score.
    edges: Vec<Edge>,
}

/// A placement as a step, without the board before it.
#[derive(Debug)]
pub(super) struct TreeStep {
    pub(super) placement: Placement,
    pub(super) game_over: bool,
    pub(super) score: f64,
    step_value: f64,
    lines: u64,
    /// The level, clamped: no game keeps speeding up that long.
    level: u16,
    tie_key: [isize; 3],
    after: Board,
}

impl TreeStep {
    /// The board after the step.
    fn node(&self) -> SearchNode {
        SearchNode {
            board: self.after,
            lines: self.lines,
            level: self.level.into(),
        }
    }
}

impl From<&SearchStep> for TreeStep {
    fn from(step: &SearchStep) -> TreeStep {
        TreeStep {
            placement: step.transition.placement,
            game_over: step.transition.game_over,
            score: step.score,
            step_value: step.step_value,
            lines: step.lines,
            level: step.level.try_into().unwrap_or(u16::MAX),
            tie_key: step.tie_key,
            after: step.transition.after,
        }
    }
}

/// A placement.
#[derive(Debug)]
pub(super) struct Edge {
    /// The placement as a step.
    pub(super) step: TreeStep,
    visits: u32,
    /// The value of the edge, if known.
    value: SearchValue,
    chance: Option<Chance>,
}

/// The continuation of a placement.
#[derive(Debug)]
enum Chance {
    /// No continuation: the game ends, or the list of pieces does.
    End(SearchValue),
    /// A piece that may follow, and the mean value of the greedy replies to all such pieces.
    Piece {
        branches: Vec<Branch>,
        expected: SearchValue,
    },
}

/// A possible piece.
#[derive(Debug)]
struct Branch {
    piece: Piece,
    probability: f64,
    /// The value and the placement of the greedy reply to the piece; no reply if the piece cannot
    /// enter.
    value: SearchValue,
    reply: Option<Choice>,
    /// The index of the node, once it has been visited.
    node: Option<usize>,
}

impl<'a> Tree<'a> {
    /// The tree of a position: a root without visits.
    pub(super) fn new(
        view: &'a GameView<'a>,
        expansion: &'a mut BestPlacement,
        replies: &'a mut dyn Replies,
        (rng, depth): (Rng, usize),
    ) -> Tree<'a> {
        let mut tree = Tree {
            view,
            rules: SearchRules::new(view.rules),
            expansion,
            replies,
            rng,
            numbers: Vec::new(),
            depth,
            nodes: Vec::new(),
            unseen: ForecastTree::new(view.forecast),
            bytes: 0,
            most_bytes: MOST_BYTES,
            range: (f64::INFINITY, f64::NEG_INFINITY),
        };
        let root = SearchNode::of(&DecisionContext::from(view));
        tree.add_node(root, view.piece, 0, 0);
        tree
    }

    /// Runs simulations until the number is reached, the search is cancelled, or the tree is full.
    pub(super) fn grow(&mut self, simulations: usize, exploration: f64, stop: &StopFlag) {
        for _ in 0..simulations {
            if stop.is_raised() || self.bytes >= self.most_bytes {
                break;
            }
            self.simulate(0, exploration);
        }
    }

    /// The placements of the root, best first.
    pub(super) fn ranked(&self) -> Vec<&Edge> {
        let mut edges: Vec<&Edge> = self.nodes[0].edges.iter().collect();
        edges.sort_by(|a, b| self.more_visited(a, b));
        edges
    }

    fn more_visited(&self, a: &Edge, b: &Edge) -> Ordering {
        let scaled = |edge: &Edge| SearchValue::of_last(self.scaled(edge.value), false);
        let never = |edge: &Edge| self.avoids(edge.step.game_over);
        let by_losing = never(a).cmp(&never(b));
        by_losing
            .then_with(|| b.visits.cmp(&a.visits))
            .then_with(|| scaled(b).compare(&scaled(a)))
            .then_with(|| a.step.tie_key.cmp(&b.step.tie_key))
    }

    /// The rating of a placement, without its line. The score is the expected score of the
    /// continuation if at least one survives, the placement's own score if none does, and minus
    /// infinity if no simulation has tried the placement.
    pub(super) fn finding(&self, edge: &Edge) -> Finding {
        let TreeStep {
            placement,
            game_over,
            score: own_score,
            ..
        } = edge.step;
        let SearchValue { survival, score } = edge.value;
        // Where losing is allowed, the tree values a step that ends the game like any other.
        let ends = self.avoids(game_over);
        let value = match edge.visits {
            0 if ends => SearchValue::of_last(own_score, true),
            0 => SearchValue::of_last(f64::NEG_INFINITY, game_over),
            _ => SearchValue {
                survival: survival.clamp(0.0, 1.0),
                score: if survival > 0.0 {
                    score / survival
                } else {
                    own_score
                },
            },
        };
        Finding {
            placement,
            ends,
            value,
            line: Vec::new(),
        }
    }

    /// The expected continuation of a placement.
    pub(super) fn line(&self, edge: &Edge) -> Vec<Placement> {
        let (mut edge, mut line) = (edge, Vec::new());
        while let Some(Chance::Piece { branches, .. }) = &edge.chance {
            let likelier = |a: &&Branch, b: &&Branch| a.probability.total_cmp(&b.probability);
            // Ties go to the last one of the reversed list, which is the first piece.
            let Some(branch) = branches.iter().rev().max_by(likelier) else {
                break;
            };
            let Some(node) = branch.node else {
                line.extend(branch.reply.map(|reply| reply.placement));
                break;
            };
            let edges = self.nodes[node].edges.iter();
            let Some(best) = edges.min_by(|a, b| self.more_visited(a, b)) else {
                break;
            };
            line.push(best.step.placement);
            edge = best;
        }
        line
    }

    /// One simulation from a node.
    fn simulate(&mut self, node: usize, exploration: f64) {
        let edge = self.select(node, exploration);
        if self.nodes[node].edges[edge].chance.is_none() {
            self.evaluate(node, edge);
        }
        if self.nodes[node].number + 2 < self.depth {
            self.follow(node, edge, exploration);
        }
        self.nodes[node].visits += 1;
        self.nodes[node].edges[edge].visits += 1;
    }

    /// The considered edge with the highest upper confidence bound (UCB1).
    fn select(&mut self, node: usize, exploration: f64) -> usize {
        let visits = f64::from(self.nodes[node].visits);
        let considered = (2.0 * visits.sqrt()).ceil().max(1.0) as usize;
        let considered = considered.min(self.nodes[node].allowed);
        self.widen(node, considered);
        let bound = |edge: &Edge| match edge.visits {
            0 => f64::INFINITY,
            tried => {
                let spread = libm::log(visits) / f64::from(tried);
                self.scaled(edge.value) + exploration * spread.sqrt()
            }
        };
        let edges = &self.nodes[node].edges[..considered];
        let (mut best, mut highest) = (0, f64::NEG_INFINITY);
        for (index, edge) in edges.iter().enumerate() {
            let bound = bound(edge);
            if bound > highest {
                (best, highest) = (index, bound);
            }
        }
        best
    }

    /// Whether a step with this ending is avoided as long as there are alternatives.
    fn avoids(&self, game_over: bool) -> bool {
        game_over && !self.expansion.options().may_lose
    }

    /// A value on a scale where the worst leaf is 0, the best is 1, and a lost game -1.
    fn scaled(&self, value: SearchValue) -> f64 {
        let (low, high) = self.range;
        let range = if high > low { high - low } else { 1.0 };
        let low = if low.is_finite() { low } else { 0.0 };
        (value.score - value.survival * low) / range - (1.0 - value.survival)
    }

    /// Finds the possible continuations of an edge, and values the edge by the greedy replies.
    fn evaluate(&mut self, node: usize, edge: usize) {
        let chance = self.chance(node, edge);
        let is_leaf = self.nodes[node].number + 2 >= self.depth;
        let edge = &mut self.nodes[node].edges[edge];
        edge.value = match &chance {
            Chance::End(value) => *value,
            Chance::Piece { expected, .. } => {
                expected.after(expected.survival * edge.step.step_value)
            }
        };
        edge.chance = Some(chance);
        let SearchValue { survival, score } = edge.value;
        if is_leaf && survival > 0.0 {
            let score = score / survival;
            self.range = (self.range.0.min(score), self.range.1.max(score));
        }
    }

    /// The possible continuations of an edge.
    fn chance(&mut self, node: usize, edge: usize) -> Chance {
        let step = &self.nodes[node].edges[edge].step;
        if self.avoids(step.game_over) {
            return Chance::End(SearchValue::default());
        }
        let (score, after) = (step.score, step.after);
        let pieces = if step.game_over {
            Vec::new()
        } else {
            self.pieces_after(node, &after)
        };
        if pieces.is_empty() {
            return Chance::End(SearchValue::of_last(score, false));
        }
        self.bytes += BRANCH_BYTES * pieces.len();
        let branches = self.branches(node, edge, &pieces);
        let weighed = branches
            .iter()
            .map(|branch| branch.value * branch.probability);
        Chance::Piece {
            expected: weighed.fold(SearchValue::default(), SearchValue::add),
            branches,
        }
    }

    /// The pieces that may follow when a step leads from a node to this board, with their
    /// probabilities.
    fn pieces_after(&mut self, node: usize, board: &Board) -> Vec<(Piece, f64)> {
        let Node { number, state, .. } = self.nodes[node];
        if let Some(&shown) = self.view.queue.get(number) {
            return vec![(shown, 1.0)];
        }
        let probabilities = self.unseen.probabilities(state, board);
        let pieces = PIECES.into_iter().zip(probabilities);
        pieces
            .filter(|(_, probability)| *probability > 0.0)
            .collect()
    }

    /// The greedy replies to the pieces that may follow an edge.
    fn branches(&mut self, node: usize, edge: usize, pieces: &[(Piece, f64)]) -> Vec<Branch> {
        let (number, step) = (self.nodes[node].number, &self.nodes[node].edges[edge].step);
        let board = step.node();
        let rules = self.rules.root();
        let enters = |piece: Piece| !rules.blocks_entry(&board.board, piece);
        let next = self.view.queue.get(number + 1).copied();
        let requests = pieces.iter().filter(|(piece, _)| enters(*piece));
        let requests: Vec<ReplyRequest> = requests
            .map(|&(piece, _)| ReplyRequest::new(0, piece, next))
            .collect();
        let mut replies = Vec::new();
        self.replies
            .find_all(&mut self.rules, &[board], &requests, &mut replies);
        let may_lose = self.expansion.options().may_lose;
        let mut replies = replies.into_iter();
        let branch = |&(piece, probability): &(Piece, f64)| {
            let reply = enters(piece).then(|| replies.next()).flatten();
            let survives = reply.filter(|reply| may_lose || !reply.game_over);
            Branch {
                piece,
                probability,
                value: survives.map_or(SearchValue::default(), |reply| {
                    SearchValue::of_last(reply.score, false)
                }),
                reply,
                node: None,
            }
        };
        pieces.iter().map(branch).collect()
    }

    /// Continues below an edge: draws a piece.
    fn follow(&mut self, node: usize, edge: usize, exploration: f64) {
        let number = self.number(self.nodes[node].edges[edge].visits);
        let Some(Chance::Piece { branches, .. }) = &self.nodes[node].edges[edge].chance else {
            return;
        };
        let drawn = drawn(branches, number);
        let Branch {
            reply, node: child, ..
        } = branches[drawn];
        if reply.is_some_and(|reply| !reply.game_over) {
            let child = child.unwrap_or_else(|| self.add_child(node, edge, drawn));
            self.simulate(child, exploration);
        }
        self.value_again(node, edge);
    }

    /// The number that draws a piece at this visit of an edge.
    fn number(&mut self, visit: u32) -> f64 {
        while self.numbers.len() <= visit as usize {
            self.numbers.push(self.rng.unit());
        }
        self.numbers[visit as usize]
    }

    /// Recomputes the value of an edge from the values below it.
    fn value_again(&mut self, node: usize, edge: usize) {
        let Edge { step, chance, .. } = &self.nodes[node].edges[edge];
        let Some(Chance::Piece { branches, expected }) = chance else {
            return;
        };
        let (mut change, mut seen) = (SearchValue::default(), 0.0);
        for branch in branches {
            let Some(child) = branch.node else {
                continue;
            };
            change = change + (self.value(child) - branch.value) * branch.probability;
            seen += branch.probability;
        }
        if seen > 0.0 {
            let value = *expected + change * (1.0 / seen);
            let value = value.after(value.survival * step.step_value);
            self.nodes[node].edges[edge].value = value;
        }
    }

    /// The value of a node: that of its best edge.
    fn value(&self, node: usize) -> SearchValue {
        let edges = self.nodes[node].edges.iter();
        let tried = edges.filter(|edge| edge.visits > 0).map(|edge| edge.value);
        let better = |a: &SearchValue, b: &SearchValue| self.scaled(*a).total_cmp(&self.scaled(*b));
        tried.max_by(better).unwrap_or_default()
    }

    /// The node after a piece that may follow an edge.
    fn add_child(&mut self, node: usize, edge: usize, branch: usize) -> usize {
        let child = self.nodes.len();
        let parent = &mut self.nodes[node];
        let edge = &mut parent.edges[edge];
        let Some(Chance::Piece { branches, .. }) = &mut edge.chance else {
            return child;
        };
        let branch = &mut branches[branch];
        branch.node = Some(child);
        let board = edge.step.node();
        let (piece, number) = (branch.piece, parent.number + 1);
        let is_shown = number <= self.view.queue.len();
        let state = if is_shown {
            parent.state
        } else {
            self.unseen.after(parent.state, piece)
        };
        self.add_node(board, piece, number, state);
        child
    }

    fn add_node(&mut self, board: SearchNode, piece: Piece, number: usize, state: usize) {
        let steps = self.steps(&board, piece, number);
        let allowed = steps
            .iter()
            .filter(|step| !self.avoids(step.transition.game_over))
            .count();
        self.nodes.push(Node {
            number,
            board,
            piece,
            state,
            visits: 0,
            placements: steps.len(),
            allowed: allowed.max(1),
            edges: Vec::new(),
        });
        self.bytes += NODE_BYTES;
        // All placements of the root are available to callers.
        let kept = if number == 0 { steps.len() } else { FEW };
        self.keep(self.nodes.len() - 1, &steps, kept);
    }

    /// The placements of a piece on a board, sorted by score.
    fn steps(&mut self, board: &SearchNode, piece: Piece, number: usize) -> Vec<SearchStep> {
        let next = self.view.queue.get(number).copied();
        let decision = self.rules.decision(board, piece, next);
        let mut steps = self.expansion.expand(&decision);
        let may_lose = self.expansion.options().may_lose;
        steps.sort_by(|a, b| best_first((a, a.value()), (b, b.value()), may_lose));
        steps
    }

    /// Ensures that a node keeps this many of its placements, or all.
    fn widen(&mut self, node: usize, wanted: usize) {
        let Node {
            board,
            piece,
            number,
            placements,
            ..
        } = self.nodes[node];
        let kept = self.nodes[node].edges.len();
        if kept < wanted.min(placements) {
            let steps = self.steps(&board, piece, number);
            self.keep(node, &steps, wanted.max(FEW * kept));
        }
    }

    /// Keeps the first placements of a node.
    fn keep(&mut self, node: usize, steps: &[SearchStep], kept: usize) {
        let edges = &mut self.nodes[node].edges;
        let new = &steps[edges.len()..kept.min(steps.len())];
        self.bytes += EDGE_BYTES * new.len();
        edges.reserve_exact(new.len());
        edges.extend(new.iter().map(|step| Edge {
            step: TreeStep::from(step),
            visits: 0,
            value: SearchValue::default(),
            chance: None,
        }));
    }
}

/// The index of the branch selected by a number between 0 and 1.
fn drawn(branches: &[Branch], number: f64) -> usize {
    let mut end = 0.0;
    let passed = branches.iter().take_while(|branch| {
        end += branch.probability;
        end <= number
    });
    passed.count().min(branches.len() - 1)
}
