//! Suggestions for common names of learning methods.

use super::names;
use tetrolab_core::spec::SpecError;

/// Common names of methods that have another name here.
const SYNONYMS: [(&str, &str); 26] = [
    ("genetic", "ga"),
    ("genetic-algorithm", "ga"),
    ("evolution", "ga"),
    ("evolutionary", "ga"),
    ("swarm", "pso"),
    ("particle-swarm", "pso"),
    ("particles", "pso"),
    ("cmaes", "cma-es"),
    ("cma", "cma-es"),
    ("es", "cma-es"),
    ("evolution-strategy", "cma-es"),
    ("ce", "cross-entropy"),
    ("cem", "cross-entropy"),
    ("noisy-cross-entropy", "szita"),
    ("harmony", "harmony-search"),
    ("aco", "ant-colony"),
    ("ants", "ant-colony"),
    ("random", "random-search"),
    ("dqn", "q-network"),
    ("q-learning", "q-network"),
    ("deep-q", "q-network"),
    ("reinforcement", "q-network-fast"),
    ("rl", "q-network-fast"),
    ("neural-network", "network-cma-es"),
    ("td", "td-lambda"),
    ("temporal-difference", "td-lambda"),
];

/// The error for an unknown learner, with a suggestion.
pub(super) fn unknown(name: &str) -> SpecError {
    let wanted = name.to_ascii_lowercase().replace('_', "-");
    let meant = SYNONYMS.iter().find(|row| row.0 == wanted);
    match (SpecError::unknown("learner", name, names()), meant) {
        (SpecError::Unknown { kind, name, .. }, Some((_, meant))) => SpecError::Unknown {
            kind,
            name,
            nearest: Some((*meant).to_owned()),
        },
        (other, _) => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learners::{LearnerError, find_learner};

    #[test]
    fn wrong_names_and_common_words_suggest_a_method_of_any_kind() {
        let meant = |asked: &str| match find_learner(asked).unwrap_err() {
            LearnerError::Spec(SpecError::Unknown { nearest, .. }) => nearest.unwrap_or_default(),
            other => other.to_string(),
        };
        let pairs = [
            ("genetic", "ga"),
            ("dangr", "danger"),
            ("swarm", "pso"),
            ("cmaes", "cma-es"),
            ("CMA_ES2(sigma=1)", "cma-es"),
            ("q-netwrk", "q-network"),
            ("thesis-psoo", "thesis-pso"),
            ("danger-tal", "danger-tall"),
        ];
        for (asked, name) in pairs {
            assert_eq!(meant(asked), name, "{asked}");
        }
        for (word, name) in SYNONYMS {
            assert!(names().any(|known| known == name), "{name}");
            assert!(names().all(|known| known != word), "{word}");
        }
    }
}
