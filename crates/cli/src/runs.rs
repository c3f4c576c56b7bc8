//! `tetrolab runs`: what the store of a lab holds, to read and to export.

mod picture;

use crate::output::{Align, Table, line, print_json, show};
use crate::{Completion, command};
use anyhow::bail;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tetrolab::core::spec::SpecError;
use tetrolab::learning::export::{self, GenerationRow};
use tetrolab::learning::{RunFolder, Store, StoredRun};

/// The folder of labs that have no other.
pub(crate) const RUNS: &str = "runs";

const EXAMPLES: &str = "\
Examples:
  tetrolab runs
  tetrolab runs boumaza-3f2a9c01 --csv > generations.csv
  tetrolab runs boumaza-3f2a9c01 --csv --candidates > candidates.csv
  tetrolab runs swarm-1 swarm-2 cma-1 cma-2 --svg curves.svg";

/// Show the learning runs of a lab, export one of them, or draw the learning curves of several.
///
/// Without a RUN: all runs of the lab, the latest first. With a RUN: its generations. --json and --csv print every number with
/// all its digits; with --candidates also (JSON) or instead (CSV) every candidate with its fitness. In CSV every weight has a
/// column: weight:holes. --svg draws the best fitness of each generation of one or several runs, and in a paler colour the mean, against the
/// pieces played so far; the axis of fitness is logarithmic beyond a factor of 20. Runs whose names differ only in a number at their end
/// (swarm-1, swarm-2) have one colour.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// A run: its name, or its folder (runs/NAME); with --svg, one or several.
    #[arg(value_name = "RUN")]
    runs: Vec<String>,
    /// The folder of the lab: the one around the folders of its runs [default: runs].
    #[arg(long, value_name = "DIR")]
    lab: Option<PathBuf>,
    /// Print CSV.
    #[arg(long, conflicts_with = "json", requires = "runs")]
    csv: bool,
    /// Export the candidates, with --csv or --json.
    #[arg(long, requires = "runs")]
    candidates: bool,
    /// Draw the learning curves of the runs into this file.
    #[arg(long, value_name = "FILE", requires = "runs", conflicts_with_all = ["csv", "json", "candidates"])]
    svg: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Accepted for the sake of uniformity; a store draws no random numbers.
    #[arg(long, hide = true)]
    seed: Option<u64>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Completion> {
    if args.candidates && !args.csv && !args.json {
        bail!(
            "--candidates exports with --csv or --json; a table of candidates is too wide to read"
        );
    }
    match (&args.runs[..], &args.svg) {
        ([], _) => list(args, &find_place(args, "")?)?,
        (_, Some(file)) => picture::draw(args, file)?,
        ([run], None) => {
            let place = find_place(args, run)?;
            export(args, &Store::read(&place.store())?, &place.id)?;
        }
        (runs, None) => bail!(
            "{} runs are named, but only --svg FILE takes several",
            runs.len()
        ),
    }
    Ok(Completion::Done)
}

/// The lab, and the name of the run in it if one is asked for.
fn find_place(args: &Args, run: &str) -> anyhow::Result<RunFolder> {
    if !run.contains(std::path::MAIN_SEPARATOR) {
        let lab = args.lab.clone().unwrap_or_else(|| PathBuf::from(RUNS));
        let id = run.to_owned();
        return Ok(RunFolder { lab, id });
    }
    if args.lab.is_some() {
        bail!("{run} is a folder, which names its lab; leave --lab out, or name the run alone");
    }
    Ok(RunFolder::at(Path::new(run))?)
}

/// Why runs ended, equal reasons together: `20 x 50 generations`.
pub(crate) fn folded<'a>(stops: impl Iterator<Item = &'a str>) -> String {
    let mut counted: Vec<(&str, u64)> = Vec::new();
    for stop in stops {
        match counted.iter_mut().find(|(known, _)| *known == stop) {
            Some((_, count)) => *count += 1,
            None => counted.push((stop, 1)),
        }
    }
    let show = |(stop, count): (&str, u64)| match count {
        1 => stop.to_owned(),
        _ => format!("{count} x {stop}"),
    };
    let shown: Vec<String> = counted.into_iter().map(show).collect();
    shown.join("; ")
}

fn list(args: &Args, place: &RunFolder) -> anyhow::Result<()> {
    let runs = match Store::find(&place.store())? {
        Some(store) => store.runs()?,
        // A folder that was named but does not exist is a typo.
        None if args.lab.is_some() && !place.lab.is_dir() => {
            bail!("{}: there is no such folder", place.lab.display())
        }
        None => Vec::new(),
    };
    if args.json {
        let rows = runs.iter().map(run_json);
        return Ok(print_json(&json!({ "runs": Value::from_iter(rows) }))?);
    }
    if runs.is_empty() {
        let lab = place.lab.display();
        return Ok(line(&format!(
            "There are no runs in {lab} yet; `tetrolab learn` makes one."
        ))?);
    }
    Ok(table_of_runs(&runs).print()?)
}

/// The runs of a lab. The settings of the learner, and the objective, are in the JSON: the table is to fit 120 columns.
fn table_of_runs(runs: &[StoredRun]) -> Table {
    let mut table = Table::new(&[
        ("run", Align::Left),
        ("begun (UTC)", Align::Left),
        ("learner", Align::Left),
        ("ruleset", Align::Left),
        ("features", Align::Wrapped),
        ("gen.", Align::Right),
        ("ended", Align::Wrapped),
    ]);
    for run in runs {
        let ended = run.ended.as_deref();
        table.row(vec![
            run.id.clone(),
            to_the_minute(&run.begun),
            run.plan
                .learner
                .split('(')
                .next()
                .unwrap_or_default()
                .to_owned(),
            run.plan.ruleset.clone(),
            run.plan.features.clone(),
            run.generations.to_string(),
            ended.map_or("not yet".to_owned(), |ended| folded(ended.split("; "))),
        ]);
    }
    table
}

/// A time of the store without its seconds: `2009-09-16 12:34`. Years may have more than four digits.
fn to_the_minute(time: &str) -> String {
    let minutes = time.rsplit_once(':').map_or(time, |(minutes, _)| minutes);
    minutes.replace('T', " ")
}

/// A run of the store, or what it may have been meant to be called.
fn find_run(store: &Store, id: &str) -> anyhow::Result<StoredRun> {
    if let Some(run) = store.run(id)? {
        return Ok(run);
    }
    let ids: Vec<String> = store.runs()?.into_iter().map(|run| run.id).collect();
    bail!(SpecError::unknown(
        "run",
        id,
        ids.iter().map(String::as_str)
    ))
}

fn export(args: &Args, store: &Store, id: &str) -> anyhow::Result<()> {
    let run = find_run(store, id)?;
    if args.csv {
        let text = match args.candidates {
            true => export::candidates_csv(&run.plan, &export::candidates(store, id)?),
            false => export::generations_csv(&run.plan, &export::generations(store, id)?),
        };
        return Ok(io::stdout().lock().write_all(text.as_bytes())?);
    }
    let generations = export::generations(store, id)?;
    if !args.json {
        return Ok(table_of_generations(&generations).print()?);
    }
    let mut json = as_json(&run, &generations);
    if args.candidates {
        let rows = export::candidates(store, id)?;
        json["candidates"] = rows.iter().map(export::candidate_json).collect();
    }
    Ok(print_json(&json)?)
}

/// A run without its generations, with the command that makes it again.
fn run_json(run: &StoredRun) -> Value {
    let mut json = export::run_json(run);
    json["command"] = json!(command::learning(&run.plan));
    json
}

fn as_json(run: &StoredRun, generations: &[GenerationRow]) -> Value {
    let mut json = run_json(run);
    json["generations"] = generations.iter().map(export::generation_json).collect();
    json
}

fn table_of_generations(rows: &[GenerationRow]) -> Table {
    let heads = [
        "run",
        "generation",
        "best",
        "mean",
        "spread",
        "sigma",
        "games",
        "pieces",
        "seconds",
    ];
    let mut table = Table::new(&heads.map(|head| (head, Align::Right)));
    let small = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.4}"));
    for row in rows {
        table.row(vec![
            row.run.to_string(),
            row.generation.to_string(),
            show(row.best),
            show(row.mean),
            small(row.spread),
            small(row.sigma),
            row.games.to_string(),
            row.pieces.to_string(),
            format!("{:.2}", row.seconds),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::{folded, to_the_minute};

    #[test]
    fn a_time_has_no_seconds_whatever_the_year() {
        assert_eq!(to_the_minute("2009-09-16T12:34:56Z"), "2009-09-16 12:34");
        assert_eq!(to_the_minute("10000-01-01T00:00:00Z"), "10000-01-01 00:00");
        assert_eq!(to_the_minute("no time"), "no time");
    }

    #[test]
    fn equal_reasons_are_said_once() {
        let stops = ["50 generations", "9 games", "50 generations"];
        assert_eq!(folded(stops.into_iter()), "2 x 50 generations; 9 games");
    }
}
