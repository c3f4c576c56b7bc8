//! Means that were estimated by splitting: the table, the picture of the levels, and JSON.

use crate::output::{Align, Table, line, number, show};
use crate::standings::{interval_json, show_interval};
use serde_json::{Value, json};
use std::io;
use std::time::Duration;
use tetrolab::survival::{LevelResult, Survival};

/// One player's estimate.
pub(crate) struct Estimated {
    pub player: String,
    pub survival: Survival,
    pub trajectories: usize,
    pub interrupted: bool,
    pub elapsed: Duration,
    pub command: String,
}

impl Estimated {
    /// Pieces per second.
    fn speed(&self) -> f64 {
        self.survival.pieces_simulated as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    pub(crate) fn json(&self, ruleset: &str, seed: u64) -> Value {
        let survival = &self.survival;
        let optional = |value: Option<f64>| value.map_or(Value::Null, number);
        let doubts = survival.doubts.iter().map(ToString::to_string);
        json!({
            "player": self.player,
            "ruleset": ruleset,
            "seed": seed,
            "method": "splitting",
            "games": 0,
            "finished": 0,
            "cut_off": 0,
            "interrupted": self.interrupted,
            "lines": {
                "mean": optional(survival.lines),
                "ci95": interval_json(&survival.lines_ci95),
                "method": "splitting",
                "median": null,
                "mean_by_median": null,
                "sd": null,
                "max": null,
            },
            "pieces": {
                "mean": optional(survival.pieces),
                "ci95": interval_json(&survival.pieces_ci95),
            },
            "line_points": { "mean": optional(survival.line_points) },
            "rate": survival.rate,
            "relative_error": number(survival.relative_error),
            "precision": number(survival.precision),
            "trusted": survival.doubts.is_empty(),
            "doubts": Value::from_iter(doubts),
            "unmet": survival.unmet.map(|unmet| unmet.to_string()),
            "repetitions": survival.repetitions,
            "trajectories": self.trajectories,
            "pieces_simulated": survival.pieces_simulated,
            "saving": optional(survival.saving()),
            "base": survival.base,
            "entry_rate": number(survival.entry_rate),
            "levels": Value::from_iter(survival.levels.iter().map(level_json)),
            "decisions_per_second": self.speed().round(),
            "seconds": self.elapsed.as_secs_f64(),
            "command": self.command,
        })
    }
}

fn level_json(result: &LevelResult) -> Value {
    json!({
        "level": result.level,
        "trajectories": result.trajectories,
        "successes": result.successes,
        "chance": number(result.chance()),
        "ancestors": result.ancestors,
        "pieces": result.pieces,
    })
}

/// Prints the estimates of several players; with levels, how each climbed.
pub(crate) fn print(estimates: &[Estimated], width: usize, levels: bool) -> io::Result<()> {
    let right = Align::Right;
    let mut table = Table::new(&[
        ("player", Align::Left),
        ("mean lines", right),
        ("95 % interval", right),
        ("+/-", right),
        ("repetitions", right),
        ("pieces played", right),
        ("whole games: times", right),
        ("pieces/s", right),
    ]);
    for estimated in estimates {
        let survival = &estimated.survival;
        table.row(vec![
            estimated.player.clone(),
            survival.lines.map_or("?".to_owned(), show),
            show_interval(&survival.lines_ci95),
            percent(survival.precision),
            survival.repetitions.to_string(),
            show(survival.pieces_simulated as f64),
            survival.saving().map_or("?".to_owned(), show),
            show(estimated.speed()),
        ]);
    }
    table.print()?;
    for estimated in estimates {
        for doubt in &estimated.survival.doubts {
            line(&format!(
                "\nNot to be trusted: {}: {doubt}.",
                estimated.player
            ))?;
        }
        if let Some(unmet) = estimated.survival.unmet.filter(|_| !estimated.interrupted) {
            line(&format!(
                "\nGoal not reached: {}: {unmet}.",
                estimated.player
            ))?;
        }
        if estimated.interrupted {
            line(&format!(
                "\nInterrupted: {} has fewer repetitions than asked for.",
                estimated.player
            ))?;
        }
    }
    if levels {
        for estimated in estimates {
            print_levels(estimated, width)?;
        }
    }
    Ok(())
}

fn percent(part: f64) -> String {
    if part.is_finite() {
        format!("{:.1} %", 100.0 * part)
    } else {
        "?".to_owned()
    }
}

/// The picture: for every level, how rare it is that a stack comes there, on the scale of powers of ten.
fn print_levels(estimated: &Estimated, width: usize) -> io::Result<()> {
    const BAR: f64 = 40.0;
    let Survival {
        levels,
        entry_rate,
        rate,
        ..
    } = &estimated.survival;
    line(&format!(
        "\n{}: how often a stack, mostly lower, rises to a level (height if it were flat), and the chance to the next\n",
        estimated.player
    ))?;
    let lowest = levels
        .iter()
        .map(LevelResult::chance)
        .filter(|&part| part > 0.0);
    let deepest = -(entry_rate * lowest.product::<f64>()).log10();
    let bar = |rate: f64| "#".repeat((BAR * -rate.log10() / deepest).round().max(0.0) as usize);
    let once = |rate: f64| format!("once in {} pieces", show(1.0 / rate));
    let mut reached = *entry_rate;
    // Beyond a level that nobody left nothing is known.
    let known = levels.iter().take_while(|result| result.successes > 0);
    for result in known {
        let height = f64::from(result.level) / (3 * width) as f64;
        let part = result.chance();
        let (bar, once) = (bar(reached), once(reached));
        line(&format!(
            "{height:5.1}  {:>7}  {bar:40}  {once}",
            percent(part)
        ))?;
        reached *= part;
    }
    if *rate <= 0.0 {
        return line("Nobody came further.");
    }
    line(&format!(
        "  end           {:40}  {}",
        bar(reached),
        once(reached)
    ))
}
