//! Published numbers with their sources.
//!
//! They are data, in `published.toml`: one table for each table of a document. Every number states
//! which experiment and arm measure it, or why it cannot be compared.

use super::Quantity;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A published number.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedValue {
    /// The document.
    pub document: String,
    /// The location of the number in the document.
    pub location: String,
    /// The experiment that measures the number.
    pub experiment: String,
    /// The arm of the experiment.
    pub arm: String,
    /// The quantity.
    pub quantity: Quantity,
    /// The number; `None` if the cell of the document is empty.
    pub value: Option<f64>,
    /// The number of games of which it is the mean or the maximum, if known.
    pub games: Option<u64>,
    /// The standard error of a mean, if the document states one.
    pub standard_error: Option<f64>,
    /// Why the number cannot be compared, if so.
    pub reason: Option<String>,
}

/// Published weights, which experiments use as players.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedWeights {
    /// The document.
    pub document: String,
    /// The location of the weights in the document.
    pub location: String,
    /// The experiment that uses the weights.
    pub experiment: String,
    /// The player with these weights.
    pub player: String,
    /// The weights, in the order of the player's features.
    pub values: Vec<f64>,
}

/// Published facts shown with one of our players in a table of the documentation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedBeside {
    /// The player's name in the table, if different.
    pub label: Option<String>,
    /// A published number of this file: its experiment and arm.
    pub number: Option<[String; 2]>,
    /// A published number that no experiment measures, as written.
    pub lines: Option<String>,
    /// The source, or how the player was made.
    #[serde(default)]
    pub source: String,
}

/// The content of `published.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PublishedFile {
    table: Vec<PublishedTable>,
    weights: Vec<PublishedWeights>,
    beside: BTreeMap<String, BTreeMap<String, PublishedBeside>>,
}

/// A table of a document.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PublishedTable {
    document: String,
    location: String,
    experiment: String,
    games: Option<u64>,
    columns: Vec<String>,
    rows: toml::Table,
    #[serde(default)]
    reasons: BTreeMap<String, String>,
}

/// A column with additional statistics of its row.
const OF_MEAN: [&str; 2] = ["games", "standard-error"];

impl PublishedTable {
    /// The numbers of the table, in the order of the table.
    fn values(&self) -> Result<Vec<PublishedValue>, String> {
        let mut found = Vec::new();
        for (arm, cells) in &self.rows {
            let place = format!("{}, {}, {arm}", self.document, self.location);
            let cells = cells.as_array().ok_or(format!("{place}: not a list"))?;
            if cells.len() != self.columns.len() {
                let (cells, columns) = (cells.len(), self.columns.len());
                return Err(format!("{place}: {cells} cells for {columns} columns"));
            }
            let cell = |column: &str| {
                let index = self.columns.iter().position(|name| name == column)?;
                number(&cells[index])
            };
            let [games, standard_error] = OF_MEAN.map(cell);
            for (column, value) in self.columns.iter().zip(cells) {
                if OF_MEAN.contains(&column.as_str()) {
                    continue;
                }
                let of_cell = self.reasons.get(&format!("{arm}.{column}"));
                let quantity = column
                    .parse()
                    .map_err(|()| format!("{place}: unknown quantity '{column}'"))?;
                found.push(PublishedValue {
                    document: self.document.clone(),
                    location: self.location.clone(),
                    experiment: self.experiment.clone(),
                    arm: arm.clone(),
                    quantity,
                    value: number(value),
                    games: games.map(|games| games as u64).or(self.games),
                    standard_error,
                    reason: of_cell.or(self.reasons.get(arm)).cloned(),
                });
            }
        }
        Ok(found)
    }
}

/// The number in a cell; `None` if the cell is empty.
fn number(value: &toml::Value) -> Option<f64> {
    let whole = value.as_integer().map(|value| value as f64);
    whole.or_else(|| value.as_float())
}

/// All published numbers, weights and facts.
struct Published {
    values: Vec<PublishedValue>,
    weights: Vec<PublishedWeights>,
    beside: BTreeMap<String, BTreeMap<String, PublishedBeside>>,
}

/// The file that was compiled into the program.
fn published() -> &'static Published {
    static PUBLISHED: OnceLock<Published> = OnceLock::new();
    PUBLISHED.get_or_init(|| {
        let text = include_str!("published.toml");
        let file: PublishedFile = toml::from_str(text).expect("published.toml: a test reads it");
        let values = file.table.iter().map(PublishedTable::values);
        let values: Result<Vec<_>, _> = values.collect();
        Published {
            values: values.expect("published.toml: a test reads it").concat(),
            weights: file.weights,
            beside: file.beside,
        }
    })
}

/// Every published number, in the order of `published.toml`.
#[must_use]
pub(crate) fn published_values() -> &'static [PublishedValue] {
    &published().values
}

/// Published facts for the players of a table of the documentation, by the name of the table.
#[must_use]
pub(crate) fn published_beside(table: &str) -> Option<&'static BTreeMap<String, PublishedBeside>> {
    published().beside.get(table)
}

/// All published weights.
#[must_use]
pub fn published_weights() -> &'static [PublishedWeights] {
    &published().weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    #[test]
    fn numbers_have_their_games_errors_and_reasons() {
        let find = |experiment: &str, arm: &str, document: &str| {
            let mut values = published_values().iter();
            let found = values.find(|value| {
                (&*value.experiment, &*value.arm, &*value.document) == (experiment, arm, document)
            });
            found.unwrap()
        };
        let mean = find("strategies", "accelerated-8", "strategies");
        assert_eq!((mean.value, mean.games), (Some(1976.0), Some(9)));
        let thiery = find("thesis-published", "thiery-2009", "cma-es");
        assert_eq!(thiery.standard_error, Some(3.5e6));
        let roulette = find("thesis-selection", "roulette", "thesis");
        assert_eq!((roulette.value, &roulette.reason), (None, &None));
        let kakade = find("thesis-published", "kakade-2002", "thesis");
        assert!(kakade.reason.is_some());
    }

    #[test]
    fn every_number_is_published_once() {
        let key = |value: &PublishedValue| {
            let PublishedValue {
                document,
                location,
                experiment,
                arm,
                ..
            } = value.clone();
            (document, location, experiment, arm, value.quantity.name())
        };
        let mut keys: Vec<_> = published_values().iter().map(key).collect();
        assert!(keys.len() > 400, "{}", keys.len());
        keys.sort();
        let all = keys.len();
        keys.dedup();
        assert_eq!(keys.len(), all);
    }

    #[test]
    fn published_weights_are_those_of_the_players() {
        for weights in published_weights() {
            let player = library::published(&weights.player).unwrap();
            let own: Vec<f64> = player
                .weights()
                .flat_map(|row| row.1.iter().copied())
                .collect();
            assert_eq!(own, weights.values, "{}", weights.player);
        }
    }
}
