//! Learning runs: from a description to a player file, watched, stopped, resumed, trusted.
//!
//! ```text
//! Learning -> Task (every name resolved) -> driver: method makes a generation -> store keeps it -> checkpoint
//! store -> export (CSV, JSON);  solutions of all runs -> player file
//! ```
//!
//! [`study::learn`](crate::study::learn) makes a run in one call; here are its parts.
//!
//! # Resuming
//!
//! The player file of a run that was killed and resumed is, to the byte, that of a run that was
//! not; only the generation in progress is lost. A method that keeps a checkpoint continues from
//! it. An optimiser keeps none: it is a pure function of its settings, its seed and the fitness
//! that it was told, so it is made again and told what the [`Store`] holds. Whatever is repeated is
//! compared with the store: one that another version has made does not silently give another
//! player.

mod checkpoint;
mod context;
mod coordinates;
mod description;
mod driver;
pub mod export;
mod factors;
mod folder;
mod generation;
mod network;
pub mod objective;
mod searched_model;
mod store;
mod task;
mod template;

pub use crate::memory::{MemoryPart, TooMuchMemory, USUAL_MEMORY};
pub(crate) use context::GenerationContext;
pub use description::{Budget, FieldDifference, FieldValue, Learning, Scale, words};
pub(crate) use driver::{Driven, drive};
pub use factors::{TablesOfStart, tables_of_start};
pub use folder::{RunFolder, RunLock, write_whole};
pub(crate) use folder::{model_beside, try_to_write, write_whole_bytes};
pub use generation::Generation;
pub use store::{Store, StoreError, StoredRun};
pub use task::Task;

use crate::arena::ArenaError;
use crate::learners::{Diverged, LearnerError};
use crate::library::{FileError, LibraryError};
use crate::survival::SurvivalError;
use network::MOST_SEARCHED;
use tetrolab_core::network::NetworkError;
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
    /// It would take too much memory.
    #[error(transparent)]
    Memory(#[from] TooMuchMemory),
    /// A count that must be positive, by the path of its field.
    #[error("{} is a whole number from 1 on, not 0", words(.0))]
    Zero(&'static str),
    /// A run that nothing would end.
    #[error("nothing ends this run: it needs a number of generations or another budget")]
    Endless,
    /// A limit on time that is not a time.
    #[error("the time is a number of seconds above 0, not {0}")]
    Time(f64),
    /// A fitness that cannot be reached.
    #[error("the fitness to reach is a finite number, not {0}")]
    Fitness(f64),
    /// A kind of player that does not exist, or that has no weights.
    #[error("the player is {known}, not '{player}'")]
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
        "the objective survival estimates a chance, but the ruleset {0} leaves no piece to chance; \
         the objective lines plays it as it is"
    )]
    FixedPieces(String),
    /// The objective plays no whole games.
    #[error(
        "the objective survival plays no whole games that a budget could count; a budget of pieces counts what it plays"
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
    /// A search of factors without tables.
    #[error(
        "{learner} searches a factor for each table of a player: the {evaluator} evaluator needs a start that has them"
    )]
    FactorsNeedStart {
        /// The learner.
        learner: &'static str,
        /// The form of the evaluator.
        evaluator: &'static str,
    },
    /// A search of factors that begins at a player without tables.
    #[error("{0} has no look-up tables; a search of their factors begins at a player that has")]
    StartHasNoTables(String),
    /// A search of factors that begins at a player with other tables than the plan's.
    #[error("{player} has other look-up tables than {wanted}")]
    OtherLookupTables {
        /// The player.
        player: String,
        /// The tables of the plan.
        wanted: String,
    },
    /// Layers for an evaluator that is no network.
    #[error("the {0} evaluator has no layers: it is no network")]
    NoLayers(&'static str),
    /// Layers that are none.
    #[error("the layers are 1 to 8 numbers of units from 1 to 4096, as 32,32,32, not '{0}'")]
    Layers(String),
    /// Layers for a reinforcement learner.
    #[error(
        "a reinforcement learner has its layers among its own settings, as in q-network(units=32,layers=3)"
    )]
    LayersAreSettings,
    /// Layers that make no network.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// A network that is too large to be searched.
    #[error("an optimiser searches at most {MOST_SEARCHED} parameters, and this network has {0}")]
    TooManyParameters(usize),
    /// Several networks cannot be averaged.
    #[error("the {0} evaluator is learned in one run: the networks of several cannot be averaged")]
    NetworksOfRuns(&'static str),
    /// The search of a network cannot begin at this player.
    #[error(
        "{0} has no network of the same features and layers; a search of a network begins at one"
    )]
    OtherNetwork(String),
    /// A method that trains a model was asked for something that only a search supports.
    #[error("{learner} {problem}")]
    Unsupported {
        /// The learner.
        learner: &'static str,
        /// What it does instead.
        problem: String,
    },
    /// A model has diverged.
    #[error("{diverged}; {last}, and a smaller rate may help")]
    Diverged {
        /// When, and how far.
        diverged: Diverged,
        /// Where the last good one is.
        last: String,
    },
    /// A generation gives another result than it did.
    #[error(
        "generation {0} has another result in the store than this version of tetrolab gives; the store was made by another version"
    )]
    OtherGeneration(u64),
    /// Store and checkpoint have different results of one generation.
    #[error(
        "{checkpoint}: generation {generation} has another result in this checkpoint than in the store: one of \
         them belongs to another run; without the checkpoint the run learns again from its beginning \
         and compares its results with the store"
    )]
    OtherCheckpoint {
        /// Which generation, from 1.
        generation: u64,
        /// The checkpoint.
        checkpoint: String,
    },
    /// The run was begun before and is not finished.
    #[error("{0}: this run was begun before and is not finished")]
    Begun(String),
    /// There is nothing to resume.
    #[error(
        "{0}: nothing of this run is stored, so there is nothing to resume; begin it with its full \
         command"
    )]
    NoRun(String),
    /// A file where a run needs a folder.
    #[error("{0}: is a file; a run is kept in a folder")]
    NotAFolder(String),
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
mod damage_tests;
#[cfg(test)]
mod registry_tests;
#[cfg(test)]
mod tests;
