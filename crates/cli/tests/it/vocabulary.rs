//! No two public types of the workspace share a name, so that a name always means the same type.
//! Private types may, because they are read in the context of their module.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Every source file of the packages except those that contain only tests.
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

/// The public types that a source file defines outside its tests.
fn public_types(source: &str) -> impl Iterator<Item = &str> {
    let code = source
        .split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or_default();
    code.lines().filter_map(|line| {
        let line = line.trim_start().strip_prefix("pub ")?;
        let mut words = line.split([' ', '<', '(', '{', ';', ':']);
        let defines = ["struct", "enum", "trait"].contains(&words.next()?);
        defines.then(|| words.next()).flatten()
    })
}

#[test]
fn no_two_public_types_have_the_same_name() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    for package in ["core", "lab", "cli", "web", "py", "wasm"] {
        sources(&crates.join(package).join("src"), &mut files);
    }
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for name in public_types(&text) {
            let place = file.strip_prefix(crates).unwrap().display().to_string();
            places.entry(name.to_owned()).or_default().push(place);
        }
    }
    assert!(places.len() > 200, "types are found: {}", places.len());
    let twice: Vec<_> = places.iter().filter(|row| row.1.len() > 1).collect();
    assert!(twice.is_empty(), "defined more than once: {twice:#?}");
}

#[test]
fn public_types_are_found() {
    let source = "pub struct A;\npub(crate) enum B {}\n    pub enum C<T>(T);\npub trait D: E {}\nimpl F {}\n\
                  // pub struct G\n#[cfg(test)]\nmod tests {\n    pub struct H;\n}\n";
    assert_eq!(public_types(source).collect::<Vec<_>>(), ["A", "C", "D"]);
}
