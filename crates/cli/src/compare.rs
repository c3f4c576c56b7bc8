//! `tetrolab compare`: which of two players is better.

use crate::Outcome;
use crate::eval::{Method, find_players, games_are_cheaper, parse_precision, trajectories_help};
use crate::interrupt;
use crate::machine::Machine;
use crate::output::{line, number, print_json, show, thousands};
use crate::progress;
use crate::standings::{interval_json, show_interval};
use anyhow::bail;
use indicatif::ProgressBar;
use serde_json::{Value, json};
use tetrolab::arena::{Arena, Arm, GameResult, GameSeries};
use tetrolab::command::quote;
use tetrolab::comparison::{ERROR_RATE, LOOKS, Look, Verdict, units_at};
use tetrolab::core::rng::game_seed;
use tetrolab::core::ruleset::Ruleset;
use tetrolab::library::find_ruleset;
use tetrolab::survival::{Goal, Prepared, Splitting, SurvivalError, TRAJECTORIES};

/// Whole games in one unit of the test.
const BLOCK: usize = 32;

/// Find out which of two players is better, and stop as soon as it is decided.
///
/// Both are measured on the same seeds, by whole games if those end soon and by splitting if they do not. After
/// every doubling of the effort the ratio of their means gets an interval; the test stops when the interval leaves 1 out, or lies
/// within the margin around 1. The chance of a wrong decision is at most 5 % over all looks together.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The first player: a name, a file, the folder of a learning run, or a spec.
    #[arg(value_name = "A")]
    first: String,
    /// The second player.
    #[arg(value_name = "B")]
    second: String,
    /// Which game; see `tetrolab list rulesets`.
    #[arg(long, value_name = "RULESET", default_value = "simplified-10x10")]
    ruleset: String,
    /// Whole games, splitting, or whichever is cheaper.
    #[arg(long, value_enum, default_value_t = Method::Auto)]
    method: Method,
    /// A difference that does not matter, as 5% or 0.05: closer players are called equal.
    #[arg(long, value_name = "M", value_parser = parse_precision, default_value = "5%", allow_hyphen_values = true)]
    margin: f64,
    #[arg(long, value_name = "N", help = trajectories_help())]
    trajectories: Option<usize>,
    #[command(flatten)]
    machine: Machine,
    /// The seed of the games.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    if args.method == Method::Games && args.trajectories.is_some() {
        bail!(
            "--method games asks for whole games, but --trajectories for splitting; leave one of them out"
        );
    }
    let ruleset = find_ruleset(&args.ruleset)?;
    let players = find_players(&[args.first.clone(), args.second.clone()], &ruleset)?;
    let bar = progress::looks_bar();
    let arena = args.machine.arena()?;
    let arms: [Arm<'_>; 2] = [0, 1].map(|k| (players[k].0.as_str(), &*players[k].1));
    let found = match method(args, &arena, &arms, &ruleset) {
        Ok(Measure::Games) => by_games(args, &arena, &arms, &ruleset, &bar),
        Ok(Measure::Splitting(prepared)) => by_splitting(args, &arena, prepared, &bar),
        Err(error) => Err(error),
    };
    bar.finish_and_clear();
    let found = found?;
    if args.json {
        print_json(&found.json(args, &ruleset))?;
    } else {
        found.print(args, &ruleset)?;
    }
    Ok(Outcome::Done)
}

/// How both players are measured.
enum Measure<'a> {
    Games,
    Splitting(Box<[Prepared<'a>; 2]>),
}

/// Whole games if both players' end soon, else splitting for both.
fn method<'a>(
    args: &Args,
    arena: &Arena,
    arms: &[Arm<'_>; 2],
    ruleset: &'a Ruleset,
) -> anyhow::Result<Measure<'a>> {
    if args.method == Method::Games {
        return Ok(Measure::Games);
    }
    let prepare = |(name, player): Arm<'_>| {
        let splitting = Splitting {
            trajectories: args.trajectories.unwrap_or(TRAJECTORIES),
            player: name.to_owned(),
            ..Splitting::default()
        };
        splitting.prepare(arena, player, ruleset, args.seed)
    };
    let is_auto = args.method == Method::Auto;
    let first = prepare(arms[0]);
    if is_auto && matches!(first, Err(SurvivalError::FixedPieces(_))) {
        return Ok(Measure::Games);
    }
    let prepared = [first?, prepare(arms[1])?];
    let end_soon = |prepared: &Prepared<'_>| games_are_cheaper(prepared, args.margin);
    if is_auto && prepared.iter().all(end_soon) {
        return Ok(Measure::Games);
    }
    Ok(Measure::Splitting(Box::new(prepared)))
}

/// What the comparison found.
struct Found {
    method: &'static str,
    look: Look,
    looks: usize,
    means: [f64; 2],
    pieces: u64,
    /// Why the estimates are not to be trusted.
    doubts: Vec<String>,
}

fn by_games(
    args: &Args,
    arena: &Arena,
    arms: &[Arm<'_>; 2],
    ruleset: &Ruleset,
    bar: &ProgressBar,
) -> anyhow::Result<Found> {
    let mut units: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
    let mut pieces = 0;
    let mut last = None;
    for look in 0..LOOKS {
        progress::begin_look(bar, look);
        let blocks = units_at(look) - units[0].len();
        // Every look plays new games.
        let series = GameSeries::new(ruleset, game_seed(args.seed, look as u64));
        let played = arena.play_all(arms, &series, 0..(blocks * BLOCK) as u64, &|done| {
            progress::show_look(bar, done.games_done, done.games_total);
        })?;
        if played.iter().any(|arm| arm.interrupted) {
            break;
        }
        for (units, arm) in units.iter_mut().zip(&played) {
            let lines = |games: &[GameResult]| {
                games.iter().map(|game| game.lines as f64).sum::<f64>() / BLOCK as f64
            };
            units.extend(arm.games.chunks(BLOCK).map(lines));
            pieces += arm.games.iter().map(|game| game.pieces).sum::<u64>();
        }
        let found = Look::at(&units[0], &units[1], args.margin);
        show_ratio(bar, found.as_ref());
        last = found.map(|found| (found, look + 1));
        if found.is_some_and(|found| found.verdict != Verdict::Open) {
            break;
        }
    }
    let mean = |units: &[f64]| units.iter().sum::<f64>() / units.len() as f64;
    let Some((look, looks)) = last else {
        bail!(nothing_to_compare("no lines were made"));
    };
    Ok(Found {
        method: "games",
        look,
        looks,
        means: [mean(&units[0]), mean(&units[1])],
        pieces,
        doubts: Vec::new(),
    })
}

fn by_splitting(
    args: &Args,
    arena: &Arena,
    mut prepared: Box<[Prepared<'_>; 2]>,
    bar: &ProgressBar,
) -> anyhow::Result<Found> {
    let (mut last, mut before) = (None, 0);
    for look in 0..LOOKS {
        progress::begin_look(bar, look);
        let units = units_at(look) as u64;
        let goal = Goal::Repetitions(units);
        let mut means = [0.0; 2];
        let (mut pieces, mut doubts) = (0, Vec::new());
        for ((mean, prepared), turn) in means.iter_mut().zip(prepared.iter_mut()).zip(0..) {
            let new = units - before;
            let survival = prepared.run(arena, goal, &|done| {
                let own = done.repetitions.saturating_sub(before);
                progress::show_look(bar, turn * new + own, 2 * new);
            })?;
            *mean = survival.lines.unwrap_or(0.0);
            pieces += survival.pieces_simulated;
            doubts.extend(survival.doubts.iter().map(ToString::to_string));
        }
        if interrupt::is_interrupted() {
            break;
        }
        // A player with a lower rate of deaths lives longer: the rates change places.
        let found = Look::at(&prepared[1].rates(), &prepared[0].rates(), args.margin);
        show_ratio(bar, found.as_ref());
        before = units;
        last = found.map(|found| (found, look + 1, means, pieces, doubts));
        if found.is_some_and(|found| found.verdict != Verdict::Open) {
            break;
        }
    }
    let Some((look, looks, means, pieces, doubts)) = last else {
        bail!(nothing_to_compare("a player never lost"));
    };
    Ok(Found {
        method: "splitting",
        look,
        looks,
        means,
        pieces,
        doubts,
    })
}

/// Why nothing was found: an interruption, or what else it may be.
fn nothing_to_compare(otherwise: &str) -> String {
    let why = match interrupt::is_interrupted() {
        true => "interrupted before the first look was over",
        false => otherwise,
    };
    format!("{why}: there is nothing to compare")
}

/// Shows on the bar what is known so far.
fn show_ratio(bar: &ProgressBar, look: Option<&Look>) {
    if let Some(look) = look {
        let (ratio, interval) = (show(look.ratio), show_interval(&look.ci95));
        bar.set_message(format!("ratio {ratio} ({interval})"));
    }
}

impl Found {
    fn unit(&self) -> String {
        match self.method {
            "games" => format!("{} games each", thousands((self.look.units * BLOCK) as u64)),
            _ => format!("{} repetitions of splitting each", self.look.units),
        }
    }

    fn sentence(&self, args: &Args) -> String {
        let Args {
            first,
            second,
            margin,
            ..
        } = args;
        match self.look.verdict {
            Verdict::First => format!("{first} is better than {second}"),
            Verdict::Second => format!("{second} is better than {first}"),
            Verdict::Equal => {
                let margin = 100.0 * margin;
                format!("{first} and {second} differ by less than {margin} %")
            }
            Verdict::Open => {
                let looks = self.looks;
                format!("{first} and {second}: not decided after {looks} look(s)")
            }
        }
    }

    fn print(&self, args: &Args, ruleset: &Ruleset) -> anyhow::Result<()> {
        line(&format!(
            "{} · {} · seed {}\n",
            ruleset.name,
            self.unit(),
            args.seed
        ))?;
        let [first, second] = self.means;
        line(&format!("{:20} {:>12} lines", args.first, show(first)))?;
        line(&format!("{:20} {:>12} lines", args.second, show(second)))?;
        let (ratio, interval) = (show(self.look.ratio), show_interval(&self.look.ci95));
        line(&format!(
            "ratio (second/first) {ratio:>12}  (95 %: {interval})"
        ))?;
        let (looks, pieces) = (self.looks, show(self.pieces as f64));
        line(&format!(
            "\n{}.\nThis was look {looks} of at most {LOOKS}, after {pieces} pieces; a wrong decision has a chance of \
             at most {} %.",
            self.sentence(args),
            100.0 * ERROR_RATE,
        ))?;
        for doubt in &self.doubts {
            line(&format!("Not to be trusted: {doubt}."))?;
        }
        line(interrupt::again())?;
        Ok(line(&format!("  {}", command(args)))?)
    }

    fn json(&self, args: &Args, ruleset: &Ruleset) -> Value {
        let verdict = match self.look.verdict {
            Verdict::First => "first",
            Verdict::Second => "second",
            Verdict::Equal => "equal",
            Verdict::Open => "open",
        };
        json!({
            "first": args.first,
            "second": args.second,
            "ruleset": ruleset.name,
            "seed": args.seed,
            "method": self.method,
            "units": self.look.units,
            "looks": self.looks,
            "most_looks": LOOKS,
            "error_rate": ERROR_RATE,
            "margin": args.margin,
            "lines": { "first": number(self.means[0]), "second": number(self.means[1]) },
            "ratio": { "second_to_first": number(self.look.ratio), "ci95": interval_json(&self.look.ci95) },
            "verdict": verdict,
            "trusted": self.doubts.is_empty(),
            "doubts": self.doubts,
            "pieces_simulated": self.pieces,
            "command": command(args),
        })
    }
}

fn command(args: &Args) -> String {
    let (first, second) = (quote(&args.first), quote(&args.second));
    let method = match args.method {
        Method::Auto => "",
        Method::Games => " --method games",
        Method::Splitting => " --method splitting",
    };
    let (ruleset, margin, seed) = (quote(&args.ruleset), args.margin, args.seed);
    let trajectories = match args.trajectories {
        None | Some(TRAJECTORIES) => String::new(),
        Some(other) => format!(" --trajectories {other}"),
    };
    format!(
        "tetrolab compare {first} {second} --ruleset {ruleset}{method} --margin {margin}{trajectories} --seed {seed}"
    )
}
