//! Reasons why a session cannot begin, or refuses a message.

use crate::formats::LineError;
use crate::library::LibraryError;
use crate::study::StudyError;
use tetrolab_core::board::BoardError;
use tetrolab_core::ruleset::RulesetError;
use tetrolab_core::spec::SpecError;

/// Why a session cannot begin, or refuses a message.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// A group needs a player.
    #[error("expected at least one player, found none")]
    NoPlayers,
    /// A record without placements cannot be watched.
    #[error("the record holds no placements")]
    EmptyRecord,
    /// A placement game has no levels.
    #[error(
        "{0} is a placement game without levels; use a stepped ruleset, such as guideline, nes or tgm"
    )]
    NoLevels(String),
    /// All levels of the game are the same.
    #[error("{0} has no gravity, so its levels do not differ")]
    NoGravity(String),
    /// The game has no such level.
    #[error("{ruleset} begins at a level from {least} to {most}, not {level}")]
    Level {
        /// The name of the ruleset.
        ruleset: String,
        /// The lowest level.
        least: u32,
        /// The highest level.
        most: u32,
        /// The level that was asked for.
        level: u32,
    },
    /// A record that is watched has its pieces.
    #[error("the pieces of a record cannot be chosen; take the game over first")]
    RecordedPieces,
    /// Boards side by side get the same pieces.
    #[error("pieces can be chosen on one board only; two boards get the same pieces")]
    SharedPieces,
    /// There is no such adversary.
    #[error("adversary: {0}")]
    Adversary(#[from] SpecError),
    /// A message cannot be read.
    #[error("message: {0}")]
    Message(serde_json::Error),
    /// There is no such input.
    #[error("expected the letter of an input, one of l r c w h d D H; found '{0}'")]
    Input(char),
    /// There is no such piece.
    #[error("expected the letter of a piece, one of I O T Z S J L; found '{0}'")]
    Piece(char),
    /// There is no such speed.
    #[error("speed: {0}")]
    Speed(String),
    /// The rows are not those of a board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The record cannot be read.
    #[error(transparent)]
    RecordText(#[from] LineError),
    /// The record is not a game under its rules.
    #[error("record: {0}")]
    Record(String),
    /// A name is unknown.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// A player cannot play under the ruleset.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// The rules make no game.
    #[error(transparent)]
    Ruleset(#[from] RulesetError),
}
