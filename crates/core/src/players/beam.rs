//! Beam search over the visible pieces.
//!
//! Sequences of placements (lines) are extended piece by piece. After each piece only the best
//! `width` boards are kept, ordered by the sum of the values of their steps and the score of the
//! last step. The value of a line is that of [`Lookahead`](crate::choice::Lookahead): the values of
//! all steps but the last, and the score of the last. With two pieces and a beam that holds all
//! boards, it is the two-piece player.
//!
//! A line that ends the game is worse than every line that survives longer, regardless of their
//! scores; if losing is allowed, only scores count.

use super::analysis::{Finding, rows};
use super::{EVALUATOR, LOSING, Player, PlayerEntry, RatedPlacement, SCORED, TIES, greedy_options};
use crate::choice::{
    BestPlacement, Choice, GreedyOptions, Replies, ReplyRequest, SearchNode, SearchRules,
    SearchStep, SearchValue, best_first,
};
use crate::evaluators::Evaluator;
use crate::game::GameView;
use crate::kernel::replies;
use crate::outcomes::DecisionContext;
use crate::piece::Piece;
use crate::placement::Placement;
use crate::ruleset::{MAX_PREVIEW, Ruleset};
use crate::settings::{Kind, Setting};
use crate::stop::StopFlag;
use std::collections::HashMap;
use std::sync::Arc;

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    id: "beam",
    definition: "the first placement of the best line over the visible pieces, where only the best boards are kept after each piece",
    source: "Lowerre 1976 (beam search)",
    settings: &[EVALUATOR, LOSING, SCORED, TIES, WIDTH, DEPTH],
    make: |settings, context| {
        let (evaluator, options) = greedy_options(settings, context)?;
        let size = (settings.count(WIDTH.id), settings.count(DEPTH.id));
        Ok(Box::new(Beam::new(
            context.ruleset,
            evaluator,
            options,
            size,
        )))
    },
};

const WIDTH: Setting = Setting {
    id: "width",
    help: "number of boards kept after each piece; a beam of 20,000 needs up to half a gigabyte",
    default: Some("20"),
    kind: Kind::count(1, 20_000),
};

const DEPTH: Setting = Setting {
    id: "depth",
    help: "number of pieces in a line, including the current one; the others must be visible",
    default: Some("2"),
    kind: Kind::count(1, MAX_PREVIEW + 1),
};

/// Chooses the first placement of the best line that a beam search finds.
#[derive(Clone, Debug)]
pub struct Beam {
    expansion: BestPlacement,
    replies: Box<dyn Replies>,
    width: usize,
    depth: usize,
    stop: StopFlag,
}

/// A board at the end of a line that is still extended.
#[derive(Clone, Copy, Debug)]
struct Front {
    node: SearchNode,
    /// The sum of the values of all steps so far, and the score of the line if it ended here.
    steps_value: f64,
    score: f64,
    /// The index of the first step of the line.
    first: usize,
    /// The index of the last step of the line among all steps taken.
    last: usize,
}

/// The end of a line: its value, its last step before the reply, and the reply. Survival counts
/// pieces.
#[derive(Clone, Copy, Debug)]
struct Ended {
    value: SearchValue,
    last: usize,
    reply: Option<Placement>,
}

/// One search.
struct BeamSearch<'a> {
    view: &'a GameView<'a>,
    rules: SearchRules<'a>,
    may_lose: bool,
    /// The steps of the current piece.
    firsts: Vec<SearchStep>,
    /// For each of these steps, the best ending of the lines that start with it.
    best: Vec<Option<Ended>>,
    /// Every step: its predecessor in its line, and the placement.
    taken: Vec<(Option<usize>, Placement)>,
}

impl Beam {
    /// A player that looks `depth` pieces ahead with `width` boards.
    pub fn new(
        ruleset: &Ruleset,
        evaluator: Arc<dyn Evaluator>,
        options: GreedyOptions,
        (width, depth): (usize, usize),
    ) -> Beam {
        Beam {
            expansion: BestPlacement::new(evaluator.clone(), options),
            replies: replies(ruleset, evaluator, options),
            width,
            depth,
            stop: StopFlag::default(),
        }
    }

    fn search<'a>(&mut self, view: &'a GameView<'a>) -> BeamSearch<'a> {
        let following = &view.queue[..view.queue.len().min(self.depth - 1)];
        let firsts = self.expansion.expand(&DecisionContext::from(view));
        let mut search = BeamSearch {
            view,
            rules: SearchRules::new(view.rules),
            may_lose: self.expansion.options().may_lose,
            best: vec![None; firsts.len()],
            firsts,
            taken: Vec::new(),
        };
        let mut front = search.begin(following.is_empty());
        for (index, &piece) in following.iter().enumerate() {
            if self.stop.is_raised() {
                break;
            }
            search.narrow(&mut front, self.width);
            if index + 1 == following.len() {
                self.answer(&mut search, &front, piece, following.len());
            } else {
                front = self.lengthen(&mut search, &front, piece, index + 1);
            }
        }
        search
    }

    /// Extends every line by each step of the piece with this number.
    fn lengthen(
        &mut self,
        search: &mut BeamSearch<'_>,
        front: &[Front],
        piece: Piece,
        number: usize,
    ) -> Vec<Front> {
        let mut longer = Vec::new();
        let next = search.view.queue.get(number).copied();
        for line in front.iter().take_while(|_| !self.stop.is_raised()) {
            let decision = search.rules.decision(&line.node, piece, next);
            let steps = self.expansion.expand(&decision);
            longer.extend(
                steps
                    .iter()
                    .filter_map(|step| search.take(line, step, number)),
            );
        }
        longer
    }

    /// Ends every line with the best reply of the last piece, for all boards together.
    fn answer(
        &mut self,
        search: &mut BeamSearch<'_>,
        front: &[Front],
        piece: Piece,
        number: usize,
    ) {
        let nodes: Vec<SearchNode> = front.iter().map(|line| line.node).collect();
        let next = search.view.queue.get(number).copied();
        let requests = (0..nodes.len()).map(|node| ReplyRequest::new(node, piece, next));
        let requests: Vec<ReplyRequest> = requests.collect();
        let mut replies = Vec::new();
        self.replies
            .find_all(&mut search.rules, &nodes, &requests, &mut replies);
        for (line, reply) in front.iter().zip(&replies) {
            search.end_with(line, reply, number);
        }
    }

    /// The value of a first step, which is the value of the best line that starts with it. The line
    /// itself is not included.
    fn finding(&self, search: &BeamSearch<'_>, first: usize) -> Finding {
        let step = &search.firsts[first].transition;
        let pieces = 1 + search.view.queue.len().min(self.depth - 1);
        let value = search.best[first].map_or(OUT, |ended| SearchValue {
            survival: f64::from(ended.value.survival as usize == pieces),
            ..ended.value
        });
        Finding {
            placement: step.placement,
            ends: step.game_over,
            value,
            line: Vec::new(),
        }
    }
}

/// The value of a first step whose lines were all dropped from the beam.
const OUT: SearchValue = SearchValue {
    survival: 1.0,
    score: f64::NEG_INFINITY,
};

impl BeamSearch<'_> {
    /// The lines that consist of one step. If no piece follows, they end there.
    fn begin(&mut self, is_last: bool) -> Vec<Front> {
        let mut front = Vec::new();
        let firsts = std::mem::take(&mut self.firsts);
        for (first, step) in firsts.iter().enumerate() {
            let nothing = Front {
                node: SearchNode::of(&DecisionContext::from(self.view)),
                steps_value: 0.0,
                score: 0.0,
                first,
                last: usize::MAX,
            };
            let line = self.take(&nothing, step, 0);
            match line {
                Some(line) if is_last => self.end(&line, line.score, 1, None),
                line => front.extend(line),
            }
        }
        self.firsts = firsts;
        front
    }

    /// A line extended by one step of the piece with this number; `None` if the step ends the game.
    fn take(&mut self, line: &Front, step: &SearchStep, number: usize) -> Option<Front> {
        let before = (number > 0).then_some(line.last);
        self.taken.push((before, step.transition.placement));
        let longer = Front {
            node: SearchNode::after(step),
            steps_value: line.steps_value + step.step_value,
            score: line.steps_value + step.score,
            first: line.first,
            last: self.taken.len() - 1,
        };
        if step.transition.game_over {
            self.end(&longer, longer.score, number, None);
            return None;
        }
        Some(longer)
    }

    fn end_with(&mut self, line: &Front, reply: &Choice, number: usize) {
        let pieces = number + usize::from(!reply.game_over);
        let score = line.steps_value + reply.score;
        self.end(line, score, pieces, Some(reply.placement));
    }

    /// Records the end of a line that survived this many pieces.
    fn end(&mut self, line: &Front, score: f64, pieces: usize, reply: Option<Placement>) {
        let value = SearchValue {
            survival: pieces as f64,
            score,
        };
        let best = &mut self.best[line.first];
        let judged = |value: SearchValue| value.judged(self.may_lose);
        if best.is_none_or(|best| judged(value) > judged(best.value)) {
            *best = Some(Ended {
                value,
                last: line.last,
                reply,
            });
        }
    }

    /// Keeps only the best boards. If several lines lead to the same board, the one with the
    /// highest sum of step values is kept.
    fn narrow(&self, front: &mut Vec<Front>, width: usize) {
        let tie = |line: &Front| self.firsts[line.first].tie_key;
        let mut on_board = HashMap::new();
        let mut distinct: Vec<Front> = Vec::with_capacity(front.len());
        for line in front.iter() {
            let index = *on_board.entry(line.node.board).or_insert(distinct.len());
            match distinct.get_mut(index) {
                None => distinct.push(*line),
                Some(other) => {
                    if (line.steps_value, tie(other)) > (other.steps_value, tie(line)) {
                        *other = *line;
                    }
                }
            }
        }
        let value = |line: &Front| SearchValue::of_last(line.score, false);
        distinct.sort_by(|a, b| {
            let by_value = value(b).compare(&value(a));
            by_value.then_with(|| tie(a).cmp(&tie(b)))
        });
        distinct.truncate(width);
        *front = distinct;
    }

    /// The indices of the first steps, best first. Among those that do not end the game, the ones
    /// whose lines were all dropped from the beam come last.
    fn ranked(&self) -> Vec<usize> {
        let value =
            |first: usize| self.best[first].map_or(SearchValue::LOWEST, |ended| ended.value);
        let rated = |first: usize| (&self.firsts[first], value(first));
        let mut order: Vec<usize> = (0..self.firsts.len()).collect();
        order.sort_by(|&a, &b| best_first(rated(a), rated(b), self.may_lose));
        order
    }

    /// The placements after the first one of a line.
    fn line(&self, ended: &Ended) -> Vec<Placement> {
        let mut line: Vec<Placement> = ended.reply.into_iter().collect();
        let mut step = Some(ended.last);
        while let Some((before, placement)) = step.map(|step| self.taken[step]) {
            line.push(placement);
            step = before;
        }
        line.pop();
        line.reverse();
        line
    }
}

impl Player for Beam {
    fn choose(&mut self, view: &GameView<'_>) -> Placement {
        let search = self.search(view);
        let best = search.ranked()[0];
        search.firsts[best].transition.placement
    }

    fn rated_choice(&mut self, view: &GameView<'_>) -> Option<RatedPlacement> {
        let search = self.search(view);
        let best = self.finding(&search, search.ranked()[0]);
        Some(best.chosen(&self.expansion))
    }

    fn analyse(&mut self, view: &GameView<'_>) -> Vec<RatedPlacement> {
        let search = self.search(view);
        let ranked = search.ranked().into_iter();
        let findings = ranked.map(|first| Finding {
            line: search.best[first].map_or(Vec::new(), |ended| search.line(&ended)),
            ..self.finding(&search, first)
        });
        rows(view, &self.expansion, findings.collect())
    }

    fn rating(&self) -> Option<&BestPlacement> {
        Some(&self.expansion)
    }

    fn heed(&mut self, stop: &StopFlag) {
        self.stop = stop.clone();
    }

    fn needs_preview(&self) -> usize {
        self.depth - 1
    }

    fn boxed(&self) -> Box<dyn Player> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests;
