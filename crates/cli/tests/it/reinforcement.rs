//! Runs of reinforcement learners that are killed, resumed, run out of disk space, or diverge.

use super::learn::generations;
use super::resume::{kill, spawn, wait_for_generations};
use super::{failure, json, sentence, stdout, tetrolab, with_file_limit};
use std::fs;
use std::path::Path;
use tempfile::tempdir;
use tetrolab::learners::{find_learner, names};

/// Settings with which a generation takes a few milliseconds.
const SMALL: &str =
    "units=4,layers=1,queue=500,begin=0.2,interval=300,batch=16,epochs=2,actors=2,ahead=5";
const SMALL_DANGER: &str =
    "interval=300,warmup=500,ancestors=0.5,refresh=1000,trajectories=10,groups=1,lowest=6";
const SMALL_TD: &str = "units=4,interval=300,warmup=500,temperature=0.5,average=5000";

/// A run of a few generations in the folder `run`.
fn args<'a>(learner: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let quick = [
        "learn",
        learner,
        "--ruleset=simplified-6x8",
        if learner.starts_with("td-tables") || learner.starts_with("danger") {
            "--features=heights+cross"
        } else {
            "--features=dellacherie"
        },
        "--objective=lines",
        "--games=3",
        "--test-games=0",
        "--run=lab/run",
        "--quiet",
    ];
    quick.iter().chain(more).copied().collect()
}

fn small(learner: &str) -> String {
    let small = if learner.starts_with("td-") {
        SMALL_TD
    } else if learner.starts_with("danger") {
        SMALL_DANGER
    } else {
        SMALL
    };
    format!("{learner}({small})")
}

/// The contents of the player file and of its network's file.
fn learned(folder: &Path) -> [Vec<u8>; 2] {
    ["player.toml", "player.safetensors"]
        .map(|name| fs::read(folder.join("lab/run").join(name)).unwrap())
}

const STORE_FILES: [&str; 3] = ["lab.sqlite", "lab.sqlite-wal", "lab.sqlite-shm"];

/// The files of a store that is not open in any process.
fn store_files(folder: &Path) -> Vec<(&'static str, Vec<u8>)> {
    let read = |name| Some((name, fs::read(folder.join("lab").join(name)).ok()?));
    STORE_FILES.into_iter().filter_map(read).collect()
}

/// Replaces the files of a store.
fn put_back(folder: &Path, files: &[(&str, Vec<u8>)]) {
    for name in STORE_FILES {
        let _ = fs::remove_file(folder.join("lab").join(name));
    }
    for (name, bytes) in files {
        fs::write(folder.join("lab").join(name), bytes).unwrap();
    }
}

#[test]
fn a_run_that_is_killed_anywhere_and_resumed_gives_the_same_network_to_the_byte() {
    let trained = |name: &&str| find_learner(name).unwrap().learner.make.trains_model();
    for name in names().filter(trained) {
        let learner = small(name);
        let args = args(&learner, &["--generations=30"]);
        let whole = tempdir().unwrap();
        stdout(whole.path(), &args);
        let broken = tempdir().unwrap();
        let mut next = args.clone();
        let mut old_store = Vec::new();
        for moment in [1, 10, 20] {
            let mut child = spawn(broken.path(), &next);
            wait_for_generations(broken.path(), &mut child, moment);
            kill(child);
            match moment {
                10 => old_store = store_files(broken.path()),
                // The store is many generations behind the checkpoint.
                20 => put_back(broken.path(), &old_store),
                _ => {}
            }
            next = vec![
                "learn",
                "--resume",
                "--run=lab/run",
                "--test-games=0",
                "--quiet",
            ];
        }
        stdout(broken.path(), &next);
        assert_eq!(learned(broken.path()), learned(whole.path()), "{learner}");
        assert_eq!(generations(broken.path()), 30);
        // Showing the run again gives the same output.
        stdout(whole.path(), &args);
        assert_eq!(learned(broken.path()), learned(whole.path()));
    }
}

#[test]
fn the_same_seed_learns_the_same_network_on_any_number_of_threads() {
    let learner = small("q-network-fast");
    let learn = |more: &str| {
        let folder = tempdir().unwrap();
        stdout(folder.path(), &args(&learner, &["--generations=5", more]));
        learned(folder.path())[1].clone()
    };
    let one = learn("--threads=1");
    assert_eq!(learn("--threads=2"), one);
    assert_eq!(learn("--threads=5"), one);
    assert_ne!(learn("--seed=2"), one);
}

#[test]
fn a_learned_network_plays_moves_and_is_written_for_other_programs() {
    let folder = tempdir().unwrap();
    let learner = small("q-network");
    let out = ["--generations=2", "--out=mine.toml"];
    stdout(folder.path(), &args(&learner, &out));
    for player in ["lab/run", "mine.toml", "greedy(network(mine.toml))"] {
        let eval = ["eval", player, "--games=5", "--ruleset=simplified-6x8"];
        assert!(json(folder.path(), &eval)["results"][0]["lines"]["mean"].is_number());
    }
    let written = json(folder.path(), &["onnx", "mine.toml", "mine.onnx"]);
    assert_eq!(written["inputs"], 6);
    assert!(folder.path().join("mine.onnx").exists());
    assert_eq!(
        sentence(folder.path(), &["onnx", "mine.toml", "mine.onnx"]),
        "mine.onnx: already exists; choose a new file name"
    );
    assert_eq!(
        sentence(folder.path(), &["onnx", "bcts", "other.onnx"]),
        "bcts has the linear evaluator; only a network can be written as ONNX"
    );
    let rows = stdout(folder.path(), &["runs", "--lab=lab", "run", "--csv"]);
    assert_eq!(rows.lines().count(), 3, "a row for each generation");
    // A truncated network file is refused, and the error names it.
    let network = folder.path().join("mine.safetensors");
    let bytes = fs::read(&network).unwrap();
    fs::write(&network, &bytes[..bytes.len() - 1]).unwrap();
    let said = sentence(folder.path(), &["eval", "mine.toml", "--games=5"]);
    assert!(
        said.starts_with("mine.safetensors: tensor 'layer.1.bias': it ends at byte"),
        "{said}"
    );
    fs::write(&network, "something else").unwrap();
    let said = sentence(folder.path(), &["eval", "mine.toml", "--games=5"]);
    assert!(
        said.starts_with("mine.safetensors: not a safetensors file: "),
        "{said}"
    );
}

#[test]
fn learned_tables_play_and_damaged_ones_are_refused_by_name_and_place() {
    let folder = tempdir().unwrap();
    let learner = small("td-tables");
    let out = ["--generations=3", "--out=mine.toml"];
    stdout(folder.path(), &args(&learner, &out));
    for player in [
        "lab/run",
        "mine.toml",
        "greedy(tables(mine.toml))",
        "expectimax(mine.toml)",
    ] {
        let eval = ["eval", player, "--games=5", "--ruleset=simplified-6x8"];
        assert!(json(folder.path(), &eval)["results"][0]["lines"]["mean"].is_number());
    }
    assert_eq!(
        sentence(folder.path(), &["onnx", "mine.toml", "mine.onnx"]),
        "mine.toml has the tables evaluator; only a network can be written as ONNX"
    );
    let said = sentence(folder.path(), &["eval", "mine.toml", "--games=5"]);
    assert!(
        said.ends_with("the tables were made for boards 6 wide, not 10"),
        "{said}"
    );
    let tables = folder.path().join("mine.safetensors");
    let bytes = fs::read(&tables).unwrap();
    fs::write(&tables, &bytes[..bytes.len() - 1]).unwrap();
    let eval = ["eval", "mine.toml", "--games=5", "--ruleset=simplified-6x8"];
    let said = sentence(folder.path(), &eval);
    assert!(
        said.starts_with(
            "mine.safetensors: tensor 'cross(first=rows-left,second=holes)': it ends at byte"
        ),
        "{said}"
    );
}

/// The error about a learner that is refused.
fn refused(folder: &Path, learner: &str, more: &[&str]) -> String {
    let begin = ["learn", learner, "--generations=1", "--run=lab/run"];
    sentence(folder, &[&begin, more].concat())
}

#[test]
fn learners_of_temporal_differences_refuse_what_they_cannot_learn() {
    let folder = tempdir().unwrap();
    let said = |learner: &str, more: &[&str]| refused(folder.path(), learner, more);
    assert_eq!(
        said("td-lambda", &["--evaluator=linear"]),
        "td-lambda supports only the evaluator network, board-network or tables, got linear"
    );
    assert!(said("td-tables", &["--features=heigts"]).contains("did you mean 'heights'?"));
    assert!(said("td-tables(rate=nan)", &[]).contains("rate must be a number from"));
    assert!(said("td-lambda(gamma=1)", &[]).contains("gamma must be a number from 0 to 0.999999"));
    assert!(said("td-lambda(behaviour=nobody)", &[]).contains("nobody"));
    assert_eq!(
        said("cma-es", &["--evaluator=tables"]),
        "cma-es with the evaluator tables optimises one scale per table of an existing player: name one as the start of the search"
    );
}

#[test]
fn the_learner_of_dangers_refuses_what_it_cannot_learn() {
    let folder = tempdir().unwrap();
    let said = |learner: &str, more: &[&str]| refused(folder.path(), learner, more);
    assert!(said("danger(horizon=0)", &[]).contains("horizon must be a number from 2"));
    assert!(said("danger(rate=nan)", &[]).contains("rate must be a number from"));
    assert!(said("danger", &["--features=nothing"]).contains("nothing"));
    assert!(said("danger", &["--evaluator=linear"]).contains("supports only the evaluator tables"));
    assert!(said("danger(behaviour=nobody)", &[]).contains("nobody"));
    for (ruleset, problem) in [
        (
            "simplified-10x10(randomizer=bag)",
            "pieces must be independent",
        ),
        ("two-piece-10x10", "must not show the next piece"),
        ("simplified-10x30", "up to 26 rows"),
        ("guideline", "only games with straight drops"),
    ] {
        let said = said("danger", &["--ruleset", ruleset]);
        assert!(said.contains(problem), "{said}");
    }
    assert!(!folder.path().join("lab").exists());
}

#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    // The queue grows, so the checkpoint of the second or third generation no longer fits, whatever
    // the size of a block.
    let learner = "q-network(units=4,layers=1,queue=40000,begin=0.01,interval=4000,batch=16,epochs=1,every=20)";
    let args = args(learner, &["--generations=5"]);
    let whole = tempdir().unwrap();
    stdout(whole.path(), &args);
    let folder = tempdir().unwrap();
    let output = with_file_limit(folder.path(), 512, &args);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("cannot be written: ") && said.lines().count() == 1,
        "{said}"
    );
    stdout(folder.path(), &[&args[..], &["--resume"]].concat());
    assert_eq!(learned(folder.path()), learned(whole.path()));
}

#[test]
fn a_network_that_runs_away_is_one_clear_sentence_and_leaves_the_last_good_checkpoint() {
    let folder = tempdir().unwrap();
    // Learning begins in the second generation.
    let wild = SMALL.replace("begin=0.2", "begin=0.9");
    let wild = format!("q-network({wild},rule=sgd,rate=10,gamma=1,reward=survival)");
    let said = sentence(folder.path(), &args(&wild, &["--generations=100"]));
    assert!(said.starts_with("the model diverged after "), "{said}");
    assert!(
        said.contains("; the checkpoint of generation ")
            && said.ends_with("lab/run/checkpoint.safetensors; try a smaller rate"),
        "{said}"
    );
    assert!(
        folder
            .path()
            .join("lab/run/checkpoint.safetensors")
            .exists()
    );
    assert!(!folder.path().join("lab/run/player.toml").exists());
}

#[test]
fn settings_of_optimisers_are_refused() {
    let folder = tempdir().unwrap();
    let said = |more: &str| sentence(folder.path(), &args("q-network", &[more]));
    assert_eq!(
        said("--evaluator=linear"),
        "q-network supports only the evaluator network, got linear"
    );
    assert_eq!(
        said("--start=bcts"),
        "q-network cannot start from an existing player; leave start out"
    );
    assert_eq!(
        said("--runs=2"),
        "q-network supports one run only, because the results of several cannot be averaged"
    );
    let missing = tetrolab(folder.path())
        .args(["learn", "q-netwrk"])
        .output()
        .unwrap();
    assert!(failure(folder.path(), &missing).contains("'q-netwrk'"));
    let broken = folder.path().join("lab/run/checkpoint.safetensors");
    let learner = small("q-network");
    stdout(folder.path(), &args(&learner, &["--generations=1"]));
    fs::write(&broken, "broken").unwrap();
    let said = sentence(folder.path(), &args(&learner, &["--generations=1"]));
    assert!(
        said.starts_with("lab/run/checkpoint.safetensors: not a safetensors file")
            && said.ends_with(
                "; if you delete this file, the run starts again from its beginning, with the same result"
            ),
        "{said}"
    );
    fs::remove_file(&broken).unwrap();
    stdout(folder.path(), &args(&learner, &["--generations=1"]));
}
