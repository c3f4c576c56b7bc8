//! `tetrolab work`: distributes evaluations over processes or machines.

use crate::machine::MachineFlags;
use crate::output::{json_line, print_json};
use crate::{eval, in_flags, interrupt, standings};
use anyhow::{Context, anyhow, bail};
use clap::Subcommand;
use std::collections::BTreeSet;
use std::fmt;
use std::fs::OpenOptions;
use std::io::{self, BufReader, BufWriter, Write};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;
use tetrolab::library::{FileError, Lines};
use tetrolab::study::work::{
    Answer, ReceivedModels, Unit, UnitRefused, UnitResult, merge, split, work,
};
use tetrolab::study::{Evaluation, GamesGoal, Plan, SplittingPlan};
use tetrolab::survival::{Goal, LevelKind, TRAJECTORIES};

/// How often a worker that is waiting for a unit checks the stop flag.
const GLANCE: Duration = Duration::from_millis(50);

const EXAMPLES: &str = "\
Example, with two processes:
  tetrolab work split bcts dt-10 --games 100000 --parts 8 > units.jsonl
  split -n l/2 units.jsonl half.
  tetrolab work < half.aa > a.jsonl & tetrolab work < half.ab > b.jsonl & wait
  tetrolab work merge a.jsonl b.jsonl";

/// Distribute an evaluation over processes or machines.
///
/// `work split` prints the units of an evaluation, `work` computes units, and `work merge` combines
/// their results: it prints what `eval` alone would have printed, to the last digit.
///
/// `work` reads units from standard input, one JSON object per line, and answers each with one
/// line. A unit contains the complete rules, the levels of splitting, and the text of every player
/// file it names, with networks and tables, so a worker needs no files and reads none. With
/// --models, player files are sent once instead of in every unit. Published players are sent by
/// name. Units of other versions of tetrolab are refused.
///
/// A line that cannot be computed is answered with an object that has "line", "error" and "retry",
/// and work continues with the next line. The exit code is 0 if every unit was computed, 2 if a
/// line is invalid (retrying is useless), and 75 if another worker, or this one with the right
/// --models, may be able to compute all refused units. It is also 75 if units cannot be read or
/// answers cannot be written, as on a full disk; units without an answer can then be retried. A
/// unit whose process died can be computed again by any other.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    step: Option<WorkStep>,
    #[command(flatten)]
    machine: MachineFlags,
    /// Stop when standard input is closed, even in the middle of a unit: for workers that are fed
    /// by another process, such as `learn --worker`.
    #[arg(long)]
    attached: bool,
    /// The player files of the units, as written by `work split --models FILE`.
    #[arg(long, value_name = "FILE")]
    models: Option<PathBuf>,
    /// Accepted for consistency: the output is always JSON.
    #[arg(long)]
    json: bool,
    /// Accepted by every command; a unit has its own seed.
    #[arg(long, hide = true)]
    seed: Option<u64>,
}

#[derive(Subcommand)]
enum WorkStep {
    Split(SplitArgs),
    Merge(MergeArgs),
}

/// Print the units of an evaluation, one JSON object per line.
///
/// Each unit is a range of the games, or of the repetitions of splitting, of one player. The levels
/// of splitting are chosen before the first unit is printed, which can take a minute.
#[derive(clap::Args)]
struct SplitArgs {
    /// Players, as for `tetrolab eval`.
    #[arg(required = true, value_name = "PLAYER")]
    players: Vec<String>,
    /// Ruleset; see `tetrolab list rulesets`.
    #[arg(long, value_name = "RULESET", default_value = "simplified-10x10")]
    ruleset: String,
    /// Number of whole games per player.
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "repetitions",
        required_unless_present = "repetitions"
    )]
    games: Option<u64>,
    /// Number of repetitions of splitting per player, instead of games.
    #[arg(long, value_name = "N")]
    repetitions: Option<u64>,
    #[arg(long, value_name = "N", conflicts_with = "games", help = eval::trajectories_help())]
    trajectories: Option<usize>,
    #[arg(
        long,
        value_name = "LEVEL",
        conflicts_with = "games",
        help = "Splitting: the importance function: danger, stack or own; see `eval --help` [default: danger]"
    )]
    level: Option<LevelKind>,
    /// Truncate games after this many pieces.
    #[arg(long, value_name = "P", conflicts_with = "repetitions")]
    max_pieces: Option<u64>,
    /// Number of units per player; fewer if there are fewer games, more if a unit would exceed
    /// 4,000,000 games.
    #[arg(long, value_name = "K", default_value_t = 8)]
    parts: u64,
    /// Write the player files to this new file, to be sent once to every worker (`work --models`),
    /// instead of including them in every unit.
    #[arg(long, value_name = "FILE")]
    models: Option<PathBuf>,
    #[command(flatten)]
    machine: MachineFlags,
    /// The seed of the games.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Accepted for consistency: the output is always JSON.
    #[arg(long)]
    json: bool,
}

/// Merge the answers of workers into the output of `eval`, to the last digit.
///
/// Answers may be in any order and repeated. If games are missing, or two ranges overlap, the error
/// says which. Refusals are skipped, because another worker may have computed the unit.
#[derive(clap::Args)]
struct MergeArgs {
    /// Files with the answers of workers; - means standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Accepted by every command; units have their own seed.
    #[arg(long, hide = true)]
    seed: Option<u64>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.step {
        None => serve(args),
        Some(WorkStep::Split(args)) => print_units(args),
        Some(WorkStep::Merge(args)) => print_merged(args),
    }
}

/// Answers every line of standard input.
fn serve(args: &Args) -> anyhow::Result<()> {
    let context = args.machine.context()?;
    let mut models = ReceivedModels::new();
    if let Some(path) = &args.models {
        models.read(path)?;
    }
    let mut deadline = Some(interrupt::deadline());
    let mut answered = |answer: &Answer| -> anyhow::Result<()> {
        // An answer is always written completely.
        drop(deadline.take());
        let mut out = io::stdout().lock();
        json_line(&mut out, answer)?;
        out.flush()?;
        deadline = Some(interrupt::deadline());
        Ok(())
    };
    let worked = work(awaited(args.attached), &mut models, &context, &mut answered);
    // Invalid lines have answers, so an error is one of input or output, and the units are valid.
    let stopped = || TryElsewhere("not all units were answered".to_owned());
    let worked = worked.with_context(stopped)?;
    let sentence = match worked.refused {
        0 => return Ok(()),
        _ if worked.interrupted => return Ok(()),
        1 => "1 line was refused; its answer gives the reason".to_owned(),
        refused => format!("{refused} lines were refused; their answers give the reasons"),
    };
    if worked.refused == worked.retryable {
        return Err(TryElsewhere(sentence).into());
    }
    bail!(sentence)
}

/// Units that this worker cannot compute or answer, but another one may.
#[derive(Debug)]
pub(crate) struct TryElsewhere(pub(crate) String);

impl fmt::Display for TryElsewhere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TryElsewhere {}

/// A line with its number, as returned by [`Lines`].
type NumberedLine = Result<(usize, String), FileError>;

/// The lines of standard input, until they end or a stop is requested. Another thread reads them,
/// so that a worker that waits for its next unit can be stopped too.
fn awaited(attached: bool) -> impl Iterator<Item = NumberedLine> {
    let (sender, lines) = mpsc::sync_channel(0);
    thread::spawn(move || {
        let mut lines = standard_input();
        let sent = lines.try_for_each(|line| sender.send(line));
        if attached {
            interrupt::token().cancel();
        }
        sent
    });
    iter::from_fn(move || {
        while !interrupt::is_interrupted() {
            match lines.recv_timeout(GLANCE) {
                Err(RecvTimeoutError::Timeout) => {}
                line => return line.ok(),
            }
        }
        None
    })
}

/// The name of standard input in errors.
const STANDARD_INPUT: &str = "standard input";

fn standard_input() -> Lines {
    Lines::of(BufReader::new(io::stdin()), Path::new(STANDARD_INPUT))
}

fn print_units(args: &SplitArgs) -> anyhow::Result<()> {
    eval::check_commas(&args.players)?;
    if args.parts == 0 {
        bail!("--parts must be at least 1, got 0");
    }
    let evaluation = Evaluation {
        players: args.players.clone(),
        ruleset: args.ruleset.clone(),
        plan: match args.repetitions {
            Some(repetitions) => Plan::Splitting {
                until: Goal::Repetitions(repetitions),
                splitting: SplittingPlan {
                    trajectories: args.trajectories.unwrap_or(TRAJECTORIES),
                    level: args.level.clone().unwrap_or_default(),
                },
            },
            None => Plan::Games {
                until: GamesGoal::Games(args.games.unwrap_or_default()),
                max_pieces: args.max_pieces,
            },
        },
        seed: args.seed,
    };
    let context = args.machine.context()?;
    let units = split(&evaluation, args.parts, &context).map_err(in_flags::work)?;
    let Some(path) = &args.models else {
        for unit in units {
            json_line(&mut io::stdout().lock(), &unit)?;
        }
        return Ok(());
    };
    print_with_models(units, path)
}

/// Prints units without their player files, which are written once to a new file.
fn print_with_models(units: impl Iterator<Item = Unit>, path: &Path) -> anyhow::Result<()> {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    let file = file.map_err(|error| {
        let path = path.display();
        match error.kind() {
            io::ErrorKind::AlreadyExists => {
                anyhow!("{path}: already exists; choose a new file name")
            }
            _ => anyhow!("{path}: cannot be written: {error}"),
        }
    })?;
    let mut models = BufWriter::new(file);
    let mut written = BTreeSet::new();
    for mut unit in units {
        if let Some(model) = unit.player.take_model()
            && written.insert(model.player.clone())
        {
            json_line(&mut models, &model)?;
            models.flush()?;
        }
        json_line(&mut io::stdout().lock(), &unit)?;
    }
    Ok(())
}

fn print_merged(args: &MergeArgs) -> anyhow::Result<()> {
    let mut results: Vec<UnitResult> = Vec::new();
    for file in &args.files {
        let (name, lines) = if file == Path::new("-") {
            (Path::new(STANDARD_INPUT), standard_input())
        } else {
            (file.as_path(), Lines::open(file)?)
        };
        for line in lines {
            let (number, text) = line?;
            // Another worker may have computed a refused unit; otherwise it is missing.
            if serde_json::from_str::<UnitRefused>(&text).is_ok() {
                continue;
            }
            let place = || format!("{}, line {number}", name.display());
            results.push(UnitResult::parse(&text).with_context(place)?);
        }
    }
    let width = results.first().map_or(0, |result| result.rules.width);
    let (evaluation, evaluated) = merge(results)?;
    if args.json {
        return Ok(print_json(&standings::json(&evaluation, &evaluated)?)?);
    }
    let style = standings::Style {
        width,
        ..standings::Style::default()
    };
    standings::print(&evaluation, &evaluated, &style)
}
