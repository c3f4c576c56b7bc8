//! `reproduce` through the command line: the list, a user's own experiment, and errors in one.

use crate::{json, sentence, stdout};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Two arms, one of which learns, in a game with short games.
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
    // Learning curves are drawn over pieces and games; measured times are left out.
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
    // The page can be recreated from the folder and from the printed report.
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
    // A second run finds everything stored and prints the same report.
    let again = json(folder.path(), &["reproduce", "mine.toml", "--out", "here"]);
    assert_eq!(again, report);
    // In another folder, the numbers are the same.
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
fn errors_in_an_experiment_are_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let of = |args: &[&str]| sentence(folder.path(), args);
    let unknown = of(&["reproduce", "strategy"]);
    assert!(unknown.contains("strategies"), "{unknown}");
    assert!(of(&["reproduce", "none.toml"]).starts_with("none.toml: there is no such file"));
    assert!(
        of(&["reproduce", "strategies", "--scale", "huge"]).contains("expected quick or paper")
    );
    fs::write(folder.path().join("file"), "").unwrap();
    let file = of(&["reproduce", "strategies", "--out", "file"]);
    assert_eq!(file, "file: expected a folder for --out, found a file");
    let wrong = MINE.replace("simplified-6x8", "simplified-6x99");
    fs::write(folder.path().join("wrong.toml"), wrong).unwrap();
    assert!(of(&["reproduce", "wrong.toml"]).contains("simplified-6x99"));
    assert!(
        !folder.path().join("runs").exists(),
        "nothing is left behind"
    );
}

#[test]
fn two_experiments_run_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    for (name, arms) in [("thesis-scenario", 4), ("thiery", 2)] {
        let report = json(folder.path(), &["reproduce", name, "--out", name]);
        assert_eq!(report["interrupted"], false);
        let numbers = report["numbers"].as_array().unwrap();
        let means = numbers.iter().filter(|one| one["quantity"] == "mean");
        let means: Vec<&Value> = means.map(|one| &one["measured"]).collect();
        assert_eq!(means.len(), arms, "{name}");
        assert!(means.iter().all(|mean| mean.is_f64()), "{name}: {means:?}");
        assert!(folder.path().join(name).join("report.html").exists());
    }
}

/// Kills the program at several moments of an experiment; the last run is not interrupted.
#[cfg(unix)]
#[test]
fn a_killed_experiment_is_resumed_with_the_same_report() {
    use std::process::{Command, Stdio};
    use std::time::Duration;
    let folder = tempfile::tempdir().unwrap();
    let longer = MINE.replace("generations = 2", "generations = 30");
    let longer = longer.replace("games = 4", "games = 2000");
    fs::write(folder.path().join("mine.toml"), longer).unwrap();
    let whole = json(folder.path(), &["reproduce", "mine.toml", "--out", "whole"]);
    let mut killed = 0;
    for wait in [20, 60, 120, 40, 200, 90] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tetrolab"));
        command.args(["reproduce", "mine.toml", "--out", "killed"]);
        command.current_dir(folder.path()).stdout(Stdio::null());
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        killed += usize::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(killed > 0);
    let resumed = json(
        folder.path(),
        &["reproduce", "mine.toml", "--out", "killed"],
    );
    assert_eq!(without_times(resumed), without_times(whole));
}

#[test]
fn parts_of_an_experiment_are_put_together_by_copying_their_results() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.toml"), MINE).unwrap();
    let run = |out: &str, more: &[&str]| {
        let args = [&["reproduce", "mine.toml", "--out", out][..], more].concat();
        json(folder.path(), &args)
    };
    let whole = run("whole", &[]);
    fs::create_dir(folder.path().join("all")).unwrap();
    for part in ["1/2", "2/2"] {
        let out = format!("part-{}", &part[..1]);
        run(&out, &["--part", part]);
        assert_eq!(results(&folder.path().join(&out)), 1);
        for file in fs::read_dir(folder.path().join(&out)).unwrap() {
            let (path, name) = file.map(|file| (file.path(), file.file_name())).unwrap();
            if path.extension().is_some_and(|ending| ending == "json") {
                fs::copy(path, folder.path().join("all").join(name)).unwrap();
            }
        }
    }
    assert_eq!(without_times(run("all", &[])), without_times(whole));
    let wrong = sentence(folder.path(), &["reproduce", "mine.toml", "--part", "3/2"]);
    assert!(wrong.contains("such as 2/4"), "{wrong}");
}
