//! Repetitions on disk: an estimate that was cut off goes on where it was.
//!
//! The file holds one JSON object per line: first what is estimated, then one repetition after the other, in the order
//! in which they were done. A last line that was cut off in the middle is done again.

use super::SurvivalError;
use super::entry::Stage;
use super::equilibrium::Equilibrium;
use super::plan::Plan;
use super::repetition::Repetition;
use serde_json::{Value, json};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file of repetitions.
#[derive(Debug)]
pub(super) struct Checkpoint {
    path: PathBuf,
    file: File,
}

/// Numbered repetitions.
type Repetitions = Vec<(u64, Repetition)>;

impl Checkpoint {
    /// Opens the file of an estimate, and reads what it has of it; makes the file if there is none.
    pub(super) fn open(
        path: &Path,
        head: &Value,
    ) -> Result<(Checkpoint, Repetitions), SurvivalError> {
        let io = |error| SurvivalError::file(path, &error);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(io)?;
        file.try_lock()
            .map_err(|_| SurvivalError::Busy(path.to_owned()))?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(io)?;
        let (whole, repetitions) = read(path, &text, head)?;
        file.set_len(whole as u64).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        let path = path.to_owned();
        let mut checkpoint = Checkpoint { path, file };
        if whole == 0 {
            checkpoint.write(head)?;
        }
        Ok((checkpoint, repetitions))
    }

    /// Adds a repetition.
    pub(super) fn add(&mut self, index: u64, repetition: &Repetition) -> Result<(), SurvivalError> {
        self.write(&to_json(index, repetition))
    }

    fn write(&mut self, line: &Value) -> Result<(), SurvivalError> {
        let line = format!("{line}\n");
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|error| SurvivalError::file(&self.path, &error))
    }
}

/// The repetitions in a file for the estimate with this head, and the length of its whole lines.
fn read(path: &Path, text: &str, head: &Value) -> Result<(usize, Repetitions), SurvivalError> {
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let mut lines = text[..whole].lines();
    let Some(first) = lines.next() else {
        return Ok((0, Vec::new()));
    };
    if serde_json::from_str(first).ok().as_ref() != Some(head) {
        return Err(SurvivalError::OtherEstimate(path.to_owned()));
    }
    let mut repetitions = Vec::new();
    for (number, line) in lines.enumerate() {
        let value = serde_json::from_str(line).ok();
        let repetition = value.as_ref().and_then(from_json);
        let (path, line) = (path.to_owned(), number + 2);
        repetitions.push(repetition.ok_or(SurvivalError::Line { path, line })?);
    }
    Ok((whole, repetitions))
}

/// What is estimated: a file is only continued for the same.
pub(super) fn head(player: &str, ruleset: &str, seed: u64, plan: &Plan) -> Value {
    json!({
        "survival": 1,
        "player": player,
        "ruleset": ruleset,
        "seed": seed,
        "base": plan.base,
        "levels": plan.levels,
        "trajectories": plan.trajectories,
    })
}

fn to_json(index: u64, repetition: &Repetition) -> Value {
    let e = &repetition.equilibrium;
    let stages = repetition.stages.iter();
    let stages =
        stages.map(|s| json!([s.level, s.trajectories, s.successes, s.ancestors, s.pieces]));
    json!({
        "repetition": index,
        // As bits: the estimate after a resume is the same to the last digit.
        "rate_bits": repetition.rate.to_bits(),
        "cells_bits": repetition.cells.to_bits(),
        "equilibrium": [
            e.pieces, e.early_entries, e.late_entries, e.deaths, e.lines, e.line_points, e.played
        ],
        "stages": Value::from_iter(stages),
    })
}

fn from_json(value: &Value) -> Option<(u64, Repetition)> {
    let numbers = |value: &Value| -> Option<Vec<u64>> {
        value.as_array()?.iter().map(Value::as_u64).collect()
    };
    let equilibrium = <[u64; 7]>::try_from(numbers(&value["equilibrium"])?).ok()?;
    let [
        pieces,
        early_entries,
        late_entries,
        deaths,
        lines,
        line_points,
        played,
    ] = equilibrium;
    let stage = |value: &Value| {
        let [level, trajectories, successes, ancestors, pieces] =
            <[u64; 5]>::try_from(numbers(value)?).ok()?;
        Some(Stage {
            level: u32::try_from(level).ok()?,
            trajectories,
            successes,
            ancestors,
            pieces,
        })
    };
    let stages: Option<Vec<Stage>> = value["stages"].as_array()?.iter().map(stage).collect();
    let repetition = Repetition {
        equilibrium: Equilibrium {
            pieces,
            early_entries,
            late_entries,
            deaths,
            lines,
            line_points,
            played,
        },
        stages: stages?,
        rate: f64::from_bits(value["rate_bits"].as_u64()?),
        cells: f64::from_bits(value["cells_bits"].as_u64()?),
    };
    Some((value["repetition"].as_u64()?, repetition))
}
