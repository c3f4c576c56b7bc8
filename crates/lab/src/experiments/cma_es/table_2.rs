//! Table 2: scores of players trained by CMA-ES, compared with those of others.

use super::super::{
    Definition, ExperimentArm, ExperimentEntry, ExperimentSize, Stage, TestedPlayer,
};
use super::{FEATURES, HARDER, deviations, learning, open};
use crate::experiments::beyond::hundred_games;
use crate::experiments::definition::splitting;
use crate::study::{Evaluation, Plan};

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "cma-es-table-2",
    definition: "players trained by CMA-ES, compared with Dellacherie's and those trained by cross-entropy, on 10x16 and 10x20",
    source: "cma-es, Table 2",
    settings: &[],
    make: definition,
};

/// The players of the table, by their columns.
const COLUMNS: [(&str, &str); 5] = [
    ("dellacherie", "dellacherie"),
    ("cma-es f1-6", "boumaza-6"),
    ("cma-es f1-8", "boumaza-8"),
    ("thiery f1-6", "ce-6"),
    ("thiery f1-8", "bcts"),
];

fn definition(size: ExperimentSize) -> Definition {
    let mut definition = Definition {
        question: "Do the published weights reach the published scores, and does the paper's learning method find weights that are as good?"
            .to_owned(),
        open: open(),
        deviations: deviations(),
        cost: size
            .pick("two minutes", "an hour on two cores: 45 billion pieces")
            .to_owned(),
        ..Definition::default()
    };
    let learned: Vec<Stage> = FEATURES
        .iter()
        .map(|(name, features)| {
            Stage::learn(format!("learn-{name}"), learning(size, features, HARDER))
        })
        .collect();
    for height in ["10x16", "10x20"] {
        let ruleset = format!("simplified-{height}");
        let published = format!("games-{height}");
        let given = Evaluation {
            players: COLUMNS.map(|column| column.1.to_owned()).into(),
            ruleset: ruleset.clone(),
            plan: plan(size),
            seed: size.test_seed(),
        };
        // At paper scale, whole games are played, as in the paper.
        let given = size.pick(given, hundred_games(size, height));
        for (column, player) in COLUMNS {
            let arm = ExperimentArm::given(format!("{column} {height}"), &published, player);
            definition.arms.push(arm.variant("published weights"));
        }
        definition.stages.push(Stage::evaluate(published, given));
        let stage = format!("learned-{height}");
        let evaluation = Evaluation {
            players: learned.iter().map(Stage::player).collect(),
            ruleset,
            plan: plan(size),
            seed: size.test_seed(),
        };
        for ((name, _), learn) in FEATURES.iter().zip(&learned) {
            definition.arms.push(ExperimentArm {
                id: format!("cma-es {name} {height}"),
                variant: "learned here".to_owned(),
                learned: vec![learn.id.clone()],
                tested: vec![TestedPlayer {
                    stage: stage.clone(),
                    player: learn.player(),
                }],
                ..ExperimentArm::default()
            });
        }
        definition.stages.push(Stage::evaluate(stage, evaluation));
    }
    definition.stages.splice(0..0, learned);
    definition
}

/// How the scores are measured.
pub(super) fn plan(size: ExperimentSize) -> Plan {
    splitting(size, 0.1)
}
