//! Repetitions on disk: an estimate that was cut off goes on where it was.
//!
//! The file holds one JSON object per line, `{"check":"...","content":{...}}`: first the head, which says what is
//! estimated, then one repetition after the other, in the order in which they were done. The check of a line is a hash
//! of its content and of the check of the line before, so a line that was damaged, or comes from another file, is
//! noticed. A last line that was cut off in the middle is done again.

use super::levels::{Levels, Survey};
use super::prepared::Repetitions;
use super::repeating::MOST_REPETITIONS;
use super::repetition::Repetition;
use super::{Splitting, SurvivalError};
use crate::hash::hash_of;
use crate::library::spec_identity;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tetrolab_core::ruleset::Ruleset;

/// The version of the files.
const FORMAT: u64 = 2;
/// The version of what a repetition does: repetitions of different versions are not mixed.
const METHOD: u64 = 3;
/// More bytes than the most repetitions take: a file that is larger is not one of ours.
const MOST_BYTES: u64 = MOST_REPETITIONS * 4096;

/// What is estimated: a file is only continued for the same.
pub(super) struct Head(Value);

impl Head {
    /// The head of the file for an estimate.
    ///
    /// # Errors
    /// When a player file that the randomizer names cannot be read.
    pub(super) fn new(
        splitting: &Splitting,
        ruleset: &Ruleset,
        seed: u64,
        levels: &Levels,
        survey: &Survey,
    ) -> Result<Head, SurvivalError> {
        let parts = ruleset.parts();
        let randomizer = spec_identity(&parts.randomizer)?;
        Ok(Head(json!({
            "survival": FORMAT,
            "method": METHOD,
            "player": splitting.player,
            "player_hash": hash_of(&splitting.identity),
            "ruleset": parts.name,
            "width": parts.width,
            "height": parts.height,
            "end": parts.end.name(),
            "preview": parts.preview,
            "randomizer": parts.randomizer.to_string(),
            "randomizer_hash": hash_of(&randomizer),
            "seed": seed,
            "trajectories": levels.trajectories,
            "base": levels.base,
            "levels": levels.levels,
            "danger": levels.danger,
            "surveyed": survey.played,
            "survey_hash": format!("{:016x}", survey.fingerprint),
        })))
    }

    fn content(&self) -> String {
        self.0.to_string()
    }

    /// The first thing in which the head of a file differs from this one.
    fn difference(&self, content: &str) -> Option<String> {
        let found: Value = serde_json::from_str(content).unwrap_or_default();
        let mut expected = self.0.as_object()?.iter();
        let differs = expected.find(|(key, value)| found.get(key) != Some(value));
        differs.map(|(key, _)| key.replace('_', " "))
    }
}

/// A repetition under its number.
#[derive(Serialize, Deserialize)]
struct Numbered<R> {
    number: u64,
    #[serde(flatten)]
    repetition: R,
}

/// A file of repetitions.
#[derive(Debug)]
pub(super) struct Checkpoint {
    path: PathBuf,
    file: File,
    /// The length of its whole lines in bytes.
    whole: u64,
    /// The check of the last whole line.
    check: String,
}

impl Checkpoint {
    /// Opens the file of an estimate, and reads what it has of it; makes the file if there is none.
    pub(super) fn open(
        path: &Path,
        head: &Head,
    ) -> Result<(Checkpoint, Repetitions), SurvivalError> {
        let io = |error| SurvivalError::file(path, &error);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(SurvivalError::Busy(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(io(error)),
        }
        let mut bytes = Vec::new();
        let mut bounded = (&mut file).take(MOST_BYTES + 1);
        bounded.read_to_end(&mut bytes).map_err(io)?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(SurvivalError::TooLarge(path.to_owned()));
        }
        let kept = Kept::read(path, &bytes, head)?;
        file.set_len(kept.whole as u64).map_err(io)?;
        let mut checkpoint = Checkpoint {
            path: path.to_owned(),
            file,
            whole: kept.whole as u64,
            check: kept.check,
        };
        if kept.whole == 0 {
            checkpoint.write(&head.content())?;
        }
        Ok((checkpoint, kept.repetitions))
    }

    /// Adds a repetition.
    pub(super) fn add(
        &mut self,
        number: u64,
        repetition: &Repetition,
    ) -> Result<(), SurvivalError> {
        let content = serde_json::to_string(&Numbered { number, repetition });
        let content = content.map_err(|error| SurvivalError::file(&self.path, &error.into()))?;
        self.write(&content)
    }

    /// Adds a line after the last whole one. A write that fails, as on a full disk, may leave a part of its line behind; the
    /// next one overwrites it, and what is left at the end is ignored like any line that was cut off.
    fn write(&mut self, content: &str) -> Result<(), SurvivalError> {
        let check = check(&self.check, content);
        let line = format!("{}\n", sealed(&check, content));
        let place = self.file.seek(SeekFrom::Start(self.whole));
        let written = place.and_then(|_| self.file.write_all(line.as_bytes()));
        written.map_err(|error| SurvivalError::file(&self.path, &error))?;
        self.whole += line.len() as u64;
        self.check = check;
        Ok(())
    }
}

/// What a file has.
#[derive(Default)]
struct Kept {
    repetitions: Repetitions,
    /// The length of its whole lines in bytes.
    whole: usize,
    /// The check of the last whole line.
    check: String,
}

impl Kept {
    /// The repetitions in a file for the estimate with this head.
    fn read(path: &Path, bytes: &[u8], head: &Head) -> Result<Kept, SurvivalError> {
        let whole = bytes.iter().rposition(|&byte| byte == b'\n');
        let whole = whole.map_or(0, |end| end + 1);
        if whole == 0 {
            return Kept::of_cut_head(path, bytes, head);
        }
        let mut kept = Kept {
            whole,
            ..Kept::default()
        };
        let lines = bytes[..whole - 1].split(|&byte| byte == b'\n');
        for (line, number) in lines.zip(1..) {
            kept.take(path, number, line, head)?;
        }
        Ok(kept)
    }

    /// A file whose head was cut off is begun again; one that never was ours is left alone.
    fn of_cut_head(path: &Path, bytes: &[u8], head: &Head) -> Result<Kept, SurvivalError> {
        let content = head.content();
        let expected = sealed(&check("", &content), &content);
        if expected.as_bytes().starts_with(bytes) {
            return Ok(Kept::default());
        }
        Err(SurvivalError::damaged(path, 1))
    }

    /// Takes one line of the file.
    fn take(
        &mut self,
        path: &Path,
        number: usize,
        line: &[u8],
        head: &Head,
    ) -> Result<(), SurvivalError> {
        let damaged = || SurvivalError::damaged(path, number);
        let line = std::str::from_utf8(line).map_err(|_| damaged())?;
        if number == 1 && is_old(line) {
            return Err(SurvivalError::OldFormat(path.to_owned()));
        }
        let (found, content) = opened(line).ok_or_else(damaged)?;
        if found != check(&self.check, content) {
            return Err(damaged());
        }
        found.clone_into(&mut self.check);
        if number > 1 {
            let kept: Numbered<Repetition> =
                serde_json::from_str(content).map_err(|_| damaged())?;
            self.repetitions.insert(kept.number, kept.repetition);
            return Ok(());
        }
        match head.difference(content) {
            Some(what) => Err(SurvivalError::OtherEstimate {
                path: path.to_owned(),
                what,
            }),
            None => Ok(()),
        }
    }
}

/// Whether a first line is one of the files without checks.
fn is_old(line: &str) -> bool {
    let head: Value = serde_json::from_str(line).unwrap_or_default();
    head["survival"] == 1
}

/// A line with its check.
fn sealed(check: &str, content: &str) -> String {
    format!("{{\"check\":\"{check}\",\"content\":{content}}}")
}

/// The check and the content of a line.
fn opened(line: &str) -> Option<(&str, &str)> {
    let line = line.strip_prefix("{\"check\":\"")?;
    let (check, content) = line.split_once("\",\"content\":")?;
    Some((check, content.strip_suffix('}')?))
}

/// The check of a line that follows one with the check `before`; the first line follows none.
fn check(before: &str, content: &str) -> String {
    hash_of(&[before, content].concat())
}
