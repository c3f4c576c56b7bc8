//! Pages of comparisons.

use super::{program, section, text};
use crate::report::error::{At, ReportError, fail};
use crate::report::page::{BadgeClass, Block, Page, PageCell, PageColumn, PageTable, Provenance};
use crate::report::{percent, show, show_interval, thousands};
use crate::stats::sequential::Verdict;
use crate::study::Compared;
use serde_json::Value;

/// The page of a comparison, from its result as JSON with its command.
///
/// # Errors
/// If it is not the result of a comparison, or the comparison was stopped before it had a result.
pub fn comparison_page(json: &Value) -> Result<Page, ReportError> {
    let found: Compared =
        serde_json::from_value(json.clone()).at("this is not the result of a comparison")?;
    let (Some(means), Some(ratio)) = (found.lines, found.ratio) else {
        fail!("the comparison was stopped before it had a result");
    };
    let command = json["command"].as_str();
    let (first, second) = (&found.first, &found.second);
    let (class, verdict) = match found.verdict {
        Verdict::First => (BadgeClass::Higher, format!("`{first}` is better.")),
        Verdict::Second => (BadgeClass::Lower, format!("`{second}` is better.")),
        Verdict::Equal => {
            let margin = percent(found.margin);
            (
                BadgeClass::Agrees,
                format!("They differ by less than {margin}."),
            )
        }
        Verdict::Open => (
            BadgeClass::Inconclusive,
            "The data do not decide.".to_owned(),
        ),
    };
    let interval = ratio.first_to_second_ci95.as_ref().map(show_interval);
    let mut value = PageCell::new(show(ratio.first_to_second))
        .detail(interval.map_or(String::new(), |interval| format!("95 %: {interval}")));
    value.command = command.map(str::to_owned);
    let table = PageTable {
        caption: "Mean lines of both players, and their ratio.".to_owned(),
        columns: vec![
            PageColumn::text("quantity"),
            PageColumn::number("value"),
            PageColumn::text("verdict"),
        ],
        rows: vec![
            row(first, PageCell::new(show(means.first))),
            row(second, PageCell::new(show(means.second))),
            vec![
                PageCell::new(format!("`{first}` / `{second}`")),
                value,
                PageCell::default().badge(class, verdict.clone()),
            ],
        ],
    };
    let measured = match found.games() {
        Some(games) => format!("{} games each", thousands(games)),
        None => format!("{} repetitions of splitting each", found.units),
    };
    let mut blocks = vec![
        text(format!(
            "{verdict} The comparison ended at interim analysis {} of at most {}, after {measured} \
             ({} pieces). The probability of a wrong decision is at most {} over all analyses \
             together.",
            found.analyses,
            found.most_analyses,
            show(found.pieces_simulated as f64),
            percent(found.error_rate)
        )),
        Block::Table(table),
    ];
    let doubts = found.doubts.iter();
    blocks.extend(doubts.map(|doubt| text(format!("Unreliable: {doubt}."))));
    let mut provenance = vec![
        Provenance::new("ruleset", &found.ruleset),
        Provenance::new("seed", found.seed.to_string()),
        Provenance::new("margin", percent(found.margin)),
        program(),
    ];
    provenance.extend(command.map(|command| Provenance::command("command", command)));
    Ok(Page {
        title: format!("{first} against {second} on {}", found.ruleset),
        question: "Which of two players clears more lines on average?".to_owned(),
        sections: vec![section("Verdict", blocks)],
        provenance,
    })
}

fn row(player: &str, mean: PageCell) -> Vec<PageCell> {
    let name = PageCell::new(format!("mean lines of `{player}`"));
    vec![name, mean, PageCell::default()]
}
