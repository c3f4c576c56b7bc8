//! The top-level modules of the crate have no cyclic dependencies. The dependencies are read from
//! the sources; test code is exempt. Ways to refer to a module that this would miss (re-exports of
//! the crate's root, globs, renamed roots, modules within a file) are rejected.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The other modules that each module uses.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// A source without its comments, and without the module `tests` at its end.
fn code(source: &str) -> String {
    let lines = source.lines().map(|line| match line.trim_start() {
        comment if comment.starts_with("//") => "",
        _ => line.split(" // ").next().unwrap_or(line),
    });
    let code: Vec<&str> = lines.collect();
    let code = code.join("\n");
    let end = code.find("#[cfg(test)]\nmod tests {");
    code[..end.unwrap_or(code.len())].to_owned()
}

/// The first names of a path: one, or several in braces.
fn first_names(path: &str) -> Vec<String> {
    let name = |text: &str| -> String {
        let is_part = |letter: &char| letter.is_ascii_alphanumeric() || *letter == '_';
        text.trim_start().chars().take_while(is_part).collect()
    };
    let Some(list) = path.strip_prefix('{') else {
        return vec![name(path)];
    };
    let (mut names, mut depth, mut start) = (Vec::new(), 0, 0);
    for (place, letter) in list.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => {
                names.push(name(&list[start..place]));
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                names.push(name(&list[start..place]));
                start = place + 1;
            }
            _ => {}
        }
    }
    // Nothing follows the last comma of a list.
    if names.last().is_some_and(String::is_empty) {
        names.pop();
    }
    names
}

/// The modules that some code refers to. `depth` is the number of `super`s that lead from it to the
/// crate's root.
fn named(code: &str, depth: usize) -> BTreeSet<String> {
    let to_root = "super::".repeat(depth);
    let mut names = BTreeSet::new();
    for root in ["crate::", &to_root] {
        for (place, _) in code.match_indices(root) {
            let continues = code[..place].ends_with([':', '_']);
            if !continues {
                names.extend(first_names(&code[place + root.len()..]));
            }
        }
    }
    names
}

/// Code that hides which modules it uses.
fn hidden_use(code: &str, named: &BTreeSet<String>, modules: &BTreeSet<String>) -> Option<String> {
    let is_inline = |line: &&str| {
        let line = line.trim_start();
        line.split_once("mod ")
            .is_some_and(|(before, _)| before.is_empty() || before.starts_with("pub"))
            && line.ends_with('{')
    };
    let inline = code.lines().find(is_inline).map(str::to_owned);
    let renamed = (code.lines().find(|line| line.contains("crate as "))).map(str::to_owned);
    let mut unknown = named.iter().filter(|name| !modules.contains(*name));
    let unknown = unknown.next().map(|name| format!("crate::{name}"));
    inline.or(renamed).or(unknown)
}

/// Whether a file contains only test code.
fn is_for_tests(path: &Path) -> bool {
    path.components().any(|part| {
        let part = part.as_os_str().to_string_lossy();
        matches!(&*part, "tests" | "tests.rs" | "testing.rs")
    })
}

/// Every source file of the crate, as its path in `src`.
fn sources(folder: &Path, inside: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder.join(inside)).unwrap() {
        let name = inside.join(entry.unwrap().file_name());
        if folder.join(&name).is_dir() {
            sources(folder, &name, found);
        } else if !is_for_tests(&name) {
            found.push(name);
        }
    }
}

/// The dependencies between the top-level modules in a source folder.
fn uses_in(folder: &Path) -> Uses {
    let mut files = Vec::new();
    sources(folder, Path::new(""), &mut files);
    let top = |file: &Path| {
        let first = file.components().next().unwrap().as_os_str();
        first.to_string_lossy().trim_end_matches(".rs").to_owned()
    };
    files.retain(|file| file != Path::new("lib.rs"));
    let modules: BTreeSet<String> = files.iter().map(|file| top(file)).collect();
    let mut uses = Uses::new();
    for file in &files {
        let parts = file.components().count();
        let depth = if file.ends_with("mod.rs") {
            parts - 1
        } else {
            parts
        };
        let own = top(file);
        let text = fs::read_to_string(folder.join(file)).unwrap();
        let code = code(&text);
        let mut others = named(&code, depth);
        let hidden = hidden_use(&code, &others, &modules);
        assert_eq!(hidden, None, "{}", file.display());
        others.remove(&own);
        uses.entry(own).or_default().extend(others);
    }
    uses
}

/// A dependency cycle, from a module back to itself.
fn cycle(uses: &Uses) -> Option<Vec<String>> {
    let mut done = BTreeSet::new();
    uses.keys()
        .find_map(|start| follow(uses, start, &mut Vec::new(), &mut done))
}

fn follow(
    uses: &Uses,
    module: &str,
    way: &mut Vec<String>,
    done: &mut BTreeSet<String>,
) -> Option<Vec<String>> {
    if let Some(place) = way.iter().position(|before| before == module) {
        let mut found = way[place..].to_vec();
        found.push(module.to_owned());
        return Some(found);
    }
    if done.contains(module) {
        return None;
    }
    way.push(module.to_owned());
    let others = uses.get(module).into_iter().flatten();
    let found = others
        .into_iter()
        .find_map(|other| follow(uses, other, way, done));
    way.pop();
    done.insert(module.to_owned());
    found
}

#[test]
fn the_modules_of_the_crate_form_no_cycle() {
    let uses = uses_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let cycle = cycle(&uses).map(|modules| modules.join(" -> "));
    assert_eq!(cycle, None, "each module uses the next");
    // Make sure that the sources were read.
    assert!(uses["players"].contains("kernel") && uses["features"].contains("outcomes"));
}

#[test]
fn only_kernels_players_and_records_stand_above_the_game() {
    let uses = uses_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let users_of = |module: &str| -> Vec<&str> {
        let rows = uses.iter().filter(|(_, used)| used.contains(module));
        rows.map(|(user, _)| user.as_str()).collect()
    };
    assert!(users_of("players").is_empty());
    assert_eq!(users_of("game"), ["kernel", "players", "record"]);
}

fn made_up(rows: &[(&str, &[&str])]) -> Uses {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    rows.iter()
        .map(|(module, used)| ((*module).to_owned(), owned(used)))
        .collect()
}

#[test]
fn a_cycle_is_found_wherever_it_is() {
    let straight = [("a", &["b", "c"][..]), ("b", &["c"]), ("c", &[])];
    assert_eq!(cycle(&made_up(&straight)), None);
    let around = [
        ("a", &["b"][..]),
        ("b", &["c", "d"]),
        ("c", &[]),
        ("d", &["b"]),
    ];
    assert_eq!(cycle(&made_up(&around)).unwrap(), ["b", "d", "b"]);
    let long = [("a", &["b"][..]), ("b", &["c"]), ("c", &["a"])];
    assert_eq!(cycle(&made_up(&long)).unwrap(), ["a", "b", "c", "a"]);
}

#[test]
fn hidden_uses_are_refused() {
    let modules = BTreeSet::from(["game".to_owned(), "rules".to_owned()]);
    let hidden = |code: &str| hidden_use(code, &named(code, 1), &modules);
    for fine in [
        "pub use crate::game::Game;",
        "pub(crate) use super::rules::{End, Settled};",
        "macro_rules! m { () => { $crate::game::new() } }",
        "let mod_of = |x: crate::rules::End| {",
    ] {
        assert_eq!(hidden(fine), None);
    }
    for (code, expected) in [
        ("use crate::Game;", "crate::Game"),
        ("use crate::{game, Game};", "crate::Game"),
        ("use super::*;", "crate::"),
        ("use crate::{self as root};", "crate::self"),
        ("use crate as root;", "use crate as root;"),
        ("pub(crate) mod inner {", "pub(crate) mod inner {"),
    ] {
        assert_eq!(hidden(code).as_deref(), Some(expected));
    }
}

#[test]
fn every_way_to_name_a_module_is_seen() {
    let source = "use crate::one::Thing;\n\
        use crate::{\n    two::{A, B},\n    three,\n};\n\
        // crate::comment\n\
        fn f(x: super::super::four::X) { crate::five::g(); super::sibling::h(); } // crate::six\n\
        #[cfg(test)]\nmod tests {\n    use crate::seven;\n}\n";
    let names = named(&code(source), 2);
    assert_eq!(
        names.into_iter().collect::<Vec<_>>(),
        ["five", "four", "one", "three", "two"]
    );
}
