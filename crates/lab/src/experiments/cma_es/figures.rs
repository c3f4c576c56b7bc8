//! The data of figures 2 to 9: what CMA-ES does with and without normalised samples.

use super::super::{
    Definition, ExperimentArm, ExperimentEntry, ExperimentResults, ExperimentSize, Finding,
    FoundTable, LearnedPlayer, Stage,
};
use super::{FEATURES, HARDER, deviations, learning, open};
use crate::learning::Learning;
use crate::learning::export::GenerationRow;
use crate::library::published;
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
        cost: size.pick("a minute", "an hour on two cores").to_owned(),
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
    let stages = [FREE, FEATURES[0].0];
    let tables = stages.iter().filter_map(|stage| {
        let learned = results.learned(stage)?;
        Some([steps(stage, learned), weights(stage, learned)])
    });
    let tables: Vec<FoundTable> = tables.flatten().collect();
    vec![Finding {
        heading: "Figures 2 to 7".to_owned(),
        texts: vec![
            "Without normalised samples step size and solution grow without bound; with them the \
             step size falls."
                .to_owned(),
        ],
        tables,
    }]
}

/// Some generations of the first run: the first, the last, and three between.
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

/// Figures 8 and 9: the learned vectors of all runs beside published weights.
fn boxes(results: &ExperimentResults) -> Vec<Finding> {
    let compared = [("boumaza-6", "dellacherie"), ("boumaza-8", "bcts")];
    let stages = FEATURES.iter().zip(compared);
    let tables = stages.filter_map(|((stage, _), (own, other))| {
        let learned = results.learned(stage)?;
        Some(quartiles(stage, learned, own, other))
    });
    vec![Finding {
        heading: "Figures 8 and 9".to_owned(),
        texts: vec!["All vectors are scaled to unit length.".to_owned()],
        tables: tables.collect(),
    }]
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
    let unit = super::super::near_perfect::unit;
    let solutions: Vec<Vec<f64>> = learned.learning.solutions.iter().map(|s| unit(s)).collect();
    let [own, other] = [own, other].map(|name| {
        let file = published(name).expect("a published player");
        let weights = file.weights().flat_map(|row| row.1.iter().copied());
        unit(&weights.collect::<Vec<_>>())
    });
    for (place, (own, other)) in own.iter().zip(&other).enumerate() {
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
