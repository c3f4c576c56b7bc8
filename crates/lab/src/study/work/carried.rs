//! Players as units carry them.

use crate::hash::hash_of;
use crate::library::{FileSource, GivenFiles, LibraryError};
use serde::{Deserialize, Serialize};
use tetrolab_core::players::Player;
use tetrolab_core::ruleset::Ruleset;

/// A player as a unit carries it: a published name, or a name with the texts of the files that it
/// leads to. Whoever makes the player reads no file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarriedPlayer {
    /// The name under which results show it.
    pub name: String,
    /// The texts of the player files that the name leads to; none if it leads to published players
    /// alone.
    #[serde(default, skip_serializing_if = "GivenFiles::is_empty")]
    pub files: GivenFiles,
    /// A hash of all that the name stands for.
    pub hash: String,
}

impl CarriedPlayer {
    /// A player with everything that it stands for here.
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

    /// Makes the player from what is carried and published alone.
    ///
    /// # Errors
    /// When a text is wrong or not carried, or a published player is another one here.
    pub(super) fn player(&self, ruleset: &Ruleset) -> Result<Box<dyn Player>, LibraryError> {
        let source = FileSource::Given(&self.files);
        if hash_of(&source.player_identity(&self.name)?) != self.hash {
            let name = self.name.clone();
            return Err(LibraryError::OtherPlayer { name });
        }
        source.player(&self.name, ruleset)
    }
}
