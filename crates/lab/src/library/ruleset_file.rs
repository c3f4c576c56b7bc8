//! Ruleset files: a game as data.
//!
//! ```toml
//! name = "narrow"                  # by default the name of the file; not that of a shipped ruleset with other rules
//! width = 6
//! height = 14
//! end = "above-top"                # or above-top-after-clearing, top-row, entry-blocked
//! preview = 1                      # how many pieces after the current one a player sees
//! randomizer = "weighted(S=2,Z=2)"
//! moves = "drops"                  # or stepped(rotation=super,gravity=nes), with the settings of stepped games
//! ```

use super::file::TomlFile;
use super::{FileSource, LibraryError};
use std::path::Path;
use tetrolab_core::ends::End;
use tetrolab_core::ruleset::{DROPS, Ruleset, RulesetParts, is_shipped, ruleset};
use tetrolab_core::spec::Spec;

/// Reads the text of a ruleset file; what it leaves out is as in the simplified game. The source has the players that it names.
pub(super) fn read_text(
    text: &str,
    path: &Path,
    source: FileSource<'_>,
) -> Result<Ruleset, LibraryError> {
    let evaluators = |spec: &Spec, width| source.evaluator(spec, width);
    let shown = path.display().to_string();
    let file = TomlFile::parse(text, &shown)?;
    file.check_keys(&[
        "name",
        "width",
        "height",
        "end",
        "preview",
        "randomizer",
        "moves",
    ])?;
    let stem = path
        .file_stem()
        .map_or_else(String::new, |stem| stem.to_string_lossy().into());
    let moves = file.text("moves")?.unwrap_or(DROPS);
    let moves = moves
        .parse::<Spec>()
        .map_err(|error| file.error(&file.span("moves"), error.to_string()))?;
    let end = end(&file, moves == Spec::name(DROPS))?;
    let needed = |key: &str| {
        let missing = || file.error_of_file(format!("'{key}' is missing"));
        file.whole(key)?.ok_or_else(missing)
    };
    let here = |problem: String| file.error(&file.span("randomizer"), problem);
    let randomizer = file.text("randomizer")?.unwrap_or("uniform");
    let parts = RulesetParts {
        name: file.name("name")?.map_or(stem, str::to_owned),
        width: needed("width")?,
        height: needed("height")?,
        end,
        preview: file.whole("preview")?.unwrap_or(0),
        randomizer: randomizer
            .parse::<Spec>()
            .map_err(|error| here(error.to_string()))?,
        moves,
    };
    let ruleset =
        Ruleset::new(parts, &evaluators).map_err(|error| file.error_of_file(error.to_string()))?;
    if has_name_of_another(&ruleset, source) {
        let problem = format!(
            "the name '{}' belongs to a shipped ruleset with other rules; set 'name' to another",
            ruleset.name
        );
        return Err(file.error_of_file(problem).into());
    }
    Ok(ruleset)
}

/// When the game is over. Stepped games have no end: the one that every stepped game has may be there, in files of
/// earlier versions, and is left out.
fn end(file: &TomlFile, is_drops: bool) -> Result<Option<End>, LibraryError> {
    let name = file.text("end")?;
    let error = |problem| file.error(&file.span("end"), problem).into();
    match name {
        None if is_drops => Ok(Some(End::ABOVE_TOP)),
        Some(name) if is_drops => {
            let end = End::find(name).map_err(|unknown| error(unknown.to_string()))?;
            Ok(Some(end))
        }
        None | Some("entry-blocked") => Ok(None),
        Some(_) => Err(error(
            "a stepped game has no end: set over=lock-out, overflow or top-row in its moves".into(),
        )),
    }
}

/// Whether the name, read as a spec, means a shipped ruleset with other rules: results are kept under names, and those
/// of two games must not be mistaken for each other.
fn has_name_of_another(own: &Ruleset, source: FileSource<'_>) -> bool {
    let Ok(spec) = own.name.parse::<Spec>() else {
        return false;
    };
    let same_rules = |shipped: &Ruleset| {
        let name = own.name.clone();
        let parts = shipped.parts();
        RulesetParts { name, ..parts } == own.parts()
    };
    is_shipped(&spec.name)
        && !ruleset(&spec, &|spec: &Spec, width| source.evaluator(spec, width))
            .is_ok_and(|shipped| same_rules(&shipped))
}
