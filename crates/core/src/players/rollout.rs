//! Rollouts: every placement is tried out by playing on from it.
//!
//! For each placement of the current piece the game goes on several times for a few pieces, placed by the greedy player with the
//! same evaluator. What counts is how many of these games survive, then what they are worth on average: the worth of every step but
//! the last, and the score of the last, as in all searches here. Tesauro and Galperin improved backgammon players like this while
//! they play; in Tetris rollouts have been used to learn from (Gabillon, Ghavamzadeh and Scherrer; Lichtenberg and Şimşek).
//!
//! The pieces that are shown come first. The others are drawn from the forecast, and they are the same for every placement, so that
//! a placement does not win by luck. All games advance together: each piece is one call for the best replies on many boards.

use super::analysis::{in_game, shown_score};
use super::futures::Future;
use super::leaves::replies;
use super::{EVALUATOR, LOSING, Player, PlayerEntry, RatedPlacement, TIES, options_after_removal};
use crate::choice::{
    Choice, Expansion, GreedyOptions, Rating, Replies, ReplyRequest, SearchNode, SearchStep,
    best_first,
};
use crate::evaluators::Evaluator;
use crate::game::GameView;
use crate::outcomes::{Question, Scored};
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
    definition: "the placement after which a greedy player survives most often, then with the highest mean score",
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
    help: "how many pieces are placed after the current one to try a placement out",
    default: Some("3"),
    kind: Kind::Count {
        least: 1,
        most: 1_000,
    },
};

const COUNT: Setting = Setting {
    id: "count",
    help: "how many times each placement is tried out",
    default: Some("7"),
    kind: Kind::Count {
        least: 1,
        most: 10_000,
    },
};

/// Chooses the placement that does best in games played on from it.
#[derive(Clone, Debug)]
pub struct Rollout {
    expansion: Expansion,
    replies: Box<dyn Replies>,
    length: usize,
    count: usize,
    /// How many of the pieces that the ruleset shows the player looks at.
    preview: usize,
    seed: u64,
    stop: StopFlag,
}

/// The most games that are asked about at once: their boards take a few megabytes.
const ASKED_AT_ONCE: usize = 1 << 14;

/// A game that is played on from a placement.
#[derive(Clone, Debug)]
struct Continuation {
    node: SearchNode,
    /// The number of the sequence of pieces that comes.
    future: usize,
    /// What the steps are worth but the last; what the last one is worth, and its score.
    worth: f64,
    last: (f64, f64),
    state: Outlook,
}

/// What has become of a game that is played on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outlook {
    Playing,
    /// No piece is left.
    Done,
    Lost,
}

/// A placement that was tried out.
#[derive(Clone, Debug)]
struct Tried {
    step: SearchStep,
    rating: Rating,
    /// The part of the games that survived.
    survival: f64,
}

impl Rollout {
    /// A player that tries placements out in `count` games of `length` pieces each.
    #[must_use]
    pub fn new(
        ruleset: &Ruleset,
        evaluator: Arc<dyn Evaluator>,
        options: GreedyOptions,
        (length, count): (usize, usize),
    ) -> Rollout {
        Rollout {
            expansion: Expansion::new(evaluator.clone(), options),
            replies: replies(ruleset, evaluator, options),
            length,
            count,
            preview: ruleset.preview.min(length),
            seed: 0,
            stop: StopFlag::default(),
        }
    }

    /// All placements, best first.
    fn tried(&mut self, view: &GameView<'_>) -> Vec<Tried> {
        let mut steps = Vec::new();
        self.expansion.expand(&Question::from(view), &mut steps);
        let continuations = self.played_on(view, &steps);
        let games = continuations.chunks(self.count);
        let tried = steps.into_iter().zip(games);
        let mut tried: Vec<Tried> = tried.map(|(step, games)| self.judge(step, games)).collect();
        tried.sort_by(|a, b| best_first((&a.rating, &a.step), (&b.rating, &b.step)));
        tried
    }

    /// What a placement is worth after these games.
    fn judge(&self, step: SearchStep, games: &[Continuation]) -> Tried {
        let count = games.len() as f64;
        let survivors = games.iter().filter(|game| game.state != Outlook::Lost);
        let survival = survivors.count() as f64 / count;
        let sum: f64 = games.iter().map(|game| game.worth + game.last.1).sum();
        let counted = match (self.expansion.options().may_lose, step.transition.game_over) {
            (true, _) => 1.0,
            // Worse than to lose later, however surely.
            (false, true) => -1.0,
            (false, false) => survival,
        };
        Tried {
            rating: Rating {
                survival: counted,
                score: sum / count,
            },
            survival,
            step,
        }
    }

    /// The games that follow the steps, `count` for each, played for as many pieces as they are long.
    fn played_on(&mut self, view: &GameView<'_>, steps: &[SearchStep]) -> Vec<Continuation> {
        let mut futures = self.futures(view, steps.len());
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
                self.advance(view.rules, number, games, &mut futures);
            }
        }
        games
    }

    /// The sequences of pieces that come: the same for every placement, unless they depend on the board.
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
        match futures.iter().any(Future::looks_at_board) {
            true => std::iter::repeat_n(futures, placements).flatten().collect(),
            false => futures,
        }
    }

    /// Places the piece with this number in these games.
    fn advance(
        &mut self,
        rules: RulesRef<'_>,
        number: usize,
        games: &mut [Continuation],
        futures: &mut [Future],
    ) {
        let (mut playing, mut nodes, mut requests) = (Vec::new(), Vec::new(), Vec::new());
        for (index, game) in games.iter_mut().enumerate() {
            let future = &mut futures[game.future];
            let Some((piece, next)) = game.comes(rules, future, number, self.preview) else {
                continue;
            };
            requests.push(ReplyRequest {
                node: nodes.len(),
                piece,
                next,
            });
            nodes.push(game.node);
            playing.push(index);
        }
        let mut replies = Vec::new();
        self.replies.best(rules, &nodes, &requests, &mut replies);
        let evaluator = self.expansion.evaluator();
        for (index, (request, reply)) in playing.into_iter().zip(requests.iter().zip(&replies)) {
            games[index].place(rules, reply, request.next, evaluator);
        }
    }

    /// What is expected to follow a placement: the greedy replies to the most likely pieces.
    fn line(&mut self, view: &GameView<'_>, step: &SearchStep) -> Vec<Placement> {
        let mut game = Continuation::new(step, 0);
        let mut future = Future::most_likely(view, self.preview);
        let mut line = Vec::new();
        for number in 0..self.length {
            let Some((piece, next)) = game.comes(view.rules, &mut future, number, self.preview)
            else {
                break;
            };
            let request = ReplyRequest {
                node: 0,
                piece,
                next,
            };
            let mut replies = Vec::new();
            self.replies
                .best(view.rules, &[game.node], &[request], &mut replies);
            game.place(view.rules, &replies[0], next, self.expansion.evaluator());
            line.push(replies[0].placement);
        }
        line
    }
}

impl Continuation {
    /// The game after a first step.
    fn new(step: &SearchStep, future: usize) -> Continuation {
        Continuation {
            node: SearchNode::after(step),
            future,
            worth: 0.0,
            last: (step.worth, step.score),
            state: match step.transition.game_over {
                true => Outlook::Lost,
                false => Outlook::Playing,
            },
        }
    }

    /// The piece with this number and the one after it, if that is shown; none if the game has ended, or ends because there is no
    /// piece or because it cannot enter.
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
        // A piece is drawn as many placements ahead as are shown.
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
        rules: RulesRef<'_>,
        reply: &Choice,
        next: Option<Piece>,
        evaluator: &Arc<dyn Evaluator>,
    ) {
        let SearchNode {
            board,
            lines,
            level,
        } = self.node;
        let rules = rules.at_level(level);
        let step = rules.as_ref().step(&board, reply.placement, next, lines);
        self.worth += self.last.0;
        self.last = (evaluator.worth_of_step(&step), reply.score);
        let lines = lines + u64::from(step.lines());
        self.node = SearchNode {
            board: step.after,
            lines,
            level: rules.as_ref().level_after(&step, lines),
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
        let best = self.tried(view).swap_remove(0);
        Some(RatedPlacement {
            placement: best.step.transition.placement,
            score: best.rating.score * self.expansion.evaluator().unit(),
            survival: best.survival,
            line: Vec::new(),
        })
    }

    fn analyse(&mut self, view: &GameView<'_>) -> Vec<RatedPlacement> {
        let GreedyOptions { may_lose, .. } = self.expansion.options();
        let unit = self.expansion.evaluator().unit();
        let tried = self.tried(view);
        let all_end = tried.iter().all(|tried| tried.step.transition.game_over);
        let row = |tried: Tried| {
            let step = &tried.step.transition;
            let line = self.line(view, &tried.step);
            RatedPlacement {
                placement: step.placement,
                score: shown_score(tried.rating.score * unit, step.game_over, all_end, may_lose),
                survival: tried.survival,
                line: in_game(view, Scored::AfterRemoval, step.placement, &line),
            }
        };
        tried.into_iter().map(row).collect()
    }

    fn evaluator(&self) -> Option<&Arc<dyn Evaluator>> {
        Some(self.expansion.evaluator())
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
