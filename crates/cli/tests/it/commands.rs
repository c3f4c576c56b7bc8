use super::{json, sentence, stdout};
use serde_json::Value;
use std::fs;
use tempfile::tempdir;

const EVAL: [&str; 8] = [
    "eval",
    "dellacherie",
    "bcts",
    "--ruleset",
    "simplified-10x8",
    "--games",
    "60",
    "--seed=7",
];

/// The parts of a result that do not depend on the clock.
fn timeless(mut result: Value) -> Value {
    for row in result["results"].as_array_mut().unwrap() {
        let row = row.as_object_mut().unwrap();
        assert!(row.remove("seconds").is_some() && row.remove("decisions_per_second").is_some());
    }
    result
}

#[test]
fn eval_gives_the_same_on_any_number_of_threads() {
    let folder = tempdir().unwrap();
    let with = |threads| {
        let args: Vec<&str> = EVAL.into_iter().chain(["--threads", threads]).collect();
        timeless(json(folder.path(), &args))
    };
    let one = with("1");
    assert_eq!(one, with("2"));
    assert_eq!(one, with("5"));
}

#[test]
fn the_kernel_never_changes_a_result() {
    let folder = tempdir().unwrap();
    for ruleset in ["simplified-10x7", "simplified-7x8", "two-piece-6x7"] {
        let args = [
            "eval",
            "dellacherie",
            "dt-10",
            "misakamm-v2",
            "--games=20",
            "--ruleset",
            ruleset,
        ];
        let general: Vec<&str> = args.into_iter().chain(["--no-kernel"]).collect();
        let results = [
            timeless(json(folder.path(), &args)),
            timeless(json(folder.path(), &general)),
        ];
        assert_eq!(results[0], results[1], "{ruleset}");
    }
    let pairs = [
        "eval",
        "two-piece(bcts)",
        "--games=10",
        "--ruleset",
        "two-piece-6x6",
    ];
    let general: Vec<&str> = pairs.into_iter().chain(["--no-kernel"]).collect();
    assert_eq!(
        timeless(json(folder.path(), &pairs)),
        timeless(json(folder.path(), &general))
    );
}

#[test]
fn eval_prints_the_documented_fields() {
    let folder = tempdir().unwrap();
    let result = json(folder.path(), &EVAL);
    let row = &result["results"][1];
    assert_eq!(row["player"], "bcts");
    assert_eq!(row["ruleset"], "simplified-10x8");
    assert_eq!(
        (&row["seed"], &row["games"]),
        (&Value::from(7), &Value::from(60))
    );
    assert_eq!(
        (&row["finished"], &row["cut_off"]),
        (&Value::from(60), &Value::from(0))
    );
    let lines = &row["lines"];
    let mean = lines["mean"].as_f64().unwrap();
    let bound = |index: usize| lines["ci95"][index].as_f64().unwrap();
    assert!(bound(0) < mean && mean < bound(1));
    for key in ["median", "sd", "max"] {
        assert!(lines[key].is_number(), "{key}");
    }
    assert!(row["pieces"]["mean"].as_f64().unwrap() > 2.4 * mean);
    assert!(row["line_points"]["mean"].as_f64().unwrap() >= mean);
    let again = "tetrolab eval bcts --ruleset simplified-10x8 --games 60 --seed 7";
    assert_eq!(row["command"], again);
    assert_eq!(result["comparisons"][0]["second"], "bcts");
}

#[test]
fn the_command_in_a_result_repeats_it() {
    let folder = tempdir().unwrap();
    let both = timeless(json(folder.path(), &EVAL));
    let alone = [
        "eval",
        "bcts",
        "--ruleset",
        "simplified-10x8",
        "--games",
        "60",
        "--seed",
        "7",
    ];
    let alone = timeless(json(folder.path(), &alone));
    assert_eq!(both["results"][1], alone["results"][0]);
}

#[test]
fn capped_games_are_counted_as_cut_off() {
    let folder = tempdir().unwrap();
    let capped: Vec<&str> = EVAL.into_iter().chain(["--max-pieces", "40"]).collect();
    let row = &json(folder.path(), &capped)["results"][0];
    assert!(row["cut_off"].as_u64().unwrap() > 0);
    // The cap is too short for an estimate of the mean.
    assert_eq!(row["lines"]["method"], "lower-bound");
    let uncapped: Vec<&str> = EVAL.into_iter().chain(["--max-pieces", "none"]).collect();
    let uncapped = timeless(json(folder.path(), &uncapped));
    assert_eq!(uncapped, timeless(json(folder.path(), &EVAL)));
}

#[test]
fn results_have_a_schema_and_a_short_cap_is_noted() {
    let folder = tempdir().unwrap();
    let short = [
        "eval",
        "dellacherie",
        "--ruleset=simplified-6x8",
        "--games=30",
        "--max-pieces=20",
    ];
    let result = json(folder.path(), &short);
    assert_eq!(
        (&result["schema"], &result["interrupted"]),
        (&Value::from(1), &Value::from(false))
    );
    assert_eq!(result["results"][0]["notes"][0]["kind"], "cap-is-short");
    let said = stdout(folder.path(), &short);
    assert!(
        said.contains("dellacherie: a cap of 20 pieces is too short"),
        "{said}"
    );
    let long = [&short[..4], &["--max-pieces=2000"]].concat();
    assert_eq!(
        json(folder.path(), &long)["results"][0]["notes"],
        Value::Array(Vec::new())
    );
}

#[test]
fn a_high_precision_is_reached_or_reported_as_missed() {
    let folder = tempdir().unwrap();
    // On this board, these pieces alone cannot fill a row.
    let never = "simplified-5x4(randomizer=weighted(I=0,J=0,L=0,S=0,T=0,Z=0))";
    let precise = |player: &str, ruleset: &str, precision: &str| {
        let args = [
            "eval",
            player,
            "--ruleset",
            ruleset,
            "--precision",
            precision,
        ];
        let method = ["--method", "games"];
        json(folder.path(), &[&args[..], &method].concat())["results"][0].clone()
    };
    let fine = precise("dellacherie", "simplified-4x4", "0.5%");
    assert_eq!(fine["reached"], true, "{fine}");
    assert!(
        fine["games"].as_u64().unwrap() > 100_000 && fine["precision"].as_f64().unwrap() <= 0.005
    );
    let hopeless = precise("bcts", never, "50%");
    assert_eq!(hopeless["reached"], false, "{hopeless}");
    let notes = hopeless["notes"].as_array().unwrap();
    assert!(
        notes
            .iter()
            .any(|note| note["kind"] == "target-not-reached")
    );
}

#[test]
fn a_replayed_record_gives_the_same_game() {
    let folder = tempdir().unwrap();
    let rules = "width = 7\nheight = 9\nend = 'top-row'\nrandomizer = 'bag'\n";
    fs::write(folder.path().join("narrow.toml"), rules).unwrap();
    for ruleset in [
        "simplified-6x12",
        "thesis(randomizer=bag)",
        "near-perfect",
        "narrow.toml",
    ] {
        let file = &format!("{ruleset}.jsonl");
        let record = [
            "eval",
            "strategies",
            "--ruleset",
            ruleset,
            "--games=3",
            "--record",
            file,
        ];
        let rows = json(folder.path(), &record)["results"].clone();
        let again = json(folder.path(), &["replay", file]);
        let games = again["games"].as_array().unwrap();
        assert_eq!(games.len(), 3);
        let lines: u64 = games
            .iter()
            .map(|game| game["lines"].as_u64().unwrap())
            .sum();
        assert_eq!(
            lines as f64 / 3.0,
            rows[0]["lines"]["mean"].as_f64().unwrap()
        );
        assert!(games.iter().all(|game| game["finished"] == true));
        assert!(!folder.path().join(format!("{file}.part")).exists());
    }
    let some = ["replay", "narrow.toml.jsonl", "--game=2", "--at=5"];
    assert!(stdout(folder.path(), &some).contains("0 lines after the first 5 of "));
}

#[test]
fn a_record_of_a_beginning_replays_as_far_as_it_goes() {
    let folder = tempdir().unwrap();
    let record = r#"{"player":"x","ruleset":"own","rules":{"width":10,"height":20,"end":"above-top","preview":0,"randomizer":"fixed(OOO)"},"seed":1,"lines":7,"pieces":2000000,"finished":true,"complete":false,"placements":"On0 On2"}"#;
    fs::write(folder.path().join("games.jsonl"), record).unwrap();
    let said = stdout(folder.path(), &["replay", "games.jsonl"]);
    let expected = "0 lines after the first 2 of 2,000,000 pieces";
    assert!(said.contains(expected), "{said}");
    assert!(stdout(folder.path(), &["eval", "--help"]).contains("1,000,000"));
}

#[test]
fn features_are_computed_for_every_record() {
    let folder = tempdir().unwrap();
    let record = r###"{"id":"a","width":4,"height":4,"rows":["....","....","....","##.."],"piece":"O","cells":[[0,2],[0,3],[1,2],[1,3]]}"###;
    let lost = r###"{"width":4,"height":4,"rows":["#.#.","#.#.","#.#.","#.#."],"piece":"O","cells":[[4,0],[4,1],[5,0],[5,1]]}"###;
    fs::write(
        folder.path().join("in.jsonl"),
        format!("{record}\n\n{lost}\n"),
    )
    .unwrap();
    let args = [
        "features",
        "--from",
        "in.jsonl",
        "--players",
        "bcts,greedy(dt-10,ties=center)",
    ];
    let printed = stdout(folder.path(), &args);
    let rows: Vec<Value> = printed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows.len(), 2);
    assert_eq!(
        (&rows[0]["id"], &rows[0]["lines"]),
        (&Value::from("a"), &Value::from(1))
    );
    assert_eq!(rows[0]["features"]["landing_height"], 0.5);
    assert_eq!(rows[0]["features"]["eroded_piece_cells"], 2);
    assert_eq!(
        rows[0]["features"]["column_heights"],
        Value::from(vec![0, 0, 1, 1])
    );
    assert_eq!(rows[0]["choices"]["bcts"].as_array().unwrap().len(), 4);
    assert_eq!(rows[1]["game_over"], true);
    assert_eq!(rows[1]["choices"]["greedy(dt-10,ties=center)"], Value::Null);
    let few = stdout(
        folder.path(),
        &[
            "features",
            "--from",
            "in.jsonl",
            "--features",
            "near-perfect",
        ],
    );
    let few: Value = serde_json::from_str(few.lines().next().unwrap()).unwrap();
    assert_eq!(few["features"].as_object().unwrap().len(), 4);
}

#[test]
fn list_names_every_kind_of_part() {
    let folder = tempdir().unwrap();
    let all = json(folder.path(), &["list"]);
    for kind in [
        "rulesets",
        "randomizers",
        "features",
        "feature-sets",
        "evaluators",
        "players",
    ] {
        let rows = all[kind].as_array().unwrap();
        assert!(rows.len() >= 3, "{kind}");
        assert!(
            rows.iter()
                .all(|row| row["definition"] != "" && row["source"] != ""),
            "{kind}"
        );
    }
    assert!(stdout(folder.path(), &["list", "players"]).contains("misakamm-v2"));
}

#[test]
fn recorded_games_are_a_dataset_of_features() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    let eval = |ruleset: &str, file: &str| {
        let args = [
            "eval",
            "bcts",
            "--games=2",
            "--max-pieces=9",
            "--ruleset",
            ruleset,
            "--record",
            file,
        ];
        stdout(here, &args);
    };
    for (ruleset, file) in [("thesis", "games.jsonl"), ("guideline", "stepped.jsonl")] {
        eval(ruleset, file);
        let args = [
            "features",
            "--from",
            file,
            "--features",
            "holes,landing_height",
        ];
        let printed = stdout(here, &args);
        let rows: Vec<Value> = printed
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(rows.len(), 18, "{printed}");
        let last = &rows[17];
        assert_eq!((&last["game"], &last["index"]), (&2.into(), &9.into()));
        assert_eq!(
            (&last["player"], &last["ruleset"]),
            (&"bcts".into(), &ruleset.into())
        );
        assert_eq!(last["cells"].as_array().unwrap().len(), 4);
        let letter = last["placement"].as_str().unwrap()[..1].to_owned();
        assert_eq!(last["piece"], letter);
        assert_eq!(last["features"].as_object().unwrap().len(), 2);
        assert!(rows[0]["features"]["holes"] == 0 && rows[0]["game_over"] == false);
    }
    // Totals that contradict the placements are rejected before any output, as in `replay`.
    let text = fs::read_to_string(here.join("games.jsonl")).unwrap();
    let mut wrong: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    wrong["lines"] = 7.into();
    fs::write(here.join("wrong.jsonl"), format!("{wrong}\n")).unwrap();
    let said = sentence(here, &["features", "--from", "wrong.jsonl"]);
    assert_eq!(said, sentence(here, &["replay", "wrong.jsonl"]));
    assert!(said.ends_with("lines, but the record says 7"), "{said}");
    // The features equal those of the same placement read as a single record.
    let first = stdout(here, &["features", "--from", "games.jsonl"]);
    let first: Value = serde_json::from_str(first.lines().next().unwrap()).unwrap();
    let rows = vec![".".repeat(10); 20];
    let alone = serde_json::json!({
        "width": 10, "height": 20, "rows": rows, "piece": first["piece"], "cells": first["cells"],
    });
    fs::write(here.join("one.jsonl"), format!("{alone}\n")).unwrap();
    let alone = stdout(here, &["features", "--from", "one.jsonl"]);
    let alone: Value = serde_json::from_str(&alone).unwrap();
    assert_eq!(alone["features"], first["features"]);

    let players = ["features", "--from", "games.jsonl", "--players", "bcts"];
    let said = sentence(here, &players);
    assert!(
        said.starts_with("games.jsonl, line 1: --players takes recorded placements"),
        "{said}"
    );
    fs::write(here.join("other.jsonl"), "{\"a\":1}\n").unwrap();
    let said = sentence(here, &["features", "--from", "other.jsonl"]);
    assert!(
        said.contains("expected a placement") && said.contains("found neither"),
        "{said}"
    );
    let said = sentence(here, &["replay", "one.jsonl"]);
    assert!(said.contains("missing field `player`"), "{said}");
}

#[test]
fn a_list_is_short_and_an_entry_is_complete() {
    let folder = tempdir().unwrap();
    let list = |args: &[&str]| stdout(folder.path(), &[&["list"], args].concat());
    let short = list(&[]);
    assert!(short.lines().count() <= 80, "{}", short.lines().count());
    for name in [
        "features (",
        "holes",
        "bcts",
        "thesis-pso",
        "danger-quick",
        "simplified-10x20",
    ] {
        assert!(short.contains(name), "{name}");
    }
    // One line for each part; settings that all parts share are listed once, at the end.
    let features = list(&["features"]);
    let all = json(folder.path(), &["list", "features"]);
    let count = all["features"].as_array().unwrap().len();
    assert!(features.lines().count() <= count + 3, "{features}");
    let rulesets = list(&["rulesets"]);
    assert_eq!(rulesets.matches("randomizer=").count(), 1, "{rulesets}");
    let one = |args: &[&str], words: &[&str]| {
        let said = list(args);
        assert!(
            words.iter().all(|word| said.contains(word)),
            "{args:?}: {said}"
        );
        assert!(
            said.lines().all(|line| line.chars().count() <= 100),
            "{said}"
        );
    };
    one(
        &["bcts"],
        &["bcts (player)", "bcts (feature-set)", "weights ", "source "],
    );
    one(
        &["features", "holes"],
        &["holes (feature)", "in the sets", "dellacherie"],
    );
    one(&["feature", "holes"], &["holes (feature)"]);
    for ruleset in ["simplified-7x12", "simplified-10x20", "guideline-16x40"] {
        let name = format!("{ruleset} (ruleset)");
        one(&[ruleset], &[&name, "randomizer"]);
        one(&["rulesets", ruleset], &[&name, "randomizer"]);
    }
    for unknown in ["simplified-7x99", "simplified-3x12"] {
        let said = sentence(folder.path(), &["list", unknown]);
        assert!(said.contains(unknown), "{said}");
    }
    one(
        &["learners", "cma-es"],
        &["optimiser", "boumaza", "population=auto"],
    );
    one(
        &["thesis-ga"],
        &[
            "preset of ga",
            "max pieces 5,000",
            "population=170",
            "change=fixed",
        ],
    );
    one(
        &["danger"],
        &["reinforcement learner", "learns ", "settings"],
    );
    let bcts = json(folder.path(), &["list", "players", "bcts"]);
    assert_eq!(bcts["players"][0]["name"], "bcts");
    let wrong = |args: &[&str]| sentence(folder.path(), &[&["list"], args].concat());
    assert_eq!(
        wrong(&["bctss"]),
        "there is no part 'bctss'; did you mean 'bcts'?"
    );
    assert_eq!(
        wrong(&["features", "hols"]),
        "there is no feature 'hols'; did you mean 'holes'?"
    );
    assert_eq!(
        wrong(&["fetures", "holes"]),
        "there is no kind of part 'fetures'; did you mean 'features'?"
    );
}

#[test]
fn lists_are_at_most_100_columns_wide_and_lose_nothing() {
    let folder = tempdir().unwrap();
    for args in [&["list"][..], &["list", "--all"], &["list", "players"]] {
        for line in stdout(folder.path(), args).lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }
    let said = stdout(folder.path(), &["list", "learners", "--all"]);
    let (_, said) = said.split_once('\n').unwrap();
    let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
    let rows = &json(folder.path(), &["list", "learners"])["learners"];
    let cells = |row: &Value, keys: &[&str]| -> usize {
        let cells = keys.iter().map(|key| letters(row[key].as_str().unwrap()));
        cells.sum()
    };
    let mut expected = 0;
    for row in rows.as_array().unwrap() {
        expected += cells(row, &["name", "definition", "source"]);
        for setting in row["settings"].as_array().unwrap() {
            expected += cells(setting, &["id", "default", "help", "values"]) + "=".len();
        }
    }
    assert_eq!(letters(said), expected);
}

#[test]
fn a_list_as_json_has_all_settings_and_their_limits() {
    let folder = tempdir().unwrap();
    let all = json(folder.path(), &["list"]);
    let setting = |kind: &str, part: &str, id: &str| {
        let named = |list: &Value, key: &str, name: &str| {
            let mut rows = list.as_array().unwrap().iter();
            rows.find(|row| row[key] == name).unwrap().clone()
        };
        named(&named(&all[kind], "name", part)["settings"], "id", id)
    };
    let evaluator = setting("players", "greedy", "evaluator");
    assert_eq!(
        (&evaluator["kind"], &evaluator["registry"]),
        (&"part".into(), &"evaluator".into())
    );
    assert_eq!(
        (&evaluator["needed"], &evaluator["default"]),
        (&true.into(), &Value::Null)
    );
    let ties = setting("players", "two-piece", "ties");
    assert_eq!(
        ties["words"],
        serde_json::json!(["reference", "center", "dellacherie"])
    );
    let population = setting("learners", "ga", "population");
    assert_eq!(
        (&population["least"], &population["default"]),
        (&2.into(), &"100".into())
    );
    assert_eq!(setting("randomizers", "weighted", "S")["digits"], 9);
    assert_eq!(setting("randomizers", "fixed", "pieces")["kind"], "pieces");
    assert_eq!(setting("rulesets", "thesis", "end")["default"], "top-row");
    assert_eq!(setting("objectives", "survival", "rounds")["default"], "3");
    let mut evaluators = all["evaluators"].as_array().unwrap().iter();
    let displaced = evaluators.find(|row| row["name"] == "displaced").unwrap();
    assert_eq!(displaced["tables"][1]["neutral"], 1.0);
    for rows in all.as_object().unwrap().values() {
        for row in rows.as_array().unwrap() {
            assert!(row["settings"].is_array(), "{row}");
        }
    }
}

#[test]
fn bench_reports_a_workload_and_a_signature() {
    let folder = tempdir().unwrap();
    let args = ["bench", "--only", "greedy-bcts-10x20", "--seconds", "0.05"];
    let report = json(folder.path(), &args);
    assert_eq!(report["signature"].as_str().unwrap().len(), 16);
    let rows = report["workloads"].as_array().unwrap();
    let general = rows.iter().find(|row| row["path"] == "general").unwrap();
    assert_eq!(
        (&general["name"], &general["threads"]),
        (&Value::from("greedy-bcts-10x20"), &Value::from(1))
    );
    assert!(general["decisions_per_second"].as_f64().unwrap() > 0.0);
}

#[test]
fn bench_alternates_between_one_thread_and_several() {
    let folder = tempdir().unwrap();
    let only = ["bench", "--only", "arena-bcts-10x20", "--seconds", "0.05"];
    let threads = |more: &[&str]| {
        let report = json(folder.path(), &[&only[..], more].concat());
        let rows = report["workloads"].as_array().unwrap().iter();
        rows.map(|row| row["threads"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(threads(&["--threads", "3"]), [1, 3]);
    assert_eq!(threads(&["--threads", "1"]), [1]);
    let said = stdout(folder.path(), &[&only[..], &["--threads", "2"]].concat());
    assert!(said.contains("2 threads make "), "{said}");
}

#[test]
fn bench_verify_ends_with_the_comparisons_made_so_far() {
    if !tetrolab::core::simd::is_available() {
        return;
    }
    let folder = tempdir().unwrap();
    let said = stdout(folder.path(), &["bench", "--verify", "--decisions", "100"]);
    let (comparisons, last) = said.trim_end().rsplit_once("\n\n").unwrap();
    let count = comparisons.lines().count();
    assert!(
        last.starts_with(&format!("{count} comparisons, ")),
        "{last}"
    );
    assert!(last.ends_with(" decisions, no difference"), "{last}");
}

#[test]
fn help_teaches() {
    let folder = tempdir().unwrap();
    for args in [
        &["--help"][..],
        &["eval", "--help"],
        &["features", "--help"],
        &["bench", "--help"],
    ] {
        assert!(stdout(folder.path(), args).len() > 300, "{args:?}");
    }
}

#[test]
fn a_piece_that_cannot_enter_is_not_taken_out_of_the_hold() {
    let folder = tempdir().unwrap();
    let games = [
        "eval",
        "wary-10",
        "--ruleset=guideline",
        "--games=1",
        "--max-pieces=400",
    ];
    let result = json(folder.path(), &games);
    assert_eq!(result["results"][0]["finished"], 1, "{result}");
}
