//! `tetrolab work`: an evaluation shared by several processes.

use super::{failure, json, sentence, stdout, tetrolab};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::tempdir;

const PLAYERS: [&str; 3] = ["bcts", "random", "mine.toml"];

const MINE: &str = "name = \"mine\"\nfeatures = \"strategies\"\n[weights]\nany_line = 1\nholes = -1\nvariation = -0.5\n";

/// The units of an evaluation in a folder that has a player file.
fn units(folder: &Path, more: &[&str]) -> Vec<String> {
    fs::write(folder.join("mine.toml"), MINE).unwrap();
    let args = [&["work", "split"], &PLAYERS[..], more].concat();
    stdout(folder, &args).lines().map(str::to_owned).collect()
}

/// Starts a worker in its own folder, which has no player file.
fn worker(folder: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tetrolab"));
    command.current_dir(folder).args(["work", "--threads=1"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(Stdio::piped()).spawn().unwrap()
}

/// The answers of a worker to units.
fn answers(units: &[String]) -> String {
    let elsewhere = tempdir().unwrap();
    let mut child = worker(elsewhere.path());
    let mut input = child.stdin.take().unwrap();
    let text = units.join("\n");
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

/// A result without the fields that depend on the clock.
fn timeless(mut value: Value) -> Value {
    for result in value["results"].as_array_mut().unwrap() {
        result["seconds"] = Value::Null;
        result["decisions_per_second"] = Value::Null;
    }
    value
}

const GAME: [&str; 3] = ["--ruleset=simplified-6x8", "--games=60", "--seed=7"];

/// The result of a single process.
fn whole(folder: &Path, more: &[&str]) -> Value {
    timeless(json(folder, &[&["eval"], &PLAYERS[..], more].concat()))
}

#[test]
fn two_processes_give_the_merged_result_of_one() {
    let folder = tempdir().unwrap();
    let units = units(folder.path(), &[&GAME[..], &["--parts=5"]].concat());
    assert_eq!(units.len(), 15);
    let (first, second) = units.split_at(8);
    fs::write(folder.path().join("a.jsonl"), answers(first)).unwrap();
    fs::write(folder.path().join("b.jsonl"), answers(second)).unwrap();
    let merge = ["work", "merge", "b.jsonl", "a.jsonl"];
    assert_eq!(
        timeless(json(folder.path(), &merge)),
        whole(folder.path(), &GAME)
    );
    let said = stdout(folder.path(), &merge);
    assert!(said.contains("On the same games, against bcts:"), "{said}");
}

#[test]
fn repetitions_of_splitting_are_shared_too() {
    let folder = tempdir().unwrap();
    let small = [
        "--ruleset=simplified-8x6",
        "--repetitions=4",
        "--trajectories=100",
    ];
    let units = units(folder.path(), &[&small[..], &["--parts=2"]].concat());
    fs::write(folder.path().join("a.jsonl"), answers(&units)).unwrap();
    let merged = timeless(json(folder.path(), &["work", "merge", "a.jsonl"]));
    assert_eq!(merged, whole(folder.path(), &small));
}

#[test]
fn the_range_of_a_killed_worker_is_computed_by_another() {
    let folder = tempdir().unwrap();
    let units = units(folder.path(), &[&GAME[..], &["--parts=4"]].concat());
    let elsewhere = tempdir().unwrap();
    let mut killed = worker(elsewhere.path());
    let mut input = killed.stdin.take().unwrap();
    let mut output = BufReader::new(killed.stdout.take().unwrap());
    let mut kept = String::new();
    for unit in &units[..3] {
        writeln!(input, "{unit}").unwrap();
        output.read_line(&mut kept).unwrap();
    }
    // The worker has taken the next unit when it is killed.
    writeln!(input, "{}", units[3]).unwrap();
    killed.kill().unwrap();
    killed.wait().unwrap();
    fs::write(folder.path().join("a.jsonl"), &kept).unwrap();
    let merge = ["work", "merge", "a.jsonl"];
    assert_eq!(
        sentence(folder.path(), &merge),
        "games 45 to 59 of bcts are missing"
    );
    // The worker that repeats the unit may compute further units as well.
    fs::write(folder.path().join("b.jsonl"), answers(&units[2..])).unwrap();
    let merge = ["work", "merge", "a.jsonl", "b.jsonl"];
    assert_eq!(
        timeless(json(folder.path(), &merge)),
        whole(folder.path(), &GAME)
    );
}

#[cfg(unix)]
#[test]
fn a_worker_that_waits_for_its_next_unit_can_be_stopped() {
    let folder = tempdir().unwrap();
    let units = units(folder.path(), &[&GAME[..], &["--parts=1"]].concat());
    let mut waiting = worker(folder.path());
    let mut input = waiting.stdin.take().unwrap();
    writeln!(input, "{}", units[0]).unwrap();
    let mut answer = String::new();
    let mut output = BufReader::new(waiting.stdout.take().unwrap());
    output.read_line(&mut answer).unwrap();
    super::interrupt(&waiting);
    // The worker's input is still open.
    assert_eq!(waiting.wait().unwrap().code(), Some(130));
    drop(input);
}

#[test]
fn a_bad_line_is_answered_and_reflected_in_the_exit_code() {
    let folder = tempdir().unwrap();
    let units = units(folder.path(), &[&GAME[..], &["--parts=1"]].concat());
    let text = format!("nonsense\n{}\n{{}}\n", units[0]);
    let output = tetrolab(folder.path())
        .arg("work")
        .write_stdin(text)
        .output()
        .unwrap();
    let refused = failure(folder.path(), &output);
    assert_eq!(
        refused,
        "2 lines were refused; their answers give the reasons"
    );
    let said = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), 3);
    assert!(
        answers[0]["error"]
            .as_str()
            .unwrap()
            .starts_with("not a unit of work")
    );
    assert_eq!(
        (&answers[1]["player"], &answers[2]["line"]),
        (&Value::from("bcts"), &Value::from(3))
    );
    fs::write(folder.path().join("bad.jsonl"), "\nnonsense\n").unwrap();
    let said = sentence(folder.path(), &["work", "merge", "bad.jsonl"]);
    assert!(
        said.starts_with("bad.jsonl, line 2: not the result of a unit: "),
        "{said}"
    );
    assert!(sentence(folder.path(), &["work", "split", "bcts"]).contains("--games"));
    let own = ["work", "split", "bcts", "--repetitions=3", "--level=own"];
    assert!(sentence(folder.path(), &own).contains("no lookup tables"));
    assert_eq!(
        sentence(folder.path(), &["work", "split", "nobody", "--games=3"]),
        "there is no player 'nobody'"
    );
}

#[test]
fn a_unit_makes_the_worker_read_no_file() {
    let folder = tempdir().unwrap();
    let units = units(folder.path(), &[&GAME[..], &["--parts=1"]].concat());
    let unit: Value = serde_json::from_str(&units[2]).unwrap();
    assert_eq!(unit["player"]["files"]["mine.toml"], Value::from(MINE));
    let mut named = unit.clone();
    named["player"]["files"] = Value::Object(serde_json::Map::new());
    let mut model = unit;
    let text =
        "name = \"x\"\nevaluator = \"network\"\nfeatures = \"bcts\"\nnetwork = \"mine.toml\"\n";
    model["player"]["files"]["mine.toml"] = Value::from(text);
    let lines = format!("{named}\n{model}\n");
    // The file exists already.
    let output = tetrolab(folder.path())
        .arg("work")
        .write_stdin(lines)
        .output();
    let said = String::from_utf8(output.unwrap().stdout).unwrap();
    let said: Vec<&str> = said.lines().collect();
    assert!(
        said[0].contains("the player file of mine.toml was not sent"),
        "{said:?}"
    );
    assert!(
        said[1].contains("differs from the machine where the unit was made"),
        "{said:?}"
    );
}

#[test]
fn units_without_their_models_are_for_another_worker() {
    let folder = tempdir().unwrap();
    let flags = [&GAME[..], &["--parts=2", "--models=models.jsonl"]].concat();
    let units = units(folder.path(), &flags).join("\n");
    let models = fs::read_to_string(folder.path().join("models.jsonl")).unwrap();
    assert_eq!(models.lines().count(), 1);
    let work = |more: &[&str]| {
        let mut command = tetrolab(folder.path());
        command.arg("work").args(more).write_stdin(units.as_bytes());
        command.output().unwrap()
    };
    assert_eq!(work(&[]).status.code(), Some(75));
    let output = work(&["--models=models.jsonl"]);
    assert_eq!(output.status.code(), Some(0));
    fs::write(folder.path().join("all.jsonl"), output.stdout).unwrap();
    let merged = json(folder.path(), &["work", "merge", "all.jsonl"]);
    assert_eq!(timeless(merged), whole(folder.path(), &GAME));
    let again = [&["work", "split", "bcts"], &flags[..]].concat();
    assert!(sentence(folder.path(), &again).contains("models.jsonl: already exists"));
}

/// A valid unit can be computed again where there is space for its answer.
#[test]
#[cfg(target_os = "linux")]
fn a_worker_whose_disk_is_full_can_be_tried_again() {
    let folder = tempdir().unwrap();
    let units = units(folder.path(), &[&GAME[..], &["--parts=1"]].concat());
    let mut command = Command::new(env!("CARGO_BIN_EXE_tetrolab"));
    command.current_dir(folder.path()).arg("work");
    let full = fs::OpenOptions::new().write(true).open("/dev/full");
    command.stdin(Stdio::piped()).stdout(full.unwrap());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{}", units[0]).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(75), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    let expected = "tetrolab: not all units were answered: No space left on device";
    assert!(
        said.starts_with(expected) && said.lines().count() == 1,
        "{said}"
    );
}

/// Workers that die, never start, or give invalid answers do not change a learning run.
#[test]
#[cfg(unix)]
fn candidates_that_workers_evaluate_learn_the_same_player() {
    let folder = tempdir().unwrap();
    let learn = |run: &str, workers: &[&str]| {
        let run = format!("--run=runs/{run}");
        let mut args = vec!["learn", "cma-es", "--ruleset=simplified-6x8", "--games=4"];
        args.extend([
            "--max-pieces=200",
            "--generations=4",
            "--test-games=0",
            "--quiet",
            &run,
        ]);
        let workers: Vec<String> = workers
            .iter()
            .map(|worker| {
                let program = env!("CARGO_BIN_EXE_tetrolab");
                format!(
                    "--worker={}",
                    worker.replace("WORK", &format!("{program} work"))
                )
            })
            .collect();
        args.extend(workers.iter().map(String::as_str));
        tetrolab(folder.path()).args(args).output().unwrap()
    };
    let player = |run: &str| {
        let path = folder.path().join("runs").join(run).join("player.toml");
        let text = fs::read_to_string(path).unwrap();
        text.replace(&format!("\"{run}\""), "\"run\"")
    };
    assert!(learn("alone", &[]).status.success());
    let workers = [
        "WORK --threads 1",
        "head -n 2 | WORK --threads 1",
        "yes",
        "false",
    ];
    let output = learn("shared", &workers);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(player("shared"), player("alone"));
    let output = learn("hopeless", &["false"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("no worker is left: false: it "), "{said}");
    let danger = [
        "learn",
        "danger-quick",
        "--worker=false",
        "--run=runs/danger",
    ];
    assert!(sentence(folder.path(), &danger).contains("no candidates"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_run_whose_workers_hang_can_be_stopped_and_leaves_no_process() {
    let folder = tempdir().unwrap();
    // The number identifies its processes.
    let worker = format!("--worker=sleep 1000 || sleep 77{}", std::process::id());
    let mut command = Command::new(env!("CARGO_BIN_EXE_tetrolab"));
    command.current_dir(folder.path());
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    command.args(["learn", "cma-es", "--run=runs/x", "--quiet", &worker]);
    let mut child = command.spawn().unwrap();
    let running = || {
        let commands = fs::read_dir("/proc").unwrap().filter_map(|process| {
            let command = fs::read_to_string(process.ok()?.path().join("cmdline")).ok()?;
            (command.starts_with("sh\0") && command.contains(&worker[9..])).then_some(())
        });
        commands.count()
    };
    let began = std::time::Instant::now();
    while running() == 0 {
        assert!(began.elapsed().as_secs() < 60, "no worker was started");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    crate::interrupt(&child);
    let asked = std::time::Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(asked.elapsed().as_secs() < 10, "{:?}", asked.elapsed());
    assert_eq!(running(), 0);
    let mut said = String::new();
    child.stdout.unwrap().read_to_string(&mut said).unwrap();
    let resumed = format!("--worker '{}'", &worker[9..]);
    assert!(said.contains(&resumed), "{said}");
}
