//! Keys: the file names of stage results.
//!
//! A key is a hash of the stage's description, of every player that it names and of the method's
//! version. It contains no path, so results can be moved. A stage keeps its key when an earlier
//! stage is repeated, because that gives the same player.

use super::{ExperimentError, StageStudy};
use crate::hash::hash_of;
use crate::library::{FileSource, FullRules, is_path};
use crate::survival::METHOD;
use serde_json::json;

/// The version of the stages' method; it increases when results would change.
const STAGE_METHOD: u32 = 1;

/// The key of a stage: `study` contains references, `resolved` the players they refer to, and
/// `from` is the key of the stage that a selection reads.
pub(super) fn key(
    study: &StageStudy,
    resolved: &StageStudy,
    from: Option<&str>,
) -> Result<String, ExperimentError> {
    let players = study.players().into_iter().zip(resolved.players());
    let players: Vec<String> = players
        .map(|(named, resolved)| identity(named, resolved))
        .collect::<Result<_, _>>()?;
    let rules = study.ruleset().map(rules).transpose()?;
    let mut all = json!({
        "method": STAGE_METHOD,
        "splitting": METHOD,
        "study": study,
        "players": players,
        "rules": rules,
    });
    if let Some(from) = from {
        all["from"] = json!(from);
    }
    Ok(hash_of(&all.to_string()))
}

/// A hash of everything that determines a player's decisions, excluding its name and history.
fn identity(named: &str, resolved: &str) -> Result<String, ExperimentError> {
    let identity = FileSource::Disk.player_identity(resolved)?;
    let decides = |line: &&str| {
        let about = ["name", "title", "source", "provenance"];
        let key = line.split('=').next().unwrap_or_default().trim();
        !about.contains(&key)
    };
    // The first line of a spec's identity is the spec, with the paths of files in it.
    let first = usize::from(!is_path(resolved));
    let lines = identity.lines().skip(first).filter(decides);
    let lines: Vec<&str> = std::iter::once(named).chain(lines).collect();
    Ok(hash_of(&lines.join("\n")))
}

/// The complete rules of a ruleset, because a file may change.
fn rules(ruleset: &str) -> Result<FullRules, ExperimentError> {
    let found = FileSource::Disk.ruleset(ruleset)?;
    Ok(FullRules::with_files(&found, FileSource::Disk)?)
}
