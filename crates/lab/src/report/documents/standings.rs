//! A picture of players with their means, next to published numbers.

use super::published::Published;
use super::tables::{ResultRow, ranked_rows};
use crate::draw::plot::{
    DotPlot, DotRow, Plot, PlotAxis, PlotDot, PlotScale, PlotTitle, ReferencePoint,
};
use crate::report::error::ReportError;
use std::path::Path;

/// Draws the players of some results, best first, each with its interval and its published mean.
pub(super) fn picture(
    section: &str,
    files: &[&str],
    experiments: &Path,
) -> Result<String, ReportError> {
    let published = Published::read(experiments, section)?;
    let rows = ranked_rows(files, experiments)?;
    let ruleset = rows.first().map_or("", |row| &row.ruleset);
    let title = format!("Mean lines of players · {ruleset}");
    Plot::Dots(DotPlot {
        title: PlotTitle::new(title, "measured, with 95 % intervals"),
        x: PlotAxis::new("mean lines").scaled(PlotScale::Log),
        rows: rows.iter().map(|row| dot_row(row, &published)).collect(),
    })
    .svg()
    .map_err(|error| ReportError(error.to_string()))
}

fn dot_row(row: &ResultRow, published: &Published) -> DotRow {
    let number = published.of(&row.player);
    let reference = number_of(&number.lines).map(|value| ReferencePoint {
        name: "published".to_owned(),
        value,
    });
    DotRow {
        name: number
            .label
            .as_deref()
            .map_or(row.player.clone(), plain_text),
        dots: vec![PlotDot {
            mean: row.mean,
            interval: Some(row.interval),
        }],
        references: reference.into_iter().collect(),
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

/// A number such as `7,632` or `35 M`.
fn number_of(text: &str) -> Option<f64> {
    let (digits, unit) = text.split_once(' ').unwrap_or((text, ""));
    let unit = match unit {
        "" => 1.0,
        "M" => 1e6,
        "B" => 1e9,
        _ => return None,
    };
    Some(digits.replace(',', "").parse::<f64>().ok()? * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_numbers_are_read() {
        assert_eq!(
            plain_text("[`wary-20`](a.md) in 3 minutes"),
            "wary-20 in 3 minutes"
        );
        assert_eq!(number_of("269.6 M"), Some(269.6e6));
        assert_eq!(number_of("7,632"), Some(7632.0));
        assert_eq!(number_of("–"), None);
    }
}
