//! `tetrolab eval`: a player's mean score, by whole games or by splitting.

mod flags;

use crate::cap::{Cap, parse_cap};
use crate::features::split_at_commas;
use crate::machine::MachineFlags;
use crate::output::print_json;
use crate::{bars, in_flags, interrupt, standings};
use anyhow::bail;
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tetrolab::context::Event;
use tetrolab::library::find_ruleset;
use tetrolab::report::thousands;
use tetrolab::study::{
    Evaluation, GamesGoal, Keep, Method, Plan, RECORDED_PIECES, SplittingPlan, evaluate,
};
use tetrolab::survival::{Goal, LevelKind, TRAJECTORIES};

const EXAMPLES: &str = "\
Examples:
  tetrolab eval dellacherie bcts dt-10 --games 1000
  tetrolab eval bcts --ruleset simplified-10x20 --precision 10%
  tetrolab eval bcts --games 500 --csv games.csv
  tetrolab eval 'two-piece(bcts)' --ruleset two-piece-10x6 --json";

/// Estimate the mean lines of players, with 95 % intervals.
///
/// Short games are played to the end (--games N plays exactly N). For long games, multilevel
/// splitting estimates the same mean from a small fraction of the pieces. By default eval uses the
/// cheaper method for each player, and stops when the relative half width of the interval reaches
/// --precision.
///
/// All players play the same games, so they can be compared. The same seed gives the same results
/// on any number of threads. Ctrl-C prints partial results.
///
/// A PLAYER is a published name (see `tetrolab list players`), a player file, the folder of a
/// learning run (runs/mine), or a spec: greedy(bcts,losing=allow), two-piece(dt-20), random. A
/// program of your own is a player too: 'exec(python3 bot.py)' (docs/how-to/write-a-bot.md).
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Players to evaluate.
    #[arg(required = true, value_name = "PLAYER")]
    players: Vec<String>,
    /// Ruleset: a name (with any size), a spec with settings, or a file; see `tetrolab list
    /// rulesets`.
    #[arg(long, value_name = "RULESET", default_value = "simplified-10x10")]
    ruleset: String,
    /// Whole games, splitting, or whichever is cheaper.
    #[arg(long, value_enum, default_value_t = MethodFlag::Auto)]
    method: MethodFlag,
    /// Play exactly this many whole games.
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Relative half width of the 95 % interval, such as 5% or 0.05.
    #[arg(
        long,
        value_name = "P",
        value_parser = parse_precision,
        default_value = "5%",
        allow_hyphen_values = true,
        conflicts_with_all = ["games", "budget", "repetitions"]
    )]
    precision: f64,
    /// Use splitting with a budget of this many pieces instead of a precision; at least two
    /// repetitions are run.
    #[arg(long, value_name = "PIECES")]
    budget: Option<u64>,
    /// Use splitting with exactly this many repetitions.
    #[arg(long, value_name = "N", conflicts_with = "budget")]
    repetitions: Option<u64>,
    #[arg(long, value_name = "N", help = trajectories_help())]
    trajectories: Option<usize>,
    #[arg(long, value_name = "LEVEL", help = level_help())]
    level: Option<LevelKind>,
    /// Store finished games and repetitions in this folder, and resume from it after an
    /// interruption.
    #[arg(long, value_name = "DIR")]
    resume: Option<PathBuf>,
    /// With splitting, show the probability of reaching each level; for a single player it is
    /// always shown.
    #[arg(long)]
    levels: bool,
    /// Truncate whole games after this many pieces; the mean is then estimated from truncated games
    /// too.
    #[arg(long, value_name = "P|none", value_parser = parse_cap, default_value = "none")]
    max_pieces: Cap,
    #[command(flatten)]
    machine: MachineFlags,
    /// Seed of the games.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[arg(long, value_name = "FILE", help = record_help())]
    record: Option<PathBuf>,
    /// Write the result of every whole game to this new CSV file: player, game, seed, lines,
    /// pieces, line_points, points (where the ruleset gives points), finished. With `--resume`, the
    /// file is written when all games have been played.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// How a mean is estimated, as a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MethodFlag {
    /// Whichever is cheaper: `eval` chooses for each player, `compare` for both together. Programs
    /// play whole games.
    Auto,
    /// Whole games.
    Games,
    /// Multilevel splitting.
    Splitting,
}

impl From<MethodFlag> for Method {
    fn from(flag: MethodFlag) -> Method {
        match flag {
            MethodFlag::Auto => Method::Auto,
            MethodFlag::Games => Method::Games,
            MethodFlag::Splitting => Method::Splitting,
        }
    }
}

/// Help text of the importance function.
pub(crate) fn level_help() -> &'static str {
    "Splitting: the importance function, which affects the cost of an estimate but not its expectation. danger: the \
     logarithm of the death probability, which is first learned from the player's own games; stack: the height of \
     the stack; own: the player's own table score; tables(PLAYER): the table score of another player [default: danger]"
}

fn record_help() -> String {
    let most = thousands(RECORDED_PIECES as u64);
    format!(
        "Write every game to this new file, one JSON object per line, for `tetrolab replay`. At most the first \
         {most} placements of each game are written"
    )
}

pub(crate) fn trajectories_help() -> String {
    format!(
        "Splitting: trajectories that start at each level of a repetition [default: {TRAJECTORIES}]"
    )
}

/// Parses a fraction, written as `5%` or `0.05`.
pub(crate) fn parse_precision(text: &str) -> Result<f64, String> {
    let (number, unit) = match text.strip_suffix('%') {
        Some(number) => (number.trim(), 100.0),
        None => (text, 1.0),
    };
    let value = number.parse::<f64>().map(|number| number / unit);
    let value = value.map_err(|_| "expected a number such as 5% or 0.05".to_owned())?;
    if value > 0.0 && value <= 1.0 {
        Ok(value)
    } else {
        Err("must be above 0 % and at most 100 %".to_owned())
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    check_commas(&args.players)?;
    args.check()?;
    let evaluation = args.evaluation();
    let keep = Keep {
        records: args.record.clone(),
        table: args.csv.clone(),
        resume: args.resume.clone(),
    };
    let shown = Arc::new(ShownEvaluation::default());
    let observer = Arc::clone(&shown);
    let context = args.machine.context_of_typed()?;
    let context = context.observer(move |event| observer.observe(&event.event));
    let evaluated = evaluate(&evaluation, &keep, &context);
    shown.end();
    let evaluated = evaluated.map_err(in_flags::study)?;
    if args.json {
        print_json(&standings::json(&evaluation, &evaluated)?)?;
    } else if evaluated.results.is_empty() {
        bail!("interrupted before there was a result");
    } else {
        let style = standings::Style {
            levels: args.levels,
            width: find_ruleset(&evaluation.ruleset)?.width,
            resume: args.resume.as_deref(),
            table: args.csv.as_deref(),
        };
        standings::print(&evaluation, &evaluated, &style)?;
    }
    standings::fail_if_some_failed(&evaluated)
}

/// The progress of an evaluation, and its response to Ctrl-C.
#[derive(Default)]
struct ShownEvaluation {
    bars: bars::EvaluationBars,
    /// Set only while games are played: output files are always completed.
    deadline: Mutex<Option<interrupt::StopDeadline>>,
}

impl ShownEvaluation {
    fn observe(&self, event: &Event) {
        match event {
            Event::PilotBegan { .. }
            | Event::GamesBegan { .. }
            | Event::RepetitionsBegan { .. } => self.set(Some(interrupt::deadline())),
            Event::PilotEnded { .. } | Event::GamesEnded | Event::RepetitionsEnded { .. } => {
                self.set(None);
            }
            _ => {}
        }
        self.bars.observe(event);
    }

    fn set(&self, deadline: Option<interrupt::StopDeadline>) {
        let own = self.deadline.lock();
        *own.unwrap_or_else(PoisonError::into_inner) = deadline;
    }

    fn end(&self) {
        self.set(None);
        self.bars.end();
    }
}

/// Rejects a list with commas: `features --players` accepts one, but here it would be read as a
/// single player.
pub(crate) fn check_commas<'a>(
    players: impl IntoIterator<Item = &'a String>,
) -> anyhow::Result<()> {
    for text in players {
        let names = split_at_commas(text);
        if names.len() > 1 && !Path::new(text).exists() {
            bail!(
                "expected a player, got '{text}'; separate several players with spaces: {}",
                names.join(" ")
            );
        }
    }
    Ok(())
}

impl Args {
    /// The requested evaluation.
    pub(crate) fn evaluation(&self) -> Evaluation {
        Evaluation {
            players: self.players.clone(),
            ruleset: self.ruleset.clone(),
            plan: self.plan(),
            seed: self.seed,
        }
    }

    /// The plan described by a set of compatible flags.
    fn plan(&self) -> Plan {
        let max_pieces = self.max_pieces.0;
        let precision = self.precision;
        let splitting = SplittingPlan {
            trajectories: self.trajectories.unwrap_or(TRAJECTORIES),
            level: self.level.clone().unwrap_or_default(),
        };
        let goal = self.budget.map(Goal::Pieces);
        let goal = goal.or(self.repetitions.map(Goal::Repetitions));
        let until = self.games.map(GamesGoal::Games);
        match (self.method, goal) {
            (MethodFlag::Splitting, _) | (_, Some(_)) => Plan::Splitting {
                until: goal.unwrap_or(Goal::Precision(precision)),
                splitting,
            },
            (MethodFlag::Auto, None) if until.is_none() && max_pieces.is_none() => Plan::Auto {
                precision,
                splitting,
            },
            _ => Plan::Games {
                until: until.unwrap_or(GamesGoal::Precision(precision)),
                max_pieces,
            },
        }
    }
}
