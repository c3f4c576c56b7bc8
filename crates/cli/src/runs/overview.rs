//! A summary of a run: plan, best value, state and test.

use super::{folded, to_the_minute};
use crate::command;
use crate::learn::asked_learner;
use crate::learn::header::{Header, Heading};
use crate::learn::test::{TestSummary, summary};
use crate::output::{line, print_lines};
use serde_json::{Value, json};
use std::path::Path;
use tetrolab::learning::export::{self, RunTotals};
use tetrolab::learning::objective::{FitnessUnit, find_objective};
use tetrolab::learning::{RunFolder, Store, StoreError, StoredRun};
use tetrolab::report::{Align, Table, show};

/// A run with facts from its folder and its generations.
pub(super) struct RunOverview {
    pub(super) run: StoredRun,
    totals: RunTotals,
    /// The unit of the fitness, if the objective is known.
    unit: Option<FitnessUnit>,
    plays_games: bool,
    state: &'static str,
    learner: String,
    test: Option<TestSummary>,
}

/// All runs of a lab, the latest first.
pub(super) fn all(store: &Store, lab: &Path) -> Result<Vec<RunOverview>, StoreError> {
    let runs = store.runs()?.into_iter();
    runs.map(|run| RunOverview::new(store, lab, run)).collect()
}

impl RunOverview {
    pub(super) fn new(
        store: &Store,
        lab: &Path,
        run: StoredRun,
    ) -> Result<RunOverview, StoreError> {
        let (lab, id) = (lab.to_owned(), run.id.clone());
        let folder = RunFolder { lab, id };
        let objective = find_objective(&run.plan.objective).ok();
        Ok(RunOverview {
            totals: export::totals(store, &run.id)?,
            unit: objective.as_ref().map(|objective| objective.unit()),
            plays_games: objective.is_none_or(|objective| objective.plays_games()),
            state: folder.state(run.ended.is_some()),
            learner: asked_learner(&folder, &run.plan),
            test: summary(&folder.path()),
            run,
        })
    }

    /// The best value with its unit.
    fn best(&self) -> String {
        match (self.totals.best, self.unit) {
            (None, _) => "-".to_owned(),
            (Some(best), None) => show(best),
            (Some(best), Some(unit)) => format!("{} {}", show(unit.value(best)), unit.quantity),
        }
    }

    /// The result of the test, with its ruleset if it differs from that of training.
    fn test(&self) -> String {
        match &self.test {
            None => "-".to_owned(),
            Some(test) if test.ruleset == self.run.plan.ruleset => test.lines.clone(),
            Some(test) => format!("{} on {}", test.lines, test.ruleset),
        }
    }

    /// The run without its generations, with the command that repeats it.
    pub(super) fn json(&self) -> Value {
        let mut json = export::run_json(&self.run);
        json["command"] = json!(command::learning(&self.run.plan));
        json["learner"] = json!(self.learner);
        json["state"] = json!(self.state);
        json["best"] = json!(self.totals.best);
        json["unit"] = json!(self.unit);
        json["games"] = json!(self.totals.games);
        json["pieces"] = json!(self.totals.pieces);
        json["seconds"] = json!(self.totals.seconds);
        json["test"] = json!(self.test.as_ref().map(|test| &test.json));
        json
    }

    /// Prints everything except the generations.
    pub(super) fn print(&self) -> anyhow::Result<()> {
        let begun = to_the_minute(&self.run.begun);
        let ended = match &self.run.ended {
            Some(ended) => format!(" ({})", folded(ended.split("; "))),
            None => String::new(),
        };
        line(&format!(
            "{} · begun {begun} UTC · {}{ended}",
            self.run.id, self.state
        ))?;
        let header = Header::of_stored(&self.learner);
        let heading = Heading {
            learning: &self.run.plan,
            dimension: None,
            unit: self.unit,
            plays_games: self.plays_games,
        };
        print_lines(&header.settings(&heading))?;
        line(&format!("best        {}", self.best()))?;
        let test = match &self.test {
            Some(test) => format!("mean of {} on {}", test.lines, test.ruleset),
            None => "none".to_owned(),
        };
        line(&format!("test        {test}"))?;
        line(&format!(
            "again       {}",
            command::learning(&self.run.plan)
        ))?;
        let is_logarithm = self.unit.is_some_and(|unit| unit.logarithm);
        let unit = if is_logarithm { " (logarithms)" } else { "" };
        let quantity = self.unit.map_or("fitness", |unit| unit.quantity);
        Ok(line(&format!(
            "\nGenerations; best and mean in {quantity}{unit}:"
        ))?)
    }
}

/// The runs of a lab. The table must fit 120 columns; the other settings are in the JSON and in the
/// details of a run.
pub(super) fn table(runs: &[RunOverview]) -> Table {
    let mut table = Table::new(&[
        ("run", Align::Left),
        ("learner", Align::Wrapped),
        ("ruleset", Align::Wrapped),
        ("best", Align::Right),
        ("seed", Align::Right),
        ("gen.", Align::Right),
        ("seconds", Align::Right),
        ("state", Align::Left),
        ("test", Align::Wrapped),
    ]);
    for run in runs {
        table.row(vec![
            run.run.id.clone(),
            run.learner.clone(),
            run.run.plan.ruleset.clone(),
            run.best(),
            run.run.plan.seed.to_string(),
            run.run.generations.to_string(),
            format!("{:.1}", run.totals.seconds),
            run.state.to_owned(),
            run.test(),
        ]);
    }
    table
}
