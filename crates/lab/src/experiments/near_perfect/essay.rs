//! The essay on a genetic algorithm: its learning run, and its three open problems.

use super::super::{
    Definition, ExperimentArm, ExperimentEntry, ExperimentResults, ExperimentSize, Finding,
    FoundTable, Stage, TestedPlayer,
};
use super::{RULESET, run, test, weights_table};
use crate::learning::Learning;
use crate::report::show;

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "ga-essay",
    definition: "the essay's learning run with both of its starts, and its three open problems",
    source: "ga-essay",
    settings: &[],
    make: definition,
};

/// The arms: settings of the learner, and the training game.
const ARMS: [(&str, &str, &str); 4] = [
    ("box", "", RULESET),
    ("sphere", "start=sphere", RULESET),
    ("mutation-50", "mutation=0.5", RULESET),
    (
        "low-board",
        "",
        "two-piece-10x10(randomizer=bag,end=entry-blocked)",
    ),
];

fn definition(size: ExperimentSize) -> Definition {
    let mut definition = Definition {
        question:
            "Is a game of 10,000 lines likely after the essay's learning run, and can its three problems be solved?"
                .to_owned(),
        open: vec![
            "The number of generations is not stated: 20, twice the ten after which the essay's \
             population had collapsed."
                .to_owned(),
        ],
        deviations: vec![
            "Pieces drop from above the board.".to_owned(),
            "The test has 20 games of at most 25,000 pieces: 10,000 lines, the length of the essay's game."
                .to_owned(),
            "`mutation-50` mutates half of the children instead of 5 %; `low-board` trains on 10 \
             rows: two ways out of the essay's problems."
                .to_owned(),
        ],
        cost: size.pick("a minute", "two minutes on two cores").to_owned(),
        analyses: vec![analysis],
        ..Definition::default()
    };
    let population = size.pick(100, 100);
    for (name, settings, ruleset) in ARMS {
        let mut arm = ExperimentArm {
            id: name.to_owned(),
            ..ExperimentArm::default()
        };
        for (number, seed) in size.training_seeds(3, 3).enumerate() {
            let comma = if settings.is_empty() { "" } else { "," };
            let learner = format!("ga-essay(population={population}{comma}{settings})");
            let learning = Learning {
                ruleset: ruleset.to_owned(),
                ..run(learner, size.pick(5, 10), size.pick(10, 20), seed)
            };
            let stage = Stage::learn(format!("{name}-{}", number + 1), learning);
            arm.learned.push(stage.id.clone());
            let id = format!("test-{}", stage.id);
            let test = test(size, &id, vec![stage.player()], RULESET, (20, 25_000));
            arm.tested.push(TestedPlayer {
                stage: id,
                player: stage.player(),
            });
            definition.stages.extend([stage, test]);
        }
        definition.arms.push(arm);
    }
    definition.one_seed_after_the_other();
    definition
}

fn analysis(results: &ExperimentResults) -> Vec<Finding> {
    let first = ARMS.map(|arm| format!("{}-1", arm.0));
    let weights = weights_table(results, &first);
    let text = "The first problem: does the weight of the aggregate height swamp the others?";
    let weights = Finding::of_table("Weights", text, weights);
    let caption = "Every generation of the first run of each arm";
    let mut table = FoundTable::new(caption, &["run", "generation", "best", "mean", "spread"]);
    for stage in &first {
        let learned = results.learned(stage);
        for row in learned.iter().flat_map(|learned| learned.run(1)) {
            table.row(vec![
                stage.clone(),
                row.generation.to_string(),
                show(row.best),
                show(row.mean),
                row.spread
                    .map_or_else(String::new, |spread| format!("{spread:.4}")),
            ]);
        }
    }
    let text = "The essay's other two problems: whether good players on a tall board reach the cap \
        of 500 pieces, about 200 lines, so that they cannot be distinguished, and whether the \
        spread of the population falls.";
    vec![weights, Finding::of_table("Generations", text, table)]
}
