//! Contests of learners: the test results of their players, and the cost of training.

use super::tables::{ResultRow, median, rows};
use super::{curve_of, stem};
use crate::draw::plot::{DotPlot, DotRow, Plot, PlotAxis, PlotDot, PlotTitle};
use crate::learning::export::GenerationRow;
use crate::report::curves::learner_and_seed;
use crate::report::error::{ReportError, fail};
use crate::report::{Align, Table, show, show_count};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const COLUMNS: [(&str, Align); 10] = [
    ("learner", Align::Left),
    ("training seeds", Align::Right),
    (
        "training result (best fitness; median of the seeds)",
        Align::Right,
    ),
    ("largest game (lines)", Align::Right),
    ("mean lines (median of the seeds)", Align::Right),
    ("range of the means", Align::Left),
    ("95 % interval (median seed)", Align::Left),
    ("line points (mean of the median seed)", Align::Right),
    ("training pieces (median)", Align::Right),
    ("seconds (median)", Align::Right),
];

/// A learner and the tests of its players.
pub(super) struct Contestant {
    pub(super) learner: String,
    /// The tests, by training seed.
    pub(super) tests: BTreeMap<u64, ResultRow>,
}

/// The cost of training one player.
struct TrainingCost {
    best: f64,
    pieces: f64,
    seconds: f64,
}

/// The table: one row per learner, best first. The folder of curves contains LEARNER-SEED.csv for
/// each player.
pub(super) fn table(
    curves: &str,
    files: &[&str],
    experiments: &Path,
) -> Result<String, ReportError> {
    let mut table = Table::new(&COLUMNS);
    for contestant in contestants(files, experiments)? {
        let costs = contestant.costs(experiments, curves)?;
        table.row(contestant.cells(&costs));
    }
    Ok(table.to_markdown())
}

/// The picture: a row for each learner, best first.
pub(super) fn picture(files: &[&str], experiments: &Path) -> Result<String, ReportError> {
    let contestants = contestants(files, experiments)?;
    let tests = contestants.iter().flat_map(|one| one.tests.values());
    let ruleset = tests.map(|test| &*test.ruleset).next().unwrap_or_default();
    let note = "one dot per training seed with its 95 % interval; the bar marks the median seed";
    Plot::Dots(DotPlot {
        title: PlotTitle::new(format!("Learned players in the test · {ruleset}"), note),
        x: PlotAxis::new("mean lines"),
        rows: contestants.iter().map(Contestant::row).collect(),
    })
    .svg()
    .map_err(|error| ReportError(error.to_string()))
}

/// The learners of the players that were tested, the one with the highest median first.
pub(super) fn contestants(
    files: &[&str],
    experiments: &Path,
) -> Result<Vec<Contestant>, ReportError> {
    let mut learners: BTreeMap<String, BTreeMap<u64, ResultRow>> = BTreeMap::new();
    let mut rulesets = BTreeSet::new();
    for file in files {
        for row in rows(file, experiments)? {
            let name = stem(&row.player);
            let (learner, seed) = learner_and_seed(name).ok_or_else(|| {
                ReportError(format!(
                    "{file}: the name of {} is not LEARNER-SEED",
                    row.player
                ))
            })?;
            let (learner, name) = (learner.to_owned(), name.to_owned());
            rulesets.insert(row.ruleset.clone());
            if learners
                .entry(learner)
                .or_default()
                .insert(seed, row)
                .is_some()
            {
                fail!("{file}: {name} was tested twice");
            }
        }
    }
    if rulesets.len() > 1 {
        let rulesets: Vec<String> = rulesets.into_iter().collect();
        fail!("tests of {} cannot be compared", rulesets.join(" and "));
    }
    let contestant = |(learner, tests)| Contestant { learner, tests };
    let mut all: Vec<Contestant> = learners.into_iter().map(contestant).collect();
    all.sort_by(|a, b| b.middle().mean.total_cmp(&a.middle().mean));
    Ok(all)
}

impl Contestant {
    /// The tests, sorted by mean, lowest first.
    fn sorted(&self) -> Vec<&ResultRow> {
        let mut tests: Vec<&ResultRow> = self.tests.values().collect();
        tests.sort_by(|a, b| a.mean.total_cmp(&b.mean));
        tests
    }

    /// The test of the median seed; for an even number of seeds, the lower of the middle two.
    fn middle(&self) -> &ResultRow {
        self.sorted()[(self.tests.len() - 1) / 2]
    }

    /// The cost of training each player.
    fn costs(&self, experiments: &Path, curves: &str) -> Result<Vec<TrainingCost>, ReportError> {
        let seeds = self.tests.keys();
        let cost = |seed: &u64| {
            let rows = curve_of(experiments, curves, &self.learner, *seed)?;
            cost(&rows).ok_or_else(|| {
                let learner = &self.learner;
                ReportError(format!(
                    "{curves}: no generation of {learner}-{seed} has a fitness"
                ))
            })
        };
        seeds.map(cost).collect()
    }

    fn cells(&self, costs: &[TrainingCost]) -> Vec<String> {
        let (sorted, middle) = (self.sorted(), self.middle());
        let largest = sorted.iter().filter_map(|test| test.largest).max();
        let of = |number: fn(&TrainingCost) -> f64| {
            let mut numbers: Vec<f64> = costs.iter().map(number).collect();
            numbers.sort_by(f64::total_cmp);
            median(&numbers)
        };
        vec![
            format!("`{}`", self.learner),
            sorted.len().to_string(),
            show(of(|cost| cost.best)),
            largest.map_or("–".to_owned(), show_count),
            show(middle.mean),
            from_to(sorted[0].mean, sorted[sorted.len() - 1].mean),
            from_to(middle.interval[0], middle.interval[1]),
            middle.line_points.map_or("–".to_owned(), show),
            show(of(|cost| cost.pieces)),
            show(of(|cost| cost.seconds)),
        ]
    }

    fn row(&self) -> DotRow {
        let dot = |test: &ResultRow| PlotDot {
            mean: test.mean,
            interval: Some(test.interval),
        };
        DotRow {
            name: self.learner.clone(),
            dots: self.tests.values().map(dot).collect(),
            references: Vec::new(),
            ..DotRow::default()
        }
    }
}

fn cost(rows: &[GenerationRow]) -> Option<TrainingCost> {
    let best = rows.iter().map(|row| row.best);
    let best = best.filter(|best| best.is_finite()).reduce(f64::max)?;
    Some(TrainingCost {
        best,
        pieces: rows.iter().map(|row| row.pieces as f64).sum(),
        seconds: rows.iter().map(|row| row.seconds).sum(),
    })
}

fn from_to(low: f64, high: f64) -> String {
    format!("{} to {}", show(low), show(high))
}
