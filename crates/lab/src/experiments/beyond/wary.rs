//! The wary players: lookup tables that learn how dangerous a board is.

use super::super::{
    Definition, ExperimentArm, ExperimentEntry, ExperimentSize, Quantity, Stage, TestedPlayer,
};
use super::splitting;
use crate::learning::{Budget, Learning};
use crate::study::{Evaluation, Plan, SplittingPlan};
use crate::survival::{Goal, LevelKind, TRAJECTORIES};

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "wary",
    definition: "tables that learn the probability of losing, compared with the shipped wary players",
    source: "ours: docs/explanation/wary-players.md",
    settings: &[],
    make: definition,
};

/// How a shipped player is measured at paper scale.
enum Way {
    Games(u64),
    /// Splitting to a precision, with this many trajectories.
    Splitting(f64, usize, LevelKind),
}

/// The measurements of the shipped players: stage, players, board, method, and the offset of the
/// seed.
fn tests() -> Vec<(
    &'static str,
    &'static [&'static str],
    &'static str,
    Way,
    u64,
)> {
    let own = || Way::Splitting(0.1, TRAJECTORIES, LevelKind::Own);
    let danger = || Way::Splitting(0.1, TRAJECTORIES, LevelKind::Danger);
    let many = Way::Splitting(0.15, 40_000, LevelKind::Danger);
    const WARY: &[&str] = &["wary-20"];
    const LINEAR: &[&str] = &["misakamm-v2"];
    vec![
        ("wary-10", &["wary-10"], "10x10", Way::Games(10_000), 2999),
        ("own-10x20", WARY, "10x20", own(), 3000),
        ("danger-10x20", WARY, "10x20", many, 3001),
        ("own-10x16", WARY, "10x16", own(), 3002),
        ("own-10x14", WARY, "10x14", own(), 3003),
        ("games-10x12", WARY, "10x12", Way::Games(200), 3004),
        ("own-10x12", WARY, "10x12", own(), 3008),
        ("misakamm-10x12", LINEAR, "10x12", danger(), 3012),
        ("misakamm-10x14", LINEAR, "10x14", danger(), 3005),
        ("misakamm-10x16", LINEAR, "10x16", danger(), 3006),
        (
            "expectimax-10x6",
            &["wary-10", "expectimax(wary-10)"],
            "10x6",
            Way::Games(200),
            3013,
        ),
    ]
}

fn definition(size: ExperimentSize) -> Definition {
    let mut definition = Definition {
        question: "Do players with tables that learn the probability of losing survive longer than the best published players?"
            .to_owned(),
        open: Vec::new(),
        deviations: vec![
            "`wary-10` was selected from five training runs by 100 games that no other test uses."
                .to_owned(),
            "From 12 rows on means come from splitting; on 10x12 whole games are played as well."
                .to_owned(),
            "At quick scale one run trains a twentieth as long, and all estimates are rough."
                .to_owned(),
        ],
        cost: size
            .pick("two minutes", "three hours on two cores")
            .to_owned(),
        further: vec![Quantity::TrainingSeconds],
        ..Definition::default()
    };
    let mut arm = ExperimentArm {
        id: "danger, learned here".to_owned(),
        ..ExperimentArm::default()
    };
    let mut candidates = Vec::new();
    for (run, seed) in size.training_seeds(1, 5).enumerate() {
        let stage = Stage::learn(format!("danger-{}", run + 1), learning(size, seed));
        arm.learned.push(stage.id.clone());
        arm.tested.push(TestedPlayer {
            stage: "candidates".to_owned(),
            player: stage.player(),
        });
        candidates.push(stage.player());
        definition.stages.push(stage);
    }
    definition.arms.push(arm);
    let select = Evaluation {
        players: candidates,
        ruleset: "simplified-10x10".to_owned(),
        plan: Plan::games(size.pick(20, 100)),
        seed: size.seed.wrapping_add(1999),
    };
    definition
        .stages
        .push(Stage::evaluate("candidates", select));
    for (stage, players, board, way, seed) in tests() {
        let evaluation = Evaluation {
            players: players.iter().map(|&player| player.to_owned()).collect(),
            ruleset: format!("simplified-{board}"),
            plan: size.pick(quick_plan(size, board), way.plan()),
            seed: size.seed.wrapping_add(seed),
        };
        for player in players {
            let arm = ExperimentArm::given(*player, stage, *player);
            definition.arms.push(arm.variant(stage));
        }
        definition.stages.push(Stage::evaluate(stage, evaluation));
    }
    definition
}

impl Way {
    fn plan(&self) -> Plan {
        match self {
            Way::Games(games) => Plan::games(*games),
            Way::Splitting(precision, trajectories, level) => Plan::Splitting {
                until: Goal::Precision(*precision),
                splitting: SplittingPlan {
                    trajectories: *trajectories,
                    level: level.clone(),
                },
            },
        }
    }
}

/// Games on boards where they end soon, rough estimates on others.
fn quick_plan(size: ExperimentSize, board: &str) -> Plan {
    match board {
        "10x6" => Plan::games(50),
        "10x10" => Plan::games(20),
        _ => splitting(size, 0.1),
    }
}

/// The learning description of the tables.
fn learning(size: ExperimentSize, seed: u64) -> Learning {
    let quick = "danger(cooling=150000,warmup=10000,interval=45000)";
    Learning {
        learner: size.pick(quick, "danger").to_owned(),
        ruleset: "simplified-10x10".to_owned(),
        features: "wary".to_owned(),
        evaluator: "tables".to_owned(),
        games: size.pick(5, 30),
        max_pieces: Some(100_000),
        budget: Budget::generations(size.pick(4, 8)),
        seed,
        ..Learning::default()
    }
}
