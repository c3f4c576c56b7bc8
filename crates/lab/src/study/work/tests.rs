//! Distributed work as a caller uses it.

use super::*;
use crate::library::Lines;
use crate::study::tests::{capped, context, evaluated, few, quick, timeless};
use crate::study::{Evaluation, Plan, StudyError};
use crate::survival::LevelKind;
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

/// A worker's answers to some lines.
fn answers(units: &[String]) -> Vec<Answer> {
    let mut answers = Vec::new();
    let mut keep = |answer: &Answer| -> Result<(), StudyError> {
        answers.push(answer.clone());
        Ok(())
    };
    work(
        lines(units),
        &mut ReceivedModels::new(),
        &context(),
        &mut keep,
    )
    .unwrap();
    answers
}

fn text(unit: &Unit) -> String {
    serde_json::to_string(unit).unwrap()
}

fn results(evaluation: &Evaluation, parts: u64) -> Vec<UnitResult> {
    let units = split(evaluation, parts, &context()).unwrap();
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
    let players = ["bcts", "random", "greedy(dt-10,losing=allow)"];
    let evaluation = quick(&players, capped(50, 90));
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
        ruleset: "simplified-8x5".to_owned(),
        ..quick(&["bcts", "dellacherie"], few(5, 100, LevelKind::Danger))
    };
    let whole = timeless(evaluated(&evaluation));
    let merged = merge(results(&evaluation, 3)).unwrap().1;
    assert_eq!(timeless(merged), whole);
}

#[test]
fn missing_overlapping_and_contradictory_results_are_named() {
    let evaluation = quick(&["bcts"], Plan::games(40));
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
    assert_eq!(
        said(Vec::new()),
        "expected at least one result to merge, found none"
    );
}

/// The only unit of an evaluation.
fn unit(evaluation: &Evaluation) -> Unit {
    split(evaluation, 1, &context()).unwrap().next().unwrap()
}

/// A worker's answers to lines: `done`, or the number of the line and its error.
fn said(lines: &[String]) -> Vec<String> {
    let said = |answer: &Answer| match answer {
        Answer::Done(_) => "done".to_owned(),
        Answer::Refused(refused) => format!("{}: {}", refused.line, refused.error),
    };
    answers(lines).iter().map(said).collect()
}

#[test]
fn a_worker_refuses_a_bad_line_and_continues() {
    let blind = split(&quick(&["two-piece(bcts)"], Plan::games(4)), 1, &context());
    let blind = blind.map(drop).unwrap_err().to_string();
    assert!(blind.contains("needs preview=1"), "{blind}");
    let unit = unit(&quick(&["greedy(bcts)"], Plan::games(4)));
    let changed = |change: fn(&mut Unit)| {
        let mut unit = unit.clone();
        change(&mut unit);
        text(&unit)
    };
    let said = said(&[
        "nonsense".to_owned(),
        changed(|unit| unit.player.hash = "0".to_owned()),
        changed(|unit| unit.to = 0),
        // A later version may have additional fields.
        changed(|unit| unit.schema = 9).replace("{\"schema\"", "{\"new\":1,\"schema\""),
        changed(|unit| unit.evaluation.plan = Plan::repetitions(u64::MAX)),
        text(&unit),
    ]);
    assert!(said[0].starts_with("1: not a unit of work: "), "{said:?}");
    assert!(
        said[1].starts_with("2: greedy(bcts) differs from the machine where the unit was made"),
        "{said:?}"
    );
    assert_eq!(said[2], "3: expected a range within 0 to 4, got 0 to 0");
    assert_eq!(
        said[3],
        "4: this line has schema 9, but this version of tetrolab supports schema 3"
    );
    assert!(said[4].starts_with("5: expected 2 to "), "{said:?}");
    assert_eq!(said[5], "done");
}

#[test]
fn a_line_that_is_not_text_is_refused_and_the_next_is_done() {
    let unit = text(&unit(&quick(&["bcts"], Plan::games(2))));
    let input = [b"\xff\n", unit.as_bytes()].concat();
    let lines = Lines::of(std::io::Cursor::new(input), Path::new("input"));
    let mut answers = Vec::new();
    let mut keep = |answer: &Answer| -> Result<(), StudyError> {
        answers.push(answer.clone());
        Ok(())
    };
    let worked = work(lines, &mut ReceivedModels::new(), &context(), &mut keep).unwrap();
    assert_eq!((worked.refused, worked.done), (1, 1));
    let Answer::Refused(refused) = &answers[0] else {
        panic!("{answers:?}");
    };
    assert_eq!(
        (refused.line, refused.error.as_str()),
        (1, "not a unit of work: not UTF-8 text")
    );
}

#[test]
fn an_empty_evaluation_has_no_units_and_a_huge_one_is_split_lazily() {
    let nothing = split(&quick(&["bcts"], Plan::games(0)), 4, &context()).map(drop);
    assert_eq!(
        nothing.unwrap_err().to_string(),
        "expected at least one game, got 0"
    );
    let huge = quick(&["bcts"], Plan::games(u64::MAX));
    let last = split(&huge, u64::MAX, &context()).unwrap().nth(2).unwrap();
    assert_eq!((last.from, last.to), (2, 3));
}

#[test]
fn a_unit_has_no_more_games_than_a_line_can_hold() {
    let large = quick(&["bcts"], Plan::games(10_000_000));
    let units: Vec<Unit> = split(&large, 1, &context()).unwrap().collect();
    assert_eq!(units.len(), 3);
    assert_eq!(units[2].to, 10_000_000);
    let whole = Unit {
        to: 10_000_000,
        ..units[0].clone()
    };
    assert_eq!(
        Unit::parse(&text(&whole)).unwrap_err().to_string(),
        "a unit can have at most 4000000 games, got 10000000; use more units"
    );
}

#[test]
fn games_that_were_cut_off_belong_to_their_range() {
    let result = results(&quick(&["bcts"], Plan::games(4)), 2).remove(1);
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

#[test]
fn a_unit_never_refers_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret.toml").display().to_string();
    std::fs::write(&secret, "name = \"top secret\"\nfeatures = 3").unwrap();
    let unit = unit(&quick(&["bcts"], Plan::games(2)));
    let changed = |change: &dyn Fn(&mut Unit)| {
        let mut unit = unit.clone();
        change(&mut unit);
        text(&unit)
    };
    let carried = |name: &str, file: &str| {
        let files = crate::library::GivenFiles::from([(name.to_owned(), file.to_owned())]);
        let identity = crate::library::FileSource::Given(&files).player_identity(name);
        CarriedPlayer {
            name: name.to_owned(),
            hash: crate::hash::hash_of(&identity.unwrap()),
            files,
        }
    };
    let model = "name = \"x\"\nevaluator = \"tables\"\nentries = \"secret.toml\"\n";
    let beside = folder.path().join("x.toml").display().to_string();
    let lines = [
        changed(&|unit| unit.player.name = secret.clone()),
        changed(&|unit| unit.player.name = folder.path().display().to_string()),
        changed(&|unit| unit.player.name = format!("greedy({secret})")),
        changed(&|unit| unit.player = carried(&beside, model)),
        changed(&|unit| unit.player = carried("./x.toml", &model.replace("secret", "wary-10"))),
        changed(&|unit| unit.rules.randomizer = format!("adversary({secret})")),
        changed(&|unit| {
            let level = format!("tables({secret})").parse().unwrap();
            unit.evaluation.plan = few(2, 100, level);
        }),
        // The complete rules are included, so the names of the ruleset and of other players are
        // ignored.
        changed(&|unit| {
            unit.evaluation.ruleset.clone_from(&secret);
            unit.evaluation.players.push(secret.clone());
            unit.rules.name.clone_from(&secret);
        }),
    ];
    let said = said(&lines);
    for (line, said) in said.iter().take(7).enumerate() {
        assert!(said.starts_with(&format!("{}: ", line + 1)), "{said}");
        let known = [
            "was not sent",
            "was not provided",
            "must contain bytes",
            "does not contain another player",
        ];
        assert!(known.iter().any(|known| said.contains(known)), "{said}");
        assert!(
            !said.contains("top") && !said.contains("features"),
            "{said}"
        );
    }
    assert_eq!(said[7], "done");
}

#[test]
fn a_player_of_files_is_carried_with_their_texts() {
    let folder = tempfile::tempdir().unwrap();
    let mine = folder.path().join("mine.toml");
    let text_of_mine = "name = \"mine\"\nfeatures = \"strategies\"\n[weights]\nany_line = 1\nholes = -1\nvariation = -0.5\n";
    std::fs::write(&mine, text_of_mine).unwrap();
    let spec = format!("greedy({},losing=allow)", mine.display());
    let evaluation = Evaluation {
        ruleset: format!("simplified-6x8(randomizer=adversary({}))", mine.display()),
        ..quick(&[&spec, "wary-10"][..1], capped(2, 20))
    };
    let line = text(&unit(&evaluation));
    std::fs::remove_file(&mine).unwrap();
    assert_eq!(said(&[line]), ["done"]);
}

#[test]
fn lines_of_another_version_are_refused() {
    let unit = unit(&quick(&["bcts"], Plan::games(2)));
    let mut other = unit.clone();
    other.program.tetrolab = "0.0.9".to_owned();
    let mut method = unit.clone();
    method.program.splitting += 1;
    for said in said(&[text(&other), text(&method)]) {
        assert!(said.contains("use the same version of tetrolab"), "{said}");
    }
    let mut result = results(&quick(&["bcts"], Plan::games(2)), 1).remove(0);
    result.program.tetrolab = "0.0.9\u{1b}".to_owned();
    let line = serde_json::to_string(&result).unwrap();
    let said = UnitResult::parse(&line).unwrap_err().to_string();
    assert!(
        said.starts_with("this line is from tetrolab 0.0.9\\u{1b} (splitting "),
        "{said}"
    );
}

#[test]
fn results_that_no_game_can_have_are_refused() {
    let result = results(&quick(&["bcts"], Plan::games(3)), 1).remove(0);
    let said = |change: &dyn Fn(&mut GameColumns)| {
        let mut result = result.clone();
        let RangeResult::Games(games) = &mut result.found else {
            panic!("games");
        };
        change(games);
        let line = serde_json::to_string(&result).unwrap();
        UnitResult::parse(&line).map(drop).unwrap_err().to_string()
    };
    let absurd = said(&|games| games.lines[1] = u64::MAX);
    let expected = "the result is impossible: 18446744073709551615 lines with ";
    assert!(absurd.starts_with(expected), "{absurd}");
    assert!(said(&|games| games.lines[1] = games.pieces[1]).contains(" lines with "));
    assert!(said(&|games| games.line_points[0] += 2 * games.lines[0] + 1).contains("line points"));
    assert!(said(&|games| games.pieces[2] = u64::MAX).contains("a game of 18446744073709551615"));
    // Each number is possible, but not all of them together.
    let mut many = result.clone();
    let RangeResult::Games(games) = &mut many.found else {
        panic!("games");
    };
    games.pieces = vec![900_000_000_000_000_000; 3];
    let line = serde_json::to_string(&many).unwrap();
    let said = merge(vec![UnitResult::parse(&line).unwrap()]).map(drop);
    let said = said.unwrap_err().to_string();
    assert!(
        said.ends_with("bcts played 2700000000000000000 pieces"),
        "{said}"
    );
}

#[test]
fn repetitions_that_contradict_their_counts_are_refused() {
    let evaluation = Evaluation {
        ruleset: "simplified-8x7".to_owned(),
        ..quick(&["bcts"], few(2, 100, LevelKind::Danger))
    };
    let result = results(&evaluation, 1).remove(0);
    let json = serde_json::to_value(&result).unwrap();
    let said = |path: &str, value: serde_json::Value| {
        let mut json = json.clone();
        *json
            .pointer_mut(&format!("/found/repetitions/{path}"))
            .unwrap() = value;
        match UnitResult::parse(&json.to_string()) {
            Ok(_) => panic!("{path}"),
            Err(error) => error.to_string(),
        }
    };
    let absurd = u64::MAX.into();
    assert!(said("repetitions/0/rate", 0.9.into()).contains("a rate of 0.9"));
    assert!(said("repetitions/0/levels/0/successes", 99_999.into()).contains("continued"));
    assert!(said("repetitions/1/levels/0/pieces", absurd).contains("trajectories at a level"));
    assert!(said("repetitions/0/equilibrium/lines", u64::MAX.into()).contains("counts more"));
}

#[test]
fn a_unit_has_no_more_trajectories_than_fit_into_memory() {
    let large = quick(&["bcts"], few(2, 1_000_000, LevelKind::Danger));
    let said = split(&large, 1, &context())
        .map(drop)
        .unwrap_err()
        .to_string();
    assert_eq!(
        said,
        "a unit can have at most 100000 trajectories per level, got 1000000"
    );
}

#[test]
fn damaged_units_are_answered_with_a_sentence() {
    let whole = text(&unit(&quick(&["greedy(bcts)"], Plan::games(1))));
    let mut rng = tetrolab_core::rng::Rng::new(3);
    let letters = b"\"{}[]:,0189-.eabz/\\ ";
    let mut lines = Vec::new();
    for _ in 0..300 {
        let mut line = whole.clone().into_bytes();
        for _ in 0..1 + rng.below(2) {
            let place = rng.below(line.len() as u64) as usize;
            line[place] = letters[rng.below(letters.len() as u64) as usize];
        }
        lines.push(String::from_utf8(line).unwrap());
    }
    // A changed number may ask for long games, so only refusals are checked.
    let refused = lines.iter().filter_map(|line| Unit::parse(line).err());
    for error in refused {
        let said = error.to_string();
        assert!(
            !said.contains(char::is_control) && said.len() < 1000,
            "{said:?}"
        );
    }
}

#[test]
fn models_are_sent_once_and_without_them_another_worker_may_try() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let player = "name = \"mine\"\nfeatures = \"strategies\"\n[weights]\nany_line = 1\n\
                  holes = -1\nvariation = -0.5\n";
    std::fs::write(&path, player).unwrap();
    let name = path.display().to_string();
    let evaluation = quick(&[&name, "bcts"], capped(6, 40));
    let mut units: Vec<Unit> = split(&evaluation, 3, &context()).unwrap().collect();
    let models: Vec<CarriedModel> = units
        .iter_mut()
        .filter_map(|unit| unit.player.take_model())
        .collect();
    assert_eq!(models.len(), 3);
    let lines: Vec<String> = units.iter().map(text).collect();
    let alone = answers(&lines);
    let retries = alone.iter().filter(|answer| match answer {
        Answer::Refused(refused) => refused.retry && refused.error.contains("was not sent"),
        Answer::Done(_) => false,
    });
    assert_eq!(retries.count(), 3);
    let mut with_model = vec![serde_json::to_string(&models[0]).unwrap()];
    with_model.extend(lines);
    let results = answers(&with_model).into_iter().map(|answer| match answer {
        Answer::Done(result) => *result,
        Answer::Refused(refused) => panic!("{refused:?}"),
    });
    let (_, merged) = merge(results.collect()).unwrap();
    assert_eq!(timeless(merged), timeless(evaluated(&evaluation)));
}

#[test]
fn units_of_splitting_carry_the_levels_and_levels_that_do_not_fit_are_refused() {
    let whole = unit(&quick(&["bcts"], Plan::repetitions(2)));
    let levels = serde_json::to_value(whole.levels.as_ref().unwrap()).unwrap();
    let other = |change: fn(&mut serde_json::Value)| {
        let mut levels = levels.clone();
        change(&mut levels);
        let levels = Some(serde_json::from_value(levels).unwrap());
        text(&Unit {
            levels,
            ..whole.clone()
        })
    };
    let said = said(&[
        other(|_| {}),
        other(|levels| levels["trajectories"] = 12.into()),
        other(|levels| levels["levels"] = serde_json::json!([])),
        other(|levels| levels["levels"] = serde_json::json!([9, 9])),
        other(|levels| levels["danger"] = serde_json::json!({"empty": 1, "weights": [1]})),
        other(|levels| levels["danger"] = serde_json::json!({"tables": "x"})),
    ]);
    assert_eq!(said[0], "done");
    for said in &said[1..] {
        assert!(said.contains("the levels do not fit"), "{said}");
    }
}
