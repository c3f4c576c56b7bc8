//! The swarm's grid of 54 settings, of which the thesis reports 12.

use super::super::{
    Definition, ExperimentEntry, ExperimentResults, ExperimentSize, Finding, FoundTable, Quantity,
};
use super::{ThesisGame, Training, deviations, trained_arm};
use crate::draw::plot::{HeatMap, Plot, PlotScale, PlotTitle};
use crate::report::show_optional;

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "thesis-swarm",
    definition: "the swarm's grid of 54 settings: both factors and the inertia",
    source: "thesis, 5.2.2.2",
    settings: &[],
    make: definition,
};

const FACTORS: [&str; 3] = ["0.5", "1", "1.5"];
const INERTIAS: [&str; 6] = ["0.4", "0.5", "0.6", "0.7", "0.8", "0.9"];

/// The arms: own factor, swarm factor, inertia.
fn arms() -> impl Iterator<Item = [&'static str; 3]> {
    let factors = FACTORS.iter();
    let factors = factors.flat_map(|swarm| FACTORS.iter().map(move |own| (own, swarm)));
    factors.flat_map(|(own, swarm)| INERTIAS.iter().map(move |inertia| [*own, *swarm, *inertia]))
}

/// The games that are played; at quick scale only the identified one.
fn games(size: ExperimentSize) -> &'static [ThesisGame] {
    size.pick(&[ThesisGame::Identified], &ThesisGame::BOTH)
}

fn definition(size: ExperimentSize) -> Definition {
    let mut definition = Definition {
        question: "Which settings of the swarm find good players, and what belongs in the cells that the thesis leaves empty?"
            .to_owned(),
        open: vec![
            "The swarm, the start, the games of an evaluation and the features are not stated: 30 \
             particles in a box of 1, 8 games, the seven features with the best training result \
             in table 11."
                .to_owned(),
            "The cap on pieces is not stated; the training results fit 2,500.".to_owned(),
            "When a run ends is not stated: after 40 iterations, the maximum in the table, or when the mean game reaches the cap."
                .to_owned(),
        ],
        deviations: deviations(),
        cost: size
            .pick("two minutes", "a quarter of an hour on two cores")
            .to_owned(),
        analyses: vec![grids],
        ..Definition::default()
    };
    for &game in games(size) {
        for [own, swarm, inertia] in arms() {
            let population = size.pick(10, 30);
            let training = Training {
                learner: format!(
                    "thesis-pso(population={population},inertia={inertia},own={own},swarm={swarm})"
                ),
                games: size.pick(4, 8),
                cap: 2500,
                generations: size.pick(6, 40),
                ..Training::evolution(size, &format!("{own}/{swarm}/{inertia}"))
            };
            let arm = trained_arm(size, &mut definition, &training, game);
            definition.arms.push(arm);
        }
    }
    definition.one_seed_after_the_other();
    definition
}

/// The means for all settings together, one table per game.
fn grids(results: &ExperimentResults) -> Vec<Finding> {
    let Some(size) = results.size() else {
        return Vec::new();
    };
    let definition = definition(size);
    let grid = |game: &ThesisGame| {
        let mean = |id: &str| {
            let mut arms = definition.arms.iter();
            let arm = arms.find(|arm| arm.id == id && arm.variant == game.variant())?;
            let number = results.measured(arm, Quantity::Mean, None)?;
            Some(number.mean.value)
        };
        let factors = FACTORS.iter();
        let rows = factors.flat_map(|swarm| FACTORS.iter().map(move |own| (own, swarm)));
        let cells = rows.clone().map(|(own, swarm)| {
            let means = INERTIAS.map(|inertia| mean(&format!("{own}/{swarm}/{inertia}")));
            means.to_vec()
        });
        let map = HeatMap {
            title: PlotTitle::new("Mean line points", game.variant()),
            row_label: "own factor / swarm factor".to_owned(),
            column_label: "inertia".to_owned(),
            value_label: "mean line points".to_owned(),
            scale: PlotScale::Log,
            rows: rows
                .map(|(own, swarm)| format!("{own} / {swarm}"))
                .collect(),
            columns: INERTIAS.map(str::to_owned).into(),
            cells: cells.collect(),
        };
        let columns: Vec<&str> = [&["factors"][..], &INERTIAS].concat();
        let caption = "Mean line points; rows are own factor / swarm factor, columns inertia";
        let mut table = FoundTable::new(caption, &columns);
        for (name, row) in map.rows.iter().zip(&map.cells) {
            let cells = row.iter().map(|mean| show_optional(*mean));
            table.row(std::iter::once(name.clone()).chain(cells).collect());
        }
        let finding = Finding::of_table(format!("The grid, {}", game.variant()), "", table);
        finding.with_plot("Mean line points of all settings.", Plot::HeatMap(map))
    };
    games(size).iter().map(grid).collect()
}
