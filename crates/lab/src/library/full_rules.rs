//! The complete rules of a game, in the form used by all files and messages.
//!
//! Units of work, game records, plans of learning runs and their stored tests contain this form. A
//! ruleset file is the same form in TOML, with defaults. A name alone is not enough, because it may
//! refer to a different game elsewhere, or later.

use super::{FileError, FileSource, GivenFiles, LibraryError};
use crate::hash::hash_of;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use tetrolab_core::ends::End;
use tetrolab_core::rules::Rules;
use tetrolab_core::ruleset::{DROPS, Ruleset, RulesetParts};
use tetrolab_core::spec::{Spec, SpecError};

/// The rules of a game in full.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FullRules {
    /// The name of the ruleset; empty in records and plans, which have it in a field next to the
    /// rules.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Width of the board.
    pub width: usize,
    /// Height of the board.
    pub height: usize,
    /// The game-over rule; stepped games have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// Number of visible pieces after the current one.
    pub preview: usize,
    /// The spec of the randomizer.
    pub randomizer: String,
    /// The texts of the player files that the randomizer names.
    #[serde(default, skip_serializing_if = "GivenFiles::is_empty")]
    pub files: GivenFiles,
    /// A hash of the players that the randomizer names, if players may differ between machines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// How pieces move; left out for straight drops.
    #[serde(default = "drops", skip_serializing_if = "is_drops")]
    pub moves: String,
}

/// Why rules do not form a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct RuleError {
    /// The field.
    pub field: &'static str,
    /// The problem.
    pub problem: String,
}

fn drops() -> String {
    DROPS.to_owned()
}

fn is_drops(moves: &str) -> bool {
    moves == DROPS
}

impl From<&RulesetParts> for FullRules {
    fn from(parts: &RulesetParts) -> FullRules {
        FullRules {
            name: parts.name.clone(),
            width: parts.width,
            height: parts.height,
            end: parts.rules.end().map(|end| end.name().to_owned()),
            preview: parts.preview,
            randomizer: parts.randomizer.to_string(),
            files: GivenFiles::new(),
            hash: None,
            moves: parts.rules.moves().to_string(),
        }
    }
}

impl FullRules {
    /// The names of all fields.
    pub(crate) const FIELDS: [&str; 9] = [
        "name",
        "width",
        "height",
        "end",
        "preview",
        "randomizer",
        "files",
        "hash",
        "moves",
    ];

    /// The rules of a ruleset without its name.
    pub fn unnamed(ruleset: &Ruleset) -> FullRules {
        FullRules {
            name: String::new(),
            ..FullRules::from(&ruleset.parts())
        }
    }

    /// The rules of a ruleset with the files that its randomizer refers to.
    ///
    /// # Errors
    /// If a file that the randomizer refers to cannot be read.
    pub fn with_files(ruleset: &Ruleset, library: FileSource<'_>) -> Result<FullRules, FileError> {
        let randomizer = &ruleset.randomizer_spec;
        Ok(FullRules {
            files: library.files_of(randomizer)?,
            hash: Some(hash_of(&library.spec_identity(randomizer)?)),
            ..FullRules::from(&ruleset.parts())
        })
    }

    /// The parts of the ruleset.
    ///
    /// # Errors
    /// If the game-over rule is unknown, or the randomizer or the moves are not valid specs.
    pub fn parts(&self) -> Result<RulesetParts, RuleError> {
        let wrong = |field| {
            move |error: SpecError| RuleError {
                field,
                problem: error.to_string(),
            }
        };
        let spec = |field, text: &str| text.parse::<Spec>().map_err(wrong(field));
        let end = || End::find(self.end.as_deref().unwrap_or("")).map_err(wrong("end"));
        Ok(RulesetParts {
            name: self.name.clone(),
            width: self.width,
            height: self.height,
            preview: self.preview,
            // Stepped games have no game-over rule, but earlier versions wrote one.
            rules: Rules::with_moves(spec("moves", &self.moves)?, end)?,
            randomizer: spec("randomizer", &self.randomizer)?,
        })
    }

    /// Creates the ruleset, using only the given files and published players.
    ///
    /// # Errors
    /// If the rules are invalid, or the randomizer refers to a player that is missing here or
    /// differs.
    pub fn ruleset(&self) -> Result<Ruleset, LibraryError> {
        let parts = self.parts()?;
        let source = FileSource::Given(&self.files);
        if self.hash != Some(hash_of(&source.spec_identity(&parts.randomizer)?)) {
            let name = self.randomizer.clone();
            return Err(LibraryError::OtherPlayer { name });
        }
        let evaluators = |spec: &Spec, width| source.evaluator(spec, width);
        Ok(Ruleset::new(parts, &evaluators)?)
    }

    /// Parses the text that earlier versions wrote for the rules of a plan: the output of
    /// [`fmt::Display`], including a game-over rule in stepped games.
    fn from_text(text: &str) -> Option<FullRules> {
        let mut words = text.splitn(4, ' ');
        let (width, height) = words.next()?.split_once('x')?;
        let end = words.next()?;
        let preview = words.next()?.strip_prefix("preview=")?;
        let rest = words.next()?;
        let stepped = rest.rfind(" stepped");
        let (randomizer, moves) =
            stepped.map_or((rest, DROPS), |at| (&rest[..at], &rest[at + 1..]));
        Some(FullRules {
            name: String::new(),
            width: width.parse().ok()?,
            height: height.parse().ok()?,
            end: stepped.is_none().then(|| end.to_owned()),
            preview: preview.parse().ok()?,
            randomizer: randomizer.to_owned(),
            files: GivenFiles::new(),
            hash: None,
            moves: moves.to_owned(),
        })
    }

    /// Reads the rules of a plan: an object, or the text of earlier versions.
    ///
    /// # Errors
    /// If it is neither.
    pub fn of_plan<'de, D: Deserializer<'de>>(from: D) -> Result<Option<FullRules>, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Stored {
            Full(FullRules),
            Text(String),
        }
        let unknown = || serde::de::Error::custom("the rules do not form a game");
        match Option::<Stored>::deserialize(from)? {
            None => Ok(None),
            Some(Stored::Full(rules)) => Ok(Some(rules)),
            Some(Stored::Text(text)) => FullRules::from_text(&text).ok_or_else(unknown).map(Some),
        }
    }
}

impl fmt::Display for FullRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)?;
        if let Some(end) = &self.end {
            write!(f, " {end}")?;
        }
        write!(f, " preview={} {}", self.preview, self.randomizer)?;
        if !is_drops(&self.moves) {
            write!(f, " {}", self.moves)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::find_ruleset;

    /// The rules of plans as written by earlier versions.
    const TEXTS: [(&str, &str); 4] = [
        ("simplified-hard-10x20", "10x20 above-top preview=0 hard"),
        ("near-perfect", "10x22 entry-blocked preview=1 bag"),
        (
            "simplified-6x8(randomizer=adversary(bcts))",
            "6x8 above-top preview=0 adversary(bcts)",
        ),
        (
            "thesis-stepped",
            "10x20 top-row preview=0 tgm3 stepped(entry-drop=false,gravity=none,hold=false,\
             spins=none,score=lines,over=top-row)",
        ),
    ];

    #[test]
    fn the_text_of_an_earlier_plan_means_the_same_rules() {
        for (name, text) in TEXTS {
            let text = serde_json::to_string(text).unwrap();
            let read = FullRules::of_plan(&mut serde_json::Deserializer::from_str(&text));
            let rules = FullRules::unnamed(&find_ruleset(name).unwrap());
            assert_eq!(read.unwrap(), Some(rules), "{name}");
        }
        for wrong in ["\"6x8\"", "\"axb above-top preview=0 bag\"", "3"] {
            let read = FullRules::of_plan(&mut serde_json::Deserializer::from_str(wrong));
            assert!(read.is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_shipped_ruleset_is_restored_from_its_serialised_form() {
        for (_, names) in crate::library::rulesets() {
            let ruleset = find_ruleset(&names[0]).unwrap();
            let rules = FullRules::with_files(&ruleset, FileSource::Disk).unwrap();
            let text = serde_json::to_string(&rules).unwrap();
            let again: FullRules = serde_json::from_str(&text).unwrap();
            assert_eq!(again.ruleset().unwrap().parts(), ruleset.parts());
        }
    }

    #[test]
    fn the_end_of_a_stepped_game_that_an_earlier_version_wrote_is_ignored() {
        let mut rules =
            FullRules::with_files(&find_ruleset("guideline").unwrap(), FileSource::Disk).unwrap();
        assert_eq!(rules.end, None);
        rules.end = Some("entry-blocked".to_owned());
        assert_eq!(rules.parts().unwrap().rules.end(), None);
    }
}
