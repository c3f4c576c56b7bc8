//! Work that machines can share: an evaluation in units, each a line of JSON, and their results, which merge to exactly the result of
//! the whole.
//!
//! ```text
//! Evaluation -> split -> Unit, Unit, ...  any queue, any machines  -> UnitResult, UnitResult, ... -> merge -> Evaluated
//! ```
//!
//! A [`Unit`] carries what it needs to be the same elsewhere: the texts of all player files that its player and its rules name, with
//! the bytes of networks and tables in them, and the rules in full. Published players are carried by name and hash. So a worker reads
//! no file for a unit, whatever the unit says, and one that has other published players, or is another version of the program, refuses
//! it. A unit that was lost with its worker is done again by another; results that come twice are the same.

mod carried;
mod merge;
mod unit;
mod worker;

#[cfg(all(test, feature = "store"))]
mod tests;

pub use carried::CarriedPlayer;
pub use merge::merge;
pub use unit::{GameColumns, ProgramVersion, RangeResult, Unit, UnitRefused, UnitResult, split};
pub use worker::{Answer, Worked, work};

use super::StudyError;
use crate::library::{FileError, LibraryError};
use unit::{MOST_IN_A_UNIT, MOST_TRAJECTORIES_OF_A_UNIT};

/// The version of the lines that units and their results are.
pub const WORK_SCHEMA: u32 = 2;

/// A range of the work of a player: `games 0 to 9 of bcts`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} {from} to {last} of {player}")]
pub struct WorkRange {
    /// `games` or `repetitions`.
    pub what: &'static str,
    /// The player.
    pub player: String,
    /// The first of the range.
    pub from: u64,
    /// The last of the range.
    pub last: u64,
}

/// Why a unit cannot be done, or results cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// A line is not a unit.
    #[error("is not a unit of work: {0}")]
    NotAUnit(String),
    /// A line is not a result.
    #[error("is not the result of a unit: {0}")]
    NotAResult(String),
    /// A line of another version.
    #[error("has schema {found}, but this version of tetrolab knows schema {known}")]
    Schema {
        /// What it has.
        found: u32,
        /// What is known.
        known: u32,
    },
    /// A line that another version of the program wrote.
    #[error(
        "is of {found}, but this is {known}; split, work and merge with one version of tetrolab"
    )]
    Program {
        /// What wrote it.
        found: ProgramVersion,
        /// What reads it.
        known: ProgramVersion,
    },
    /// Levels by a player that a unit does not carry.
    #[error("work cannot be shared with the level {0}: a unit carries no other player")]
    Level(String),
    /// A range that is empty or goes beyond the whole.
    #[error("{from} to {to} is not a range within 0 to {whole}")]
    Range {
        /// Its beginning.
        from: u64,
        /// Its end.
        to: u64,
        /// The whole.
        whole: u64,
    },
    /// More games than a unit can have.
    #[error("a unit has at most {MOST_IN_A_UNIT} games, not {0}; make more units")]
    TooMany(u64),
    /// More trajectories than a unit can have.
    #[error("a unit has at most {MOST_TRAJECTORIES_OF_A_UNIT} trajectories at each level, not {0}")]
    Trajectories(usize),
    /// Numbers that no game can have.
    #[error("the result cannot be true: {0}")]
    Implausible(String),
    /// An evaluation that has no number of games or repetitions.
    #[error("an evaluation is shared if it has a number of games, or of repetitions of splitting")]
    NotCountable,
    /// Results of several evaluations.
    #[error("these are results of different evaluations, players or rules; merge those of one")]
    Mixed,
    /// There are no results.
    #[error("there are no results to merge")]
    Nothing,
    /// Results that contradict each other.
    #[error("{0} were done twice, and the results differ")]
    Contradiction(WorkRange),
    /// Ranges that overlap.
    #[error("{0} are in two ranges that overlap")]
    Overlap(WorkRange),
    /// Ranges that are missing.
    #[error("{0} are missing")]
    Missing(WorkRange),
    /// The evaluation cannot be made.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// A player or ruleset is wrong.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
}
