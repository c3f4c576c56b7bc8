//! `tetrolab compare`: decides which of two players is better.

use crate::eval::{MethodFlag, check_commas, level_help, parse_precision, trajectories_help};
use crate::machine::MachineFlags;
use crate::output::{again, line, print_json};
use crate::{bars, command, in_flags, interrupt};
use anyhow::bail;
use serde_json::json;
use std::sync::Arc;
use tetrolab::report::{show, show_interval, thousands};
use tetrolab::stats::sequential::Verdict;
use tetrolab::study::{Compared, Comparison, compare};
use tetrolab::survival::LevelKind;
use tetrolab::survival::TRAJECTORIES;

const EXAMPLES: &str = "\
Examples:
  tetrolab compare bcts dellacherie --ruleset simplified-6x8
  tetrolab compare runs/mine bcts --margin 2%";

/// Decide which of two players is better, stopping as soon as the data suffice.
///
/// Both players play the same seeds: whole games if they are short, splitting otherwise. After
/// every doubling of the effort, an interim analysis computes an interval for the ratio of the
/// means. The test stops when the interval excludes 1 or is within the margin around 1. The
/// probability of a wrong decision is at most 5 % over all interim analyses.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The first player: a name, a file, the folder of a learning run, a spec, or a program
    /// 'exec(COMMAND)'.
    #[arg(value_name = "A")]
    first: String,
    /// The second player.
    #[arg(value_name = "B")]
    second: String,
    /// Ruleset; see `tetrolab list rulesets`.
    #[arg(long, value_name = "RULESET", default_value = "simplified-10x10")]
    ruleset: String,
    /// Whole games, splitting, or whichever is cheaper.
    #[arg(long, value_enum, default_value_t = MethodFlag::Auto)]
    method: MethodFlag,
    /// A difference that does not matter, such as 5% or 0.05; players within it count as equal.
    #[arg(long, value_name = "M", value_parser = parse_precision, default_value = "5%", allow_hyphen_values = true)]
    margin: f64,
    #[arg(long, value_name = "N", help = trajectories_help())]
    trajectories: Option<usize>,
    #[arg(long, value_name = "LEVEL", help = level_help())]
    level: Option<LevelKind>,
    #[command(flatten)]
    machine: MachineFlags,
    /// The seed of the games.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let for_splitting = [
        ("--trajectories", args.trajectories.is_some()),
        ("--level", args.level.is_some()),
    ];
    if args.method == MethodFlag::Games
        && let Some((flag, _)) = for_splitting.into_iter().find(|flag| flag.1)
    {
        bail!(
            "--method games requires whole games, but {flag} requires splitting; leave one of them out"
        );
    }
    check_commas([&args.first, &args.second])?;
    let comparison = args.comparison();
    let shown = Arc::new(bars::ComparisonBar::new());
    let bar = Arc::clone(&shown);
    let context = args.machine.context_of_typed()?;
    let context = context.observer(move |event| bar.observe(&event.event));
    let deadline = interrupt::deadline();
    let compared = compare(&comparison, &context);
    drop(deadline);
    shown.end();
    let compared = compared.map_err(in_flags::study)?;
    if args.json {
        let mut json = serde_json::to_value(&compared)?;
        json["command"] = json!(command::comparison(&comparison));
        print_json(&json)?;
    } else {
        print(&comparison, &compared)?;
    }
    Ok(())
}

impl Args {
    /// The requested comparison.
    pub(crate) fn comparison(&self) -> Comparison {
        Comparison {
            first: self.first.clone(),
            second: self.second.clone(),
            ruleset: self.ruleset.clone(),
            method: self.method.into(),
            margin: self.margin,
            trajectories: self.trajectories.unwrap_or(TRAJECTORIES),
            level: self.level.clone().unwrap_or_default(),
            seed: self.seed,
        }
    }
}

fn print(comparison: &Comparison, found: &Compared) -> anyhow::Result<()> {
    let (Some(means), Some(ratio)) = (found.lines, found.ratio) else {
        bail!("interrupted before the first interim analysis: nothing to compare");
    };
    let (first, second) = (&found.first, &found.second);
    let unit = match found.games() {
        Some(games) => format!("{} games each", thousands(games)),
        None => format!("{} repetitions of splitting each", found.units),
    };
    line(&format!(
        "{} · {unit} · seed {}\n",
        found.ruleset, found.seed
    ))?;
    line(&format!("{first:20} {:>12} lines", show(means.first)))?;
    line(&format!("{second:20} {:>12} lines", show(means.second)))?;
    let value = show(ratio.first_to_second);
    let interval = ratio.first_to_second_ci95.as_ref().map(show_interval);
    line(&format!(
        "{first} / {second}: {value}  (95 %: {})",
        interval.as_deref().unwrap_or("?")
    ))?;
    let pieces = show(found.pieces_simulated as f64);
    line(&format!(
        "\n{}.\nDecided at interim analysis {} of at most {}, after {pieces} pieces; probability of a wrong decision: \
         at most {} %.",
        sentence(found),
        found.analyses,
        found.most_analyses,
        100.0 * found.error_rate,
    ))?;
    for doubt in &found.doubts {
        line(&format!("Unreliable: {doubt}."))?;
    }
    line(again(found.interrupted))?;
    Ok(line(&format!("  {}", command::comparison(comparison)))?)
}

fn sentence(found: &Compared) -> String {
    let (first, second, analyses) = (&found.first, &found.second, found.analyses);
    match found.verdict {
        Verdict::First => format!("{first} is better than {second}"),
        Verdict::Second => format!("{second} is better than {first}"),
        Verdict::Equal => {
            let margin = 100.0 * found.margin;
            format!("{first} and {second} differ by less than {margin} %")
        }
        Verdict::Open => {
            format!("{first} and {second}: not decided after {analyses} interim analyses")
        }
    }
}
