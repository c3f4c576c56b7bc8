//! Prints an analysis as text.

use super::boards::{draw, draw_placements};
use crate::output::{line, print_table};
use std::io;
use tetrolab::analysis::{
    Analysed, AnalysedPlacement, AnalysedPlayer, AnalysedPosition, TableTerm,
};
use tetrolab::report::{Align, Table, percent, thousands};

/// The number of placements whose features are shown side by side.
const WITH_FEATURES: usize = 3;
/// The number of lookup tables shown.
const MOST_TABLES: usize = 8;
/// The maximum number of placements listed per continuation.
const NAMED: usize = 6;

pub(super) fn print(analysed: &Analysed) -> io::Result<()> {
    heading(&analysed.position)?;
    draw(&analysed.position.board)?;
    for player in &analysed.players {
        line(&format!("\n{}", summary(player)))?;
        placements(player)?;
        draw_placements(&analysed.position.board, &player.placements)?;
        features(player)?;
        tables(player)?;
    }
    if analysed.players.len() > 1 {
        line(&format!("\n{}", agreement(&analysed.players)))?;
    }
    Ok(())
}

fn heading(position: &AnalysedPosition) -> io::Result<()> {
    let AnalysedPosition { ruleset, piece, .. } = position;
    let queue: Vec<String> = position.queue.iter().map(ToString::to_string).collect();
    let next = if queue.is_empty() {
        String::new()
    } else {
        format!(", next {}", queue.join(" "))
    };
    let Some(record) = &position.record else {
        return line(&format!("{ruleset} · to place: {piece}{next}\n"));
    };
    let (pieces, lines) = (thousands(position.pieces), thousands(position.lines));
    line(&format!(
        "{} · {ruleset} · game {} of {}, {pieces} pieces and {lines} lines so far",
        record.player,
        record.game,
        record.file.display()
    ))?;
    let played = record.played.as_ref();
    let played = played.map_or(String::new(), |played| format!(" · played: {played}"));
    line(&format!("to place: {piece}{next}{played}\n"))
}

/// A line that names the player and says how many of its placements are shown.
fn summary(player: &AnalysedPlayer) -> String {
    let name = &player.player;
    let shown = player.placements.len();
    let about = match player.rated {
        0 => "its choice; it does not rate placements".to_owned(),
        1 => "the only placement".to_owned(),
        rated if shown < rated => format!("the best {shown} of {rated} placements"),
        rated => format!("all {rated} placements"),
    };
    let memory = if player.has_memory {
        "; in a game its decisions also depend on earlier ones"
    } else {
        ""
    };
    format!("{name}: {about}{memory}")
}

fn placements(player: &AnalysedPlayer) -> io::Result<()> {
    let looks_ahead = player.placements.iter().any(|row| !then(row).is_empty());
    let mut columns = vec![
        ("", Align::Right),
        ("placement", Align::Left),
        ("score", Align::Right),
        ("survival", Align::Right),
        ("lines", Align::Right),
    ];
    columns.extend(looks_ahead.then_some(("then", Align::Left)));
    let mut table = Table::new(&columns);
    for (index, placed) in player.placements.iter().enumerate() {
        let mut row = vec![
            format!("  {}", index + 1),
            placed.step.short.to_string(),
            placed.score.map_or("-".to_owned(), decimal),
            placed.survival.map_or("-".to_owned(), percent),
            placed.step.cleared.len().to_string(),
        ];
        row.extend(looks_ahead.then(|| then(placed)));
        table.row(row);
    }
    print_table(&table)
}

/// The expected continuation of a placement, as far as the player looks ahead.
fn then(placed: &AnalysedPlacement) -> String {
    let ends = placed.line.last().unwrap_or(&placed.step).game_over;
    let named = placed.line.iter().take(NAMED);
    let mut words: Vec<String> = named.map(|step| step.short.to_string()).collect();
    if placed.line.len() > NAMED {
        words.push("...".to_owned());
    }
    if ends {
        words.push("the game is over".to_owned());
    }
    words.join(" ")
}

/// The features of the best placements: value, and weight times value.
fn features(player: &AnalysedPlayer) -> io::Result<()> {
    let best = &player.placements[..player.placements.len().min(WITH_FEATURES)];
    let first = &best[0].features;
    if first.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = best.iter().map(|row| row.step.short.to_string()).collect();
    let is_weighed = best[0].sum.is_some();
    let mut columns = vec![("  feature", Align::Left)];
    columns.extend(is_weighed.then_some(("weight", Align::Right)));
    for name in &names {
        columns.push((name, Align::Right));
        columns.extend(is_weighed.then_some(("x weight", Align::Right)));
    }
    line("")?;
    let mut table = Table::new(&columns);
    for (index, term) in first.iter().enumerate() {
        let number = term
            .index
            .map_or(String::new(), |index| format!(" {index}"));
        let mut row = vec![format!("  {}{number}", term.feature)];
        row.extend(term.weight.map(decimal));
        for placed in best {
            let term = &placed.features[index];
            row.push(shortest(term.value));
            row.extend(term.product.map(decimal));
        }
        table.row(row);
    }
    if is_weighed {
        let mut row = vec!["  sum, this move".to_owned(), String::new()];
        for placed in best {
            row.extend([String::new(), placed.sum.map_or(String::new(), decimal)]);
        }
        table.row(row);
    }
    print_table(&table)
}

/// The lookup tables that differ most between the best two placements, and their contributions.
fn tables(player: &AnalysedPlayer) -> io::Result<()> {
    let [best, next, ..] = &player.placements[..] else {
        return Ok(());
    };
    let mut rows: Vec<_> = best.tables.iter().zip(&next.tables).collect();
    if rows.is_empty() {
        return Ok(());
    }
    rows.sort_by(|a, b| {
        let apart = |row: &(&TableTerm, &TableTerm)| (row.0.sum - row.1.sum).abs();
        apart(b).total_cmp(&apart(a))
    });
    let names = [best, next].map(|row| row.step.short.to_string());
    let columns = [
        ("  table", Align::Left),
        (&names[0], Align::Right),
        (&names[1], Align::Right),
        ("apart", Align::Right),
    ];
    line("")?;
    let mut table = Table::new(&columns);
    for (own, other) in rows.iter().take(MOST_TABLES) {
        let sums = [own.sum, other.sum, own.sum - other.sum].map(|sum| format!("{sum:.3}"));
        table.row([vec![format!("  {}", own.table)], sums.to_vec()].concat());
    }
    print_table(&table)?;
    match rows.len().saturating_sub(MOST_TABLES) {
        0 => Ok(()),
        more => line(&format!("  and {more} more that distinguish them less")),
    }
}

/// The choice of each player.
fn agreement(players: &[AnalysedPlayer]) -> String {
    let mut choices: Vec<(String, Vec<&str>)> = Vec::new();
    for player in players {
        let choice = player.placements[0].step.short.to_string();
        match choices.iter_mut().find(|known| known.0 == choice) {
            Some(known) => known.1.push(&player.player),
            None => choices.push((choice, vec![&player.player])),
        }
    }
    match &choices[..] {
        [(choice, _)] => format!("All players choose {choice}."),
        _ => {
            let chosen = choices.iter();
            let chosen = chosen.map(|(choice, names)| format!("{choice} by {}", names.join(", ")));
            let chosen: Vec<String> = chosen.collect();
            format!("The players disagree: {}.", chosen.join("; "))
        }
    }
}

fn decimal(value: f64) -> String {
    let text = format!("{value:.2}");
    match text.as_str() {
        "-0.00" => "0.00".to_owned(),
        _ => text,
    }
}

/// A feature value: an integer, or up to three decimals.
fn shortest(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "-0" => "0".to_owned(),
        _ => text.to_owned(),
    }
}
