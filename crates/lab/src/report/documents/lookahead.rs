//! Tables about look-ahead players.

use super::published::Published;
use super::tables::{ResultRow, interval, rows, rows_of};
use crate::report::error::{ReportError, fail};
use crate::report::{Align, Table, show, show_count};
use std::collections::BTreeMap;
use std::path::Path;

/// The columns of the table of plies, with the prefix and suffix of the players' names in each.
const WAYS: [(&str, &str, &str); 3] = [
    ("greedy", "", ""),
    ("expectimax, no preview", "expectimax(", ",depth=2)"),
    ("two-piece, next piece visible", "two-piece(", ")"),
];

/// The value of a ply: each evaluator played greedily, with an unknown second piece, and with a
/// known one. The numbers in brackets are multiples of the greedy mean.
pub(super) fn plies(files: &[&str], experiments: &Path) -> Result<String, ReportError> {
    let mut all: BTreeMap<String, ResultRow> = BTreeMap::new();
    let mut evaluators = Vec::new();
    for row in rows_of(files, experiments)? {
        if !row.player.contains('(') {
            evaluators.push((row.player.clone(), row.mean));
        }
        all.insert(row.player.clone(), row);
    }
    let heads: String = WAYS
        .iter()
        .map(|way| format!(" {} | 95 % interval |", way.0))
        .collect();
    let mut text = format!("| evaluator |{heads}\n|---|--:|---|--:|---|--:|---|\n");
    for (evaluator, greedy) in evaluators {
        text += &format!("| `{evaluator}` |");
        for (_, begins, ends) in WAYS {
            let player = format!("{begins}{evaluator}{ends}");
            // A mean that is not available yet.
            let Some(row) = all.get(&player) else {
                text += " – | – |";
                continue;
            };
            let times = format!(" (x{})", show(row.mean / greedy));
            let times = if begins.is_empty() { "" } else { &times };
            text += &format!(" {}{times} | {} |", show(row.mean), interval(row));
        }
        text.push('\n');
    }
    Ok(text)
}

/// Players with means and the time per decision, in the order of the files, next to published
/// numbers.
pub(super) fn timed(
    published: &Published,
    files: &[&str],
    experiments: &Path,
) -> Result<String, ReportError> {
    let mut table = Table::new(&[
        ("player", Align::Left),
        ("games", Align::Right),
        ("mean lines", Align::Right),
        ("95 % interval", Align::Left),
        ("µs per piece", Align::Right),
        ("published lines", Align::Right),
        ("by", Align::Left),
    ]);
    for row in rows_of(files, experiments)? {
        let number = published.of(&row.player);
        let name = number.label.unwrap_or(format!("`{}`", row.player));
        let microseconds = 1e6 / row.decisions_per_second;
        table.row(vec![
            name,
            row.games.to_string(),
            show(row.mean),
            interval(&row),
            format!("{microseconds:.1}"),
            number.lines,
            number.source,
        ]);
    }
    Ok(table.to_markdown())
}

/// Compares splitting with whole games, given pairs of files with the same players; results of one
/// player from several seeds are pooled. The difference is that of the logarithms in units of the
/// joint 95 % interval. It is positive if splitting gives a higher mean, and between -1 and 1 in 19
/// of 20 cases.
pub(super) fn agreement(files: &[&str], experiments: &Path) -> Result<String, ReportError> {
    let mut table = Table::new(&[
        ("player", Align::Left),
        ("board", Align::Left),
        ("whole games", Align::Right),
        ("mean lines", Align::Right),
        ("95 % interval", Align::Left),
        ("splitting", Align::Right),
        ("95 % interval", Align::Left),
        ("difference (joint intervals)", Align::Right),
    ]);
    for pair in files.chunks(2) {
        let read = |file: &str| Ok::<_, ReportError>(pooled(rows(file, experiments)?));
        let (games, splitting) = (read(pair[0])?, read(pair[1])?);
        for game in &games {
            let same = |row: &&ResultRow| row.player == game.player && row.ruleset == game.ruleset;
            let Some(estimate) = splitting.iter().find(same) else {
                fail!(
                    "{}: {} on {} is missing",
                    pair[1],
                    game.player,
                    game.ruleset
                );
            };
            table.row(vec![
                format!("`{}`", game.player),
                game.ruleset
                    .rsplit('-')
                    .next()
                    .unwrap_or_default()
                    .to_owned(),
                show_count(game.games),
                show(game.mean),
                interval(game),
                show(estimate.mean),
                interval(estimate),
                format!("{:+.2}", joint_difference(estimate, game)),
            ]);
        }
    }
    Ok(table.to_markdown())
}

/// Half the width of an interval on a logarithmic scale.
fn half_width(row: &ResultRow) -> f64 {
    (row.interval[1] / row.interval[0]).ln() / 2.0
}

/// Pools several results of one player on one board, each with a different seed: the mean of the
/// logarithms, weighted by the inverse of their variances.
pub(super) fn pooled(rows: Vec<ResultRow>) -> Vec<ResultRow> {
    let mut all: Vec<ResultRow> = Vec::new();
    for row in rows {
        let same =
            |other: &&mut ResultRow| other.player == row.player && other.ruleset == row.ruleset;
        let Some(one) = all.iter_mut().find(same) else {
            all.push(row);
            continue;
        };
        let [before, added] = [half_width(one), half_width(&row)].map(|half| half.powi(-2));
        let mean = (before * one.mean.ln() + added * row.mean.ln()) / (before + added);
        let half = (before + added).powf(-0.5);
        one.games += row.games;
        one.finished += row.finished;
        one.pieces_simulated += row.pieces_simulated;
        one.seconds += row.seconds;
        one.mean = mean.exp();
        one.interval = [(mean - half).exp(), (mean + half).exp()];
    }
    all
}

/// The distance of a mean from another, in half widths of the interval of their difference;
/// negative if it is below.
pub(super) fn joint_difference(a: &ResultRow, b: &ResultRow) -> f64 {
    (a.mean / b.mean).ln() / half_width(a).hypot(half_width(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_several_seeds_are_pooled_by_their_precision() {
        let row = |games, mean: f64, half: f64| ResultRow {
            player: "bcts".to_owned(),
            ruleset: "simplified-10x8".to_owned(),
            games,
            mean,
            interval: [mean / half, mean * half],
            largest: None,
            line_points: None,
            finished: games,
            pieces_simulated: 10.0,
            seconds: 1.0,
            decisions_per_second: 1.0,
        };
        // The second interval is half as wide on a logarithmic scale, so it has four times the
        // weight.
        let all = pooled(vec![row(100, 32.0, 4.0), row(400, 1.0, 2.0)]);
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].games, 500);
        assert!((all[0].mean - 2.0).abs() < 1e-9);
        let half = (4f64.ln().powi(-2) + 2f64.ln().powi(-2)).powf(-0.5);
        assert!((half_width(&all[0]) - half).abs() < 1e-9);
    }
}
