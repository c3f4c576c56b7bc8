//! The command line from a user's point of view: its output and its errors.

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

/// The output of a command that must succeed.
fn stdout(folder: &Path, args: &[&str]) -> String {
    let output = tetrolab(folder).args(args).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{args:?}: {errors}");
    // On a busy machine, an evaluation may take long enough to report its progress.
    let is_progress = |line: &str| line.contains("to go") || line.contains("games may never end");
    let mut other = errors.lines().filter(|line| !is_progress(line));
    assert_eq!(other.next(), None, "{args:?} is silent in a pipe");
    String::from_utf8(output.stdout).unwrap()
}

/// The JSON output of a command that must succeed.
fn json(folder: &Path, args: &[&str]) -> serde_json::Value {
    let args: Vec<&str> = args.iter().copied().chain(["--json"]).collect();
    serde_json::from_str(&stdout(folder, &args)).unwrap()
}

/// The only output of a command with wrong input: one sentence.
fn sentence(folder: &Path, args: &[&str]) -> String {
    let output = tetrolab(folder).args(args).output().unwrap();
    assert!(output.stdout.is_empty(), "{args:?}");
    failure(folder, &output)
}

/// The sentence on standard error of a command that failed because of its input. It must be listed
/// on the page of error messages.
fn failure(folder: &Path, output: &std::process::Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    let sentence = errors.trim().strip_prefix("tetrolab: ").unwrap();
    errors::check_listed(folder, sentence);
    sentence.to_owned()
}

/// Asks a command to stop, as Ctrl-C does, but with SIGTERM: SIGINT may be ignored if the tests run
/// in the background.
#[cfg(unix)]
fn interrupt(child: &std::process::Child) {
    signal(child, "TERM");
}

/// Sends a signal with the shell's built-in `kill`, because not every machine has the program.
#[cfg(unix)]
fn signal(child: &std::process::Child, name: &str) {
    let kill = format!("kill -{name} {}", child.id());
    let mut shell = std::process::Command::new("sh");
    assert!(shell.args(["-c", &kill]).status().unwrap().success());
}

/// The output of a command whose files cannot grow beyond this many blocks. The signal of the limit
/// is ignored, so writes fail as on a full disk.
#[cfg(unix)]
fn with_file_limit(folder: &Path, blocks: usize, args: &[&str]) -> std::process::Output {
    let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &limited, env!("CARGO_BIN_EXE_tetrolab")]);
    command.args(args).current_dir(folder).output().unwrap()
}
