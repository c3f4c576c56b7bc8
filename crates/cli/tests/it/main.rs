//! The command line as a user meets it: what it prints, and what it says when something is wrong.

mod analyse;
mod bad_input;
mod charts;
mod commands;
mod deaths;
mod documents;
mod errors;
mod evaluation;
mod examples;
mod interrupted;
mod learn;
mod networks;
mod pages;
mod refused;
mod reinforcement;
mod reports;
mod reproduce;
mod resume;
mod schema;
mod shown;
mod survival;
mod tables;
mod terminal;
mod vocabulary;
mod work;

use assert_cmd::Command;
use std::path::Path;

/// The program, run in a folder.
fn tetrolab(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tetrolab"));
    command.current_dir(folder);
    command
}

/// What a run that must succeed prints.
fn stdout(folder: &Path, args: &[&str]) -> String {
    let output = tetrolab(folder).args(args).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{args:?}: {errors}");
    // On a busy machine an evaluation may take so long that it says how far it is.
    let is_progress = |line: &str| line.contains("to go") || line.contains("games may have no end");
    let mut other = errors.lines().filter(|line| !is_progress(line));
    assert_eq!(other.next(), None, "{args:?} is silent in a pipe");
    String::from_utf8(output.stdout).unwrap()
}

/// What a run that must succeed prints as JSON.
fn json(folder: &Path, args: &[&str]) -> serde_json::Value {
    let args: Vec<&str> = args.iter().copied().chain(["--json"]).collect();
    serde_json::from_str(&stdout(folder, &args)).unwrap()
}

/// The one sentence that a run with wrong input prints, and nothing else.
fn sentence(folder: &Path, args: &[&str]) -> String {
    let output = tetrolab(folder).args(args).output().unwrap();
    assert!(output.stdout.is_empty(), "{args:?}");
    failure(folder, &output)
}

/// The one sentence on standard error of a run that failed because of its input. It must be on the
/// page of all error messages.
fn failure(folder: &Path, output: &std::process::Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    let sentence = errors.trim().strip_prefix("tetrolab: ").unwrap();
    errors::check_listed(folder, sentence);
    sentence.to_owned()
}

/// Asks a run to stop, as Ctrl-C does. Not by SIGINT: where the tests run in the background it may
/// be ignored.
#[cfg(unix)]
fn interrupt(child: &std::process::Child) {
    signal(child, "TERM");
}

/// Sends a signal by the shell's own `kill`: not every machine has the program.
#[cfg(unix)]
fn signal(child: &std::process::Child, name: &str) {
    let kill = format!("kill -{name} {}", child.id());
    let mut shell = std::process::Command::new("sh");
    assert!(shell.args(["-c", &kill]).status().unwrap().success());
}

/// What a run ends with when no file can grow beyond this many blocks: the limit fails a write, its
/// signal ignored, as a full disk does.
#[cfg(unix)]
fn with_file_limit(folder: &Path, blocks: usize, args: &[&str]) -> std::process::Output {
    let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &limited, env!("CARGO_BIN_EXE_tetrolab")]);
    command.args(args).current_dir(folder).output().unwrap()
}
