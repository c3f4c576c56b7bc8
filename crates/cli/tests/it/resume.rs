//! Runs that are killed, stopped, resumed, or run side by side.

use super::learn::{generations, player, quick, stored};
use super::{json, sentence, stdout, with_file_limit};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::tempdir;
use tetrolab::core::rng::Rng;
use tetrolab::learners::LEARNERS;
use tetrolab::learning::{RunFolder, Store};

/// Starts the program without waiting for it.
pub(super) fn spawn(folder: &Path, args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tetrolab"));
    command.current_dir(folder).args(args);
    command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until the run has this many generations, or has ended.
pub(super) fn wait_for_generations(folder: &Path, child: &mut Child, wanted: u64) {
    let began = Instant::now();
    while generations(folder) < wanted && child.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < Duration::from_secs(60), "nothing happens");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Kills the program as `kill -9` does.
pub(super) fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_run_that_is_killed_anywhere_and_resumed_gives_the_same_player_to_the_byte() {
    let mut rng = Rng::new(1);
    let searches = LEARNERS
        .iter()
        .filter(|learner| !learner.make.trains_model());
    for learner in searches {
        let whole = tempdir().unwrap();
        // Some learners ask for one candidate in a generation and some for a hundred: games make
        // their runs equally long.
        let args = quick(learner.id, &["--generations=100000", "--total-games=1200"]);
        stdout(whole.path(), &args);
        let last = generations(whole.path());
        let broken = tempdir().unwrap();
        let resumed = [
            "learn",
            "--resume",
            "--run=lab/run",
            "--test-games=0",
            "--quiet",
        ];
        let (mut next, mut unfinished) = (&args[..], 0);
        for moment in 0..4 {
            let mut child = spawn(broken.path(), next);
            // In the first round at any moment, before there is a store too; then in all parts of
            // the run.
            wait_for_generations(broken.path(), &mut child, moment * last / 5);
            std::thread::sleep(Duration::from_micros(rng.below(20_000)));
            kill(child);
            if stored(broken.path()).is_some() {
                next = &resumed;
            }
            unfinished += u64::from(generations(broken.path()) < last);
        }
        assert!(
            unfinished > 0,
            "{}: the run was over before it was killed",
            learner.id
        );
        stdout(broken.path(), next);
        assert_eq!(
            player(broken.path()),
            player(whole.path()),
            "{}",
            learner.id
        );
        assert_eq!(generations(broken.path()), last);
    }
}

#[test]
fn a_run_that_was_killed_before_its_first_generation_can_be_resumed_or_begun_again() {
    let folder = tempdir().unwrap();
    let args = quick("random-search", &[]);
    let place = RunFolder::at(&folder.path().join("lab/run")).unwrap();
    drop(place.lock().unwrap());
    stdout(folder.path(), &args);
    let whole = player(folder.path());
    let again = tempdir().unwrap();
    let place = RunFolder::at(&again.path().join("lab/run")).unwrap();
    drop(place.lock().unwrap());
    let plan = stored(folder.path()).unwrap().plan;
    Store::open(&place.store())
        .unwrap()
        .begin("run", &plan, "")
        .unwrap();
    stdout(again.path(), &[&args[..], &["--resume"]].concat());
    assert_eq!(player(again.path()), whole);
}

#[test]
fn a_run_that_was_killed_before_its_store_is_begun_when_it_is_resumed() {
    let folder = tempdir().unwrap();
    let place = RunFolder::at(&folder.path().join("lab/run")).unwrap();
    drop(place.lock().unwrap());
    assert_eq!(
        sentence(folder.path(), &["learn", "--resume", "--run=lab/run"]),
        "lab/run: no run is stored here, so there is nothing to resume; start the run with its full \
         command"
    );
    stdout(folder.path(), &quick("random-search", &["--resume"]));
    let other = sentence(
        folder.path(),
        &quick("random-search", &["--resume", "--run=lab/no"]),
    );
    assert!(
        other.starts_with("lab/no: no run is stored here"),
        "{other}"
    );
}

#[cfg(unix)]
#[test]
fn a_full_disk_at_the_beginning_does_not_mention_stored_generations() {
    let folder = tempdir().unwrap();
    let output = with_file_limit(folder.path(), 4, &quick("random-search", &[]));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("cannot be written: ") && !said.contains("is still there"),
        "{said}"
    );
}

#[test]
fn a_run_that_needs_too_much_memory_is_refused_before_it_begins() {
    let folder = tempdir().unwrap();
    let learn = |learner: &str, more: &[&str]| {
        let begin = ["learn", learner, "--run=lab/run", "--generations=1"];
        sentence(folder.path(), &[&begin, more].concat())
    };
    assert_eq!(
        learn("network-cma-es(population=100000)", &[]),
        "cma-es with these settings needs about 9.7 GB of memory, but the limit is 1.0 GB: choose a \
         smaller population or a higher limit, with --memory 10GB"
    );
    let said = learn("network-cma-es(covariance=full)", &["--layers=250,250"]);
    assert!(said.contains("choose a smaller covariance"), "{said}");
    let said = learn("q-network(queue=10000000,units=64)", &[]);
    assert!(said.contains("choose a smaller queue"), "{said}");
    let said = learn("q-network", &["--memory=10MB"]);
    assert!(said.contains("but the limit is 10 MB"), "{said}");
    assert!(!folder.path().join("lab").exists());
}

#[test]
fn a_resumed_run_replaces_its_own_player_and_no_other_file() {
    let folder = tempdir().unwrap();
    let out = folder.path().join("mine.toml");
    stdout(folder.path(), &quick("random-search", &["--out=mine.toml"]));
    let own = std::fs::read_to_string(&out).unwrap();
    let resume = [
        "learn",
        "--resume",
        "--run=lab/run",
        "--out=mine.toml",
        "--test-games=0",
    ];
    stdout(folder.path(), &resume);
    assert_eq!(std::fs::read_to_string(&out).unwrap(), own);
    for other in ["precious", &own.replace("\"run\"", "\"other\"")] {
        std::fs::write(&out, other).unwrap();
        assert_eq!(
            sentence(folder.path(), &resume),
            "mine.toml: already exists; choose a new file name"
        );
        assert_eq!(std::fs::read_to_string(&out).unwrap(), other);
    }
}

#[test]
fn a_run_is_not_resumed_under_different_rules() {
    let folder = tempdir().unwrap();
    let rules = |height: u32| {
        let text = format!("name = \"mine\"\nwidth = 6\nheight = {height}\n");
        std::fs::write(folder.path().join("mine.toml"), text).unwrap();
    };
    rules(8);
    stdout(
        folder.path(),
        &quick("random-search", &["--ruleset=mine.toml"]),
    );
    rules(9);
    let resume = ["learn", "--resume", "--run=lab/run", "--test-games=0"];
    let said = sentence(folder.path(), &resume);
    assert!(said.contains("mine.toml with the rules 6x8 "), "{said}");
    rules(8);
    stdout(folder.path(), &resume);
}

#[test]
fn different_runs_share_a_store() {
    let folder = tempdir().unwrap();
    let names: Vec<String> = (1..=4).map(|seed| format!("run-{seed}")).collect();
    let start = |name: &String| {
        let (run, seed) = (
            format!("--run=lab/{name}"),
            format!("--seed={}", &name[4..]),
        );
        let more = [
            run.as_str(),
            seed.as_str(),
            "--generations=20",
            "--threads=1",
        ];
        spawn(folder.path(), &quick("random-search", &more))
    };
    let children: Vec<Child> = names.iter().map(start).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && said.is_empty(), "{said}");
    }
    let runs = json(folder.path(), &["runs", "--lab=lab"]);
    let runs = runs["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 4);
    assert!(
        runs.iter()
            .all(|run| run["generations"] == 40 && run["ended"].is_string())
    );
}

#[test]
fn a_run_is_in_the_hands_of_one_process() {
    let folder = tempdir().unwrap();
    let args = quick("random-search", &["--generations=1000000"]);
    let mut first = spawn(folder.path(), &args);
    wait_for_generations(folder.path(), &mut first, 1);
    let resume = ["learn", "--resume", "--run=lab/run"];
    let expected = format!("lab/run: process {} is working on this run", first.id());
    assert_eq!(sentence(folder.path(), &resume), expected);
    let begun =
        "lab/run: this run was started earlier and has not finished; use --resume to continue it";
    assert_eq!(sentence(folder.path(), &args), begun);
    kill(first);
    // The lock ended with the process.
    let before = generations(folder.path());
    let mut second = spawn(folder.path(), &resume);
    wait_for_generations(folder.path(), &mut second, before + 1);
    assert!(second.try_wait().unwrap().is_none() && generations(folder.path()) > before);
    kill(second);
}

#[cfg(unix)]
#[test]
fn a_run_stopped_by_a_full_disk_can_be_resumed_when_space_is_available() {
    let folder = tempdir().unwrap();
    let args = quick("random-search", &["--generations=25"]);
    // 512 blocks are 256 or 512 KiB.
    let output = with_file_limit(folder.path(), 512, &args);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.starts_with("tetrolab: lab/lab.sqlite: cannot be written: "),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
    let rows = stdout(folder.path(), &["runs", "--lab=lab", "run", "--csv"]);
    let stored = generations(folder.path());
    assert!(stored > 1 && stored < 50, "{stored}");
    assert_eq!(rows.lines().count() as u64, stored + 1);
    stdout(folder.path(), &[&args[..], &["--resume"]].concat());
    let whole = tempdir().unwrap();
    stdout(whole.path(), &args);
    assert_eq!(player(folder.path()), player(whole.path()));
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_how_to_resume() {
    let folder = tempdir().unwrap();
    let more = [
        "--generations=1000000",
        "--out=mine.toml",
        "--test-ruleset=simplified-6x8",
        "--threads=1",
        "--no-kernel",
    ];
    let args = quick("random-search", &more);
    let mut command = Command::new(env!("CARGO_BIN_EXE_tetrolab"));
    let command = command.current_dir(folder.path()).args(args);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    wait_for_generations(folder.path(), &mut child, 2);
    crate::interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.ends_with(
            "tetrolab learn --resume --run lab/run --out mine.toml --test-games 0 --test-ruleset simplified-6x8 --threads 1 \
             --no-kernel --quiet\n"
        ),
        "{said}"
    );
}
