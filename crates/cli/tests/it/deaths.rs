//! `tetrolab deaths`: how a player dies.

use crate::{json, sentence, stdout};
use std::fs;
use tempfile::tempdir;

const QUICK: [&str; 5] = [
    "deaths",
    "bcts",
    "--ruleset=simplified-10x8",
    "--trajectories=200",
    "--level=stack",
];

#[test]
fn deaths_are_boards_side_by_side_each_rarer_than_the_one_before() {
    let folder = tempdir().unwrap();
    let two = [&QUICK[..], &["--deaths=2"]].concat();
    let said = stdout(folder.path(), &two);
    let value = json(folder.path(), &two);
    let boards = |death: &serde_json::Value| {
        let steps = death["steps"].as_array().unwrap().iter();
        let before = steps.filter(|step| step["board"] != death["end"]["board"]);
        (before.count() + 1).min(6)
    };
    let deaths = value["deaths"].as_array().unwrap();
    let boards: usize = deaths.iter().map(boards).sum();
    assert!(
        boards > 4 && said.matches("1 in ").count() == boards,
        "{said}"
    );
    assert_eq!(said.lines().count(), 3 + 2 * (2 + 8 + 2) + 1, "{said}");
    for death in deaths {
        let piece = death["end"]["piece"].as_str().unwrap();
        assert!(said.matches(piece).count() >= 4, "{piece}: {said}");
        assert_eq!(death["end"]["rate"], value["rate_of_repetition"]);
        assert_eq!(death["end"]["board"].as_array().unwrap().len(), 8);
    }
    let value = json(folder.path(), &[&QUICK[..], &["--worst-of=3"]].concat());
    assert!(value["rate_of_repetition"].as_f64().unwrap() > 0.0);
    assert!((1..=3).contains(&value["repetition"].as_u64().unwrap()));
    let deaths = value["deaths"].as_array().unwrap();
    assert_eq!(deaths.len(), 3);
    for death in deaths {
        let steps = death["steps"].as_array().unwrap();
        let rates: Vec<f64> = steps
            .iter()
            .map(|step| step["rate"].as_f64().unwrap())
            .collect();
        assert!(rates.is_sorted_by(|a, b| a > b), "{rates:?}");
        assert_eq!(steps[0]["board"].as_array().unwrap().len(), 8);
    }
}

#[test]
fn deaths_are_drawn() {
    let folder = tempdir().unwrap();
    let said = stdout(folder.path(), &[&QUICK[..], &["--svg=deaths.svg"]].concat());
    assert_eq!(said, "3 death(s) drawn into deaths.svg\n");
    let drawn = fs::read_to_string(folder.path().join("deaths.svg")).unwrap();
    assert!(drawn.starts_with("<svg") && drawn.contains("How bcts dies"));
    assert!(drawn.matches("class=\"well\"").count() > 6, "{drawn}");
    assert_eq!(drawn.matches("class=\"piece ").count(), 3 * 4, "{drawn}");
}

#[test]
fn deaths_that_cannot_be_found_are_refused_in_a_sentence() {
    let folder = tempdir().unwrap();
    let said = |args: &[&str]| sentence(folder.path(), &[&["deaths"], args].concat());
    assert!(said(&["nobody"]).contains("nobody"));
    assert!(said(&["bcts", "--ruleset=guideline"]).contains("guideline"));
    assert!(said(&["bcts", "--level=own"]).contains("no lookup tables"));
    assert!(said(&["bcts", "--level=tables(dt-10)"]).starts_with("dt-10 has no lookup tables"));
    assert!(said(&["bcts", "--level=tables(nobody)"]).starts_with("level tables: "));
    assert!(said(&["bcts", "--level=high"]).contains("danger, stack, own or tables(PLAYER)"));
    assert!(said(&["bcts", "--deaths=0"]).contains("--deaths"));
    let lost = [
        "bcts",
        "--ruleset=simplified-10x8",
        "--trajectories=200",
        "--svg=no/where.svg",
    ];
    assert!(said(&lost).contains("no/where.svg"));
}
