use super::*;
use crate::library::find_ruleset;
use std::fs;

const MINE: &str = "name = \"mine\"\nfeatures = \"strategies\"\n[weights]\nany_line = 1\nholes = -1\nvariation = -0.5\n";

fn player_identity(text: &str) -> Result<String, LibraryError> {
    FileSource::Disk.player_identity(text)
}

/// A folder with a player file, and that of a player whose tables are missing.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.toml"), MINE).unwrap();
    let (wary, _) = published_file("wary-10").unwrap();
    fs::write(folder.path().join("wary.toml"), wary).unwrap();
    folder
}

#[test]
fn a_player_file_whose_tables_are_missing_is_not_the_published_player() {
    let folder = folder();
    let path = folder.path().join("wary.toml").display().to_string();
    let error = FileSource::Disk.player_file(&path).unwrap_err().to_string();
    assert!(
        error.ends_with("wary-10.safetensors: there is no such file"),
        "{error}"
    );
    assert!(super::super::published("wary-10").is_some());
}

#[test]
fn an_identity_includes_the_tables_of_a_published_player() {
    for name in ["wary-10", "greedy(wary-10)"] {
        let identity = player_identity(name).unwrap();
        assert!(identity.contains("entries = \"data:"), "{name}");
    }
    let [ten, twenty] = ["wary-10", "wary-20"].map(|name| {
        let identity = player_identity(name).unwrap();
        identity.split("data:").nth(1).unwrap().to_owned()
    });
    assert_ne!(ten, twenty);
}

#[test]
fn names_that_came_from_elsewhere_lead_to_no_file() {
    let folder = folder();
    let mine = folder.path().join("mine.toml").display().to_string();
    let wary = folder.path().join("wary.toml").display().to_string();
    let ruleset = find_ruleset("simplified-10x10").unwrap();
    let nothing = GivenFiles::new();
    let source = FileSource::Given(&nothing);
    let not_given = "the text of this file was not provided, and files cannot be read here";
    for text in [
        mine.clone(),
        wary.clone(),
        folder.path().display().to_string(),
        "/dev/zero".to_owned(),
        format!("greedy({mine})"),
        format!("two-piece(linear({mine}))"),
        format!("greedy(tables({wary}))"),
    ] {
        let error = source.player(&text, &ruleset).map(drop).unwrap_err();
        assert!(error.to_string().ends_with(not_given), "{text}: {error}");
        let error = source.player_identity(&text).unwrap_err().to_string();
        assert!(error.ends_with(not_given), "{text}: {error}");
    }
    for text in [
        "rules/mine.toml".to_owned(),
        format!("simplified-10x10(randomizer=adversary({mine}))"),
    ] {
        let error = source.ruleset(&text).map(drop).unwrap_err().to_string();
        assert!(error.ends_with(not_given), "{text}: {error}");
    }
    // Nor does a given text.
    let model = "name = \"x\"\nevaluator = \"tables\"\nentries = \"wary-10.safetensors\"\n";
    for name in [
        "wary-10.safetensors",
        "passwd",
        "../../etc/passwd",
        "/etc/passwd",
    ] {
        let text = model.replace("wary-10.safetensors", name);
        let files = GivenFiles::from([("/etc/x.toml".to_owned(), text)]);
        let error = FileSource::Given(&files).player("/etc/x.toml", &ruleset);
        let error = error.map(drop).unwrap_err().to_string();
        assert!(
            error.contains("line 3: entries must contain bytes in base 64"),
            "{name}: {error}"
        );
    }
}

#[test]
fn a_player_from_given_texts_equals_the_one_read_from_files() {
    let folder = folder();
    let path = folder.path().join("mine.toml").display().to_string();
    let ruleset = find_ruleset("simplified-10x10").unwrap();
    for text in [path.clone(), format!("greedy({path})")] {
        let files = FileSource::Disk.files_of_player(&text).unwrap();
        assert_eq!(files.values().collect::<Vec<_>>(), [MINE]);
        let source = FileSource::Given(&files);
        assert!(source.player(&text, &ruleset).is_ok());
        assert_eq!(
            source.player_identity(&text).unwrap(),
            player_identity(&text).unwrap()
        );
    }
    let rules = format!("simplified-6x8(randomizer=adversary({path}))");
    let files = FileSource::Disk.files_of(&rules.parse().unwrap()).unwrap();
    assert!(FileSource::Given(&files).ruleset(&rules).is_ok());
    for published in ["bcts", "wary-10", "greedy(dt-20,losing=allow)"] {
        assert!(
            FileSource::Disk
                .files_of_player(published)
                .unwrap()
                .is_empty()
        );
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_or_a_device_is_refused_and_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("fifo.toml");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.unwrap().success());
    let path = fifo.display().to_string();
    let refused = "expected a regular file, found a pipe or a device";
    let error = FileSource::Disk.player_file(&path).unwrap_err().to_string();
    assert!(error.ends_with(refused), "{error}");
    let error = FileSource::Disk.ruleset(&path).map(drop).unwrap_err();
    assert!(error.to_string().ends_with(refused), "{error}");
    let error = player_identity(&path).unwrap_err().to_string();
    assert!(error.ends_with(refused), "{error}");
    let text = "name = \"x\"\nevaluator = \"tables\"\nentries = \"fifo.toml\"\n";
    fs::write(folder.path().join("x.toml"), text).unwrap();
    let named = folder.path().join("x.toml").display().to_string();
    let error = FileSource::Disk
        .player_file(&named)
        .unwrap_err()
        .to_string();
    assert!(error.ends_with(refused), "{error}");
}

#[test]
fn damaged_texts_are_refused_and_never_lead_to_a_file() {
    // Small changes of a given text: the result is always a player or an error message.
    let ruleset = find_ruleset("simplified-10x10").unwrap();
    let mut rng = tetrolab_core::rng::Rng::new(1);
    let letters = b"\"'=[]{}#\n\\/.,-+0189aze\x1b\x7f ";
    let mut refused = 0;
    for _ in 0..2000 {
        let mut text = MINE.as_bytes().to_vec();
        for _ in 0..1 + rng.below(3) {
            let place = rng.below(text.len() as u64) as usize;
            let letter = letters[rng.below(letters.len() as u64) as usize];
            match rng.below(3) {
                0 => text[place] = letter,
                1 => text.insert(place, letter),
                _ => drop(text.remove(place)),
            }
        }
        let Ok(text) = String::from_utf8(text) else {
            continue;
        };
        let files = GivenFiles::from([("x.toml".to_owned(), text)]);
        if let Err(error) = FileSource::Given(&files).player("x.toml", &ruleset) {
            let said = error.to_string();
            assert!(!said.chars().any(char::is_control), "{said:?}");
            refused += 1;
        }
    }
    assert!(refused > 500, "{refused}");
}

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
