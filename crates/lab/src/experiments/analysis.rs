//! What is made of several results: tables and texts of an experiment besides its arms.

use super::{ExperimentSize, LearnedPlayer, StageRecord};
use crate::report::{Align, Table};
use crate::study::PlayerResult;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Makes tables and texts of the results of an experiment; results may be missing while it is under
/// way.
pub type Analysis = fn(&ExperimentResults) -> Vec<Finding>;

/// The results of the stages that are done, by the names of the stages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExperimentResults {
    size: Option<ExperimentSize>,
    records: BTreeMap<String, StageRecord>,
}

impl ExperimentResults {
    /// No results yet.
    pub(super) fn new(size: ExperimentSize) -> ExperimentResults {
        ExperimentResults {
            size: Some(size),
            ..ExperimentResults::default()
        }
    }

    /// The scale and seed of the experiment, if they are known.
    #[must_use]
    pub fn size(&self) -> Option<ExperimentSize> {
        self.size
    }

    /// Adds the result of a stage.
    pub(super) fn add(&mut self, stage: &str, record: StageRecord) {
        self.records.insert(stage.to_owned(), record);
    }

    /// The result of a stage, if it is done.
    #[must_use]
    pub fn stage(&self, stage: &str) -> Option<&StageRecord> {
        self.records.get(stage)
    }

    /// What a stage learned.
    #[must_use]
    pub fn learned(&self, stage: &str) -> Option<&LearnedPlayer> {
        self.stage(stage)?.learned()
    }

    /// The result of a player in a stage.
    #[must_use]
    pub fn player(&self, stage: &str, player: &str) -> Option<&PlayerResult> {
        self.stage(stage)?.of_player(player)
    }

    /// All results, by the names of their stages.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &StageRecord)> {
        self.records
            .iter()
            .map(|(stage, record)| (stage.as_str(), record))
    }
}

/// What an analysis found: texts, then tables, under a heading.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The heading.
    pub heading: String,
    /// Paragraphs.
    pub texts: Vec<String>,
    /// Tables.
    pub tables: Vec<FoundTable>,
}

/// A table of an analysis.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FoundTable {
    /// What it shows.
    pub caption: String,
    /// The headings of its columns. The first column names the rows, the others hold numbers.
    pub columns: Vec<String>,
    /// Its rows, with one cell for each column.
    pub rows: Vec<Vec<String>>,
}

impl FoundTable {
    /// A table without rows.
    #[must_use]
    pub fn new(caption: impl Into<String>, columns: &[&str]) -> FoundTable {
        FoundTable {
            caption: caption.into(),
            columns: columns.iter().map(|&head| head.to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        debug_assert_eq!(cells.len(), self.columns.len());
        self.rows.push(cells);
    }

    /// The table as text.
    #[must_use]
    pub fn table(&self) -> Table {
        let align = |index| {
            if index == 0 {
                Align::Left
            } else {
                Align::Right
            }
        };
        let columns = self.columns.iter().enumerate();
        let columns: Vec<_> = columns
            .map(|(index, head)| (&**head, align(index)))
            .collect();
        let mut table = Table::new(&columns);
        self.rows.iter().for_each(|row| table.row(row.clone()));
        table
    }
}

impl Finding {
    /// A finding with one table.
    #[must_use]
    pub fn of_table(heading: impl Into<String>, text: &str, table: FoundTable) -> Finding {
        Finding {
            heading: heading.into(),
            texts: Some(text)
                .filter(|text| !text.is_empty())
                .map(str::to_owned)
                .into_iter()
                .collect(),
            tables: vec![table],
        }
    }
}
