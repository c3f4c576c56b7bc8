//! Why a session cannot start, or rejects a message.

use crate::formats::LineError;
use crate::library::LibraryError;
use crate::study::StudyError;
use tetrolab_core::board::BoardError;
use tetrolab_core::ruleset::RulesetError;
use tetrolab_core::spec::SpecError;

/// Why a session cannot start, or rejects a message.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The adversary is unknown.
    #[error("adversary: {0}")]
    Adversary(#[from] SpecError),
    /// A message cannot be parsed.
    #[error("message: {0}")]
    Message(serde_json::Error),
    /// The rows do not form a board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The record cannot be parsed.
    #[error(transparent)]
    RecordText(#[from] LineError),
    /// A name is unknown.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// A player cannot play under the ruleset.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// The rules do not form a game.
    #[error(transparent)]
    Ruleset(#[from] RulesetError),
    /// Another problem, described by a sentence.
    #[error("{0}")]
    Refused(String),
}

impl SessionError {
    pub(super) fn refused<T>(sentence: impl Into<String>) -> Result<T, SessionError> {
        Err(SessionError::Refused(sentence.into()))
    }

    /// The error for a group without players.
    pub(super) fn no_players() -> SessionError {
        SessionError::Refused("expected at least one player, found none".to_owned())
    }
}
