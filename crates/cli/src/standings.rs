//! Prints evaluations, with the commands that repeat them.

use crate::command::{self, option_if};
use crate::output::{again, line, print_lines};
use anyhow::bail;
use serde_json::{Value, json};
use std::path::Path;
use tetrolab::report::evaluation_lines;
use tetrolab::study::{Evaluated, Evaluation};

/// How the output of an evaluation is formatted.
#[derive(Default)]
pub(crate) struct Style<'a> {
    /// Whether to show the levels of every estimate; with a single estimate they are always shown.
    pub(crate) levels: bool,
    /// The width of the board.
    pub(crate) width: usize,
    /// The folder from which an interrupted estimate can be resumed.
    pub(crate) resume: Option<&'a Path>,
    /// The CSV file of all games, if requested; an interrupted evaluation that can be resumed
    /// writes it when it finishes.
    pub(crate) table: Option<&'a Path>,
}

/// The result as JSON, with the command that repeats each player's evaluation.
pub(crate) fn json(evaluation: &Evaluation, evaluated: &Evaluated) -> anyhow::Result<Value> {
    let mut json = serde_json::to_value(evaluated)?;
    for (index, result) in evaluated.results.iter().enumerate() {
        let command = command::evaluation(&evaluation.repeat(result));
        json["results"][index]["command"] = json!(command);
    }
    Ok(json)
}

/// Prints the results and the commands that repeat them.
pub(crate) fn print(
    evaluation: &Evaluation,
    evaluated: &Evaluated,
    style: &Style<'_>,
) -> anyhow::Result<()> {
    print_lines(&evaluation_lines(evaluated, style.width, style.levels))?;
    print_missing(evaluation, evaluated)?;
    print_command(evaluation, evaluated, style)
}

/// The error of a command that could measure only some of the players.
pub(crate) fn fail_if_some_failed(evaluated: &Evaluated) -> anyhow::Result<()> {
    let failed = evaluated.failed.iter();
    let failed = failed.map(|failed| format!("{}: {}", failed.player, failed.error));
    match &failed.collect::<Vec<_>>()[..] {
        [] => Ok(()),
        failed => bail!("{}", failed.join("; ")),
    }
}

/// Prints the command that repeats all results, or finishes them.
fn print_command(
    evaluation: &Evaluation,
    evaluated: &Evaluated,
    style: &Style<'_>,
) -> anyhow::Result<()> {
    line(again(evaluated.interrupted))?;
    let kept = style.resume.filter(|_| evaluated.interrupted);
    let table = style.table.filter(|_| kept.is_some());
    let [kept, table] = [kept, table].map(|path| path.map(Path::display));
    let more = option_if("--resume", kept) + &option_if("--csv", table);
    let command = command::evaluation_with(evaluation, &more);
    Ok(line(&format!("  {command}"))?)
}

/// Prints the names of the players that were not reached.
fn print_missing(evaluation: &Evaluation, evaluated: &Evaluated) -> anyhow::Result<()> {
    let is_missing = |name: &&String| {
        let known = evaluated.results.iter().map(|result| &result.player);
        let failed = evaluated.failed.iter().map(|failed| &failed.player);
        !known.chain(failed).any(|known| known == *name)
    };
    let missing = evaluation.players.iter().filter(is_missing).cloned();
    let missing: Vec<String> = missing.collect();
    if !missing.is_empty() {
        line(&format!(
            "\nInterrupted before there was a result for {}.",
            missing.join(", ")
        ))?;
    }
    Ok(())
}
