//! Table 9: trained on one randomizer, tested on each.

use super::super::{
    Definition, ExperimentArm, ExperimentEntry, ExperimentSize, ResultUnit, TestedPlayer,
};
use super::{ThesisGame, Training, deviations, open, test};

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "thesis-randomizers",
    definition: "trained on one randomizer, tested on each of three",
    source: "thesis, Tab 9",
    settings: &[],
    make: definition,
};

/// The numbers of the spawners in the thesis.
const SPAWNERS: [(&str, &str); 3] = [("1", "bag"), ("2", "uniform"), ("3", "tgm3")];

fn definition(size: ExperimentSize) -> Definition {
    let mut definition = Definition {
        question:
            "Does it matter which randomizer a player is trained on, and which it is tested on?"
                .to_owned(),
        open: open(),
        deviations: deviations(),
        cost: size
            .pick("two minutes", "two minutes on two cores")
            .to_owned(),
        ..Definition::default()
    };
    definition.open.push(
        "The features are not stated; the run on TGM3's randomizer is that of table 11 with 6."
            .to_owned(),
    );
    definition.deviations.push(
        "On the identified game all three spawners are memoryless, so its arms differ only in their seeds, and show the spread of training."
            .to_owned(),
    );
    for game in ThesisGame::BOTH {
        for (place, trained) in SPAWNERS.iter().enumerate() {
            trained_on(size, &mut definition, game, (place, trained));
        }
    }
    definition.one_seed_after_the_other();
    definition
}

/// Trains on one spawner and tests on all of them.
fn trained_on(
    size: ExperimentSize,
    definition: &mut Definition,
    game: ThesisGame,
    (place, (trained, randomizer)): (usize, &(&'static str, &'static str)),
) {
    let training = Training {
        features: "thesis-6",
        randomizer,
        ..Training::evolution(size, trained)
    };
    let seeded = ExperimentSize {
        seed: size.seed.wrapping_add(100 * place as u64),
        ..size
    };
    let stages = training.stages(seeded, game);
    let arm = |id: String| ExperimentArm {
        id,
        variant: game.variant().to_owned(),
        learned: stages.iter().map(|stage| stage.id.clone()).collect(),
        unit: ResultUnit::LinePoints,
        ..ExperimentArm::default()
    };
    definition.arms.push(arm(format!("trained-{trained}")));
    let mut tests = Vec::new();
    for (number, (tested, randomizer)) in SPAWNERS.iter().enumerate() {
        let mut arm = arm(format!("{trained}-{tested}"));
        let seeded = ExperimentSize {
            seed: seeded.seed.wrapping_add(10 * number as u64),
            ..size
        };
        for stage in &stages {
            let id = format!("test-{}-on-{tested}", stage.id);
            arm.tested.push(TestedPlayer {
                stage: id.clone(),
                player: stage.player(),
            });
            tests.push(test(seeded, game, &id, stage.player(), randomizer));
        }
        definition.arms.push(arm);
    }
    definition.stages.extend(stages);
    definition.stages.extend(tests);
}
