//! The library: players and rulesets by name, file or spec.

mod file;
mod full_rules;
mod model_file;
mod network_file;
mod onnx;
mod parts;
mod player_file;
mod published;
mod ruleset_file;
pub(crate) mod safetensors;
mod source;
mod table_file;

pub(crate) use file::one_line;
pub use file::{FileError, Lines, check_place, read_long_text, read_text};
pub use full_rules::{FullRules, RuleError};
pub(crate) use model_file::model_bytes;
#[cfg(all(test, feature = "store"))]
pub(crate) use model_file::read_model;
pub use model_file::sealed_model_bytes;
pub use onnx::onnx_bytes;
pub use parts::Parts;
pub use player_file::PlayerFile;
pub use published::PUBLISHED;
pub use source::{FileSource, GivenFiles};

use std::sync::Arc;
use tetrolab_core::evaluators::Evaluator;
use tetrolab_core::features::{FEATURE_SETS, FEATURES, Feature, feature, feature_set};
use tetrolab_core::players::Player;
use tetrolab_core::ruleset::{RULESETS, Ruleset, RulesetEntry, RulesetError};
use tetrolab_core::spec::{Spec, SpecError};

/// The name of the player's file in the folder of a learning run.
pub(crate) const PLAYER_FILE: &str = "player.toml";

/// Why a name, a file or a spec cannot be resolved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LibraryError {
    /// The name or a setting is invalid.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The ruleset cannot be played.
    #[error(transparent)]
    Ruleset(#[from] RulesetError),
    /// A file is invalid.
    #[error(transparent)]
    File(#[from] FileError),
    /// Complete rules are invalid.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// A name refers to something else on this machine.
    #[error(
        "{name} differs from the machine where the unit was made: another version of a published player, or a changed unit"
    )]
    OtherPlayer {
        /// The name.
        name: String,
    },
}

/// The published player with this name, as compiled into the program: no file is read.
pub fn published(name: &str) -> Option<PlayerFile> {
    let player = source::published_player(name)?;
    Some(player.expect("a test reads every published player"))
}

/// Creates a player for a ruleset: from a published name (`bcts`), a player file or the folder of a
/// learning run, or a spec (`greedy(dt-20,losing=allow)`).
///
/// # Errors
/// If the name is unknown, or the file or a setting is invalid.
pub fn find_player(text: &str, ruleset: &Ruleset) -> Result<Box<dyn Player>, LibraryError> {
    FileSource::Disk.player(text, ruleset)
}

/// Makes the evaluator of a published player or of a player file, for boards of a width: `bcts`, or
/// `linear(bcts)`, which also requires the form.
///
/// # Errors
/// If the name is unknown, the file is invalid, or the evaluator has another form.
pub fn find_evaluator(spec: &Spec, width: usize) -> Result<Arc<dyn Evaluator>, SpecError> {
    FileSource::Disk.evaluator(spec, width)
}

/// The published player, or the player of the file or folder, with this name.
///
/// # Errors
/// If the name is unknown or the file is invalid.
pub fn find_player_file(name: &str) -> Result<PlayerFile, SpecError> {
    FileSource::Disk.player_file(name)
}

/// The features of a named set, or of a list of ids separated by commas.
///
/// # Errors
/// If a name is unknown.
pub fn find_features(text: &str) -> Result<Vec<&'static Feature>, SpecError> {
    if let Ok(set) = feature_set(text) {
        return Ok(set.resolve());
    }
    let ids = FEATURES.iter().map(|feature| feature.id);
    let sets = FEATURE_SETS.iter().map(|set| set.id);
    let names: Vec<&str> = if text.contains(',') {
        ids.collect()
    } else {
        ids.chain(sets).collect()
    };
    let unknown = |id: &str| SpecError::unknown("feature", id, names.iter().copied());
    let find = |id: &str| feature(id).ok_or_else(|| unknown(id));
    text.split(',').map(|id| find(id.trim())).collect()
}

/// Makes a ruleset from a shipped name, a ruleset file, or a spec (`thesis(randomizer=bag)`).
///
/// # Errors
/// If the name is unknown, or the file or a setting is invalid.
pub fn find_ruleset(text: &str) -> Result<Ruleset, LibraryError> {
    FileSource::Disk.ruleset(text)
}

/// Every shipped ruleset with the names under which it is listed.
pub fn rulesets() -> impl Iterator<Item = (&'static RulesetEntry, Vec<String>)> {
    RULESETS.iter().map(|entry| (entry, entry.names()))
}

/// Whether a spec refers to files, at any depth.
pub(crate) fn names_files(spec: &Spec) -> bool {
    source::names_of(spec).into_iter().any(is_path)
}

/// Whether a text is a path. No published name looks like a path, and a spec with settings has
/// parentheses.
pub(crate) fn is_path(text: &str) -> bool {
    let is_named = text.ends_with(".toml") || text.ends_with(".onnx");
    let looks_like_one = is_named || text.contains(std::path::MAIN_SEPARATOR);
    looks_like_one && !text.ends_with(')')
}

#[cfg(test)]
mod tests;
