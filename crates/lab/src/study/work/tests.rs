//! Work that is shared, as a caller meets it.

use super::*;
use crate::library::Lines;
use crate::study::tests::{arena, evaluated, quick, timeless};
use crate::study::{Evaluation, StudyError, Target};
use std::path::Path;

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

fn text(unit: &Unit) -> String {
    serde_json::to_string(unit).unwrap()
}

fn results(evaluation: &Evaluation, parts: u64) -> Vec<UnitResult> {
    let units = split(evaluation, parts).unwrap();
    let units: Vec<String> = units.map(|unit| text(&unit)).collect();
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
    let RangeResult::Games(games) = &mut other[4].found else {
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

/// The only unit of an evaluation.
fn unit(evaluation: &Evaluation) -> Unit {
    split(evaluation, 1).unwrap().next().unwrap()
}

/// What a worker says to lines: `done`, or the line and what is wrong with it.
fn said(lines: &[String]) -> Vec<String> {
    let said = |answer: &Answer| match answer {
        Answer::Done(_) => "done".to_owned(),
        Answer::Refused(refused) => format!("{}: {}", refused.line, refused.error),
    };
    answers(lines).iter().map(said).collect()
}

#[test]
fn a_worker_refuses_a_bad_line_and_goes_on() {
    let blind = split(&quick(&["two-piece(bcts)"], Target::Games(4)), 1);
    let blind = blind.map(drop).unwrap_err().to_string();
    assert!(blind.contains("must see 1 next piece"), "{blind}");
    let unit = unit(&quick(&["greedy(bcts)"], Target::Games(4)));
    let changed = |change: fn(&mut Unit)| {
        let mut unit = unit.clone();
        change(&mut unit);
        text(&unit)
    };
    let said = said(&[
        "nonsense".to_owned(),
        changed(|unit| unit.player.hash = "0".to_owned()),
        changed(|unit| unit.to = 0),
        // A later version may have fields that this one does not know.
        changed(|unit| unit.schema = 9).replace("{\"schema\"", "{\"new\":1,\"schema\""),
        changed(|unit| unit.evaluation.target = Target::Repetitions(u64::MAX)),
        text(&unit),
    ]);
    assert!(
        said[0].starts_with("1: is not a unit of work: "),
        "{said:?}"
    );
    assert!(
        said[1].starts_with("2: greedy(bcts) is not the same here"),
        "{said:?}"
    );
    assert_eq!(said[2], "3: 0 to 0 is not a range within 0 to 4");
    assert_eq!(
        said[3],
        "4: has schema 9, but this version of tetrolab knows schema 1"
    );
    assert!(said[4].starts_with("5: an estimate has 2 to "), "{said:?}");
    assert_eq!(said[5], "done");
}

#[test]
fn a_line_that_is_not_text_is_refused_and_the_next_is_done() {
    let unit = text(&unit(&quick(&["bcts"], Target::Games(2))));
    let input = [b"\xff\n", unit.as_bytes()].concat();
    let lines = Lines::of(std::io::Cursor::new(input), Path::new("input"));
    let mut answers = Vec::new();
    let mut keep = |answer: &Answer| -> Result<(), StudyError> {
        answers.push(answer.clone());
        Ok(())
    };
    let worked = work(lines, &arena(), &mut keep).unwrap();
    assert_eq!((worked.refused, worked.done), (1, 1));
    let Answer::Refused(refused) = &answers[0] else {
        panic!("{answers:?}");
    };
    assert_eq!(
        (refused.line, refused.error.as_str()),
        (1, "is not a unit of work: is not UTF-8 text")
    );
}

#[test]
fn an_evaluation_of_nothing_has_no_units_and_a_huge_one_is_cut_lazily() {
    let nothing = split(&quick(&["bcts"], Target::Games(0)), 4).map(drop);
    assert_eq!(
        nothing.unwrap_err().to_string(),
        "there are no games to play; ask for at least one"
    );
    let huge = quick(&["bcts"], Target::Games(u64::MAX));
    let last = split(&huge, u64::MAX).unwrap().nth(2).unwrap();
    assert_eq!((last.from, last.to), (2, 3));
}

#[test]
fn games_that_were_cut_off_belong_to_their_range() {
    let result = results(&quick(&["bcts"], Target::Games(4)), 2).remove(1);
    let parsed = |cut_off: &[u64]| {
        let mut result = result.clone();
        let RangeResult::Games(games) = &mut result.found else {
            panic!("games");
        };
        games.cut_off = cut_off.to_vec();
        UnitResult::parse(&serde_json::to_string(&result).unwrap()).is_ok()
    };
    assert!(parsed(&[]) && parsed(&[2, 3]));
    assert!(!parsed(&[3, 2]) && !parsed(&[1]) && !parsed(&[2, 2]));
}
