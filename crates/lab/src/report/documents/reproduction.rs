//! Published and measured numbers of all experiments: the body of docs/explanation/reproduction.md.

use crate::experiments::{
    EXPERIMENTS, Experiment, ExperimentReport, ExperimentScale, ExperimentSize, Quantity,
    ReportedNumber, kept_report,
};
use crate::report::error::{At, ReportError};
use crate::report::{Align, Table, show};
use std::path::Path;

/// The founding documents, in the order of the page; the rest follow.
const DOCUMENTS: [(&str, &str); 5] = [
    ("thesis", "\"TetrisBot\", a master's thesis"),
    ("strategies", "the report on greedy and two-step strategies"),
    (
        "near-perfect",
        "\"The (near) perfect bot\" with its readers' comments",
    ),
    ("ga-essay", "the essay on a genetic algorithm"),
    (
        "cma-es",
        "\"On the evolution of artificial Tetris players\"",
    ),
];

/// The scale and seed of the results.
const SIZE: ExperimentSize = ExperimentSize {
    scale: ExperimentScale::Paper,
    seed: 1,
};

/// The reports of all experiments, from the results in a folder with one subfolder per experiment.
pub(super) fn reports(folder: &Path) -> Result<Vec<ExperimentReport>, ReportError> {
    let report = |id: &str| {
        let experiment = Experiment::named(id, SIZE).at(id)?;
        kept_report(&experiment, &folder.join(id)).at(id)
    };
    EXPERIMENTS.iter().map(|entry| report(entry.id)).collect()
}

/// The whole body, in Markdown.
pub(super) fn body(folder: &Path) -> Result<String, ReportError> {
    Ok(body_of(&reports(folder)?))
}

/// The body from reports.
pub(super) fn body_of(reports: &[ExperimentReport]) -> String {
    let mut text = format!("\n{}", documents_table(reports).to_markdown());
    text += "\n## Experiments and completed stages\n\n";
    text += &experiments_table(reports).to_markdown();
    text += "\n## Cells that the documents left empty\n\n";
    text += &wrapped(
        "Numbers in brackets are measured where the document has a number too; the tables of the experiments compare them.",
        "",
        "",
    );
    text += "\n";
    text += &empty_cells(reports).to_markdown();
    for report in reports {
        text += &section(report);
    }
    text + "\n"
}

/// The document in which a number is published, without the location.
fn document(number: &ReportedNumber) -> &str {
    number.published_in.split(',').next().unwrap_or_default()
}

/// The verdicts, in the order of the columns.
const VERDICTS: [&str; 5] = [
    "agrees",
    "higher",
    "lower",
    "inconclusive",
    "not comparable",
];

/// The number of verdicts of each kind.
fn counts<'a>(numbers: &(impl Iterator<Item = &'a ReportedNumber> + Clone)) -> Vec<String> {
    let count = |word: &str| {
        let with = numbers
            .clone()
            .filter_map(|number| number.agreement.as_ref());
        with.filter(|agreement| agreement.words() == word).count()
    };
    VERDICTS
        .iter()
        .map(|word| count(word).to_string())
        .collect()
}

fn columns(first: &'static str, second: &'static str) -> Table {
    let named = [(first, Align::Left), (second, Align::Left)];
    let verdicts = VERDICTS.map(|word| (word, Align::Right));
    Table::new(&[&named[..], &verdicts].concat())
}

/// The verdicts on each document, for each game that the document may refer to.
fn documents_table(reports: &[ExperimentReport]) -> Table {
    let mut table = columns("document", "variant");
    for (id, name) in DOCUMENTS {
        let numbers: Vec<&ReportedNumber> = reports
            .iter()
            .flat_map(|report| &report.numbers)
            .filter(|number| document(number) == id && number.published.is_some())
            .collect();
        let mut variants: Vec<&str> = numbers.iter().map(|number| &*number.variant).collect();
        variants.sort_unstable();
        variants.dedup();
        for variant in variants {
            let own = numbers.iter().filter(|number| number.variant == variant);
            let first = [format!("`{id}`: {name}"), variant.to_owned()];
            table.row([first.to_vec(), counts(&own.copied())].concat());
        }
    }
    table
}

/// The completed part of every experiment, and its verdicts.
fn experiments_table(reports: &[ExperimentReport]) -> Table {
    let mut table = columns("experiment", "stages done");
    for report in reports {
        let first = [format!("`{}`", report.experiment), done(report)];
        let published = report.numbers.iter();
        let published = published.filter(|number| number.published.is_some());
        table.row([first.to_vec(), counts(&published)].concat());
    }
    table
}

/// Number of completed stages that take time.
fn done(report: &ExperimentReport) -> String {
    let work = || report.stages.iter().filter(|stage| stage.is_work);
    let (all, done) = (
        work().count(),
        work().filter(|stage| stage.key.is_some()).count(),
    );
    format!("{done} of {all}")
}

/// The text about an empty cell.
const EMPTY_CELLS: [Quantity; 4] = [
    Quantity::Training,
    Quantity::Generations,
    Quantity::Mean,
    Quantity::Max,
];

/// Arms that a document announces without giving their numbers, with our measurements.
fn empty_cells(reports: &[ExperimentReport]) -> Table {
    let words = EMPTY_CELLS.map(|quantity| (quantity.words(), Align::Right));
    let first = ["document", "arm", "variant"].map(|name| (name, Align::Left));
    let mut table = Table::new(&[&first[..], &words].concat());
    for report in reports {
        let is_empty =
            |cell: &&ReportedNumber| !cell.published_in.is_empty() && cell.published.is_none();
        let mut arms: Vec<(&str, &str)> = Vec::new();
        for cell in report.numbers.iter().filter(is_empty) {
            let arm = (cell.arm.as_str(), cell.variant.as_str());
            if arms.contains(&arm) {
                continue;
            }
            arms.push(arm);
            let shown = EMPTY_CELLS.map(|quantity| {
                let mut cells = report.numbers.iter();
                let cell = cells.find(|other| {
                    (other.arm.as_str(), other.variant.as_str()) == arm
                        && other.quantity == quantity
                });
                cell.map_or_else(String::new, shown_cell)
            });
            let place = [&*cell.published_in, arm.0, arm.1].map(str::to_owned);
            table.row([&place[..], &shown].concat());
        }
    }
    table
}

/// A measured number with its range; in brackets if the document contains the number.
fn shown_cell(cell: &ReportedNumber) -> String {
    let range = cell.shown_range();
    let measured = match (cell.measured, range.as_str()) {
        (None, _) => "not run".to_owned(),
        (Some(_), "") => cell.shown_measured(),
        (Some(_), range) => format!("{}, {range}", cell.shown_measured()),
    };
    match cell.published {
        Some(_) => format!("({measured})"),
        None => measured,
    }
}

/// Wraps a paragraph or a list item at 100 columns.
fn wrapped(text: &str, first: &str, indent: &str) -> String {
    const WIDTH: usize = 100;
    let (mut lines, mut line) = (String::new(), first.to_owned());
    let mut is_empty = true;
    for word in text.split_whitespace() {
        if !is_empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines += &format!("{line}\n");
            line = indent.to_owned();
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line += word;
        is_empty = false;
    }
    format!("{lines}{line}\n")
}

/// An experiment: its question, missing parts, and numbers.
fn section(report: &ExperimentReport) -> String {
    let paragraph = |text: &str| format!("\n{}", wrapped(text, "", ""));
    let list = |heading: &str, texts: &[String]| match texts {
        [] => String::new(),
        texts => {
            let items = texts.iter().map(|text| wrapped(text, "- ", "  "));
            format!("\n{heading}\n\n{}", items.collect::<String>())
        }
    };
    let mut text = format!("\n## {}: {}\n", report.experiment, report.source);
    text += &paragraph(&report.question);
    text += &paragraph(&missing(report));
    text += &list("Not stated in the document, and our choices:", &report.open);
    text += &list("Differences from the document:", &report.deviations);
    if report.stages.iter().all(|stage| stage.key.is_none()) {
        return text + &unmeasured(report);
    }
    for (variant, table) in report.tables() {
        if !variant.is_empty() {
            text += &format!("\n### {}, {variant}\n", report.experiment);
        }
        text += &format!("\n{}", table.to_markdown());
    }
    for finding in report.findings.iter().filter(|one| !one.tables.is_empty()) {
        let heading = finding.heading.to_lowercase();
        text += &format!("\n### {}, {heading}\n", report.experiment);
        for about in finding.texts.iter().filter(|text| !text.is_empty()) {
            text += &paragraph(about);
        }
        for table in finding.tables.iter().filter(|table| !table.rows.is_empty()) {
            text += &format!("\n{}:\n\n{}", table.caption, table.table().to_markdown());
        }
    }
    text
}

/// The published numbers of an experiment that has not been run, without repetitions.
fn unmeasured(report: &ExperimentReport) -> String {
    let mut table = Table::new(&[
        ("arm", Align::Left),
        ("what", Align::Left),
        ("published", Align::Right),
        ("in", Align::Left),
        ("verdict", Align::Left),
    ]);
    let mut rows: Vec<Vec<String>> = Vec::new();
    for number in &report.numbers {
        if number.published_in.is_empty() {
            continue;
        }
        let row = vec![
            number.arm.clone(),
            number.quantity.words().to_owned(),
            number.published.map_or_else(String::new, show),
            number.published_in.clone(),
            number.shown_agreement(),
        ];
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    rows.into_iter().for_each(|row| table.row(row));
    format!("\n{}", table.to_markdown())
}

/// The completed part, and how long it took.
fn missing(report: &ExperimentReport) -> String {
    let seconds: f64 = report.stages.iter().map(|stage| stage.seconds).sum();
    let done = done(report);
    match (report.interrupted, seconds > 0.0) {
        (false, _) => format!("All stages are done: {done}."),
        (true, true) => format!(
            "Stages done: {done}; numbers without a measurement need the other stages. Cost of all stages: {}.",
            report.cost
        ),
        (true, false) => format!("Not run at this scale yet. Cost: {}.", report.cost),
    }
}

/// The published numbers that no report contains.
#[cfg(test)]
pub(super) fn unreported(reports: &[ExperimentReport]) -> Vec<String> {
    let is_reported = |value: &&crate::experiments::PublishedValue| {
        let place = format!("{}, {}", value.document, value.location);
        reports.iter().any(|report| {
            let mut numbers = report.numbers.iter();
            report.experiment == value.experiment
                && numbers.any(|number| {
                    number.published_in == place
                        && number.arm == value.arm
                        && number.quantity == value.quantity
                        && number.published == value.value
                        && number.agreement.is_some()
                })
        })
    };
    let missing = crate::experiments::published_values()
        .iter()
        .filter(|value| !is_reported(value));
    let shown = missing.map(|value| {
        let number = value.value.map_or_else(String::new, show);
        format!(
            "{}, {}, {}: {number}",
            value.document, value.location, value.arm
        )
    });
    shown.collect()
}
