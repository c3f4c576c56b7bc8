//! Learning runs: from a description to a player file; observable, interruptible and resumable.
//!
//! ```text
//! Learning -> Task (every name resolved) -> driver: method makes a generation -> store keeps it -> checkpoint
//! store -> export (CSV, JSON);  solutions of all runs -> player file
//! ```
//!
//! [`study::learn`](crate::study::learn) carries out a run in one call; this module contains its
//! parts.
//!
//! # Resuming
//!
//! If a run is killed and resumed, its player file is byte for byte the same as without the
//! interruption; only the generation in progress is lost. A method that writes checkpoints
//! continues from the last one. Optimisers write none: they are pure functions of their settings,
//! their seed and the fitness they received, so they are constructed again and replayed from the
//! [`Store`]. Repeated generations are compared with the store, so that a different version of
//! tetrolab cannot silently produce a different player.

#[cfg_attr(not(feature = "store"), allow(dead_code))]
mod checkpoint;
mod context;
mod coordinates;
mod description;
mod distributed;
mod driver;
pub mod export;
mod factors;
mod folder;
mod generation;
mod keeper;
mod network;
pub mod objective;
mod request;
mod searched_model;
#[cfg(feature = "store")]
mod store;
mod task;
mod template;

pub use crate::memory::{MemoryPart, TooMuchMemory, USUAL_MEMORY};
pub(crate) use context::GenerationContext;
pub use description::{Budget, FieldDifference, FieldValue, Learning, Scale, words};
#[cfg(feature = "store")]
pub(crate) use driver::model_so_far;
pub(crate) use driver::{Driven, drive};
pub use factors::TablesOfStart;
pub(crate) use factors::tables_of_start;
pub use folder::{RunFolder, RunLock, write_whole, write_whole_bytes};
#[cfg(feature = "store")]
pub(crate) use folder::{model_beside, try_to_write};
pub use generation::Generation;
pub(crate) use keeper::NothingKept;
pub use request::{
    DEFAULT_LEARNER, DEFAULT_SEARCH, LearningRequest, PlannedLearning, SettingOrigin,
    SettingOrigins,
};
#[cfg(feature = "store")]
pub(crate) use store::KeptInLab;
#[cfg(feature = "store")]
pub use store::{Store, StoreError, StoredRun};
pub use task::Task;

use crate::arena::ArenaError;
use crate::learners::{Diverged, LearnerError};
use crate::library::{FileError, LibraryError};
use crate::study::work::ClusterError;
use crate::survival::SurvivalError;
use tetrolab_core::network::NetworkError;
use tetrolab_core::spec::SpecError;

/// Why a run cannot be created or continued.
#[derive(Debug, thiserror::Error)]
pub enum LearningError {
    /// A name or a setting is invalid.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The learner's name or one of its settings is invalid.
    #[error(transparent)]
    Learner(#[from] LearnerError),
    /// The ruleset is invalid.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// A file is invalid, or cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Games cannot be played.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// Workers cannot evaluate the candidates.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// Survival cannot be estimated.
    #[error(transparent)]
    Survival(#[from] SurvivalError),
    /// The store cannot be read or written.
    #[cfg(feature = "store")]
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The run would need too much memory.
    #[error(transparent)]
    Memory(#[from] TooMuchMemory),
    /// A count that must be positive, by the path of its field.
    #[error("{} must be at least 1, got 0", words(.0))]
    Zero(&'static str),
    /// A limit on time that is not a valid time.
    #[error("the time must be above 0 seconds, got {0}")]
    Time(f64),
    /// A fitness that cannot be reached.
    #[error("the target fitness must be finite, got {0}")]
    Fitness(f64),
    /// A kind of player that does not exist, or has no weights.
    #[error("the player must be one of {known}, got '{player}'")]
    WeighsNothing {
        /// The kind that was requested.
        player: String,
        /// The kinds that have weights.
        known: String,
    },
    /// The objective does not play whole games.
    #[error(
        "the objective survival plays no whole games, so a number of games cannot limit it; use a number of pieces"
    )]
    NoGamesToCount,
    /// Layers that do not form a network.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// A model has diverged.
    #[error("{diverged}; {last}; try a smaller rate")]
    Diverged {
        /// The value that diverged, and when.
        diverged: Diverged,
        /// The location of the last good model.
        last: String,
    },
    /// The run was started earlier and has not finished.
    #[error("{0}: this run was started earlier and has not finished")]
    Begun(String),
    /// A file where a run needs a folder.
    #[error("{0}: expected a folder for a run, found a file")]
    NotAFolder(String),
    /// Another problem, described by a sentence.
    #[error("{0}")]
    Refused(String),
}

impl LearningError {
    fn refused<T>(sentence: impl Into<String>) -> Result<T, LearningError> {
        Err(LearningError::Refused(sentence.into()))
    }

    /// There is nothing to resume in this folder.
    #[cfg(feature = "store")]
    pub(crate) fn no_run(folder: &str) -> LearningError {
        LearningError::Refused(format!(
            "{folder}: no run is stored here, so there is nothing to resume; start the run with its \
             full command"
        ))
    }
}

#[cfg(all(test, feature = "store"))]
mod damage_tests;
#[cfg(all(test, feature = "store"))]
mod registry_tests;
#[cfg(all(test, feature = "store"))]
mod tests;

#[cfg(all(test, feature = "store"))]
pub(crate) use tests::until_generation;
