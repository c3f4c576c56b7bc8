//! Errors of environments and actions.

use crate::library::LibraryError;
use tetrolab_core::spec::SpecError;

/// Why an environment cannot be created or stepped.
#[derive(Debug, thiserror::Error)]
pub enum EnvironmentError {
    /// A ruleset is invalid.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// A feature or an evaluator is invalid.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// Keys need a game that has ticks.
    #[error(
        "{ruleset}: pieces drop straight down in this game, so there are no keys to press; use a stepped ruleset such as guideline, or an environment that places pieces"
    )]
    NoKeys {
        /// The ruleset.
        ruleset: String,
    },
    /// An action outside the space of actions.
    #[error("game {game}: expected an action from 0 to {last}, got {action}")]
    OutOfRange {
        /// The index of the game.
        game: usize,
        /// The action.
        action: i64,
        /// The last action of the space.
        last: usize,
    },
    /// An action that is not legal.
    #[error(
        "game {game}: the action {action} is not legal now; the action mask shows the legal ones"
    )]
    Illegal {
        /// The index of the game.
        game: usize,
        /// The action.
        action: i64,
    },
    /// An episode that has ended and was not reset.
    #[error("game {game}: the episode has ended; reset it before the next step")]
    Ended {
        /// The index of the game.
        game: usize,
    },
    /// Another problem, described by a sentence.
    #[error("{0}")]
    Refused(String),
}
