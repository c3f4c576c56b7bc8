//! Players: who chooses where a piece goes. One kind per file, one line each in [`PLAYERS`].

mod greedy;
mod random;
mod two_piece;

#[cfg(test)]
mod tests;

pub use greedy::Greedy;
pub use random::Random;
pub use two_piece::TwoPiece;

use crate::choice::{GreedyOptions, Ties};
use crate::evaluators::{Evaluator, EvaluatorLookup, Score};
use crate::game::{Game, GameView};
use crate::kernel::Kernel;
use crate::outcomes::Scored;
use crate::placement::Placement;
use crate::ruleset::Ruleset;
use crate::spec::{Spec, SpecError};
use std::sync::Arc;

/// Chooses placements.
pub trait Player: Send {
    /// Where the piece goes.
    fn choose(&mut self, view: &GameView<'_>) -> Placement;

    /// What the player thinks of every placement, for those who want to know more than its choice; empty if it has no score
    /// for each. Scores are in the units of the weights as given; a placement that it never chooses while there is another has
    /// the score of minus infinity.
    fn ratings(&mut self, _view: &GameView<'_>) -> Vec<(Placement, Score)> {
        Vec::new()
    }

    /// Told before a game begins; the seed is for players that draw random numbers.
    fn start(&mut self, _seed: u64) {}

    /// How many pieces after the current one the player must see. It plays only under rulesets that show as many.
    fn needs_preview(&self) -> usize {
        0
    }

    /// Whether the player asks with which probability pieces come: [`GameView::forecast`].
    fn needs_forecast(&self) -> bool {
        false
    }

    /// A new game in which the player finds all that it asks for. The pieces are those of [`Game::new`].
    fn begin(&self, ruleset: &Ruleset, seed: u64) -> Game {
        match self.needs_forecast() {
            true => Game::with_forecast(ruleset, seed),
            false => Game::new(ruleset, seed),
        }
    }

    /// Plays whole games of this player under a ruleset many at a time, if there is a way; with the same results.
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

/// A kind of player.
pub struct PlayerEntry {
    /// Its name.
    pub id: &'static str,
    /// One line: how it chooses.
    pub definition: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The settings it takes, the default of each first.
    pub settings: &'static str,
    /// A spec that makes one, for lists and tests; its evaluator, if it has one, is `dellacherie`.
    pub example: &'static str,
    /// Makes one from its spec.
    pub make: MakePlayer,
}

/// What a player may need to be made.
pub struct PlayerContext<'a> {
    /// The rules under which it will play.
    pub ruleset: &'a Ruleset,
    /// Finds evaluators by name.
    pub evaluators: &'a EvaluatorLookup<'a>,
}

/// How a kind of player makes one from its spec.
pub type MakePlayer = fn(&Spec, &PlayerContext<'_>) -> Result<Box<dyn Player>, SpecError>;

/// Every kind of player. To add one: write its file, add its line here.
pub const PLAYERS: &[PlayerEntry] = &[greedy::ENTRY, two_piece::ENTRY, random::ENTRY];

/// The settings that greedy players of all depths take.
const GREEDY_SETTINGS: &str =
    "EVALUATOR, losing=avoid|allow, scored=after|before, ties=reference|center|dellacherie";

/// Makes the player of a spec.
///
/// # Errors
/// When there is no such kind of player or its settings do not fit.
pub fn player(spec: &Spec, context: &PlayerContext<'_>) -> Result<Box<dyn Player>, SpecError> {
    let entry = PLAYERS.iter().find(|entry| entry.id == spec.name);
    let ids = PLAYERS.iter().map(|entry| entry.id);
    let entry = entry.ok_or_else(|| SpecError::unknown("player", &spec.name, ids))?;
    (entry.make)(spec, context)
}

/// The evaluator and the options that greedy players of all depths take.
fn greedy_options(
    spec: &Spec,
    context: &PlayerContext<'_>,
) -> Result<(Arc<dyn Evaluator>, GreedyOptions), SpecError> {
    spec.check_args(1, &["losing", "scored", "ties"])?;
    let scored = [
        ("after", Scored::AfterRemoval),
        ("before", Scored::BeforeRemoval),
    ];
    let ties = [
        ("reference", Ties::Reference),
        ("center", Ties::Center),
        ("dellacherie", Ties::Dellacherie),
    ];
    let options = GreedyOptions {
        may_lose: losing(spec)?,
        scored: spec.choice("scored", &scored)?,
        ties: spec.choice("ties", &ties)?,
    };
    let name = spec.positional().next();
    let name = name.ok_or_else(|| {
        let kind = &spec.name;
        spec.error(format!("needs an evaluator, as in {kind}(dellacherie)"))
    })?;
    let evaluator = (context.evaluators)(name, context.ruleset.width)?;
    Ok((evaluator, options))
}

/// Whether the player may choose to lose when it need not.
fn losing(spec: &Spec) -> Result<bool, SpecError> {
    spec.choice("losing", &[("avoid", false), ("allow", true)])
}
