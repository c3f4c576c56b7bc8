//! The report of an experiment: published and measured numbers with verdicts.

use super::analysis::learning_curves;
use super::committed::is_work;
use super::measure::MeasuredNumber;
use super::published::{PublishedValue, published_values};
use super::{
    Agreement, Definition, Experiment, ExperimentArm, ExperimentResults, ExperimentScale, Finding,
    Quantity, ResultUnit,
};
use crate::number::optional;
use crate::report::{Align, Table, show};
use serde::{Deserialize, Serialize};

/// The version of the JSON of reports; it increases when a field is removed or changes its meaning.
pub const REPORT_SCHEMA: u32 = 1;

/// The report of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExperimentReport {
    /// The version of this schema: [`REPORT_SCHEMA`].
    pub schema: u32,
    /// The experiment.
    pub experiment: String,
    /// The title of the experiment.
    pub title: String,
    /// The document that the experiment is from.
    pub source: String,
    /// The scale of the experiment.
    pub scale: ExperimentScale,
    /// The seed of the experiment.
    pub seed: u64,
    /// Whether the experiment was stopped early, so that numbers are missing.
    pub interrupted: bool,
    /// The question that the experiment answers.
    pub question: String,
    /// What the document leaves open, and our choices.
    pub open: Vec<String>,
    /// Where the experiment differs from the document.
    pub deviations: Vec<String>,
    /// Approximate duration at this scale.
    pub cost: String,
    /// Published and measured numbers.
    pub numbers: Vec<ReportedNumber>,
    /// Tables and texts that combine several results.
    pub findings: Vec<Finding>,
    /// The stages with the commands that repeat them.
    pub stages: Vec<ReportedStage>,
}

/// A number of an arm: measured, published, or both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReportedNumber {
    /// The arm.
    pub arm: String,
    /// The variant of the arm; may be empty.
    pub variant: String,
    /// The quantity.
    pub quantity: Quantity,
    /// The unit.
    pub unit: ResultUnit,
    /// The document and the location of the published number; empty without a published number.
    pub published_in: String,
    /// The published number.
    #[serde(serialize_with = "optional")]
    pub published: Option<f64>,
    /// The measured number: a mean, or the geometric mean of training runs.
    #[serde(serialize_with = "optional")]
    pub measured: Option<f64>,
    /// The lower end of the 95 % interval; with several training runs, the lowest of them.
    #[serde(serialize_with = "optional")]
    pub low: Option<f64>,
    /// The upper end of the 95 % interval; with several training runs, the highest of them. `None`
    /// if unbounded.
    #[serde(serialize_with = "optional")]
    pub high: Option<f64>,
    /// Whether the measured number is a lower bound.
    pub is_bound: bool,
    /// Number of training runs; 0 for a given player.
    pub training_runs: usize,
    /// Number of games.
    pub games: u64,
    /// The verdict; `None` without a published number.
    #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
    pub agreement: Option<Agreement>,
    /// The stages that produced the number.
    pub stages: Vec<String>,
}

/// A stage of a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReportedStage {
    /// The name of the stage.
    pub stage: String,
    /// The key of the result; `None` if the stage is not completed.
    pub key: Option<String>,
    /// The command that repeats the stage; `None` for steps between studies.
    pub command: Option<String>,
    /// The wall-clock duration of the stage, in seconds.
    pub seconds: f64,
    /// Whether the stage takes a noticeable amount of time: it learns, measures or compares.
    #[serde(default)]
    pub is_work: bool,
}

impl ExperimentReport {
    /// The report of the completed stages.
    pub(super) fn new(
        experiment: &Experiment,
        results: &ExperimentResults,
        interrupted: bool,
    ) -> ExperimentReport {
        let Experiment {
            id,
            title,
            source,
            size,
            definition,
        } = experiment;
        let stages = definition.stages.iter().map(|stage| {
            let record = results.stage(&stage.id);
            ReportedStage {
                stage: stage.id.clone(),
                key: record.map(|record| record.key.clone()),
                command: record.and_then(|record| record.provenance.command.clone()),
                seconds: record.map_or(0.0, |record| record.provenance.seconds),
                is_work: is_work(&stage.study),
            }
        });
        let findings = definition.analyses.iter();
        let findings = findings.flat_map(|analysis| analysis(results));
        let curves = learning_curves(&definition.arms, results);
        ExperimentReport {
            schema: REPORT_SCHEMA,
            experiment: id.clone(),
            title: title.clone(),
            source: source.clone(),
            scale: size.scale,
            seed: size.seed,
            interrupted,
            question: definition.question.clone(),
            open: definition.open.clone(),
            deviations: definition.deviations.clone(),
            cost: definition.cost.clone(),
            numbers: numbers(id, definition, results),
            findings: findings.chain(curves).collect(),
            stages: stages.collect(),
        }
    }

    /// The number of verdicts of each kind.
    #[must_use]
    pub fn verdicts(&self) -> Vec<(&'static str, usize)> {
        let words = [
            "agrees",
            "higher",
            "lower",
            "inconclusive",
            "not comparable",
        ];
        let count = |word| {
            let agreements = self
                .numbers
                .iter()
                .filter_map(|number| number.agreement.as_ref());
            agreements
                .filter(|agreement| agreement.words() == word)
                .count()
        };
        words.map(|word| (word, count(word))).into()
    }

    /// Whether the experiment has published numbers, with or without a verdict.
    pub(super) fn has_published(&self) -> bool {
        let mut numbers = self.numbers.iter();
        numbers.any(|number| number.published.is_some() || number.agreement.is_some())
    }

    /// Notes that explain the numbers: how training runs are combined, and the fitness of training.
    #[must_use]
    pub fn notes(&self) -> Vec<&'static str> {
        let of_runs = |number: &ReportedNumber| number.training_runs > 1;
        let of_training = |number: &ReportedNumber| number.quantity == Quantity::Training;
        let of_test = |number: &ReportedNumber| number.quantity == Quantity::Mean;
        let has = |is: fn(&ReportedNumber) -> bool| self.numbers.iter().any(is);
        let notes = [
            (has(of_runs), RUNS_NOTE),
            (has(of_training), TRAINING_NOTE),
            (has(of_test), MEAN_NOTE),
        ];
        let notes = notes.into_iter().filter(|note| note.0);
        notes.map(|note| note.1).collect()
    }

    /// The numbers as tables, one per variant under its name, which may be empty. If the experiment
    /// has no published numbers, the columns about them are omitted.
    #[must_use]
    pub fn tables(&self) -> Vec<(&str, Table)> {
        let published = self.has_published();
        let mut columns = vec![
            ("arm", Align::Left),
            ("quantity", Align::Left),
            ("published", Align::Right),
            ("measured", Align::Right),
            ("95 % interval or range", Align::Right),
            ("verdict", Align::Wrapped),
        ];
        columns.retain(|column| published || !OF_PUBLISHED.contains(&column.0));
        let mut tables: Vec<(&str, Table)> = Vec::new();
        for number in &self.numbers {
            let variant = number.variant.as_str();
            let known = tables.iter().position(|table| table.0 == variant);
            let place = known.unwrap_or_else(|| {
                tables.push((variant, Table::new(&columns)));
                tables.len() - 1
            });
            tables[place].1.row(number.cells(published));
        }
        tables
    }
}

/// Explains a number of several training runs.
const RUNS_NOTE: &str = "A number of several training runs is their geometric mean (the arithmetic \
    mean if a run has 0), with the lowest and the highest run as its range. Other numbers have a \
    95 % interval.";
/// Explains [`Quantity::Training`].
const TRAINING_NOTE: &str = "Training result: the highest fitness that a candidate reached in \
    training. The best of many candidates is partly lucky, so it is biased upwards.";
/// Explains [`Quantity::Mean`].
const MEAN_NOTE: &str = "Mean: the mean of the test games, which are the same for all arms that are \
    tested together. Compare arms by it.";

/// The columns that compare with published numbers.
const OF_PUBLISHED: [&str; 2] = ["published", "verdict"];

impl ReportedNumber {
    fn cells(&self, published: bool) -> Vec<String> {
        let mut cells = vec![self.arm.clone(), self.quantity.words().to_owned()];
        cells.extend(published.then(|| self.shown_published()));
        cells.extend([self.shown_measured(), self.shown_range()]);
        cells.extend(published.then(|| self.shown_agreement()));
        cells
    }

    /// The measured number as text.
    #[must_use]
    pub(crate) fn shown_measured(&self) -> String {
        let bound = if self.is_bound { "> " } else { "" };
        self.measured
            .map_or_else(String::new, |value| format!("{bound}{}", shown(value)))
    }

    /// The published number as text.
    #[must_use]
    pub(crate) fn shown_published(&self) -> String {
        self.published.map_or_else(String::new, shown)
    }

    /// The interval or range as text.
    #[must_use]
    pub(crate) fn shown_range(&self) -> String {
        match (self.low, self.high) {
            // With few training runs that differ widely, more digits would suggest precision.
            (Some(low), Some(high)) if high > 1e4 * low && self.training_runs > 1 => {
                let runs = self.training_runs;
                format!("unknown within a factor of 100 ({runs} runs)")
            }
            (Some(low), Some(high)) if low < high => {
                let of_runs = match self.training_runs {
                    0 | 1 => String::new(),
                    runs => format!(" (range of {runs} runs)"),
                };
                format!("{} to {}{of_runs}", shown(low), shown(high))
            }
            _ => String::new(),
        }
    }

    /// The verdict with its reason as text.
    #[must_use]
    pub(crate) fn shown_agreement(&self) -> String {
        let Some(agreement) = &self.agreement else {
            return String::new();
        };
        match agreement.reason() {
            "" => agreement.words().to_owned(),
            reason => format!("{}: {reason}", agreement.words()),
        }
    }
}

/// A number as text, with at least two significant digits.
fn shown(value: f64) -> String {
    if value != 0.0 && value.abs() < 0.01 {
        format!("{value:.2e}")
    } else if value != 0.0 && value.abs() < 0.1 {
        format!("{value:.3}")
    } else {
        show(value)
    }
}

/// The numbers of all arms, followed by the published ones that no arm measures.
fn numbers(
    experiment: &str,
    definition: &Definition,
    results: &ExperimentResults,
) -> Vec<ReportedNumber> {
    let arms = &definition.arms;
    let own = published_values().iter();
    let own: Vec<&PublishedValue> = own.filter(|value| value.experiment == experiment).collect();
    let mut found = Vec::new();
    for arm in arms {
        let published = own.iter().filter(|value| value.arm == arm.id);
        let published: Vec<_> = published
            .filter(|value| arm.measures(value.quantity))
            .collect();
        for value in &published {
            found.push(number(arm, value.quantity, Some(value), results));
        }
        let usual = [Quantity::Training, Quantity::Mean];
        for &quantity in usual.iter().chain(&definition.further) {
            let is_there = |number: &ReportedNumber| {
                let is_same = number.quantity == quantity && number.variant == arm.variant;
                // Several arms may share their training.
                let is_own = number.arm == arm.id || quantity.is_of_training();
                is_same && is_own && number.stages == stages_of(arm, quantity)
            };
            if arm.measures(quantity) && !found.iter().any(is_there) {
                found.push(number(arm, quantity, None, results));
            }
        }
    }
    let is_measured = |value: &&&PublishedValue| {
        let mut arms = arms.iter().filter(|arm| arm.id == value.arm);
        arms.any(|arm| arm.measures(value.quantity))
    };
    let others = own.iter().filter(|value| !is_measured(value));
    found.extend(others.map(|value| unmeasured(value)));
    found
}

/// The stages behind a number of an arm.
fn stages_of(arm: &ExperimentArm, quantity: Quantity) -> Vec<String> {
    if quantity.is_of_training() {
        arm.learned.clone()
    } else {
        let tested = arm.tested.iter();
        tested.map(|tested| tested.stage.clone()).collect()
    }
}

fn published_in(value: &PublishedValue) -> String {
    format!("{}, {}", value.document, value.location)
}

fn number(
    arm: &ExperimentArm,
    quantity: Quantity,
    published: Option<&PublishedValue>,
    results: &ExperimentResults,
) -> ReportedNumber {
    let games = published.and_then(|value| value.games);
    let measured = results.measured(arm, quantity, games);
    let range = |part: fn(&MeasuredNumber) -> Option<f64>| measured.as_ref().and_then(part);
    let training = measured.and_then(|own| own.mean.training);
    ReportedNumber {
        arm: arm.id.clone(),
        variant: arm.variant.clone(),
        quantity,
        unit: arm.unit,
        published_in: published.map_or_else(String::new, published_in),
        published: published.and_then(|value| value.value),
        measured: measured.map(|own| own.mean.value),
        low: range(|own| Some(own.range.0)),
        high: range(|own| own.range.1),
        is_bound: measured.is_some_and(|own| own.mean.is_bound),
        training_runs: training.map_or(0, |training| training.runs),
        games: measured.map_or(0, |own| own.games),
        agreement: published.map(|value| results.agreement(arm, value)),
        stages: stages_of(arm, quantity),
    }
}

/// A published number that no arm measures.
fn unmeasured(value: &PublishedValue) -> ReportedNumber {
    let reason = value.reason.clone();
    let reason = reason.unwrap_or_else(|| "not measured at this scale".to_owned());
    ReportedNumber {
        arm: value.arm.clone(),
        variant: String::new(),
        quantity: value.quantity,
        unit: ResultUnit::default(),
        published_in: published_in(value),
        published: value.value,
        measured: None,
        low: None,
        high: None,
        is_bound: false,
        training_runs: 0,
        games: 0,
        agreement: Some(Agreement::NotComparable(reason)),
        stages: Vec::new(),
    }
}
