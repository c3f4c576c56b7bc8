//! Table 3: learning on smaller games compared with learning on harder games.

use super::super::{
    Definition, ExperimentArm, ExperimentEntry, ExperimentSize, Stage, TestedPlayer,
};
use super::table_2::plan;
use super::{HARDER, deviations, learning, open};
use crate::study::Evaluation;

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "cma-es-table-3",
    definition: "learning on 6x12 compared with learning with more S and Z, tested on 10x16 and 10x20",
    source: "cma-es, Table 3",
    settings: &[],
    make: definition,
};

fn definition(size: ExperimentSize) -> Definition {
    let mut definition = Definition {
        question: "Is it better to learn on smaller boards or with harder pieces?".to_owned(),
        open: open(),
        deviations: deviations(),
        cost: size.pick("a minute", "an hour on two cores").to_owned(),
        ..Definition::default()
    };
    let learned = [("smaller", "simplified-6x12"), ("harder", HARDER)].map(|(name, ruleset)| {
        let stage = Stage::learn(format!("learn-{name}"), learning(size, "bcts", ruleset));
        (name, stage)
    });
    let stages = learned.iter().map(|row| row.1.clone());
    definition.stages.extend(stages);
    for height in ["10x16", "10x20"] {
        let id = format!("splitting-{height}");
        let evaluation = Evaluation {
            players: learned.iter().map(|row| row.1.player()).collect(),
            ruleset: format!("simplified-{height}"),
            plan: plan(size),
            seed: size.test_seed(),
        };
        for (name, stage) in &learned {
            definition.arms.push(ExperimentArm {
                id: format!("{name} {height}"),
                learned: vec![stage.id.clone()],
                tested: vec![TestedPlayer {
                    stage: id.clone(),
                    player: stage.player(),
                }],
                ..ExperimentArm::default()
            });
        }
        definition.stages.push(Stage::evaluate(id, evaluation));
    }
    definition
}
