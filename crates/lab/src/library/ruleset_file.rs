//! Ruleset files: a game as data.
//!
//! ```toml
//! name = "narrow"                  # by default the name of the file; not that of a shipped ruleset with other rules
//! width = 6
//! height = 14
//! end = "above-top"                # or another row of `tetrolab list ends`
//! preview = 1                      # number of visible pieces after the current one
//! randomizer = "weighted(S=2,Z=2)"
//! moves = "drops"                  # or stepped(rotation=super,gravity=nes), with the settings of stepped games
//! ```

use super::file::TomlFile;
use super::{FileError, FileSource, FullRules, GivenFiles, LibraryError, RuleError};
use std::path::Path;
use tetrolab_core::ends::End;
use tetrolab_core::ruleset::{DROPS, Ruleset, RulesetParts, is_shipped, ruleset};
use tetrolab_core::spec::Spec;

/// Parses a ruleset file; missing settings are those of the simplified game. `source` provides the
/// players that it refers to.
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
    let needed = |key: &str| {
        let missing = || file.error_of_file(format!("'{key}' is missing"));
        file.whole(key)?.ok_or_else(missing)
    };
    let text = |key: &str| Ok::<_, FileError>(file.text(key)?.map(str::to_owned));
    let mut rules = FullRules {
        name: file.name("name")?.map_or(stem, str::to_owned),
        width: needed("width")?,
        height: needed("height")?,
        end: text("end")?,
        preview: file.whole("preview")?.unwrap_or(0),
        randomizer: text("randomizer")?.unwrap_or_else(|| "uniform".to_owned()),
        files: GivenFiles::new(),
        hash: None,
        moves: text("moves")?.unwrap_or_else(|| DROPS.to_owned()),
    };
    let moves = rules.moves.parse::<Spec>();
    if moves.is_ok_and(|moves| moves == Spec::name(DROPS)) {
        rules
            .end
            .get_or_insert_with(|| End::ABOVE_TOP.name().to_owned());
    } else if !matches!(rules.end.as_deref(), None | Some("entry-blocked")) {
        // Files of earlier versions may contain the game-over rule that every stepped game had.
        let problem =
            "a stepped game does not use end; set over=lock-out, overflow or top-row in its moves";
        return Err(file.error(&file.span("end"), problem).into());
    }
    let here = |error: RuleError| file.error(&file.span(error.field), error.problem);
    let parts = rules.parts().map_err(here)?;
    let ruleset =
        Ruleset::new(parts, &evaluators).map_err(|error| file.error_of_file(error.to_string()))?;
    if has_name_of_another(&ruleset, source) {
        let problem = format!(
            "the name '{}' belongs to a shipped ruleset with other rules; choose another name",
            ruleset.name
        );
        return Err(file.error_of_file(problem).into());
    }
    Ok(ruleset)
}

/// Whether the name, parsed as a spec, refers to a shipped ruleset with different rules: results
/// are stored under names, and the results of two games must not be confused.
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
