//! `tetrolab runs`: shows and exports the store of a lab.

mod overview;
mod picture;

use crate::learn::asked_learner;
use crate::output::{line, print_json, print_table, print_wrapped};
use anyhow::bail;
use overview::RunOverview;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tetrolab::core::spec::SpecError;
use tetrolab::learning::export::{self, ExportedRun, GenerationRow};
use tetrolab::learning::{Learning, RunFolder, Store, StoreError, StoredRun};
use tetrolab::report::{Align, Table, differing, show};

/// The default folder of the lab.
pub(crate) const RUNS: &str = "runs";

const EXAMPLES: &str = "\
Examples:
  tetrolab runs
  tetrolab runs boumaza-3f2a9c01 --csv > generations.csv
  tetrolab runs swarm-1 swarm-2 --csv --candidates > candidates.csv
  tetrolab runs swarm-1 swarm-2 cma-1 cma-2 --svg curves.svg";

/// List learning runs, export one of them, or draw learning curves.
///
/// Without a RUN, lists all runs of the lab, latest first. With a RUN, shows its settings, the
/// command that repeats it, and its generations. --json and --csv print every number with all
/// digits; --candidates adds every candidate with its fitness to JSON, or prints candidates instead
/// of generations in CSV. In CSV, every weight has a column, such as weight:holes, and the last
/// columns are the name, learner and seed of the run; several runs are one table. Games, pieces and
/// seconds are those of each generation. --svg draws
/// learning curves over pieces; `tetrolab plot` has other axes and plots.
///
/// The column `test` has the test that `learn` played after training, with the seed of training:
/// runs with different seeds were tested on different games.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// A run: its name or its folder (runs/NAME). With --csv or --svg, several runs can be given.
    #[arg(value_name = "RUN")]
    runs: Vec<String>,
    /// Folder of the lab, which contains the folders of its runs [default: runs].
    #[arg(long, value_name = "DIR")]
    lab: Option<PathBuf>,
    /// Print CSV.
    #[arg(long, conflicts_with = "json", requires = "runs")]
    csv: bool,
    /// Export the candidates, with --csv or --json.
    #[arg(long, requires = "runs")]
    candidates: bool,
    /// Draw the learning curves of the runs to this file.
    #[arg(long, value_name = "FILE", requires = "runs", conflicts_with_all = ["csv", "json", "candidates"])]
    svg: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Accepted by every command; this one draws no random numbers.
    #[arg(long, hide = true)]
    seed: Option<u64>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if args.candidates && !args.csv && !args.json {
        bail!("--candidates needs --csv or --json; a table of candidates would be too wide");
    }
    match (&args.runs[..], &args.svg) {
        ([], _) => list(args, &find_place(args, "")?)?,
        (_, Some(file)) => picture::draw(args, file)?,
        (_, None) if args.csv => print_csv(args)?,
        ([run], None) => {
            let place = find_place(args, run)?;
            export(args, &Store::read(&place.store())?, &place)?;
        }
        (runs, None) => bail!(
            "expected one run, got {}; only --csv and --svg FILE accept several",
            runs.len()
        ),
    }
    Ok(())
}

/// The lab, and the name of the run if one is given.
fn find_place(args: &Args, run: &str) -> anyhow::Result<RunFolder> {
    if !run.contains(std::path::MAIN_SEPARATOR) {
        let lab = args.lab.clone().unwrap_or_else(|| PathBuf::from(RUNS));
        let id = run.to_owned();
        return Ok(RunFolder { lab, id });
    }
    if args.lab.is_some() {
        bail!(
            "{run} is a path that includes the lab; leave --lab out, or give only the name of the run"
        );
    }
    Ok(RunFolder::at(Path::new(run))?)
}

/// Why runs ended, with equal reasons counted: `20 x 50 generations`.
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
        Some(store) => overview::all(&store, &place.lab)?,
        // A lab that the user named but that does not exist is a typo.
        None if args.lab.is_some() && !place.lab.is_dir() => {
            bail!("{}: there is no such folder", place.lab.display())
        }
        None => Vec::new(),
    };
    if args.json {
        let rows = runs.iter().map(RunOverview::json);
        return Ok(print_json(&json!({ "runs": Value::from_iter(rows) }))?);
    }
    if runs.is_empty() {
        let lab = place.lab.display();
        return Ok(line(&format!(
            "There are no runs in {lab} yet; `tetrolab learn` creates one."
        ))?);
    }
    print_table(&overview::table(&runs))?;
    let plans: Vec<&Learning> = runs.iter().map(|run| &run.run.plan).collect();
    if let Some(differing) = differing::sentence(&plans) {
        line("")?;
        print_wrapped(&differing)?;
    }
    Ok(())
}

/// A time stored in the lab, without seconds: `2009-09-16 12:34`. Years may have more than four
/// digits.
fn to_the_minute(time: &str) -> String {
    let minutes = time.rsplit_once(':').map_or(time, |(minutes, _)| minutes);
    minutes.replace('T', " ")
}

/// Finds a run in the store; the error suggests a similar name.
pub(crate) fn find_run(store: &Store, id: &str) -> anyhow::Result<StoredRun> {
    if let Some(run) = store.run(id)? {
        return Ok(run);
    }
    let ids: Vec<String> = store.runs()?.into_iter().map(|run| run.id).collect();
    let ids = ids.iter().map(String::as_str);
    bail!(SpecError::unknown("run", id, ids))
}

/// Prints the generations or the candidates of all given runs.
fn print_csv(args: &Args) -> anyhow::Result<()> {
    let text = if args.candidates {
        export::candidates_of_runs_csv(&exported(args, export::candidates)?)
    } else {
        export::generations_of_runs_csv(&exported(args, export::generations)?)
    };
    Ok(io::stdout().lock().write_all(text.as_bytes())?)
}

/// All given runs with some of their rows.
fn exported<T>(
    args: &Args,
    rows: impl Fn(&Store, &str) -> Result<Vec<T>, StoreError>,
) -> anyhow::Result<Vec<ExportedRun<T>>> {
    let of = |run: &String| {
        let place = find_place(args, run)?;
        let store = Store::read(&place.store())?;
        let plan = find_run(&store, &place.id)?.plan;
        Ok(ExportedRun {
            rows: rows(&store, &place.id)?,
            learner: asked_learner(&place, &plan),
            name: place.id,
            plan,
        })
    };
    args.runs.iter().map(of).collect()
}

fn export(args: &Args, store: &Store, place: &RunFolder) -> anyhow::Result<()> {
    let id = place.id.as_str();
    let run = find_run(store, id)?;
    let generations = export::generations(store, id)?;
    let run = RunOverview::new(store, &place.lab, run)?;
    if !args.json {
        run.print()?;
        return Ok(print_table(&table_of_generations(&generations))?);
    }
    let mut json = run.json();
    json["generations"] = serde_json::json!(generations);
    if args.candidates {
        let rows = export::candidates(store, id)?;
        json["candidates"] = serde_json::json!(rows);
    }
    Ok(print_json(&json)?)
}

/// The generations of a run. Only some optimisers have a step size; a reinforcement learner has a
/// single player, and so no spread.
fn table_of_generations(rows: &[GenerationRow]) -> Table {
    let trains = rows.first().is_some_and(|row| row.solution.is_empty());
    let columns = [
        ("run", true),
        ("generation", true),
        ("best", !trains),
        ("mean", true),
        ("best so far", trains),
        ("spread", !trains),
        ("sigma", rows.iter().any(|row| row.sigma.is_some())),
        ("games", true),
        ("pieces", true),
        ("seconds", true),
    ];
    let shown = columns.iter().filter(|column| column.1);
    let heads: Vec<_> = shown.map(|column| (column.0, Align::Right)).collect();
    let mut table = Table::new(&heads);
    let small = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.4}"));
    let mut best = f64::NEG_INFINITY;
    for row in rows {
        best = best.max(row.best);
        let cells = [
            row.run.to_string(),
            row.generation.to_string(),
            show(row.best),
            show(row.mean),
            show(best),
            small(row.spread),
            small(row.sigma),
            row.games.to_string(),
            row.pieces.to_string(),
            format!("{:.2}", row.seconds),
        ];
        let shown = cells.into_iter().zip(columns).filter(|cell| cell.1.1);
        table.row(shown.map(|cell| cell.0).collect());
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(best: f64, sigma: Option<f64>) -> GenerationRow {
        GenerationRow {
            run: 1,
            generation: 1,
            best,
            mean: best,
            spread: Some(0.5),
            sigma,
            eigenvalues: Vec::new(),
            solution: Vec::new(),
            games: 3,
            pieces: 9,
            seconds: 0.1,
        }
    }

    #[test]
    fn a_step_size_is_shown_only_where_there_is_one() {
        let text = |sigma| table_of_generations(&[row(5.0, sigma)]).to_text();
        assert!(text(Some(0.25)).contains("sigma") && text(Some(0.25)).contains("0.2500"));
        assert!(!text(None).contains("sigma"));
    }

    #[test]
    fn the_best_test_of_a_reinforcement_learner_stays_in_sight() {
        let text = table_of_generations(&[row(50.0, None), row(20.0, None)]).to_text();
        let last: Vec<&str> = text.lines().last().unwrap().split_whitespace().collect();
        assert_eq!(last[2..4], ["20.0", "50.0"]);
    }

    #[test]
    fn a_time_has_no_seconds_whatever_the_year() {
        assert_eq!(to_the_minute("2009-09-16T12:34:56Z"), "2009-09-16 12:34");
        assert_eq!(to_the_minute("10000-01-01T00:00:00Z"), "10000-01-01 00:00");
        assert_eq!(to_the_minute("no time"), "no time");
    }

    #[test]
    fn equal_reasons_are_listed_once() {
        let stops = ["50 generations", "9 games", "50 generations"];
        assert_eq!(folded(stops.into_iter()), "2 x 50 generations; 9 games");
    }
}
