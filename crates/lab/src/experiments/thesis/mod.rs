//! "TetrisBot", a master's thesis: its tables, as stated and on the game that it apparently played.

pub(super) mod cap;
pub(super) mod features;
pub(super) mod game;
pub(super) mod games;
pub(super) mod mutation;
pub(super) mod network;
pub(super) mod players;
pub(super) mod population;
pub(super) mod published;
pub(super) mod randomizers;
mod readings;
pub(super) mod scenario;
pub(super) mod selection;
pub(super) mod swarm;

use super::{Definition, ExperimentArm, ExperimentSize, ResultUnit, Stage, TestedPlayer};
use crate::learning::{Budget, Learning, Scale};
use crate::study::{Evaluation, GamesGoal, Plan};
use readings::Reading;
use tetrolab_core::features::feature_set;

/// The number of generations after which a run of the evolutionary algorithm ends if it has not
/// reached the cap.
const GENERATIONS: u64 = 30;

/// Which game is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ThesisGame {
    /// The game and the features as the thesis states them.
    Stated,
    /// The game that its published weights and results fit: memoryless pieces, losing placements
    /// allowed, and "piece position" meaning the lowest row.
    Identified,
}

impl ThesisGame {
    const BOTH: [ThesisGame; 2] = [ThesisGame::Stated, ThesisGame::Identified];

    /// The name of the variant.
    fn variant(self) -> &'static str {
        match self {
            ThesisGame::Stated => "as stated",
            ThesisGame::Identified => "identified game",
        }
    }

    /// The variant as part of stage names.
    fn word(self) -> &'static str {
        match self {
            ThesisGame::Stated => "stated",
            ThesisGame::Identified => "identified",
        }
    }

    /// The rules, with a randomizer if the thesis names one; on the identified game, all
    /// randomizers are memoryless.
    fn ruleset(self, randomizer: &str) -> String {
        match (self, randomizer) {
            (ThesisGame::Stated, "tgm3") => "thesis".to_owned(),
            (ThesisGame::Stated, other) => format!("thesis(randomizer={other})"),
            (ThesisGame::Identified, _) => "thesis(randomizer=uniform)".to_owned(),
        }
    }

    /// The decision rule of learned players.
    fn player(self) -> &'static str {
        match self {
            ThesisGame::Stated => "greedy",
            ThesisGame::Identified => "greedy(losing=allow)",
        }
    }

    /// The features of a set of the thesis.
    fn features(self, set: &str) -> String {
        match self {
            ThesisGame::Stated => set.to_owned(),
            ThesisGame::Identified => {
                let ids = feature_set(set).expect("a set of the thesis").make;
                let ids = ids.iter().map(|id| Reading::IDENTIFIED.feature(id));
                ids.collect::<Vec<_>>().join(",")
            }
        }
    }
}

/// A training run of the evolutionary algorithm or the swarm.
#[derive(Clone, Debug)]
pub(super) struct Training {
    /// The arm of the table.
    pub(super) arm: String,
    pub(super) learner: String,
    pub(super) features: &'static str,
    pub(super) randomizer: &'static str,
    /// Number of games per evaluation.
    pub(super) games: u64,
    /// The cap on the pieces of a training game.
    pub(super) cap: u64,
    /// Whether all games use the same list of pieces.
    pub(super) fixed: bool,
    /// The maximum number of generations.
    pub(super) generations: u64,
}

impl Training {
    /// The thesis' evolution with the settings that its tables share.
    pub(super) fn evolution(size: ExperimentSize, arm: &str) -> Training {
        Training {
            arm: arm.to_owned(),
            learner: evolution(size, ""),
            features: "thesis-7",
            randomizer: "tgm3",
            games: 8,
            cap: 2000,
            fixed: false,
            generations: size.pick(10, GENERATIONS),
        }
    }

    /// The learning description. A run stops when the mean game reaches the cap: such a game clears
    /// 0.4 lines per piece, minus the cells left on the board.
    fn learning(&self, game: ThesisGame, seed: u64) -> Learning {
        let enough = (4 * self.cap - 100) as f64 / 10.0;
        Learning {
            learner: self.learner.clone(),
            ruleset: game.ruleset(self.randomizer),
            features: game.features(self.features),
            player: game.player().to_owned(),
            scale: Scale::None,
            objective: "line-points".to_owned(),
            games: self.games,
            fixed_games: self.fixed,
            max_pieces: Some(self.cap),
            budget: Budget {
                fitness: Some(enough),
                ..Budget::generations(self.generations)
            },
            runs: 1,
            seed,
            ..Learning::default()
        }
    }

    /// The stages that learn, one per seed.
    pub(super) fn stages(&self, size: ExperimentSize, game: ThesisGame) -> Vec<Stage> {
        let seeds = size.training_seeds(5, 3).enumerate();
        let stages = seeds.map(|(run, seed)| {
            let arm = self.arm.replace('/', "_");
            let id = format!("{}-{arm}-{}", game.word(), run + 1);
            Stage::learn(id, self.learning(game, seed))
        });
        stages.collect()
    }
}

/// The evolutionary algorithm of the thesis with additional settings: 170 members, fewer at quick
/// scale.
pub(super) fn evolution(size: ExperimentSize, settings: &str) -> String {
    let population = size.pick("population=80", "population=170");
    match settings {
        "" => format!("thesis-ga({population})"),
        settings if settings.contains("population=") => format!("thesis-ga({settings})"),
        settings => format!("thesis-ga({population},{settings})"),
    }
}

/// A hundred test games. On the game as stated they hardly ever end, so they are truncated after
/// ten times the longest published mean, and the mean is estimated from finished and truncated
/// games.
fn test_plan(size: ExperimentSize, game: ThesisGame) -> Plan {
    let cap = match game {
        ThesisGame::Stated => Some(STATED_CAP),
        ThesisGame::Identified => size.pick(Some(50_000), None),
    };
    Plan::Games {
        until: GamesGoal::Games(100),
        max_pieces: cap,
    }
}

/// The cap on pieces in a test game on the game as stated: 10,000 lines.
const STATED_CAP: u64 = 25_000;

/// A stage that tests a player.
fn test(
    size: ExperimentSize,
    game: ThesisGame,
    id: &str,
    player: String,
    randomizer: &str,
) -> Stage {
    let evaluation = Evaluation {
        players: vec![player],
        ruleset: game.ruleset(randomizer),
        plan: test_plan(size, game),
        seed: size.test_seed(),
    };
    Stage::evaluate(id, evaluation)
}

/// A table of the thesis whose arms are trained and tested on both games.
fn definition_of(size: ExperimentSize, question: &str, trainings: &[Training]) -> Definition {
    let mut definition = Definition {
        question: question.to_owned(),
        open: open(),
        deviations: deviations(),
        ..Definition::default()
    };
    trained_arms(size, &mut definition, trainings);
    definition
}

/// Trains and tests the arms of a table on both games.
fn trained_arms(size: ExperimentSize, definition: &mut Definition, trainings: &[Training]) {
    for game in ThesisGame::BOTH {
        for training in trainings {
            let arm = trained_arm(size, definition, training, game);
            definition.arms.push(arm);
        }
    }
    definition.one_seed_after_the_other();
}

/// Trains and tests one arm of a table.
fn trained_arm(
    size: ExperimentSize,
    definition: &mut Definition,
    training: &Training,
    game: ThesisGame,
) -> ExperimentArm {
    let stages = training.stages(size, game);
    let mut arm = ExperimentArm {
        id: training.arm.clone(),
        variant: game.variant().to_owned(),
        unit: ResultUnit::LinePoints,
        ..ExperimentArm::default()
    };
    for stage in stages {
        let tested = format!("test-{}", stage.id);
        let test = test(size, game, &tested, stage.player(), training.randomizer);
        arm.learned.push(stage.id.clone());
        arm.tested.push(TestedPlayer {
            stage: tested,
            player: stage.player(),
        });
        definition.stages.extend([stage, test]);
    }
    arm
}

/// What the thesis leaves open about its evolutionary algorithm.
fn open() -> Vec<String> {
    [
        "The population is not stated for every table; runs that appear in two tables show 170.",
        "The start, the size of a tournament and the mutation probability are not stated: a box of \
         1, a tenth and 5 %.",
        "A run stops when its mean game reaches the cap on pieces. We stop at the line points that \
         such a game has at least, or after 30 generations: the population has collapsed after about ten generations, and later ones only have luckier games with the same player.",
        "The weights u of the weighted relative height are not printed: 1 at the walls, growing by 1 \
         towards the middle.",
    ]
    .map(str::to_owned)
    .into()
}

/// Where our runs differ from the thesis.
fn deviations() -> Vec<String> {
    [
        "Each table is run twice: as stated, and on the game that `thesis-game` identifies.",
        "Test games as stated are capped at 25,000 pieces, about 10,000 lines, because they hardly \
         end; the mean is then estimated from the games that ended and those that did not.",
        "At quick scale populations and generations are fewer, and five short training runs are made \
         instead of three long ones.",
    ]
    .map(str::to_owned)
    .into()
}
