//! Comparisons, learning runs and experiments over HTTP.

use crate::client::{Lab, wait_for};
use serde_json::{Value, json};
use tetrolab::arena::Arena;
use tetrolab::context::Context;
use tetrolab::learning::{Budget, LearningRequest};
use tetrolab::study::{Evaluation, Keep, LearningPlace, Plan, evaluate, learn};
use tetrolab_web::ServerLimits;

/// Waits for the end of a study; returns the data of its last event of a kind.
fn ended(lab: &Lab, study: &Value) -> Value {
    // The stream ends with the study.
    let text = lab.get(&format!("/api/studies/{study}/events")).body;
    let mut blocks = text.split("\n\n");
    let last = blocks.find(|block| block.lines().any(|line| line == "event: ended"));
    let last = last.unwrap_or_else(|| panic!("{text}"));
    let data = last.lines().find_map(|line| line.strip_prefix("data: "));
    serde_json::from_str(data.unwrap()).unwrap()
}

fn comparison() -> Value {
    json!({ "players": ["bcts", "dellacherie"], "ruleset": "simplified-6x8", "games": 70, "seed": 3 })
}

#[test]
fn a_comparison_gives_the_digits_of_an_evaluation() {
    let lab = Lab::new();
    let started = lab.post("/api/evaluations", &comparison());
    assert_eq!(started.status, 200, "{}", started.body);
    assert_eq!(
        started.json()["command"],
        "tetrolab eval bcts dellacherie --ruleset simplified-6x8 --games 70 --seed 3"
    );
    let done = ended(&lab, &started.json()["study"]);
    assert_eq!(done["state"], "finished", "{done}");
    let evaluation = Evaluation {
        players: vec!["bcts".into(), "dellacherie".into()],
        ruleset: "simplified-6x8".into(),
        plan: Plan::games(70),
        seed: 3,
    };
    let context = Context::new(&Arena::new(1).unwrap());
    let expected = evaluate(&evaluation, &Keep::nothing(), &context).unwrap();
    let results = done["result"]["evaluated"]["results"].as_array().unwrap();
    for (found, expected) in results.iter().zip(&expected.results) {
        assert_eq!(found["lines"], json!(expected.lines));
        assert_eq!(found["games"], 70);
    }
    assert_eq!(
        done["result"]["evaluated"]["comparisons"],
        json!(expected.comparisons)
    );
    let plots = done["result"]["plots"].as_array().unwrap();
    assert_eq!(plots.len(), 3);
    assert!(plots[0].as_str().unwrap().starts_with("<svg"));
    // Interim results came before: 20, 30 and 45 games; the last of them is kept.
    let text = lab
        .get(&format!("/api/studies/{}/events", started.json()["study"]))
        .body;
    assert!(
        text.contains("event: interim") && text.contains("\"games\":68"),
        "{text}"
    );
}

#[test]
fn wrong_comparisons_are_refused_and_nothing_is_written() {
    let lab = Lab::new();
    let changes = [
        ("players", json!([])),
        ("players", json!(["nobody"])),
        ("players", json!(["/etc/passwd"])),
        ("players", json!(["../x.toml"])),
        ("players", json!(["bcts", "bcts"])),
        (
            "players",
            json!(
                (0..13)
                    .map(|depth| format!("beam(bcts,width={})", depth + 2))
                    .collect::<Vec<_>>()
            ),
        ),
        ("ruleset", json!("simplified-3x99")),
        ("ruleset", json!("rules.toml")),
        ("games", json!(0)),
        ("games", json!(1_500_000)),
        ("games", json!(-1)),
    ];
    for (field, value) in changes {
        let mut request = comparison();
        request[field] = value;
        let answer = lab.post("/api/evaluations", &request);
        assert_eq!(answer.status, 400, "{request}: {}", answer.body);
        assert!(!answer.error().is_empty());
    }
    assert!(lab.files().is_empty());
    assert_eq!(lab.get("/api/studies").json()["studies"], json!([]));
}

#[test]
fn one_study_too_many_is_refused_and_a_stopped_one_frees_its_slot() {
    let limits = ServerLimits {
        studies: 1,
        ..ServerLimits::default()
    };
    let lab = Lab::with(limits, None);
    let mut long = comparison();
    long["ruleset"] = json!("simplified-10x20");
    let first = lab.post("/api/evaluations", &long).json();
    assert_eq!(
        lab.post("/api/evaluations", &long).json()["study"],
        first["study"],
        "the same study"
    );
    let second = lab.post("/api/evaluations", &comparison());
    assert_eq!(second.status, 429, "{}", second.body);
    assert!(second.error().contains("1 studies are running"));
    assert_eq!(
        lab.post(&format!("/api/studies/{}/stop", first["study"]), &json!({}))
            .status,
        200
    );
    assert_eq!(ended(&lab, &first["study"])["state"], "stopped");
    assert_eq!(lab.post("/api/evaluations", &comparison()).status, 200);
    assert_eq!(lab.get("/api/studies/99/events").status, 404);
}

fn request(generations: u64) -> LearningRequest {
    LearningRequest {
        learner: "random-search(population=6)".to_owned(),
        ruleset: Some("simplified-6x8".to_owned()),
        features: Some("dellacherie".to_owned()),
        games: Some(2),
        max_pieces: Some(Some(200)),
        budget: Budget::generations(generations),
        seed: Some(4),
        ..LearningRequest::default()
    }
}

#[test]
fn a_run_that_was_stopped_survives_a_restart_and_ends_with_the_same_bytes() {
    let lab = Lab::new();
    let plan = lab.post("/api/plans", &json!(request(300)));
    assert_eq!(plan.status, 200, "{}", plan.body);
    assert!(lab.files().is_empty(), "a plan writes nothing");
    let started = lab.post("/api/runs", &json!(request(300))).json();
    let run = started["run"].as_str().unwrap().to_owned();
    assert_eq!(plan.json()["run"], run);
    let generations = |lab: &Lab| {
        let runs = lab.get("/api/runs").json();
        runs["runs"][0]["generations"]
            .as_u64()
            .filter(|count| *count > 3)
    };
    wait_for("generations", || generations(&lab));
    let lab = lab.restarted();
    let row = lab.get(&format!("/api/runs/{run}")).json();
    assert_eq!(row["state"], "interrupted", "{row}");
    assert!(row["curve"].as_str().unwrap().starts_with("<svg"));
    let resumed = lab
        .post(&format!("/api/runs/{run}/resume"), &json!({}))
        .json();
    assert_eq!(ended(&lab, &resumed["study"])["state"], "finished");
    let player = lab.get(&format!("/api/runs/{run}/files/player.toml"));
    assert_eq!(player.status, 200);
    // The same run without a stop.
    let folder = tempfile::tempdir().unwrap();
    let learning = request(300).plan().unwrap().learning;
    let mut place = LearningPlace::new(&folder.path().join(&run)).unwrap();
    place.provenance = Some(tetrolab_web::command::learning(&learning));
    let context = Context::new(&Arena::new(1).unwrap());
    learn(&learning, &place, &context).unwrap();
    assert_eq!(
        player.body,
        std::fs::read_to_string(place.run.player()).unwrap()
    );
    let csv = lab
        .get(&format!("/api/runs/{run}/files/generations.csv"))
        .body;
    assert_eq!(csv.lines().count(), 301);
    let svg = lab.get(&format!(
        "/api/curves?runs={run}&over=generations&download=true"
    ));
    assert!(
        svg.head.contains("image/svg+xml") && svg.body.contains("<svg"),
        "{}",
        svg.head
    );
}

#[test]
fn wrong_runs_are_refused_and_nothing_is_written() {
    let lab = Lab::new();
    let changes = [
        ("learner", json!("nobody")),
        ("learner", json!("cma-es(population=1)")),
        ("learner", json!("random-search(population=lots)")),
        ("ruleset", json!("/etc/passwd")),
        ("features", json!("mine.toml")),
        ("start", json!("../mine.toml")),
        ("games", json!(0)),
        ("surprise", json!(1)),
        ("games", json!(u64::MAX)),
        ("runs", json!(1000)),
    ];
    for (field, value) in changes {
        let mut asked = json!(request(1));
        asked[field] = value;
        let answer = lab.post("/api/runs", &asked);
        assert_eq!(answer.status, 400, "{asked}: {}", answer.body);
        assert!(!answer.error().is_empty());
    }
    for path in [
        "/api/runs/none",
        "/api/runs/..",
        "/api/runs/..%2f..%2fetc",
        "/api/runs/none/files/player.toml",
    ] {
        assert_eq!(lab.get(path).status, 404, "{path}");
    }
    assert_eq!(lab.get("/api/curves?runs=").status, 400);
    assert!(lab.files().is_empty());
}

#[test]
fn experiments_are_listed_and_unknown_ones_refused() {
    let lab = Lab::new();
    let list = lab.get("/api/experiments").json();
    let list = list["experiments"].as_array().unwrap();
    assert!(list.len() > 20 && list.iter().all(|one| one["report"] == false));
    assert_eq!(lab.get("/reports/strategies").status, 404);
    for wrong in ["none", "..%2fstrategies", "%2fetc"] {
        assert_eq!(
            lab.post(&format!("/api/experiments/{wrong}"), &json!({}))
                .status,
            404,
            "{wrong}"
        );
    }
    assert!(lab.files().is_empty());
}

#[test]
fn features_have_values_on_a_board() {
    let lab = Lab::new();
    let rows: Vec<String> = ["....", "....", "....", "....", "...#", "##.#"]
        .map(str::to_owned)
        .to_vec();
    let answer = lab.post("/api/features", &json!({ "rows": rows, "piece": "I" }));
    assert_eq!(answer.status, 200, "{}", answer.body);
    let values = &answer.json()["values"];
    assert!(values["holes"].is_array() && answer.json()["cells"].as_array().unwrap().len() == 4);
    let step = json!({ "ruleset": "simplified-4x6", "rows": rows, "placement": answer.json()["placement"] });
    let picture = lab.post(
        "/api/features/picture",
        &json!({ "feature": "holes", "step": step }),
    );
    assert_eq!(picture.status, 200, "{}", picture.body);
    assert_eq!(picture.json()["values"], values["holes"]);
    let unknown = lab.post(
        "/api/features/picture",
        &json!({ "feature": "hols", "step": step }),
    );
    assert_eq!(unknown.status, 400);
    for wrong in [
        json!({ "rows": [], "piece": "I" }),
        json!({ "rows": rows, "piece": "Q" }),
        json!({ "rows": ["##"], "piece": "I" }),
    ] {
        assert_eq!(lab.post("/api/features", &wrong).status, 400, "{wrong}");
    }
    assert!(
        lab.get("/api/features").json()["features"]
            .as_array()
            .unwrap()
            .len()
            > 90
    );
}
