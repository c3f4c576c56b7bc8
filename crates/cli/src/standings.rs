//! Players on the same games: who has how many lines, who is better, and the commands that repeat it.

use crate::Outcome;
use crate::chance;
use crate::machine::Machine;
use crate::output::{Align, Table, line, number, show, thousands};
use crate::progress;
use anyhow::{Context, bail};
use serde_json::{Value, json};
use tetrolab::arena::{Arena, Arm, Limits, Played, common_lines};
use tetrolab::command::quote;
use tetrolab::core::players::Player;
use tetrolab::core::ruleset::Ruleset;
use tetrolab::stats::{Estimate, Interval, Paired, Summary};

/// The players under the names by which they were asked for.
pub(crate) type Players = Vec<Named>;
/// A player under its name.
pub(crate) type Named = (String, Box<dyn Player>);

/// A series of games that several players play.
pub(crate) struct Series<'a> {
    /// The ruleset as it was asked for.
    pub text: &'a str,
    pub ruleset: &'a Ruleset,
    pub games: u64,
    pub max_pieces: Option<u64>,
    pub seed: u64,
}

impl Series<'_> {
    /// Plays the games, with a bar and until Ctrl-C; keeps the first so many placements of each if asked to.
    pub(crate) fn play(
        &self,
        machine: &Machine,
        players: &[Named],
        record_placements: Option<usize>,
    ) -> anyhow::Result<Vec<Played>> {
        let threads = machine.threads()?;
        let bar = progress::games_bar(self.games.saturating_mul(players.len() as u64));
        let shown = bar.clone();
        let arena = Arena::new(threads)?
            .limits(Limits {
                max_pieces: self.max_pieces,
                record_placements,
                no_kernel: machine.no_kernel,
            })
            .stop_flag(progress::stop_on_interrupt())
            .on_progress(move |progress| progress::show(&shown, progress));
        let arms: Vec<Arm<'_>> = players
            .iter()
            .map(|(name, player)| (name.as_str(), &**player))
            .collect();
        let played = arena.play_all(&arms, self.ruleset, self.games, self.seed);
        bar.finish_and_clear();
        let played = played?;
        if played.iter().all(|arm| arm.records.is_empty()) {
            bail!("interrupted before a piece was placed");
        }
        Ok(played)
    }

    /// The series that one player played: some need more games than others for the same precision.
    fn of(&self, arm: &Played) -> Series<'_> {
        let more = if arm.interrupted {
            0
        } else {
            arm.records.len() as u64
        };
        Series {
            games: self.games.max(more),
            ..*self
        }
    }

    /// The command that repeats the results of players.
    pub(crate) fn command(&self, players: &[&str]) -> String {
        let cap = self
            .max_pieces
            .map_or(String::new(), |cap| format!(" --max-pieces {cap}"));
        let players: Vec<String> = players.iter().map(|player| quote(player)).collect();
        let (players, ruleset) = (players.join(" "), quote(self.text));
        let (games, seed) = (self.games, self.seed);
        format!("tetrolab eval {players} --ruleset {ruleset} --games {games}{cap} --seed {seed}")
    }
}

/// What came of a series.
pub(crate) struct Standings<'a> {
    series: &'a Series<'a>,
    played: &'a [Played],
    /// The other players against the first, on the games that all of them played.
    compared: Vec<Paired>,
}

impl<'a> Standings<'a> {
    pub(crate) fn new(
        series: &'a Series<'a>,
        played: &'a [Played],
    ) -> anyhow::Result<Standings<'a>> {
        let lines = common_lines(played);
        let compared = if lines.len() < 2 || lines[0].is_empty() {
            Vec::new()
        } else {
            Paired::against_first(&lines).context("the players played different games")?
        };
        Ok(Standings {
            series,
            played,
            compared,
        })
    }

    /// Whether all was played.
    pub(crate) fn outcome(&self) -> Outcome {
        if self.interrupted() {
            Outcome::Interrupted
        } else {
            Outcome::Done
        }
    }

    fn interrupted(&self) -> bool {
        self.played.iter().any(|arm| arm.interrupted)
    }

    pub(crate) fn json(&self) -> Value {
        let results = self.played.iter().map(|arm| result_json(self.series, arm));
        let mut json = json!({ "results": Value::from_iter(results) });
        if !self.compared.is_empty() {
            let first = &self.played[0].name;
            let pairs = self.played[1..].iter().zip(&self.compared);
            json["comparisons"] = pairs
                .map(|(arm, paired)| paired_json(first, &arm.name, paired))
                .collect();
        }
        json
    }

    /// Prints all there is to say.
    pub(crate) fn print(&self) -> anyhow::Result<()> {
        self.print_heading()?;
        self.print_means()?;
        if !self.compared.is_empty() {
            line(&format!(
                "\nOn the same games, against {}:\n",
                self.played[0].name
            ))?;
            comparison_table(self.played, &self.compared).print()?;
        }
        self.print_warnings()?;
        line(progress::again())?;
        for arm in self.played {
            line(&format!("  {}", self.series.of(arm).command(&[&arm.name])))?;
        }
        Ok(())
    }

    pub(crate) fn print_heading(&self) -> anyhow::Result<()> {
        let games = || self.played.iter().map(|arm| arm.records.len() as u64);
        let (fewest, most) = (games().min().unwrap_or(0), games().max().unwrap_or(0));
        let games = match most {
            1 => "1 game each".to_owned(),
            // Some players need more games than others for the same precision.
            _ if fewest < most => format!("{} to {} games", thousands(fewest), thousands(most)),
            _ => format!("{} games each", thousands(most)),
        };
        let Series { ruleset, seed, .. } = self.series;
        Ok(line(&format!(
            "{} · {games} · seed {seed}\n",
            ruleset.name
        ))?)
    }

    pub(crate) fn print_means(&self) -> anyhow::Result<()> {
        Ok(means_table(self.played).print()?)
    }

    pub(crate) fn print_warnings(&self) -> anyhow::Result<()> {
        let ruleset = self.series.ruleset;
        let sure = self
            .played
            .iter()
            .filter(|arm| chance::is_deterministic(ruleset, arm));
        let sure: Vec<&str> = sure.map(|arm| arm.name.as_str()).collect();
        if !sure.is_empty() {
            line(&format!(
                "\nEvery game of {} was the same: the ruleset leaves nothing to chance, and the interval means nothing.",
                sure.join(", ")
            ))?;
        }
        if self.played.iter().any(|arm| arm.cut_off() > 0) {
            line(
                "\nSome games were cut off: the mean is total lines / lost games (censored estimate).",
            )?;
        }
        if self.interrupted() {
            line("Interrupted: only what had been played is counted.")?;
        }
        Ok(())
    }
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

fn result_json(series: &Series<'_>, arm: &Played) -> Value {
    let lines = Lines::of(arm);
    let optional = |value: Option<f64>| value.map_or(Value::Null, number);
    let pieces: u64 = arm.records.iter().map(|game| game.pieces).sum();
    let mean = |games: &[_]| json!({ "mean": optional(Estimate::of(games).and_then(|e| e.mean)) });
    json!({
        "player": arm.name,
        "ruleset": series.ruleset.name,
        "seed": series.seed,
        "method": "games",
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
        "rate": number(arm.finished() as f64 / pieces as f64),
        "pieces_simulated": pieces,
        "levels": [],
        "decisions_per_second": arm.decisions_per_second().round(),
        "seconds": arm.elapsed.as_secs_f64(),
        "command": series.of(arm).command(&[&arm.name]),
    })
}

pub(crate) fn interval_json(interval: &Interval) -> Value {
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

pub(crate) fn show_interval(interval: &Interval) -> String {
    let hi = interval.hi.map_or("?".to_owned(), show);
    format!("{} to {hi}", show(interval.lo))
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
            speed(arm),
        ]);
    }
    table
}

/// Pieces per second; nothing is known of a player whose turn never came.
fn speed(arm: &Played) -> String {
    match arm.records.is_empty() {
        true => "?".to_owned(),
        false => show(arm.decisions_per_second()),
    }
}

fn games(count: u64) -> String {
    match count {
        1 => "1 game".to_owned(),
        _ => format!("{} games", thousands(count)),
    }
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
            games(paired.wins as u64),
            games(paired.losses as u64),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_player_whose_turn_never_came_has_no_speed() {
        let arm = Played {
            name: "late".to_owned(),
            records: Vec::new(),
            interrupted: true,
            elapsed: Duration::ZERO,
        };
        assert_eq!(speed(&arm), "?");
    }

    #[test]
    fn one_game_is_a_game() {
        assert_eq!(
            [0, 1, 1200].map(games),
            ["0 games", "1 game", "1,200 games"]
        );
    }
}
