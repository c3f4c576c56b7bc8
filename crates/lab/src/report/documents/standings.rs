//! A picture of players with their means.

use super::published::Published;
use super::tables::{ResultRow, ranked_rows};
use crate::draw::plot::{DotPlot, DotRow, Plot, PlotAxis, PlotDot, PlotScale, PlotTitle};
use crate::report::error::ReportError;
use std::path::Path;

/// Draws the players of some results, best first, with their intervals.
pub(super) fn picture(
    section: &str,
    files: &[&str],
    experiments: &Path,
) -> Result<String, ReportError> {
    let published = Published::section(section)?;
    let rows = ranked_rows(files, experiments)?;
    let ruleset = rows.first().map_or("", |row| &row.ruleset);
    let title = format!("Mean lines of players · {ruleset}");
    Plot::Dots(DotPlot {
        title: PlotTitle::new(title, "with 95 % intervals"),
        x: PlotAxis::new("mean lines").scaled(PlotScale::Log),
        rows: rows.iter().map(|row| dot_row(row, &published)).collect(),
    })
    .svg()
    .map_err(|error| ReportError(error.to_string()))
}

fn dot_row(row: &ResultRow, published: &Published) -> DotRow {
    let label = published.of(&row.player).label;
    DotRow {
        name: label.as_deref().map_or(row.player.clone(), plain_text),
        dots: vec![PlotDot {
            mean: row.mean,
            interval: Some(row.interval),
        }],
        references: Vec::new(),
        ..DotRow::default()
    }
}

/// Markdown without its links and code marks.
fn plain_text(markdown: &str) -> String {
    let mut text = String::new();
    let mut rest = markdown;
    while let Some((before, link)) = rest.split_once("](") {
        text += before;
        rest = link.split_once(')').map_or("", |parts| parts.1);
    }
    (text + rest).replace(['[', '`'], "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_lose_their_marks() {
        assert_eq!(
            plain_text("[`wary-20`](a.md) in 3 minutes"),
            "wary-20 in 3 minutes"
        );
    }
}
