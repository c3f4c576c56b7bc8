//! Beam search over the pieces that are shown.
//!
//! Lines of placements are made longer piece by piece. After each piece only the best boards go on, `width` of them, judged by
//! what the steps on the way are worth and by the score of the last step. A line is worth what [`BestPair`] says of a pair, for
//! more pieces than two: the worth of every step but the last, and the score of the last. With two pieces and a beam that holds
//! all boards the player is the two-piece player.
//!
//! A line that ends the game is worse than every line that lives longer, whatever it scores; where losing is allowed, scores
//! alone decide.
//!
//! [`BestPair`]: crate::choice::BestPair

use super::analysis::{in_game, shown_score};
use super::leaves::replies;
use super::{EVALUATOR, LOSING, Player, PlayerEntry, RatedPlacement, SCORED, TIES, greedy_options};
use crate::choice::{
    Choice, Expansion, GreedyOptions, Rating, Replies, ReplyRequest, SearchNode, SearchStep,
    best_first,
};
use crate::evaluators::{Evaluator, Score};
use crate::game::GameView;
use crate::outcomes::{Question, Scored};
use crate::piece::Piece;
use crate::placement::Placement;
use crate::ruleset::{MAX_PREVIEW, Ruleset};
use crate::settings::{Kind, Setting};
use crate::stop::StopFlag;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    id: "beam",
    definition: "the first placement of the best line over the pieces shown, where the best boards go on after each",
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
    help: "how many boards go on after each piece; a beam of 20,000 takes up to half a gigabyte",
    default: Some("20"),
    kind: Kind::Count {
        least: 1,
        most: 20_000,
    },
};

const DEPTH: Setting = Setting {
    id: "depth",
    help: "how many pieces a line has, the current one included; the others must be shown",
    default: Some("2"),
    kind: Kind::Count {
        least: 1,
        most: MAX_PREVIEW + 1,
    },
};

/// Chooses the first placement of the best line that a beam search finds.
#[derive(Clone, Debug)]
pub struct Beam {
    expansion: Expansion,
    replies: Box<dyn Replies>,
    width: usize,
    depth: usize,
    stop: StopFlag,
}

/// A board at the end of a line that goes on.
#[derive(Clone, Copy, Debug)]
struct Front {
    board: SearchNode,
    /// The worth of all steps until then, and the score of the last one with the worth of the steps before it.
    worth: f64,
    score: f64,
    /// The number of the first step of the line.
    first: usize,
    /// The number of its last step among all that were taken.
    last: usize,
}

/// Where a line has ended: what it is worth, its last step but the reply, and the reply.
#[derive(Clone, Copy, Debug)]
struct Ended {
    rating: Rating,
    last: usize,
    reply: Option<Placement>,
}

/// One search.
struct BeamSearch<'a> {
    view: &'a GameView<'a>,
    may_lose: bool,
    /// The steps of the current piece, and the best end of a line that begins with each.
    firsts: Vec<SearchStep>,
    best: Vec<Option<Ended>>,
    /// Every step that was taken: the one before it in its line, and the placement.
    taken: Vec<(Option<usize>, Placement)>,
}

impl Beam {
    /// A player that looks at `depth` pieces and lets `width` boards go on.
    #[must_use]
    pub fn new(
        ruleset: &Ruleset,
        evaluator: Arc<dyn Evaluator>,
        options: GreedyOptions,
        (width, depth): (usize, usize),
    ) -> Beam {
        Beam {
            expansion: Expansion::new(evaluator.clone(), options),
            replies: replies(ruleset, evaluator, options),
            width,
            depth,
            stop: StopFlag::default(),
        }
    }

    fn search<'a>(&mut self, view: &'a GameView<'a>) -> BeamSearch<'a> {
        let following = &view.queue[..view.queue.len().min(self.depth - 1)];
        let mut search = BeamSearch::new(view, self.expansion.options().may_lose);
        self.expansion
            .expand(&Question::from(view), &mut search.firsts);
        search.best = vec![None; search.firsts.len()];
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

    /// Every line made longer by one step of the piece with this number.
    fn lengthen(
        &mut self,
        search: &mut BeamSearch<'_>,
        front: &[Front],
        piece: Piece,
        number: usize,
    ) -> Vec<Front> {
        let mut longer = Vec::new();
        let mut steps = Vec::new();
        for line in front.iter().take_while(|_| !self.stop.is_raised()) {
            let rules = search.view.rules.at_level(line.board.level);
            let question = Question {
                rules: rules.as_ref(),
                board: &line.board.board,
                piece,
                next: search.view.queue.get(number).copied(),
                lines_before: line.board.lines,
                ..Question::from(search.view)
            };
            self.expansion.expand(&question, &mut steps);
            longer.extend(
                steps
                    .iter()
                    .filter_map(|step| search.take(line, step, number)),
            );
        }
        longer
    }

    /// Ends every line with the best reply of the last piece: all boards are asked about at once.
    fn answer(
        &mut self,
        search: &mut BeamSearch<'_>,
        front: &[Front],
        piece: Piece,
        number: usize,
    ) {
        let nodes: Vec<SearchNode> = front.iter().map(|line| line.board).collect();
        let next = search.view.queue.get(number).copied();
        let requests = (0..nodes.len()).map(|node| ReplyRequest { node, piece, next });
        let requests: Vec<ReplyRequest> = requests.collect();
        let mut replies = Vec::new();
        self.replies
            .best(search.view.rules, &nodes, &requests, &mut replies);
        for (line, reply) in front.iter().zip(&replies) {
            search.end_with(line, reply, number);
        }
    }

    fn row(&self, search: &BeamSearch<'_>, first: usize) -> RatedPlacement {
        let step = &search.firsts[first].transition;
        let all_end = search.firsts.iter().all(|step| step.transition.game_over);
        let ended = search.best[first];
        let pieces = 1 + search.view.queue.len().min(self.depth - 1);
        let (score, survives, line) = ended.map_or((Score::NEG_INFINITY, true, vec![]), |ended| {
            let line = search.line(&ended);
            let survives = ended.rating.survival as usize == pieces;
            let unit = self.expansion.evaluator().unit();
            (ended.rating.score * unit, survives, line)
        });
        RatedPlacement {
            placement: step.placement,
            score: shown_score(score, step.game_over, all_end, search.may_lose),
            survival: f64::from(survives && !step.game_over),
            line: in_game(search.view, self.scored(), step.placement, &line),
        }
    }
}

impl<'a> BeamSearch<'a> {
    fn new(view: &'a GameView<'a>, may_lose: bool) -> BeamSearch<'a> {
        BeamSearch {
            view,
            may_lose,
            firsts: Vec::new(),
            best: Vec::new(),
            taken: Vec::new(),
        }
    }

    /// The lines of one step. If no piece follows they end there.
    fn begin(&mut self, is_last: bool) -> Vec<Front> {
        let mut front = Vec::new();
        let firsts = std::mem::take(&mut self.firsts);
        for (first, step) in firsts.iter().enumerate() {
            let nothing = Front {
                board: SearchNode::of(&Question::from(self.view)),
                worth: 0.0,
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

    /// A line with one more step, of the piece with this number; none if it ends the game.
    fn take(&mut self, line: &Front, step: &SearchStep, number: usize) -> Option<Front> {
        let before = (number > 0).then_some(line.last);
        self.taken.push((before, step.transition.placement));
        let longer = Front {
            board: SearchNode::after(step),
            worth: line.worth + step.worth,
            score: line.worth + step.score,
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
        let score = line.worth + reply.score;
        self.end(line, score, pieces, Some(reply.placement));
    }

    /// Notes the end of a line that survived so many pieces.
    fn end(&mut self, line: &Front, score: f64, pieces: usize, reply: Option<Placement>) {
        let rating = Rating {
            survival: pieces as f64,
            score,
        };
        let last = line.last;
        let best = &mut self.best[line.first];
        let ended = Ended {
            rating,
            last,
            reply,
        };
        let judged = |rating: Rating| Rating {
            survival: if self.may_lose { 0.0 } else { rating.survival },
            ..rating
        };
        if best.is_none_or(|best| judged(rating) > judged(best.rating)) {
            *best = Some(ended);
        }
    }

    /// Lets only the best boards go on. Of lines that lead to the same board, the one whose steps were worth most.
    fn narrow(&self, front: &mut Vec<Front>, width: usize) {
        let tie = |line: &Front| self.firsts[line.first].tie_key;
        let mut on_board = HashMap::new();
        let mut distinct: Vec<Front> = Vec::with_capacity(front.len());
        for line in front.iter() {
            let index = *on_board.entry(line.board.board).or_insert(distinct.len());
            match distinct.get_mut(index) {
                None => distinct.push(*line),
                Some(other) => {
                    if (line.worth, tie(other)) > (other.worth, tie(line)) {
                        *other = *line;
                    }
                }
            }
        }
        let order = |a: f64, b: f64| b.partial_cmp(&a).unwrap_or(Ordering::Equal);
        distinct.sort_by(|a, b| order(a.score, b.score).then_with(|| tie(a).cmp(&tie(b))));
        distinct.truncate(width);
        *front = distinct;
    }

    /// The numbers of the first steps, best first. Those whose lines all fell out of the beam come last.
    fn ranked(&self) -> Vec<usize> {
        let rating = |first: usize| {
            let ended = self.best[first].map(|ended| ended.rating);
            let rating = ended.unwrap_or(Rating {
                survival: -1.0,
                score: f64::NEG_INFINITY,
            });
            Rating {
                survival: if self.may_lose { 0.0 } else { rating.survival },
                ..rating
            }
        };
        let mut order: Vec<usize> = (0..self.firsts.len()).collect();
        order.sort_by(|&a, &b| {
            let (one, other) = (&self.firsts[a], &self.firsts[b]);
            best_first((&rating(a), one), (&rating(b), other))
        });
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
        Some(self.row(&search, search.ranked()[0]))
    }

    fn analyse(&mut self, view: &GameView<'_>) -> Vec<RatedPlacement> {
        let search = self.search(view);
        let ranked = search.ranked().into_iter();
        ranked.map(|first| self.row(&search, first)).collect()
    }

    fn evaluator(&self) -> Option<&Arc<dyn Evaluator>> {
        Some(self.expansion.evaluator())
    }

    fn scored(&self) -> Scored {
        self.expansion.options().scored
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
