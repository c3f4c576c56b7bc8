//! The tree of one decision.

use crate::choice::{
    Choice, Expansion, Rating, Replies, ReplyRequest, SearchNode, SearchStep, best_first,
};
use crate::game::GameView;
use crate::outcomes::Question;
use crate::piece::{PIECES, Piece};
use crate::placement::Placement;
use crate::randomizers::{Forecast, Probabilities};
use crate::rng::Rng;
use std::cmp::Ordering;
use std::ops::{Add, Sub};

/// A tree that grows by simulations.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    view: &'a GameView<'a>,
    expansion: &'a mut Expansion,
    replies: &'a mut dyn Replies,
    rng: Rng,
    /// The numbers that draw the pieces: number n at the visit n of every edge.
    numbers: Vec<f64>,
    /// How many pieces a line has.
    depth: usize,
    nodes: Vec<Node>,
    /// The lowest and the highest score of a leaf.
    range: (f64, f64),
}

/// A board with the piece to place.
#[derive(Debug)]
struct Node {
    /// How many pieces were placed before it in the search.
    number: usize,
    /// What is known after the piece and those that are shown.
    forecast: Option<Forecast>,
    visits: u32,
    /// The placements, those with the highest scores of their own first.
    edges: Vec<Edge>,
}

/// A placement.
#[derive(Debug)]
pub(super) struct Edge {
    /// The placement as a step.
    pub(super) step: SearchStep,
    visits: u32,
    /// What it is worth, as far as it is known.
    value: Value,
    chance: Option<Chance>,
}

/// What follows a placement.
#[derive(Debug)]
enum Chance {
    /// Nothing: the game or the list of pieces ends.
    End(Value),
    /// A piece, and the mean of what the greedy replies to all of them are worth.
    Piece {
        branches: Vec<Branch>,
        expected: Value,
    },
}

/// A piece that may come.
#[derive(Debug)]
struct Branch {
    piece: Piece,
    probability: f64,
    /// What its greedy reply is worth, and where it goes; no reply if the piece cannot enter.
    value: Value,
    reply: Option<Choice>,
    /// The number of the node, when it has been visited.
    node: Option<usize>,
}

/// The worth of a position: the chance to survive, and the score times that chance. So written, means of values are values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Value {
    survival: f64,
    score: f64,
}

impl Value {
    fn sure(score: f64) -> Value {
        Value {
            survival: 1.0,
            score,
        }
    }

    fn times(self, factor: f64) -> Value {
        Value {
            survival: self.survival * factor,
            score: self.score * factor,
        }
    }

    /// With a step before it.
    fn after(self, worth: f64) -> Value {
        Value {
            score: self.score + self.survival * worth,
            ..self
        }
    }
}

impl Add for Value {
    type Output = Value;
    fn add(self, other: Value) -> Value {
        Value {
            survival: self.survival + other.survival,
            score: self.score + other.score,
        }
    }
}

impl Sub for Value {
    type Output = Value;
    fn sub(self, other: Value) -> Value {
        self + other.times(-1.0)
    }
}

impl Edge {
    /// The expected score of what follows if it survives, or its own score if nothing that follows does; none if no simulation
    /// came by, or if it ends the game and must not.
    pub(super) fn score(&self) -> Option<f64> {
        let Value { survival, score } = self.value;
        match self.visits {
            0 => None,
            _ if survival > 0.0 => Some(score / survival),
            _ => (!self.step.transition.game_over).then_some(self.step.score),
        }
    }

    /// The chance to survive.
    pub(super) fn survival(&self) -> f64 {
        match self.visits {
            0 => f64::from(!self.step.transition.game_over),
            _ => self.value.survival.clamp(0.0, 1.0),
        }
    }
}

impl<'a> Tree<'a> {
    /// The tree of a position: a root without visits.
    pub(super) fn new(
        view: &'a GameView<'a>,
        expansion: &'a mut Expansion,
        replies: &'a mut dyn Replies,
        (rng, depth): (Rng, usize),
    ) -> Tree<'a> {
        let mut tree = Tree {
            view,
            expansion,
            replies,
            rng,
            numbers: Vec::new(),
            depth,
            nodes: Vec::new(),
            range: (f64::INFINITY, f64::NEG_INFINITY),
        };
        let root = SearchNode {
            board: *view.board,
            lines: view.lines,
        };
        tree.add_node(root, view.piece, 0, view.forecast.cloned());
        tree
    }

    /// Makes simulations.
    pub(super) fn grow(&mut self, simulations: usize, exploration: f64) {
        for _ in 0..simulations {
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
        let rating = |edge: &Edge| Rating {
            survival: f64::from(edge.visits),
            score: self.scaled(edge.value),
        };
        let never = |edge: &Edge| self.is_avoided(&edge.step);
        let by_losing = never(a).cmp(&never(b));
        by_losing.then_with(|| best_first((&rating(a), &a.step), (&rating(b), &b.step)))
    }

    /// What is expected to follow a placement.
    pub(super) fn line(&self, edge: &Edge) -> Vec<Placement> {
        let (mut edge, mut line) = (edge, Vec::new());
        while let Some(Chance::Piece { branches, .. }) = &edge.chance {
            let likelier = |a: &&Branch, b: &&Branch| a.probability.total_cmp(&b.probability);
            // Of equals the last one of the reversed list: the first piece.
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
            line.push(best.step.transition.placement);
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

    /// The edge with the highest upper confidence bound among those that are considered: UCB1.
    fn select(&self, node: usize, exploration: f64) -> usize {
        let Node { edges, visits, .. } = &self.nodes[node];
        let visits = f64::from(*visits);
        let considered = (2.0 * visits.sqrt()).ceil().max(1.0) as usize;
        let bound = |edge: &Edge| match edge.visits {
            0 => f64::INFINITY,
            tried => {
                let spread = libm::log(visits) / f64::from(tried);
                self.scaled(edge.value) + exploration * spread.sqrt()
            }
        };
        let allowed = edges.iter().filter(|edge| !self.is_avoided(&edge.step));
        let allowed = allowed.count().max(1);
        let (mut best, mut highest) = (0, f64::NEG_INFINITY);
        for (index, edge) in edges[..allowed].iter().take(considered).enumerate() {
            let bound = bound(edge);
            if bound > highest {
                (best, highest) = (index, bound);
            }
        }
        best
    }

    /// Whether a step is not taken while there is another.
    fn is_avoided(&self, step: &SearchStep) -> bool {
        step.transition.game_over && !self.expansion.options().may_lose
    }

    /// A value on a scale where the worst leaf is 0, the best is 1, and a lost game -1.
    fn scaled(&self, value: Value) -> f64 {
        let (low, high) = self.range;
        let range = if high > low { high - low } else { 1.0 };
        let low = if low.is_finite() { low } else { 0.0 };
        (value.score - value.survival * low) / range - (1.0 - value.survival)
    }

    /// Finds out what may follow an edge, and values it by the greedy replies.
    fn evaluate(&mut self, node: usize, edge: usize) {
        let chance = self.chance(node, edge);
        let is_leaf = self.nodes[node].number + 2 >= self.depth;
        let edge = &mut self.nodes[node].edges[edge];
        edge.value = match &chance {
            Chance::End(value) => *value,
            Chance::Piece { expected, .. } => expected.after(edge.step.worth),
        };
        edge.chance = Some(chance);
        let Value { survival, score } = edge.value;
        if is_leaf && survival > 0.0 {
            let score = score / survival;
            self.range = (self.range.0.min(score), self.range.1.max(score));
        }
    }

    /// What may follow an edge.
    fn chance(&mut self, node: usize, edge: usize) -> Chance {
        let step = &self.nodes[node].edges[edge].step;
        if self.is_avoided(step) {
            return Chance::End(Value::default());
        }
        let pieces = match step.transition.game_over {
            true => Vec::new(),
            false => self.pieces_after(&self.nodes[node], step),
        };
        if pieces.is_empty() {
            return Chance::End(Value::sure(step.score));
        }
        let branches = self.branches(node, edge, &pieces);
        let weighed = branches
            .iter()
            .map(|branch| branch.value.times(branch.probability));
        Chance::Piece {
            expected: weighed.fold(Value::default(), Value::add),
            branches,
        }
    }

    /// The pieces that may follow a step, with their probabilities.
    fn pieces_after(&self, node: &Node, step: &SearchStep) -> Vec<(Piece, f64)> {
        if let Some(&shown) = self.view.queue.get(node.number) {
            return vec![(shown, 1.0)];
        }
        let forecast = node.forecast.as_ref();
        let probabilities: Option<Probabilities> =
            forecast.map(|forecast| forecast.probabilities(&step.transition.after));
        let pieces = PIECES.into_iter().zip(probabilities.unwrap_or_default());
        pieces
            .filter(|(_, probability)| *probability > 0.0)
            .collect()
    }

    /// The greedy replies to the pieces that may follow an edge.
    fn branches(&mut self, node: usize, edge: usize, pieces: &[(Piece, f64)]) -> Vec<Branch> {
        let (number, step) = (self.nodes[node].number, &self.nodes[node].edges[edge].step);
        let board = SearchNode {
            board: step.transition.after,
            lines: step.lines,
        };
        let end = self.view.end;
        let enters = |piece: Piece| !end.bars_entry(&board.board, piece);
        let next = self.view.queue.get(number + 1).copied();
        let requests = pieces.iter().filter(|(piece, _)| enters(*piece));
        let requests: Vec<ReplyRequest> = requests
            .map(|&(piece, _)| ReplyRequest {
                node: 0,
                piece,
                next,
            })
            .collect();
        let mut replies = Vec::new();
        self.replies.best(&[board], &requests, &mut replies);
        let may_lose = self.expansion.options().may_lose;
        let mut replies = replies.into_iter();
        let branch = |&(piece, probability): &(Piece, f64)| {
            let reply = enters(piece).then(|| replies.next()).flatten();
            let survives = reply.filter(|reply| may_lose || !reply.game_over);
            Branch {
                piece,
                probability,
                value: survives.map_or(Value::default(), |reply| Value::sure(reply.score)),
                reply,
                node: None,
            }
        };
        pieces.iter().map(branch).collect()
    }

    /// Goes on below an edge: draws a piece.
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

    /// Values an edge by what is known below it.
    fn value_again(&mut self, node: usize, edge: usize) {
        let Edge { step, chance, .. } = &self.nodes[node].edges[edge];
        let Some(Chance::Piece { branches, expected }) = chance else {
            return;
        };
        let (mut change, mut seen) = (Value::default(), 0.0);
        for branch in branches {
            let Some(child) = branch.node else {
                continue;
            };
            change = change + (self.value(child) - branch.value).times(branch.probability);
            seen += branch.probability;
        }
        if seen > 0.0 {
            let value = *expected + change.times(1.0 / seen);
            self.nodes[node].edges[edge].value = value.after(step.worth);
        }
    }

    /// The value of a node: of its best edge.
    fn value(&self, node: usize) -> Value {
        let edges = self.nodes[node].edges.iter();
        let tried = edges.filter(|edge| edge.visits > 0).map(|edge| edge.value);
        let better = |a: &Value, b: &Value| self.scaled(*a).total_cmp(&self.scaled(*b));
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
        let board = SearchNode {
            board: edge.step.transition.after,
            lines: edge.step.lines,
        };
        let (piece, number) = (branch.piece, parent.number + 1);
        let is_shown = number <= self.view.queue.len();
        let forecast = parent.forecast.as_ref().map(|forecast| match is_shown {
            true => forecast.clone(),
            false => forecast.after(piece),
        });
        self.add_node(board, piece, number, forecast);
        child
    }

    fn add_node(
        &mut self,
        board: SearchNode,
        piece: Piece,
        number: usize,
        forecast: Option<Forecast>,
    ) {
        let mut steps = Vec::new();
        let question = Question {
            board: &board.board,
            piece,
            next: self.view.queue.get(number).copied(),
            lines_before: board.lines,
            ..Question::from(self.view)
        };
        self.expansion.expand(&question, &mut steps);
        let rating = |step: &SearchStep| Rating {
            survival: f64::from(!self.is_avoided(step)),
            score: step.score,
        };
        steps.sort_by(|a, b| best_first((&rating(a), a), (&rating(b), b)));
        let edges = steps.into_iter().map(|step| Edge {
            step,
            visits: 0,
            value: Value::default(),
            chance: None,
        });
        self.nodes.push(Node {
            number,
            forecast,
            visits: 0,
            edges: edges.collect(),
        });
    }
}

/// The number of the branch that a number from 0 to 1 falls on.
fn drawn(branches: &[Branch], number: f64) -> usize {
    let mut end = 0.0;
    let passed = branches.iter().take_while(|branch| {
        end += branch.probability;
        end <= number
    });
    passed.count().min(branches.len() - 1)
}
