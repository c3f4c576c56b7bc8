//! Players choose placements. Each kind has a file, and a line in [`PLAYERS`].

mod accelerated;
mod analysis;
mod beam;
mod expectimax;
mod forecasts;
mod futures;
mod greedy;
mod lookahead;
mod mcts;
mod minimax;
#[cfg(test)]
mod plain;
mod random;
mod rollout;
mod two_piece;

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::two_piece_by_one;

pub use beam::Beam;
pub use greedy::Greedy;
pub use lookahead::LookaheadPlayer;
pub use mcts::Mcts;
pub use random::Random;
pub use rollout::Rollout;

use crate::choice::{BestPlacement, GreedyOptions, Ties};
use crate::evaluators::{Evaluator, EvaluatorLookup, Score};
use crate::game::{Game, GameView};
use crate::kernel::Kernel;
use crate::outcomes::Scored;
use crate::placement::Placement;
use crate::registry::{Entry, find};
use crate::ruleset::Ruleset;
use crate::settings::{Kind, Setting, Settings};
use crate::spec::{Spec, SpecError};
use crate::stop::StopFlag;
use std::sync::Arc;

/// Chooses placements.
pub trait Player: Send {
    /// Chooses the placement of the piece.
    fn choose(&mut self, view: &GameView<'_>) -> Placement;

    /// The player's ratings of all placements that it considers, for callers that need more than
    /// the choice. The best comes first, so the first is the one that it [chooses](Player::choose).
    /// Empty if the player does not rate individual placements.
    fn analyse(&mut self, _view: &GameView<'_>) -> Vec<RatedPlacement> {
        Vec::new()
    }

    /// The placement that the player [chooses](Player::choose) with its value, but without the
    /// expected continuation; this is as fast as the choice itself. `None` if the player does not
    /// rate placements; such a player never holds.
    fn rated_choice(&mut self, _view: &GameView<'_>) -> Option<RatedPlacement> {
        None
    }

    /// The decision in a game that may have a hold: the current piece, or the one after a hold if
    /// the player rates its best placement higher. A player that does not rate placements never
    /// holds, and neither does one that would then see too few pieces.
    fn decide(&mut self, view: &GameView<'_>) -> Placement {
        let needed = self.needs_preview();
        let held = view.after_hold().filter(|held| held.queue.len() >= needed);
        let Some(held) = held.filter(|held| held.piece != view.piece) else {
            return self.choose(view);
        };
        let (Some(own), Some(other)) = (self.rated_choice(view), self.rated_choice(&held)) else {
            return self.choose(view);
        };
        // A piece that ends the game anyway is not held: the other one may not even be able to
        // enter.
        let is_better = (other.survival, other.score) > (own.survival, own.score);
        if is_better && other.survival > 0.0 {
            other.placement
        } else {
            own.placement
        }
    }

    /// The evaluator of the player's placements, if there is a single one: for callers that explain
    /// its choices.
    fn rating(&self) -> Option<&BestPlacement> {
        None
    }

    /// The evaluator that rates placements, if there is one.
    fn evaluator(&self) -> Option<&Arc<dyn Evaluator>> {
        self.rating().map(BestPlacement::evaluator)
    }

    /// Called before a game starts; the seed is for players that draw random numbers.
    fn start(&mut self, _seed: u64) {}

    /// Number of pieces after the current one that the player uses. It can only play under rulesets
    /// that show at least as many, and must not use more, because survival estimation redraws the
    /// remaining ones where pieces are independent.
    fn needs_preview(&self) -> usize {
        0
    }

    /// Whether the player needs the probabilities of pieces: [`GameView::forecast`].
    fn needs_forecast(&self) -> bool {
        false
    }

    /// Whether decisions depend on earlier decisions in the game, and not only on the position.
    /// Survival cannot be estimated for such a player, because trajectories start in the middle of
    /// games.
    fn has_memory(&self) -> bool {
        false
    }

    /// Enables or disables the kernel inside a search. It never changes a result; comparisons of
    /// both paths disable it.
    fn allow_kernel(&mut self, _allowed: bool) {}

    /// Sets a flag that stops slow decisions. Once the flag is raised, a search chooses any
    /// placement as soon as it can, and the caller must discard the decision. Fast players may
    /// ignore the flag.
    fn heed(&mut self, _stop: &StopFlag) {}

    /// A new game that provides everything the player needs. Its pieces are those of [`Game::new`].
    fn begin(&self, ruleset: &Ruleset, seed: u64) -> Game {
        if self.needs_forecast() {
            Game::with_forecast(ruleset, seed)
        } else {
            Game::new(ruleset, seed)
        }
    }

    /// A kernel that plays many games of this player under a ruleset with the same results; `None`
    /// without one.
    fn kernel(&self, _ruleset: &Ruleset) -> Option<Kernel> {
        None
    }

    /// A copy for another thread.
    fn boxed(&self) -> Box<dyn Player>;
}

impl Clone for Box<dyn Player> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

/// A player's rating of a placement.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedPlacement {
    /// The placement.
    pub placement: Placement,
    /// The value of the placement to the player, in the units of the weights; minus infinity if the
    /// placement is never chosen while there is an alternative.
    pub score: Score,
    /// The probability of surviving the pieces that the player considers: 0 for a placement that
    /// ends the game.
    pub survival: f64,
    /// The continuation that the player expects: the placements of the pieces after this one, as
    /// far as it looks ahead. A hidden piece is assumed to be the most likely one, or the worst one
    /// if the player expects that (ties are broken by the order of [`crate::piece::PIECES`]).
    pub line: Vec<Placement>,
}

/// A kind of player.
pub type PlayerEntry = Entry<MakePlayer>;

/// The inputs for creating a player.
pub struct PlayerContext<'a> {
    /// The ruleset.
    pub ruleset: &'a Ruleset,
    /// Finds evaluators by name.
    pub evaluators: &'a EvaluatorLookup<'a>,
}

/// Creates a player of a kind from its settings.
pub type MakePlayer = fn(&Settings, &PlayerContext<'_>) -> Result<Box<dyn Player>, SpecError>;

/// Every kind of player. To add one: write its file, add its line here.
pub const PLAYERS: &[PlayerEntry] = &[
    greedy::ENTRY,
    two_piece::ENTRY,
    accelerated::ENTRY,
    expectimax::ENTRY,
    expectimax::BEAM,
    minimax::ENTRY,
    beam::ENTRY,
    rollout::ENTRY,
    mcts::ENTRY,
    random::ENTRY,
];

/// Creates the player of a spec.
///
/// # Errors
/// If the kind of player is unknown, or its settings are invalid.
pub fn player(spec: &Spec, context: &PlayerContext<'_>) -> Result<Box<dyn Player>, SpecError> {
    let entry = find(PLAYERS, "player", &spec.name)?;
    (entry.make)(&entry.read(spec)?, context)
}

/// Whether the player may choose to lose when it does not have to.
const LOSING: Setting = Setting {
    id: "losing",
    help: "whether a placement that ends the game is avoided if possible, or allowed if it scores best",
    default: Some("avoid"),
    kind: Kind::Word(&["avoid", "allow"]),
};

/// The evaluator of a player's placements.
const EVALUATOR: Setting = Setting {
    id: "evaluator",
    help: "evaluator of placements: a published player, a player file, or a spec such as linear(bcts), which requires this form",
    default: None,
    kind: Kind::EVALUATOR,
};

/// Which board is rated.
const SCORED: Setting = Setting {
    id: "scored",
    help: "whether boards are rated after or before full rows are removed",
    default: Some("after"),
    kind: Kind::Word(&["after", "before"]),
};

/// The choice between several best placements.
const TIES: Setting = Setting {
    id: "ties",
    help: "tie-breaking between the best placements: the first in the reference simulator's order, the nearest to the center, or (dellacherie) the farthest from where the piece enters",
    default: Some("reference"),
    kind: Kind::Word(&["reference", "center", "dellacherie"]),
};

/// The settings of greedy players of any depth.
const GREEDY_SETTINGS: &[Setting] = &[EVALUATOR, LOSING, SCORED, TIES];

/// The evaluator and the options of greedy players of any depth.
fn greedy_options(
    settings: &Settings,
    context: &PlayerContext<'_>,
) -> Result<(Arc<dyn Evaluator>, GreedyOptions), SpecError> {
    let (evaluator, options) = options_after_removal(settings, context)?;
    let scored = match settings.word(SCORED.id) {
        "before" => Scored::BeforeRemoval,
        _ => Scored::AfterRemoval,
    };
    Ok((evaluator, GreedyOptions { scored, ..options }))
}

/// The evaluator and the options of players that always rate boards after full rows are removed.
fn options_after_removal(
    settings: &Settings,
    context: &PlayerContext<'_>,
) -> Result<(Arc<dyn Evaluator>, GreedyOptions), SpecError> {
    let options = GreedyOptions {
        may_lose: may_lose(settings),
        scored: Scored::AfterRemoval,
        ties: match settings.word(TIES.id) {
            "center" => Ties::Center,
            "dellacherie" => Ties::Dellacherie,
            _ => Ties::Reference,
        },
    };
    let evaluator = (context.evaluators)(settings.part(EVALUATOR.id), context.ruleset.width)?;
    Ok((evaluator, options))
}

fn may_lose(settings: &Settings) -> bool {
    settings.word(LOSING.id) == "allow"
}
