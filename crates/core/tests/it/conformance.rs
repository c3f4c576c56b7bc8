//! The reference simulator's numbers and the choices of published players, record by record.

use serde_json::Value;
use std::sync::Arc;
use tetrolab_core::board::Board;
use tetrolab_core::choice::{BestPlacement, GreedyOptions, Ties};
use tetrolab_core::ends::End;
use tetrolab_core::evaluators::Linear;
use tetrolab_core::features::{FeatureSet, feature, feature_set};
use tetrolab_core::outcomes::{DecisionContext, Outcomes, Scored};
use tetrolab_core::piece::Piece;
use tetrolab_core::placement::{Placement, Transition};
use tetrolab_core::rules::Rules;

const RECORDS: &str = include_str!("../fixtures/placements-10x20.jsonl");
const WIDTH: usize = 10;
const HEIGHT: usize = 20;

struct Record {
    json: Value,
    board: Board,
    piece: Piece,
}

fn records() -> Vec<Record> {
    let parse = |line: &str| {
        let json: Value = serde_json::from_str(line).unwrap();
        let board = board(json["rows"].as_str().unwrap());
        let piece = Piece::from_letter(json["piece"].as_str().unwrap().chars().next().unwrap());
        Record {
            board,
            piece: piece.unwrap(),
            json,
        }
    };
    RECORDS.lines().map(parse).collect()
}

/// A board written as rows separated by slashes, top row first, which may reach above the top.
fn board(text: &str) -> Board {
    let mut board = Board::new(WIDTH, HEIGHT).unwrap();
    for (row, cells) in text.split('/').rev().enumerate() {
        for (column, _) in cells.match_indices('#') {
            board.fill(row, column);
        }
    }
    board
}

fn decision(record: &Record) -> DecisionContext<'_> {
    DecisionContext {
        board: &record.board,
        piece: record.piece,
        rules: Rules::Drops(End::ABOVE_TOP),
        next: None,
        scored: Scored::AfterRemoval,
        lines_before: 0,
    }
}

fn placement(record: &Record, cells: &Value) -> Placement {
    let cell = |cell: &Value| {
        let number = |index: usize| cell[index].as_u64().unwrap() as usize;
        (number(0), number(1))
    };
    let cells: Vec<_> = cells.as_array().unwrap().iter().map(cell).collect();
    Placement::from_cells(record.piece, &cells).unwrap()
}

fn transition(record: &Record) -> Transition {
    let wanted = placement(record, &record.json["cells"]);
    let mut outcomes = Outcomes::default();
    outcomes.generate(&decision(record));
    let index = (0..outcomes.len()).find(|&index| outcomes.placement(index) == wanted);
    outcomes.transition(index.expect("the recorded placement is one where the piece drops"))
}

#[test]
fn there_are_410_records_and_lost_games_among_them() {
    let records = records();
    assert_eq!(records.len(), 410);
    let lost = records
        .iter()
        .filter(|record| record.json["game_over"] == true);
    assert!(lost.count() > 10);
}

#[test]
fn placements_agree_with_the_reference_simulator() {
    for record in records() {
        let (transition, json) = (transition(&record), &record.json);
        assert_eq!(json["lines"], transition.lines(), "record {}", json["id"]);
        assert_eq!(
            json["game_over"], transition.game_over,
            "record {}",
            json["id"]
        );
        let after = board(json["after"].as_str().unwrap());
        assert_eq!(after, transition.after, "record {}", json["id"]);
    }
}

#[test]
fn features_have_the_reference_simulators_values() {
    let mut compared = 0;
    for record in records() {
        let transition = transition(&record);
        for (id, expected) in record.json["features"].as_object().unwrap() {
            let expected: Vec<f64> = match expected {
                Value::Array(numbers) => numbers.iter().map(|n| n.as_f64().unwrap()).collect(),
                number => vec![number.as_f64().unwrap()],
            };
            let values = feature(id).expect("a known feature").values(&transition);
            assert_eq!(values, expected, "{id} in record {}", record.json["id"]);
            compared += 1;
        }
    }
    assert_eq!(compared, 410 * 22);
}

/// Checks a player's choice in every record; a choice is the four cells, or an orientation and a
/// column.
fn check_choices(player: &str, set: &str, weights: &[f64], ties: Ties) {
    let features = FeatureSet::new(feature_set(set).unwrap().resolve(), WIDTH);
    let evaluator = Arc::new(Linear::new(features, weights.to_vec()).unwrap());
    let options = GreedyOptions {
        ties,
        ..GreedyOptions::default()
    };
    let mut greedy = BestPlacement::new(evaluator, options);
    let mut wrong = Vec::new();
    for record in records() {
        let expected = &record.json["choices"][player];
        let choice = greedy.best(&decision(&record));
        let agrees = if expected.is_null() {
            choice.game_over
        } else {
            let wanted = wanted(&record, expected);
            !choice.game_over && (choice.placement.rotation, choice.placement.x) == wanted
        };
        if !agrees {
            wrong.push(record.json["id"].to_string());
        }
    }
    assert!(
        wrong.is_empty(),
        "{player} differs in {} records: {wrong:?}",
        wrong.len()
    );
}

fn wanted(record: &Record, choice: &Value) -> (tetrolab_core::piece::Rotation, u8) {
    if choice[0].is_array() {
        let placement = placement(record, choice);
        return (placement.rotation, placement.x);
    }
    let number = |index: usize| choice[index].as_u64().unwrap() as usize;
    (record.piece.shapes()[number(0)].rotation, number(1) as u8)
}

#[test]
fn dellacherie_chooses_as_in_the_reference_simulator() {
    let weights = [-1.0, 1.0, -1.0, -1.0, -4.0, -1.0];
    check_choices("dellacherie", "dellacherie", &weights, Ties::Reference);
}

#[test]
fn boumazas_player_chooses_as_in_the_reference_simulator() {
    let weights = [
        -0.3213, 0.0744, -0.2851, -0.5907, -0.2188, -0.2650, -0.0822, -0.5499,
    ];
    check_choices("boumaza-8", "bcts", &weights, Ties::Reference);
}

#[test]
fn bcts_chooses_as_in_the_reference_simulator() {
    let weights = [
        -12.629, 6.601974, -9.215815, -19.77356, -13.08335, -10.48747, -1.611863, -24.04087,
    ];
    check_choices("bcts", "bcts", &weights, Ties::Reference);
}

#[test]
fn misakamms_player_chooses_as_its_own_program_does() {
    let weights = [
        -100.0, -95.0, -401.0, -132.0, -88.0, -88.0, -75.0, 67.0, 86.0, 19.5, -0.2,
    ];
    check_choices("misakamm-v2", "misakamm", &weights, Ties::Center);
}
