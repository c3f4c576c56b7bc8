//! The names of all learning methods, and what someone means who does not know them.

use tetrolab::core::spec::{Spec, SpecError};
use tetrolab::learners::{LEARNERS, find_learner, presets};
use tetrolab::practice::PRACTICES;

/// Common words for methods that have another name here.
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

/// Every name that `learn` takes: optimisers, presets and reinforcement learners.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    let optimisers = LEARNERS.iter().map(|learner| learner.id);
    let presets = presets().map(|preset| preset.id);
    let playing = PRACTICES.iter().map(|practice| practice.id);
    optimisers.chain(presets).chain(playing)
}

/// Checks that a learner has a known name; otherwise the error suggests one.
pub(super) fn check(asked: &str) -> Result<(), SpecError> {
    let spec: Spec = asked.parse()?;
    if all().any(|name| name == spec.name) {
        return Ok(());
    }
    let wanted = spec.name.to_ascii_lowercase().replace('_', "-");
    let meant = SYNONYMS.iter().find(|row| row.0 == wanted).map(|row| row.1);
    match SpecError::unknown("learner", &spec.name, all()) {
        SpecError::Unknown {
            kind,
            name,
            nearest,
        } => Err(SpecError::Unknown {
            kind,
            name,
            nearest: meant.map(str::to_owned).or(nearest),
        }),
        other => Err(other),
    }
}

/// Whether a learner that was asked for is an instance of the one in a plan.
pub(crate) fn means(asked: &str, learner: &str) -> bool {
    let name = |text: &str| text.split('(').next().unwrap_or_default().to_owned();
    let asked = name(asked);
    let preset = presets().find(|preset| preset.id == asked);
    preset.map_or(&*asked, |preset| preset.learner) == name(learner)
}

/// The name by which the learner of a stored plan was probably asked for: that of the preset with exactly these settings, or the
/// optimiser's own.
pub(crate) fn of_plan(learner: &str) -> String {
    let own = learner.split('(').next().unwrap_or_default();
    let is_it = |name: &str| find_learner(name).is_ok_and(|it| it.spec().to_string() == learner);
    let mut presets = presets().map(|preset| preset.id);
    match is_it(own) {
        true => own.to_owned(),
        false => presets.find(|name| is_it(name)).unwrap_or(own).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_names_and_common_words_suggest_a_method_of_any_kind() {
        let meant = |asked: &str| match check(asked).unwrap_err() {
            SpecError::Unknown { nearest, .. } => nearest.unwrap_or_default(),
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
        ];
        for (asked, name) in pairs {
            assert_eq!(meant(asked), name, "{asked}");
        }
        assert!(all().all(|name| check(name).is_ok()));
        for (word, name) in SYNONYMS {
            assert!(all().any(|known| known == name), "{name}");
            assert!(all().all(|known| known != word), "{word}");
        }
    }

    #[test]
    fn a_preset_is_recognised_by_its_settings() {
        for name in ["thesis-pso", "thesis-ga", "cma-es", "boumaza", "ga"] {
            let spec = find_learner(name).unwrap().spec().to_string();
            assert_eq!(of_plan(&spec), name);
        }
        assert_eq!(of_plan("danger(horizon=30)"), "danger");
    }
}
