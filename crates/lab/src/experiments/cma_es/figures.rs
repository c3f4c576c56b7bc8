//! The data of figures 2 to 9: CMA-ES with and without normalised samples.

use super::super::{
    Definition, ExperimentArm, ExperimentEntry, ExperimentResults, ExperimentSize, Finding,
    FoundPlot, FoundTable, LearnedPlayer, Stage,
};
use super::{FEATURES, HARDER, deviations, learning, open};
use crate::draw::plot::Plot;
use crate::learning::Learning;
use crate::learning::export::GenerationRow;
use crate::library::published;
use crate::report::curves::{
    ReferenceVector, RunGenerations, box_plot, step_plot, unit_length, weight_plot,
};
use crate::report::show;

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "cma-es-figures",
    definition: "figures 2 to 9: step sizes, fitness, weights, eigenvalues, and the spread of learned vectors",
    source: "cma-es, figures 2 to 9",
    settings: &[],
    make: definition,
};

/// The run without normalised samples.
const FREE: &str = "not-normalised";

fn definition(size: ExperimentSize) -> Definition {
    let mut definition = Definition {
        question:
            "Do step sizes and solutions diverge unless samples are scaled to unit length, and \
            do independent runs find the same weights?"
                .to_owned(),
        open: open(),
        deviations: deviations(),
        cost: size
            .pick("a minute", "half an hour on two cores: 20 billion pieces")
            .to_owned(),
        analyses: vec![course, boxes],
        ..Definition::default()
    };
    definition.deviations.push(
        "Figure 7 shows the standard deviations of the candidates' coordinates, of which sigma times \
         the root of the diagonal of C is the expectation before normalisation."
            .to_owned(),
    );
    let free = Learning {
        learner: "boumaza(normalise=false)".to_owned(),
        runs: 1,
        ..learning(size, "dellacherie", HARDER)
    };
    let mut stages = vec![Stage::learn(FREE, free)];
    for (name, features) in FEATURES {
        stages.push(Stage::learn(name, learning(size, features, HARDER)));
    }
    definition.arms = stages
        .iter()
        .map(|stage| ExperimentArm {
            id: stage.id.clone(),
            learned: vec![stage.id.clone()],
            ..ExperimentArm::default()
        })
        .collect();
    definition.stages = stages;
    definition
}

/// Figures 2 to 7: one run with and one without normalised samples, at some generations.
fn course(results: &ExperimentResults) -> Vec<Finding> {
    let normalised = FEATURES.iter().map(|features| features.0);
    let normalised = normalised.filter(|stage| results.learned(stage).is_some());
    let stages: Vec<&str> = std::iter::once(FREE).chain(normalised.take(1)).collect();
    let tables = stages.iter().filter_map(|stage| {
        let learned = results.learned(stage)?;
        Some([steps(stage, learned), weights(stage, learned)])
    });
    let tables: Vec<FoundTable> = tables.flatten().collect();
    vec![Finding {
        heading: "Figures 2 to 7".to_owned(),
        texts: vec![
            "The paper reports that step size and solution grow without bound unless samples are \
             normalised, and that the step size falls if they are."
                .to_owned(),
        ],
        plots: stages
            .iter()
            .filter_map(|stage| Some(figures(stage, results.learned(stage)?)))
            .flatten()
            .collect(),
        tables,
    }]
}

/// Step sizes, eigenvalues and weights over the generations of a run.
fn figures(stage: &str, learned: &LearnedPlayer) -> Vec<FoundPlot> {
    let run = generations(stage, learned);
    let steps = step_plot(&run).map(Plot::Panels);
    let weights = weight_plot(&run).map(Plot::Panels);
    let named = [("step size and eigenvalues", steps), ("weights", weights)];
    let plots = named.into_iter().filter_map(|(what, plot)| {
        let caption = format!("{stage}: {what} over generations.");
        Some(FoundPlot {
            caption,
            plot: plot?,
        })
    });
    plots.collect()
}

/// The generations of a stage with names for its weights.
fn generations(stage: &str, learned: &LearnedPlayer) -> RunGenerations {
    let numbers = learned
        .generations
        .first()
        .map_or(0, |row| row.solution.len());
    RunGenerations {
        learner: stage.to_owned(),
        name: stage.to_owned(),
        weights: (1..=numbers).map(|index| format!("f{index}")).collect(),
        rows: learned.generations.clone(),
    }
}

/// Selected generations of the first run: the first, the last, and three in between.
fn some(learned: &LearnedPlayer) -> Vec<(usize, &GenerationRow)> {
    let rows: Vec<_> = learned.run(1).enumerate().collect();
    let last = rows.len().saturating_sub(1);
    let mut places: Vec<usize> = (0..=4).map(|part| part * last / 4).collect();
    places.dedup();
    places
        .into_iter()
        .filter_map(|place| rows.get(place).copied())
        .collect()
}

fn steps(stage: &str, learned: &LearnedPlayer) -> FoundTable {
    let columns = [
        "generation",
        "sigma",
        "length of the solution",
        "best",
        "mean",
        "roots of eigenvalues",
        "coordinate deviations",
    ];
    let caption = format!("{stage}: step size, fitness, eigenvalues and deviations");
    let mut table = FoundTable::new(caption, &columns);
    let range = |values: &[f64]| {
        let least = values.iter().copied().reduce(f64::min);
        let most = values.iter().copied().reduce(f64::max);
        match (least, most) {
            (Some(least), Some(most)) => format!("{least:.3} to {most:.3}"),
            _ => String::new(),
        }
    };
    for (place, row) in some(learned) {
        let length = row.solution.iter().map(|x| x * x).sum::<f64>().sqrt();
        let roots: Vec<f64> = row.eigenvalues.iter().map(|value| value.sqrt()).collect();
        let deviations = learned.deviations.get(place);
        table.row(vec![
            row.generation.to_string(),
            row.sigma
                .map_or_else(String::new, |sigma| format!("{sigma:.3}")),
            format!("{length:.3}"),
            show(row.best),
            show(row.mean),
            range(&roots),
            deviations.map_or_else(String::new, |values| range(values)),
        ]);
    }
    table
}

fn weights(stage: &str, learned: &LearnedPlayer) -> FoundTable {
    let numbers = learned
        .generations
        .first()
        .map_or(0, |row| row.solution.len());
    let heads: Vec<String> = (1..=numbers).map(|index| format!("f{index}")).collect();
    let heads = heads.iter().map(String::as_str);
    let columns: Vec<&str> = std::iter::once("generation").chain(heads).collect();
    let mut table = FoundTable::new(format!("{stage}: the mean vector"), &columns);
    for (_, row) in some(learned) {
        let cells = row.solution.iter().map(|weight| format!("{weight:.3}"));
        let first = std::iter::once(row.generation.to_string());
        table.row(first.chain(cells).collect());
    }
    table
}

/// Figures 8 and 9: the learned vectors of all runs next to published weights.
fn boxes(results: &ExperimentResults) -> Vec<Finding> {
    let compared = [("boumaza-6", "dellacherie"), ("boumaza-8", "bcts")];
    let stages = FEATURES.iter().zip(compared);
    let mut finding = Finding {
        heading: "Figures 8 and 9".to_owned(),
        texts: vec!["All vectors are scaled to unit length.".to_owned()],
        ..Finding::default()
    };
    for ((stage, _), (own, other)) in stages {
        let Some(learned) = results.learned(stage) else {
            continue;
        };
        let references = [own, other].map(|name| ReferenceVector {
            name: name.to_owned(),
            weights: named_weights(name),
        });
        let plot = box_plot(&[generations(stage, learned)], &references);
        if let Ok(plot) = plot {
            let caption = format!("{stage}: learned and published weights.");
            finding = finding.with_plot(caption, Plot::Boxes(plot));
        }
        finding.tables.push(quartiles(stage, learned, own, other));
    }
    vec![finding]
}

/// The weights of a published player, scaled to unit length, as f1, f2 and so on.
fn named_weights(player: &str) -> Vec<(String, f64)> {
    let file = published(player).expect("a published player");
    let weights = file.weights().flat_map(|row| row.1.iter().copied());
    let weights = unit_length(&weights.collect::<Vec<_>>())
        .into_iter()
        .enumerate();
    weights
        .map(|(place, weight)| (format!("f{}", place + 1), weight))
        .collect()
}

fn quartiles(stage: &str, learned: &LearnedPlayer, own: &str, other: &str) -> FoundTable {
    let caption = format!(
        "{stage}: weights of {} runs",
        learned.learning.solutions.len()
    );
    let columns = [
        "weight", "least", "quartile", "median", "quartile", "most", own, other,
    ];
    let mut table = FoundTable::new(caption, &columns);
    let solutions = learned.learning.solutions.iter();
    let solutions: Vec<Vec<f64>> = solutions.map(|vector| unit_length(vector)).collect();
    let [own, other] = [own, other].map(named_weights);
    for (place, ((_, own), (_, other))) in own.iter().zip(&other).enumerate() {
        let values = solutions
            .iter()
            .filter_map(|solution| solution.get(place).copied());
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        let quantile = |part: f64| {
            let place = part * values.len().saturating_sub(1) as f64;
            let (low, high) = (place.floor() as usize, place.ceil() as usize);
            let between = |low: f64, high: f64| low + (high - low) * place.fract();
            let value = values.get(low).zip(values.get(high));
            value.map_or(f64::NAN, |(&low, &high)| between(low, high))
        };
        let cells = [0.0, 0.25, 0.5, 0.75, 1.0].map(quantile);
        let cells = cells
            .iter()
            .chain([own, other])
            .map(|value| format!("{value:.3}"));
        let name = std::iter::once(format!("f{}", place + 1));
        table.row(name.chain(cells).collect());
    }
    table
}
