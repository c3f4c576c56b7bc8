//! Ctrl-C: whatever there is to print, the program ends as interrupted.

#![cfg(unix)]

use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// What becomes of a command that is interrupted while it plays.
fn interrupted(args: &str) -> Output {
    // On a busy machine the program may not listen yet, and the signal itself ends it.
    let mut outputs = [1, 2, 4, 8]
        .into_iter()
        .map(|seconds| interrupt_after(seconds, args));
    let caught = outputs.find(|output| output.status.code().is_some());
    caught.expect("the program listens within 8 seconds")
}

fn interrupt_after(seconds: u64, args: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tetrolab"));
    command.args(args.split(' ')).stdout(Stdio::piped());
    let child = command.stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(seconds));
    crate::interrupt(&child);
    child.wait_with_output().unwrap()
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
        "tetrolab: interrupted before the first look was over: there is nothing to compare\n"
    );
    // So many trajectories that the first repetition takes minutes.
    let long = format!("{endless} --method splitting --trajectories 1000000");
    for command in ["compare bcts dellacherie", "eval bcts"] {
        let output = interrupted(&format!("{command} {long}"));
        assert_eq!(output.status.code(), Some(130), "{command}");
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
    }
}

#[test]
fn what_was_interrupted_is_said_how_to_finish() {
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
