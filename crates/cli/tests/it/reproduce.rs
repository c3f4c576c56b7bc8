//! `reproduce` as a user meets it: a list, an experiment of one's own, and what is wrong with one.

use crate::{json, sentence, stdout};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Two arms, one of which learns, in a game that ends soon.
const MINE: &str = r#"
question = "Does random search beat a published player?"
seeds = 2

[learning]
ruleset = "simplified-6x8"
features = "dellacherie"
games = 2
max_pieces = 100
budget = { generations = 2 }

[test]
ruleset = "simplified-6x8"
target = { games = 4 }

[[arm]]
id = "random"
learner = "random-search(population=3)"

[[arm]]
id = "bcts"
player = "bcts"
"#;

/// A report without times and folders.
fn without_times(mut report: Value) -> Value {
    for stage in report["stages"].as_array_mut().unwrap() {
        stage["seconds"] = Value::Null;
        stage["command"] = Value::Null;
    }
    report
}

fn results(folder: &Path) -> usize {
    let files = fs::read_dir(folder).unwrap();
    let is_result = |name: &str| name.ends_with(".json") && name.len() == 21;
    files
        .filter(|file| is_result(&file.as_ref().unwrap().file_name().to_string_lossy()))
        .count()
}

#[test]
fn an_experiment_of_ones_own_is_run_once_and_continued() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.toml"), MINE).unwrap();
    let report = json(folder.path(), &["reproduce", "mine.toml", "--out", "here"]);
    assert_eq!(report["interrupted"], false);
    assert_eq!(results(&folder.path().join("here")), 3);
    let page = fs::read_to_string(folder.path().join("here/report.html")).unwrap();
    assert!(
        page.contains("Does random search beat a published player?"),
        "{page}"
    );
    // The page can be made again, from the folder and from the printed report.
    fs::write(folder.path().join("printed.json"), report.to_string()).unwrap();
    for source in ["here", "printed.json"] {
        stdout(folder.path(), &["report", source, "--out", "again.html"]);
        let again = fs::read_to_string(folder.path().join("again.html")).unwrap();
        assert_eq!(again, page, "{source}");
    }
    let command = report["stages"][2]["command"].as_str().unwrap();
    assert!(
        command.starts_with("tetrolab eval here/learned/random-1-"),
        "{command}"
    );
    // Again: everything is there, and the report is the same.
    let again = json(folder.path(), &["reproduce", "mine.toml", "--out", "here"]);
    assert_eq!(again, report);
    // Elsewhere: the same numbers.
    let other = json(folder.path(), &["reproduce", "mine.toml"]);
    assert_eq!(without_times(other), without_times(report));
    let usual = folder.path().join("runs/reproduce/mine-quick");
    assert_eq!(results(&usual), 3);
    let text = stdout(folder.path(), &["reproduce", "mine.toml"]);
    for part in [
        "mine · quick scale · seed 1",
        "random",
        "Commands behind the numbers:",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn every_experiment_is_listed_with_its_question() {
    let folder = tempfile::tempdir().unwrap();
    let listed = json(folder.path(), &["reproduce", "--list"]);
    let listed = listed["experiments"].as_array().unwrap();
    let registry = json(folder.path(), &["list", "experiments"]);
    assert_eq!(
        listed.len(),
        registry["experiments"].as_array().unwrap().len()
    );
    assert!(listed.len() >= 26, "{}", listed.len());
    assert!(stdout(folder.path(), &["reproduce", "--list"]).contains("thesis-game"));
}

#[test]
fn what_is_wrong_with_an_experiment_is_said_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let of = |args: &[&str]| sentence(folder.path(), args);
    let unknown = of(&["reproduce", "strategy"]);
    assert!(unknown.contains("strategies"), "{unknown}");
    assert!(of(&["reproduce", "none.toml"]).starts_with("none.toml: cannot be read"));
    assert!(
        of(&["reproduce", "strategies", "--scale", "huge"]).contains("expected quick or paper")
    );
    fs::write(folder.path().join("file"), "").unwrap();
    let file = of(&["reproduce", "strategies", "--out", "file"]);
    assert_eq!(file, "file: is a file; --out names a folder");
    let wrong = MINE.replace("simplified-6x8", "simplified-6x99");
    fs::write(folder.path().join("wrong.toml"), wrong).unwrap();
    assert!(of(&["reproduce", "wrong.toml"]).contains("simplified-6x99"));
    assert!(
        !folder.path().join("runs").exists(),
        "nothing is left behind"
    );
}
