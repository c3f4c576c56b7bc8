//! Translates the library's errors into terms of the command line: fields become flags.

use crate::command::flag;
use anyhow::{Error, anyhow};
use tetrolab::analysis::AnalysisError;
use tetrolab::core::game::SnapshotError;
use tetrolab::experiments::ExperimentError;
use tetrolab::learning::{FieldDifference, LearningError, StoreError};
use tetrolab::session::SessionError;
use tetrolab::study::StudyError;
use tetrolab::study::work::WorkError;
use tetrolab::survival::SurvivalError;

/// Translates an error of a study.
pub(crate) fn study(error: StudyError) -> Error {
    match error {
        StudyError::Learning(error) => learning(error),
        StudyError::Survival(SurvivalError::FixedPieces(_) | SurvivalError::Stepped(_)) => {
            anyhow!("{error}: --method games")
        }
        StudyError::RecordAndResume => {
            anyhow!(
                "--resume does not store the placements that --record needs; leave one of them out"
            )
        }
        StudyError::OfPlayer { player, error } => {
            let error = study(*error);
            anyhow!("{player}: {error}")
        }
        StudyError::NotAFolder(path) => {
            anyhow!("{path}: expected a folder for --resume, found a file")
        }
        error => error.into(),
    }
}

/// Translates an error of an experiment.
pub(crate) fn experiment(error: ExperimentError) -> Error {
    match error {
        ExperimentError::Study(error) => study(error),
        ExperimentError::OfStage { stage, error } => {
            let error = experiment(*error);
            anyhow!("stage {stage}: {error}")
        }
        error => error.into(),
    }
}

/// Translates an error of a session.
pub(crate) fn session(error: SessionError) -> Error {
    match error {
        SessionError::Adversary(error) => anyhow!("--adversary: {error}"),
        error => error.into(),
    }
}

/// Translates an error of an analysis.
pub(crate) fn analysis(error: AnalysisError) -> Error {
    match error {
        AnalysisError::Study(error) => study(error),
        AnalysisError::Preview { .. } => {
            anyhow!("{error}; add them with --next")
        }
        AnalysisError::TooHigh { .. } | AnalysisError::Snapshot(SnapshotError::Size { .. }) => {
            anyhow!("{error}; choose another one with --ruleset")
        }
        error => error.into(),
    }
}

/// Translates an error of a learning run.
pub(crate) fn learning(error: LearningError) -> Error {
    match error {
        LearningError::Zero(field) => {
            anyhow!("{} must be at least 1, got 0", flag(field))
        }
        LearningError::Time(time) => anyhow!("--time must be above 0 seconds, got {time}"),
        LearningError::Fitness(fitness) => anyhow!("--until must be finite, got {fitness}"),
        LearningError::WeighsNothing { player, known } => {
            anyhow!("--player must be one of {known}, got '{player}'")
        }
        LearningError::NoGamesToCount => anyhow!(
            "the objective survival plays no whole games, so --total-games cannot limit it; use --total-pieces"
        ),
        LearningError::Memory(error) => {
            let needed = error.needed.div_ceil(1_000_000_000);
            anyhow!("{error}, with --memory {needed}GB")
        }
        LearningError::Begun(_) => anyhow!("{error}; use --resume to continue it"),
        LearningError::NotAFolder(path) => {
            anyhow!("{path}: expected a folder for --run, found a file")
        }
        LearningError::Store(StoreError::OtherPlan { id, difference }) => anyhow!(
            "the run {id} was started with {}; choose another folder with --run",
            describe(&difference)
        ),
        error => error.into(),
    }
}

fn describe(difference: &FieldDifference) -> String {
    let FieldDifference { field, own, other } = difference;
    let flag = flag(field);
    let show = |value: &Option<String>| match (*field, value) {
        ("learner" | "rules", Some(value)) => value.clone(),
        (_, None) => format!("no {flag}"),
        (_, Some(value)) => format!("{flag} {value}").trim_end().to_owned(),
    };
    format!("{}, not {}", show(own), show(other))
}

/// Translates an error of distributed work.
pub(crate) fn work(error: WorkError) -> Error {
    match error {
        WorkError::Study(error) => study(error),
        error => error.into(),
    }
}
