//! The library: players and rulesets by name, file or spec.

mod file;
mod identity;
mod model_file;
mod network_file;
mod onnx;
mod parts;
mod player_file;
mod published;
mod ruleset_file;
pub(crate) mod safetensors;
mod table_file;

pub use file::{FileError, Lines, check_place};
pub(crate) use identity::spec_identity;
pub use identity::{player_identity, player_text};
pub use model_file::{model_bytes, read_model, sealed_model_bytes};
pub use onnx::onnx_bytes;
pub use parts::Parts;
pub use player_file::PlayerFile;
pub use published::PUBLISHED;

use std::path::Path;
use std::sync::Arc;
use tetrolab_core::evaluators::{EVALUATORS, Evaluator};
use tetrolab_core::features::{FEATURE_SETS, FEATURES, Feature, feature, feature_set};
use tetrolab_core::players::{PLAYERS, Player, PlayerContext, player};
use tetrolab_core::registry::find;
use tetrolab_core::ruleset::{RULESETS, Ruleset, RulesetEntry, RulesetError, ruleset};
use tetrolab_core::spec::{Spec, SpecError, shown};

/// The name of the player's file in the folder of a learning run.
pub(crate) const PLAYER_FILE: &str = "player.toml";

/// Why a name, a file or a spec gives no part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LibraryError {
    /// The name or a setting is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The ruleset cannot be played.
    #[error(transparent)]
    Ruleset(#[from] RulesetError),
    /// A file is wrong.
    #[error(transparent)]
    File(#[from] FileError),
}

/// The published player with this name.
#[must_use]
pub fn published(name: &str) -> Option<PlayerFile> {
    let text = PUBLISHED.iter().find(|row| row.0 == name)?.1;
    let path = format!("players/{name}.toml");
    Some(PlayerFile::parse(text, &path).expect("a test reads every published player"))
}

/// Makes a player for the rules under which it will play: from a published name (`bcts`), a player file or the folder of a learning run, or a
/// spec (`greedy(dt-20,losing=allow)`).
///
/// # Errors
/// When the name is unknown, or the file or a setting is wrong.
pub fn find_player(text: &str, ruleset: &Ruleset) -> Result<Box<dyn Player>, LibraryError> {
    if is_path(text) {
        return Ok(read_player(Path::new(text))?.player(ruleset)?);
    }
    let spec: Spec = text.parse()?;
    if spec.args.is_empty()
        && let Some(file) = published(&spec.name)
    {
        return Ok(file.player(ruleset)?);
    }
    if find(EVALUATORS, "evaluator", &spec.name).is_ok() {
        let problem = format!("is an evaluator; greedy({spec}) plays with it");
        return Err(spec.error(problem).into());
    }
    if find(PLAYERS, "player", &spec.name).is_err() {
        let problem = published(&spec.name).map(|_| {
            let name = &spec.name;
            spec.error(format!(
                "takes no settings; greedy({name}, ...) plays with its weights"
            ))
        });
        return Err(problem.unwrap_or_else(|| unknown(&spec.name)).into());
    }
    let context = PlayerContext {
        ruleset,
        evaluators: &find_evaluator,
    };
    Ok(player(&spec, &context)?)
}

fn unknown(name: &str) -> SpecError {
    let kinds = PLAYERS.iter().map(|entry| entry.id);
    SpecError::unknown(
        "player",
        name,
        PUBLISHED.iter().map(|row| row.0).chain(kinds),
    )
}

/// Makes the evaluator of a published player or of a player file, for boards of a width: `bcts`, or `linear(bcts)` to say
/// which form it must have.
///
/// # Errors
/// When the name is unknown, the file is wrong, or the evaluator has another form.
pub fn find_evaluator(spec: &Spec, width: usize) -> Result<Arc<dyn Evaluator>, SpecError> {
    let part = |error: FileError| SpecError::Part(error.to_string());
    let Ok(form) = find(EVALUATORS, "evaluator", &spec.name) else {
        if !spec.args.is_empty() {
            return Err(spec.error("is not an evaluator; name a published player or a player file"));
        }
        return find_player_file(&spec.name)?.evaluator(width).map_err(part);
    };
    let settings = form.read(spec)?;
    let name = settings.part("player");
    let file = find_player_file(&name.to_string())?;
    if file.form() != form.id {
        let problem = format!(
            "{name} has the {} evaluator, not the {} one",
            file.form(),
            form.id
        );
        return Err(SpecError::Part(problem));
    }
    file.evaluator(width).map_err(part)
}

/// The published player, or the player of the file or folder, with this name.
///
/// # Errors
/// When the name is unknown or the file is wrong.
pub fn find_player_file(name: &str) -> Result<PlayerFile, SpecError> {
    if is_path(name) {
        let file = read_player(Path::new(name));
        return file.map_err(|error| SpecError::Part(error.to_string()));
    }
    let names = || PUBLISHED.iter().map(|row| row.0);
    published(name).ok_or_else(|| match name.ends_with(')') {
        true => SpecError::Part(format!(
            "'{}' is a spec, but a published player, a player file or the folder of a learning run is needed here",
            shown(name)
        )),
        false => SpecError::unknown("published player", name, names()),
    })
}

/// The player of a file, or of a folder that holds one.
fn read_player(path: &Path) -> Result<PlayerFile, FileError> {
    if !path.is_dir() {
        return PlayerFile::read(path);
    }
    let file = path.join(PLAYER_FILE);
    if !file.exists() {
        let problem =
            format!("is a folder without {PLAYER_FILE}, which a learning run writes at its end");
        return Err(FileError::of_file(path, problem));
    }
    PlayerFile::read(&file)
}

/// The features of a named set, or of a list of ids with commas between.
///
/// # Errors
/// When there is no such set or feature.
pub fn find_features(text: &str) -> Result<Vec<&'static Feature>, SpecError> {
    if let Ok(set) = feature_set(text) {
        return Ok(set.resolve());
    }
    let ids = FEATURES.iter().map(|feature| feature.id);
    let sets = FEATURE_SETS.iter().map(|set| set.id);
    let names: Vec<&str> = match text.contains(',') {
        true => ids.collect(),
        false => ids.chain(sets).collect(),
    };
    let unknown = |id: &str| SpecError::unknown("feature", id, names.iter().copied());
    let find = |id: &str| feature(id).ok_or_else(|| unknown(id));
    text.split(',').map(|id| find(id.trim())).collect()
}

/// Makes a ruleset from a shipped name, a ruleset file, or a spec (`thesis(randomizer=bag)`).
///
/// # Errors
/// When the name is unknown, or the file or a setting is wrong.
pub fn find_ruleset(text: &str) -> Result<Ruleset, LibraryError> {
    if is_path(text) {
        return ruleset_file::read_file(Path::new(text));
    }
    Ok(ruleset(&text.parse()?, &find_evaluator)?)
}

/// Every shipped ruleset with the names under which it is listed.
pub fn rulesets() -> impl Iterator<Item = (&'static RulesetEntry, Vec<String>)> {
    RULESETS.iter().map(|entry| (entry, entry.names()))
}

/// Whether a text means a file: no published name looks like one, and a spec with settings has parentheses.
#[must_use]
pub fn is_path(text: &str) -> bool {
    let looks_like_one = text.ends_with(".toml") || text.contains(std::path::MAIN_SEPARATOR);
    looks_like_one && !text.ends_with(')')
}

#[cfg(test)]
mod tests;
