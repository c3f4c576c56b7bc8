//! The command-line program, with one file per subcommand. This file parses the arguments, and
//! turns errors into one sentence and an exit code.

mod analyse;
mod bars;
mod bench;
mod cap;
mod command;
mod compare;
mod deaths;
mod draw;
mod eval;
mod features;
mod forecast;
mod in_flags;
mod interrupt;
mod learn;
mod list;
mod machine;
mod onnx;
mod output;
mod play;
mod plot;
mod reference;
mod replay;
mod report;
mod reproduce;
mod results;
mod runs;
mod serve;
mod standings;
mod tables;
mod tui;
mod watch;
mod work;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::io::Write;
use std::process::ExitCode;
use tetrolab::external::catch_bot_error;

/// Success.
const DONE: u8 = 0;
/// Invalid input: a name, a flag or a file.
const WRONG_INPUT: u8 = 2;
/// Another worker may be able to do what this one did not do; the code is `EX_TEMPFAIL`.
const TRY_ELSEWHERE: u8 = 75;
/// The user interrupted the program; partial results were printed.
const INTERRUPTED: u8 = 130;

/// The laboratory for artificial Tetris players.
///
/// Start with: tetrolab eval dellacherie bcts dt-10
#[derive(Parser)]
#[command(
    name = "tetrolab",
    version,
    propagate_version = true,
    max_term_width = 100
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    List(list::Args),
    Eval(eval::Args),
    Compare(compare::Args),
    Learn(Box<learn::Args>),
    Runs(runs::Args),
    Features(features::Args),
    Replay(replay::Args),
    Reproduce(reproduce::Args),
    Play(Box<play::Args>),
    Watch(Box<watch::Args>),
    Analyse(Box<analyse::Args>),
    Draw(draw::Args),
    Deaths(deaths::Args),
    Tables(tables::Args),
    Bench(bench::Args),
    Onnx(onnx::Args),
    Report(Box<report::Args>),
    Plot(plot::Args),
    Results(results::Args),
    Reference(reference::Args),
    Work(work::Args),
    Serve(serve::Args),
}

fn main() -> ExitCode {
    let cli = match read_arguments() {
        Ok(cli) => cli,
        Err(error) => return say_what_is_wrong(&error),
    };
    let result = catch_bot_error(|| run(cli.command));
    exit_code(result).into()
}

fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::List(args) => list::run(&args),
        Command::Eval(args) => eval::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Learn(args) => learn::run(&args),
        Command::Runs(args) => runs::run(&args),
        Command::Features(args) => features::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Reproduce(args) => reproduce::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Watch(args) => watch::run(&args),
        Command::Analyse(args) => analyse::run(&args),
        Command::Draw(args) => draw::run(&args),
        Command::Deaths(args) => deaths::run(&args),
        Command::Tables(args) => tables::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Onnx(args) => onnx::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Plot(args) => plot::run(&args),
        Command::Results(args) => results::run(&args),
        Command::Reference(args) => reference::run(&args),
        Command::Work(args) => work::run(&args),
        Command::Serve(args) => serve::run(&args),
    }
}

/// Prints an error and returns the exit code. An interruption always exits with 130, even without
/// output.
fn exit_code(result: anyhow::Result<()>) -> u8 {
    let otherwise = match result {
        Ok(()) => DONE,
        // A closed pipe (`tetrolab list | head`) is not an error.
        Err(error) if is_broken_pipe(&error) => DONE,
        Err(error) => {
            complain(&format!("{error:#}"));
            match error.downcast_ref() {
                Some(work::TryElsewhere(_)) => TRY_ELSEWHERE,
                None => WRONG_INPUT,
            }
        }
    };
    if interrupt::is_interrupted() {
        INTERRUPTED
    } else {
        otherwise
    }
}

/// Parses the command line: a negative number after an option is parsed as its value, so that the
/// error names the option.
fn parser() -> clap::Command {
    Cli::command().mut_subcommands(|command| {
        command.mut_args(|arg| {
            let is_option = !arg.is_positional() && arg.get_action().takes_values();
            if is_option {
                arg.allow_negative_numbers(true)
            } else {
                arg
            }
        })
    })
}

fn read_arguments() -> Result<Cli, clap::Error> {
    Cli::from_arg_matches(&parser().try_get_matches()?)
}

/// Prints help unchanged, and turns an error in the arguments into one sentence.
fn say_what_is_wrong(error: &clap::Error) -> ExitCode {
    let without_command = clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if !error.use_stderr() || error.kind() == without_command {
        let _ = error.print();
        return (error.exit_code() as u8).into();
    }
    let dull = |line: &str| {
        let starts = ["Usage:", "For more", "tip: to pass"];
        starts.iter().any(|start| line.starts_with(start))
    };
    let text = error.to_string();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let sentence: Vec<&str> = lines.take_while(|line| !dull(line)).collect();
    let sentence = sentence
        .join("; ")
        .replace(":;", ":")
        .replace(
            "invalid digit found in string",
            "expected a non-negative integer",
        )
        .replace(
            "number too large to fit in target type",
            "the number is too large",
        );
    let sentence = in_plain_words(sentence.trim_start_matches("error: "));
    complain(&sentence);
    WRONG_INPUT.into()
}

/// Rewrites clap's lists of values and ranges (`[possible values: a, b]`, `0 is not in 1..=50`) as
/// what was expected.
fn in_plain_words(sentence: &str) -> String {
    if let Some((problem, values)) = sentence.split_once("; [possible values: ")
        && let Some((values, rest)) = values.split_once(']')
    {
        return format!("{problem}: expected one of {values}{rest}");
    }
    if let Some((problem, range)) = sentence.rsplit_once(" is not in ")
        && let Some((problem, number)) = problem.rsplit_once(": ")
        && number.parse::<i64>().is_ok()
        && let Some((least, most)) = range.split_once("..=")
    {
        return format!("{problem}: expected an integer from {least} to {most}");
    }
    sentence.to_owned()
}

/// Prints one sentence to standard error. If that fails, only the exit code remains.
fn complain(sentence: &str) {
    let sentence = tetrolab::report::harmless_name(sentence);
    let _ = writeln!(std::io::stderr(), "tetrolab: {sentence}");
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<std::io::Error>();
        io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_lists_of_values_are_written_as_what_was_expected() {
        let range = "invalid value '0' for '--jobs <N>': 0 is not in 1..=50";
        let expected = "invalid value '0' for '--jobs <N>': expected an integer from 1 to 50";
        assert_eq!(in_plain_words(range), expected);
        let list = "invalid value 'x' for '--by <B>'; [possible values: games, splitting]";
        let expected = "invalid value 'x' for '--by <B>': expected one of games, splitting";
        assert_eq!(in_plain_words(list), expected);
        let text = "invalid value 'a: b is not in 1..=2' for '--x <X>': expected a file";
        assert_eq!(in_plain_words(text), text);
    }

    /// The commands in the examples of a help text, split into words as by a shell.
    fn examples(help: &str) -> Vec<Vec<String>> {
        let (_, examples) = help.split_once("Example").unwrap_or_default();
        let commands = examples.split(['\n', '|', '&', ';']).map(str::trim);
        let commands = commands.filter(|command| command.starts_with("tetrolab "));
        commands.map(words).collect()
    }

    /// The words of a command without redirections, and without an explanation after two spaces.
    fn words(command: &str) -> Vec<String> {
        let command = command.split(['>', '<']).next().unwrap_or_default();
        let command = command.split("  ").next().unwrap_or_default();
        let (mut words, mut word, mut is_quoted) = (Vec::new(), String::new(), false);
        for letter in command.chars() {
            match letter {
                '\'' => is_quoted = !is_quoted,
                ' ' if !is_quoted => words.push(std::mem::take(&mut word)),
                letter => word.push(letter),
            }
        }
        words.push(word);
        words.retain(|word| !word.is_empty());
        words
    }

    #[test]
    fn every_help_starts_with_its_purpose_and_ends_with_two_working_examples() {
        let mut command = parser();
        command.build();
        for subcommand in command.get_subcommands() {
            let name = subcommand.get_name();
            if name == "help" {
                continue;
            }
            let purpose = subcommand.get_about().map(ToString::to_string);
            let purpose = purpose.unwrap_or_default();
            assert!(
                purpose.len() > 10 && purpose.len() < 110,
                "{name}: {purpose}"
            );
            let after = [
                subcommand.get_after_long_help(),
                subcommand.get_after_help(),
            ];
            let after: String = after
                .into_iter()
                .flatten()
                .map(ToString::to_string)
                .collect();
            let examples = examples(&after);
            assert!(
                examples.len() >= 2,
                "{name} has {} examples",
                examples.len()
            );
            for example in examples {
                let read = parser().try_get_matches_from(&example);
                assert!(read.is_ok(), "{example:?}: {}", read.unwrap_err());
            }
        }
    }

    #[test]
    fn examples_are_split_into_words() {
        let help = "Examples:\n  tetrolab eval 'greedy(a, b)' --json > x && tetrolab list  why";
        assert_eq!(
            examples(help),
            [
                vec!["tetrolab", "eval", "greedy(a, b)", "--json"],
                vec!["tetrolab", "list"]
            ]
        );
    }
}
