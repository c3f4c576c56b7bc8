//! The examples in the help of every subcommand, run in a folder that has the files they name.
//!
//! Numbers of games, boards and budgets are replaced by small ones. Examples that need a terminal,
//! run until they are stopped or take minutes are only parsed, by a test of the program.

use super::stdout;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::tempdir;

/// Creates the files that examples name: learning runs, a network, tables of generations, and text
/// files.
fn prepare(folder: &Path) {
    let learn = |run: &str, more: &[&str]| {
        let run = format!("--run=runs/{run}");
        let quick = [
            "learn",
            "random-search",
            "--ruleset=simplified-6x8",
            "--games=2",
            "--max-pieces=20",
            "--generations=2",
            "--test-games=0",
            &run,
        ];
        stdout(folder, &[&quick[..], more].concat());
    };
    for run in [
        "mine",
        "boumaza-3f2a9c01",
        "swarm-1",
        "swarm-2",
        "cma-1",
        "cma-2",
    ] {
        learn(run, &[]);
    }
    learn(
        "net",
        &["--evaluator=network", "--layers=2", "--out=network.toml"],
    );
    fs::create_dir(folder.join("curves")).unwrap();
    for seed in ["1", "2"] {
        let rows = stdout(folder, &["runs", &format!("swarm-{seed}"), "--csv"]);
        fs::write(folder.join(format!("curves/q-network-{seed}.csv")), rows).unwrap();
    }
    fs::write(folder.join("board.txt"), "#.........\n##.#######\n").unwrap();
    let placement = r###"{"width":4,"height":4,"rows":["....","....","....","##.."],"piece":"O","cells":[[0,2],[0,3],[1,2],[1,3]]}"###;
    fs::write(folder.join("placements.jsonl"), placement).unwrap();
    let experiment = "question = \"Which?\"\n[test]\nruleset = \"simplified-6x8\"\n\
                      target = { games = 2 }\n[[arm]]\nid = \"bcts\"\nplayer = \"bcts\"\n";
    fs::write(folder.join("mine.toml"), experiment).unwrap();
}

/// Makes an example cheaper: replaces its numbers of games, boards and budgets.
const CHEAPER: &[(&str, &str)] = &[
    ("--games 100000", "--games 8"),
    ("--games 1000", "--games 3"),
    ("--games 500", "--games 3"),
    ("--games 2 --record", "--games 2 --max-pieces 150 --record"),
    (
        "eval bcts dt-10 --json",
        "eval bcts dt-10 --ruleset simplified-6x8 --games 3 --json",
    ),
    (
        "--max-pieces 200",
        "--max-pieces 200 --ruleset simplified-10x20",
    ),
    (
        "--ruleset simplified-10x20 --precision 10%",
        "--ruleset simplified-6x6 --precision 50%",
    ),
    ("two-piece-10x6 --json", "two-piece-10x6 --games 1 --json"),
    (
        "compare bcts dellacherie --ruleset simplified-6x8",
        "compare bcts dellacherie --ruleset simplified-4x4 --margin 50%",
    ),
    (
        "compare runs/mine bcts --margin 2%",
        "compare runs/mine bcts --ruleset simplified-4x4 --margin 50%",
    ),
    (
        "deaths bcts --deaths 2",
        "deaths bcts --ruleset simplified-6x8 --trajectories 100 --deaths 2",
    ),
    ("tables wary-10", "tables wary-10 --pieces 200"),
    (
        "simplified-10x12 --tables",
        "simplified-10x12 --pieces 200 --tables",
    ),
    (
        "report bcts dellacherie",
        "report --ruleset simplified-6x8 --games 2 --max-pieces 50 bcts dellacherie",
    ),
    (
        "'ga(population=50)' --features near-perfect --generations 50",
        "'ga(population=5)' --ruleset simplified-6x8 --features near-perfect --generations 1 --games 1 --max-pieces 20 --test-games 0",
    ),
    ("--out runs/mine", "--out runs/experiment"),
    ("onnx runs/mine", "onnx runs/net"),
    ("watch bcts --danger", "watch bcts"),
    (
        "--pieces 60 --gif",
        "--ruleset simplified-6x8 --pieces 2 --gif",
    ),
    (
        "learn --resume --run runs/mine",
        "learn --resume --run runs/mine --test-games 0",
    ),
];

/// The beginnings of examples that are not run.
const NOT_RUN: &[&str] = &[
    "tetrolab bench",
    "tetrolab deaths wary-20",
    "tetrolab learn  ",
    "tetrolab learn boumaza",
    "tetrolab learn cross-entropy",
    "tetrolab play --ruleset",
    "tetrolab play",
    "tetrolab reference",
    "tetrolab reproduce strategies",
    "tetrolab reproduce thesis-swarm",
    "tetrolab results",
    "tetrolab serve",
];

/// The lines of the examples at the end of a help text.
fn examples(help: &str) -> Vec<&str> {
    let (_, examples) = help.rsplit_once("Example").unwrap_or_default();
    let lines = examples.lines().filter(|line| line.starts_with("  "));
    lines.map(str::trim).collect()
}

/// An example as a shell command, without its explanation, and made cheap.
fn command(example: &str) -> String {
    let (command, _) = example.split_once("  ").unwrap_or((example, ""));
    let mut command = command.to_owned();
    for (dear, cheap) in CHEAPER {
        command = command.replacen(dear, cheap, 1);
    }
    if command.starts_with("tetrolab watch") && !command.contains("--gif") {
        command += " --svg watched.svg";
        if !command.contains("--pieces") {
            command += " --pieces 2";
        }
    }
    command
}

#[test]
#[cfg(unix)]
fn the_examples_of_every_help_text_work() {
    let folder = tempdir().unwrap();
    prepare(folder.path());
    let program = Path::new(env!("CARGO_BIN_EXE_tetrolab")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let help = stdout(folder.path(), &["help"]);
    let (_, names) = help.split_once("Commands:").unwrap();
    let (names, _) = names.split_once("Options:").unwrap();
    // An indented line continues the description of the command above it.
    let names = names.lines().filter_map(|line| {
        let name = line
            .strip_prefix("  ")
            .filter(|name| !name.starts_with(' '))?;
        name.split_whitespace().next()
    });
    let mut run = 0;
    for name in names {
        for written in ["games.jsonl", "games.csv"] {
            let _ = fs::remove_file(folder.path().join(written));
        }
        let help = stdout(folder.path(), &["help", name]);
        for example in examples(&help) {
            let is_skipped = |begin: &str| format!("{example}  ").starts_with(begin);
            if NOT_RUN.iter().any(|begin| is_skipped(begin))
                && !example.contains("--print-settings")
                && !example.contains("--list")
            {
                continue;
            }
            let command = command(example);
            let output = Command::new("sh")
                .args(["-c", &command])
                .current_dir(folder.path())
                .env("PATH", &path)
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{name}: {command}: {said}");
            run += 1;
        }
    }
    assert!(run >= 35, "{run} examples were run");
}
