//! Learning runs: from a plan to a player file, watched, stopped, resumed, trusted.
//!
//! ```text
//! Plan -> Task (every name resolved) -> learn: optimiser asks -> objective judges -> optimiser is told -> store keeps
//! store -> export (CSV, JSON);  solutions of all runs -> player file
//! ```
//!
//! # Resuming
//!
//! An optimiser is a pure function of its settings, its seed and the fitness that it was told. A run is resumed by making the
//! optimiser anew and telling it again what the [`Store`] holds; only the generation in flight is lost. So the player file of
//! a run that was killed and resumed is, to the byte, that of a run that was not. What the optimiser asks on the way is
//! compared with what the store says it asked: a store that another version has made does not quietly give another player.
//!
//! # Example
//!
//! ```
//! use tetrolab::arena::Limits;
//! use tetrolab::learning::{Budget, Ended, Machine, Plan, RunFolder, Store, Task, learn};
//!
//! let folder = tempfile::tempdir()?;
//! let plan = Plan {
//!     learner: "random-search(population=5)".to_owned(),
//!     ruleset: "simplified-6x8".to_owned(),
//!     features: "dellacherie".to_owned(),
//!     games: 5,
//!     budget: Budget::generations(4),
//!     ..Plan::default()
//! };
//! let task = Task::new(plan)?;
//! let place = RunFolder::at(&folder.path().join("first"))?;
//! let _lock = place.lock()?;
//! let mut store = Store::open(&place.store())?;
//! store.begin(&place.id, &task.plan)?;
//! let ended = learn(&task, Machine::default(), &mut store, &place.id, &mut |_| {})?;
//! let Ended::Learned(learned) = ended else { unreachable!("nobody interrupts") };
//! assert!(task.player_file(&place.id, &learned.solutions).contains("[weights]"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod coordinates;
mod driver;
pub mod export;
mod folder;
mod generation;
pub mod objective;
mod plan;
mod store;
mod task;
mod template;

pub use driver::{Ended, Learned, Machine, Progress, learn};
pub use folder::{RunFolder, RunLock, write_whole};
pub use generation::Generation;
pub use plan::{Budget, Plan, Scale};
pub use store::{Store, StoreError, StoredRun};
pub use task::Task;

use crate::arena::ArenaError;
use crate::learners::LearnerError;
use crate::library::{FileError, LibraryError};
use crate::survival::SurvivalError;
use tetrolab_core::spec::SpecError;

/// Why a run cannot be made or go on.
#[derive(Debug, thiserror::Error)]
pub enum LearningError {
    /// A name or a setting is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The learner's name or a setting of it is wrong.
    #[error(transparent)]
    Learner(#[from] LearnerError),
    /// The ruleset is wrong.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// A file is wrong, or cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Games cannot be played.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// Survival cannot be estimated.
    #[error(transparent)]
    Survival(#[from] SurvivalError),
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something of which there must be some.
    #[error("{0} is a whole number from 1 on, not 0")]
    Zero(&'static str),
    /// A limit on time that is none.
    #[error("--time is a number of seconds above 0, not {0}")]
    Time(f64),
    /// A fitness that cannot be reached.
    #[error("--until is a finite fitness, not {0}")]
    Fitness(f64),
    /// A kind of player that there is not, or that has no weights.
    #[error("--player is {known}, not '{player}'")]
    WeighsNothing {
        /// The kind that was asked for.
        player: String,
        /// The kinds that have weights.
        known: String,
    },
    /// Weights for the same feature twice.
    #[error("the feature {0} is named twice")]
    TwiceTheSameFeature(&'static str),
    /// The search cannot begin at this player.
    #[error(
        "{player} weighs other features ({found}) than {wanted}; a search begins at a player that weighs the same features or some of them"
    )]
    OtherFeatures {
        /// The player.
        player: String,
        /// Its features.
        found: String,
        /// The features of the plan.
        wanted: String,
    },
    /// The search cannot begin at this player.
    #[error(
        "{player} has {table}, which the {evaluator} evaluator has not; a search cannot begin there"
    )]
    OtherTables {
        /// The player.
        player: String,
        /// The table that would be lost.
        table: &'static str,
        /// The form of evaluator of the plan.
        evaluator: String,
    },
    /// The objective needs chance.
    #[error(
        "the objective survival estimates a chance, but the ruleset {0} plays a fixed list of pieces; \
         --objective lines plays it as it is"
    )]
    FixedPieces(String),
    /// The objective plays no whole games.
    #[error(
        "the objective survival plays no whole games that --total-games could count; --total-pieces counts what it plays"
    )]
    NoGamesToCount,
    /// The learner would leave the weights of the start behind.
    #[error(
        "{learner} with normalise=true scales its vectors to unit length and cannot search around the weights of {start}; \
         a start needs normalise=false"
    )]
    StartIsLeft {
        /// The learner.
        learner: &'static str,
        /// The player of the start.
        start: String,
    },
    /// The learner knows directions, but the form of the evaluator knows lengths.
    #[error(
        "{learner} with normalise=true scales its vectors to unit length, which changes the play of the {evaluator} \
         evaluator; it needs normalise=false"
    )]
    LengthMatters {
        /// The learner.
        learner: &'static str,
        /// The form of the evaluator.
        evaluator: String,
    },
    /// The run is in the hands of another process.
    #[error("{folder}: this run is being made by {}", describe(.process))]
    Locked {
        /// The run's folder.
        folder: String,
        /// The number of the process, if it could be read.
        process: Option<u32>,
    },
    /// The optimiser does not ask what the store says it asked.
    #[error(
        "generation {generation} of run {run} has other candidates in the store than this version of tetrolab asks for; \
         the store was made by another version or for another start"
    )]
    OtherCandidates {
        /// Which of the runs, from 1.
        run: u64,
        /// Which generation, from 1.
        generation: u64,
    },
}

fn describe(id: &Option<u32>) -> String {
    id.map_or("another process".to_owned(), |id| format!("process {id}"))
}

#[cfg(test)]
mod registry_tests;
#[cfg(test)]
mod tests;
