//! Tests of all experiments, and of runs that are killed or lose a result.

use super::*;
use crate::arena::Arena;
use crate::context::{Context, Event};
use crate::learning::{Budget, Learning};
use crate::study::{Evaluation, Plan};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

const SCALES: [ExperimentScale; 2] = [ExperimentScale::Quick, ExperimentScale::Paper];

fn size(scale: ExperimentScale) -> ExperimentSize {
    ExperimentSize { scale, seed: 1 }
}

#[test]
fn every_experiment_states_its_question_and_its_cost() {
    let mut ids = BTreeSet::new();
    for entry in EXPERIMENTS {
        assert!(ids.insert(entry.id), "{} is listed twice", entry.id);
        for scale in SCALES {
            let definition = (entry.make)(size(scale));
            definition.check().unwrap();
            let Definition {
                question,
                cost,
                stages,
                arms,
                ..
            } = &definition;
            let is_stated = question.ends_with('?') && !cost.is_empty();
            assert!(
                is_stated && !stages.is_empty() && !arms.is_empty(),
                "{}: expected a question that ends with '?', a cost, stages and arms",
                entry.id
            );
        }
    }
}

#[test]
fn no_two_stages_of_an_experiment_are_the_same() {
    for entry in EXPERIMENTS {
        for scale in SCALES {
            let definition = (entry.make)(size(scale));
            let studies = definition.stages.iter();
            let studies: Vec<String> = studies
                .map(|stage| serde_json::to_string(&stage.study).unwrap())
                .collect();
            let distinct: BTreeSet<&String> = studies.iter().collect();
            assert_eq!(distinct.len(), studies.len(), "{}", entry.id);
        }
    }
}

/// A player that can replace one that has not been learned yet.
fn stand_in(definition: &Definition, stage: &str) -> String {
    let found = definition.stages.iter().find(|other| other.id == stage);
    match found.map(|stage| &stage.study) {
        Some(StageStudy::Learn(learning)) if learning.learner.starts_with("danger") => "wary-20",
        Some(StageStudy::Learn(learning)) => match &learning.start {
            Some(start) => return stand_in(definition, start.trim_start_matches('@')),
            None => "dellacherie",
        },
        Some(StageStudy::Select { from }) => {
            let from = definition.stages.iter().find(|other| other.id == *from);
            let players = from.map(|from| from.study.players()).unwrap_or_default();
            return stand_in(definition, players[0].trim_start_matches('@'));
        }
        _ => "dellacherie",
    }
    .to_owned()
}

#[test]
fn every_quick_stage_is_a_valid_description() {
    for entry in EXPERIMENTS {
        let definition = (entry.make)(size(ExperimentScale::Quick));
        let mut checked = BTreeSet::new();
        for stage in &definition.stages {
            let study = stage.study.resolved(|name| Ok(stand_in(&definition, name)));
            let study: Result<StageStudy, ()> = study;
            let mut study = study.unwrap();
            match &mut study {
                StageStudy::Evaluate(evaluation) => {
                    evaluation.players.sort();
                    evaluation.players.dedup();
                }
                StageStudy::Learn(learning) => learning.seed = 0,
                _ => {}
            }
            // Descriptions that differ only in their seeds are checked once.
            if checked.insert(serde_json::to_string(&study).unwrap()) {
                let valid = study.check();
                assert!(valid.is_ok(), "{}, {}: {:?}", entry.id, stage.id, valid);
            }
        }
    }
}

#[test]
fn every_published_number_is_measured_or_has_a_reason() {
    for scale in SCALES {
        for value in published_values() {
            let place = format!("{}, {}, {}", value.document, value.location, value.arm);
            let entry = EXPERIMENTS
                .iter()
                .find(|entry| entry.id == value.experiment);
            let entry = entry.unwrap_or_else(|| panic!("{place}: no {}", value.experiment));
            let definition = (entry.make)(size(scale));
            let mut arms = definition.arms.iter();
            let is_measured = arms.any(|arm| arm.id == value.arm && arm.measures(value.quantity));
            assert!(
                is_measured || value.reason.is_some(),
                "{place}: {:?}",
                value.quantity
            );
        }
    }
    for weights in published_weights() {
        assert!(
            EXPERIMENTS
                .iter()
                .any(|entry| entry.id == weights.experiment)
        );
    }
}

/// Two learned players and a given one, tested together, and the best of them.
fn tiny() -> Experiment {
    let learn = |seed| {
        let learning = Learning {
            learner: "random-search(population=3)".to_owned(),
            ruleset: "simplified-6x8".to_owned(),
            features: "dellacherie".to_owned(),
            games: 2,
            max_pieces: Some(100),
            budget: Budget::generations(2),
            seed,
            ..Learning::default()
        };
        Stage::learn(format!("learn-{seed}"), learning)
    };
    let learned = [learn(1), learn(2)];
    let [first, second] = [0, 1].map(|place: usize| learned[place].player());
    let evaluation = |players: Vec<String>| Evaluation {
        players,
        ruleset: "simplified-6x8".to_owned(),
        plan: Plan::games(5),
        seed: 9,
    };
    let players = vec![first.clone(), second.clone(), "bcts".to_owned()];
    let mut definition = Definition {
        question: "Does it work?".to_owned(),
        stages: learned.clone().into(),
        ..Definition::default()
    };
    let test = Stage::evaluate("test", evaluation(players));
    let best = Stage::select("best", "test");
    let again = Stage::evaluate(
        "again",
        evaluation(vec![format!("greedy({},losing=allow)", first)]),
    );
    definition.stages.extend([test, best, again]);
    let tested = |player| TestedPlayer {
        stage: "test".to_owned(),
        player,
    };
    definition.arms = vec![
        ExperimentArm {
            id: "random".to_owned(),
            learned: learned.iter().map(|stage| stage.id.clone()).collect(),
            tested: vec![tested(first), tested(second)],
            ..ExperimentArm::default()
        },
        ExperimentArm::given("bcts", "test", "bcts"),
    ];
    Experiment {
        id: "tiny".to_owned(),
        title: "A test".to_owned(),
        source: "ours".to_owned(),
        size: size(ExperimentScale::Quick),
        definition,
    }
}

/// Runs the tiny experiment; returns the report, and the stages that were run. The run is cancelled
/// after this many stages have begun.
fn run_until(out: &Path, stages: usize) -> (ExperimentReport, Vec<String>) {
    let arena = Arena::new(1).unwrap();
    let made = Arc::new(Mutex::new(Vec::new()));
    let (seen, began) = (Arc::clone(&made), AtomicUsize::new(0));
    let token = crate::context::CancelToken::new();
    let cancel = token.clone();
    let context = Context::new(&arena)
        .cancelled_by(&token)
        .observer(move |event| match event.event {
            Event::StageBegan { .. } if began.fetch_add(1, Ordering::Relaxed) + 1 == stages => {
                cancel.cancel();
            }
            Event::StageEnded {
                stage,
                was_kept: false,
            } => seen.lock().unwrap().push(stage),
            _ => {}
        });
    let command = |study: &StageStudy| Some(study.kind().to_owned());
    let report = reproduce(&tiny(), out, &command, &context).unwrap();
    let made = made.lock().unwrap().clone();
    (report, made)
}

/// A report with times removed.
fn without_times(mut report: ExperimentReport) -> String {
    report
        .stages
        .iter_mut()
        .for_each(|stage| stage.seconds = 0.0);
    report.numbers.retain(|number| !number.quantity.is_time());
    serde_json::to_string(&report).unwrap()
}

#[test]
fn a_run_that_was_stopped_at_any_stage_ends_like_one_that_was_not() {
    let whole = tempfile::tempdir().unwrap();
    let (expected, made) = run_until(whole.path(), usize::MAX);
    assert_eq!(made, ["learn-1", "learn-2", "test", "best", "again"]);
    assert!(!expected.interrupted && expected.numbers.iter().all(|one| one.measured.is_some()));
    let expected = without_times(expected);
    for stages in 1..=4 {
        let folder = tempfile::tempdir().unwrap();
        let (part, _) = run_until(folder.path(), stages);
        assert!(part.interrupted || stages == 4, "{stages}");
        let (report, _) = run_until(folder.path(), usize::MAX);
        assert_eq!(without_times(report), expected, "{stages}");
    }
}

#[test]
fn a_deleted_result_is_the_only_one_that_is_computed_again() {
    let folder = tempfile::tempdir().unwrap();
    let (expected, _) = run_until(folder.path(), usize::MAX);
    let keys = expected
        .stages
        .iter()
        .map(|stage| stage.key.clone().unwrap());
    for (stage, key) in expected.stages.iter().zip(keys) {
        std::fs::remove_file(folder.path().join(format!("{key}.json"))).unwrap();
        let (report, made) = run_until(folder.path(), usize::MAX);
        assert_eq!(made, std::slice::from_ref(&stage.stage));
        assert_eq!(without_times(report), without_times(expected.clone()));
    }
    // Players are restored from the results of the stages that learned them.
    std::fs::remove_dir_all(folder.path().join("learned")).unwrap();
    let (report, made) = run_until(folder.path(), usize::MAX);
    assert_eq!(made, [""; 0]);
    assert_eq!(without_times(report), without_times(expected));
}

#[test]
fn parts_on_several_machines_add_up_to_the_whole() {
    let whole = tempfile::tempdir().unwrap();
    let (expected, _) = run_until(whole.path(), usize::MAX);
    let together = tempfile::tempdir().unwrap();
    let arena = Arena::new(1).unwrap();
    let command = |study: &StageStudy| Some(study.kind().to_owned());
    let mut stages = Vec::new();
    for part in ["1/2", "2/2"] {
        let part = tiny().part(part.parse().unwrap());
        let folder = tempfile::tempdir().unwrap();
        let report = reproduce(&part, folder.path(), &command, &Context::new(&arena)).unwrap();
        stages.extend(report.stages.iter().map(|stage| stage.stage.clone()));
        for stage in &report.stages {
            let name = format!("{}.json", stage.key.as_ref().unwrap());
            std::fs::copy(folder.path().join(&name), together.path().join(&name)).unwrap();
        }
    }
    assert_eq!(stages, ["learn-1", "again", "learn-2"]);
    let (report, made) = run_until(together.path(), usize::MAX);
    assert_eq!(made, ["test", "best"]);
    assert_eq!(without_times(report), without_times(expected));
    for wrong in ["0/2", "3/2", "1", "1/0", "a/b"] {
        assert!(wrong.parse::<ExperimentPart>().is_err(), "{wrong}");
    }
}

#[test]
fn the_parts_of_every_experiment_share_no_work() {
    for entry in EXPERIMENTS {
        let definition = (entry.make)(size(ExperimentScale::Paper));
        let mut seen = BTreeSet::new();
        for part in ["1/3", "2/3", "3/3"] {
            let part = definition.part(part.parse().unwrap());
            part.check().unwrap();
            for stage in part.stages {
                let is_new = seen.insert(stage.id.clone());
                assert!(is_new || !committed::is_work(&stage.study), "{}", stage.id);
            }
        }
    }
}

#[test]
fn stored_results_recreate_the_report_and_name_missing_stages() {
    let folder = tempfile::tempdir().unwrap();
    let (expected, _) = run_until(folder.path(), usize::MAX);
    let again = kept_report(&tiny(), folder.path()).unwrap();
    assert_eq!(again, expected);
    let test = expected.stages.iter().find(|stage| stage.stage == "test");
    let name = format!("{}.json", test.unwrap().key.as_ref().unwrap());
    std::fs::remove_file(folder.path().join(name)).unwrap();
    let part = kept_report(&tiny(), folder.path()).unwrap();
    assert!(part.interrupted && part.numbers.iter().any(|number| number.measured.is_none()));
    std::fs::write(folder.path().join("0.json"), "{}").unwrap();
    let error = kept_report(&tiny(), folder.path()).unwrap_err().to_string();
    assert!(error.contains("0.json"), "{error}");
}

#[test]
fn the_first_training_run_of_every_arm_is_scheduled_first() {
    let definition = (thesis::swarm::ENTRY.make)(size(ExperimentScale::Paper));
    let place = |name: &str| definition.stages.iter().position(|stage| stage.id == name);
    let first = definition.arms.iter().map(|arm| place(&arm.learned[0]));
    let second = definition.arms.iter().map(|arm| place(&arm.learned[1]));
    assert!(first.max().unwrap() < second.min().unwrap());
}

#[test]
fn the_page_of_an_experiment_without_published_numbers_has_no_parts_about_them() {
    let folder = tempfile::tempdir().unwrap();
    let (mut report, _) = run_until(folder.path(), usize::MAX);
    let headings = |report: &ExperimentReport| -> Vec<String> {
        let sections = report.page().sections.into_iter();
        sections.map(|section| section.heading).collect()
    };
    assert_eq!(headings(&report), ["Measured", "Learning curves"]);
    let html = report.page().html();
    for absent in [
        "Published and measured",
        "marks: published",
        "verdict",
        "Choices and deviations",
    ] {
        assert!(!html.contains(absent), "{absent}");
    }
    for present in [
        "range of 2 runs)",
        "(range of 2 runs: ",
        "geometric mean",
        "Training result: the highest fitness",
    ] {
        assert!(html.contains(present), "{present}");
    }
    report.numbers[0].published = Some(100.0);
    report.open = vec!["The population.".to_owned()];
    let expected = [
        "Published and measured",
        "Choices and deviations",
        "Learning curves",
    ];
    assert_eq!(headings(&report), expected);
    assert!(report.page().html().contains("marks: published"));
}
