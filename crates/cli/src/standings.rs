//! What an evaluation found, for people and for programs: means, comparisons, and the commands that repeat them.

use crate::command::{self, option};
use crate::estimates;
use crate::output::{again, line, print_table};
use anyhow::bail;
use serde_json::{Value, json};
use std::path::Path;
use tetrolab::report::{Align, Table, show, show_optional, thousands};
use tetrolab::stats::Interval;
use tetrolab::study::{Evaluated, Evaluation, Note, NoteKind, PairResult, PlayerResult};

/// How an evaluation is printed.
pub(crate) struct Style<'a> {
    /// Show the levels of every estimate; those of a single one are always shown.
    pub(crate) levels: bool,
    /// The width of the board.
    pub(crate) width: usize,
    /// The folder from which an interrupted estimate goes on.
    pub(crate) resume: Option<&'a Path>,
    /// The table of all games, if there is one; an interrupted evaluation that can be resumed writes it at its end.
    pub(crate) table: Option<&'a Path>,
}

/// The result with the command that repeats each player's.
pub(crate) fn json(evaluation: &Evaluation, evaluated: &Evaluated) -> anyhow::Result<Value> {
    let mut json = serde_json::to_value(evaluated)?;
    for (index, result) in evaluated.results.iter().enumerate() {
        let command = command::evaluation(&evaluation.repeat(result));
        json["results"][index]["command"] = json!(command);
    }
    Ok(json)
}

/// Prints all there is to say.
pub(crate) fn print(
    evaluation: &Evaluation,
    evaluated: &Evaluated,
    style: &Style<'_>,
) -> anyhow::Result<()> {
    let (estimated, played): (Vec<_>, Vec<_>) = evaluated
        .results
        .iter()
        .partition(|result| result.splitting.is_some());
    if !played.is_empty() {
        print_games(evaluated, &played)?;
    }
    if !played.is_empty() && !estimated.is_empty() {
        let names: Vec<&str> = played.iter().map(|result| &*result.player).collect();
        line(&format!(
            "\nGames of {} end so soon that they were played whole; the others would take longer:\n",
            names.join(", ")
        ))?;
    }
    if !estimated.is_empty() {
        line(&format!(
            "{} · estimated by multilevel splitting · seed {}\n",
            estimated[0].ruleset, evaluation.seed
        ))?;
        let levels = style.levels || estimated.len() == 1;
        estimates::print(&estimated, style.width, levels)?;
    }
    print_missing(evaluation, evaluated)?;
    print_command(evaluation, evaluated, style)
}

/// The error of a command that measured only some of the players.
pub(crate) fn fail_if_some_failed(evaluated: &Evaluated) -> anyhow::Result<()> {
    let failed = evaluated.failed.iter();
    let failed: Vec<String> = failed
        .map(|failed| format!("{}: {}", failed.player, failed.error))
        .collect();
    match failed.is_empty() {
        true => Ok(()),
        false => bail!("{}", failed.join("; ")),
    }
}

fn print_games(evaluated: &Evaluated, played: &[&PlayerResult]) -> anyhow::Result<()> {
    print_heading(played)?;
    print_table(&means_table(played))?;
    if let [first, ..] = &evaluated.comparisons[..] {
        line(&format!("\nOn the same games, against {}:\n", first.first))?;
        print_table(&comparison_table(&evaluated.comparisons))?;
    }
    print_warnings(played)
}

/// The command that repeats all results, or finishes them.
fn print_command(
    evaluation: &Evaluation,
    evaluated: &Evaluated,
    style: &Style<'_>,
) -> anyhow::Result<()> {
    line(again(evaluated.interrupted))?;
    let kept = style.resume.filter(|_| evaluated.interrupted);
    let path = |name, path: Option<&Path>| {
        path.map_or(String::new(), |path| {
            option(name, &path.display().to_string())
        })
    };
    let table = style.table.filter(|_| kept.is_some());
    let more = path("--resume", kept) + &path("--csv", table);
    let command = command::evaluation_with(evaluation, &more);
    Ok(line(&format!("  {command}"))?)
}

/// Names the players that were not reached.
fn print_missing(evaluation: &Evaluation, evaluated: &Evaluated) -> anyhow::Result<()> {
    let is_missing = |name: &&String| {
        let known = evaluated.results.iter().map(|result| &result.player);
        let failed = evaluated.failed.iter().map(|failed| &failed.player);
        !known.chain(failed).any(|known| known == *name)
    };
    let missing: Vec<&str> = evaluation
        .players
        .iter()
        .filter(is_missing)
        .map(String::as_str)
        .collect();
    if !missing.is_empty() {
        line(&format!(
            "\nInterrupted before anything was known of {}.",
            missing.join(", ")
        ))?;
    }
    Ok(())
}

/// Prints the game, how many were played, and the seed.
pub(crate) fn print_heading(played: &[&PlayerResult]) -> anyhow::Result<()> {
    let games = || played.iter().map(|result| result.games);
    let (fewest, most) = (games().min().unwrap_or(0), games().max().unwrap_or(0));
    let games = match most {
        1 => "1 game each".to_owned(),
        // Some players need more games than others for the same precision.
        _ if fewest < most => format!("{} to {} games", thousands(fewest), thousands(most)),
        _ => format!("{} games each", thousands(most)),
    };
    let PlayerResult { ruleset, seed, .. } = played[0];
    Ok(line(&format!("{ruleset} · {games} · seed {seed}\n"))?)
}

/// Prints what a reader should know.
pub(crate) fn print_warnings(played: &[&PlayerResult]) -> anyhow::Result<()> {
    let is_sure = |note: &Note| note.kind == NoteKind::Deterministic;
    let sure = played
        .iter()
        .filter(|result| result.notes.iter().any(is_sure));
    let sure: Vec<&str> = sure.map(|result| &*result.player).collect();
    if !sure.is_empty() {
        line(&format!(
            "\nEvery game of {} was the same: the ruleset leaves nothing to chance, and the interval means nothing.",
            sure.join(", ")
        ))?;
    }
    let is_estimate = |result: &&PlayerResult| {
        result.cut_off > 0 && result.lines.method.as_deref() == Some("censored")
    };
    if played.iter().any(is_estimate) {
        line(
            "\nSome games were cut off: the mean is total lines / lost games (censored estimate).",
        )?;
    }
    for result in played {
        let player = &result.player;
        for note in result.notes.iter().filter(|note| !is_sure(note)) {
            line(&format!("\n{player}: {}.", note.text))?;
        }
    }
    if played.iter().any(|result| result.interrupted) {
        line("Interrupted: only what had been played is counted.")?;
    }
    Ok(())
}

pub(crate) fn show_interval(interval: &Interval) -> String {
    match interval.hi {
        Some(hi) => format!("{} to {}", show(interval.lo), show(hi)),
        None => format!("above {}", show(interval.lo)),
    }
}

pub(crate) fn means_table(played: &[&PlayerResult]) -> Table {
    let right = Align::Right;
    let scores = played.iter().any(|result| result.points.is_some());
    let mut columns = vec![
        ("player", Align::Left),
        ("mean lines", right),
        ("95 % interval", right),
        ("median", right),
        ("sd", right),
        ("max", right),
        ("lost/games", right),
        ("pieces/s", right),
    ];
    if scores {
        columns.splice(6..6, [("mean points", right), ("95 % interval", right)]);
    }
    let mut table = Table::new(&columns);
    for result in played {
        let lines = &result.lines;
        let mut cells = vec![
            result.player.clone(),
            show_optional(lines.mean),
            lines.ci95.as_ref().map_or("?".to_owned(), show_interval),
            show_optional(lines.median),
            show_optional(lines.sd),
            lines.max.map_or("?".to_owned(), thousands),
            format!("{}/{}", result.finished, result.games),
            speed(result),
        ];
        if scores {
            let points = result.points.as_ref();
            let interval = points.and_then(|points| points.ci95.as_ref());
            let interval = interval.map_or("?".to_owned(), show_interval);
            let mean = show_optional(points.and_then(|points| points.mean));
            cells.splice(6..6, [mean, interval]);
        }
        table.row(cells);
    }
    table
}

/// Pieces per second; nothing is known of a player whose turn never came.
fn speed(result: &PlayerResult) -> String {
    match result.games {
        0 => "?".to_owned(),
        _ => show(result.decisions_per_second),
    }
}

fn games(count: usize) -> String {
    match count {
        1 => "1 game".to_owned(),
        _ => format!("{} games", thousands(count as u64)),
    }
}

fn comparison_table(pairs: &[PairResult]) -> Table {
    let right = Align::Right;
    let mut table = Table::new(&[
        ("player", Align::Left),
        ("ratio of means", right),
        ("95 % interval", right),
        ("better in", right),
        ("worse in", right),
        ("equal in", right),
    ]);
    for pair in pairs {
        let ratio = pair.ratio.as_ref();
        table.row(vec![
            pair.second.clone(),
            ratio.map_or("?".to_owned(), |ratio| show(ratio.second_to_first)),
            ratio.map_or("?".to_owned(), |ratio| show_interval(&ratio.ci95)),
            games(pair.second_wins),
            games(pair.first_wins),
            games(pair.ties),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::games;

    #[test]
    fn one_game_is_a_game() {
        assert_eq!(
            [0, 1, 1200].map(games),
            ["0 games", "1 game", "1,200 games"]
        );
    }
}
