//! Properties of every learning method and every preset.

mod hill_climber;

pub(super) use hill_climber::HILL_CLIMBER;

use super::{LEARNERS, find_learner, names, presets};
use crate::learning::objective::find_objective;
use crate::library::{find_player, find_ruleset};
use tetrolab_core::evaluators::EVALUATORS;
use tetrolab_core::features::feature_set;
use tetrolab_core::lookup::TABLE_SETS;
use tetrolab_core::spec::{Arg, Spec};

#[test]
fn names_are_unique_and_rows_have_descriptions() {
    let mut ids: Vec<_> = names().collect();
    ids.sort_unstable();
    for pair in ids.windows(2) {
        assert_ne!(pair[0], pair[1], "two learners or presets have this name");
    }
    for learner in LEARNERS {
        assert!(!learner.definition.is_empty() && !learner.source.is_empty());
        assert!(
            learner
                .settings
                .iter()
                .all(|setting| !setting.help.is_empty())
        );
        for preset in learner.make.presets {
            assert_eq!(find_learner(preset.id).unwrap().learner.id, learner.id);
        }
    }
}

/// A player's spec with an evaluator as its first argument.
fn with_evaluator(player: &str) -> String {
    let mut spec: Spec = player.parse().unwrap();
    let value = Spec::name("dellacherie");
    spec.args.insert(0, Arg { key: None, value });
    spec.to_string()
}

#[test]
fn presets_name_existing_settings_features_players_and_rulesets() {
    for preset in presets() {
        let chosen = find_learner(preset.id).unwrap();
        for (id, value) in preset.settings() {
            let known = chosen
                .settings
                .iter()
                .any(|(s, text)| s.id == id && text.name == value);
            assert!(known, "{}: {id}", preset.id);
        }
        let protocol = chosen.protocol(None);
        let is_known =
            |set: &str| feature_set(set).is_ok() || TABLE_SETS.iter().any(|entry| entry.id == set);
        assert!(protocol.features.is_none_or(is_known), "{}", preset.id);
        assert!(
            protocol
                .ruleset
                .is_none_or(|rules| find_ruleset(rules).is_ok()),
            "{}",
            preset.id
        );
        let player = protocol.player.unwrap_or("greedy");
        let rules = find_ruleset("simplified-10x20").unwrap();
        let player = find_player(&with_evaluator(player), &rules).map(|_| ());
        assert_eq!(player, Ok(()), "{}", preset.id);
        let objective = protocol.objective.unwrap_or("lines");
        assert!(find_objective(objective).is_ok(), "{}", preset.id);
        assert!(!preset.definition.is_empty() && !preset.source.is_empty());
    }
}

#[test]
fn an_unknown_learner_is_corrected() {
    let error = find_learner("random-serch").unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no learner 'random-serch'; did you mean 'random-search'?"
    );
}

#[test]
fn the_full_spec_of_every_name_is_found_again() {
    for name in names() {
        let chosen = find_learner(name).unwrap();
        assert_eq!(chosen.name(), name);
        let again = find_learner(&chosen.spec().to_string()).unwrap();
        assert!(again.is_same(&chosen), "{name}");
        assert_eq!(again.spec(), chosen.spec(), "{name}");
    }
}

#[test]
fn default_features_depend_on_the_requested_evaluator() {
    let features = |name: &str, evaluator: Option<&str>| {
        let protocol = find_learner(name).unwrap().protocol(evaluator);
        (protocol.evaluator, protocol.features)
    };
    let network = (Some("network"), Some("afterstate-13"));
    assert_eq!(features("td-lambda", None), network);
    assert_eq!(
        features("td-lambda", Some("tables")),
        (Some("network"), Some("wary"))
    );
    assert_eq!(features("td-tables", None), (Some("tables"), Some("wary")));
    assert_eq!(
        features("q-network-fast", None),
        (Some("network"), Some("bcts"))
    );
    let thesis = (Some("network"), Some("thesis-6"));
    assert_eq!(features("network-cma-es", Some("linear")), thesis);
    assert_eq!(features("cma-es", Some("linear")), (None, None));
    for learner in LEARNERS {
        for (form, _) in learner.make.evaluators {
            let known = EVALUATORS.iter().find(|entry| entry.id == *form);
            assert!(known.is_some_and(|entry| entry.make.model().is_some()));
        }
    }
}
