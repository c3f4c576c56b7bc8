//! Experiments: the tables of the founding documents, and others, as named definitions.
//!
//! ```text
//! EXPERIMENTS -> Definition { stages, arms, analyses } -> reproduce -> KEY.json per stage -> ExperimentReport
//! ```
//!
//! An experiment is data: a [`Definition`] states its question, the choices that the document
//! leaves open, its deviations, and its [`Stage`]s, which contain the descriptions of the studies
//! ([`Learning`](crate::learning::Learning), [`Evaluation`](crate::study::Evaluation),
//! [`Comparison`](crate::study::Comparison)). [`reproduce`] runs each stage once: the result of a
//! stage is a file whose name is a hash of its description and of the players in it. A killed run
//! continues where it stopped, and only deleted results are recomputed. Published numbers are data
//! as well ([`PublishedValue`]), and the rule by which measured numbers are compared with them is
//! in [`agreement`].
//!
//! To add an experiment: write its file, add its line to [`EXPERIMENTS`].

pub mod agreement;
mod analysis;
mod committed;
mod definition;
mod driver;
mod key;
mod measure;
mod page;
mod published;
mod report;
mod result;
mod stage;
mod user;

mod beyond;
mod cma_es;
mod near_perfect;
mod strategies;
mod thesis;

#[cfg(test)]
mod tests;

pub use agreement::Agreement;
pub use analysis::{Analysis, ExperimentResults, Finding, FoundPlot, FoundTable};
pub(crate) use committed::{kept_report, kept_stage};
pub use definition::{
    Definition, ExperimentArm, ExperimentPart, ExperimentScale, ExperimentSize, MakeDefinition,
    ResultUnit, TestedPlayer,
};
pub use driver::RepeatCommand;
pub use measure::Quantity;
pub use published::{PublishedBeside, PublishedValue, PublishedWeights, published_weights};
pub(crate) use published::{published_beside, published_values};
pub use report::{ExperimentReport, REPORT_SCHEMA, ReportedNumber, ReportedStage};
pub use result::{LearnedPlayer, STAGE_SCHEMA, StageProvenance, StageRecord, StageResult};
pub use stage::{Stage, StageStudy, reference};

use crate::context::Context;
use crate::learning::{LearningError, StoreError};
use crate::library::{FileError, LibraryError};
use crate::study::StudyError;
use std::path::Path;
use tetrolab_core::registry::{Entry, find};
use tetrolab_core::spec::SpecError;

/// A named experiment.
pub type ExperimentEntry = Entry<MakeDefinition>;

/// Every experiment. To add one: write its file, add its line here.
pub const EXPERIMENTS: &[ExperimentEntry] = &[
    thesis::game::ENTRY,
    thesis::games::ENTRY,
    thesis::scenario::ENTRY,
    thesis::randomizers::ENTRY,
    thesis::features::ENTRY,
    thesis::cap::ENTRY,
    thesis::selection::ENTRY,
    thesis::population::ENTRY,
    thesis::mutation::ENTRY,
    thesis::swarm::ENTRY,
    thesis::network::ENTRY,
    thesis::players::ENTRY,
    thesis::published::ENTRY,
    strategies::ENTRY,
    near_perfect::learning::ENTRY,
    near_perfect::lines::ENTRY,
    near_perfect::essay::ENTRY,
    cma_es::table_2::ENTRY,
    cma_es::table_3::ENTRY,
    cma_es::figures::ENTRY,
    beyond::scherrer::ENTRY,
    beyond::misakamm::ENTRY,
    beyond::learners::ENTRY,
    beyond::plies::ENTRY,
    beyond::networks::ENTRY,
    beyond::network_search::ENTRY,
    beyond::splitting::ENTRY,
    beyond::survival_learning::ENTRY,
    beyond::wary::ENTRY,
    beyond::wary_tables::ENTRY,
    beyond::sz_tetris::ENTRY,
    beyond::thiery::ENTRY,
];

/// An experiment at a scale, ready to be run.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The name of the experiment.
    pub id: String,
    /// The title of the experiment.
    pub title: String,
    /// The document that the experiment is from.
    pub source: String,
    /// The scale and seed of the experiment.
    pub size: ExperimentSize,
    /// The definition of the experiment.
    pub definition: Definition,
}

impl Experiment {
    /// The experiment with this name.
    ///
    /// # Errors
    /// If the name is unknown.
    pub fn named(id: &str, size: ExperimentSize) -> Result<Experiment, ExperimentError> {
        let entry = find(EXPERIMENTS, "experiment", id)?;
        Ok(Experiment {
            id: entry.id.to_owned(),
            title: entry.definition.to_owned(),
            source: entry.source.to_owned(),
            size,
            definition: (entry.make)(size),
        })
    }

    /// A part of the experiment, for one of several machines. Results are files whose names are
    /// keys without paths, so the results of all parts can be copied into one folder.
    #[must_use]
    pub fn part(&self, part: ExperimentPart) -> Experiment {
        Experiment {
            definition: self.definition.part(part),
            ..self.clone()
        }
    }
}

/// Why an experiment cannot be carried out.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// A name is unknown.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A study cannot be carried out.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// A file is invalid, or cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The study of a stage cannot be carried out.
    #[error("stage {stage}: {error}")]
    OfStage {
        /// The stage.
        stage: String,
        /// The reason.
        error: Box<ExperimentError>,
    },
    /// Stages do not fit together.
    #[error("stage {stage}: {problem}")]
    Stage {
        /// The stage.
        stage: String,
        /// The problem.
        problem: String,
    },
}

impl From<LibraryError> for ExperimentError {
    fn from(error: LibraryError) -> ExperimentError {
        StudyError::from(error).into()
    }
}

impl From<LearningError> for ExperimentError {
    fn from(error: LearningError) -> ExperimentError {
        StudyError::from(error).into()
    }
}

impl ExperimentError {
    fn of_stage(self, stage: &str) -> ExperimentError {
        match self {
            error @ (ExperimentError::OfStage { .. } | ExperimentError::Stage { .. }) => error,
            error => ExperimentError::OfStage {
                stage: stage.to_owned(),
                error: Box::new(error),
            },
        }
    }

    fn store(error: StoreError) -> ExperimentError {
        LearningError::from(error).into()
    }

    /// A folder cannot be created.
    fn folder(path: &Path, error: &std::io::Error) -> ExperimentError {
        FileError::writing(path, error).into()
    }
}

/// Runs an experiment in a folder, continuing earlier work there, and compares the results with the
/// published numbers. If the experiment is cancelled, the report contains the results so far.
///
/// # Errors
/// If a description is invalid, or files cannot be written.
pub fn reproduce(
    experiment: &Experiment,
    out: &Path,
    command: RepeatCommand<'_>,
    context: &Context,
) -> Result<ExperimentReport, ExperimentError> {
    let done = driver::run(experiment, out, command, context)?;
    Ok(ExperimentReport::new(
        experiment,
        &done.results,
        done.interrupted,
    ))
}
