//! Table 3, and the results of others that the other documents quote.

use super::super::{Definition, ExperimentEntry, ExperimentSize};
use crate::experiments::beyond::hundred_games;
use crate::experiments::definition::splitting;
use crate::study::{Evaluation, Plan};

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "thesis-published",
    definition: "published results of others, compared with our measurements where the weights are known",
    source: "thesis, Tab 3; ga-essay, 1.4; cma-es, section 2",
    settings: &[],
    make: definition,
};

/// The results whose players are known: three from table 2 of `cma-es`, one whose games are too
/// long, and two whose games are short.
const KNOWN: [(&str, &str); 6] = [
    ("dellacherie-2003", "dellacherie"),
    ("boumaza-2009", "boumaza-8"),
    ("thiery-2009", "bcts"),
    ("gabillon-2013", "dt-20"),
    ("lagoudakis-2002", "lspi-thiery"),
    ("xtris", "xtris"),
];

fn definition(size: ExperimentSize) -> Definition {
    let mut definition = Definition {
        question: "Which of the results that the documents quote can be measured again?".to_owned(),
        open: vec![
            "Where the number of games is not stated, 100 are assumed.".to_owned(),
            "Where a document gives a half width, half of it is the standard error.".to_owned(),
        ],
        deviations: vec![
            "All are measured on the simplified game of 10x20 without a preview; some were published for another game."
                .to_owned(),
            "The mean of DT-20 and, at quick scale, of all players that hardly ever lose is estimated by splitting."
                .to_owned(),
        ],
        cost: size.pick("a minute", "an hour on two cores").to_owned(),
        ..Definition::default()
    };
    let evaluation = |players: &[(&str, &str)], plan: Plan| Evaluation {
        players: players.iter().map(|known| known.1.to_owned()).collect(),
        ruleset: "simplified-10x20".to_owned(),
        plan,
        seed: size.test_seed(),
    };
    // At paper scale these play whole games, like the players of table 2 of `cma-es`.
    let (table_2, rest) = KNOWN.split_at(3);
    let (splitting_alone, weak) = rest.split_at(1);
    let rough = evaluation(table_2, splitting(size, 0.1));
    let games = size.pick(rough, hundred_games(size, "10x20"));
    definition.evaluate("table-2", games, table_2);
    let long = evaluation(splitting_alone, splitting(size, 0.1));
    definition.evaluate("splitting", long, splitting_alone);
    definition.evaluate("games", evaluation(weak, Plan::games(100)), weak);
    definition
}
