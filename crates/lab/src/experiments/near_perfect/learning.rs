//! The learning run of near-perfect, and its published player.

use super::super::{
    Definition, ExperimentArm, ExperimentEntry, ExperimentResults, ExperimentSize, Finding, Stage,
    TestedPlayer,
};
use super::{RULESET, run, test, weights_table};

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "near-perfect-learning",
    definition: "the learning run of near-perfect: 1000 unit vectors, 100 games of 500 pieces",
    source: "near-perfect",
    settings: &[],
    make: definition,
};

fn definition(size: ExperimentSize) -> Definition {
    let mut definition = Definition {
        question: "Does the published learning method find the published weights, and is a game of 2,183,277 lines likely with them?"
            .to_owned(),
        open: vec![
            "The number of generations is not stated: 30.".to_owned(),
            "The fitness counts lines, on the board before full rows are removed.".to_owned(),
        ],
        deviations: vec![
            "Pieces drop from above; in the article, pieces enter in the middle of the two hidden rows, and the game is over when one cannot enter."
                .to_owned(),
            "Test games are truncated after 70,000 pieces. A hundred of them without a loss show a mean of \
             at least 740,000 lines, for which a game of 2,183,277 lines is not unlikely."
                .to_owned(),
        ],
        cost: size.pick("a minute", "half an hour on two cores: 485 million decisions for each of three runs").to_owned(),
        analyses: vec![analysis],
        ..Definition::default()
    };
    let population = size.pick(150, 1000);
    let stages = size.training_seeds(3, 3).enumerate().map(|(number, seed)| {
        let learner = format!("near-perfect-ga(population={population})");
        let learning = run(learner, size.pick(20, 100), size.pick(8, 30), seed);
        Stage::learn(format!("learn-{}", number + 1), learning)
    });
    let stages: Vec<Stage> = stages.collect();
    let games = (100, 70_000);
    let given = vec!["near-perfect".to_owned()];
    definition
        .stages
        .push(test(size, "test-published", given, RULESET, games));
    let published = ExperimentArm::given("published-weights", "test-published", "near-perfect");
    let tests: Vec<Stage> = stages
        .iter()
        .map(|stage| {
            let id = format!("test-{}", stage.id);
            test(size, &id, vec![stage.player()], RULESET, games)
        })
        .collect();
    let tested = stages.iter().zip(&tests).map(|(stage, test)| TestedPlayer {
        stage: test.id.clone(),
        player: stage.player(),
    });
    let learned = ExperimentArm {
        id: "learned here".to_owned(),
        learned: stages.iter().map(|stage| stage.id.clone()).collect(),
        tested: tested.collect(),
        ..ExperimentArm::default()
    };
    definition.arms = vec![published, learned];
    definition.stages.extend(stages);
    definition.stages.extend(tests);
    definition.one_seed_after_the_other();
    definition
}

fn analysis(results: &ExperimentResults) -> Vec<Finding> {
    let stages = [1, 2, 3].map(|run| format!("learn-{run}"));
    let table = weights_table(results, &stages);
    vec![Finding::of_table("Weights", "", table)]
}
