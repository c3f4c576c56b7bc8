//! Rollouts: every placement is evaluated by simulated games.
//!
//! For each placement of the current piece, the game is continued several times for a few pieces,
//! placed by the greedy player with the same evaluator. Placements are compared by the number of
//! surviving games, then by their mean value: the values of all steps but the last, and the score
//! of the last, as in all searches here. Tesauro and Galperin improved backgammon players in this
//! way; in Tetris, rollouts have been used for learning (Gabillon, Ghavamzadeh and Scherrer;
//! Lichtenberg and Şimşek).
//!
//! The visible pieces come first. The others are drawn from the forecast, and are the same for
//! every placement, so that luck does not decide between placements. All games advance together:
//! for each piece, a single call finds the best replies on many boards.

use super::analysis::{Finding, rows};
use super::futures::Future;
use super::{EVALUATOR, LOSING, Player, PlayerEntry, RatedPlacement, TIES, options_after_removal};
use crate::choice::{
    BestPlacement, Choice, GreedyOptions, RatedStep, Replies, ReplyRequest, SearchNode,
    SearchRules, SearchStep, SearchValue,
};
use crate::evaluators::Evaluator;
use crate::game::GameView;
use crate::kernel::replies;
use crate::outcomes::DecisionContext;
use crate::piece::Piece;
use crate::placement::Placement;
use crate::rng::decision_seed;
use crate::rules::RulesRef;
use crate::ruleset::Ruleset;
use crate::settings::{Kind, Setting};
use crate::stop::StopFlag;
use std::sync::Arc;

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    id: "rollout",
    definition: "the placement after which a greedy player survives most often; ties are broken by the mean score",
    source: "Tesauro and Galperin 1996",
    settings: &[EVALUATOR, LOSING, TIES, LENGTH, COUNT],
    make: |settings, context| {
        let (evaluator, options) = options_after_removal(settings, context)?;
        let size = (settings.count(LENGTH.id), settings.count(COUNT.id));
        Ok(Box::new(Rollout::new(
            context.ruleset,
            evaluator,
            options,
            size,
        )))
    },
};

const LENGTH: Setting = Setting {
    id: "length",
    help: "number of pieces in a rollout after the current one",
    default: Some("3"),
    kind: Kind::count(1, 1_000),
};

const COUNT: Setting = Setting {
    id: "count",
    help: "number of rollouts per placement",
    default: Some("7"),
    kind: Kind::count(1, 10_000),
};

/// Chooses the placement that does best in simulated continuations.
#[derive(Clone, Debug)]
pub struct Rollout {
    expansion: BestPlacement,
    replies: Box<dyn Replies>,
    length: usize,
    count: usize,
    /// Number of the visible pieces that the player uses.
    preview: usize,
    seed: u64,
    stop: StopFlag,
}

/// The maximum number of games in a batch, whose boards need a few megabytes.
const ASKED_AT_ONCE: usize = 1 << 14;

/// A simulated continuation of a placement.
#[derive(Clone, Debug)]
struct Continuation {
    node: SearchNode,
    /// The index of the continuation's sequence of pieces.
    future: usize,
    /// The sum of the values of all steps except the last; the value of the last one as a step, and
    /// its score.
    steps_value: f64,
    last: (f64, f64),
    state: Outlook,
}

/// The state of a simulated game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outlook {
    Playing,
    /// No piece is left.
    Done,
    Lost,
}

impl Rollout {
    /// A player that evaluates placements by `count` games of `length` pieces each.
    pub fn new(
        ruleset: &Ruleset,
        evaluator: Arc<dyn Evaluator>,
        options: GreedyOptions,
        (length, count): (usize, usize),
    ) -> Rollout {
        Rollout {
            expansion: BestPlacement::new(evaluator.clone(), options),
            replies: replies(ruleset, evaluator, options),
            length,
            count,
            preview: ruleset.preview.min(length),
            seed: 0,
            stop: StopFlag::default(),
        }
    }

    /// All placements, best first. Survival is the share of games that survived.
    fn tried(&mut self, view: &GameView<'_>) -> Vec<RatedStep> {
        let steps = self.expansion.expand(&DecisionContext::from(view));
        let continuations = self.played_on(view, &steps);
        let tried = steps.into_iter().zip(continuations.chunks(self.count));
        let tried = tried.map(|(step, games)| RatedStep {
            step,
            value: mean_value(games),
        });
        let mut tried: Vec<RatedStep> = tried.collect();
        RatedStep::sort(&mut tried, self.expansion.options().may_lose);
        tried
    }

    /// The simulated games that follow the steps, `count` for each step.
    fn played_on(&mut self, view: &GameView<'_>, steps: &[SearchStep]) -> Vec<Continuation> {
        let mut futures = self.futures(view, steps.len());
        let mut rules = SearchRules::new(view.rules);
        let shared = futures.len() == self.count;
        let mut games: Vec<Continuation> = Vec::with_capacity(steps.len() * self.count);
        for (index, step) in steps.iter().enumerate() {
            let first = if shared { 0 } else { index * self.count };
            games.extend((0..self.count).map(|number| Continuation::new(step, first + number)));
        }
        for number in 0..self.length {
            for games in games.chunks_mut(ASKED_AT_ONCE) {
                if self.stop.is_raised() {
                    break;
                }
                self.advance(&mut rules, number, games, &mut futures);
            }
        }
        games
    }

    /// The sequences of pieces: the same for every placement, unless they depend on the board.
    fn futures(&self, view: &GameView<'_>, placements: usize) -> Vec<Future> {
        let seed = decision_seed(self.seed, view.pieces);
        let future = |index| {
            let mut future = Future::new(view, seed, (index, self.count), self.preview);
            if !self.stop.is_raised() {
                future.draw_ahead(self.length + self.preview, view.board);
            }
            future
        };
        let futures: Vec<Future> = (0..self.count).map(future).collect();
        if futures.iter().any(Future::looks_at_board) {
            std::iter::repeat_n(futures, placements).flatten().collect()
        } else {
            futures
        }
    }

    /// Places the piece with this number in these games.
    fn advance(
        &mut self,
        rules: &mut SearchRules<'_>,
        number: usize,
        games: &mut [Continuation],
        futures: &mut [Future],
    ) {
        let (mut playing, mut nodes, mut requests) = (Vec::new(), Vec::new(), Vec::new());
        for (index, game) in games.iter_mut().enumerate() {
            let future = &mut futures[game.future];
            let Some((piece, next)) = game.comes(rules.root(), future, number, self.preview) else {
                continue;
            };
            requests.push(ReplyRequest::new(nodes.len(), piece, next));
            nodes.push(game.node);
            playing.push(index);
        }
        let mut replies = Vec::new();
        self.replies
            .find_all(rules, &nodes, &requests, &mut replies);
        let evaluator = self.expansion.evaluator();
        for (index, (request, reply)) in playing.into_iter().zip(requests.iter().zip(&replies)) {
            games[index].place(rules, reply, request.next, evaluator);
        }
    }

    /// The expected continuation of a placement: the greedy replies to the most likely pieces.
    fn line(&mut self, view: &GameView<'_>, step: &SearchStep) -> Vec<Placement> {
        let mut game = Continuation::new(step, 0);
        let mut future = Future::most_likely(view, self.preview);
        let mut rules = SearchRules::new(view.rules);
        let (mut line, mut replies) = (Vec::new(), Vec::new());
        for number in 0..self.length {
            let Some((piece, next)) = game.comes(view.rules, &mut future, number, self.preview)
            else {
                break;
            };
            let request = ReplyRequest::new(0, piece, next);
            self.replies
                .find_all(&mut rules, &[game.node], &[request], &mut replies);
            game.place(&mut rules, &replies[0], next, self.expansion.evaluator());
            line.push(replies[0].placement);
        }
        line
    }
}

/// The mean value of some games.
fn mean_value(games: &[Continuation]) -> SearchValue {
    let count = games.len() as f64;
    let survivors = games.iter().filter(|game| game.state != Outlook::Lost);
    let sum: f64 = games
        .iter()
        .map(|game| game.steps_value + game.last.1)
        .sum();
    SearchValue {
        survival: survivors.count() as f64 / count,
        score: sum / count,
    }
}

impl Continuation {
    /// The game after a first step.
    fn new(step: &SearchStep, future: usize) -> Continuation {
        Continuation {
            node: SearchNode::after(step),
            future,
            steps_value: 0.0,
            last: (step.step_value, step.score),
            state: if step.transition.game_over {
                Outlook::Lost
            } else {
                Outlook::Playing
            },
        }
    }

    /// The piece with this number, and the one after it if it is visible; `None` if the game has
    /// ended, or ends because there is no piece or it cannot enter.
    fn comes(
        &mut self,
        rules: RulesRef<'_>,
        future: &mut Future,
        number: usize,
        preview: usize,
    ) -> Option<(Piece, Option<Piece>)> {
        if self.state != Outlook::Playing {
            return None;
        }
        // A piece is drawn as many placements in advance as pieces are shown.
        let board = &self.node.board;
        future.piece(number + preview, board);
        let Some(piece) = future.piece(number, board) else {
            self.state = Outlook::Done;
            return None;
        };
        if rules.blocks_entry(board, piece) {
            self.state = Outlook::Lost;
            return None;
        }
        let next = match preview {
            0 => None,
            _ => future.piece(number + 1, board),
        };
        Some((piece, next))
    }

    /// Places a piece.
    fn place(
        &mut self,
        rules: &mut SearchRules<'_>,
        reply: &Choice,
        next: Option<Piece>,
        evaluator: &Arc<dyn Evaluator>,
    ) {
        let SearchNode { board, lines, .. } = self.node;
        let rules = rules.at(&self.node);
        let step = rules.step(&board, reply.placement, next, lines);
        self.steps_value += self.last.0;
        self.last = (evaluator.step_value(&step), reply.score);
        let lines = lines + u64::from(step.lines());
        self.node = SearchNode {
            board: step.after,
            lines,
            level: rules.level_after(&step, lines),
        };
        if step.game_over {
            self.state = Outlook::Lost;
        }
    }
}

impl Player for Rollout {
    fn choose(&mut self, view: &GameView<'_>) -> Placement {
        self.tried(view)[0].step.transition.placement
    }

    fn rated_choice(&mut self, view: &GameView<'_>) -> Option<RatedPlacement> {
        let best = &self.tried(view)[0];
        Some(Finding::from(best).chosen(&self.expansion))
    }

    fn analyse(&mut self, view: &GameView<'_>) -> Vec<RatedPlacement> {
        let tried = self.tried(view);
        let findings = tried.iter().map(|rated| Finding {
            line: self.line(view, &rated.step),
            ..Finding::from(rated)
        });
        let findings = findings.collect();
        rows(view, &self.expansion, findings)
    }

    fn rating(&self) -> Option<&BestPlacement> {
        Some(&self.expansion)
    }

    fn start(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn needs_preview(&self) -> usize {
        self.preview
    }

    fn needs_forecast(&self) -> bool {
        true
    }

    fn heed(&mut self, stop: &StopFlag) {
        self.stop = stop.clone();
    }

    fn boxed(&self) -> Box<dyn Player> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests;
