//! Learning curves: generations of runs, from their store or from CSV, as plots.

use super::csv::CsvTable;
use super::error::{ReportError, fail};
use crate::draw::plot::{
    BoxPlot, BoxRow, CurveGroup, CurvePlot, CurveTrace, LinePanel, LineSeries, PanelPlot, PlotAxis,
    PlotScale, PlotTitle, ReferencePoint,
};
use crate::learning::export::GenerationRow;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The vertical axis of learning curves.
pub const HEIGHT: &str = "fitness: the best of a generation";
/// The maximum number of runs whose weights are drawn on top of each other.
const MOST_PANELS: usize = 6;

/// The horizontal axis of learning curves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CurveOver {
    /// Pieces played in training.
    #[default]
    Pieces,
    /// Games played in training.
    Games,
    /// Wall-clock seconds of training.
    Seconds,
    /// Generations.
    Generations,
}

impl CurveOver {
    /// The label of the axis.
    #[must_use]
    pub(crate) fn label(self) -> &'static str {
        match self {
            CurveOver::Pieces => "pieces of training",
            CurveOver::Games => "games of training",
            CurveOver::Seconds => "seconds of training",
            CurveOver::Generations => "generations",
        }
    }

    /// The step of one generation along the axis.
    fn step(self, row: &GenerationRow) -> f64 {
        match self {
            CurveOver::Pieces => row.pieces as f64,
            CurveOver::Games => row.games as f64,
            CurveOver::Seconds => row.seconds,
            CurveOver::Generations => 1.0,
        }
    }
}

/// The generations of one stored run, which may be several runs of the same plan.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunGenerations {
    /// The learning method: runs of one method share a colour.
    pub learner: String,
    /// The name of the run.
    pub name: String,
    /// The names of the searched parameters; empty if unknown.
    pub weights: Vec<String>,
    /// The generations, run by run.
    pub rows: Vec<GenerationRow>,
}

impl RunGenerations {
    /// Generations named after a file or a run: in `q-network-3`, the number is the seed.
    #[must_use]
    pub fn named(name: &str, weights: Vec<String>, rows: Vec<GenerationRow>) -> RunGenerations {
        let learner = learner_and_seed(name).map_or(name, |(learner, _)| learner);
        RunGenerations {
            learner: learner.to_owned(),
            name: name.to_owned(),
            weights,
            rows,
        }
    }

    /// The generations of each of the runs.
    fn runs(&self) -> impl Iterator<Item = &[GenerationRow]> {
        self.rows.chunk_by(|a, b| a.run == b.run)
    }

    /// The last solution of each run, scaled to length 1, because the length of a weight vector
    /// does not affect decisions.
    fn solutions(&self) -> impl Iterator<Item = Vec<f64>> {
        let last = self.runs().filter_map(|run| run.last());
        last.filter(|row| !row.solution.is_empty())
            .map(|row| unit_length(&row.solution))
    }
}

/// A vector scaled to length 1.
#[must_use]
pub(crate) fn unit_length(vector: &[f64]) -> Vec<f64> {
    let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    let scale = if length > 0.0 { length } else { 1.0 };
    vector.iter().map(|x| x / scale).collect()
}

/// The learner and the training seed in a name such as `q-network-3`. The hash at the end of the
/// names of runs in experiments is ignored.
#[must_use]
pub(crate) fn learner_and_seed(name: &str) -> Option<(&str, u64)> {
    let (learner, seed) = without_hash(name).rsplit_once('-')?;
    let is_seed = seed.bytes().all(|byte| byte.is_ascii_digit());
    let seed = seed.parse().ok().filter(|_| is_seed)?;
    (!learner.is_empty()).then_some((learner, seed))
}

/// A name without the 16 hexadecimal digits at its end, the hash of an experiment's stage.
fn without_hash(name: &str) -> &str {
    let is_hash =
        |text: &str| text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    match name.rsplit_once('-') {
        Some((name, hash)) if is_hash(hash) => name,
        _ => name,
    }
}

/// The curves of runs: one group per learning method, one trace per run with the best fitness of
/// each generation; with `means`, also the mean in a paler colour where it differs.
#[must_use]
pub fn groups(runs: &[RunGenerations], over: CurveOver, means: bool) -> Vec<CurveGroup> {
    let mut groups: Vec<CurveGroup> = Vec::new();
    for run in runs {
        let traces = traces(run, over, means);
        match groups.iter_mut().find(|group| group.name == run.learner) {
            Some(group) => group.traces.extend(traces),
            None => groups.push(CurveGroup {
                name: run.learner.clone(),
                traces,
            }),
        }
    }
    groups
}

/// Learning curves as a plot.
#[must_use]
pub fn curve_plot(
    runs: &[RunGenerations],
    over: CurveOver,
    (note, height): (&str, &str),
    means: bool,
) -> CurvePlot {
    CurvePlot {
        title: PlotTitle::new("Learning curves", note),
        x: PlotAxis::new(over.label()),
        y: PlotAxis::new(height),
        groups: groups(runs, over, means),
    }
}

fn traces(run: &RunGenerations, over: CurveOver, means: bool) -> Vec<CurveTrace> {
    let several = run.runs().count() > 1;
    let trace = |rows: &[GenerationRow]| {
        let best = points(rows, over, |row| row.best);
        let mean = points(rows, over, |row| row.mean);
        CurveTrace {
            name: if several {
                format!("{}, run {}", run.name, rows[0].run)
            } else {
                run.name.clone()
            },
            pale: if means && mean != best {
                mean
            } else {
                Vec::new()
            },
            points: best,
        }
    };
    run.runs().map(trace).collect()
}

fn points(
    run: &[GenerationRow],
    over: CurveOver,
    height: fn(&GenerationRow) -> f64,
) -> Vec<(f64, f64)> {
    let mut so_far = 0.0;
    let point = |row: &GenerationRow| {
        so_far += over.step(row);
        (so_far, height(row))
    };
    let points = run.iter().map(point);
    // Fitness that is not finite, such as that of an unmeasured candidate, is not drawn.
    points.filter(|(_, height)| height.is_finite()).collect()
}

/// The weights of the first runs over generations. `None` if the runs have no weights (a network in
/// a separate file).
#[must_use]
pub fn weight_plot(run: &RunGenerations) -> Option<PanelPlot> {
    let all = run.runs().count();
    let runs = run.runs().filter(|rows| !rows[0].solution.is_empty());
    let panels: Vec<LinePanel> = runs
        .take(MOST_PANELS)
        .map(|rows| weights(run, rows))
        .collect();
    let note = match (panels.len(), all) {
        (0, _) => return None,
        (shown, all) if shown < all => {
            format!("the solution of each generation; the first {shown} of {all} runs")
        }
        _ => "the solution of each generation".to_owned(),
    };
    Some(PanelPlot {
        title: PlotTitle::new("Weights over generations", note),
        x: PlotAxis::new(CurveOver::Generations.label()),
        panels,
    })
}

/// The weights of one run.
fn weights(run: &RunGenerations, rows: &[GenerationRow]) -> LinePanel {
    let count = rows.iter().map(|row| row.solution.len()).max();
    let series = |index: usize| {
        let value = |row: &GenerationRow| row.solution.get(index).copied();
        let points = rows
            .iter()
            .filter_map(|row| Some((row.generation as f64, value(row)?)));
        LineSeries {
            name: weight_name(run, index),
            points: points.collect(),
        }
    };
    LinePanel {
        y: PlotAxis::new(format!("weight, run {}", rows[0].run)).scaled(PlotScale::Linear),
        series: (0..count.unwrap_or_default()).map(series).collect(),
    }
}

fn weight_name(run: &RunGenerations, index: usize) -> String {
    let name = run.weights.get(index).map(String::as_str);
    let name = name.map(|name| name.strip_prefix("weight:").unwrap_or(name));
    name.map_or_else(|| format!("number {}", index + 1), str::to_owned)
}

/// The step size and the eigenvalues of the first run's search distribution; `None` if it has
/// neither.
#[must_use]
pub fn step_plot(run: &RunGenerations) -> Option<PanelPlot> {
    let rows = run.runs().next()?;
    let line = |name: &str, value: &dyn Fn(&GenerationRow) -> Option<f64>| LineSeries {
        name: name.to_owned(),
        points: (rows.iter())
            .filter_map(|row| Some((row.generation as f64, value(row)?)))
            .collect(),
    };
    let log = |label: &str| PlotAxis::new(label).scaled(PlotScale::Log);
    let mut panels = Vec::new();
    if rows.iter().any(|row| row.sigma.is_some()) {
        panels.push(LinePanel {
            y: log("step size"),
            series: vec![line("step size", &|row| row.sigma)],
        });
    }
    let count = rows
        .iter()
        .map(|row| row.eigenvalues.len())
        .max()
        .unwrap_or(0);
    if count > 0 {
        let one = |index: usize| {
            let name = format!("eigenvalue {}", index + 1);
            line(&name, &|row| row.eigenvalues.get(index).copied())
        };
        panels.push(LinePanel {
            y: log("eigenvalues of the covariance matrix"),
            series: (0..count).map(one).collect(),
        });
    }
    (!panels.is_empty()).then(|| PanelPlot {
        title: PlotTitle::new("Step size and eigenvalues", "of the search distribution"),
        x: PlotAxis::new(CurveOver::Generations.label()),
        panels,
    })
}

/// A published weight vector for comparison with learned ones.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceVector {
    /// The name of the vector.
    pub name: String,
    /// Each weight with the name of its feature.
    pub weights: Vec<(String, f64)>,
}

/// Box plots of the learned weight vectors, scaled to length 1, next to published ones.
///
/// # Errors
/// If the runs have no weights, or different ones.
pub fn box_plot(
    runs: &[RunGenerations],
    references: &[ReferenceVector],
) -> Result<BoxPlot, ReportError> {
    let mut all: Vec<(&RunGenerations, Vec<f64>)> = Vec::new();
    for run in runs {
        all.extend(run.solutions().map(|solution| (run, solution)));
    }
    let Some((first, vector)) = all.first() else {
        fail!("the runs have no weights to draw");
    };
    let names: Vec<String> = (0..vector.len()).map(|k| weight_name(first, k)).collect();
    for (run, solution) in &all {
        let own = (0..solution.len()).map(|index| weight_name(run, index));
        if !own.eq(names.iter().cloned()) {
            fail!("{} and {} have different weights", first.name, run.name);
        }
    }
    let references: Vec<(&str, Vec<Option<f64>>)> = references
        .iter()
        .map(|reference| (&*reference.name, scaled_reference(reference, &names)))
        .collect();
    let row = |(index, name): (usize, &String)| BoxRow {
        name: name.clone(),
        values: all.iter().map(|(_, solution)| solution[index]).collect(),
        references: (references.iter())
            .filter_map(|(name, values)| {
                let (name, value) = ((*name).to_owned(), values[index]?);
                Some(ReferencePoint { name, value })
            })
            .collect(),
    };
    let count = all.len();
    Ok(BoxPlot {
        title: PlotTitle::new(
            "Learned weights",
            format!("the last solutions of {count} runs, scaled to length 1"),
        ),
        x: PlotAxis::new("weight").scaled(PlotScale::Linear),
        rows: names.iter().enumerate().map(row).collect(),
    })
}

/// The weights of a published vector under these names, scaled to length 1 over them.
fn scaled_reference(reference: &ReferenceVector, names: &[String]) -> Vec<Option<f64>> {
    let weight = |name: &String| {
        let mut weights = reference.weights.iter();
        weights
            .find(|weight| weight.0 == *name)
            .map(|weight| weight.1)
    };
    let found: Vec<Option<f64>> = names.iter().map(weight).collect();
    let length = found.iter().flatten().map(|x| x * x).sum::<f64>().sqrt();
    let scale = if length > 0.0 { length } else { 1.0 };
    found
        .iter()
        .map(|weight| weight.map(|x| x / scale))
        .collect()
}

/// The generations of an exported CSV text, with the names of their weights.
///
/// # Errors
/// If a column is missing, or a line is not a generation.
pub fn from_csv(text: &str) -> Result<(Vec<String>, Vec<GenerationRow>), ReportError> {
    let table = CsvTable::parse(text)?;
    let names = [
        "run",
        "generation",
        "best",
        "mean",
        "games",
        "pieces",
        "seconds",
    ];
    let columns = names.map(|name| table.column(name));
    let columns = columns.into_iter().collect::<Result<Vec<_>, _>>()?;
    if let Ok(name) = table.column("name") {
        let names: BTreeSet<&str> = table.rows.iter().map(|row| row.1[name].as_str()).collect();
        if names.len() > 1 {
            let count = names.len();
            fail!("expected the generations of one run, found {count} runs; write a file for each");
        }
    }
    let known = ["spread", "sigma", "name", "learner", "seed"];
    let more = (0..table.heads.len())
        .filter(|index| !columns.contains(index) && !known.contains(&table.heads[*index].as_str()));
    let (eigenvalues, weights): (Vec<usize>, Vec<usize>) =
        more.partition(|&index| table.heads[index].starts_with("eigenvalue"));
    let sigma = table.column("sigma").ok();
    let mut rows = Vec::new();
    for (line, cells) in &table.rows {
        let given: Vec<&str> = columns.iter().map(|&at| cells[at].as_str()).collect();
        let vector = |columns: &[usize]| {
            let cells: Vec<&str> = columns.iter().map(|&at| cells[at].as_str()).collect();
            // Empty cells at the end are padding for longer vectors in other rows.
            let count = cells.iter().rposition(|cell| !cell.is_empty());
            let present = cells.iter().take(count.map_or(0, |last| last + 1));
            present
                .map(|cell| cell.parse().ok())
                .collect::<Option<Vec<f64>>>()
        };
        let row = row(&given).and_then(|row| {
            Some(GenerationRow {
                sigma: sigma.and_then(|at| cells[at].parse().ok()),
                eigenvalues: vector(&eigenvalues)?,
                solution: vector(&weights)?,
                ..row
            })
        });
        rows.push(row.ok_or_else(|| ReportError(format!("line {line} is not a generation")))?);
    }
    if rows.is_empty() {
        fail!("expected one line per generation, found none");
    }
    let weights = weights.iter().map(|&at| table.heads[at].clone());
    Ok((weights.collect(), rows))
}

/// A generation of seven cells. A fitness that is not finite has an empty cell.
fn row(cells: &[&str]) -> Option<GenerationRow> {
    let fitness = |cell: &str| {
        if cell.is_empty() {
            Some(f64::NAN)
        } else {
            cell.parse().ok()
        }
    };
    Some(GenerationRow {
        run: cells[0].parse().ok()?,
        generation: cells[1].parse().ok()?,
        best: fitness(cells[2])?,
        mean: fitness(cells[3])?,
        spread: None,
        sigma: None,
        eigenvalues: Vec::new(),
        solution: Vec::new(),
        games: cells[4].parse().ok()?,
        pieces: cells[5].parse().ok()?,
        seconds: cells[6].parse().ok()?,
    })
}

#[cfg(test)]
mod tests;
