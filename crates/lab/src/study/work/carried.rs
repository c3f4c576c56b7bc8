//! Players in units of work.

use crate::hash::hash_of;
use crate::library::{FileSource, GivenFiles, LibraryError};
use serde::{Deserialize, Serialize};
use tetrolab_core::players::Player;
use tetrolab_core::ruleset::Ruleset;

/// A player in a unit: a published name, or a name with the texts of the files that it refers to.
/// Creating the player reads no file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarriedPlayer {
    /// Its name in results.
    pub name: String,
    /// The texts of the player files that the name refers to; empty if it refers to published
    /// players alone.
    #[serde(default, skip_serializing_if = "GivenFiles::is_empty")]
    pub files: GivenFiles,
    /// A hash of everything that the name refers to.
    pub hash: String,
}

impl CarriedPlayer {
    /// A player with everything that its name refers to on this machine.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn new(name: &str) -> Result<CarriedPlayer, LibraryError> {
        Ok(CarriedPlayer {
            name: name.to_owned(),
            files: FileSource::Disk.files_of_player(name)?,
            hash: hash_of(&FileSource::Disk.player_identity(name)?),
        })
    }

    /// Creates the player from the carried texts and published players alone.
    ///
    /// # Errors
    /// When a text is wrong or missing, or a published player is different here.
    pub(super) fn player(&self, ruleset: &Ruleset) -> Result<Box<dyn Player>, LibraryError> {
        let source = FileSource::Given(&self.files);
        if hash_of(&source.player_identity(&self.name)?) != self.hash {
            let name = self.name.clone();
            return Err(LibraryError::OtherPlayer { name });
        }
        source.player(&self.name, ruleset)
    }
}
