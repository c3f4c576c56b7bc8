use super::*;
use crate::formats::games::{parse, ruleset};
use crate::library::{FileSource, find_ruleset};
use serde_json::{Value, json};

/// Sends a message; the answer must be a state.
fn send(group: &mut SessionGroup, message: &Value) -> Value {
    let answer: Value = serde_json::from_str(&group.handle_json(&message.to_string())).unwrap();
    assert!(answer["boards"].is_array(), "{message}: {answer}");
    answer
}

/// The first record, parsed and replayed as a caller would do it.
fn replayed(group: &SessionGroup) -> (GameRecord, Game) {
    let text = group.records_json();
    let record = parse(text.lines().next().unwrap()).unwrap();
    let game = record.replay(&ruleset(&record).unwrap(), None).unwrap();
    (record, game)
}

#[test]
fn messages_alone_play_a_game_of_a_bot_and_a_person_whose_record_replays() {
    for rules in ["simplified-10x20", "guideline"] {
        let start: SessionStart =
            serde_json::from_value(json!({ "ruleset": rules, "players": ["bcts"] })).unwrap();
        let mut group = start.open().unwrap();
        let state = send(&mut group, &json!({ "action": "bot", "plays": true }));
        assert_eq!(state["boards"][0]["player"], "bcts");
        let mut state = state;
        while state["boards"][0]["pieces"].as_u64().unwrap() < 6 {
            state = send(&mut group, &json!({ "action": "time", "milliseconds": 17 }));
        }
        send(&mut group, &json!({ "action": "bot", "plays": false }));
        let tap = json!({ "action": "key", "input": "D", "stroke": "tap" });
        send(&mut group, &tap);
        for _ in 0..40 {
            state = send(&mut group, &json!({ "action": "time", "milliseconds": 17 }));
        }
        assert_eq!(state["boards"][0]["player"], "you", "{rules}");
        let pieces = state["boards"][0]["pieces"].as_u64().unwrap();
        assert_eq!(pieces, 7, "{rules}");
        let (record, game) = replayed(&group);
        assert_eq!((record.player.as_str(), game.pieces()), ("you and bcts", 7));
        for left in (4..pieces).rev() {
            state = send(&mut group, &json!({ "action": "undo" }));
            assert_eq!(state["boards"][0]["pieces"], left, "{rules}");
        }
        assert_eq!(state["boards"][0]["redo"], 3);
        assert_eq!(replayed(&group).1.pieces(), 4);
        send(&mut group, &json!({ "action": "go-to", "pieces": 7 }));
        assert_eq!(
            replayed(&group).0.placements,
            record.placements,
            "{rules}: redone"
        );
    }
}

/// Number of pieces that a bot has placed after these messages; its record must replay.
fn placed_after(messages: &[Value]) -> u64 {
    let start: SessionStart = serde_json::from_value(
        json!({ "ruleset": "guideline", "players": ["bcts"], "person": false }),
    )
    .unwrap();
    let mut group = start.open().unwrap();
    for message in messages {
        send(&mut group, message);
    }
    replayed(&group).1.pieces()
}

#[test]
fn no_tick_is_lost_however_much_time_a_message_reports() {
    let fast = json!({ "action": "speed", "factor": "8" });
    let long = json!({ "action": "time", "milliseconds": 200 });
    let short = json!({ "action": "time", "milliseconds": 50 });
    let in_long = [vec![fast.clone()], vec![long; 10]].concat();
    let in_short = [vec![fast], vec![short; 40]].concat();
    assert_eq!(placed_after(&in_long), placed_after(&in_short));
    let forever = json!({ "action": "time", "milliseconds": u64::MAX });
    assert!(placed_after(&vec![forever; 1100]) > 0);
}

#[test]
fn dealing_by_the_rules_again_leaves_a_record_that_replays() {
    let deal = |by: &str| json!({ "action": "deal", "by": by });
    let step = json!({ "action": "step" });
    let once = [vec![deal("rules")], vec![step.clone(); 9]].concat();
    assert_eq!(placed_after(&once), 9);
    let twice = [
        vec![step.clone(); 3],
        vec![deal("adversary"), deal("rules")],
        vec![step; 9],
    ]
    .concat();
    assert_eq!(placed_after(&twice), 12);
}

#[test]
fn a_state_has_what_a_page_draws() {
    let start = SessionStart {
        person: false,
        ..SessionStart::default()
    };
    let mut group = start.open().unwrap();
    send(&mut group, &json!({ "action": "step" }));
    let state = send(&mut group, &json!({ "action": "analyse" }));
    let board = &state["boards"][0];
    let filled: String = board["rows"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(filled.chars().filter(|letter| *letter != '.').count(), 4);
    assert_eq!(board["falling"]["cells"].as_array().unwrap().len(), 4);
    assert_eq!(board["queue"].as_str().unwrap().len(), 5);
    let placements = board["analysis"]["placements"].as_array().unwrap();
    assert!(placements.len() > 1 && placements[0]["score"].is_number());
    assert_eq!(
        (&board["level"], &board["dealing"]),
        (&json!(1), &json!("rules"))
    );
}

#[test]
fn a_piece_that_is_played_after_an_undo_ends_the_redo() {
    let rules = Arc::new(find_ruleset("simplified-10x10").unwrap());
    let bot = Bot::find(FileSource::Disk, "bcts", &rules).unwrap();
    let mut session = Session::new(rules, 3, Some(bot), true);
    assert!(session.step() && session.step() && session.undo_piece());
    assert_eq!(session.history(), (1, 1));
    assert!(session.step() && !session.redo_piece());
    assert_eq!(session.history(), (2, 0));
}

#[test]
fn wrong_messages_are_answered_with_an_error_and_change_nothing() {
    let mut group = SessionStart::default().open().unwrap();
    let before = json!(group.state());
    for (message, said) in [
        ("{", "message: "),
        (r#"{"action":"jump"}"#, "message: unknown variant"),
        (
            r#"{"action":"key","input":"x","stroke":"tap"}"#,
            "expected the letter of an input",
        ),
        (
            r#"{"action":"piece","piece":"x"}"#,
            "expected the letter of a piece",
        ),
        (
            r#"{"action":"speed","factor":"0"}"#,
            "speed: expected a factor",
        ),
        (r#"{"action":"edit","rows":["x"]}"#, ""),
    ] {
        let answer: Value = serde_json::from_str(&group.handle_json(message)).unwrap();
        let error = answer["error"]
            .as_str()
            .unwrap_or_else(|| panic!("{message}: {answer}"));
        assert!(error.starts_with(said), "{message}: {error}");
        assert_eq!(json!(group.state()), before);
    }
    for players in [
        vec![],
        vec!["bcts".to_owned(); 3],
        vec!["./bcts.toml".to_owned()],
        vec!["nobody".to_owned()],
    ] {
        let start = SessionStart {
            players,
            ..SessionStart::default()
        };
        assert!(start.open().is_err(), "{start:?}");
    }
}

#[test]
fn a_session_reads_no_file_for_its_level_or_its_adversary() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.toml");
    std::fs::write(&file, include_str!("../../players/dellacherie.toml")).unwrap();
    let name = file.display().to_string();
    let from_disk = find_ruleset(&format!("guideline(randomizer=adversary({name}))")).unwrap();
    assert!(at_level(&from_disk, 3, FileSource::Disk).is_ok());
    let refused = at_level(&from_disk, 3, FileSource::NAMES).err().unwrap();
    assert!(
        refused.to_string().contains("files cannot be read here"),
        "{refused}"
    );
    let setup = |library| {
        let ruleset = Arc::new(find_ruleset("simplified-10x10").unwrap());
        GroupSetup {
            lineup: Lineup::Bots(vec![Bot::find(FileSource::Disk, "bcts", &ruleset).unwrap()]),
            ruleset,
            seed: 1,
            speed: Speed::NORMAL,
            pieces: None,
            adversary: name.clone(),
            library,
            keys: None,
        }
    };
    assert!(SessionGroup::new(setup(FileSource::Disk)).is_ok());
    assert!(SessionGroup::new(setup(FileSource::NAMES)).is_err());
}

#[test]
fn too_many_players_are_refused_with_their_number() {
    let of = |players: usize, record: Option<String>| SessionStart {
        players: vec!["bcts".to_owned(); players],
        record,
        ..SessionStart::default()
    };
    let error = of(3, None).open().err().unwrap().to_string();
    let said = "a person plays with at most one helper and one opponent; got 3 players";
    assert_eq!(error, said);
    let mut group = SessionStart::default().open().unwrap();
    send(&mut group, &json!({ "action": "bot", "plays": true }));
    send(&mut group, &json!({ "action": "step" }));
    let record = group.records_json();
    assert!(of(1, Some(record.clone())).open().is_ok());
    let error = of(2, Some(record)).open().err().unwrap().to_string();
    assert_eq!(
        error,
        "a record is watched with at most one player; got 2 players"
    );
}

fn watched() -> SessionGroup {
    let start = json!({
        "ruleset": "simplified-10x20", "players": ["bcts"], "person": false,
        "seed": "18446744073709551615"
    });
    let start: SessionStart = serde_json::from_value(start).unwrap();
    assert_eq!(start.seed, u64::MAX);
    start.open().unwrap()
}

#[test]
fn the_moments_of_a_game_are_counted_in_pieces_after_full_speed_too() {
    let mut group = watched();
    send(&mut group, &json!({ "action": "speed", "factor": "full" }));
    for _ in 0..3 {
        send(&mut group, &json!({ "action": "time", "milliseconds": 16 }));
    }
    send(&mut group, &json!({ "action": "pause", "on": true }));
    let state = send(&mut group, &json!({ "action": "undo" }));
    let board = &state["boards"][0];
    assert_eq!((&board["undo"], &board["redo"]), (&json!(2), &json!(1)));
    assert_eq!(board["pieces"], 200);
    assert_eq!(board["moments"], json!([0, 300]));
    let state = send(&mut group, &json!({ "action": "go-to", "pieces": 0 }));
    assert_eq!(state["boards"][0]["pieces"], 0);
    assert_eq!(state["boards"][0]["moments"], json!([0, 300]));
}

#[test]
fn a_thousand_pieces_can_be_undone_and_no_more() {
    let mut group = watched();
    send(&mut group, &json!({ "action": "pause", "on": true }));
    for _ in 0..1_002 {
        send(&mut group, &json!({ "action": "step" }));
    }
    let state = send(&mut group, &json!({ "action": "step" }));
    let board = &state["boards"][0];
    assert_eq!(
        (&board["undo"], &board["pieces"]),
        (&json!(1_000), &json!(1_003))
    );
    assert_eq!(board["moments"], json!([3, 1_003]));
}

#[test]
fn edits_of_long_games_are_forgotten_before_they_take_memory() {
    let mut group = watched();
    let rows = json!({ "action": "edit", "rows": ["#.........", "#........."] });
    let edits = |group: &SessionGroup| group.sessions()[0].edited.len();
    for _ in 0..30 {
        send(&mut group, &rows);
    }
    assert_eq!(edits(&group), 20, "short ones are kept");
    send(&mut group, &json!({ "action": "speed", "factor": "full" }));
    send(&mut group, &json!({ "action": "pause", "on": false }));
    group.advance(std::time::Duration::from_millis(16), &mut {
        let mut pieces = 0;
        move || {
            pieces += 1;
            pieces >= 100_100
        }
    });
    send(&mut group, &rows);
    assert_eq!(edits(&group), 1, "a long one stands alone");
    let before = send(&mut group, &json!({ "action": "undo" }));
    assert_eq!(before["boards"][0]["pieces"], 100_100);
}

#[test]
fn a_seed_is_an_integer_or_its_digits() {
    for seed in [
        json!(-1),
        json!(1.5),
        json!("x"),
        json!("18446744073709551616"),
        json!(null),
    ] {
        let start = json!({ "seed": seed });
        assert!(
            serde_json::from_value::<SessionStart>(start).is_err(),
            "{seed}"
        );
    }
}
