//! `tetrolab reproduce`: runs an experiment and compares it with its published numbers.

mod progress;

use crate::bars::say;
use crate::command::{comparison, evaluation, learning};
use crate::in_flags;
use crate::machine::MachineFlags;
use crate::output::{line, print_json, print_lines, print_table, print_wrapped};
use crate::runs::RUNS;
use anyhow::bail;
use progress::ShownExperiment;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tetrolab::experiments::{
    EXPERIMENTS, Experiment, ExperimentError, ExperimentPart, ExperimentReport, ExperimentScale,
    ExperimentSize, Finding, StageStudy, reproduce,
};
use tetrolab::learning::write_whole;
use tetrolab::report::{Align, Table};

/// The report as a page, in the run's folder.
const PAGE: &str = "report.html";
/// The report as data, from which `tetrolab report` recreates the page.
pub(crate) const REPORT: &str = "report.json";

const EXAMPLES: &str = "\
Examples:
  tetrolab reproduce --list
  tetrolab reproduce strategies                          less than two minutes
  tetrolab reproduce strategies --scale paper            the games of the document
  tetrolab reproduce thesis-swarm --scale paper --part 1/2   half of it, on one of two machines
  tetrolab reproduce mine.toml --out runs/mine           your own arms, seeds and budget";

/// Run an experiment from the literature and compare its results with the published numbers.
///
/// An experiment trains players, measures them, and compares the numbers with those of its
/// document. A verdict says whether a measured number agrees with the published one, is higher or
/// lower, or is inconclusive; docs/explanation/experiments.md explains the rules. `--scale quick`
/// takes less than two minutes on two cores; `--scale paper` uses the populations, games and caps
/// of the document.
///
/// Results of stages are stored in the folder of the run, one JSON file each. Repeating the command
/// continues an interrupted run and computes only what is missing. Ctrl-C prints partial results.
/// The report is also written as report.html and as report.json, which `tetrolab report` reads.
///
/// Parts of an experiment can be run by several processes or machines: `--part 1/2` does half of
/// the training runs, and the tests that need no results of other parts. Copy the JSON files of all
/// parts into one folder and run the command there without `--part`: it runs the stages that need
/// several parts, and writes the report.
///
/// A TOML file instead of a name describes your own experiment: arms (players to train or existing
/// ones), training seeds, an equal budget for every arm, and one test for all.
/// docs/how-to/compare-learning-methods.md has an example.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The experiment: a name, or a TOML file.
    #[arg(value_name = "ID|FILE.toml", required_unless_present = "list")]
    experiment: Option<String>,
    /// Print every experiment with its question, without running any.
    #[arg(long, conflicts_with = "experiment")]
    list: bool,
    /// The size of the experiment: quick or paper.
    #[arg(long, value_name = "SCALE", default_value = "quick")]
    scale: ExperimentScale,
    /// The folder of the run; a run in it is continued [default: runs/reproduce/ID-SCALE, followed
    /// by the seed if it is not 1].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Run one of several parts, such as 2/4, on separate machines; see above.
    #[arg(long, value_name = "K/N", conflicts_with = "list")]
    part: Option<ExperimentPart>,
    /// Seed from which all seeds of the experiment are derived.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    machine: MachineFlags,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let size = ExperimentSize {
        scale: args.scale,
        seed: args.seed,
    };
    let Some(name) = args.experiment.as_deref().filter(|_| !args.list) else {
        return list(args, size);
    };
    let whole = find(name, size).map_err(in_flags::experiment)?;
    let experiment = args
        .part
        .map_or_else(|| whole.clone(), |part| whole.part(part));
    let out = out_folder(args, &experiment);
    if out.is_file() {
        bail!(
            "{}: expected a folder for --out, found a file",
            out.display()
        );
    }
    if is_file(name)
        && let Some(differing) = whole.differing_settings()
    {
        say(&format!(
            "Note: the arms train with different {differing}. A field in [learning] applies to all arms."
        ));
    }
    let shown = Arc::new(ShownExperiment::default());
    let observer = Arc::clone(&shown);
    let context = args.machine.context()?;
    let context = context.observer(move |event| observer.observe(&event.event));
    let report = reproduce(&experiment, &out, &repeat, &context);
    shown.end();
    let report = report.map_err(in_flags::experiment)?;
    write_whole(&out.join(PAGE), &report.page().html())?;
    write_whole(&out.join(REPORT), &serde_json::to_string_pretty(&report)?)?;
    if args.json {
        return Ok(print_json(&report)?);
    }
    print(&report)?;
    print_end(args, &report, &out)
}

/// Whether this is a file of the user instead of the name of an experiment.
fn is_file(name: &str) -> bool {
    name.ends_with(".toml") || name.contains(std::path::MAIN_SEPARATOR)
}

/// Finds a named experiment, or reads one from a file.
fn find(name: &str, size: ExperimentSize) -> Result<Experiment, ExperimentError> {
    if is_file(name) {
        Experiment::from_file(Path::new(name), size)
    } else {
        Experiment::named(name, size)
    }
}

fn out_folder(args: &Args, experiment: &Experiment) -> PathBuf {
    let usual = || {
        let mut name = format!("{}-{}", experiment.id, experiment.size.scale.name());
        if experiment.size.seed != 1 {
            name.push_str(&format!("-seed-{}", experiment.size.seed));
        }
        Path::new(RUNS).join("reproduce").join(name)
    };
    args.out.clone().unwrap_or_else(usual)
}

/// The command that repeats the study of a stage.
pub(crate) fn repeat(study: &StageStudy) -> Option<String> {
    match study {
        StageStudy::Learn(of) => Some(learning(of)),
        StageStudy::Evaluate(of) => Some(evaluation(of)),
        StageStudy::Compare(of) => Some(comparison(of)),
        StageStudy::Select { .. } | StageStudy::Write { .. } => None,
    }
}

/// Prints every experiment.
fn list(args: &Args, size: ExperimentSize) -> anyhow::Result<()> {
    let rows = EXPERIMENTS.iter().map(|entry| (entry, (entry.make)(size)));
    let rows: Vec<_> = rows.collect();
    if args.json {
        let json = rows.iter().map(|(entry, definition)| {
            serde_json::json!({
                "experiment": entry.id,
                "definition": entry.definition,
                "source": entry.source,
                "question": definition.question,
                "open": definition.open,
                "deviations": definition.deviations,
                "cost": definition.cost,
                "stages": definition.stages.len(),
                "arms": definition.arms.len(),
            })
        });
        let json: Vec<_> = json.collect();
        return Ok(print_json(&serde_json::json!({ "experiments": json }))?);
    }
    let mut table = Table::new(&[
        ("experiment", Align::Left),
        ("question", Align::Wrapped),
        ("from", Align::Wrapped),
    ]);
    for (entry, definition) in rows {
        table.row(vec![
            entry.id.to_owned(),
            definition.question,
            entry.source.to_owned(),
        ]);
    }
    Ok(print_table(&table)?)
}

/// Prints a report.
fn print(report: &ExperimentReport) -> anyhow::Result<()> {
    line(&format!(
        "{} · {} scale · seed {}\n",
        report.experiment,
        report.scale.name(),
        report.seed
    ))?;
    print_wrapped(&report.question)?;
    print_list(
        "\nNot stated in the document, and our choices:",
        &report.open,
    )?;
    print_list("\nDifferences from the document:", &report.deviations)?;
    for (variant, table) in report.tables() {
        line("")?;
        if !variant.is_empty() {
            line(&format!("{variant}:"))?;
        }
        print_table(&table)?;
    }
    if !report.notes().is_empty() {
        line("")?;
    }
    for note in report.notes() {
        print_wrapped(note)?;
    }
    // Findings that only have plots are shown on the page.
    let findings = report.findings.iter();
    let mut findings = findings.filter(|one| !one.texts.is_empty() || !one.tables.is_empty());
    findings.try_for_each(print_finding)?;
    let verdicts = report
        .verdicts()
        .into_iter()
        .filter(|verdict| verdict.1 > 0);
    let verdicts: Vec<String> = verdicts
        .map(|(word, count)| format!("{count} {word}"))
        .collect();
    if !verdicts.is_empty() {
        line(&format!("\nPublished numbers: {}.", verdicts.join(", ")))?;
    }
    Ok(())
}

fn print_list(heading: &str, texts: &[String]) -> anyhow::Result<()> {
    if texts.is_empty() {
        return Ok(());
    }
    line(heading)?;
    for text in texts {
        print_wrapped(&format!("- {text}"))?;
    }
    Ok(())
}

fn print_finding(finding: &Finding) -> anyhow::Result<()> {
    line(&format!("\n{}\n", finding.heading))?;
    for text in &finding.texts {
        print_wrapped(text)?;
    }
    for table in &finding.tables {
        line(&format!("\n{}:", table.caption))?;
        print_table(&table.table())?;
    }
    Ok(())
}

/// Prints where the results are stored and which commands repeat them.
fn print_end(args: &Args, report: &ExperimentReport, out: &Path) -> anyhow::Result<()> {
    const SHOWN: usize = 5;
    let commands: Vec<_> = report
        .stages
        .iter()
        .filter_map(|stage| stage.command.as_ref())
        .collect();
    if !commands.is_empty() {
        line("\nCommands behind the numbers:")?;
        let lines = commands
            .iter()
            .take(SHOWN)
            .map(|command| format!("  {command}"));
        print_lines(&lines.collect::<Vec<_>>())?;
        if commands.len() > SHOWN {
            let more = commands.len() - SHOWN;
            line(&format!(
                "  and {more} more: `\"command\"` in {}/*.json",
                out.display()
            ))?;
        }
    }
    line(&format!("\nPage:    {}", out.join(PAGE).display()))?;
    line(&format!("Results: {}", out.display()))?;
    if report.interrupted {
        let name = args.experiment.as_deref().unwrap_or_default();
        let command = [
            format!("tetrolab reproduce {}", crate::command::quote(name)),
            format!(" --scale {}", args.scale.name()),
            crate::command::option_if("--out", args.out.as_ref().map(|out| out.display())),
            format!(" --seed {}", args.seed),
            crate::command::option_if("--part", args.part),
        ];
        line(&format!("Interrupted. To resume:\n  {}", command.concat()))?;
    }
    Ok(())
}
