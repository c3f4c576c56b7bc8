//! `tetrolab eval`: a player's mean score, by whole games or by splitting.

mod flags;

use crate::Outcome;
use crate::cap::{Cap, parse_cap};
use crate::estimates::{self, Estimated};
use crate::features::split_at_commas;
use crate::machine::Machine;
use crate::output::{line, print_json, thousands};
use crate::progress;
use crate::standings::{Named, Players, Series, Standings};
use anyhow::bail;
use clap::ValueEnum;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tetrolab::arena::{Arena, Played};
use tetrolab::command::quote;
use tetrolab::core::ruleset::Ruleset;
use tetrolab::game_records::RecordFile;
use tetrolab::library::{find_player, find_ruleset};
use tetrolab::survival::{Goal, Prepared, Splitting, SurvivalError, TRAJECTORIES};

/// How many placements of a game a record keeps.
const RECORDED_PIECES: usize = 1_000_000;

/// Whole games that need no more pieces than this are played, though splitting might need fewer: a few seconds.
const CHEAP: f64 = 6e7;
/// Whole games for a precision, at most: players that make next to no lines would play for ever.
const MOST_GAMES: u64 = 100_000;

/// Find out how many lines players make on average, with 95 % intervals.
///
/// A short game is played to its end, many times (--games N plays exactly N). A long one is not: the rate at which a
/// player's games end is estimated by multilevel splitting, which gives the same mean from a small part of the pieces. By default
/// the cheaper way is taken for each player, until the interval is --precision wide to either side.
///
/// Players that play whole games play the same ones, so that they can be compared. The same seed gives the same
/// results on any number of threads. Ctrl-C prints what has been done so far.
///
/// A PLAYER is a published name (see `tetrolab list players`), a player file, the folder of a learning run (runs/mine), or a
/// spec: greedy(bcts,losing=allow), two-piece(dt-20), random.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Who plays.
    #[arg(required = true, value_name = "PLAYER")]
    players: Vec<String>,
    /// Which game: a name (with any size), a spec with settings, or a file; see `tetrolab list rulesets`.
    #[arg(long, value_name = "RULESET", default_value = "simplified-10x10")]
    ruleset: String,
    /// Whole games, splitting, or whichever is cheaper.
    #[arg(long, value_enum, default_value_t = Method::Auto)]
    method: Method,
    /// Play exactly so many whole games.
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// The half width of the 95 % interval to reach, as 5% or 0.05.
    #[arg(
        long,
        value_name = "P",
        value_parser = parse_precision,
        default_value = "5%",
        allow_hyphen_values = true,
        conflicts_with_all = ["games", "budget"]
    )]
    precision: f64,
    /// Take splitting, and play so many pieces instead of reaching a precision; two repetitions are played in any case.
    #[arg(long, value_name = "PIECES")]
    budget: Option<u64>,
    #[arg(long, value_name = "N", help = trajectories_help())]
    trajectories: Option<usize>,
    /// Splitting: keep finished repetitions in this folder, and go on from there after an interruption.
    #[arg(long, value_name = "DIR")]
    resume: Option<PathBuf>,
    /// Splitting: show how rare the levels are on the way to the end; always shown for a single player.
    #[arg(long)]
    levels: bool,
    /// Cut whole games off after so many pieces; the mean is then estimated from the cut-off games too.
    #[arg(long, value_name = "P|none", value_parser = parse_cap, default_value = "none")]
    max_pieces: Cap,
    #[command(flatten)]
    machine: Machine,
    /// The seed of the games.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[arg(long, value_name = "FILE", help = record_help())]
    record: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// How a mean is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Method {
    /// The cheaper of the two, for each player.
    Auto,
    /// Whole games.
    Games,
    /// Multilevel splitting.
    Splitting,
}

fn record_help() -> String {
    let most = thousands(RECORDED_PIECES as u64);
    format!(
        "Write every game to this new file, one JSON object per line, for `tetrolab replay`; of each game at most \
         the first {most} placements"
    )
}

pub(crate) fn trajectories_help() -> String {
    format!(
        "Splitting: trajectories that start at each level of a repetition [default: {TRAJECTORIES}]"
    )
}

/// A part, as `5%` or `0.05`.
pub(crate) fn parse_precision(text: &str) -> Result<f64, String> {
    let (number, unit) = match text.strip_suffix('%') {
        Some(number) => (number.trim(), 100.0),
        None => (text, 1.0),
    };
    let value = number.parse::<f64>().map(|number| number / unit);
    let value = value.map_err(|_| "this is a number such as 5% or 0.05".to_owned())?;
    if value > 0.0 && value <= 1.0 {
        Ok(value)
    } else {
        Err("this is larger than 0 and at most 100 %".to_owned())
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let ruleset = find_ruleset(&args.ruleset)?;
    let players = find_players(&args.players, &ruleset)?;
    args.check()?;
    let whole = args.asks_for_games().is_some();
    let evaluation = Evaluation {
        args,
        ruleset: &ruleset,
    };
    let (by_games, estimated) = if whole {
        (players, Vec::new())
    } else {
        evaluation.estimate(players)?
    };
    let results = match evaluation.play(&by_games) {
        // What has been estimated is printed.
        Err(_) if progress::is_interrupted() && !estimated.is_empty() => (0, Vec::new()),
        results => results?,
    };
    let series = evaluation.series(results.0);
    let standings = Standings::new(&series, &results.1)?;
    if args.json {
        print_json(&evaluation.json(&standings, &estimated))?;
    } else {
        evaluation.print(&standings, &results.1, &estimated)?;
    }
    Ok(Outcome::Done)
}

pub(crate) fn find_players(names: &[String], ruleset: &Ruleset) -> anyhow::Result<Players> {
    let mut players = Players::new();
    for text in names {
        if players.iter().any(|(name, _)| name == text) {
            bail!("the player {text} is named twice");
        }
        check_commas(text)?;
        players.push((text.clone(), find_player(text, ruleset)?));
    }
    Ok(players)
}

/// A list with commas is what `features --players` takes; here it would be read as one player.
fn check_commas(text: &str) -> anyhow::Result<()> {
    let names = split_at_commas(text);
    if names.len() > 1 && !Path::new(text).exists() {
        bail!(
            "'{text}' is no player; several are separated by spaces: {}",
            names.join(" ")
        );
    }
    Ok(())
}

/// What is asked for.
struct Evaluation<'a> {
    args: &'a Args,
    ruleset: &'a Ruleset,
}

impl Evaluation<'_> {
    /// Estimates the players for which splitting is asked for or cheaper; the others are left to play whole games.
    fn estimate(&self, players: Players) -> anyhow::Result<(Players, Vec<Estimated>)> {
        let arena = self
            .args
            .machine
            .arena()?
            .stop_flag(progress::stop_on_interrupt());
        let (mut by_games, mut estimated) = (Players::new(), Vec::new());
        for (name, player) in players {
            let began = Instant::now();
            let splitting = self.splitting(&name)?;
            let prepared = splitting.prepare(&arena, &*player, self.ruleset, self.args.seed);
            let is_auto = self.args.is_auto();
            if is_auto && matches!(prepared, Err(SurvivalError::FixedPieces(_))) {
                by_games.push((name, player));
                continue;
            }
            let mut prepared = match prepared {
                // What has been done is printed.
                Err(_) if progress::is_interrupted() && !estimated.is_empty() => break,
                prepared => prepared?,
            };
            if is_auto && games_are_cheaper(&prepared, self.args.precision) {
                by_games.push((name, player));
                continue;
            }
            match self.repeat(&arena, &mut prepared, name, began) {
                Ok(done) => estimated.push(done),
                // What has been done is printed.
                Err(_) if progress::is_interrupted() && !estimated.is_empty() => break,
                Err(error) => return Err(error),
            }
        }
        Ok((by_games, estimated))
    }

    fn splitting(&self, player: &str) -> anyhow::Result<Splitting> {
        let checkpoint = self.args.resume.as_deref();
        let checkpoint = checkpoint.map(|folder| checkpoint_file(folder, player));
        Ok(Splitting {
            trajectories: self.args.trajectories(),
            checkpoint: checkpoint.transpose()?,
            player: player.to_owned(),
        })
    }

    fn goal(&self) -> Goal {
        match self.args.budget {
            Some(pieces) => Goal::Pieces(pieces),
            None => Goal::Precision(self.args.precision),
        }
    }

    fn repeat(
        &self,
        arena: &Arena,
        prepared: &mut Prepared<'_>,
        player: String,
        began: Instant,
    ) -> anyhow::Result<Estimated> {
        let goal = self.goal();
        let bar = progress::estimate_bar(&player);
        let survival = prepared.run(arena, goal, &|progress| {
            progress::show_estimate(&bar, goal, progress);
        });
        bar.finish_and_clear();
        let survival = survival?;
        Ok(Estimated {
            command: self.command(&player),
            interrupted: progress::is_interrupted(),
            trajectories: self.args.trajectories(),
            elapsed: began.elapsed(),
            player,
            survival,
        })
    }

    /// The command that repeats one estimate.
    fn command(&self, player: &str) -> String {
        let (player, ruleset) = (quote(player), quote(&self.args.ruleset));
        let goal = match self.goal() {
            Goal::Pieces(pieces) => format!("--budget {pieces}"),
            _ => format!("--precision {}", self.args.precision),
        };
        let trajectories = match self.args.trajectories() {
            TRAJECTORIES => String::new(),
            other => format!(" --trajectories {other}"),
        };
        let seed = self.args.seed;
        format!(
            "tetrolab eval {player} --ruleset {ruleset} --method splitting {goal}{trajectories} --seed {seed}"
        )
    }

    fn series(&self, games: u64) -> Series<'_> {
        Series {
            text: &self.args.ruleset,
            ruleset: self.ruleset,
            games,
            max_pieces: self.args.max_pieces.0,
            seed: self.args.seed,
        }
    }

    /// Plays whole games: as many as were asked for, or until the interval of every player is narrow enough.
    fn play(&self, players: &Players) -> anyhow::Result<(u64, Vec<Played>)> {
        let nothing_to_add = progress::is_interrupted() && self.args.games.is_none();
        if players.is_empty() || nothing_to_add {
            return Ok((0, Vec::new()));
        }
        let keep = self.args.record.is_some().then_some(RECORDED_PIECES);
        let mut record = self
            .args
            .record
            .as_deref()
            .map(RecordFile::create)
            .transpose()?;
        let games = self
            .args
            .games
            .unwrap_or_else(|| games_for(self.args.precision));
        let mut played = self.series(games).play(&self.args.machine, players, keep)?;
        if self.args.games.is_none() {
            for (arm, player) in played.iter_mut().zip(players) {
                self.play_on(arm, player, keep)?;
            }
        }
        if let Some(file) = &mut record {
            file.write(self.ruleset, &played)?;
        }
        if let Some(file) = record {
            file.finish()?;
        }
        Ok((games, played))
    }

    /// Plays more games with one player, until its interval is narrow enough.
    fn play_on(&self, arm: &mut Played, player: &Named, keep: Option<usize>) -> anyhow::Result<()> {
        loop {
            let games = arm.records.len() as u64;
            let precision = precision_of(arm);
            if arm.interrupted || games >= MOST_GAMES || precision <= self.args.precision {
                return Ok(());
            }
            let more = (precision / self.args.precision).powi(2).clamp(1.02, 4.0);
            let games = ((games as f64 * more * 1.02).ceil() as u64).min(MOST_GAMES);
            let series = self.series(games);
            let mut played = series.play(&self.args.machine, std::slice::from_ref(player), keep)?;
            let more = played.remove(0);
            if more.interrupted {
                arm.interrupted = true;
                return Ok(());
            }
            *arm = more;
        }
    }

    fn json(&self, standings: &Standings<'_>, estimated: &[Estimated]) -> Value {
        let mut json = standings.json();
        let estimates = estimated.iter();
        let estimates = estimates.map(|e| e.json(&self.ruleset.name, self.args.seed));
        let mut results: Vec<Value> = json["results"].as_array().cloned().unwrap_or_default();
        results.extend(estimates);
        // In the order in which they were asked for.
        let place = |value: &Value| {
            self.args
                .players
                .iter()
                .position(|name| value["player"] == **name)
        };
        results.sort_by_key(place);
        json["results"] = json!(results);
        json
    }

    fn print(
        &self,
        standings: &Standings<'_>,
        played: &[Played],
        estimated: &[Estimated],
    ) -> anyhow::Result<()> {
        if !played.is_empty() {
            standings.print()?;
        }
        if estimated.is_empty() {
            return self.print_missing(played, estimated);
        }
        if !played.is_empty() {
            let names: Vec<&str> = played.iter().map(|arm| arm.name.as_str()).collect();
            line(&format!(
                "\nGames of {} end so soon that they were played whole; the others would take longer:\n",
                names.join(", ")
            ))?;
        }
        line(&format!(
            "{} · estimated by multilevel splitting · seed {}\n",
            self.ruleset.name, self.args.seed
        ))?;
        let levels = self.args.levels || estimated.len() == 1;
        estimates::print(estimated, self.ruleset.width, levels)?;
        self.print_missing(played, estimated)?;
        line(progress::again())?;
        let resume = self.resume_flag();
        for estimated in estimated {
            line(&format!("  {}{resume}", estimated.command))?;
        }
        Ok(())
    }

    /// Names the players that were not reached.
    fn print_missing(&self, played: &[Played], estimated: &[Estimated]) -> anyhow::Result<()> {
        let is_missing = |name: &&String| {
            let mut done = estimated.iter().map(|one| &one.player);
            !done.any(|done| done == *name) && !played.iter().any(|arm| arm.name == **name)
        };
        let players = self.args.players.iter().filter(is_missing);
        let missing: Vec<&str> = players.map(String::as_str).collect();
        if !missing.is_empty() {
            line(&format!(
                "\nInterrupted before anything was known of {}.",
                missing.join(", ")
            ))?;
        }
        Ok(())
    }

    /// What lets an interrupted estimate go on where it was.
    fn resume_flag(&self) -> String {
        match &self.args.resume {
            Some(folder) if progress::is_interrupted() => {
                format!(" --resume {}", quote(&folder.display().to_string()))
            }
            _ => String::new(),
        }
    }
}

/// The file in which one player's repetitions are kept.
fn checkpoint_file(folder: &Path, player: &str) -> anyhow::Result<PathBuf> {
    let shown = folder.display();
    if folder.is_file() {
        bail!("{shown}: is a file; --resume names a folder");
    }
    std::fs::create_dir_all(folder)
        .map_err(|error| anyhow::anyhow!("{shown}: the folder cannot be made: {error}"))?;
    let safe = |c: char| {
        if c.is_ascii_alphanumeric() || "-_.".contains(c) {
            c
        } else {
            '_'
        }
    };
    let name: String = player.chars().map(safe).collect();
    Ok(folder.join(format!("{name}.survival.jsonl")))
}

/// Whether whole games for a precision need fewer pieces than splitting would, or so few that it does not matter.
pub(crate) fn games_are_cheaper(prepared: &Prepared<'_>, precision: f64) -> bool {
    let splitting = prepared.expected_pieces(precision);
    let pieces = prepared.mean_pieces_at_a_glance();
    pieces.is_some_and(|pieces| games_for(precision) as f64 * pieces <= splitting.max(CHEAP))
}

/// The number of whole games for a precision, if scores are exponential: then the standard error is mean / sqrt(n).
fn games_for(precision: f64) -> u64 {
    (((1.96 / precision).powi(2) * 1.05).ceil() as u64).min(MOST_GAMES)
}

/// How far the interval of a player's lines reaches, as a part of the mean: the wider side.
fn precision_of(arm: &Played) -> f64 {
    let estimate = tetrolab::stats::Estimate::of(&arm.lines());
    let width = estimate.and_then(|estimate| {
        let (mean, hi) = (estimate.mean?, estimate.ci95.hi?);
        Some(((hi / mean) - 1.0).max(1.0 - estimate.ci95.lo / mean))
    });
    width.unwrap_or(f64::INFINITY)
}
