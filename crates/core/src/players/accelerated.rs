//! The accelerated two-piece player: of the current piece only those placements are paired with the next one that were the
//! best replies when the piece was still the next one.
//!
//! # What is remembered
//!
//! While a pair is chosen, all replies of the second piece are rated. The report remembers the best N of those that follow the
//! chosen placement, and considers no others when the piece has become the current one and the piece after it is known. The
//! first piece of a game was nobody's reply: all its placements are considered.
//!
//! Where full rows are removed between the two pieces, the board of the replies is the board of the next decision. Then the best
//! N replies are the best N placements of the current piece by their own scores, and nothing needs to be remembered: a decision
//! follows from the position. Where full rows stay, the replies were rated on a board that has them still, so rotations and
//! columns are really remembered.
//!
//! Placements that end the game are the last to be remembered, and if all that are remembered end it (the next piece cannot
//! enter) the others are considered too; unless losing is allowed.

use super::analysis::{aim, rated_pair, rated_pairs};
use super::{EVALUATOR, LOSING, Player, PlayerEntry, RatedPlacement, SCORED, TIES, greedy_options};
use crate::choice::{
    BestPair, Expansion, GreedyOptions, RatedPair, Rating, SearchStep, best_first,
};
use crate::evaluators::{Evaluator, Score};
use crate::game::GameView;
use crate::outcomes::{MAX_OUTCOMES, Question, Scored};
use crate::placement::Placement;
use crate::settings::{Kind, Setting};
use std::sync::Arc;

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    id: "accelerated",
    definition: "as two-piece, but only the n placements that were the best replies when the piece was the next one",
    source: "strategies, the accelerated two-step",
    settings: &[EVALUATOR, LOSING, SCORED, TIES, N],
    make: |settings, context| {
        let (evaluator, options) = greedy_options(settings, context)?;
        let n = settings.count(N.id);
        Ok(Box::new(Accelerated::new(evaluator, options, n)))
    },
};

const N: Setting = Setting {
    id: "n",
    help: "how many replies are remembered (N); 64 are all, as in two-piece",
    default: Some("4"),
    kind: Kind::Count {
        least: 1,
        most: MAX_OUTCOMES,
    },
};

/// Chooses the first placement of the best pair among those that were the best replies.
#[derive(Clone, Debug)]
pub struct Accelerated {
    decision: BestPair,
    n: usize,
    /// Rates the replies that are remembered.
    replies: Expansion,
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

impl Accelerated {
    /// A player that considers `n` placements.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator>, options: GreedyOptions, n: usize) -> Accelerated {
        Accelerated {
            replies: Expansion::new(evaluator.clone(), options),
            decision: BestPair::new(evaluator, options),
            n,
            current: Memory::default(),
            next: Memory::default(),
        }
    }

    /// Makes what was remembered for a piece the current memory. There is none at the start of a game, nor in the middle of a
    /// game that others have played.
    fn recall(&mut self, piece: u64) {
        if self.next.piece == piece {
            std::mem::swap(&mut self.current, &mut self.next);
        }
        if self.current.piece != piece {
            self.current = Memory::default();
        }
    }

    /// The best pair among those that are considered.
    fn best(&mut self, view: &GameView<'_>) -> RatedPair {
        self.recall(view.pieces);
        let narrow = self.narrowing(view);
        let after_next = view.queue.get(1).copied();
        self.decision
            .best_of(&Question::from(view), after_next, narrow)
    }

    /// Remembers the best replies of the next piece to the chosen step.
    fn remember(&mut self, view: &GameView<'_>, chosen: &SearchStep) {
        let Some(&piece) = view.queue.first() else {
            return;
        };
        let mut replies = Vec::new();
        let rules = view.rules.at_level(chosen.level);
        let question = Question {
            rules: rules.as_ref(),
            board: &chosen.transition.after,
            piece,
            next: view.queue.get(1).copied(),
            lines_before: chosen.lines,
            ..Question::from(view)
        };
        self.replies.expand(&question, &mut replies);
        keep_best(&mut replies, self.n, self.decision.options().may_lose);
        let aims = replies.iter().map(|reply| aim(&reply.transition.placement));
        self.next = Memory {
            piece: view.pieces + 1,
            replies: aims.collect(),
        };
    }

    /// Which placements of the current piece are considered.
    fn narrowing(&self, view: &GameView<'_>) -> impl FnOnce(&mut Vec<SearchStep>) + use<> {
        let GreedyOptions { may_lose, .. } = self.decision.options();
        let (n, is_first) = (self.n, view.pieces == 0);
        let remembered = self.has_memory().then(|| self.current.replies.clone());
        move |steps| match remembered {
            None if is_first => (),
            None => keep_best(steps, n, may_lose),
            Some(aims) => keep_remembered(steps, &aims, may_lose),
        }
    }
}

/// Keeps the best steps by their own scores.
fn keep_best(steps: &mut Vec<SearchStep>, n: usize, may_lose: bool) {
    let rating = |step: &SearchStep| Rating {
        survival: f64::from(may_lose || !step.transition.game_over),
        score: step.score,
    };
    if n < steps.len() {
        steps.select_nth_unstable_by(n, |a, b| best_first((&rating(a), a), (&rating(b), b)));
        steps.truncate(n);
    }
}

/// Keeps the steps that are remembered, or all if there are none, or none that may be chosen.
fn keep_remembered(steps: &mut Vec<SearchStep>, aims: &[(u8, u8)], may_lose: bool) {
    let remembered = |step: &SearchStep| aims.contains(&aim(&step.transition.placement));
    let may_be_chosen = |step: &SearchStep| may_lose || !step.transition.game_over;
    if steps
        .iter()
        .any(|step| remembered(step) && may_be_chosen(step))
    {
        steps.retain(remembered);
    }
}

impl Player for Accelerated {
    fn choose(&mut self, view: &GameView<'_>) -> Placement {
        let best = self.best(view);
        if self.has_memory() && !best.step.transition.game_over {
            self.remember(view, &best.step);
        }
        best.step.transition.placement
    }

    fn rated_choice(&mut self, view: &GameView<'_>) -> Option<RatedPlacement> {
        let best = self.best(view);
        Some(rated_pair(&self.decision, &best, true))
    }

    /// Placements that the memory leaves out come last.
    fn analyse(&mut self, view: &GameView<'_>) -> Vec<RatedPlacement> {
        self.recall(view.pieces);
        let (question, after_next) = (Question::from(view), view.queue.get(1).copied());
        let narrow = self.narrowing(view);
        let considered = self.decision.ranked(&question, after_next, narrow);
        let all = self.decision.ranked(&question, after_next, |_| ());
        let mut rows = rated_pairs(view, &self.decision, considered);
        let known: Vec<Placement> = rows.iter().map(|row| row.placement).collect();
        let others = rated_pairs(view, &self.decision, all).into_iter();
        let others = others.filter(|row| !known.contains(&row.placement));
        rows.extend(others.map(|row| RatedPlacement {
            score: Score::NEG_INFINITY,
            ..row
        }));
        rows
    }

    fn evaluator(&self) -> Option<&Arc<dyn Evaluator>> {
        Some(self.decision.evaluator())
    }

    fn scored(&self) -> Scored {
        self.decision.options().scored
    }

    fn start(&mut self, _seed: u64) {
        self.current = Memory::default();
        self.next = Memory::default();
    }

    fn needs_preview(&self) -> usize {
        1
    }

    fn has_memory(&self) -> bool {
        self.decision.options().scored == Scored::BeforeRemoval
    }

    fn boxed(&self) -> Box<dyn Player> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests;
