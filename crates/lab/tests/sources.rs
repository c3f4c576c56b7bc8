//! Conventions of the laboratory's sources that no compiler checks.

use std::fs;
use std::path::{Path, PathBuf};

/// All Rust files below a folder, except those of tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_owned();
        if name == "tests" {
            continue;
        }
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The code of a file, without its tests and comments.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let (code, _) = text
        .split_once("#[cfg(test)]\nmod tests")
        .unwrap_or((&text, ""));
    let (code, _) = code.split_once("#[cfg(test)]\npub(").unwrap_or((code, ""));
    let lines = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether a text contains a command-line flag: two hyphens and a letter.
fn names_a_flag(text: &str) -> bool {
    let mut parts = text.split("--").skip(1);
    parts.any(|part| part.starts_with(|c: char| c.is_ascii_lowercase()))
}

#[test]
fn the_laboratory_names_no_flag() {
    assert!(names_a_flag("use --method games") && !names_a_flag("a -- b"));
    let files = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(files.len() > 50);
    for file in files {
        let named = code(&file).lines().any(names_a_flag);
        assert!(
            !named,
            "{}: names a flag of the command line",
            file.display()
        );
    }
}

/// The lines of the first code block after a marker.
fn block_after<'a>(text: &'a str, marker: &str) -> Option<Vec<&'a str>> {
    let (_, rest) = text.split_once(marker)?;
    let (_, code) = rest.split_once("```")?;
    let lines = code.lines().skip(1);
    Some(lines.take_while(|line| !line.starts_with("```")).collect())
}

#[test]
fn the_example_of_the_tutorial_is_the_one_that_is_tested() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lib = fs::read_to_string(crate_folder.join("src/lib.rs")).unwrap();
    let docs: Vec<&str> = lib
        .lines()
        .filter_map(|line| line.strip_prefix("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    let tested = docs.join("\n");
    let mut tested = block_after(&tested, "# Example").expect("the library has an example");
    tested.retain(|line| !line.starts_with("# "));
    assert!(tested.len() <= 15, "{} lines", tested.len());
    // The published package of the library does not contain the tutorial.
    let page = crate_folder.join("../../docs/tutorial/6-write-a-player.md");
    let Ok(page) = fs::read_to_string(page) else {
        return;
    };
    let shown = block_after(&page, "<!-- library example -->");
    assert_eq!(shown.expect("the tutorial has the example"), tested);
}
