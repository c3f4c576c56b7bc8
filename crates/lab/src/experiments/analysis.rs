//! Tables and texts of an experiment that combine several results.

use super::{ExperimentArm, ExperimentSize, LearnedPlayer, StageRecord};
use crate::draw::plot::Plot;
use crate::report::curves::{CurveOver, RunGenerations, curve_plot};
use crate::report::{Align, Table};
use crate::study::PlayerResult;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Builds tables and texts from the results of an experiment; some results may be missing while it
/// runs.
pub type Analysis = fn(&ExperimentResults) -> Vec<Finding>;

/// The results of the completed stages, by stage name.
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

    /// The result of a stage, if it is completed.
    #[must_use]
    pub fn stage(&self, stage: &str) -> Option<&StageRecord> {
        self.records.get(stage)
    }

    /// The learned player of a stage.
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

/// The output of an analysis: a heading, texts, tables and plots.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The heading.
    pub heading: String,
    /// Paragraphs.
    pub texts: Vec<String>,
    /// Plots.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plots: Vec<FoundPlot>,
    /// Tables.
    pub tables: Vec<FoundTable>,
}

/// A plot of an analysis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoundPlot {
    /// The finding in one sentence.
    pub caption: String,
    /// The plot.
    pub plot: Plot,
}

/// A table of an analysis.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FoundTable {
    /// The caption of the table.
    pub caption: String,
    /// The headings of the columns. The first column names the rows, the others contain numbers.
    pub columns: Vec<String>,
    /// The rows of the table, with one cell per column.
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
    /// Adds a plot to the finding.
    #[must_use]
    pub(crate) fn with_plot(mut self, caption: impl Into<String>, plot: Plot) -> Finding {
        let caption = caption.into();
        self.plots.push(FoundPlot { caption, plot });
        self
    }

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
            ..Finding::default()
        }
    }
}

/// The maximum number of arms whose learning curves are drawn together.
const MOST_CURVES: usize = 14;

/// The learning curves of all arms that learn, unless there are too many.
pub(super) fn learning_curves(
    arms: &[ExperimentArm],
    results: &ExperimentResults,
) -> Option<Finding> {
    let mut runs: Vec<RunGenerations> = Vec::new();
    let mut drawn: Vec<&[String]> = Vec::new();
    for arm in arms {
        if arm.learned.is_empty() || drawn.contains(&arm.learned.as_slice()) {
            continue;
        }
        drawn.push(&arm.learned);
        for stage in &arm.learned {
            let learned = results.learned(stage);
            runs.extend(learned.map(|learned| RunGenerations {
                learner: arm.full_name(),
                name: stage.clone(),
                weights: Vec::new(),
                rows: learned.generations.clone(),
            }));
        }
    }
    if runs.is_empty() || drawn.len() > MOST_CURVES {
        return None;
    }
    let notes = ("one colour per arm, one line per training run", "fitness");
    let plot = Plot::Curves(curve_plot(&runs, CurveOver::Pieces, notes, false));
    let finding = Finding {
        heading: "Learning curves".to_owned(),
        ..Finding::default()
    };
    Some(finding.with_plot("The best fitness of every generation.", plot))
}
