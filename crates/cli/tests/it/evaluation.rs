//! `eval`: recorded games, points, and errors about one of several players.

use super::{failure, json, sentence, stdout, tetrolab};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use tempfile::tempdir;

fn words(args: &str) -> Vec<&str> {
    args.split(' ').collect()
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
fn a_long_evaluation_in_a_pipe_is_announced_before_its_first_results() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tetrolab"));
    command.args(words(
        "eval bcts --ruleset simplified-10x10 --games 40000000",
    ));
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let errors = BufReader::new(child.stderr.take().unwrap());
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || errors.lines().try_for_each(|line| sender.send(line)));
    let wait = || lines.recv_timeout(Duration::from_secs(60));
    let mut said = std::iter::from_fn(|| wait().ok()?.ok());
    let announced = said.find(|line| line.contains("expected"));
    child.kill().unwrap();
    child.wait().unwrap();
    let line = announced.expect("an announcement");
    assert!(line.starts_with("bcts: about "), "{line}");
    assert!(
        line.contains(" pieces per game expected, 40000000 game(s), "),
        "{line}"
    );
}

#[test]
fn killed_whole_games_are_resumed() {
    let folder = tempdir().unwrap();
    let games = "eval bcts random --ruleset simplified-10x8 --games 600";
    let expected = timeless(json(folder.path(), &words(games)));
    let resumed = format!("{games} --resume kept");
    for (moment, threads) in [(40, "1"), (90, "2"), (160, "1")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tetrolab"));
        command.current_dir(folder.path()).args(words(&resumed));
        command.args(["--threads", threads]).stdout(Stdio::null());
        let mut child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(moment));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let args = format!("{resumed} --threads 2 --csv games.csv");
    assert_eq!(timeless(json(folder.path(), &words(&args))), expected);
    let table = fs::read_to_string(folder.path().join("games.csv")).unwrap();
    assert_eq!(table.lines().count(), 1201);
    assert_eq!(
        sentence(folder.path(), &words(&format!("{resumed} --seed 2"))),
        "kept/bcts.games.jsonl: contains the games of another evaluation (seed differs); choose another folder"
    );
    assert_eq!(
        sentence(folder.path(), &words(&format!("{resumed} --record a"))),
        "--resume does not store the placements that --record needs; leave one of them out"
    );
}

#[test]
fn one_command_repeats_all_players_and_ties_are_counted() {
    let folder = tempdir().unwrap();
    let args = "eval random bcts dt-10 --ruleset simplified-6x8 --games 20";
    let said = stdout(folder.path(), &words(args));
    assert!(
        said.ends_with("\nAgain:\n  tetrolab eval random bcts dt-10 --ruleset simplified-6x8 --games 20 --seed 1\n"),
        "{said}"
    );
    assert_eq!(said.matches("tetrolab eval").count(), 1, "{said}");
    assert!(said.contains("worse in  equal in"), "{said}");
}

#[test]
fn an_error_of_one_player_is_printed_after_the_results_of_the_others() {
    let folder = tempdir().unwrap();
    let squares = "simplified-6x8(randomizer=weighted(I=0,J=0,L=0,S=0,T=0,Z=0))";
    let args =
        "eval random bcts --method splitting --repetitions 2 --trajectories 100 --level stack";
    let mut command = tetrolab(folder.path());
    let output = command
        .args(words(args))
        .args(["--ruleset", squares])
        .output()
        .unwrap();
    let errors = failure(folder.path(), &output);
    assert!(errors.starts_with("bcts: no game ended"), "{errors}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.contains("\nrandom ") && !said.contains("Interrupted"),
        "{said}"
    );
}

#[test]
fn points_have_a_column_and_short_caps_have_one_bound() {
    let folder = tempdir().unwrap();
    let said = stdout(
        folder.path(),
        &words("eval bcts --ruleset guideline --games 3 --max-pieces 30"),
    );
    assert!(
        said.contains("mean points") && said.contains("above "),
        "{said}"
    );
    assert!(
        !said.contains("to ?") && !said.contains("a mean above"),
        "{said}"
    );
    let value = json(folder.path(), &words("eval random --ruleset nes --games 3"));
    let points = &value["results"][0]["points"];
    assert!(
        points["mean"].is_number() && points["ci95"].is_array(),
        "{value}"
    );
}

#[test]
fn games_that_were_all_truncated_have_no_mean_and_the_text_states_this() {
    let folder = tempdir().unwrap();
    let args = "eval bcts --ruleset simplified-10x10 --games 2 --max-pieces 300 --seed 1";
    let text = stdout(folder.path(), &words(args));
    assert!(text.contains("only a lower bound"), "{text}");
    assert!(!text.contains("total lines / lost games"), "{text}");
}

#[test]
fn a_comparison_states_which_mean_is_divided_by_which() {
    let folder = tempdir().unwrap();
    let args = words("compare bcts random --ruleset simplified-6x8");
    let said = stdout(folder.path(), &args);
    assert!(said.contains("\nbcts / random: "), "{said}");
    let ratio = &json(folder.path(), &args)["ratio"];
    assert!(ratio["first_to_second"].as_f64().unwrap() > 1.0, "{ratio}");
    assert!(ratio["second_to_first"].as_f64().unwrap() < 1.0, "{ratio}");
}
