//! Ctrl-C and other signals: an interrupted command exits with 130, whether or not it prints
//! results.

#![cfg(unix)]

use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The output of a command that is interrupted while it plays.
fn interrupted(args: &str) -> Output {
    interrupted_in(args).0
}

/// The output of a command that is interrupted while it plays, and how long it then takes to end.
fn interrupted_in(args: &str) -> (Output, Duration) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tetrolab"));
    command.args(args.split(' ')).stdout(Stdio::piped());
    let child = command.stderr(Stdio::piped()).spawn().unwrap();
    wait_until_it_listens(&child);
    crate::interrupt(&child);
    let asked = Instant::now();
    let output = child.wait_with_output().unwrap();
    (output, asked.elapsed())
}

/// Waits until the program catches SIGTERM, and then a moment longer so that it has begun to play.
#[cfg(target_os = "linux")]
fn wait_until_it_listens(child: &Child) {
    const TERM: u64 = 1 << (15 - 1);
    let caught = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
        let mask = status
            .lines()
            .find_map(|line| line.strip_prefix("SigCgt:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    };
    let began = Instant::now();
    while caught().is_none_or(|mask| mask & TERM == 0) {
        assert!(began.elapsed().as_secs() < 60, "the program never listens");
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(200));
}

#[cfg(not(target_os = "linux"))]
fn wait_until_it_listens(_: &Child) {
    std::thread::sleep(Duration::from_secs(4));
}

#[test]
fn an_interruption_ends_with_its_own_code_even_if_there_is_nothing_to_print() {
    let endless = "--ruleset simplified-10x20 --threads 1";
    let games = interrupted(&format!(
        "compare bcts dellacherie {endless} --method games"
    ));
    assert_eq!(games.status.code(), Some(130));
    assert_eq!(
        String::from_utf8_lossy(&games.stderr),
        "tetrolab: interrupted before the first interim analysis: nothing to compare\n"
    );
    // With this many trajectories, the first repetition takes minutes.
    let long = format!("{endless} --method splitting --trajectories 1000000");
    for command in ["compare bcts dellacherie", "eval bcts"] {
        let output = interrupted(&format!("{command} {long}"));
        assert_eq!(output.status.code(), Some(130), "{command}");
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
    }
}

#[test]
fn an_interrupted_bench_prints_partial_results() {
    let output = interrupted("bench --seconds 600");
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.starts_with("signature "), "{said}");
    if tetrolab::core::simd::is_available() {
        let output = interrupted("bench --verify --decisions 1000000000 --json");
        assert_eq!(output.status.code(), Some(130));
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains("\"interrupted\": true"), "{said}");
    }
}

#[test]
fn an_early_interruption_prints_valid_json_marked_as_interrupted() {
    let endless = "--ruleset simplified-10x20 --threads 1 --json";
    let long = format!("{endless} --method splitting --trajectories 1000000");
    let said = |args: &str| {
        let output = interrupted(args);
        assert_eq!(output.status.code(), Some(130), "{args}");
        let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(said["interrupted"], true, "{args}: {said}");
        said
    };
    let eval = said(&format!("eval bcts {long}"));
    assert_eq!(eval["results"], serde_json::json!([]));
    for method in [long, format!("{endless} --method games")] {
        let compare = said(&format!("compare bcts dellacherie {method}"));
        assert!(compare["ratio"].is_null() && compare["verdict"] == "open");
    }
}

#[test]
fn an_interruption_prints_how_to_finish() {
    let games = "eval bcts --ruleset simplified-10x10 --games 1000000 --threads 1";
    let output = interrupted(games);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(
        said.contains("\nTo finish:\n  tetrolab eval bcts "),
        "{said}"
    );
    assert!(!said.contains("Again:"), "{said}");
}

/// Plays for at least a second.
const SECONDS_OF_PLAY: &str =
    "eval bcts --ruleset simplified-10x10 --games 1000 --threads 1 --json";

#[test]
fn a_hangup_that_was_ignored_at_the_start_stays_ignored() {
    let mut shell = Command::new("sh");
    shell.args([
        "-c",
        "trap '' HUP; exec \"$0\" \"$@\"",
        env!("CARGO_BIN_EXE_tetrolab"),
    ]);
    shell
        .args(SECONDS_OF_PLAY.split(' '))
        .stdout(Stdio::piped());
    let child = shell.stderr(Stdio::piped()).spawn().unwrap();
    wait_until_it_listens(&child);
    for _ in 0..4 {
        std::thread::sleep(Duration::from_millis(50));
        crate::signal(&child, "HUP");
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(said["results"][0]["games"], 1000);
}

#[test]
fn simultaneous_signals_are_one_request_and_lose_nothing() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tetrolab"));
    let endless = "eval bcts --ruleset simplified-10x10 --games 10000000 --threads 1 --json";
    command.args(endless.split(' ')).stdout(Stdio::piped());
    let child = command.spawn().unwrap();
    wait_until_it_listens(&child);
    for name in ["TERM", "TERM", "HUP"] {
        crate::signal(&child, name);
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(said["results"][0]["interrupted"], true);
    assert_eq!(said["interrupted"], true);
}

#[cfg(target_os = "linux")]
#[test]
fn an_error_that_cannot_be_printed_keeps_its_exit_code() {
    let mut shell = Command::new("sh");
    let program = env!("CARGO_BIN_EXE_tetrolab");
    shell.args(["-c", "exec \"$0\" eval nobody 2>/dev/full", program]);
    assert_eq!(shell.status().unwrap().code(), Some(2));
    let mut shell = Command::new("sh");
    shell.args(["-c", "exec \"$0\" eval 2>/dev/full", program]);
    assert_eq!(shell.status().unwrap().code(), Some(2));
}

#[test]
fn interrupted_tables_describe_the_entries_seen_so_far() {
    let output = interrupted("tables wary-10 --pieces 100000000");
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(
        said.starts_with("Lookup tables of wary-10 · simplified-10x10 · "),
        "{said}"
    );
}

#[test]
fn a_slow_decision_is_not_waited_for() {
    // One decision takes minutes.
    let slow = "mcts(bcts,simulations=10000000,depth=3)";
    let (output, time) = interrupted_in(&format!(
        "eval {slow} --ruleset simplified-10x20 --games 1 --threads 1"
    ));
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with("tetrolab: interrupted before"), "{said}");
    // It should be two seconds, but the machine may be busy.
    assert!(time < Duration::from_secs(10), "{time:?}");
}

#[test]
fn an_adversary_that_thinks_for_long_is_not_waited_for_in_an_analysis() {
    let output = interrupted(
        "analyse expectimax(bcts) --ruleset simplified-16x40(randomizer=adversary(bcts,depth=4)) \
         --board ................ --piece S",
    );
    assert_eq!(output.status.code(), Some(130));
    // A fast machine finishes the decision within the time limit.
    let said = String::from_utf8_lossy(&output.stderr);
    let late = "tetrolab: stopped during a long decision; results that were not saved are lost\n";
    assert!(said.is_empty() || said == late, "{said}");
}

#[test]
fn an_interrupted_experiment_prints_partial_results_and_how_to_resume() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("long.toml");
    let long = "question = \"How long?\"\n[test]\nruleset = \"simplified-10x20\"\n\
        target = { games = 1000 }\n[[arm]]\nid = \"a\"\nplayer = \"bcts\"\n";
    std::fs::write(&file, long).unwrap();
    let out = folder.path().join("out");
    let output = interrupted(&format!(
        "reproduce {} --threads 1 --out {}",
        file.display(),
        out.display()
    ));
    assert_eq!(output.status.code(), Some(130));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.contains("Interrupted. To resume:\n  tetrolab reproduce "),
        "{said}"
    );
    assert!(out.join("report.html").is_file());
}
