//! "Tetris AI: the (near) perfect bot" (Lee 2013), and the essay that repeats it.

pub(super) mod essay;
pub(super) mod learning;
pub(super) mod lines;

use super::{ExperimentResults, ExperimentSize, FoundTable, Stage};
use crate::learning::{Budget, Learning, Scale};
use crate::library::published;
use crate::report::curves::unit_length;
use crate::study::{Evaluation, GamesGoal, Plan};

/// The features in the order of the published weights.
const FEATURES: [&str; 4] = ["aggregate height", "complete lines", "holes", "bumpiness"];

/// The documents' game.
const RULESET: &str = "near-perfect";

/// A learning run of the documents.
fn run(learner: String, games: u64, generations: u64, seed: u64) -> Learning {
    Learning {
        learner,
        ruleset: RULESET.to_owned(),
        features: "near-perfect".to_owned(),
        player: "two-piece(scored=before)".to_owned(),
        scale: Scale::None,
        games,
        max_pieces: Some(500),
        budget: Budget::generations(generations),
        seed,
        ..Learning::default()
    }
}

/// A test of players on a ruleset with truncated games, because games hardly ever end on the
/// documents' game. `paper` contains the number of games at the documents' scale, and their cap.
fn test(
    size: ExperimentSize,
    id: &str,
    players: Vec<String>,
    ruleset: &str,
    paper: (u64, u64),
) -> Stage {
    let (games, cap) = size.pick((30, 20_000), paper);
    let evaluation = Evaluation {
        players,
        ruleset: ruleset.to_owned(),
        plan: Plan::Games {
            until: GamesGoal::Games(games),
            max_pieces: Some(cap),
        },
        seed: size.test_seed(),
    };
    Stage::evaluate(id, evaluation)
}

/// The weights of learned players next to the published ones, scaled to unit length.
fn weights_table(results: &ExperimentResults, stages: &[String]) -> FoundTable {
    let columns: Vec<&str> = [&["player"][..], &FEATURES, &["cosine"]].concat();
    let caption =
        "Weights, scaled to unit length, and the cosine of the angle to the published ones";
    let mut table = FoundTable::new(caption, &columns);
    let file = published("near-perfect").expect("the published player");
    let own = file.weights().flat_map(|row| row.1.iter().copied());
    let published: Vec<f64> = unit_length(&own.collect::<Vec<_>>());
    let row = |name: &str, weights: &[f64]| {
        let cosine: f64 = weights.iter().zip(&published).map(|(a, b)| a * b).sum();
        let cells = weights.iter().map(|weight| format!("{weight:.3}"));
        let cells = std::iter::once(name.to_owned()).chain(cells);
        cells.chain([format!("{cosine:.3}")]).collect()
    };
    table.row(row("published", &published));
    for stage in stages {
        let learned = results.learned(stage);
        let solution = learned.and_then(|learned| learned.learning.solutions.first());
        if let Some(solution) = solution.filter(|solution| solution.len() == FEATURES.len()) {
            table.row(row(stage, &unit_length(solution)));
        }
    }
    table
}
