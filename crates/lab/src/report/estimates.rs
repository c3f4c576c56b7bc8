//! Means estimated by splitting: the table, and the levels.

use super::{Align, Table, percent, show, show_interval, show_optional};
use crate::study::{PlayerResult, SplittingResult};
use crate::survival::{LevelKind, danger_chance, times_empty};

/// Estimates for several players as lines of text; with `levels`, also the rates at which stacks
/// reach the levels.
pub fn estimate_lines(estimates: &[&PlayerResult], width: usize, levels: bool) -> Vec<String> {
    let mut lines = vec![table(estimates).to_text().trim_end().to_owned()];
    for result in estimates {
        let player = &result.player;
        for doubt in result.splitting.iter().flat_map(|found| &found.doubts) {
            lines.push(format!("\nUnreliable: {player}: {doubt}."));
        }
        for note in &result.notes {
            lines.push(format!("\n{player}: {}.", note.text));
        }
        if result.interrupted {
            lines.push(format!(
                "\nInterrupted: {player} has fewer repetitions than requested."
            ));
        }
    }
    for result in estimates.iter().filter(|_| levels) {
        lines.extend(level_lines(result, width));
    }
    lines
}

fn table(estimates: &[&PlayerResult]) -> Table {
    let right = Align::Right;
    let mut table = Table::new(&[
        ("player", Align::Left),
        ("mean lines", right),
        ("95 % interval", right),
        ("+/-", right),
        ("repetitions", right),
        ("pieces played", right),
        ("saving (x)", right),
        ("pieces/s", right),
    ]);
    let rows = estimates
        .iter()
        .filter_map(|result| Some((result, result.splitting.as_ref()?)));
    for (result, splitting) in rows {
        let interval = result.lines.ci95.as_ref();
        table.row(vec![
            result.player.clone(),
            show_optional(result.lines.mean),
            interval.map_or("?".to_owned(), show_interval),
            result.precision.map_or("?".to_owned(), percent),
            splitting.repetitions.to_string(),
            show(result.pieces_simulated as f64),
            show_optional(splitting.saving),
            show(result.decisions_per_second),
        ]);
    }
    table
}

/// A plot of how rarely a stack reaches each level, in powers of ten.
fn level_lines(result: &PlayerResult, width: usize) -> Vec<String> {
    const BAR: f64 = 40.0;
    let Some(SplittingResult {
        entry_rate, level, ..
    }) = &result.splitting
    else {
        return Vec::new();
    };
    let what = match level {
        LevelKind::Stack => "level (the height of a flat stack)",
        LevelKind::Danger => "danger level (learned probability of losing)",
        LevelKind::Own => "danger level (by its own tables, relative to the empty board)",
        LevelKind::Tables(_) => {
            "danger level (by another player's tables, relative to the empty board)"
        }
    };
    let mut lines = vec![format!(
        "\n{}: how often a normal stack reaches each {what}, and the probability of reaching the next\n",
        result.player
    )];
    let chances = result.levels.iter().map(|level| level.chance);
    let deepest = -(entry_rate * chances.filter(|&part| part > 0.0).product::<f64>()).log10();
    let bar = |rate: f64| "#".repeat((BAR * -rate.log10() / deepest).round().max(0.0) as usize);
    let once = |rate: f64| format!("once in {} pieces", show(1.0 / rate));
    let mut reached = *entry_rate;
    // Nothing is known about what lies beyond a level that no trajectory has left.
    for row in result.levels.iter().take_while(|row| row.successes > 0) {
        let name = match level {
            LevelKind::Stack => format!("{:5.1}", f64::from(row.level) / (3 * width) as f64),
            LevelKind::Danger => percent(danger_chance(row.level)),
            LevelKind::Own | LevelKind::Tables(_) => format!("{:.1e}", times_empty(row.level)),
        };
        let (bar, once, part) = (bar(reached), once(reached), percent(row.chance));
        lines.push(format!("{name:>12}  {part:>7}  {bar:40}  {once}"));
        reached *= row.chance;
    }
    lines.push(if result.rate.is_none_or(|rate| rate <= 0.0) {
        "No trajectory got further.".to_owned()
    } else {
        format!(
            "{:>12}  {:7}  {:40}  {}",
            "end",
            "",
            bar(reached),
            once(reached)
        )
    });
    lines
}
