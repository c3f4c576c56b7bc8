//! `tetrolab eval`: play games and say what the scores mean.

use crate::Outcome;
use crate::output::{Align, Table, line, number, print_json, show, thousands};
use crate::progress;
use anyhow::{Context, bail};
use serde_json::{Value, json};
use std::path::PathBuf;
use tetrolab::arena::{Arena, Arm, Limits, Played, common_lines};
use tetrolab::core::players::Player;
use tetrolab::core::ruleset::Ruleset;
use tetrolab::game_records::RecordFile;
use tetrolab::library::{find_player, find_ruleset};
use tetrolab::stats::{Estimate, Interval, Paired, Summary};

/// More threads than any machine has cores for.
const MOST_THREADS: usize = 1024;
/// How many placements of a game a record keeps.
const RECORDED_PIECES: usize = 1_000_000;

/// Play games with one or more players and print their mean scores with 95 % intervals.
///
/// All players play the same games, so that they can be compared. The same seed gives the same games and the same
/// results on any number of threads. Ctrl-C prints what has been played so far.
///
/// A PLAYER is a published name (see `tetrolab list players`), a player file, or a spec: greedy(bcts,losing=allow),
/// two-piece(dt-20), random.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Who plays.
    #[arg(required = true, value_name = "PLAYER")]
    players: Vec<String>,
    /// Which game: a name (with any size), a spec with settings, or a file; see `tetrolab list rulesets`.
    #[arg(long, value_name = "RULESET", default_value = "simplified-10x10")]
    ruleset: String,
    /// How many games each player plays.
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,
    /// Cut games off after so many pieces; the mean is then estimated from the cut-off games too.
    #[arg(long, value_name = "P")]
    max_pieces: Option<u64>,
    /// How many threads play; by default one for every core.
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
    /// Make every decision on the general path; the kernel is faster and never changes a result.
    #[arg(long)]
    no_kernel: bool,
    /// The seed of the games.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[arg(long, value_name = "FILE", help = record_help())]
    record: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn record_help() -> String {
    let most = thousands(RECORDED_PIECES as u64);
    format!(
        "Write every game to this new file, one JSON object per line, for `tetrolab replay`; of each game at most \
         the first {most} placements"
    )
}

/// The players under the names by which they were asked for.
type Players = Vec<(String, Box<dyn Player>)>;

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let ruleset = find_ruleset(&args.ruleset)?;
    let players = find_players(args, &ruleset)?;
    let mut record = args.record.as_deref().map(RecordFile::create).transpose()?;
    let played = play(args, &ruleset, &players)?;
    if let Some(file) = &mut record {
        file.write(&ruleset, &played)?;
    }
    if let Some(file) = record {
        file.finish()?;
    }
    let compared = compare(&played)?;
    if args.json {
        print_json(&as_json(args, &ruleset, &played, &compared))?;
    } else {
        print_tables(args, &ruleset, &played, &compared)?;
    }
    let interrupted = played.iter().any(|arm| arm.interrupted);
    Ok(if interrupted {
        Outcome::Interrupted
    } else {
        Outcome::Done
    })
}

fn find_players(args: &Args, ruleset: &Ruleset) -> anyhow::Result<Players> {
    let mut players = Players::new();
    for text in &args.players {
        if players.iter().any(|(name, _)| name == text) {
            bail!("the player {text} is named twice");
        }
        players.push((text.clone(), find_player(text, ruleset.width)?));
    }
    Ok(players)
}

fn play(args: &Args, ruleset: &Ruleset, players: &Players) -> anyhow::Result<Vec<Played>> {
    if let Some(threads) = args
        .threads
        .filter(|threads| !(1..=MOST_THREADS).contains(threads))
    {
        bail!(
            "--threads is a number from 1 to {MOST_THREADS}, not {threads}; without it every core plays"
        );
    }
    let bar = progress::games_bar(args.games.saturating_mul(players.len() as u64));
    let shown = bar.clone();
    let arena = Arena::new(args.threads.unwrap_or(0))?
        .limits(Limits {
            max_pieces: args.max_pieces,
            record_placements: args.record.is_some().then_some(RECORDED_PIECES),
            no_kernel: args.no_kernel,
        })
        .stop_flag(progress::stop_on_interrupt())
        .on_progress(move |progress| progress::show(&shown, progress));
    let arms: Vec<Arm<'_>> = players
        .iter()
        .map(|(name, player)| (name.as_str(), &**player))
        .collect();
    let played = arena.play_all(&arms, ruleset, args.games, args.seed);
    bar.finish_and_clear();
    let played = played?;
    if played.iter().all(|arm| arm.records.is_empty()) {
        bail!("interrupted before a piece was placed");
    }
    Ok(played)
}

/// The other players against the first, on the games that all of them played.
fn compare(played: &[Played]) -> anyhow::Result<Vec<Paired>> {
    let lines = common_lines(played);
    if lines.len() < 2 || lines[0].is_empty() {
        return Ok(Vec::new());
    }
    Paired::against_first(&lines).context("the players played different games")
}

/// A word for a shell.
fn quote(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    if text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// The command that repeats one player's result.
fn command(args: &Args, player: &str) -> String {
    let cap = args
        .max_pieces
        .map_or(String::new(), |cap| format!(" --max-pieces {cap}"));
    let (player, ruleset) = (quote(player), quote(&args.ruleset));
    let (games, seed) = (args.games, args.seed);
    format!("tetrolab eval {player} --ruleset {ruleset} --games {games}{cap} --seed {seed}")
}

fn as_json(args: &Args, ruleset: &Ruleset, played: &[Played], compared: &[Paired]) -> Value {
    let results = played.iter().map(|arm| result_json(args, ruleset, arm));
    let mut json = json!({ "results": Value::from_iter(results) });
    if !compared.is_empty() {
        let first = &played[0].name;
        let pairs = played[1..].iter().zip(compared);
        json["comparisons"] = pairs
            .map(|(arm, paired)| paired_json(first, &arm.name, paired))
            .collect();
    }
    json
}

/// What a player's lines say, as far as they say anything.
struct Lines {
    mean: Option<f64>,
    ci95: Option<Interval>,
    method: Option<&'static str>,
    median: Option<f64>,
    mean_by_median: Option<f64>,
    sd: Option<f64>,
    max: Option<u64>,
}

impl Lines {
    fn of(arm: &Played) -> Lines {
        let lines = arm.lines();
        let raw: Vec<u64> = lines.iter().map(|game| game.value).collect();
        let estimate = Estimate::of(&lines);
        let summary = Summary::of(&raw);
        // The spread of scores of which some were cut off says nothing about whole games.
        let whole = arm.cut_off() == 0;
        Lines {
            mean: estimate.as_ref().and_then(|estimate| estimate.mean),
            ci95: estimate.as_ref().map(|estimate| estimate.ci95),
            method: estimate.as_ref().map(|estimate| estimate.method.as_str()),
            median: estimate.as_ref().and_then(|estimate| estimate.median),
            mean_by_median: estimate.as_ref().and_then(Estimate::mean_by_median),
            sd: summary
                .as_ref()
                .and_then(|summary| summary.sd)
                .filter(|_| whole),
            max: summary.as_ref().map(|summary| summary.max),
        }
    }
}

fn result_json(args: &Args, ruleset: &Ruleset, arm: &Played) -> Value {
    let lines = Lines::of(arm);
    let optional = |value: Option<f64>| value.map_or(Value::Null, number);
    let mean = |games: &[_]| json!({ "mean": optional(Estimate::of(games).and_then(|e| e.mean)) });
    json!({
        "player": arm.name,
        "ruleset": ruleset.name,
        "seed": args.seed,
        "games": arm.records.len(),
        "finished": arm.finished(),
        "cut_off": arm.cut_off(),
        "interrupted": arm.interrupted,
        "lines": {
            "mean": optional(lines.mean),
            "ci95": lines.ci95.as_ref().map(interval_json),
            "method": lines.method,
            "median": optional(lines.median),
            "mean_by_median": optional(lines.mean_by_median),
            "sd": optional(lines.sd),
            "max": lines.max,
        },
        "pieces": mean(&arm.pieces()),
        "line_points": mean(&arm.line_points()),
        "decisions_per_second": arm.decisions_per_second().round(),
        "seconds": arm.elapsed.as_secs_f64(),
        "command": command(args, &arm.name),
    })
}

fn interval_json(interval: &Interval) -> Value {
    json!([number(interval.lo), interval.hi.map(number)])
}

fn paired_json(first: &str, second: &str, paired: &Paired) -> Value {
    json!({
        "first": first,
        "second": second,
        "games": paired.games,
        "second_wins": paired.wins,
        "first_wins": paired.losses,
        "ties": paired.ties,
        "undecided": paired.undecided,
        "ratio": paired.ratio.as_ref().map(|ratio| json!({
            "second_to_first": number(ratio.value), "ci95": interval_json(&ratio.ci95),
        })),
    })
}

fn show_interval(interval: &Interval) -> String {
    let hi = interval.hi.map_or("?".to_owned(), show);
    format!("{} to {hi}", show(interval.lo))
}

fn print_tables(
    args: &Args,
    ruleset: &Ruleset,
    played: &[Played],
    compared: &[Paired],
) -> anyhow::Result<()> {
    let most = played
        .iter()
        .map(|arm| arm.records.len())
        .max()
        .unwrap_or(0);
    let games = match most {
        1 => "1 game each".to_owned(),
        _ => format!("{} games each", thousands(most as u64)),
    };
    line(&format!(
        "{} · {games} · seed {}
",
        ruleset.name, args.seed
    ))?;
    means_table(played).print()?;
    if !compared.is_empty() {
        line(&format!(
            "\nOn the same games, against {}:\n",
            played[0].name
        ))?;
        comparison_table(played, compared).print()?;
    }
    if played.iter().any(|arm| arm.cut_off() > 0) {
        line(
            "\nSome games were cut off: the mean is total lines / lost games (censored estimate).",
        )?;
    }
    if played.iter().any(|arm| arm.interrupted) {
        line("Interrupted: only what had been played is counted.")?;
    }
    line("\nAgain:")?;
    for arm in played {
        line(&format!("  {}", command(args, &arm.name)))?;
    }
    Ok(())
}

fn means_table(played: &[Played]) -> Table {
    let right = Align::Right;
    let mut table = Table::new(&[
        ("player", Align::Left),
        ("mean lines", right),
        ("95 % interval", right),
        ("median", right),
        ("sd", right),
        ("max", right),
        ("lost/games", right),
        ("pieces/s", right),
    ]);
    for arm in played {
        let lines = Lines::of(arm);
        let optional = |value: Option<f64>| value.map_or("?".to_owned(), show);
        table.row(vec![
            arm.name.clone(),
            optional(lines.mean),
            lines.ci95.as_ref().map_or("?".to_owned(), show_interval),
            optional(lines.median),
            optional(lines.sd),
            lines.max.map_or("?".to_owned(), thousands),
            format!("{}/{}", arm.finished(), arm.records.len()),
            show(arm.decisions_per_second()),
        ]);
    }
    table
}

fn comparison_table(played: &[Played], compared: &[Paired]) -> Table {
    let right = Align::Right;
    let mut table = Table::new(&[
        ("player", Align::Left),
        ("ratio of means", right),
        ("95 % interval", right),
        ("better in", right),
        ("worse in", right),
    ]);
    for (arm, paired) in played[1..].iter().zip(compared) {
        let ratio = paired.ratio.as_ref();
        table.row(vec![
            arm.name.clone(),
            ratio.map_or("?".to_owned(), |ratio| show(ratio.value)),
            ratio.map_or("?".to_owned(), |ratio| show_interval(&ratio.ci95)),
            format!("{} games", paired.wins),
            format!("{} games", paired.losses),
        ]);
    }
    table
}
