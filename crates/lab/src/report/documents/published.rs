//! Published numbers of the documents' tables: `published.toml` of the experiments.

use crate::experiments::{PublishedBeside, published_beside, published_values};
use crate::report::error::ReportError;
use std::collections::BTreeMap;

/// One table of published numbers.
pub(super) struct Published(&'static BTreeMap<String, PublishedBeside>);

/// Published facts about a player.
#[derive(Default)]
pub(super) struct PublishedNumber {
    /// The player's name in the table, if different.
    pub(super) label: Option<String>,
    pub(super) lines: String,
    pub(super) source: String,
}

impl Published {
    pub(super) fn section(section: &str) -> Result<Published, ReportError> {
        let unknown = || ReportError(format!("published.toml has no section '{section}'"));
        published_beside(section).map(Published).ok_or_else(unknown)
    }

    pub(super) fn of(&self, player: &str) -> PublishedNumber {
        let beside = self.0.get(player);
        let lines = beside.and_then(|beside| {
            let number = beside
                .number
                .as_ref()
                .and_then(|[experiment, arm]| published_mean(experiment, arm));
            number.or_else(|| beside.lines.clone())
        });
        PublishedNumber {
            label: beside.and_then(|beside| beside.label.clone()),
            lines: lines.unwrap_or("–".to_owned()),
            source: beside.map_or_else(String::new, |beside| beside.source.clone()),
        }
    }
}

/// The number that is identified by an experiment and one of its arms.
fn number_of([experiment, arm]: [&str; 2]) -> Option<f64> {
    let mut values = published_values().iter();
    let value = values.find(|value| value.experiment == *experiment && value.arm == *arm);
    value?.value
}

/// The published mean of an arm of an experiment, with all its digits.
pub(super) fn published_mean(experiment: &str, arm: &str) -> Option<String> {
    number_of([experiment, arm]).map(written)
}

/// A published number with all its digits.
fn written(value: f64) -> String {
    if value >= 1e6 {
        return format!("{} M", value / 1e6);
    }
    let digits = value.to_string();
    let (whole, rest) = digits.split_once('.').unwrap_or((&digits, ""));
    let mut shown = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    match rest {
        "" => shown,
        rest => format!("{shown}.{rest}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_numbers_keep_their_digits() {
        assert_eq!(written(36_300_000.0), "36.3 M");
        assert_eq!(written(51e6), "51 M");
        assert_eq!(written(470_000.0), "470,000");
        assert_eq!(written(1745.2), "1,745.2");
        assert_eq!(written(143.0), "143");
    }

    #[test]
    fn every_number_that_a_table_names_is_published() {
        for section in [
            "estimates-10x20",
            "games-10x10",
            "boumaza-10x16",
            "boumaza-10x20",
            "strategies-10x20",
        ] {
            let rows = Published::section(section).unwrap().0;
            for (player, beside) in rows {
                let named = beside.number.as_ref();
                assert!(
                    named.is_none_or(|[experiment, arm]| number_of([experiment, arm]).is_some()),
                    "{section}, {player}"
                );
            }
        }
    }
}
