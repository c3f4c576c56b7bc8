//! SZ-Tetris: the game with only S and Z pieces.

use super::super::{Definition, ExperimentArm, ExperimentEntry, ExperimentSize, Stage, reference};
use crate::learning::{Budget, Learning};
use crate::study::{Evaluation, Plan};

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "sz-tetris",
    definition: "tables learned by danger, the best of three, then one scale per table optimised by CMA-ES",
    source: "ours",
    settings: &[],
    make: definition,
};

const GAME: &str = "simplified-10x20(randomizer=weighted(I=0,O=0,T=0,J=0,L=0,S=1,Z=1))";

fn definition(size: ExperimentSize) -> Definition {
    let mut definition = Definition {
        question: "How many lines do learned tables clear with only S and Z pieces, and how much do optimised scales of the tables help?"
            .to_owned(),
        open: Vec::new(),
        deviations: vec!["At quick scale training is much shorter.".to_owned()],
        cost: size
            .pick("a minute", "half an hour on two cores")
            .to_owned(),
        ..Definition::default()
    };
    let tables = size.training_seeds(2, 3).enumerate();
    let tables: Vec<Stage> = tables
        .map(|(run, seed)| Stage::learn(format!("danger-{}", run + 1), tables_learning(size, seed)))
        .collect();
    let candidates: Vec<String> = tables.iter().map(Stage::player).collect();
    definition.stages.extend(tables);
    let select = evaluation(
        candidates,
        size.pick(100, 1000),
        size.seed.wrapping_add(1999),
    );
    definition
        .stages
        .push(Stage::evaluate("candidates", select));
    definition
        .stages
        .push(Stage::select("selected", "candidates"));
    let factors = Stage::learn("factors", factors_learning(size));
    let players = vec![
        factors.player(),
        reference("selected"),
        "dellacherie".to_owned(),
    ];
    let arms = ["tables with factors", "tables", "dellacherie"];
    for (arm, player) in arms.iter().zip(&players) {
        definition
            .arms
            .push(ExperimentArm::given(*arm, "test", player));
    }
    let test = evaluation(
        players,
        size.pick(200, 10_000),
        size.seed.wrapping_add(2999),
    );
    definition
        .stages
        .extend([factors, Stage::evaluate("test", test)]);
    definition
}

fn evaluation(players: Vec<String>, games: u64, seed: u64) -> Evaluation {
    Evaluation {
        players,
        ruleset: GAME.to_owned(),
        plan: Plan::games(games),
        seed,
    }
}

/// Training of the tables: games are divided equally among boards of 10 to 20 rows, and no
/// placement is filtered out.
fn tables_learning(size: ExperimentSize, seed: u64) -> Learning {
    let quick = "danger(covers=64,horizon=100,full=0,cooling=60000,warmup=4000,interval=20000)";
    Learning {
        learner: size
            .pick(quick, "danger(covers=64,horizon=100,full=0)")
            .to_owned(),
        ruleset: GAME.to_owned(),
        features: "wary".to_owned(),
        evaluator: "tables".to_owned(),
        games: size.pick(50, 400),
        max_pieces: Some(100_000),
        budget: Budget::generations(size.pick(3, 8)),
        seed,
        ..Learning::default()
    }
}

/// Learns a scale for each table of the selected player.
fn factors_learning(size: ExperimentSize) -> Learning {
    Learning {
        learner: "cma-es".to_owned(),
        ruleset: GAME.to_owned(),
        features: "wary".to_owned(),
        evaluator: "tables".to_owned(),
        start: Some(reference("selected")),
        games: size.pick(10, 200),
        max_pieces: Some(100_000),
        budget: Budget::generations(size.pick(3, 60)),
        seed: size.seed.wrapping_add(2),
        ..Learning::default()
    }
}
