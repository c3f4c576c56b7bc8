//! Splitting compared with whole games of the same players.

use super::super::{
    Definition, ExperimentArm, ExperimentEntry, ExperimentResults, ExperimentSize, Finding,
    FoundTable, Stage,
};
use crate::report::show;
use crate::study::{Evaluation, Plan, PlayerResult, SplittingPlan};
use crate::survival::{Goal, LevelKind};

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "splitting",
    definition: "estimates by splitting compared with whole games, greedy and with look-ahead",
    source: "ours: docs/explanation/survival.md",
    settings: &[],
    make: definition,
};

const GREEDY: &[&str] = &["dellacherie", "boumaza-8", "bcts", "dt-10", "dt-20"];
const EXPECTIMAX: &[&str] = &[
    "expectimax(dellacherie,depth=2)",
    "expectimax(bcts,depth=2)",
    "expectimax(dt-20,depth=2)",
    "expectimax(misakamm-v2,depth=2)",
];
const TWO_PIECE: &[&str] = &[
    "two-piece(dellacherie)",
    "two-piece(bcts)",
    "two-piece(dt-20)",
    "two-piece(misakamm-v2)",
];

/// A game on which both methods measure the same players.
struct Pair {
    ruleset: &'static str,
    players: &'static [&'static str],
    /// Number of whole games of each player, and their seed.
    games: (u64, u64),
    /// The precision of the estimate, its trajectories and levels; its seed is the first one.
    splitting: (f64, usize, LevelKind),
}

/// The pairs of a scale.
fn pairs(size: ExperimentSize) -> Vec<Pair> {
    let pair = |ruleset, players, games, precision, trajectories, level| Pair {
        ruleset,
        players,
        games: (games, size.seed + 1),
        splitting: (precision, trajectories, level),
    };
    let stack = || LevelKind::Stack;
    let danger = LevelKind::default;
    let quick = vec![
        pair("simplified-10x8", GREEDY, 1000, 0.05, 2000, stack()),
        pair("simplified-10x10", GREEDY, 300, 0.05, 2000, stack()),
        pair("two-piece-10x6", TWO_PIECE, 60, 0.2, 500, danger()),
    ];
    let paper = vec![
        pair("simplified-10x10", GREEDY, 1000, 0.05, 8000, stack()),
        pair("simplified-10x12", GREEDY, 1000, 0.05, 8000, stack()),
        pair("simplified-10x14", GREEDY, 1000, 0.05, 8000, stack()),
        pair("simplified-10x16", GREEDY, 300, 0.05, 8000, stack()),
        pair("simplified-10x8", EXPECTIMAX, 200, 0.1, 2000, danger()),
        pair("simplified-10x9", EXPECTIMAX, 200, 0.1, 2000, danger()),
        pair("two-piece-10x8", TWO_PIECE, 200, 0.1, 4000, danger()),
        pair("two-piece-10x9", TWO_PIECE, 200, 0.1, 4000, danger()),
    ];
    size.pick(quick, paper)
}

impl Pair {
    fn stage(&self, method: &str) -> String {
        format!("{method}-{}", self.ruleset)
    }

    fn add(&self, size: ExperimentSize, definition: &mut Definition) {
        let (precision, trajectories, level) = self.splitting.clone();
        let splitting = Plan::Splitting {
            until: Goal::Precision(precision),
            splitting: SplittingPlan {
                trajectories,
                level,
            },
        };
        let (games, seed) = self.games;
        let plans = [
            (GAMES, Plan::games(games), seed),
            (SPLITTING, splitting, size.seed),
        ];
        for (method, plan, seed) in plans {
            let stage = self.stage(method);
            let evaluation = Evaluation {
                players: self
                    .players
                    .iter()
                    .map(|&player| player.to_owned())
                    .collect(),
                ruleset: self.ruleset.to_owned(),
                plan,
                seed,
            };
            for player in self.players {
                let arm =
                    ExperimentArm::given(format!("{player} {}", self.ruleset), &stage, *player);
                definition.arms.push(arm.variant(method));
            }
            definition.stages.push(Stage::evaluate(stage, evaluation));
        }
    }
}

const GAMES: &str = "games";
const SPLITTING: &str = "splitting";

fn definition(size: ExperimentSize) -> Definition {
    let mut definition = Definition {
        question: "Do estimates by splitting agree with the means of whole games?".to_owned(),
        open: Vec::new(),
        deviations: vec![
            "At quick scale the boards are lower, and repetitions have fewer trajectories."
                .to_owned(),
        ],
        cost: size
            .pick("two minutes", "four hours on two cores")
            .to_owned(),
        analyses: vec![differences],
        ..Definition::default()
    };
    for pair in pairs(size) {
        pair.add(size, &mut definition);
    }
    definition
}

/// The difference of both means for every player.
fn differences(results: &ExperimentResults) -> Vec<Finding> {
    let Some(size) = results.size() else {
        return Vec::new();
    };
    let columns = ["player", "board", "whole games", "splitting", "difference"];
    let mut table = FoundTable::new("Mean lines by both methods", &columns);
    for pair in pairs(size) {
        for &player in pair.players {
            let of = |method| results.player(&pair.stage(method), player);
            let (Some(games), Some(splitting)) = (of(GAMES), of(SPLITTING)) else {
                continue;
            };
            let mean = |result: &PlayerResult| result.lines.mean.map_or_else(String::new, show);
            table.row(vec![
                player.to_owned(),
                pair.ruleset.to_owned(),
                mean(games),
                mean(splitting),
                difference(games, splitting).map_or_else(String::new, |off| format!("{off:+.2}")),
            ]);
        }
    }
    let text = "The difference is that of the logarithms in units of the joint 95 % interval: \
        between -1 and 1 in 19 of 20 cases.";
    vec![Finding::of_table("Both methods", text, table)]
}

/// The difference between the estimate and the mean of whole games, in joint half widths.
fn difference(games: &PlayerResult, splitting: &PlayerResult) -> Option<f64> {
    let half = |result: &PlayerResult| {
        let interval = result.lines.ci95?;
        Some((interval.hi? / interval.lo).ln() / 2.0)
    };
    let ratio = splitting.lines.mean? / games.lines.mean?;
    Some(ratio.ln() / half(games)?.hypot(half(splitting)?))
}
