//! Sessions over a WebSocket.

use crate::client::{Lab, wait_for};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tetrolab_web::ServerLimits;

fn bots(players: &[&str]) -> Value {
    json!({ "ruleset": "simplified-10x20", "players": players, "person": false, "seed": 1 })
}

#[test]
fn a_game_is_watched_and_time_is_the_clients() {
    let lab = Lab::new();
    let (mut socket, state) = lab.session(&bots(&["bcts"]));
    assert_eq!(state["boards"][0]["pieces"], 0, "{state}");
    // A message plays for at most a frame, so a slow machine needs several messages.
    let mut played = 0;
    for _ in 0..200 {
        let state = socket.act(&json!({ "action": "time", "milliseconds": 50 }));
        played = state["boards"][0]["pieces"].as_u64().unwrap();
        if played > 0 {
            break;
        }
    }
    assert_eq!(played, 1);
    std::thread::sleep(Duration::from_millis(300));
    let state = socket.act(&json!({ "action": "hint" }));
    assert_eq!(state["boards"][0]["pieces"], 1, "nothing moves by itself");
    assert!(state["boards"][0]["hint"]["cells"].is_array());
    let state = socket.act(&json!({ "action": "analyse" }));
    let best = &state["boards"][0]["analysis"]["placements"][0];
    assert!(
        best["score"].is_number() && best["features"].as_array().unwrap().len() == 8,
        "{best}"
    );
    assert!(lab.files().is_empty());
}

#[test]
fn full_speed_plays_for_a_frame_and_answers() {
    let lab = Lab::new();
    let (mut socket, _) = lab.session(&bots(&["bcts", "dellacherie"]));
    socket.act(&json!({ "action": "speed", "factor": "full" }));
    let began = Instant::now();
    let state = socket.act(&json!({ "action": "time", "milliseconds": 16 }));
    assert!(began.elapsed() < Duration::from_secs(5));
    let pieces = |board: usize| state["boards"][board]["pieces"].as_u64().unwrap();
    assert!(pieces(0) >= 16, "{}", pieces(0));
    assert_eq!(
        pieces(0),
        pieces(1),
        "boards get the same pieces at the same time"
    );
}

#[test]
fn a_person_plays_undoes_pieces_and_hands_over() {
    let lab = Lab::new();
    let start = json!({ "ruleset": "simplified-10x20", "players": ["bcts"], "seed": 5 });
    let (mut socket, state) = lab.session(&start);
    assert_eq!(state["boards"][0]["player"], "you");
    let key =
        |input: &str, stroke: &str| json!({ "action": "key", "input": input, "stroke": stroke });
    let time = json!({ "action": "time", "milliseconds": 34 });
    let drop = json!({ "do": [key("D", "press"), key("D", "release"), time] });
    let state = socket.ask(&drop);
    assert_eq!(state["boards"][0]["pieces"], 1, "{state}");
    let state = socket.act(&json!({ "action": "undo" }));
    assert_eq!(state["boards"][0]["pieces"], 0);
    let state = socket.act(&json!({ "action": "bot", "plays": true }));
    assert_eq!(state["boards"][0]["player"], "bcts");
    let state = socket.act(&json!({ "action": "step" }));
    assert_eq!(state["boards"][0]["pieces"], 1);
}

#[test]
fn a_record_is_saved_loaded_and_scrubbed() {
    let lab = Lab::new();
    let (mut socket, _) = lab.session(&bots(&["bcts"]));
    let steps: Vec<Value> = (0..20).map(|_| json!({ "action": "step" })).collect();
    let before = socket.ask(&json!({ "do": steps }));
    let records = socket.ask(&json!({ "records": true }));
    let record = records["records"]
        .as_str()
        .unwrap()
        .lines()
        .next()
        .unwrap()
        .to_owned();
    let start = json!({ "record": record, "players": ["bcts"], "person": false });
    let (mut other, state) = lab.session(&start);
    assert_eq!(state["boards"][0]["recorded_pieces"], 20, "{state}");
    let at_end = other.act(&json!({ "action": "go-to", "pieces": 20 }));
    assert_eq!(at_end["boards"][0]["rows"], before["boards"][0]["rows"]);
    let state = other.act(&json!({ "action": "go-to", "pieces": 3 }));
    assert_eq!(state["boards"][0]["pieces"], 3);
    // Damaged records are refused, and the session continues.
    for damaged in [
        "",
        "{}",
        &record[..record.len() / 2],
        &record.replace("simplified", "no-such"),
    ] {
        let start = json!({ "start": { "record": damaged, "players": ["bcts"] } });
        let answer = other.ask(&start);
        if damaged != record.replace("simplified", "no-such") {
            assert!(answer["error"].is_string(), "{damaged}: {answer}");
        }
    }
    assert!(lab.files().is_empty());
}

#[test]
fn paths_and_unknown_names_are_refused() {
    let lab = Lab::new();
    let file = lab.folder().join("mine.toml");
    std::fs::write(&file, "secret = 1").unwrap();
    let path = file.display().to_string();
    for player in [
        &*path,
        "../players/bcts.toml",
        "/etc/passwd",
        "nobody",
        "greedy(mine.toml)",
    ] {
        let (_, answer) = lab.session(&bots(&[player]));
        let error = answer["error"]
            .as_str()
            .unwrap_or_else(|| panic!("{player}: {answer}"));
        assert!(!error.contains("secret"), "{error}");
    }
    let mut start = bots(&["bcts"]);
    start["ruleset"] = json!("/etc/hostname");
    assert!(lab.session(&start).1["error"].is_string());
}

#[test]
fn invalid_messages_are_reported_and_the_session_continues() {
    let lab = Lab::new();
    let mut socket = lab.socket(&[]).unwrap();
    let early = socket.act(&json!({ "action": "step" }));
    assert!(
        early["error"]
            .as_str()
            .unwrap()
            .contains("no game has started"),
        "{early}"
    );
    let five = socket.ask(&json!({ "start": bots(&["bcts"; 5]) }));
    assert!(
        five["error"]
            .as_str()
            .unwrap()
            .contains("at most 4 players"),
        "{five}"
    );
    socket.ask(&json!({ "start": bots(&["bcts"]) }));
    for wrong in [
        "",
        "null",
        "[]",
        "{\"do\":[{\"action\":\"fly\"}]}",
        "{\"do\":7}",
        "\u{0}",
    ] {
        socket.send(wrong);
        let answer: Value = serde_json::from_str(&socket.receive().unwrap()).unwrap();
        assert!(
            answer["error"].as_str().unwrap().starts_with("message: "),
            "{wrong}: {answer}"
        );
    }
    let many: Vec<Value> = (0..300).map(|_| json!({ "action": "step" })).collect();
    assert!(socket.ask(&json!({ "do": many }))["error"].is_string());
    assert_eq!(
        socket.act(&json!({ "action": "step" }))["boards"][0]["pieces"],
        1
    );
}

#[test]
fn one_session_too_many_gets_a_clear_message() {
    let limits = ServerLimits {
        sessions: 2,
        ..ServerLimits::default()
    };
    let lab = Lab::with(limits, None);
    let (first, _) = lab.session(&bots(&["bcts"]));
    let (_second, _) = lab.session(&bots(&["bcts"]));
    let mut third = lab.socket(&[]).unwrap();
    let answer = third.receive().unwrap();
    assert!(
        answer.contains("all 2 sessions of this server are in use"),
        "{answer}"
    );
    assert_eq!(third.receive(), None, "and the connection is closed");
    drop(first);
    wait_for("a place", || {
        let mut socket = lab.socket(&[]).ok()?;
        let state = socket.ask(&json!({ "start": bots(&["bcts"]) }));
        state["boards"].is_array().then_some(())
    });
}

#[test]
fn a_client_that_never_reads_is_disconnected() {
    let limits = ServerLimits {
        sessions: 1,
        reading: Duration::from_millis(200),
        ..ServerLimits::default()
    };
    let lab = Lab::with(limits, None);
    let (mut socket, _) = lab.session(&bots(&["bcts"]));
    let message = json!({ "do": [{ "action": "analyse" }] }).to_string();
    let began = Instant::now();
    while socket.try_send(&message).is_ok() {
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "the server goes on sending"
        );
    }
    let (_, state) = wait_for("a place", || {
        let mut socket = lab.socket(&[]).ok()?;
        let state = socket.ask(&json!({ "start": bots(&["bcts"]) }));
        state["boards"].is_array().then_some((socket, state))
    });
    assert_eq!(state["boards"][0]["pieces"], 0);
}

#[test]
fn a_message_that_is_too_long_ends_the_session() {
    let limits = ServerLimits {
        message: 10_000,
        ..ServerLimits::default()
    };
    let lab = Lab::with(limits, None);
    let mut socket = lab.socket(&[]).unwrap();
    socket.send(&json!({ "start": { "record": "x".repeat(20_000) } }).to_string());
    assert_eq!(socket.receive(), None);
}

#[test]
fn a_decision_that_takes_too_long_ends_the_session() {
    let limits = ServerLimits {
        sessions: 1,
        decision: Duration::from_millis(300),
        ..ServerLimits::default()
    };
    let lab = Lab::with(limits, None);
    let start = bots(&["mcts(bcts,simulations=1000000)"]);
    let (mut socket, state) = lab.session(&start);
    assert!(state["boards"].is_array(), "{state}");
    let answer = socket.act(&json!({ "action": "step" }));
    assert!(
        answer["error"].as_str().unwrap().contains("for a decision"),
        "{answer}"
    );
    assert_eq!(socket.receive(), None);
}
