//! Networks trained by optimisers: killed and resumed runs, runs that start from a network, and
//! invalid requests.

use super::learn::generations;
use super::resume::{kill, spawn, wait_for_generations};
use super::{json, sentence, stdout};
use std::fs;
use std::path::Path;
use tempfile::tempdir;

/// A run in the folder `run` with few games.
fn args<'a>(learner: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let quick = [
        "learn",
        learner,
        "--ruleset=simplified-6x8",
        "--games=3",
        "--max-pieces=100",
        "--test-games=0",
        "--run=lab/run",
        "--quiet",
    ];
    quick.iter().chain(more).copied().collect()
}

/// The contents of the player file and of its network's file.
fn learned(folder: &Path) -> [Vec<u8>; 2] {
    ["player.toml", "player.safetensors"]
        .map(|name| fs::read(folder.join("lab/run").join(name)).unwrap())
}

#[test]
fn a_search_that_is_killed_and_resumed_gives_the_same_network_to_the_byte() {
    for learner in ["network-swarm(population=4)", "network-cma-es"] {
        let args = args(learner, &["--layers=5,4", "--generations=60"]);
        let whole = tempdir().unwrap();
        stdout(whole.path(), &args);
        let broken = tempdir().unwrap();
        let mut child = spawn(broken.path(), &args);
        wait_for_generations(broken.path(), &mut child, 20);
        kill(child);
        let again = [
            "learn",
            "--resume",
            "--run=lab/run",
            "--test-games=0",
            "--threads=1",
            "--quiet",
        ];
        stdout(broken.path(), &again);
        let same = learned(broken.path()) == learned(whole.path());
        assert!(same, "{learner}");
        assert_eq!(generations(broken.path()), 60);
    }
}

#[test]
fn a_network_that_was_searched_plays_is_exported_and_is_a_start() {
    let folder = tempdir().unwrap();
    let more = ["--generations=2", "--layers=4", "--out=mine.toml"];
    stdout(folder.path(), &args("network-swarm(population=4)", &more));
    for player in ["lab/run", "mine.toml", "greedy(network(mine.toml))"] {
        let eval = ["eval", player, "--games=5", "--ruleset=simplified-6x8"];
        assert!(json(folder.path(), &eval)["results"][0]["lines"]["mean"].is_number());
    }
    let written = json(folder.path(), &["onnx", "mine.toml", "mine.onnx"]);
    assert_eq!(written["inputs"], 6);
    let rows = stdout(folder.path(), &["runs", "--lab=lab", "run", "--csv"]);
    assert!(rows.contains("layer.1.weight:4,layer.1.bias:1"), "{rows}");
    let near = [
        "learn",
        "cma-es",
        "--evaluator=network",
        "--features=thesis-6",
        "--ruleset=simplified-6x8",
        "--start=mine.toml",
        "--generations=2",
        "--games=3",
        "--test-games=0",
        "--run=lab/near",
    ];
    let result = json(folder.path(), &near);
    assert_eq!(result["plan"]["layers"], "4");
    assert_eq!(
        result["solutions"][0].as_array().unwrap().len(),
        6 * 4 + 4 + 4 + 1
    );
}

#[test]
fn layers_for_evaluators_without_layers_are_refused() {
    let folder = tempdir().unwrap();
    let said = sentence(folder.path(), &["learn", "cma-es", "--layers=3"]);
    assert_eq!(
        said,
        "the linear evaluator is not a network and has no layers"
    );
    let said = sentence(folder.path(), &["learn", "q-network", "--layers=3"]);
    assert_eq!(
        said,
        "the layers of a reinforcement learner are among its settings, as in q-network(units=32,layers=3)"
    );
    let said = sentence(folder.path(), &["learn", "network-swarm", "--layers=0"]);
    assert_eq!(
        said,
        "expected 1 to 8 layers of 1 to 4096 units, such as 32,32,32, got '0'"
    );
    let said = sentence(folder.path(), &["learn", "network-swarm", "--runs=2"]);
    assert_eq!(
        said,
        "the network evaluator supports one run only, because networks cannot be averaged"
    );
}
