//! Players in units of work.

use super::unit::versioned;
use super::{WORK_SCHEMA, WorkError};
use crate::hash::hash_of;
use crate::library::{
    FileError, FileSource, GivenFiles, LibraryError, Lines, is_path, names_files,
};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::path::Path;
use tetrolab_core::players::Player;
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::spec::Spec;

/// A player in a unit: a published name, or a name with the texts of the files that it refers to.
/// Creating the player reads no file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarriedPlayer {
    /// The name of the player in results.
    pub name: String,
    /// The texts of the player files that the name refers to; empty if it refers only to published
    /// players.
    #[serde(default, skip_serializing_if = "GivenFiles::is_empty")]
    pub files: GivenFiles,
    /// A hash of everything that the name refers to.
    pub hash: String,
}

impl CarriedPlayer {
    /// A player with everything that its name refers to on this machine.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn new(name: &str) -> Result<CarriedPlayer, LibraryError> {
        Ok(CarriedPlayer {
            name: name.to_owned(),
            files: FileSource::Disk.files_of_player(name)?,
            hash: hash_of(&FileSource::Disk.player_identity(name)?),
        })
    }

    /// The player of a file with this name and text.
    pub(crate) fn of_text(name: String, text: String) -> CarriedPlayer {
        CarriedPlayer {
            hash: hash_of(&text),
            files: GivenFiles::from([(name.clone(), text)]),
            name,
        }
    }

    /// Removes the texts of the player files, to be sent once for many units; `None` if there are
    /// none.
    pub fn take_model(&mut self) -> Option<CarriedModel> {
        let files = std::mem::take(&mut self.files);
        (!files.is_empty()).then(|| CarriedModel {
            schema: WORK_SCHEMA,
            player: self.hash.clone(),
            files,
        })
    }

    /// Creates the player, using only the carried texts and published players.
    ///
    /// # Errors
    /// If a text is invalid or missing, or a published player differs here.
    pub(super) fn player(&self, ruleset: &Ruleset) -> Result<Box<dyn Player>, LibraryError> {
        let source = FileSource::Given(&self.files);
        if hash_of(&source.player_identity(&self.name)?) != self.hash {
            let name = self.name.clone();
            return Err(LibraryError::OtherPlayer { name });
        }
        source.player(&self.name, ruleset)
    }
}

/// Whether a player's name refers to a file.
fn names_a_file(name: &str) -> bool {
    is_path(name) || (name.parse::<Spec>()).is_ok_and(|spec| names_files(&spec))
}

/// The player files of a player, on a separate line before the units that need them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarriedModel {
    /// The version of this schema: [`WORK_SCHEMA`].
    pub schema: u32,
    /// The hash of the player in the units.
    pub player: String,
    /// The texts of the files.
    pub files: GivenFiles,
}

impl CarriedModel {
    fn bytes(&self) -> usize {
        /// The size of a model apart from its texts.
        const BASE: usize = 1_000;
        let files = self.files.iter();
        let files: usize = files.map(|(name, text)| name.len() + text.len()).sum();
        BASE + self.player.len() + files
    }
}

/// The models received by a worker. It keeps the latest ones, up to 500 MB.
#[derive(Debug, Default)]
pub struct ReceivedModels {
    models: VecDeque<CarriedModel>,
    bytes: usize,
    /// Whether the first models were discarded.
    has_lost: bool,
}

/// The maximum size of the models that a worker keeps.
const MOST_BYTES_OF_MODELS: usize = 500_000_000;

impl ReceivedModels {
    /// Starts without models.
    pub fn new() -> ReceivedModels {
        ReceivedModels::default()
    }

    /// Takes all models of a file.
    ///
    /// # Errors
    /// If it cannot be read, or a line is not a model.
    pub fn read(&mut self, path: &Path) -> Result<(), WorkError> {
        for line in Lines::open_regular(path)? {
            let (number, text) = line?;
            let wrong = |problem: &str| WorkError::from(FileError::at_line(path, number, problem));
            let taken = self.take(&text);
            if !taken.map_err(|error| wrong(&error.to_string()))? {
                return Err(wrong("expected a model that was written with units"));
            }
            if self.has_lost {
                return Err(wrong(
                    "the models need more than 500 MB; give each worker fewer",
                ));
            }
        }
        Ok(())
    }

    /// Takes a line if it is a model.
    ///
    /// # Errors
    /// If it is a model, but not one that this version supports.
    pub(super) fn take(&mut self, line: &str) -> Result<bool, WorkError> {
        /// A unit has no texts at this position.
        #[derive(Deserialize)]
        struct Texts {
            #[serde(rename = "files")]
            _files: serde::de::IgnoredAny,
        }
        if serde_json::from_str::<Texts>(line).is_err() {
            return Ok(false);
        }
        let model: CarriedModel = versioned(line, WorkError::NotAUnit)?;
        if self.models.iter().any(|known| *known == model) {
            return Ok(true);
        }
        self.bytes += model.bytes();
        self.models.push_back(model);
        while self.models.len() > 1 && self.bytes > MOST_BYTES_OF_MODELS {
            let first = self.models.pop_front();
            self.bytes -= first.map_or(0, |first| first.bytes());
            self.has_lost = true;
        }
        Ok(true)
    }

    /// Creates the player of a unit, using the files that it carries, or those that were sent
    /// before.
    pub(super) fn player(
        &self,
        carried: &CarriedPlayer,
        ruleset: &Ruleset,
    ) -> Result<Box<dyn Player>, WorkError> {
        let mut sent = self.models.iter().rev();
        let sent = sent.find(|model| model.player == carried.hash);
        match sent.filter(|_| carried.files.is_empty()) {
            None if carried.files.is_empty() && names_a_file(&carried.name) => {
                let name = tetrolab_core::spec::shown(&carried.name);
                Err(WorkError::NoModel { name })
            }
            None => Ok(carried.player(ruleset)?),
            Some(model) => {
                let complete = CarriedPlayer {
                    files: model.files.clone(),
                    ..carried.clone()
                };
                Ok(complete.player(ruleset)?)
            }
        }
    }
}
