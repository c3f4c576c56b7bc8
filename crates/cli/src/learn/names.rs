//! The names of learning methods in stored plans.

use tetrolab::learners::{find_learner, presets};

/// Whether the learner as typed is an instance of the learner in a plan.
pub(crate) fn means(asked: &str, learner: &str) -> bool {
    let method = |text: &str| find_learner(text).ok().map(|chosen| chosen.learner.id);
    method(asked).is_some() && method(asked) == method(learner)
}

/// The probable name of a stored plan's learner: the preset with exactly these settings, or the
/// learner's own name.
pub(crate) fn of_plan(learner: &str) -> String {
    let own = learner.split('(').next().unwrap_or_default();
    let is_it = |name: &str| find_learner(name).is_ok_and(|it| it.spec().to_string() == learner);
    let mut presets = presets().map(|preset| preset.id);
    if is_it(own) {
        own.to_owned()
    } else {
        presets.find(|name| is_it(name)).unwrap_or(own).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preset_is_recognised_by_its_settings() {
        for name in [
            "thesis-pso",
            "thesis-ga",
            "cma-es",
            "boumaza",
            "ga",
            "danger-tall",
        ] {
            let spec = find_learner(name).unwrap().spec().to_string();
            assert_eq!(of_plan(&spec), name);
        }
        assert_eq!(of_plan("danger(horizon=30)"), "danger");
    }
}
