//! The report of an experiment as an HTML page.

use super::{Agreement, ExperimentReport, Finding, FoundTable, Quantity, ReportedNumber};
use crate::draw::plot::{DotPlot, DotRow, Plot, PlotAxis, PlotDot, PlotTitle, ReferencePoint};
use crate::report::page::{
    BadgeClass, Block, Page, PageCell, PageColumn, PageTable, Provenance, Section,
};

/// The maximum number of rows in a plot of means.
const MOST_ROWS: usize = 60;
/// The maximum number of commands listed on a page.
const MOST_COMMANDS: usize = 100;

impl ExperimentReport {
    /// The report as a page.
    #[must_use]
    pub fn page(&self) -> Page {
        let mut sections = vec![self.numbers_section()];
        sections.extend(self.method_section());
        sections.extend(self.findings.iter().map(section));
        Page {
            title: format!("{} · {} scale", self.experiment, self.scale.name()),
            question: self.question.clone(),
            sections,
            provenance: self.provenance(),
        }
    }

    fn numbers_section(&self) -> Section {
        let mut blocks = Vec::new();
        if self.interrupted {
            let text = "The experiment is not finished: numbers are missing.";
            blocks.push(Block::Text(text.to_owned()));
        }
        let verdicts = self.verdicts().into_iter().filter(|verdict| verdict.1 > 0);
        let verdicts: Vec<String> = verdicts
            .map(|(word, count)| format!("{count} {word}"))
            .collect();
        if !verdicts.is_empty() {
            let text = format!("Published numbers: {}.", verdicts.join(", "));
            blocks.push(Block::Text(text));
        }
        blocks.extend(self.means_plot());
        blocks.push(Block::Table(self.numbers_table()));
        let notes = self.notes().into_iter();
        blocks.extend(notes.map(|note| Block::Text(note.to_owned())));
        let heading = if self.has_published() {
            "Published and measured"
        } else {
            "Measured"
        };
        Section {
            heading: heading.to_owned(),
            blocks,
        }
    }

    /// A plot of the means of all arms with the published ones, if there are any.
    fn means_plot(&self) -> Option<Block> {
        let means = self.numbers.iter();
        let means = means.filter(|number| number.quantity == Quantity::Mean);
        let rows: Vec<DotRow> = means.filter_map(dot_row).take(MOST_ROWS).collect();
        let (legend, caption) = if self.has_published() {
            (
                "dots: ours; marks: published",
                "The means of all arms next to the published ones.",
            )
        } else {
            (
                "bars: 95 % interval, or range of the training runs",
                "The means of all arms.",
            )
        };
        let plot = DotPlot {
            title: PlotTitle::new("Means", legend),
            x: PlotAxis::new("mean of a game"),
            rows,
        };
        (!plot.rows.is_empty()).then(|| Block::Plot {
            caption: caption.to_owned(),
            plot: Plot::Dots(plot),
            command: None,
        })
    }

    fn numbers_table(&self) -> PageTable {
        let has_published = self.has_published();
        let row = |number: &ReportedNumber| {
            let command = number.stages.first().and_then(|name| {
                let mut stages = self.stages.iter();
                stages.find(|stage| stage.stage == *name)?.command.clone()
            });
            let mut measured = PageCell::new(number.shown_measured()).detail(number.shown_range());
            measured.command = command.filter(|_| number.measured.is_some());
            let arm = PageCell::new(&number.arm).detail(&number.variant);
            let verdict = number
                .agreement
                .as_ref()
                .map_or_else(PageCell::default, badge);
            let published = number.shown_published();
            let published = PageCell::new(published).detail(&number.published_in);
            let mut cells = vec![arm, PageCell::new(number.quantity.words())];
            cells.extend(has_published.then_some(published));
            cells.push(measured);
            cells.extend(has_published.then_some(verdict));
            cells
        };
        let mut columns = vec![PageColumn::text("arm"), PageColumn::text("quantity")];
        columns.extend(has_published.then(|| PageColumn::number("published")));
        columns.push(PageColumn::number("measured"));
        columns.extend(has_published.then(|| PageColumn::text("verdict")));
        let numbers = if has_published {
            "Published and measured numbers"
        } else {
            "Measured numbers"
        };
        PageTable {
            caption: format!(
                "{numbers} with 95 % intervals, or with the range of several training runs."
            ),
            columns,
            rows: self.numbers.iter().map(row).collect(),
        }
    }

    /// Choices and deviations; `None` if the experiment states none.
    fn method_section(&self) -> Option<Section> {
        let open = self.open.iter().map(|text| format!("Left open: {text}"));
        let deviations = self.deviations.iter();
        let deviations = deviations.map(|text| format!("Different: {text}"));
        let blocks: Vec<Block> = open.chain(deviations).map(Block::Text).collect();
        (!blocks.is_empty()).then(|| Section {
            heading: "Choices and deviations".to_owned(),
            blocks,
        })
    }

    fn provenance(&self) -> Vec<Provenance> {
        let program = concat!("tetrolab ", env!("CARGO_PKG_VERSION"));
        let about = [
            Provenance::new("experiment", &self.experiment),
            Provenance::new("document", &self.source),
            Provenance::new("scale", self.scale.name()),
            Provenance::new("seed", self.seed.to_string()),
            Provenance::new("program", program),
        ];
        let commands = self.stages.iter().filter_map(|stage| {
            let command = stage.command.as_ref()?;
            Some(Provenance::command(&stage.stage, command))
        });
        let commands: Vec<Provenance> = commands.collect();
        let left_out = commands.len().saturating_sub(MOST_COMMANDS);
        let note = (left_out > 0).then(|| {
            let text = format!("{left_out} more commands are in report.json");
            Provenance::new("commands", text)
        });
        about
            .into_iter()
            .chain(commands.into_iter().take(MOST_COMMANDS))
            .chain(note)
            .collect()
    }
}

fn dot_row(number: &ReportedNumber) -> Option<DotRow> {
    let interval = number.low.zip(number.high).map(|(low, high)| [low, high]);
    let mut name = match number.variant.as_str() {
        "" => number.arm.clone(),
        variant => format!("{} · {variant}", number.arm),
    };
    if number.is_bound {
        name.push_str(" (lower bound)");
    }
    let references = number.published.map(|value| ReferencePoint {
        name: "published".to_owned(),
        value,
    });
    Some(DotRow {
        name,
        dots: vec![PlotDot {
            mean: number.measured?,
            interval,
        }],
        references: references.into_iter().collect(),
        range_of_runs: if number.training_runs > 1 {
            number.training_runs
        } else {
            0
        },
    })
}

/// A verdict as a cell.
fn badge(agreement: &Agreement) -> PageCell {
    let class = match agreement {
        Agreement::Agrees => BadgeClass::Agrees,
        Agreement::Higher => BadgeClass::Higher,
        Agreement::Lower => BadgeClass::Lower,
        Agreement::Inconclusive(_) => BadgeClass::Inconclusive,
        Agreement::NotComparable(_) => BadgeClass::NotComparable,
    };
    PageCell::default().badge(class, agreement.reason())
}

/// A finding as a section.
fn section(finding: &Finding) -> Section {
    let texts = finding.texts.iter().cloned().map(Block::Text);
    let plots = finding.plots.iter().map(|found| Block::Plot {
        caption: found.caption.clone(),
        plot: found.plot.clone(),
        command: None,
    });
    let tables = finding
        .tables
        .iter()
        .map(|table| Block::Table(page_table(table)));
    Section {
        heading: finding.heading.clone(),
        blocks: texts.chain(plots).chain(tables).collect(),
    }
}

fn page_table(table: &FoundTable) -> PageTable {
    let columns = table.columns.iter().enumerate();
    let columns = columns.map(|(index, head)| match index {
        0 => PageColumn::text(head),
        _ => PageColumn::number(head),
    });
    let row = |row: &Vec<String>| row.iter().map(PageCell::new).collect();
    PageTable {
        caption: table.caption.clone(),
        columns: columns.collect(),
        rows: table.rows.iter().map(row).collect(),
    }
}
