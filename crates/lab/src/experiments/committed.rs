//! Results stored in a folder: the current report of an experiment, without running anything.
//!
//! The folder of a run can be committed without its players, because the results contain them. Then
//! [`kept_report`] recreates the report, and [`reproduce`](super::reproduce) in the same folder
//! computes the missing results.

use super::{
    Experiment, ExperimentError, ExperimentReport, ExperimentResults, StageRecord, StageStudy,
};
use crate::library::FileError;
use std::path::{Path, PathBuf};

/// The report of an experiment from the results in a folder. It is marked as interrupted if stages
/// are missing, except those that only write or select a player.
///
/// # Errors
/// If the folder or a file in it cannot be read.
pub(crate) fn kept_report(
    experiment: &Experiment,
    folder: &Path,
) -> Result<ExperimentReport, ExperimentError> {
    let mut kept = kept_records(folder)?;
    let mut results = ExperimentResults::new(experiment.size);
    let mut is_missing = false;
    for stage in &experiment.definition.stages {
        let of_stage =
            |record: &StageRecord| record.stage == stage.id && record.study == stage.study;
        match kept.iter().position(of_stage) {
            Some(place) => results.add(&stage.id, kept.swap_remove(place)),
            None => is_missing |= is_work(&stage.study),
        }
    }
    Ok(ExperimentReport::new(experiment, &results, is_missing))
}

/// The kept result of a stage, by the name of the stage.
///
/// # Errors
/// If the folder or a file in it cannot be read.
pub(crate) fn kept_stage(
    folder: &Path,
    stage: &str,
) -> Result<Option<StageRecord>, ExperimentError> {
    let kept = kept_records(folder)?;
    Ok(kept.into_iter().find(|record| record.stage == stage))
}

/// Whether a stage takes a noticeable amount of time.
pub(super) fn is_work(study: &StageStudy) -> bool {
    !matches!(study, StageStudy::Write { .. } | StageStudy::Select { .. })
}

/// All results in a folder, in the order of their file names; empty if the folder does not exist.
fn kept_records(folder: &Path) -> Result<Vec<StageRecord>, ExperimentError> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let unreadable = |error: &std::io::Error| FileError::of_file(folder, error.to_string());
    let files = std::fs::read_dir(folder).map_err(|error| unreadable(&error))?;
    let files: Result<Vec<PathBuf>, _> = files.map(|file| file.map(|file| file.path())).collect();
    let mut files = files.map_err(|error| unreadable(&error))?;
    files.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    // The report of the run is in the same folder, with a name that is not a key.
    let is_result = |path: &&PathBuf| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        stem.chars().all(|letter| letter.is_ascii_hexdigit())
    };
    files
        .iter()
        .filter(is_result)
        .map(|path| StageRecord::from_file(path))
        .collect()
}
