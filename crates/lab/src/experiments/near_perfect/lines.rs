//! Experiments that answer questions from readers of near-perfect.

use super::super::stage::linear_player;
use super::super::{Definition, ExperimentArm, ExperimentEntry, ExperimentSize, Stage};
use super::test;

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "near-perfect-lines",
    definition: "full rows removed before scoring, the ordinary board, an adversary, no look-ahead",
    source: "near-perfect, comments",
    settings: &[],
    make: definition,
};

/// The published weights without the term of complete lines.
fn without_lines() -> String {
    let weights = [
        ("sum_heights", -0.510_066),
        ("holes", -0.356_63),
        ("bumpiness", -0.184_483),
    ];
    let rule = "player = \"two-piece\"\nscored = \"before\"";
    linear_player("without-lines", "Lee 2013 (near-perfect)", rule, &weights)
}

/// The games: the article's, with memoryless pieces so that games end; the ordinary board; and one
/// game in which an adversary chooses the pieces.
const GAMES: [(&str, &str); 4] = [
    ("its own game", "near-perfect"),
    ("memoryless pieces", "near-perfect(randomizer=uniform)"),
    ("ordinary board, memoryless", "two-piece-10x20"),
    (
        "adversary",
        "near-perfect(randomizer=adversary(near-perfect,depth=1))",
    ),
];

/// Players with the published weights.
const PLAYERS: [(&str, &str); 5] = [
    ("as published", "near-perfect"),
    ("rows removed first", "two-piece(near-perfect)"),
    ("without the lines term", "@without-lines"),
    (
        "rows removed first, without the lines term",
        "two-piece(@without-lines)",
    ),
    ("one piece known", "greedy(near-perfect,scored=before)"),
];

fn definition(size: ExperimentSize) -> Definition {
    let mut definition = Definition {
        question: "Does removing full rows before the board is scored make the term of complete \
            lines redundant, and how well does the bot play on the ordinary board and against an adversary?"
            .to_owned(),
        open: vec!["The article gives no numbers for these games.".to_owned()],
        deviations: vec![
            "Switching the bot off and on in the middle of a game is not part of the experiment; a \
             game in the terminal can do it."
                .to_owned(),
            "Moving pieces from where they enter needs a stepped game (ruleset `guideline`), which \
             is not part of the experiment."
                .to_owned(),
        ],
        cost: size.pick("a minute", "ten minutes on two cores").to_owned(),
        stages: vec![Stage::write("without-lines", without_lines())],
        ..Definition::default()
    };
    for (number, (variant, ruleset)) in GAMES.into_iter().enumerate() {
        let stage = format!("games-{}", number + 1);
        for (arm, player) in PLAYERS {
            let arm = ExperimentArm::given(arm, &stage, player);
            definition.arms.push(arm.variant(variant));
        }
        let players = PLAYERS.iter().map(|player| player.1.to_owned());
        definition.stages.push(test(
            size,
            &stage,
            players.collect(),
            ruleset,
            (100, 70_000),
        ));
    }
    definition
}
