//! Players and rules as units carry them.

use super::WorkError;
use crate::hash::hash_of;
use crate::library::{
    LibraryError, PlayerFile, find_evaluator, find_player, player_identity, player_text,
    spec_identity,
};
use serde::{Deserialize, Serialize};
use tetrolab_core::players::Player;
use tetrolab_core::rules::End;
use tetrolab_core::ruleset::{DROPS, Ruleset, RulesetParts};
use tetrolab_core::spec::{Spec, SpecError};

/// A player as a unit carries it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarriedPlayer {
    /// The name under which results show it.
    pub name: String,
    /// The text of its file; none if the name is a spec.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
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
            file: player_text(name)?,
            hash: hash_of(&player_identity(name)?),
        })
    }

    /// Makes the player, without any file if its own is carried.
    ///
    /// # Errors
    /// When the text is wrong, or what a spec names is something else here.
    pub(super) fn player(&self, ruleset: &Ruleset) -> Result<Box<dyn Player>, WorkError> {
        if let Some(text) = &self.file {
            let file = PlayerFile::parse(text, &self.name)?;
            return Ok(file.player(ruleset)?);
        }
        let identity = player_identity(&self.name);
        if identity.is_ok_and(|identity| hash_of(&identity) == self.hash) {
            return Ok(find_player(&self.name, ruleset)?);
        }
        let name = self.name.clone();
        Err(WorkError::OtherPlayer { name })
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
    /// When the game is over.
    pub end: String,
    /// Pieces after the current one that a player sees.
    pub preview: usize,
    /// Where pieces come from.
    pub randomizer: String,
    /// A hash of the player files that the randomizer names.
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
            end: end.name().to_owned(),
            preview,
            hash: hash_of(&spec_identity(&randomizer)?),
            randomizer: randomizer.to_string(),
            moves: moves.to_string(),
        })
    }

    /// Makes the ruleset.
    ///
    /// # Errors
    /// When the rules make no game, or a file that the randomizer names is another here.
    pub fn ruleset(&self) -> Result<Ruleset, WorkError> {
        let wrong = |problem: String| LibraryError::from(SpecError::Part(problem));
        let end = End::from_name(&self.end);
        let end = end.ok_or_else(|| wrong(format!("there is no end '{}'", self.end)))?;
        let randomizer: Spec = self.randomizer.parse().map_err(LibraryError::from)?;
        if hash_of(&spec_identity(&randomizer)?) != self.hash {
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
        Ok(Ruleset::new(parts, &find_evaluator)?)
    }
}
