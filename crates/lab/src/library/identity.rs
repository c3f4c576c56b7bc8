//! What a name stands for: the text of every player file behind it.

use super::{FileError, FileSource, LibraryError};
use tetrolab_core::spec::Spec;

/// Everything that determines the player of a text: the text itself, and the text of every player file that it names, with the
/// networks and tables of these players. Two players with the same identity decide alike.
///
/// # Errors
/// When the text is not a spec, or a file cannot be read.
pub fn player_identity(text: &str) -> Result<String, LibraryError> {
    FileSource::Disk.player_identity(text)
}

/// Everything that a spec stands for, in the same way.
///
/// # Errors
/// When a file cannot be read.
pub(crate) fn spec_identity(spec: &Spec) -> Result<String, FileError> {
    FileSource::Disk.spec_identity(spec)
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
