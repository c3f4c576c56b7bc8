//! Whatever computes the units of a study.

use super::{Unit, UnitRefused, UnitResult, WorkError};
use crate::context::Context;

/// Computes units of work, on this machine or on others.
pub trait Cluster: Send + Sync {
    /// How many units are computed at the same time; a study makes at least as many.
    fn slots(&self) -> usize;

    /// The results of units, in any order, each at least once; `None` if the study was cancelled.
    /// It reports progress to the context.
    ///
    /// # Errors
    /// When a unit is refused by every worker, or there are no workers left.
    fn compute(
        &self,
        units: &[Unit],
        context: &Context,
    ) -> Result<Option<Vec<UnitResult>>, ClusterError>;
}

/// Why units were not computed.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// A result or a unit is wrong.
    #[error(transparent)]
    Work(Box<WorkError>),
    /// A worker refused a unit for good.
    #[error("a worker refused a unit: {0}")]
    Refused(String),
    /// All workers gave up.
    #[error("no worker is left: {0}")]
    NoWorkers(String),
    /// A unit ended every worker that tried it.
    #[error("{deaths} workers ended while they computed the same unit; the last one: {problem}")]
    Deadly {
        /// How many workers.
        deaths: u32,
        /// The last problem.
        problem: String,
    },
    /// A problem of a scheduler.
    #[error("{0}")]
    Scheduler(String),
}

impl From<WorkError> for ClusterError {
    fn from(error: WorkError) -> ClusterError {
        ClusterError::Work(Box::new(error))
    }
}

impl UnitResult {
    /// The results among the answers of workers.
    ///
    /// # Errors
    /// When an answer is a refusal, or not an answer.
    pub fn of_answers(answers: &[String]) -> Result<Vec<UnitResult>, ClusterError> {
        let result = |answer: &String| {
            if let Ok(refused) = serde_json::from_str::<UnitRefused>(answer) {
                return Err(ClusterError::Refused(refused.error));
            }
            Ok(UnitResult::parse(answer)?)
        };
        answers.iter().map(result).collect()
    }
}
