//! `tetrolab deaths`: shows how a player dies.

use crate::eval::{level_help, trajectories_help};
use crate::interrupt;
use crate::machine::MachineFlags;
use crate::output::{line, print_json};
use anyhow::bail;
use serde_json::json;
use std::io;
use std::path::PathBuf;
use tetrolab::draw::deaths_svg;
use tetrolab::learning::write_whole;
use tetrolab::library::check_place;
use tetrolab::report::show;
use tetrolab::study::{DeathSearch, FoundDeaths, SCHEMA, find_deaths};
use tetrolab::survival::{Death, LevelKind, TRAJECTORIES};

/// Number of boards shown per death.
const BOARDS: usize = 6;

const EXAMPLES: &str = "\
Examples:
  tetrolab deaths bcts --deaths 2 --seed 1
  tetrolab deaths wary-20 --ruleset simplified-10x20 --level own --svg deaths.svg";

/// Show how a player dies: boards on the way from an ordinary stack to a lost game.
///
/// The deaths come from multilevel splitting, which finds them even if no ordinary game would ever
/// end: trajectories climb from level to level, and those that die are traced back. Below each
/// board is the probability that a stack gets that far. Each death belongs to a different
/// excursion.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// A published name, a player file, the folder of a learning run, or a spec such as
    /// greedy(dt-20).
    #[arg(value_name = "PLAYER")]
    player: String,
    /// The rules of the game: a name, a file or a spec.
    #[arg(long, value_name = "RULESET", default_value = "simplified-10x10")]
    ruleset: String,
    /// Number of deaths shown.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=50))]
    deaths: u8,
    #[arg(long, value_name = "LEVEL", help = level_help())]
    level: Option<LevelKind>,
    #[arg(long, value_name = "N", help = trajectories_help())]
    trajectories: Option<usize>,
    /// Run this many repetitions, and show deaths from the one with the highest death rate. These
    /// may be ways to die that the importance function missed.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    worst_of: u64,
    /// The seed of the estimate: `eval` with the same seed and level counts the same deaths.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Draw the deaths to this file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print all boards as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    machine: MachineFlags,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let context = args.machine.context()?;
    args.svg.as_deref().map_or(Ok(()), check_place)?;
    let search = args.search();
    let deadline = interrupt::deadline();
    let found = find_deaths(&search, &context);
    drop(deadline);
    let found = match found {
        Err(_) if interrupt::is_interrupted() => bail!("interrupted before there was a result"),
        other => other?,
    };
    let deaths = &found.deaths;
    if deaths.is_empty() {
        bail!("no trajectory died; more trajectories would find deaths");
    }
    if let Some(path) = &args.svg {
        write_whole(path, &picture(args, &found))?;
    }
    match (args.json, &args.svg) {
        (true, _) => print_json(&json!({
            "schema": SCHEMA,
            "player": args.player,
            "ruleset": found.ruleset,
            "level": search.level,
            "trajectories": search.trajectories,
            "seed": args.seed,
            "worst_of": args.worst_of,
            "repetition": found.repetition + 1,
            "rate_of_repetition": found.rate,
            "deaths": deaths,
        }))?,
        (false, Some(path)) => line(&format!(
            "{} death(s) drawn into {}",
            deaths.len(),
            path.display()
        ))?,
        (false, None) => print_all(&search, &found)?,
    }
    if !args.json && deaths.len() < usize::from(args.deaths) {
        line(&format!(
            "All deaths of this repetition descend from {} excursion(s); more trajectories would find others.",
            deaths.len()
        ))?;
    }
    Ok(())
}

impl Args {
    /// The requested search.
    fn search(&self) -> DeathSearch {
        DeathSearch {
            player: self.player.clone(),
            ruleset: self.ruleset.clone(),
            level: self.level.clone().unwrap_or_default(),
            trajectories: self.trajectories.unwrap_or(TRAJECTORIES),
            deaths: usize::from(self.deaths),
            worst_of: self.worst_of,
            seed: self.seed,
        }
    }
}

fn picture(args: &Args, found: &FoundDeaths) -> String {
    let title = format!("How {} dies · {}", args.player, found.ruleset);
    let seed = args.seed;
    let caption = format!(
        "one row per death; the piece above the last board ended the game; below each board: the mean number of pieces until a stack gets this far · seed {seed}"
    );
    deaths_svg(&title, &caption, &found.deaths, BOARDS)
}

/// Prints all deaths as text.
fn print_all(search: &DeathSearch, found: &FoundDeaths) -> io::Result<()> {
    let DeathSearch { player, seed, .. } = search;
    line(&format!(
        "How {player} dies · {} · levels: {} · seed {seed}\nBelow each board: the mean number of pieces until a stack gets this far. The piece above the last board ended the game.\n",
        found.ruleset, search.level
    ))?;
    found.deaths.iter().try_for_each(print)?;
    let once = show(1.0 / found.rate);
    line(&format!(
        "A game ends on average once in {once} pieces, according to this repetition alone."
    ))
}

/// Draws boards side by side, with their probabilities below them. The piece that ended the game is
/// drawn above the last board.
fn print(death: &Death) -> io::Result<()> {
    let shown = death.shown(BOARDS);
    let boards: Vec<Vec<String>> = shown.iter().map(|(board, _)| board.to_rows()).collect();
    let (width, height) = (death.end.board.width(), death.end.board.height());
    let panel = width.max(14);
    let print_row = |texts: Vec<String>| {
        let padded: Vec<String> = texts.iter().map(|text| format!("{text:panel$}")).collect();
        line(padded.join("  ").trim_end())
    };
    let piece = death.end.piece.to_string();
    let entering = death.end.entering();
    for row in [height + 1, height] {
        let letter = |column: usize| {
            if entering.contains(&(row, column)) {
                piece.as_str()
            } else {
                " "
            }
        };
        let mut texts = vec![String::new(); shown.len() - 1];
        texts.push((0..width).map(letter).collect());
        print_row(texts)?;
    }
    for row in 0..height {
        print_row(boards.iter().map(|board| board[row].clone()).collect())?;
    }
    let once = |&(_, rate): &(_, f64)| format!("1 in {}", show(1.0 / rate));
    print_row(shown.iter().map(once).collect())?;
    line("")
}
