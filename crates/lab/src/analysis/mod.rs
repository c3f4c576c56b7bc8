//! Analyses: how players rate the placements of a position.
//!
//! ```text
//! Analysis (players + position) -> analyse -> Analysed (placements with scores, features and expected continuations)
//! ```
//!
//! The position is either a board with its visible pieces or a position in a recorded game. If a
//! player rates placements, the result contains the best of them; otherwise it contains the
//! player's choice.

mod position;
mod result;

pub use position::{BoardSource, GameSource, PositionSource};
pub use result::{
    ANALYSIS_SCHEMA, Analysed, AnalysedGame, AnalysedPlacement, AnalysedPlayer, AnalysedPosition,
    AnalysedStep, FeatureTerm, TableTerm,
};

use crate::arena::ArenaError;
use crate::context::Context;
use crate::external::{BotError, catch_bot_error};
use crate::library::{FileError, LibraryError};
use crate::study::{StudyError, find_players};
use position::Situation;
use serde::{Deserialize, Serialize};
use tetrolab_core::board::BoardError;
use tetrolab_core::game::{GameView, SnapshotError};
use tetrolab_core::players::{Player, RatedPlacement};
use tetrolab_core::ruleset::RulesetError;

/// The players and the position to analyse.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Analysis {
    /// The players: published names, player files, folders of learning runs, or specs.
    pub players: Vec<String>,
    /// The position.
    pub position: PositionSource,
    /// Number of best placements to keep for each player.
    pub top: usize,
    /// The seed of players that draw random numbers.
    pub seed: u64,
}

impl Default for Analysis {
    /// Dellacherie's player and a T on a typical board.
    fn default() -> Analysis {
        Analysis {
            players: vec!["dellacherie".to_owned()],
            position: PositionSource::default(),
            top: 3,
            seed: 1,
        }
    }
}

/// Why a position cannot be analysed.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// A player is invalid.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// The ruleset is invalid.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The rules do not form a game.
    #[error(transparent)]
    Ruleset(#[from] RulesetError),
    /// The record is invalid, or does not contain the game.
    #[error(transparent)]
    File(#[from] FileError),
    /// The drawing is not a valid board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The board is higher than that of the ruleset.
    #[error("the board has {found} rows, but the board of the ruleset {ruleset} has {height}")]
    TooHigh {
        /// Number of rows of the board.
        found: usize,
        /// The ruleset.
        ruleset: String,
        /// Number of rows of the ruleset's board.
        height: usize,
    },
    /// The position cannot occur in a game.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// A player needs to see more pieces than the position shows.
    #[error("{player} needs {needed} or more next pieces, but the position shows {shown}")]
    Preview {
        /// The player's name.
        player: String,
        /// Number of pieces that the player needs to see after the current one.
        needed: usize,
        /// Number of pieces shown.
        shown: usize,
    },
    /// A program that plays has failed.
    #[error(transparent)]
    Bot(#[from] BotError),
    /// Another problem, described by a sentence.
    #[error("{0}")]
    Refused(String),
}

/// Analyses the position with every player.
///
/// # Errors
/// If the position is invalid, or a player is unknown or needs to see more pieces than are shown.
pub fn analyse(analysis: &Analysis, context: &Context) -> Result<Analysed, AnalysisError> {
    catch_bot_error(|| context.run(|| analysed(analysis, context)))
}

fn analysed(analysis: &Analysis, context: &Context) -> Result<Analysed, AnalysisError> {
    if analysis.top == 0 {
        let text = "expected at least one placement per player, got 0";
        return Err(AnalysisError::Refused(text.to_owned()));
    }
    let mut situation = analysis.position.open(context.library())?;
    let players = find_players(context.library(), &analysis.players, &situation.ruleset);
    let players = players.map_err(|error| in_position(error, &situation))?;
    if players.iter().any(|named| named.player.needs_forecast()) {
        situation.foresee()?;
    }
    let snapshot = &situation.snapshot;
    let asked = players.iter().map(|named| {
        let mut player = context.copy_of(&*named.player);
        player.start(analysis.seed);
        ask(&named.name, &mut *player, &snapshot.view(), analysis.top)
    });
    Ok(Analysed {
        schema: ANALYSIS_SCHEMA,
        players: asked.collect(),
        position: situation.about(),
    })
}

/// Checks that a player sees enough. The pieces were given by hand, so the error must not blame the
/// ruleset.
fn in_position(error: StudyError, situation: &Situation) -> AnalysisError {
    match error {
        StudyError::Arena(ArenaError::Preview {
            player,
            needed,
            shown,
            ..
        }) if situation.record.is_none() => AnalysisError::Preview {
            player,
            needed,
            shown,
        },
        error => error.into(),
    }
}

/// A player's view of a position: its best placements, at most `top` of them.
pub fn ask(name: &str, player: &mut dyn Player, view: &GameView<'_>, top: usize) -> AnalysedPlayer {
    let mut rated = player.analyse(view);
    let count = rated.len();
    rated.truncate(top);
    let placements = if rated.is_empty() {
        let choice = player.choose(view);
        vec![AnalysedPlacement::new(view, player, choice, &[])]
    } else {
        let of = |rated: &RatedPlacement| {
            let placed = AnalysedPlacement::new(view, player, rated.placement, &rated.line);
            placed.rated(player, rated)
        };
        rated.iter().map(of).collect()
    };
    AnalysedPlayer {
        player: name.to_owned(),
        rated: count,
        has_memory: player.has_memory(),
        placements,
    }
}

#[cfg(test)]
mod tests;
