//! Studies: the questions that the laboratory answers, with one function each.
//!
//! ```text
//! description (serde) -> evaluate | compare | learn -> result (serde)
//!                              |
//!                              v
//!                      events to an observer
//! ```
//!
//! A *description* is plain data: [`Evaluation`], [`Comparison`], [`Learning`]. It can be saved,
//! sent to another process or printed as a command. The [`Context`](crate::context::Context)
//! provides threads, cancellation and an observer of its events, which never change a result. The
//! result is plain data with a [`SCHEMA`] version, the same for whole games and for splitting.
//! [`work`] splits an evaluation into units for several machines. [`test_player`] tests a learned
//! player next to published ones.

mod chance;
mod comparison;
mod deaths;
mod evaluation;
mod expected;
mod game_files;
mod game_log;
mod games;
mod in_memory;
#[cfg(feature = "store")]
mod learning;
mod learning_result;
mod note;
mod plan;
mod player_test;
mod players;
mod result;
mod splitting;
mod steps;
pub mod work;

#[cfg(all(test, feature = "store"))]
mod tests;

pub use crate::learning::{Budget, Learning};
pub use comparison::{Compared, Comparison, compare};
pub use deaths::{DeathSearch, FoundDeaths, find_deaths};
pub use evaluation::{Evaluation, Keep, Method, RECORDED_PIECES, evaluate};
pub use in_memory::{LearnedInMemory, learn_in_memory};
#[cfg(feature = "store")]
pub use learning::{LearningPlace, find_unfinished, learn, player_so_far, stored};
pub use learning_result::{Capped, LearningResult};
pub use note::{Note, NoteKind};
pub use plan::{GamesGoal, Plan, SplittingPlan};
pub use player_test::{
    MOST_TEST_SECONDS, TEST_GAMES, TestPart, TestRequest, TestResult, test_games, test_player,
};
pub use players::find_able_player;
pub(crate) use players::find_players;
pub use result::{
    Evaluated, FailedPlayer, LevelRow, LinesResult, PairResult, PlayerResult, SplittingResult,
};
pub use steps::evaluate_in_steps;

use crate::arena::ArenaError;
use crate::external::BotError;
use crate::learning::LearningError;
use crate::library::{FileError, LibraryError};
use crate::stats::UnequalLengths;
use crate::survival::SurvivalError;

/// The version of the results' JSON; it increases when a field is removed or changes its meaning.
pub const SCHEMA: u32 = 1;

/// Why a study cannot be carried out.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// A player or a ruleset is invalid.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// Games cannot be played.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// Survival cannot be estimated.
    #[error(transparent)]
    Survival(#[from] SurvivalError),
    /// A run cannot be carried out.
    #[error(transparent)]
    Learning(#[from] LearningError),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A program that plays has failed.
    #[error(transparent)]
    Bot(#[from] BotError),
    /// Players did not play the same games.
    #[error(transparent)]
    Unequal(#[from] UnequalLengths),
    /// Games would be both recorded and resumed.
    #[error(
        "an evaluation resumed from a folder has no placements of the stored games; either record games or store results in a folder"
    )]
    RecordAndResume,
    /// The study of one player among several failed.
    #[error("{player}: {error}")]
    OfPlayer {
        /// The player.
        player: String,
        /// The reason.
        error: Box<StudyError>,
    },
    /// A file where a folder is expected.
    #[error("{0}: expected a folder for finished work, found a file")]
    NotAFolder(String),
    /// Another problem, described by a sentence.
    #[error("{0}")]
    Refused(String),
}

impl StudyError {
    fn refused<T>(sentence: impl Into<String>) -> Result<T, StudyError> {
        Err(StudyError::Refused(sentence.into()))
    }

    /// Settings of whole games and of splitting contradict each other.
    fn two_methods<T>(games: &str, splitting: &str) -> Result<T, StudyError> {
        StudyError::refused(format!(
            "{games} requires whole games, but {splitting} requires splitting; choose one of them"
        ))
    }

    /// Splitting was requested for a program or an object of the caller.
    fn own_player_by_splitting<T>(player: &str) -> Result<T, StudyError> {
        let player = crate::report::harmless_name(player);
        StudyError::refused(format!(
            "{player}: splitting requires a player whose state can be copied in the middle of a game, \
             and a program or an object of your own has no such copies; use whole games"
        ))
    }

    /// The same error with the player's name in front, if it concerns how the player plays.
    fn of_player(self, player: &str) -> StudyError {
        match self {
            StudyError::Survival(SurvivalError::NoEnd { .. })
            | StudyError::Arena(ArenaError::OutOfPieces(_)) => StudyError::OfPlayer {
                player: player.to_owned(),
                error: Box::new(self),
            },
            error => error,
        }
    }
}

/// Checks a precision or a margin, which must be above 0 and at most 1.
fn check_part(what: &'static str, value: f64) -> Result<(), StudyError> {
    if value > 0.0 && value <= 1.0 {
        return Ok(());
    }
    StudyError::refused(format!(
        "{what} must be above 0 and at most 1 (5 % is 0.05), got {value}"
    ))
}
