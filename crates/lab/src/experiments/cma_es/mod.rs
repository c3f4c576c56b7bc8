//! "On the evolution of artificial Tetris players" (Boumaza 2009).

pub(super) mod figures;
pub(super) mod table_2;
pub(super) mod table_3;

use super::ExperimentSize;
use crate::learning::{Budget, Learning, Scale};

/// The paper's learning method: `runs` of CMA-ES, whose mean vectors are averaged.
fn learning(size: ExperimentSize, features: &str, ruleset: &str) -> Learning {
    Learning {
        learner: "boumaza".to_owned(),
        ruleset: ruleset.to_owned(),
        features: features.to_owned(),
        scale: Scale::None,
        games: size.pick(10, 100),
        max_pieces: Some(size.pick(5_000, 100_000)),
        budget: Budget::generations(size.pick(20, 50)),
        runs: size.pick(3, 20),
        seed: size.seed,
        ..Learning::default()
    }
}

/// The paper's feature sets, by the paper's names.
const FEATURES: [(&str, &str); 2] = [("f1-6", "dellacherie"), ("f1-8", "bcts")];

/// The harder game that the paper's players were trained on.
const HARDER: &str = "simplified-hard-10x20";

/// Details that the paper leaves open.
fn open() -> Vec<String> {
    [
        "The other parameters of CMA-ES are defaults of its time: ours are those of the preset \
         `boumaza`, without negative updates.",
        "Training games are truncated after 100,000 pieces; games of the harder game end long before.",
    ]
    .map(str::to_owned)
    .into()
}

/// Where our experiments differ from the paper.
fn deviations() -> Vec<String> {
    vec![
        "The paper's program clears lines after an overflow; here, a piece that locks above the top ends the game."
            .to_owned(),
        "Where whole games would be too long, means are estimated by splitting, so their error is smaller than that of 100 games."
            .to_owned(),
    ]
}
