//! The interface to the workers that compute the units of a study.

use super::{Unit, UnitRefused, UnitResult, WorkError};
use crate::context::Context;
use std::collections::BTreeMap;

/// Computes units of work, on this machine or on others.
pub trait Cluster: Send + Sync {
    /// Number of units computed at the same time; a study creates at least as many.
    fn slots(&self) -> usize;

    /// The results of units, in any order, each at least once; `None` if the study was cancelled.
    /// It reports progress to the context.
    ///
    /// # Errors
    /// If a unit is refused by every worker, or there are no workers left.
    fn compute(
        &self,
        units: &[Unit],
        context: &Context,
    ) -> Result<Option<Vec<UnitResult>>, ClusterError>;
}

/// Why units were not computed.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// A result or a unit is invalid.
    #[error(transparent)]
    Work(Box<WorkError>),
    /// A worker refused a unit permanently.
    #[error("a worker refused a unit: {0}")]
    Refused(String),
    /// All workers gave up.
    #[error("no worker is left: {0}")]
    NoWorkers(String),
    /// Every worker that tried a unit died.
    #[error("{deaths} workers died while computing the same unit; the last one: {problem}")]
    Deadly {
        /// Number of workers.
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
    /// The results of units among the answers of workers. Answers to other units, which arrived too
    /// late for an earlier study, are ignored.
    ///
    /// # Errors
    /// If an answer is a refusal, or not an answer.
    pub fn of_answers(units: &[Unit], answers: &[String]) -> Result<Vec<UnitResult>, ClusterError> {
        let mut asked: BTreeMap<(&str, u64), &Unit> = BTreeMap::new();
        for unit in units {
            asked.insert((&unit.player.name, unit.from), unit);
        }
        let mut results = Vec::new();
        for answer in answers {
            if let Ok(refused) = serde_json::from_str::<UnitRefused>(answer) {
                return Err(ClusterError::Refused(refused.error));
            }
            let result = UnitResult::parse(answer)?;
            let unit = asked.get(&(result.player.as_str(), result.from));
            if unit.is_some_and(|unit| result.answers(unit)) {
                results.push(result);
            }
        }
        Ok(results)
    }
}
