//! Studies as a caller uses them.

mod in_memory;
mod kept;
mod names;
mod slow_pieces;
mod stopping;
mod together;

use super::*;
use crate::arena::lock;
use crate::context::{Context, Event, MockClock, StudyEvent};
use crate::learning::Budget;
use crate::learning::objective::FitnessUnit;
use crate::library::FileSource;
use crate::survival::{Goal, LevelKind};
use std::sync::{Arc, Mutex};
use tempfile::tempdir;

pub(super) fn context() -> Context {
    Context::on_threads(2)
}

/// A number of games with a cap.
pub(super) fn capped(games: u64, most: u64) -> Plan {
    let (until, max_pieces) = (GamesGoal::Games(games), Some(most));
    Plan::Games { until, max_pieces }
}

/// Games until a precision is reached.
pub(super) fn games_until(precision: f64) -> Plan {
    let (until, max_pieces) = (GamesGoal::Precision(precision), None);
    Plan::Games { until, max_pieces }
}

/// Some repetitions of few trajectories.
pub(super) fn few(repetitions: u64, trajectories: usize, level: LevelKind) -> Plan {
    Plan::Splitting {
        until: Goal::Repetitions(repetitions),
        splitting: SplittingPlan {
            trajectories,
            level,
        },
    }
}

/// An evaluation that takes almost no time.
pub(super) fn quick(players: &[&str], plan: Plan) -> Evaluation {
    Evaluation {
        players: players.iter().map(|&player| player.to_owned()).collect(),
        ruleset: "simplified-6x8".to_owned(),
        plan,
        ..Evaluation::default()
    }
}

pub(super) fn evaluated(evaluation: &Evaluation) -> Evaluated {
    evaluate(evaluation, &Keep::nothing(), &context()).unwrap()
}

/// A result without the parts that depend on the clock.
pub(super) fn timeless(mut evaluated: Evaluated) -> Evaluated {
    for result in &mut evaluated.results {
        (result.seconds, result.decisions_per_second) = (0.0, 0.0);
    }
    evaluated
}

#[test]
fn results_of_both_methods_read_back_as_they_were_written() {
    let splitting = Evaluation {
        ruleset: "simplified-8x5".to_owned(),
        ..quick(&["bcts"], few(2, 100, LevelKind::Danger))
    };
    for evaluation in [splitting, quick(&["bcts", "random"], Plan::games(20))] {
        let found = evaluated(&evaluation);
        assert_eq!((found.schema, found.interrupted), (SCHEMA, false));
        let text = serde_json::to_string(&found).unwrap();
        assert_eq!(serde_json::from_str::<Evaluated>(&text).unwrap(), found);
    }
}

#[test]
fn a_description_round_trips_and_rejects_unknown_fields() {
    let evaluation: Evaluation = serde_json::from_str(r#"{"players":["bcts"]}"#).unwrap();
    assert_eq!(evaluation.plan, Plan::auto(0.05));
    let text = serde_json::to_string(&evaluation).unwrap();
    assert_eq!(
        serde_json::from_str::<Evaluation>(&text).unwrap(),
        evaluation
    );
    let error = serde_json::from_str::<Evaluation>(r#"{"player":"bcts"}"#).unwrap_err();
    assert!(
        error.to_string().starts_with("unknown field `player`"),
        "{error}"
    );
    for (fields, problem) in [
        (
            r#""target":{"games":3},"method":"splitting""#,
            "a number of games requires whole games, but the method",
        ),
        (
            r#""target":{"pieces":3},"max_pieces":3"#,
            "a cap on pieces requires whole games, but a budget",
        ),
        (
            r#""target":{"repetitions":3},"method":"games""#,
            "the method requires whole games, but a number",
        ),
    ] {
        let error = serde_json::from_str::<Evaluation>(&format!("{{{fields}}}")).unwrap_err();
        assert!(error.to_string().starts_with(problem), "{error}");
    }
    let comparison: Comparison = serde_json::from_str(r#"{"first":"a","second":"b"}"#).unwrap();
    assert_eq!(comparison, Comparison::new("a", "b"));
}

#[test]
fn a_long_evaluation_announces_how_long_its_games_are() {
    let mut clocked = context().clock(Arc::new(MockClock::default()));
    let (token, announced) = (clocked.token().clone(), Arc::new(Mutex::new(None)));
    let heard = Arc::clone(&announced);
    clocked = clocked.observer(move |event| {
        if let Event::Expected {
            player,
            games,
            pieces,
        } = event.event
        {
            *lock(&heard) = Some((player, games, pieces.unwrap()));
            token.cancel();
        }
    });
    let evaluation = Evaluation {
        ruleset: "simplified-10x10".to_owned(),
        ..quick(&["bcts"], Plan::games(10_000_000))
    };
    let found = evaluate(&evaluation, &Keep::nothing(), &clocked).unwrap();
    assert!(found.interrupted);
    let (player, games, pieces) = lock(&announced).take().unwrap();
    assert_eq!((player.as_str(), games), ("bcts", 10_000_000));
    // Its games have some 9,200 pieces.
    assert!((4_000.0..20_000.0).contains(&pieces), "{pieces}");
}

#[test]
fn more_games_for_a_precision_continue_where_the_first_ones_ended() {
    let precision = 0.3;
    let needs_more = (1..100).find_map(|seed| {
        let evaluation = Evaluation {
            seed,
            ..quick(&["bcts"], games_until(precision))
        };
        let (context, events) = context().recorded();
        let found = evaluate(&evaluation, &Keep::nothing(), &context).unwrap();
        // The last report of every series contains all its pieces.
        let (mut series, mut pieces, mut total) = (0, 0, 0);
        for event in lock(&events).iter() {
            match event.event {
                Event::Games { pieces: played, .. } => pieces = played,
                Event::GamesEnded => (series, total) = (series + 1, total + pieces),
                _ => {}
            }
        }
        (series > 1).then(|| (found.results[0].clone(), evaluation.clone(), total))
    });
    let (result, evaluation, played) = needs_more.unwrap();
    assert!(result.reached && result.precision.unwrap() <= precision);
    assert_eq!(result.pieces_simulated, played, "nothing is played twice");
    let again = evaluated(&evaluation.repeat(&result));
    assert_eq!(again.results[0].lines, result.lines);
}

#[test]
fn a_study_that_is_stopped_immediately_has_an_empty_result() {
    let stopped = context().cancelled();
    let until = Goal::Precision(0.05);
    let splitting = SplittingPlan::default();
    let plans = [
        (Method::Auto, Plan::default()),
        (Method::Games, games_until(0.05)),
        (Method::Splitting, Plan::Splitting { until, splitting }),
    ];
    for (method, plan) in plans {
        let evaluation = quick(&["bcts"], plan);
        let found = evaluate(&evaluation, &Keep::nothing(), &stopped).unwrap();
        assert!(found.interrupted && found.results.is_empty(), "{found:?}");
        let comparison = Comparison {
            method,
            ..Comparison::new("bcts", "dt-10")
        };
        let found = compare(&comparison, &stopped).unwrap();
        assert!(found.interrupted && found.ratio.is_none(), "{found:?}");
    }
}

#[test]
fn a_short_cap_is_noted_and_a_long_one_is_not() {
    let of_capped = |max_pieces| {
        let evaluation = quick(&["dellacherie"], capped(30, max_pieces));
        let result = evaluated(&evaluation).results.remove(0);
        let mut notes = result.notes.iter();
        let is_short = notes.any(|note| note.kind == NoteKind::CapIsShort);
        // The mean is not shown if the note calls it unknown; there is only a lower bound.
        let is_bound = result.lines.method.as_deref() == Some("lower-bound");
        assert_eq!(is_bound, is_short);
        assert_eq!(result.lines.mean.is_none(), is_short);
        assert_eq!(result.pieces.mean.is_none(), is_short);
        assert_eq!(result.lines.ci95.unwrap().hi.is_none(), is_short);
        assert_eq!(result.precision.is_none(), is_short);
        is_short
    };
    assert!(of_capped(20) && !of_capped(2000));
}

#[test]
fn a_precision_that_is_out_of_reach_is_noted() {
    // Squares alone cannot fill a row of five cells.
    let nothing_but_zeros = Evaluation {
        ruleset: "simplified-5x4(randomizer=weighted(I=0,J=0,L=0,S=0,T=0,Z=0))".to_owned(),
        ..quick(&["bcts"], games_until(0.9))
    };
    let result = evaluated(&nothing_but_zeros).results.remove(0);
    assert_eq!((result.lines.mean, result.precision), (Some(0.0), None));
    assert!(!result.reached && result.games >= 100_000);
    let is_noted = |note: &Note| note.kind == NoteKind::TargetNotReached;
    assert!(result.notes.iter().any(is_noted), "{result:?}");
}

#[test]
fn invalid_studies_give_one_clear_sentence_without_flags() {
    let problem = |change: fn(&mut Evaluation)| {
        let mut evaluation = quick(&["bcts"], Plan::games(3));
        change(&mut evaluation);
        evaluation.check(FileSource::Disk).unwrap_err().to_string()
    };
    assert_eq!(
        problem(|evaluation| evaluation.plan = Plan::auto(0.0)),
        "a precision must be above 0 and at most 1 (5 % is 0.05), got 0"
    );
    assert_eq!(
        problem(|evaluation| evaluation.plan = Plan::repetitions(1)),
        "expected 2 to 20000 repetitions, got 1"
    );
    assert_eq!(
        problem(|evaluation| evaluation.players.clear()),
        "expected at least one player, found none"
    );
    assert_eq!(
        problem(|evaluation| evaluation.plan = Plan::games(0)),
        "expected at least one game, got 0"
    );
}

#[test]
fn stored_options_must_match_the_method() {
    let problem = |plan: Plan, keep: Keep| {
        let evaluation = quick(&["bcts"], plan);
        let made = evaluate(&evaluation, &keep, &context());
        made.unwrap_err().to_string()
    };
    let records = Keep {
        records: Some("games.jsonl".into()),
        ..Keep::nothing()
    };
    assert_eq!(
        problem(Plan::repetitions(9), records),
        "a record of games requires whole games, but the plan requires splitting; choose one of them"
    );
    let table = Keep {
        table: Some("games.csv".into()),
        ..Keep::nothing()
    };
    assert_eq!(
        problem(Plan::repetitions(9), table),
        "a table of games requires whole games, but the plan requires splitting; choose one of them"
    );
    let both = Keep {
        records: Some("games.jsonl".into()),
        resume: Some("kept".into()),
        ..Keep::nothing()
    };
    assert!(problem(Plan::games(9), both).contains("either record games or store results"));
}

#[test]
fn an_error_of_one_player_leaves_the_others_alone_and_names_it() {
    let endless = Evaluation {
        ruleset: "simplified-6x8(randomizer=weighted(I=0,J=0,L=0,S=0,T=0,Z=0))".to_owned(),
        ..quick(&["random", "bcts"], few(2, 100, LevelKind::Stack))
    };
    let out_of_pieces = Evaluation {
        ruleset: format!("simplified-4x4(randomizer=fixed({}))", "O".repeat(40)),
        ..quick(&["bcts", "random", "dellacherie"], Plan::games(3))
    };
    for evaluation in [endless, out_of_pieces] {
        let found = evaluated(&evaluation);
        let known: Vec<&str> = found.results.iter().map(|result| &*result.player).collect();
        assert_eq!(known, ["random"], "{:?}", found.failed);
        assert!(!found.interrupted);
        assert_eq!(found.failed.len(), evaluation.players.len() - 1);
        assert_eq!(found.failed[0].player, "bcts");
        let alone = Evaluation {
            players: vec!["bcts".to_owned()],
            ..evaluation.clone()
        };
        let error = evaluate(&alone, &Keep::nothing(), &context()).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("bcts: {}", found.failed[0].error)
        );
    }
}

#[test]
fn tables_on_a_higher_board_than_they_were_learned_for_are_noted() {
    let is_noted = |ruleset: &str| {
        let evaluation = Evaluation {
            ruleset: ruleset.to_owned(),
            ..quick(&["wary-10", "bcts"], capped(1, 5))
        };
        let found = evaluated(&evaluation);
        let noted = |index: usize| {
            let mut notes = found.results[index].notes.iter();
            notes.any(|note| note.kind == NoteKind::BoardIsHigher)
        };
        assert!(!noted(1), "bcts has no tables");
        noted(0)
    };
    assert!(is_noted("simplified-10x12") && !is_noted("simplified-10x10"));
}

#[test]
fn a_comparison_names_the_player_of_each_doubt() {
    let comparison = Comparison {
        ruleset: "simplified-10x10".to_owned(),
        method: Method::Splitting,
        margin: 0.9,
        trajectories: 100,
        level: crate::survival::LevelKind::Stack,
        ..Comparison::new("bcts", "dellacherie")
    };
    let found = compare(&comparison, &context()).unwrap();
    let is_named =
        |doubt: &String| doubt.starts_with("bcts: ") || doubt.starts_with("dellacherie: ");
    assert!(
        !found.doubts.is_empty() && found.doubts.iter().all(is_named),
        "{:?}",
        found.doubts
    );
    let ratio = found.ratio.unwrap();
    assert!((ratio.first_to_second * ratio.second_to_first - 1.0).abs() < 1e-9);
    let means = found.lines.unwrap();
    assert_eq!(ratio.first_to_second > 1.0, means.first > means.second);
    assert!(
        ratio
            .first_to_second_ci95
            .unwrap()
            .contains(ratio.first_to_second)
    );
}

/// A learning run that takes milliseconds.
fn tiny() -> Learning {
    Learning {
        learner: "random-search(population=4)".to_owned(),
        ruleset: "simplified-6x8".to_owned(),
        features: "dellacherie".to_owned(),
        games: 3,
        budget: Budget::generations(3),
        runs: 2,
        ..Learning::default()
    }
}

#[test]
fn learning_is_one_call_that_reports_events() {
    let folder = tempdir().unwrap();
    let place = LearningPlace::new(&folder.path().join("run")).unwrap();
    let (context, events) = context().recorded();
    let learned = learn(&tiny(), &place, &context).unwrap();
    let word = |event: &StudyEvent| match &event.event {
        Event::LearningBegan { unit, .. } => {
            assert_eq!(*unit, FitnessUnit::mean("lines"));
            Some("began".to_owned())
        }
        Event::Generation(generation) => Some(format!("{}.{}", generation.run, generation.number)),
        Event::RunEnded { reason, .. } => Some(reason.clone()),
        _ => None,
    };
    let told: Vec<String> = lock(&events).iter().filter_map(word).collect();
    let end = "3 generations";
    let expected = ["began", "0.0", "0.1", "0.2", end, "1.0", "1.1", "1.2", end];
    assert_eq!(told, expected);
    let player = std::fs::read_to_string(learned.player.unwrap()).unwrap();
    assert!(
        player.contains("provenance = '{\"learner\":\"random-search"),
        "{player}"
    );
    let error = learn(
        &tiny(),
        &LearningPlace {
            out: Some(folder.path().join("x/y")),
            ..place
        },
        &context,
    );
    assert!(
        error
            .unwrap_err()
            .to_string()
            .ends_with("there is no such folder")
    );
}

#[test]
fn an_unwritable_path_is_found_before_anything_is_learned() {
    let folder = tempdir().unwrap();
    let place = LearningPlace {
        out: Some(folder.path().join("x".repeat(300))),
        ..LearningPlace::new(&folder.path().join("run")).unwrap()
    };
    let error = learn(&tiny(), &place, &context()).unwrap_err();
    assert!(error.to_string().contains("cannot be written"), "{error}");
    assert!(!folder.path().join("run").exists());
}

#[test]
fn every_pilot_run_of_a_comparison_ends() {
    let (context, events) = context().recorded();
    let comparison = Comparison {
        ruleset: "simplified-6x8".to_owned(),
        ..Comparison::new("bcts", "random")
    };
    compare(&comparison, &context).unwrap();
    let pilots = lock(&events);
    let pilots = pilots.iter().filter_map(|event| match &event.event {
        Event::PilotBegan { player } => Some((player.clone(), true)),
        Event::PilotEnded { player, .. } => Some((player.clone(), false)),
        _ => None,
    });
    let pilots: Vec<_> = pilots.collect();
    let expected =
        ["bcts", "random"].map(|name| [true, false].map(|began| (name.to_owned(), began)));
    assert_eq!(pilots, expected.concat());
}
