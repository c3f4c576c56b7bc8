//! Repetitions stored on disk, from which an interrupted estimate can be resumed. The file is a
//! journal (see [`crate::journal`]) with one repetition per line, in the order of completion.

use super::levels::{Levels, PilotCounts};
use super::prepared::Repetitions;
use super::repeating::MOST_REPETITIONS;
use super::repetition::Repetition;
use super::{Splitting, SurvivalError};
use crate::hash::hash_of;
use crate::journal::{Journal, JournalError, JournalHead, JournalLimits, JournalWords};
use crate::library::{FileError, FileSource, Lines};
use crate::time::Instant;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::Path;
use tetrolab_core::ruleset::Ruleset;

/// The version of the files.
const FORMAT: u64 = 2;
/// The version of a repetition's method: repetitions of different versions are not mixed.
pub(crate) const METHOD: u64 = 3;
/// More bytes than the maximum number of repetitions needs: a larger file was not written by this
/// program.
const LIMITS: JournalLimits = JournalLimits {
    file: MOST_REPETITIONS * 4096,
    line: 1 << 20,
};

const WORDS: JournalWords = JournalWords {
    work: "repetitions",
    study: "estimate",
    other: "another estimate",
    place: "place",
    file: "file of repetitions",
};

/// The description of the estimate; a file can only be continued with the same description.
pub(super) struct Head(JournalHead);

impl Head {
    /// The head of the file for an estimate.
    pub(super) fn new(
        splitting: &Splitting,
        ruleset: &Ruleset,
        seed: u64,
        (levels, pilot): (&Levels, &PilotCounts),
        library: FileSource<'_>,
    ) -> Result<Head, SurvivalError> {
        let json = json!({
            "survival": FORMAT,
            "method": METHOD,
            "player": splitting.player,
            "player_hash": hash_of(&splitting.identity),
            "seed": seed,
            "trajectories": levels.trajectories,
            "base": levels.base,
            "levels": levels.levels,
            "danger": levels.danger,
            "surveyed": pilot.played,
            "survey_hash": format!("{:016x}", pilot.fingerprint),
        });
        Ok(Head(JournalHead::with_rules(json, ruleset, library)?))
    }
}

/// A repetition with its number, and the seconds since the previous line was written.
#[derive(Serialize, Deserialize)]
struct Numbered<R> {
    number: u64,
    #[serde(default)]
    seconds: f64,
    #[serde(flatten)]
    repetition: R,
}

/// A file of repetitions.
#[derive(Debug)]
pub(super) struct Checkpoint {
    journal: Journal,
    /// Seconds that earlier processes have spent on the file.
    pub(super) seconds: f64,
    /// When the last line was written, or the file was opened.
    written: Instant,
}

impl Checkpoint {
    /// Opens the file of an estimate and reads its repetitions; creates it if it does not exist.
    pub(super) fn open(
        path: &Path,
        head: &Head,
    ) -> Result<(Checkpoint, Repetitions), SurvivalError> {
        let (mut repetitions, mut seconds) = (Repetitions::new(), 0.0);
        let journal = Journal::open(path, &head.0, LIMITS, &mut |content| {
            let Ok(kept) = serde_json::from_str::<Numbered<Repetition>>(content) else {
                return false;
            };
            seconds += kept.seconds.max(0.0);
            repetitions.insert(kept.number, kept.repetition);
            true
        });
        let journal = journal.map_err(|error| match error {
            JournalError::Damaged(1) if starts_without_checks(path) => FileError::of_file(
                path,
                "was written by an older version, whose repetitions cannot be checked; delete the file to start again",
            ),
            error => error.of_file(path, &WORDS),
        })?;
        let checkpoint = Checkpoint {
            journal,
            seconds,
            written: Instant::now(),
        };
        Ok((checkpoint, repetitions))
    }

    /// Adds a repetition.
    pub(super) fn add(
        &mut self,
        number: u64,
        repetition: &Repetition,
    ) -> Result<(), SurvivalError> {
        let content = serde_json::to_string(&Numbered {
            number,
            seconds: (self.written.elapsed().as_secs_f64() * 1e3).round() / 1e3,
            repetition,
        });
        self.written = Instant::now();
        let content = content.map_err(|error| JournalError::Io(error.into()));
        let added = content.and_then(|content| self.journal.add(&content));
        added.map_err(|error| error.of_file(&self.journal.path, &WORDS).into())
    }
}

/// Whether the file has the first format, whose lines have no checks.
fn starts_without_checks(path: &Path) -> bool {
    let first = Lines::open(path).ok().and_then(|mut lines| lines.next());
    let first = first.and_then(Result::ok).unwrap_or_default();
    let head: Value = serde_json::from_str(&first.1).unwrap_or_default();
    head["survival"] == 1
}
