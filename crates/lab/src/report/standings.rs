//! Standings: the means of players over whole games, with comparisons and warnings.

use super::{Align, Table, estimate_lines, show, show_optional, thousands};
use crate::stats::Interval;
use crate::study::{Evaluated, Note, NoteKind, PairResult, PlayerResult};

/// An evaluation as lines of text: whole games, then estimates; `width` is the width of the board.
/// The levels of a single estimate are always shown.
pub fn evaluation_lines(evaluated: &Evaluated, width: usize, levels: bool) -> Vec<String> {
    let results = evaluated.results.iter();
    let (estimated, played): (Vec<_>, Vec<_>) =
        results.partition(|result| result.splitting.is_some());
    let mut lines = Vec::new();
    if !played.is_empty() {
        lines.extend(game_lines(&played, &evaluated.comparisons));
    }
    if !played.is_empty() && !estimated.is_empty() {
        let names: Vec<&str> = played.iter().map(|result| &*result.player).collect();
        lines.push(format!(
            "\nGames of {} are short, so whole games were played; the other games would take too long:\n",
            names.join(", ")
        ));
    }
    if let Some(PlayerResult { ruleset, seed, .. }) = estimated.first() {
        lines.push(format!(
            "{ruleset} · estimated by multilevel splitting · seed {seed}\n"
        ));
        lines.extend(estimate_lines(
            &estimated,
            width,
            levels || estimated.len() == 1,
        ));
    }
    lines
}

/// Whole games as lines of text: the heading, the means, the comparisons and warnings.
pub fn game_lines(played: &[&PlayerResult], comparisons: &[PairResult]) -> Vec<String> {
    let mut lines = vec![heading(played)];
    lines.push(means_table(played).to_text().trim_end().to_owned());
    if let [first, ..] = comparisons {
        lines.push(format!("\nOn the same games, against {}:\n", first.first));
        lines.push(
            comparison_table(comparisons)
                .to_text()
                .trim_end()
                .to_owned(),
        );
    }
    lines.extend(warnings(played));
    lines
}

/// The ruleset, the number of games, and the seed.
fn heading(played: &[&PlayerResult]) -> String {
    let counts = || played.iter().map(|result| result.games);
    let (fewest, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
    let games = match most {
        1 => "1 game each".to_owned(),
        // Some players need more games than others for the same precision.
        _ if fewest < most => format!("{} to {} games", thousands(fewest), thousands(most)),
        _ => format!("{} games each", thousands(most)),
    };
    let PlayerResult { ruleset, seed, .. } = played[0];
    format!("{ruleset} · {games} · seed {seed}\n")
}

/// Remarks on the results.
fn warnings(played: &[&PlayerResult]) -> Vec<String> {
    let mut lines = Vec::new();
    let is_sure = |note: &Note| note.kind == NoteKind::Deterministic;
    let sure = played
        .iter()
        .filter(|result| result.notes.iter().any(is_sure));
    let sure: Vec<&str> = sure.map(|result| &*result.player).collect();
    if !sure.is_empty() {
        lines.push(format!(
            "\nEvery game of {} was identical: nothing is random under this ruleset, so the interval is meaningless.",
            sure.join(", ")
        ));
    }
    let is_estimate = |result: &PlayerResult| {
        result.cut_off > 0 && result.lines.method.as_deref() == Some("censored")
    };
    let (without_loss, with_losses): (Vec<&PlayerResult>, _) = played
        .iter()
        .copied()
        .filter(|result| is_estimate(result))
        .partition(|result| result.lines.mean.is_none());
    if !with_losses.is_empty() {
        let text = "\nSome games were truncated: the mean is total lines / lost games (censored estimate).";
        lines.push(text.to_owned());
    }
    if !without_loss.is_empty() {
        let names: Vec<&str> = without_loss.iter().map(|one| &*one.player).collect();
        lines.push(format!(
            "\nAll games of {} were truncated before they were lost: there is no estimate of the mean, \
             only a lower bound.",
            names.join(", ")
        ));
    }
    for result in played {
        let notes = result.notes.iter().filter(|note| !is_sure(note));
        lines.extend(notes.map(|note| format!("\n{}: {}.", result.player, note.text)));
    }
    if played.iter().any(|result| result.interrupted) {
        lines.push("Interrupted: the results cover only the games played so far.".to_owned());
    }
    lines
}

/// An interval, which may have no upper end.
pub fn show_interval(interval: &Interval) -> String {
    match interval.hi {
        Some(hi) => format!("{} to {}", show(interval.lo), show(hi)),
        None => format!("above {}", show(interval.lo)),
    }
}

/// The means of players over whole games.
fn means_table(played: &[&PlayerResult]) -> Table {
    let right = Align::Right;
    let scores = played.iter().any(|result| result.points.is_some());
    let mut columns = vec![
        ("player", Align::Left),
        ("mean lines", right),
        ("95 % interval", right),
        ("median", right),
        ("sd", right),
        ("max", right),
        ("lost/games", right),
        ("pieces/s", right),
    ];
    if scores {
        columns.splice(6..6, [("mean points", right), ("95 % interval", right)]);
    }
    let mut table = Table::new(&columns);
    for result in played {
        let lines = &result.lines;
        let mut cells = vec![
            result.player.clone(),
            show_optional(lines.mean),
            lines.ci95.as_ref().map_or("?".to_owned(), show_interval),
            show_optional(lines.median),
            show_optional(lines.sd),
            lines.max.map_or("?".to_owned(), thousands),
            format!("{}/{}", result.finished, result.games),
            speed(result),
        ];
        if scores {
            let points = result.points.as_ref();
            let interval = points.and_then(|points| points.ci95.as_ref());
            let interval = interval.map_or("?".to_owned(), show_interval);
            let mean = show_optional(points.and_then(|points| points.mean));
            cells.splice(6..6, [mean, interval]);
        }
        table.row(cells);
    }
    table
}

/// Pieces per second; unknown for a player that has not played.
fn speed(result: &PlayerResult) -> String {
    match result.games {
        0 => "?".to_owned(),
        _ => show(result.decisions_per_second),
    }
}

fn games(count: usize) -> String {
    match count {
        1 => "1 game".to_owned(),
        _ => format!("{} games", thousands(count as u64)),
    }
}

fn comparison_table(pairs: &[PairResult]) -> Table {
    let right = Align::Right;
    let mut table = Table::new(&[
        ("player", Align::Left),
        ("ratio of means", right),
        ("95 % interval", right),
        ("better in", right),
        ("worse in", right),
        ("equal in", right),
    ]);
    for pair in pairs {
        let ratio = pair.ratio.as_ref();
        table.row(vec![
            pair.second.clone(),
            ratio.map_or("?".to_owned(), |ratio| show(ratio.second_to_first)),
            ratio.map_or("?".to_owned(), |ratio| show_interval(&ratio.ci95)),
            games(pair.second_wins),
            games(pair.first_wins),
            games(pair.ties),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::games;

    #[test]
    fn one_game_is_a_game() {
        assert_eq!(
            [0, 1, 1200].map(games),
            ["0 games", "1 game", "1,200 games"]
        );
    }
}
