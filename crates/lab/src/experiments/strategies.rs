//! The report on greedy and two-step strategies.

use super::stage::linear_player;
use super::{Definition, ExperimentEntry, ExperimentSize, Stage, reference};
use crate::study::{Evaluation, GamesGoal, Plan};

pub(super) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "strategies",
    definition: "greedy, full and accelerated two-step strategies, with and without the fear of death",
    source: "strategies",
    settings: &[],
    make: definition,
};

/// The arms of the report, and those that it omits: every strategy with losing avoided.
const ARMS: [(&str, &str); 10] = [
    ("greedy", "greedy(strategies,losing=allow)"),
    ("two-step", "two-piece(strategies,losing=allow)"),
    ("accelerated-4", "accelerated(strategies,n=4,losing=allow)"),
    ("accelerated-8", "accelerated(strategies,n=8,losing=allow)"),
    ("greedy-fear", "strategies"),
    ("two-step-fear", "two-piece(strategies)"),
    ("accelerated-4-fear", "accelerated(strategies,n=4)"),
    ("accelerated-8-fear", "accelerated(strategies,n=8)"),
    (
        "two-step-fear-before",
        "two-piece(strategies,scored=before)",
    ),
    (
        "accelerated-4-fear-before",
        "accelerated(strategies,n=4,scored=before)",
    ),
];

fn definition(size: ExperimentSize) -> Definition {
    let mut definition = Definition {
        question: "How many lines do the report's strategies clear, and how much does the fear of death help each?"
            .to_owned(),
        open: [
            "The game-over rule is not stated: a piece that locks above the top row ends the game.",
            "Ties are not stated: the first placement in the reference simulator's order is chosen.",
            "Whether full rows are removed between the two pieces is not stated: here they are, except in two arms (`-before`).",
        ]
        .map(str::to_owned)
        .into(),
        deviations: vec![
            "In the report, pieces fall step by step; here, they drop from above the board."
                .to_owned(),
        ],
        cost: size
            .pick("a minute", "a quarter of an hour on two cores")
            .to_owned(),
        ..Definition::default()
    };
    // The report's first evaluation function: only the sum of heights.
    let rule = "player = \"greedy\"\nlosing = \"allow\"";
    let text = linear_player("height-alone", "strategies", rule, &[("sum_heights", -1.0)]);
    let height = Stage::write("height-alone", text);
    definition.stages.push(height);
    let height = reference("height-alone");
    let arms: Vec<(&str, &str)> = ARMS
        .into_iter()
        .chain([("height-alone", height.as_str())])
        .collect();
    let evaluation = Evaluation {
        players: arms.iter().map(|arm| arm.1.to_owned()).collect(),
        ruleset: "two-piece-10x20".to_owned(),
        plan: Plan::Games {
            until: GamesGoal::Games(size.pick(40, 100)),
            max_pieces: size.pick(Some(10_000), None),
        },
        seed: size.seed,
    };
    definition.evaluate("games", evaluation, &arms);
    definition
}
