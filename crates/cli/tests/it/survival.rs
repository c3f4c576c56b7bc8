//! `eval --method splitting` and `compare`.

use super::{failure, json, sentence, stdout, tetrolab};
use serde_json::Value;
use std::time::Duration;
use tempfile::tempdir;

/// A quick estimate with further arguments.
fn quick<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec![
        "eval",
        "bcts",
        "--ruleset",
        "simplified-10x9",
        "--method",
        "splitting",
    ];
    args.extend(["--trajectories", "400", "--precision", "20%"]);
    args.extend(more);
    args
}

/// An even quicker estimate, to be compared with itself.
fn small<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["eval", "bcts", "--ruleset", "simplified-8x7"];
    args.extend(["--method", "splitting", "--repetitions", "16"]);
    args.extend(["--trajectories", "200"]);
    args.extend(more);
    args
}

/// A result without the fields that depend on the clock.
fn timeless(mut value: Value) -> Value {
    for result in value["results"].as_array_mut().unwrap() {
        result["seconds"] = Value::Null;
        result["decisions_per_second"] = Value::Null;
    }
    value
}

#[test]
fn an_estimate_states_its_method_and_shows_its_levels() {
    let folder = tempdir().unwrap();
    // Prints one stored estimate as text, then as JSON, so that it is computed only once.
    let kept = quick(&["--resume", "kept"]);
    let text = stdout(folder.path(), &kept);
    assert!(text.contains("multilevel splitting"), "{text}");
    assert!(text.contains("once in") && text.contains("###"), "{text}");
    let value = json(folder.path(), &kept);
    let result = &value["results"][0];
    assert_eq!(result["method"], "splitting");
    assert_eq!(result["trusted"], true);
    assert!(result["precision"].as_f64().unwrap() <= 0.2);
    assert!(result["rate"].as_f64().unwrap() > 0.0);
    assert!(result["pieces_simulated"].as_u64().unwrap() > 100_000);
    assert!(result["levels"].as_array().unwrap().len() >= 2);
    let interval = result["lines"]["ci95"].as_array().unwrap();
    // The mean of 100,000 whole games is 1526.
    assert!(interval[0].as_f64().unwrap() < 1526.0 && interval[1].as_f64().unwrap() > 1526.0);
    let command = result["command"].as_str().unwrap();
    assert_eq!(
        command,
        "tetrolab eval bcts --ruleset simplified-10x9 --method splitting --precision 0.2 --trajectories 400 --seed 1"
    );
}

#[test]
fn the_number_of_threads_does_not_change_an_estimate() {
    let folder = tempdir().unwrap();
    let run = |threads: &str| timeless(json(folder.path(), &small(&["--threads", threads])));
    assert_eq!(run("1"), run("2"));
}

#[test]
fn a_killed_estimate_is_resumed() {
    let folder = tempdir().unwrap();
    let expected = timeless(json(folder.path(), &small(&["--seed", "7"])));
    for moment in [60, 150, 300] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tetrolab"));
        let args = small(&["--seed", "7", "--resume", "kept", "--json"]);
        command.current_dir(folder.path()).args(args);
        let mut child = command.stdout(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(moment));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let resumed = json(folder.path(), &small(&["--seed", "7", "--resume", "kept"]));
    assert_eq!(timeless(resumed), expected);
}

#[test]
fn a_weak_player_is_measured_by_whole_games() {
    let folder = tempdir().unwrap();
    let args = [
        "eval",
        "random",
        "--ruleset",
        "simplified-10x10",
        "--precision",
        "40%",
    ];
    let result = &json(folder.path(), &args)["results"][0];
    assert_eq!(result["method"], "games");
    assert_eq!(result["games"], result["finished"]);
}

#[test]
fn a_strong_player_is_measured_by_splitting() {
    let folder = tempdir().unwrap();
    let args = [
        "eval",
        "bcts",
        "--ruleset",
        "simplified-10x20",
        "--trajectories",
        "200",
        "--budget",
        "10",
    ];
    let result = &json(folder.path(), &args)["results"][0];
    assert_eq!(result["method"], "splitting");
    assert!(result["saving"].as_f64().unwrap() > 100.0);
}

#[test]
fn nonsense_gets_a_sentence() {
    let folder = tempdir().unwrap();
    let said = |args: &[&str]| sentence(folder.path(), args);
    let splitting = |ruleset: &str| {
        said(&[
            "eval",
            "bcts",
            "--method",
            "splitting",
            "--ruleset",
            ruleset,
        ])
    };
    assert!(said(&["eval", "bcts", "--precision", "0"]).contains("above 0"));
    assert!(said(&["eval", "bcts", "--precision", "much"]).contains("such as 5%"));
    assert!(splitting("simplified-10x10(randomizer=fixed(ITO))").contains("has no random pieces"));
    let endless = "simplified-10x20(randomizer=weighted(I=0,T=0,S=0,Z=0,L=0,J=0))";
    assert!(splitting(endless).contains("may never end"));
    assert!(
        said(&["eval", "bcts", "--method", "splitting", "--games", "5"]).contains("whole games")
    );
    assert!(
        said(&["eval", "bcts", "--method", "splitting", "--budget", "0"])
            .contains("at least 1 piece")
    );
    assert!(said(&["compare", "bcts", "bcts"]).contains("listed twice"));
}

#[test]
fn two_players_are_compared_until_it_is_decided() {
    let folder = tempdir().unwrap();
    let settings = [
        ("games", &[][..]),
        ("splitting", &["--trajectories", "400"]),
    ];
    for (method, more) in settings {
        let args = [
            "compare",
            "bcts",
            "dellacherie",
            "--ruleset",
            "simplified-10x8",
            "--method",
            method,
        ];
        let value = json(folder.path(), &[&args[..], more].concat());
        assert_eq!(value["verdict"], "first", "{value}");
        assert_eq!(value["method"], method);
        assert_eq!(value["error_rate"], 0.05);
        let ratio = &value["ratio"];
        assert!(ratio["ci95"][1].as_f64().unwrap() < 1.0, "{value}");
    }
    let soon = json(folder.path(), &["compare", "bcts", "dellacherie"]);
    assert_eq!(soon["method"], "games", "their games end soon");
    let text = stdout(
        folder.path(),
        &["compare", "bcts", "random", "--ruleset", "simplified-10x8"],
    );
    assert!(text.contains("bcts is better than random."), "{text}");
}

#[test]
fn a_checkpoint_folder_that_cannot_be_made_is_named() {
    let folder = tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let output = tetrolab(folder.path())
        .args(quick(&["--resume", "file/below"]))
        .output()
        .unwrap();
    assert!(failure(folder.path(), &output).contains("file/below"));
}
