//! Pages of learning runs.

use super::evaluation::{commands, evaluation_sections};
use super::{plot, program, section, text};
use crate::draw::plot::Plot;
use crate::learning::Learning;
use crate::report::curves::{
    CurveOver, ReferenceVector, RunGenerations, box_plot, curve_plot, step_plot, weight_plot,
};
use crate::report::error::{ReportError, fail};
use crate::report::page::{Block, Page, PageCell, PageColumn, PageTable, Provenance, Section};
use crate::report::{differing, show, thousands};
use crate::study::Evaluated;
use serde_json::Value;

/// The data of a learning run's page.
#[derive(Clone, Debug)]
pub struct RunReport<'a> {
    /// The run's generations under its name.
    pub run: &'a RunGenerations,
    /// The description of the run.
    pub plan: &'a Learning,
    /// The command that repeats the run.
    pub command: &'a str,
    /// The test of the learned player as JSON, if there is one.
    pub test: Option<&'a Value>,
    /// Published weights for the same features.
    pub references: &'a [ReferenceVector],
}

/// The page of a learning run.
///
/// # Errors
/// If it has no generations.
pub fn run_page(of: &RunReport<'_>) -> Result<Page, ReportError> {
    if of.run.rows.is_empty() {
        fail!("the run {} has no generations yet", of.run.name);
    }
    let mut sections = vec![learning_section(of)];
    sections.extend(weight_section(of));
    let test = of.test.and_then(|json| {
        let evaluated: Evaluated = serde_json::from_value(json.clone()).ok()?;
        let mut sections = evaluation_sections(&evaluated, &commands(json));
        sections[0].heading = "Test".to_owned();
        Some(sections)
    });
    sections.extend(test.into_iter().flatten());
    let plan = of.plan;
    Ok(Page {
        title: format!("{}: a learning run on {}", of.run.name, plan.ruleset),
        question: format!("What does `{}` learn, and how fast?", plan.learner),
        sections,
        provenance: vec![
            Provenance::new("learning method", format!("`{}`", plan.learner)),
            Provenance::new("ruleset", &plan.ruleset),
            Provenance::new("features", &plan.features),
            Provenance::new("objective", &plan.objective),
            Provenance::new("seed", plan.seed.to_string()),
            program(),
            Provenance::command("command", of.command),
        ],
    })
}

fn learning_section(of: &RunReport<'_>) -> Section {
    let runs = std::slice::from_ref(of.run);
    let height = differing::height(&[of.plan]);
    let note = "paler: the mean of a generation";
    let curves = curve_plot(runs, CurveOver::Pieces, (note, &height), true);
    let words = "Training scores are not test scores: a generation is evaluated on few games, and the best of many candidates is partly luck.";
    let caption = "Fitness of the best candidate of each generation";
    let blocks = vec![
        Block::Table(totals(of)),
        text(words),
        plot(caption, Plot::Curves(curves), Some(of.command)),
    ];
    section("Learning curves", blocks)
}

/// The cost and result of each run.
fn totals(of: &RunReport<'_>) -> PageTable {
    let rows = of.run.rows.chunk_by(|a, b| a.run == b.run).map(|run| {
        let sum = |count: fn(&crate::learning::export::GenerationRow) -> u64| {
            PageCell::new(thousands(run.iter().map(count).sum()))
        };
        let best = run
            .iter()
            .map(|row| row.best)
            .filter(|best| best.is_finite());
        let best = best.reduce(f64::max).map_or("?".to_owned(), show);
        let seconds: f64 = run.iter().map(|row| row.seconds).sum();
        vec![
            PageCell::new(run[0].run.to_string()),
            PageCell::new(best).command(of.command),
            PageCell::new(run.len().to_string()),
            sum(|row| row.games),
            sum(|row| row.pieces),
            PageCell::new(format!("{seconds:.1}")),
        ]
    });
    PageTable {
        caption: "The result and the cost of each run.".to_owned(),
        columns: vec![
            PageColumn::text("run"),
            PageColumn::number("best fitness"),
            PageColumn::number("generations"),
            PageColumn::number("games"),
            PageColumn::number("pieces"),
            PageColumn::number("seconds"),
        ],
        rows: rows.collect(),
    }
}

/// Weights, boxes and step sizes, as far as the method provides them.
fn weight_section(of: &RunReport<'_>) -> Option<Section> {
    let weights = weight_plot(of.run)?;
    let command = Some(of.command);
    let mut blocks = vec![
        text("The solution of the method after each generation."),
        plot("Weights over generations", Plot::Panels(weights), command),
    ];
    if let Ok(boxes) = box_plot(std::slice::from_ref(of.run), of.references) {
        blocks.push(text(
            "The last weight vectors, scaled to length 1: the length of a weight vector changes \
             no decision of a linear evaluator.",
        ));
        blocks.push(plot("Learned weight vectors", Plot::Boxes(boxes), command));
    }
    if let Some(steps) = step_plot(of.run) {
        blocks.push(text(
            "The search narrows as the step size falls; eigenvalues that differ by large factors \
             show that some combinations of weights matter far more than others.",
        ));
        blocks.push(plot(
            "Step size and eigenvalues",
            Plot::Panels(steps),
            command,
        ));
    }
    Some(section("Weights", blocks))
}
