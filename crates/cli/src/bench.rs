//! `tetrolab bench`: measures speed, and checks that no decision has changed.

use crate::bars::workloads_bar;
use crate::interrupt;
use crate::machine::{count_threads, one_thread};
use crate::output::{line, print_json, print_table};
use anyhow::bail;
use serde_json::{Value, json};
use std::time::Duration;
use tetrolab::bench::{Beside, Timing, Verified, WORKLOADS, Workload, signature, verify};
use tetrolab::context::Event;
use tetrolab::core::spec::SpecError;
use tetrolab::report::{Align, Table, thousands};

const EXAMPLES: &str = "\
Examples:
  tetrolab bench --seconds 1
  tetrolab bench --only greedy-bcts-10x20 --json";

/// Measure decisions per second of named workloads, and print a signature of all decisions.
///
/// A workload that the kernel supports is run with both engines, on one thread, in chunks of 50 ms.
/// The fastest chunk counts, because other load on the machine only ever slows a chunk down.
/// `arena-bcts-10x20` alternates between one thread and all threads every quarter of a second; its
/// gain is the median over the rounds.
///
/// The signature is a hash of 400 placements of every published player under five rulesets, made
/// with the general engine. A change that only affects speed must leave it unchanged.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[arg(long, value_name = "NAME", conflicts_with = "verify", help = only_help())]
    only: Option<String>,
    /// Approximate duration of each workload.
    #[arg(
        long,
        value_name = "S",
        default_value_t = 2.0,
        conflicts_with = "verify"
    )]
    seconds: f64,
    /// Number of threads compared with one in the arena workload; by default one per core.
    #[arg(long, value_name = "T", conflicts_with = "verify")]
    threads: Option<usize>,
    /// The seed of the games.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Instead of measuring speed, play with and without the kernel and compare every game:
    /// published players, and all feature sets with random weights under random rules.
    #[arg(long)]
    verify: bool,
    /// Compare at least this many decisions for each player or feature set.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 200_000,
        requires = "verify",
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    decisions: u64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn names() -> impl Iterator<Item = &'static str> {
    WORKLOADS.iter().map(|workload| workload.name)
}

fn only_help() -> String {
    let names: Vec<&str> = names().collect();
    format!("Run only this workload: {}", names.join(", "))
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if !(args.seconds > 0.0 && args.seconds <= 3600.0) {
        bail!(
            "--seconds must be above 0 and at most 3600, got {}",
            args.seconds
        );
    }
    if args.verify {
        return check_kernel(args);
    }
    let threads = count_threads(args.threads)?;
    let workloads = wanted(args.only.as_deref())?;
    check_threads(args, &workloads)?;
    let time = Duration::from_secs_f64(args.seconds);
    let context = one_thread()?;
    let signature = signature()?;
    let bar = workloads_bar(workloads.len());
    let mut timings = Vec::new();
    for workload in workloads {
        bar.set_message(workload.name);
        timings.extend(workload.run(&context, time, args.seed, threads)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let interrupted = interrupt::is_interrupted();
    if args.json {
        let rows = Value::from_iter(timings.iter().map(as_json));
        print_json(&json!({
            "signature": signature, "workloads": rows, "interrupted": interrupted,
        }))?;
    } else {
        print(&signature, &timings)?;
    }
    Ok(())
}

/// Compares the two paths and fails if they differ.
fn check_kernel(args: &Args) -> anyhow::Result<()> {
    let silent = args.json;
    let context = one_thread()?.observer(move |event| match event.event {
        Event::Verified(verified) if !silent => print_verified(&verified),
        _ => {}
    });
    let verified = verify(&context, args.decisions, args.seed)?;
    let interrupted = interrupt::is_interrupted();
    let different = verified.iter().filter(|one| one.difference.is_some());
    let different = different.count();
    let decisions: u64 = verified.iter().map(|one| one.decisions).sum();
    if args.json {
        print_json(&json!({
            "comparisons": verified.len(), "decisions": decisions, "different": different,
            "interrupted": interrupted,
        }))?;
    }
    let comparisons = verified.len();
    match (comparisons, different) {
        (0, _) if interrupted => bail!("interrupted before the first comparison was done"),
        (0, _) => bail!("the kernel does not support this processor: there is nothing to compare"),
        (_, 1..) => {
            bail!("the kernel decides differently in {different} of {comparisons} comparisons")
        }
        _ if args.json => Ok(()),
        _ => {
            let all = format!(
                "{comparisons} comparisons, {} decisions",
                thousands(decisions)
            );
            let so_far = if interrupted {
                " so far: interrupted"
            } else {
                ""
            };
            Ok(line(&format!("\n{all}, no difference{so_far}"))?)
        }
    }
}

/// Prints the result of comparing the two paths.
fn print_verified(verified: &Verified) {
    let different = |seed| format!("DIFFERENT in the game with seed {seed}");
    let found = verified.difference.map(different);
    let found = found.as_deref().unwrap_or("no difference");
    let (what, decisions) = (&verified.what, thousands(verified.decisions));
    let _ = line(&format!("{what}: {decisions} decisions, {found}"));
}

fn wanted(only: Option<&str>) -> anyhow::Result<Vec<&'static Workload>> {
    let is_wanted = |workload: &&Workload| only.is_none_or(|name| workload.name == name);
    let wanted: Vec<&Workload> = WORKLOADS.iter().filter(is_wanted).collect();
    if !wanted.is_empty() {
        return Ok(wanted);
    }
    let unknown = SpecError::unknown("workload", only.unwrap_or_default(), names());
    match unknown {
        SpecError::Unknown { nearest: None, .. } => {
            let names: Vec<&str> = names().collect();
            bail!("{unknown}; the workloads are {}", names.join(", "))
        }
        _ => bail!(unknown),
    }
}

/// Checks that at least one of the workloads uses several threads.
fn check_threads(args: &Args, workloads: &[&Workload]) -> anyhow::Result<()> {
    let on_threads = |workload: &&Workload| workload.beside == Beside::Threads;
    if args.threads.is_none() || workloads.iter().any(on_threads) {
        return Ok(());
    }
    let names: Vec<&str> = workloads.iter().map(|workload| workload.name).collect();
    bail!(
        "{} runs on one thread; leave --threads out",
        names.join(", ")
    )
}

fn as_json(timing: &Timing) -> Value {
    json!({
        "name": timing.name,
        "path": timing.path.name(),
        "threads": timing.threads,
        "decisions_per_second": timing.decisions_per_second as u64,
        "mean_decisions_per_second": timing.mean as u64,
        "chunks": timing.chunks,
        "times_one_thread": timing.times_one_thread,
    })
}

fn print(signature: &str, timings: &[Timing]) -> anyhow::Result<()> {
    line(&format!("signature {signature}\n"))?;
    if timings.is_empty() {
        return Ok(line("interrupted before the first workload was timed")?);
    }
    let right = Align::Right;
    let mut table = Table::new(&[
        ("workload", Align::Left),
        ("path", Align::Left),
        ("threads", right),
        ("decisions/s (best)", right),
        ("(mean)", right),
    ]);
    for timing in timings {
        table.row(vec![
            timing.name.to_owned(),
            timing.path.name().to_owned(),
            timing.threads.to_string(),
            thousands(timing.decisions_per_second.round() as u64),
            thousands(timing.mean.round() as u64),
        ]);
    }
    print_table(&table)?;
    for timing in timings {
        if let Some(times) = timing.times_one_thread {
            let turns = match timing.chunks {
                1 => "one turn".to_owned(),
                chunks => format!("median of {chunks} turns"),
            };
            line(&format!(
                "\n{} threads make {times:.2} times the decisions of one: {turns}.",
                timing.threads
            ))?;
        }
    }
    Ok(())
}
