//! What a name stands for: the text of every player file behind it.

use super::file::read;
use super::player_file::model::in_one_text;
use super::{FileError, LibraryError, PLAYER_FILE, PUBLISHED, is_path};
use std::path::Path;
use tetrolab_core::spec::Spec;

/// Everything that determines the player of a text: the text itself, and the text of every player file that it names.
/// Two players with the same identity decide alike.
///
/// # Errors
/// When the text is not a spec, or a file cannot be read.
pub fn player_identity(text: &str) -> Result<String, LibraryError> {
    if is_path(text) {
        return Ok(file_text(text)?);
    }
    spec_identity(&text.parse()?).map_err(LibraryError::from)
}

/// The text of the player file that a name stands for; none if it is a spec.
///
/// # Errors
/// When the file cannot be read.
pub fn player_text(name: &str) -> Result<Option<String>, FileError> {
    if is_path(name) {
        return file_text(name).map(Some);
    }
    let published = PUBLISHED.iter().find(|row| row.0 == name);
    Ok(published.map(|row| row.1.to_owned()))
}

/// Everything that a spec stands for, in the same way.
///
/// # Errors
/// When a file cannot be read.
pub(crate) fn spec_identity(spec: &Spec) -> Result<String, FileError> {
    let mut identity = format!("{spec}\n");
    add_files(spec, &mut identity)?;
    Ok(identity)
}

/// Adds the text of every player file that a spec names.
fn add_files(spec: &Spec, identity: &mut String) -> Result<(), FileError> {
    if is_path(&spec.name) {
        identity.push_str(&file_text(&spec.name)?);
    } else if let Some((_, text)) = PUBLISHED.iter().find(|row| row.0 == spec.name) {
        identity.push_str(text);
    }
    let mut values = spec.args.iter().map(|argument| &argument.value);
    values.try_for_each(|value| add_files(value, identity))
}

/// The text of a player file, or of the one in a folder, with its model in it if it has one.
fn file_text(path: &str) -> Result<String, FileError> {
    let path = Path::new(path);
    let path = match path.is_dir() {
        true => path.join(PLAYER_FILE),
        false => path.to_owned(),
    };
    in_one_text(read(&path)?, &path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edited_player_file_is_another_player() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.toml");
        let name = path.display().to_string();
        let identities = || {
            let spec = format!("two-piece({name})");
            [player_identity(&name), player_identity(&spec)].map(Result::unwrap)
        };
        std::fs::write(&path, "weights = 1").unwrap();
        let before = identities();
        assert_eq!(identities(), before);
        std::fs::write(&path, "weights = 2").unwrap();
        let after = identities();
        assert!(before[0] != after[0] && before[1] != after[1]);
    }

    #[test]
    fn a_published_name_stands_for_its_weights_and_a_setting_makes_another_player() {
        let identity = |text| player_identity(text).unwrap();
        assert!(identity("bcts").contains("[weights]"));
        assert!(identity("two-piece(bcts)").contains("[weights]"));
        assert_ne!(
            identity("greedy(bcts)"),
            identity("greedy(bcts,losing=allow)")
        );
        assert!(player_identity("nowhere/at-all.toml").is_err());
    }
}
