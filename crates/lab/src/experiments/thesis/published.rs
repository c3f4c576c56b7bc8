//! Table 3, and the results of others that the other documents quote.

use super::super::{Definition, ExperimentEntry, ExperimentSize};
use crate::experiments::definition::splitting;
use crate::study::Evaluation;

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "thesis-published",
    definition: "published results of others, next to our measurement where the weights are known",
    source: "thesis, Tab 3; ga-essay, 1.4; cma-es, section 2",
    settings: &[],
    make: definition,
};

/// The results whose players are known.
const KNOWN: [(&str, &str); 6] = [
    ("dellacherie-2003", "dellacherie"),
    ("lagoudakis-2002", "lspi-thiery"),
    ("boumaza-2009", "boumaza-8"),
    ("thiery-2009", "bcts"),
    ("gabillon-2013", "dt-20"),
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
            "All are measured on the simplified game of 10x20, one piece known; some were not \
             published for it."
                .to_owned(),
            "Means come from splitting: whole games would be too long.".to_owned(),
        ],
        cost: size.pick("a minute", "an hour on two cores").to_owned(),
        ..Definition::default()
    };
    let evaluation = Evaluation {
        players: KNOWN.map(|known| known.1.to_owned()).into(),
        ruleset: "simplified-10x20".to_owned(),
        plan: splitting(size, 0.1),
        seed: size.test_seed(),
    };
    definition.evaluate("splitting", evaluation, &KNOWN);
    definition
}
