//! `tetrolab learn`: learn the weights of a player, watch it improve, and see how good it is.

mod settings;
mod show;
mod test;

use crate::machine::MachineFlags;
use crate::output::{line, print_json, thousands};
use crate::runs::{RUNS, folded};
use crate::{Completion, command, in_flags};
use anyhow::bail;
use command::option;
use serde_json::json;
use settings::LearningFlags;
use show::Show;
use std::path::{Path, PathBuf};
use tetrolab::arena::Arena;
use tetrolab::learning::{Learning, RunFolder};
use tetrolab::study::{LearningPlace, LearningResult, find_unfinished, learn, stored};

const EXAMPLES: &str = "\
Examples:
  tetrolab learn                               the default run, danger-quick: less than a minute
  tetrolab learn boumaza                       the paper's full experiment: 20 runs
  tetrolab learn 'ga(population=50)' --features near-perfect --generations 50
  tetrolab learn cross-entropy --ruleset simplified-10x10 --time 5m --run runs/mine
  tetrolab learn --resume --run runs/mine";

/// Learn the weights of a player.
///
/// Without arguments, look-up tables learn from nothing how dangerous a board is (`danger-quick`, see docs/DANGER.md), in less than a minute on two cores. Every
/// generation is a line. For a learner that plays it says what the player of that moment is worth in games that it has not learned from; for an optimiser, the best and the
/// mean fitness of its candidates. Then the learned player is tested on games that it has not seen, beside published players.
///
/// The player is written to player.toml in the run's folder (runs/NAME); `tetrolab eval` takes it like any other. Every
/// generation and candidate is kept in runs/lab.sqlite: `tetrolab runs` shows and exports them.
///
/// The same settings and seed learn the same player on any number of threads. A run that was stopped, by Ctrl-C or by a power
/// cut, goes on with --resume and ends with the same player, to the byte.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) settings: LearningFlags,
    #[command(flatten)]
    machine: MachineFlags,
    /// The run's folder; its lab, with the store, is the folder around it [default: runs/, and a name made from the settings].
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
    /// Go on with a run: that of --run, or of these settings, or else the last one in runs/ that is not finished.
    #[arg(long)]
    resume: bool,
    /// Write the player to this new file too.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    test: test::TestFlags,
    /// Print JSON at the end, and nothing else.
    #[arg(long)]
    json: bool,
    /// Print only the end: why it ended, the player's file, and how good the player is.
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Completion> {
    let arena = args.machine.arena()?;
    let (run, learning) = find_run(args)?;
    args.test.check()?;
    let place = LearningPlace {
        run,
        out: args.out.clone(),
        resume: args.resume,
        provenance: Some(command::learning(&learning)),
    };
    let show = Show::new(
        &learning,
        args.json || args.quiet,
        args.settings.asks_for_games(),
    );
    let learned = learn(&learning, &place, &arena, &|event| show.observe(event));
    show.finish();
    let learned = learned.map_err(in_flags::study)?;
    // The player is written: a closed pipe can no longer lose anything.
    match learned.player.clone() {
        Some(player) => report(args, &arena, &learned, &player),
        None => interrupted(args, &learned),
    }
}

/// The run that is meant, and what it learns.
fn find_run(args: &Args) -> anyhow::Result<(RunFolder, Learning)> {
    if args.resume && !args.settings.any() {
        let run = match &args.run {
            Some(path) => RunFolder::at(path)?,
            None => unfinished()?,
        };
        let learning = stored(&run).map_err(in_flags::study)?;
        return Ok((run, learning));
    }
    let (learning, word) = args.settings.learning()?;
    let run = match &args.run {
        Some(path) => RunFolder::at(path)?,
        None => RunFolder::named(Path::new(RUNS), word, &command::learning(&learning)),
    };
    Ok((run, learning))
}

/// The latest run that is not finished.
fn unfinished() -> anyhow::Result<RunFolder> {
    match find_unfinished(Path::new(RUNS))? {
        Some(run) => Ok(run),
        None => bail!("there is no unfinished run in {RUNS} to go on with"),
    }
}

/// What to say if the cap ended most games of the last generation.
fn cap_note(learned: &LearningResult) -> Option<String> {
    let capped = learned.capped?;
    Some(format!(
        "{} of {} games of the last generation were cut off by --max-pieces",
        thousands(capped.cut_off),
        thousands(capped.games)
    ))
}

fn interrupted(args: &Args, learned: &LearningResult) -> anyhow::Result<Completion> {
    let command = resume_command(args, &learned.run)?;
    if args.json {
        let mut json = serde_json::to_value(learned)?;
        json["command"] = json!(command);
        print_json(&json)?;
    } else {
        line(&format!("\nInterrupted. To go on:\n  {command}"))?;
    }
    Ok(Completion::Interrupted)
}

/// The command that goes on with a run, as it was asked for.
fn resume_command(args: &Args, folder: &str) -> anyhow::Result<String> {
    let mut command = format!("tetrolab learn --resume{}", option("--run", folder));
    if let Some(out) = &args.out {
        command += &option("--out", &out.display().to_string());
    }
    command += &args.test.flags();
    match args.machine.threads()? {
        0 => {}
        threads => command += &format!(" --threads {threads}"),
    }
    let flags = [
        (args.machine.no_kernel, " --no-kernel"),
        (args.json, " --json"),
        (args.quiet, " --quiet"),
    ];
    command.extend(flags.iter().filter(|flag| flag.0).map(|flag| flag.1));
    Ok(command)
}

/// Says what was learned, and how good it is.
fn report(
    args: &Args,
    arena: &Arena,
    learned: &LearningResult,
    player: &str,
) -> anyhow::Result<Completion> {
    let note = cap_note(learned);
    if !args.json {
        print_end(learned, note.as_deref(), player)?;
    }
    let test = args.test.run(arena, &learned.plan, player, args.json)?;
    if args.json {
        let mut json = serde_json::to_value(learned)?;
        json["test"] = test.json;
        json["command"] = json!(command::learning(&learned.plan));
        json["note"] = json!(note);
        print_json(&json)?;
    }
    Ok(test.outcome)
}

fn print_end(learned: &LearningResult, note: Option<&str>, player: &str) -> anyhow::Result<()> {
    if learned.finished_before {
        line("\nThis run was finished before: it is shown again, and nothing new was learned.")?;
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
