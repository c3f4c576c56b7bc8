//! Distributed work: an evaluation is split into units, each a line of JSON, whose results merge
//! into exactly the result of the whole.
//!
//! ```text
//! Evaluation -> split -> Unit, Unit, ...  any queue, any machines  -> UnitResult, UnitResult, ... -> merge -> Evaluated
//! ```
//!
//! A [`Unit`] contains everything that determines its result: the texts of all player files that
//! its player and its rules refer to, including the bytes of networks and tables, the complete
//! rules, and the levels of splitting, which are chosen once. Published players are included by
//! name and hash. Large player files can be sent once instead of with each unit ([`CarriedModel`]).
//! A worker therefore never reads a file for a unit, and it refuses units from another version of
//! the program or with different published players. A unit that was lost with its worker can be
//! computed by another one; duplicate results are identical.
//!
//! A [`Cluster`] computes units: processes that this one starts ([`WorkerProcesses`]), or a
//! scheduler. If the context of a learning run has one, it evaluates the candidates.

mod carried;
mod cluster;
mod merge;
mod processes;
mod unit;
mod worker;

#[cfg(all(test, feature = "store"))]
mod tests;

pub use carried::{CarriedModel, CarriedPlayer, ReceivedModels};
pub use cluster::{Cluster, ClusterError};
pub use merge::merge;
pub(crate) use merge::merge_games;
pub use processes::WorkerProcesses;
pub(crate) use unit::units_of;
pub use unit::{GameColumns, ProgramVersion, RangeResult, Unit, UnitRefused, UnitResult, split};
pub use worker::{Answer, Worked, work};

use super::StudyError;
use crate::library::{FileError, LibraryError};

/// The version of the lines for units and their results.
pub const WORK_SCHEMA: u32 = 3;

/// Why a unit cannot be computed, or results cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// A line is not a unit.
    #[error("not a unit of work: {0}")]
    NotAUnit(String),
    /// A line is not a result.
    #[error("not the result of a unit: {0}")]
    NotAResult(String),
    /// A line from another version of the program.
    #[error("{0}")]
    OtherVersion(String),
    /// A unit whose player file should have been sent before it.
    #[error(
        "the player file of {name} was not sent to this worker; give it the file of models that was written with the units"
    )]
    NoModel {
        /// The player.
        name: String,
    },
    /// Another problem, described by a sentence.
    #[error("{0}")]
    Refused(String),
    /// The evaluation cannot be carried out.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// A player or a ruleset is invalid.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
}

impl WorkError {
    /// Whether another worker may be able to compute the unit, or this one if it gets what is
    /// missing.
    pub(crate) fn is_retryable(&self) -> bool {
        matches!(
            self,
            WorkError::OtherVersion(_)
                | WorkError::NoModel { .. }
                | WorkError::Library(LibraryError::OtherPlayer { .. })
        )
    }

    fn refused<T>(sentence: impl Into<String>) -> Result<T, WorkError> {
        Err(WorkError::Refused(sentence.into()))
    }

    /// The error for numbers that no game can have.
    fn implausible<T>(problem: &str) -> Result<T, WorkError> {
        WorkError::refused(format!("the result is impossible: {problem}"))
    }

    /// The error for an empty range, or one beyond the whole.
    fn no_range<T>((from, to): (u64, u64), whole: u64) -> Result<T, WorkError> {
        WorkError::refused(format!(
            "expected a range within 0 to {whole}, got {from} to {to}"
        ))
    }

    /// The error for results of several evaluations.
    fn mixed() -> WorkError {
        let text = "these are results of different evaluations, players or rules; merge only results of one evaluation";
        WorkError::Refused(text.to_owned())
    }
}
