//! Which groups of the wary players' tables matter: each left out in turn.

use super::super::{
    Definition, ExperimentArm, ExperimentEntry, ExperimentSize, Stage, TestedPlayer,
};
use crate::learning::{Budget, Learning};
use crate::study::{Evaluation, Plan};
use tetrolab_core::lookup::TABLE_SETS;
use tetrolab_core::registry::find;

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "wary-tables",
    definition: "the tables of the wary players, without one group at a time",
    source: "ours: docs/explanation/wary-players.md",
    settings: &[],
    make: definition,
};

/// The groups of tables, each with the kinds that belong to it.
const GROUPS: [(&str, &[&str]); 8] = [
    ("differences", &["differences"]),
    ("tops", &["tops"]),
    ("patterns", &["row-patterns"]),
    ("rows", &["rows"]),
    ("covers", &["covers"]),
    ("fits", &["fits"]),
    ("heights", &["heights", "stretches"]),
    ("crosses", &["cross"]),
];

/// Tables of many columns or of all rows, which have most of the entries.
const LARGEST: [&str; 4] = [
    "differences(columns=7,most=3)",
    "differences(columns=5,most=4)",
    "tops(columns=4,cells=1,most=3)",
    "row-patterns(of=all)",
];

fn definition(size: ExperimentSize) -> Definition {
    let mut definition = Definition {
        question: "Which tables of the wary players matter?".to_owned(),
        open: Vec::new(),
        deviations: vec![
            "One training seed for each set of tables: small differences mean nothing.".to_owned(),
            "At quick scale training is a tenth.".to_owned(),
        ],
        cost: size
            .pick("a minute", "a quarter of an hour on two cores")
            .to_owned(),
        ..Definition::default()
    };
    let mut arms: Vec<(String, String)> = vec![("all".to_owned(), all_but(&[]))];
    for (group, _) in GROUPS {
        arms.push((format!("without-{group}"), all_but(&[group])));
    }
    let lean = ["differences", "fits", "heights"];
    arms.push(("lean".to_owned(), all_but(&lean)));
    let small = joined(|table| !LARGEST.contains(&table));
    arms.push(("small".to_owned(), small));
    let mut players = Vec::new();
    for (id, tables) in arms {
        let stage = Stage::learn(&id, learning(size, tables));
        players.push(stage.player());
        definition.arms.push(ExperimentArm {
            id,
            learned: vec![stage.id.clone()],
            tested: vec![TestedPlayer {
                stage: "test".to_owned(),
                player: stage.player(),
            }],
            ..ExperimentArm::default()
        });
        definition.stages.push(stage);
    }
    let evaluation = Evaluation {
        players,
        ruleset: RULESET.to_owned(),
        plan: Plan::games(size.pick(30, 100)),
        seed: size.seed.wrapping_add(3009),
    };
    definition.stages.push(Stage::evaluate("test", evaluation));
    definition
}

const RULESET: &str = "simplified-10x10";

/// The tables of the wary players.
fn tables() -> &'static [&'static str] {
    let set = find(TABLE_SETS, "set of tables", "wary").expect("a set of this program");
    set.make
}

/// The tables of all groups but some.
fn all_but(groups: &[&str]) -> String {
    let is_in = |table: &str, group: &str| {
        let kind = table.split('(').next().unwrap_or_default();
        let mut all = GROUPS.iter();
        all.any(|(name, kinds)| *name == group && kinds.contains(&kind))
    };
    joined(|table| !groups.iter().any(|group| is_in(table, group)))
}

/// The tables for which a rule holds.
fn joined(takes: impl Fn(&str) -> bool) -> String {
    let taken = tables().iter().copied().filter(|table| takes(table));
    taken.collect::<Vec<_>>().join("+")
}

fn learning(size: ExperimentSize, tables: String) -> Learning {
    let learner = size.pick(
        "danger(cooling=80000,guided=10000,period=30000)",
        "danger(cooling=800000,guided=50000,period=250000)",
    );
    Learning {
        learner: learner.to_owned(),
        ruleset: RULESET.to_owned(),
        features: tables,
        evaluator: "tables".to_owned(),
        games: 1,
        max_pieces: Some(100_000),
        budget: Budget::generations(size.pick(3, 4)),
        seed: size.seed,
        ..Learning::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_in_one_group() {
        let count = |text: &str| text.split('+').count();
        let all = tables().len();
        assert_eq!(count(&all_but(&[])), all);
        let groups = GROUPS.map(|group| all - count(&all_but(&[group.0])));
        assert_eq!(groups.iter().sum::<usize>(), all);
        assert!(groups.iter().all(|group| *group > 0));
        let small = joined(|table| !LARGEST.contains(&table));
        assert_eq!(count(&small), all - LARGEST.len());
    }
}
