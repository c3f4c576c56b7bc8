//! Networks trained while playing: a variant of the thesis' network, and temporal differences.

use super::super::{
    Definition, ExperimentArm, ExperimentEntry, ExperimentSize, Quantity, Stage, TestedPlayer,
};
use crate::learning::{Budget, Learning};
use crate::study::{Evaluation, Plan};

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "networks",
    definition: "networks trained while playing: q-network-fast and td-lambda, five seeds each",
    source: "ours; Elfwing, Uchibe and Doya 2018",
    settings: &[],
    make: definition,
};

/// A learning method with the settings of its arm.
struct Method {
    id: &'static str,
    /// The learner at quick scale: the same with less training.
    quick: &'static str,
    features: &'static str,
    /// Games per evaluation during training, and the number of evaluation intervals.
    games: u64,
    generations: u64,
    /// Games of the test.
    test: u64,
}

const METHODS: [Method; 2] = [
    Method {
        id: "q-network-fast",
        quick: "q-network-fast(cooling=100000,period=40000)",
        features: "bcts",
        games: 50,
        generations: 12,
        test: 500,
    },
    Method {
        id: "td-lambda",
        quick: "td-lambda(guided=40000,average=50000,period=40000)",
        features: "afterstate-13",
        games: 10,
        generations: 20,
        test: 100,
    },
];

fn definition(size: ExperimentSize) -> Definition {
    let mut definition = Definition {
        question: "How good are networks that learn from every move, from several seeds?"
            .to_owned(),
        open: Vec::new(),
        deviations: vec![
            "The papers of both methods use other features and boards: the settings are ours."
                .to_owned(),
            "At quick scale training is about a tenth.".to_owned(),
        ],
        cost: size
            .pick("a minute", "half an hour on two cores")
            .to_owned(),
        further: vec![Quantity::TrainingSeconds],
        ..Definition::default()
    };
    for method in METHODS {
        method.add(size, &mut definition);
    }
    definition.one_seed_after_the_other();
    definition
}

impl Method {
    fn add(&self, size: ExperimentSize, definition: &mut Definition) {
        let test = format!("test-{}", self.id);
        let mut arm = ExperimentArm {
            id: self.id.to_owned(),
            ..ExperimentArm::default()
        };
        for (run, seed) in size.training_seeds(1, 5).enumerate() {
            let id = format!("{}-{}", self.id, run + 1);
            let stage = Stage::learn(id, self.learning(size, seed));
            arm.learned.push(stage.id.clone());
            arm.tested.push(TestedPlayer {
                stage: test.clone(),
                player: stage.player(),
            });
            definition.stages.push(stage);
        }
        let players = arm.tested.iter().map(|tested| tested.player.clone());
        let evaluation = Evaluation {
            players: players.collect(),
            ruleset: RULESET.to_owned(),
            plan: Plan::games(size.pick(100, self.test)),
            seed: size.seed.wrapping_add(999),
        };
        definition.stages.push(Stage::evaluate(test, evaluation));
        definition.arms.push(arm);
    }

    fn learning(&self, size: ExperimentSize, seed: u64) -> Learning {
        Learning {
            learner: size.pick(self.quick, self.id).to_owned(),
            ruleset: RULESET.to_owned(),
            features: self.features.to_owned(),
            evaluator: "network".to_owned(),
            games: size.pick(10, self.games),
            max_pieces: Some(100_000),
            budget: Budget::generations(size.pick(5, self.generations)),
            seed,
            ..Learning::default()
        }
    }
}

const RULESET: &str = "simplified-10x10";
