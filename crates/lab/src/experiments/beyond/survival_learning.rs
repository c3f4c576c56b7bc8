//! Weights learned on the standard board from the estimated mean of whole games.

use super::super::{
    Definition, ExperimentArm, ExperimentEntry, ExperimentSize, Stage, TestedPlayer,
};
use crate::learning::{Budget, Learning};
use crate::study::{Evaluation, Plan, SplittingPlan};
use crate::survival::{Goal, LevelKind};

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "survival-learning",
    definition: "nine weights learned from scratch with the objective survival, compared with dt-20",
    source: "ours; Gabillon, Ghavamzadeh and Scherrer 2013",
    settings: &[],
    make: definition,
};

fn definition(size: ExperimentSize) -> Definition {
    let ruleset = size.pick("simplified-10x10", "simplified-10x20");
    let learning = Learning {
        learner: size
            .pick("cma-es(population=12)", "cma-es(population=40)")
            .to_owned(),
        ruleset: ruleset.to_owned(),
        features: "dt".to_owned(),
        objective: size
            .pick("survival(trajectories=200,rounds=1)", "survival(rounds=1)")
            .to_owned(),
        games: 30,
        max_pieces: Some(100_000),
        budget: Budget::generations(size.pick(20, 100)),
        seed: size.seed,
        ..Learning::default()
    };
    let learn = Stage::learn("learn", learning);
    let evaluation = Evaluation {
        players: vec![learn.player(), "dt-20".to_owned()],
        ruleset: ruleset.to_owned(),
        plan: Plan::Splitting {
            until: Goal::Precision(size.pick(0.1, 0.05)),
            splitting: SplittingPlan {
                level: LevelKind::Stack,
                ..SplittingPlan::default()
            },
        },
        seed: size.seed.wrapping_add(999),
    };
    let learned = ExperimentArm {
        id: "learned here".to_owned(),
        learned: vec![learn.id.clone()],
        tested: vec![TestedPlayer {
            stage: "test".to_owned(),
            player: learn.player(),
        }],
        ..ExperimentArm::default()
    };
    Definition {
        question:
            "Do weights that are searched by estimates of the mean exceed the best published \
            ones with the same features?"
                .to_owned(),
        deviations: vec![
            "One training run. At quick scale it learns on 10x10, with fewer candidates."
                .to_owned(),
        ],
        cost: size
            .pick("a minute", "half an hour on two cores")
            .to_owned(),
        arms: vec![learned, ExperimentArm::given("dt-20", "test", "dt-20")],
        stages: vec![learn, Stage::evaluate("test", evaluation)],
        ..Definition::default()
    }
}
