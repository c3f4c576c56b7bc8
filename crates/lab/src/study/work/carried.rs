//! Players and rules as units carry them.

use super::WorkError;
use crate::hash::hash_of;
use crate::library::{FileSource, GivenFiles, LibraryError};
use serde::{Deserialize, Serialize};
use tetrolab_core::ends::End;
use tetrolab_core::players::Player;
use tetrolab_core::ruleset::{DROPS, Ruleset, RulesetParts};
use tetrolab_core::spec::Spec;

/// A player as a unit carries it: a published name, or a name with the texts of the files that it leads to. Whoever makes the player
/// reads no file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarriedPlayer {
    /// The name under which results show it.
    pub name: String,
    /// The texts of the player files that the name leads to; none if it leads to published players alone.
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
    pub(super) fn player(&self, ruleset: &Ruleset) -> Result<Box<dyn Player>, WorkError> {
        let source = FileSource::Given(&self.files);
        if hash_of(&source.player_identity(&self.name)?) != self.hash {
            let name = self.name.clone();
            return Err(WorkError::OtherPlayer { name });
        }
        Ok(source.player(&self.name, ruleset)?)
    }
}

/// The rules of a game in full.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarriedRules {
    /// The name of the ruleset.
    pub name: String,
    /// Width of the board.
    pub width: usize,
    /// Height of the board.
    pub height: usize,
    /// When the game is over; left out for stepped games, which have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// Pieces after the current one that a player sees.
    pub preview: usize,
    /// Where pieces come from.
    pub randomizer: String,
    /// The texts of the player files that the randomizer names.
    #[serde(default, skip_serializing_if = "GivenFiles::is_empty")]
    pub files: GivenFiles,
    /// A hash of the players that the randomizer names.
    pub hash: String,
    /// How pieces move; left out for straight drops.
    #[serde(default = "drops", skip_serializing_if = "is_drops")]
    pub moves: String,
}

fn drops() -> String {
    DROPS.to_owned()
}

fn is_drops(moves: &str) -> bool {
    moves == DROPS
}

impl CarriedRules {
    /// The rules of a ruleset.
    ///
    /// # Errors
    /// When a file that the randomizer names cannot be read.
    pub fn new(ruleset: &Ruleset) -> Result<CarriedRules, WorkError> {
        let RulesetParts {
            name,
            width,
            height,
            end,
            preview,
            randomizer,
            moves,
        } = ruleset.parts();
        Ok(CarriedRules {
            name,
            width,
            height,
            end: end.map(|end| end.name().to_owned()),
            preview,
            files: FileSource::Disk.files_of(&randomizer)?,
            hash: hash_of(&FileSource::Disk.spec_identity(&randomizer)?),
            randomizer: randomizer.to_string(),
            moves: moves.to_string(),
        })
    }

    /// Makes the ruleset from what is carried and published alone.
    ///
    /// # Errors
    /// When the rules make no game, or the randomizer names a player that is not carried, or is another one here.
    pub fn ruleset(&self) -> Result<Ruleset, WorkError> {
        // Earlier versions wrote an end for stepped games too.
        let end = is_drops(&self.moves).then(|| End::find(self.end.as_deref().unwrap_or("")));
        let end = end.transpose().map_err(LibraryError::from)?;
        let randomizer: Spec = self.randomizer.parse().map_err(LibraryError::from)?;
        let source = FileSource::Given(&self.files);
        if hash_of(&source.spec_identity(&randomizer)?) != self.hash {
            let name = self.randomizer.clone();
            return Err(WorkError::OtherPlayer { name });
        }
        let parts = RulesetParts {
            name: self.name.clone(),
            width: self.width,
            height: self.height,
            end,
            preview: self.preview,
            randomizer,
            moves: self.moves.parse().map_err(LibraryError::from)?,
        };
        let evaluators = |spec: &Spec, width| source.evaluator(spec, width);
        Ok(Ruleset::new(parts, &evaluators)?)
    }
}
