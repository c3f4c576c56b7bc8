//! Ruleset files: a game as data.
//!
//! ```toml
//! name = "narrow"                  # by default the name of the file
//! width = 6
//! height = 14
//! end = "above-top"                # or above-top-after-clearing, top-row, entry-blocked
//! preview = 1                      # how many pieces after the current one a player sees
//! randomizer = "weighted(S=2,Z=2)"
//! ```

use super::file::{TomlFile, read};
use super::{LibraryError, find_evaluator};
use std::path::Path;
use tetrolab_core::ruleset::{ENDS, Ruleset, RulesetParts};
use tetrolab_core::spec::Spec;

/// Reads a ruleset file; what it leaves out is as in the simplified game.
pub(super) fn read_text(text: &str, path: &Path) -> Result<Ruleset, LibraryError> {
    let shown = path.display().to_string();
    let file = TomlFile::parse(text, &shown)?;
    file.check_keys(&["name", "width", "height", "end", "preview", "randomizer"])?;
    let stem = path
        .file_stem()
        .map_or_else(String::new, |stem| stem.to_string_lossy().into());
    let end = file.text("end")?.unwrap_or("above-top");
    let found = ENDS.iter().find(|row| row.1 == end);
    let (end, _) = *found.ok_or_else(|| {
        let words: Vec<_> = ENDS.iter().map(|row| row.1).collect();
        file.error(
            &file.span("end"),
            format!("end is {}, not '{end}'", words.join(" or ")),
        )
    })?;
    let needed = |key: &str| {
        let missing = || file.error_of_file(format!("'{key}' is missing"));
        file.whole(key)?.ok_or_else(missing)
    };
    let here = |problem: String| file.error(&file.span("randomizer"), problem);
    let randomizer = file.text("randomizer")?.unwrap_or("uniform");
    let parts = RulesetParts {
        name: file.text("name")?.map_or(stem, str::to_owned),
        width: needed("width")?,
        height: needed("height")?,
        end,
        preview: file.whole("preview")?.unwrap_or(0),
        randomizer: randomizer
            .parse::<Spec>()
            .map_err(|error| here(error.to_string()))?,
    };
    Ruleset::new(parts, &find_evaluator)
        .map_err(|error| file.error_of_file(error.to_string()).into())
}

pub(super) fn read_file(path: &Path) -> Result<Ruleset, LibraryError> {
    read_text(&read(path)?, path)
}
