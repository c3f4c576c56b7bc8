//! `tetrolab learn`: trains a player, shows the progress, and tests the player.

pub(crate) mod header;
pub(crate) mod names;
mod origin;
mod settings;
mod show;
pub(crate) mod test;

use crate::machine::MachineFlags;
use crate::output::{line, print_json};
use crate::runs::{RUNS, folded};
use crate::{command, in_flags};
use anyhow::Context;
use command::{option, option_if};
use header::Header;
use serde_json::{Value, json};
use settings::{AskedLearning, LearningFlags};
use show::Show;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use test::Tested;
use tetrolab::context::Event;
use tetrolab::learning::{Learning, RunFolder, write_whole};
use tetrolab::library::read_text;
use tetrolab::report::thousands;
use tetrolab::study::work::WorkerProcesses;
use tetrolab::study::{LearningPlace, LearningResult, find_unfinished, learn, stored};

const EXAMPLES: &str = "\
Examples:
  tetrolab learn                               the default run, danger-quick: less than a minute
  tetrolab learn boumaza                       the paper's full experiment: 20 runs
  tetrolab learn 'ga(population=50)' --features near-perfect --generations 50
  tetrolab learn cross-entropy --ruleset simplified-10x10 --time 5m --run runs/mine
  tetrolab learn --resume --run runs/mine";

/// Train a player.
///
/// Without arguments, `danger-quick` trains lookup tables from scratch in less than a minute on two
/// cores; a published player makes the first moves of training (behaviour=misakamm-v2,
/// warmup=40000; docs/explanation/danger.md). The header shows all settings and where they come
/// from. Each generation prints a line: for a reinforcement learner, the current player's score on
/// unseen games; for an optimiser, the best and mean fitness of the candidates.
///
/// Finally, the learned player and some published players are tested on unseen games: whole games
/// if they are short enough, otherwise by splitting or with truncated games. The games of the test
/// follow from the seed of training, so runs with different seeds are tested on different games; to
/// compare learned players, use `tetrolab eval` or `tetrolab compare`.
///
/// The player is written to player.toml in the run's folder (runs/NAME), and every command accepts
/// it. Every generation and candidate is stored in runs/lab.sqlite; `tetrolab runs` shows and
/// exports them.
///
/// The same settings and seed give the same player on any number of threads. A run interrupted by
/// Ctrl-C or a power cut continues with --resume and ends with the same player, byte for byte.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) settings: LearningFlags,
    #[command(flatten)]
    machine: MachineFlags,
    /// Folder of the run, inside its lab's folder [default: runs/ plus a name derived from the
    /// settings].
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
    /// The memory limit, such as 4GB or 500MB. A run that is expected to need more is refused
    /// before it starts [default: 1GB].
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    memory: Option<u64>,
    /// Continue a run: the one given by --run or by these settings, or else the latest unfinished
    /// run in runs/.
    #[arg(long)]
    resume: bool,
    /// Also write the player to this new file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Evaluate candidates in worker processes: a command that runs `tetrolab work`, here or on
    /// another machine ('ssh HOST tetrolab work --attached'). Repeat the flag for each worker. A
    /// worker that dies is restarted, and the result does not depend on the workers.
    #[arg(long = "worker", value_name = "COMMAND")]
    workers: Vec<String>,
    #[command(flatten)]
    test: test::TestFlags,
    /// Print only JSON, at the end.
    #[arg(long)]
    json: bool,
    /// Print only the result: why the run ended, the player's file, and the player's test.
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let context = args.machine.context()?;
    let (run, learning, mut header) = find_run(args)?;
    args.test.check()?;
    header.threads = Some(context.arena().threads());
    header.asks_for_games = args.settings.games.is_some();
    let asked = header.asked.clone();
    let place = LearningPlace {
        run,
        out: args.out.clone(),
        resume: args.resume,
        provenance: Some(command::learning(&learning)),
        memory: args.memory,
    };
    let show = Arc::new(Show::new(&learning, args.json || args.quiet, header));
    let (observer, run) = (Arc::clone(&show), place.run.clone());
    let context = context.observer(move |event| {
        if let Event::LearningBegan { .. } = event.event {
            keep_asked(&run, asked.as_deref());
        }
        observer.observe(&event.event);
    });
    let context = match &args.workers[..] {
        [] => context,
        commands => context.on_cluster(Arc::new(WorkerProcesses::new(commands.to_vec()))),
    };
    let learned = learn(&learning, &place, &context);
    show.finish();
    drop(context);
    let learned = learned.map_err(in_flags::study)?;
    // The player has been written, so a closed pipe can no longer lose anything.
    match learned.player.clone() {
        Some(player) => report(args, &place.run, &learned, &player),
        None => interrupted(args, &learned),
    }
}

const MEGABYTE: u64 = 1_000_000;

/// Parses a memory size: `4GB`, `500MB`.
fn memory(text: &str) -> Result<u64, String> {
    let units = [("GB", 1000 * MEGABYTE), ("MB", MEGABYTE)];
    let mut sizes = units.iter().filter_map(|(unit, scale)| {
        let number: u64 = text.strip_suffix(unit)?.trim().parse().ok()?;
        number.checked_mul(*scale).filter(|size| *size > 0)
    });
    let size = sizes.next();
    size.ok_or_else(|| "expected a positive integer with a unit, such as 4GB or 500MB".to_owned())
}

/// Finds the requested run: its description, and how it is displayed.
fn find_run(args: &Args) -> anyhow::Result<(RunFolder, Learning, Header)> {
    if args.resume && !args.settings.any() {
        let run = match &args.run {
            Some(path) => RunFolder::at(path)?,
            None => find_unfinished(Path::new(RUNS))?
                .with_context(|| format!("there is no unfinished run in {RUNS} to resume"))?,
        };
        let learning = stored(&run).map_err(in_flags::study)?;
        let header = Header::of_stored(&asked_learner(&run, &learning));
        return Ok((run, learning, header));
    }
    let AskedLearning {
        learning,
        word,
        header,
    } = args.settings.learning()?;
    let run = match &args.run {
        Some(path) => RunFolder::at(path)?,
        None => RunFolder::named(Path::new(RUNS), word, &command::learning(&learning)),
    };
    Ok((run, learning, header))
}

/// The file that stores the learner's name as typed; the plan contains the optimiser with all its
/// settings.
const ASKED: &str = "asked.json";

/// Stores the learner's name as typed. If that fails, the name is guessed later, so errors are
/// ignored.
fn keep_asked(run: &RunFolder, asked: Option<&str>) {
    let file = run.path().join(ASKED);
    if let Some(asked) = asked.filter(|_| !file.exists()) {
        let _ = write_whole(&file, &format!("{}\n", json!({ "learner": asked })));
    }
}

/// The learner of a run as the user typed it.
pub(crate) fn asked_learner(run: &RunFolder, plan: &Learning) -> String {
    let text = read_text(&run.path().join(ASKED)).ok();
    let json = text.and_then(|text| serde_json::from_str::<Value>(&text).ok());
    let asked = json.and_then(|json| json["learner"].as_str().map(str::to_owned));
    // The name is used only if it still refers to this learner, because folders can be copied.
    let asked = asked.filter(|asked| names::means(asked, &plan.learner));
    asked.unwrap_or_else(|| names::of_plan(&plan.learner))
}

/// A warning if the cap ended most games of the last generation.
fn cap_note(learned: &LearningResult) -> Option<String> {
    let capped = learned.capped?;
    Some(format!(
        "{} of {} games of the last generation were truncated by --max-pieces",
        thousands(capped.cut_off),
        thousands(capped.games)
    ))
}

fn interrupted(args: &Args, learned: &LearningResult) -> anyhow::Result<()> {
    let command = resume_command(args, &learned.run)?;
    if args.json {
        let mut json = serde_json::to_value(learned)?;
        json["command"] = json!(command);
        print_json(&json)?;
    } else {
        line(&format!("\nInterrupted. To resume:\n  {command}"))?;
    }
    Ok(())
}

/// The command that continues a run, as it was requested.
fn resume_command(args: &Args, folder: &str) -> anyhow::Result<String> {
    let memory = args.memory.map(|memory| memory / MEGABYTE);
    let threads = args.machine.threads()?;
    let workers = args.workers.iter();
    let mut command = [
        "tetrolab learn --resume".to_owned(),
        option("--run", folder),
        workers.map(|worker| option("--worker", worker)).collect(),
        option_if("--out", args.out.as_ref().map(|out| out.display())),
        args.test.flags(),
        option_if("--memory", memory.map(|memory| format!("{memory}MB"))),
        option_if("--threads", Some(threads).filter(|threads| *threads > 0)),
    ]
    .concat();
    let flags = [
        (args.machine.no_kernel, " --no-kernel"),
        (args.json, " --json"),
        (args.quiet, " --quiet"),
    ];
    command.extend(flags.iter().filter(|flag| flag.0).map(|flag| flag.1));
    Ok(command)
}

/// Reports the learned player and its test.
fn report(
    args: &Args,
    run: &RunFolder,
    learned: &LearningResult,
    player: &str,
) -> anyhow::Result<()> {
    let note = cap_note(learned);
    if !args.json {
        print_end(learned, note.as_deref(), player)?;
    }
    let tested = Tested {
        learned,
        player,
        folder: &run.path(),
    };
    let test = args.test.run(&args.machine, &tested, args.json)?;
    if args.json {
        let mut json = serde_json::to_value(learned)?;
        json["test"] = test;
        json["command"] = json!(command::learning(&learned.plan));
        json["note"] = json!(note);
        print_json(&json)?;
    }
    Ok(())
}

fn print_end(learned: &LearningResult, note: Option<&str>, player: &str) -> anyhow::Result<()> {
    if learned.finished_before {
        line(
            "\nThis run had already finished: its result is shown again, and nothing new was learned.",
        )?;
    }
    let pieces = thousands(learned.pieces);
    let games = match learned.games {
        0 => String::new(),
        games => format!("{} games, ", thousands(games)),
    };
    let seconds = learned.seconds;
    let ended = folded(learned.ended.iter().map(String::as_str));
    line(&format!(
        "\nended: {ended} · {games}{pieces} pieces, {seconds:.1} s"
    ))?;
    if let Some(note) = note {
        line(note)?;
    }
    Ok(line(&format!("player: {player}\n"))?)
}
