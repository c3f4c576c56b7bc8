//! Studies as a caller meets them.

use super::*;
use crate::arena::Arena;
use crate::learning::Budget;
use crate::learning::objective::FitnessUnit;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use tempfile::tempdir;

fn arena() -> Arena {
    Arena::new(2).unwrap()
}

fn silent(_: &Event<'_>) {}

/// An evaluation that is done in a moment.
fn quick(players: &[&str], target: Target) -> Evaluation {
    Evaluation {
        players: players.iter().map(|&player| player.to_owned()).collect(),
        ruleset: "simplified-6x8".to_owned(),
        target,
        ..Evaluation::default()
    }
}

fn evaluated(evaluation: &Evaluation) -> Evaluated {
    evaluate(evaluation, &Keep::nothing(), &arena(), &silent).unwrap()
}

/// A result without what depends on the clock.
fn timeless(mut evaluated: Evaluated) -> Evaluated {
    for result in &mut evaluated.results {
        (result.seconds, result.decisions_per_second) = (0.0, 0.0);
    }
    evaluated
}

#[test]
fn results_of_both_methods_read_back_as_they_were_written() {
    let splitting = Evaluation {
        method: Method::Splitting,
        trajectories: 200,
        ruleset: "simplified-10x9".to_owned(),
        ..quick(&["bcts"], Target::Repetitions(3))
    };
    for evaluation in [splitting, quick(&["bcts", "random"], Target::Games(20))] {
        let found = evaluated(&evaluation);
        assert_eq!((found.schema, found.interrupted), (SCHEMA, false));
        let text = serde_json::to_string(&found).unwrap();
        assert_eq!(serde_json::from_str::<Evaluated>(&text).unwrap(), found);
    }
}

#[test]
fn a_description_reads_back_and_refuses_what_it_does_not_know() {
    let evaluation: Evaluation = serde_json::from_str(r#"{"players":["bcts"]}"#).unwrap();
    assert_eq!(evaluation.target, Target::Precision(0.05));
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
    let comparison: Comparison = serde_json::from_str(r#"{"first":"a","second":"b"}"#).unwrap();
    assert_eq!(comparison, Comparison::new("a", "b"));
}

#[test]
fn more_games_for_a_precision_continue_where_the_first_ones_ended() {
    let precision = 0.3;
    let needs_more = (1..100).find_map(|seed| {
        let evaluation = Evaluation {
            seed,
            method: Method::Games,
            ..quick(&["bcts"], Target::Precision(precision))
        };
        let (series, pieces) = (Mutex::new(0), Mutex::new(0));
        let count = |event: &Event<'_>| match event {
            Event::GamesBegan { .. } => *series.lock().unwrap() += 1,
            Event::Games {
                done,
                total,
                pieces: played,
            } if done == total => *pieces.lock().unwrap() = *played,
            _ => {}
        };
        // The last report of every series has all its pieces; they are added up when the next one begins.
        let total = Mutex::new(0);
        let add = |event: &Event<'_>| {
            count(event);
            if let Event::GamesEnded = event {
                *total.lock().unwrap() += std::mem::take(&mut *pieces.lock().unwrap());
            }
        };
        let found = evaluate(&evaluation, &Keep::nothing(), &arena(), &add).unwrap();
        let (series, total) = (*series.lock().unwrap(), *total.lock().unwrap());
        (series > 1).then(|| (found.results[0].clone(), evaluation.clone(), total))
    });
    let (result, evaluation, played) = needs_more.unwrap();
    assert!(result.reached && result.precision.unwrap() <= precision);
    assert_eq!(result.pieces_simulated, played, "nothing is played twice");
    let again = evaluated(&evaluation.repeat(&result));
    assert_eq!(again.results[0].lines, result.lines);
}

#[test]
fn a_study_that_is_stopped_at_once_is_an_empty_result() {
    let stopped = arena().stop_flag(Arc::new(AtomicBool::new(true)));
    for method in [Method::Auto, Method::Games, Method::Splitting] {
        let evaluation = Evaluation {
            method,
            ..quick(&["bcts"], Target::Precision(0.05))
        };
        let found = evaluate(&evaluation, &Keep::nothing(), &stopped, &silent).unwrap();
        assert!(found.interrupted && found.results.is_empty(), "{found:?}");
        let comparison = Comparison {
            method,
            ..Comparison::new("bcts", "dt-10")
        };
        let found = compare(&comparison, &stopped, &silent).unwrap();
        assert!(found.interrupted && found.ratio.is_none(), "{found:?}");
    }
}

#[test]
fn a_short_cap_is_noted_and_a_long_one_is_not() {
    let capped = |max_pieces| {
        let evaluation = Evaluation {
            max_pieces: Some(max_pieces),
            ..quick(&["dellacherie"], Target::Games(30))
        };
        let notes = evaluated(&evaluation).results.remove(0).notes;
        notes.iter().any(|note| note.kind == NoteKind::CapIsShort)
    };
    assert!(capped(20) && !capped(2000));
}

#[test]
fn a_precision_that_is_out_of_reach_is_noted() {
    // Squares alone fill no row of five cells.
    let nothing_but_zeros = Evaluation {
        method: Method::Games,
        ruleset: "simplified-5x4(randomizer=weighted(I=0,J=0,L=0,S=0,T=0,Z=0))".to_owned(),
        ..quick(&["bcts"], Target::Precision(0.9))
    };
    let result = evaluated(&nothing_but_zeros).results.remove(0);
    assert_eq!((result.lines.mean, result.precision), (Some(0.0), None));
    assert!(!result.reached && result.games >= 100_000);
    let is_noted = |note: &Note| note.kind == NoteKind::TargetNotReached;
    assert!(result.notes.iter().any(is_noted), "{result:?}");
}

#[test]
fn what_makes_no_sense_is_one_clear_sentence_without_flags() {
    let problem = |change: fn(&mut Evaluation)| {
        let mut evaluation = quick(&["bcts"], Target::Games(3));
        change(&mut evaluation);
        evaluation.check().unwrap_err().to_string()
    };
    assert_eq!(
        problem(|evaluation| evaluation.method = Method::Splitting),
        "a number of games asks for whole games, but the method for splitting; one of them is too much"
    );
    assert_eq!(
        problem(|evaluation| evaluation.target = Target::Precision(0.0)),
        "a precision is larger than 0 and at most 1 (5 % is 0.05), not 0"
    );
    assert_eq!(
        problem(|evaluation| evaluation.target = Target::Repetitions(1)),
        "an estimate has 2 to 20000 repetitions, not 1"
    );
    assert_eq!(
        problem(|evaluation| evaluation.players.clear()),
        "an evaluation names at least one player"
    );
}

/// What is learned in milliseconds.
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
fn learning_is_one_call_that_tells_what_happens() {
    let folder = tempdir().unwrap();
    let place = LearningPlace::new(&folder.path().join("run")).unwrap();
    let told = Mutex::new(Vec::new());
    let watch = |event: &Event<'_>| {
        let word = match event {
            Event::LearningBegan { unit, .. } => {
                assert_eq!(*unit, FitnessUnit::mean("lines"));
                "began".to_owned()
            }
            Event::Generation(generation) => format!("{}.{}", generation.run, generation.number),
            Event::RunEnded { reason, .. } => (*reason).to_owned(),
            _ => return,
        };
        told.lock().unwrap().push(word);
    };
    let learned = learn(&tiny(), &place, &arena(), &watch).unwrap();
    let end = "3 generations";
    let expected = ["began", "0.0", "0.1", "0.2", end, "1.0", "1.1", "1.2", end];
    assert_eq!(*told.lock().unwrap(), expected);
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
        &arena(),
        &watch,
    );
    assert!(
        error
            .unwrap_err()
            .to_string()
            .ends_with("there is no such folder")
    );
}

#[test]
fn a_place_that_takes_no_file_is_found_before_anything_is_learned() {
    let folder = tempdir().unwrap();
    let place = LearningPlace {
        out: Some(folder.path().join("x".repeat(300))),
        ..LearningPlace::new(&folder.path().join("run")).unwrap()
    };
    let error = learn(&tiny(), &place, &arena(), &silent).unwrap_err();
    assert!(error.to_string().contains("cannot be written"), "{error}");
    assert!(!folder.path().join("run").exists());
}

mod shared {
    use super::super::work::{Answer, Unit, UnitResult, merge, split, work};
    use super::*;

    fn lines(
        units: &[String],
    ) -> impl Iterator<Item = Result<(usize, String), crate::library::FileError>> {
        units
            .iter()
            .cloned()
            .enumerate()
            .map(|(at, line)| Ok((at + 1, line)))
    }

    /// What a worker answers to lines.
    fn answers(units: &[String]) -> Vec<Answer> {
        let mut answers = Vec::new();
        let mut keep = |answer: &Answer| -> Result<(), StudyError> {
            answers.push(answer.clone());
            Ok(())
        };
        work(lines(units), &arena(), &mut keep).unwrap();
        answers
    }

    fn results(evaluation: &Evaluation, parts: u64) -> Vec<UnitResult> {
        let units = split(evaluation, parts).unwrap();
        let units: Vec<String> = units
            .iter()
            .map(|unit| serde_json::to_string(unit).unwrap())
            .collect();
        let done = |answer: Answer| match answer {
            Answer::Done(result) => {
                UnitResult::parse(&serde_json::to_string(&*result).unwrap()).unwrap()
            }
            Answer::Refused(refused) => panic!("{refused:?}"),
        };
        answers(&units).into_iter().map(done).collect()
    }

    #[test]
    fn ranges_merge_to_exactly_the_whole_in_any_order_and_twice() {
        let evaluation = Evaluation {
            max_pieces: Some(90),
            ..quick(
                &["bcts", "random", "greedy(dt-10,losing=allow)"],
                Target::Games(50),
            )
        };
        let whole = timeless(evaluated(&evaluation));
        for parts in [1, 3, 50] {
            let mut results = results(&evaluation, parts);
            results.reverse();
            results.push(results[0].clone());
            let (merged_evaluation, merged) = merge(results).unwrap();
            assert_eq!(merged_evaluation, evaluation);
            assert_eq!(timeless(merged), whole);
        }
    }

    #[test]
    fn ranges_of_repetitions_merge_to_exactly_the_whole() {
        let evaluation = Evaluation {
            trajectories: 200,
            ruleset: "simplified-10x9".to_owned(),
            ..quick(&["bcts", "dellacherie"], Target::Repetitions(5))
        };
        let whole = timeless(evaluated(&evaluation));
        let merged = merge(results(&evaluation, 3)).unwrap().1;
        assert_eq!(timeless(merged), whole);
    }

    #[test]
    fn what_is_missing_overlaps_or_contradicts_is_named() {
        let evaluation = quick(&["bcts"], Target::Games(40));
        let four = results(&evaluation, 4);
        let said = |results: Vec<UnitResult>| merge(results).unwrap_err().to_string();
        let without = |at: usize| {
            let mut some = four.clone();
            some.remove(at);
            some
        };
        assert_eq!(said(without(1)), "games 10 to 19 of bcts are missing");
        assert_eq!(said(without(3)), "games 30 to 39 of bcts are missing");
        let mut overlapping = results(&evaluation, 3);
        overlapping.push(four[0].clone());
        assert_eq!(
            said(overlapping),
            "games 0 to 9 of bcts are in two ranges that overlap"
        );
        let mut other = four.clone();
        other.push(four[2].clone());
        let work::RangeResult::Games(games) = &mut other[4].found else {
            panic!("games");
        };
        games.lines[0] += 1;
        assert_eq!(
            said(other),
            "games 20 to 29 of bcts were done twice, and the results differ"
        );
        let mut mixed = four.clone();
        mixed[0].evaluation.seed += 1;
        assert!(said(mixed).starts_with("these are results of different evaluations"));
        assert_eq!(said(Vec::new()), "there are no results to merge");
    }

    #[test]
    fn a_worker_refuses_a_bad_line_and_goes_on() {
        let unit = split(&quick(&["two-piece(bcts)"], Target::Games(4)), 1);
        assert!(
            unit.unwrap_err()
                .to_string()
                .contains("must see 1 next piece")
        );
        let unit = split(&quick(&["greedy(bcts)"], Target::Games(4)), 1)
            .unwrap()
            .remove(0);
        let text = |unit: &Unit| serde_json::to_string(unit).unwrap();
        let mut other = unit.clone();
        other.player.hash = "0".to_owned();
        let mut empty = unit.clone();
        empty.to = 0;
        let mut later = unit.clone();
        later.schema = 9;
        let lines = [
            "nonsense".to_owned(),
            text(&other),
            text(&empty),
            text(&later),
            text(&unit),
        ];
        let said: Vec<String> = answers(&lines)
            .iter()
            .map(|answer| match answer {
                Answer::Done(_) => "done".to_owned(),
                Answer::Refused(refused) => format!("{}: {}", refused.line, refused.error),
            })
            .collect();
        assert!(
            said[0].starts_with("1: is not a unit of work: "),
            "{said:?}"
        );
        assert!(
            said[1].starts_with("2: greedy(bcts) is not the same here"),
            "{said:?}"
        );
        assert_eq!(said[2], "3: 0 to 0 is no range of 0 to 4");
        assert_eq!(
            said[3],
            "4: has schema 9, but this version of tetrolab knows schema 1"
        );
        assert_eq!(said[4], "done");
    }
}
