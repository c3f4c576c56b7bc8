//! The coordinates of a search: spreads, steps and starts.

use super::*;
use crate::learning::Task;
use crate::learning::description::{StoredPlan, tests::tiny};
use tetrolab_core::features::{FEATURE_SETS, feature_set};

/// How much the spreads in a set differ.
fn ratio(set: &str) -> f64 {
    let ruleset = find_ruleset("simplified-10x20").unwrap();
    let features = feature_set(set).unwrap().resolve();
    let spreads = spreads(&FeatureSet::new(features, 10), None, &ruleset).unwrap();
    let most = spreads.iter().copied().fold(0.0, f64::max);
    most / spreads.iter().copied().fold(f64::INFINITY, f64::min)
}

#[test]
fn of_all_sets_only_that_of_misakamm_differs_widely() {
    for set in FEATURE_SETS {
        let ratio = ratio(set.id);
        match set.id {
            "misakamm" => assert!(ratio > 5.0 * WIDE, "{ratio}"),
            id => assert!(ratio < WIDE / 5.0, "{id}: {ratio}"),
        }
    }
}

#[test]
fn a_feature_that_never_changes_has_a_spread_too() {
    assert_eq!(floored(vec![0.0, 2.0, 5.0]), [2.0, 2.0, 5.0]);
    assert_eq!(floored(vec![0.0, 0.0]), [1.0, 1.0]);
}

#[test]
fn the_spread_of_a_decision_is_the_root_of_the_variance() {
    assert_eq!(variance(&[1.0, 5.0]), 4.0);
    assert_eq!(variance(&[3.0]), 0.0);
}

fn task(change: impl Fn(&mut Learning)) -> Task {
    let mut plan = Learning {
        learner: "cma-es".to_owned(),
        features: "misakamm".to_owned(),
        ruleset: "simplified-10x10".to_owned(),
        ..tiny()
    };
    change(&mut plan);
    Task::new(plan).unwrap()
}

/// How much the value of an evaluator changes with each of its coordinates: weight times spread of
/// its feature.
fn effects(task: &Task, step: f64) -> Vec<f64> {
    let file = find_player_file("misakamm-v2").unwrap();
    let features = file.feature_set_on(10);
    let spreads = spreads(
        &features,
        Some(&file),
        &find_ruleset("simplified-10x10").unwrap(),
    );
    let (start, moved) = (
        task.template.place(vec![0.0; 11]),
        task.template.place(vec![step; 11]),
    );
    let changes = start.iter().zip(&moved).map(|(a, b)| b - a);
    changes
        .zip(spreads.unwrap())
        .map(|(change, spread)| change * spread)
        .collect()
}

#[test]
fn a_step_changes_scores_as_much_whatever_the_feature() {
    let task = task(|plan| plan.start = Some("misakamm-v2".to_owned()));
    assert_eq!(task.plan.scale, Scale::Spread);
    let effects = effects(&task, 1.0);
    for effect in &effects {
        assert!((effect / effects[0] - 1.0).abs() < 1e-9, "{effects:?}");
    }
    // The learner's default first step is 0.5: a tenth of the start in all coordinates together.
    let first_step = 0.5 * effects[0] * 11f64.sqrt();
    assert!((first_step - FIRST_STEP).abs() < 0.01, "{first_step}");
}

#[test]
fn a_start_decides_as_the_player_does() {
    let task = task(|plan| plan.start = Some("misakamm-v2".to_owned()));
    let placed = task.template.place(vec![0.0; 11]);
    let file = find_player_file("misakamm-v2").unwrap();
    let weights: Vec<f64> = file.weights().map(|row| row.1[0]).collect();
    for (number, weight) in placed.iter().zip(&weights) {
        let ratio = number * weights[0] / (weight * placed[0]);
        assert!((ratio - 1.0).abs() < 1e-12, "{placed:?}");
    }
}

#[test]
fn an_unstated_scale_is_resolved_and_reported() {
    assert_eq!(task(|_| ()).plan.scale, Scale::Spread);
    let narrow = task(|plan| plan.features = "bcts".to_owned()).plan;
    assert_eq!(narrow.scale, Scale::None);
    let said = |plan: &Learning| {
        let mut fields = plan.fields().into_iter();
        fields.find(|field| field.0 == "scale").unwrap().1
    };
    assert_eq!(said(&narrow), None);
    let none = task(|plan| plan.scale = Scale::None).plan;
    assert_eq!(said(&none).as_deref(), Some("none"));
    let spread = task(|_| ()).plan;
    assert_eq!(said(&spread).as_deref(), Some("spread"));
    let old = serde_json::to_string(&none)
        .unwrap()
        .replace("\"scale\":\"none\",", "");
    assert!(!old.contains("scale"), "{old}");
    assert_eq!(serde_json::from_str::<StoredPlan>(&old).unwrap().0, none);
}

#[test]
fn a_start_gives_neutral_values_for_missing_parameters() {
    let start = |features: &str, evaluator: &str| {
        let task = task(|plan| {
            plan.features = features.to_owned();
            plan.evaluator = evaluator.to_owned();
            plan.start = Some("near-perfect".to_owned());
        });
        task.template.place(vec![0.0; task.dimension()])
    };
    let linear = start("near-perfect", "linear");
    let [heights, lines, holes, bumps] = linear[..] else {
        panic!("four weights");
    };
    let reordered = start(
        "bumpiness,holes,well_sums,complete_lines,sum_heights",
        "linear",
    );
    assert_eq!(reordered[2], 0.0);
    let same = [bumps, holes, lines, heights];
    let found = [reordered[0], reordered[1], reordered[3], reordered[4]];
    assert!(
        same.iter()
            .zip(found)
            .all(|(a, b)| (a / b - 1.0).abs() < 1e-12)
    );
    let displaced = start("near-perfect", "displaced");
    assert_eq!(displaced[..4], linear[..]);
    assert_eq!(displaced[4..], [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
}
