//! One word, one thing: no two types of the workspace share a name, so that a reader who meets one knows which it is.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The arguments of a subcommand are called `Args` in each of them, as clap's users do.
const SHARED: [&str; 1] = ["Args"];

/// Every source file of the packages, without those that hold only tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let is_test = name == "tests" || name == "testing";
        if path.is_dir() && !is_test {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") && !is_test {
            found.push(path);
        }
    }
}

/// The types that a source file defines outside its tests.
fn types(source: &str) -> impl Iterator<Item = &str> {
    let code = source
        .split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or_default();
    code.lines().filter_map(|line| {
        let mut words = line.trim_start().split([' ', '<', '(', '{', ';', ':']);
        let mut word = words.next()?;
        if word == "pub" {
            word = words.find(|word| ["struct", "enum", "trait"].contains(word))?;
        }
        let defines = ["struct", "enum", "trait"].contains(&word);
        defines.then(|| words.next()).flatten()
    })
}

#[test]
fn no_two_types_have_the_same_name() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    for package in ["core", "lab", "cli"] {
        sources(&crates.join(package).join("src"), &mut files);
    }
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for name in types(&text) {
            let place = file.strip_prefix(crates).unwrap().display().to_string();
            places.entry(name.to_owned()).or_default().push(place);
        }
    }
    assert!(places.len() > 200, "types are found: {}", places.len());
    let twice = |(name, places): &(&String, &Vec<String>)| {
        places.len() > 1 && !SHARED.contains(&name.as_str())
    };
    let twice: Vec<_> = places.iter().filter(twice).collect();
    assert!(twice.is_empty(), "defined more than once: {twice:#?}");
}

#[test]
fn types_are_found_wherever_they_are_visible() {
    let source = "pub struct A;\npub(crate) enum B {}\n    struct C<T>(T);\npub(super) trait D: E {}\nimpl F {}\n// struct G\n\
                  #[cfg(test)]\nmod tests {\n    struct H;\n}\n";
    assert_eq!(types(source).collect::<Vec<_>>(), ["A", "B", "C", "D"]);
}
