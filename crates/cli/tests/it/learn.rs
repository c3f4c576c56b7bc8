//! Learning runs, tested through the command line.

use super::{json, sentence, stdout, tetrolab};
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::tempdir;
use tetrolab::learners::{find_learner, presets};
use tetrolab::learning::{Store, StoredRun};

/// A run in the folder `run` that takes only a moment.
const QUICK: [&str; 9] = [
    "--ruleset=simplified-6x8",
    "--features=dellacherie",
    "--games=3",
    "--max-pieces=300",
    "--generations=3",
    "--runs=2",
    "--test-games=0",
    "--run=lab/run",
    "--quiet",
];

/// A quick run with further settings, which may replace some of the usual ones.
pub(super) fn quick<'a>(learner: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let flag = |arg: &str| arg.split('=').next().unwrap_or_default().to_owned();
    let kept = QUICK
        .iter()
        .filter(|arg| !more.iter().any(|new| flag(new) == flag(arg)));
    let args = ["learn", learner].into_iter().chain(kept.copied());
    args.chain(more.iter().copied()).collect()
}

/// The run as it is stored.
pub(super) fn stored(folder: &Path) -> Option<StoredRun> {
    let store = Store::find(&folder.join("lab/lab.sqlite")).unwrap();
    store.and_then(|store| store.run("run").unwrap())
}

/// How many generations of the run are stored.
pub(super) fn generations(folder: &Path) -> u64 {
    stored(folder).map_or(0, |run| run.generations)
}

/// The learned player's file.
pub(super) fn player(folder: &Path) -> String {
    fs::read_to_string(folder.join("lab/run/player.toml")).unwrap()
}

#[test]
fn the_same_seed_learns_the_same_player_on_any_machine() {
    let learn = |more: &[&str]| {
        let folder = tempdir().unwrap();
        stdout(folder.path(), &quick("cma-es", more));
        player(folder.path())
    };
    let one = learn(&["--threads=1"]);
    assert_eq!(learn(&["--threads=2"]), one);
    assert_eq!(learn(&["--threads=5", "--no-kernel"]), one);
    assert_ne!(learn(&["--seed=2"]), one);
}

#[test]
fn a_folder_that_cannot_be_written_is_one_clear_sentence() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("file"), "precious").unwrap();
    let said = |run: &str| sentence(folder.path(), &quick("random-search", &[run]));
    for run in ["--run=file/run", "--run=file"] {
        assert_eq!(said(run), "file: expected a folder for --run, found a file");
    }
    assert_eq!(
        said("--run=.."),
        "..: expected a path that ends with the name of a run"
    );
    fs::write(folder.path().join("lab.sqlite"), "no database".repeat(100)).unwrap();
    assert!(said("--run=run").starts_with("lab.sqlite: not a tetrolab store"));
    #[cfg(target_os = "linux")]
    assert!(said("--run=/proc/lab/run").starts_with("/proc/lab/run: cannot be written: "));
    let out = |out: &str| sentence(folder.path(), &quick("random-search", &[out]));
    assert_eq!(
        out("--out=no/such.toml"),
        "no/such.toml: there is no such folder"
    );
    let long = format!("--out={}", "x".repeat(300));
    assert!(out(&long).contains(": cannot be written: "));
    #[cfg(target_os = "linux")]
    assert!(out("--out=/proc/mine.toml").starts_with("/proc/mine.toml: cannot be written: "));
    assert_eq!(
        out("--out=file"),
        "file: already exists; choose a new file name"
    );
    assert_eq!(
        fs::read_to_string(folder.path().join("file")).unwrap(),
        "precious"
    );
    assert!(!folder.path().join("lab").exists());
}

#[test]
fn inconsistent_settings_give_one_clear_sentence_and_leave_no_files() {
    let folder = tempdir().unwrap();
    let said = |learner: &str, more: &[&str]| sentence(folder.path(), &quick(learner, more));
    let of_learner = |learner: &str| said(learner, &[]);
    assert_eq!(
        of_learner("cma-ess"),
        "there is no learner 'cma-ess'; did you mean 'cma-es'?"
    );
    assert!(
        of_learner("ga(population=0)").starts_with("ga: population must be an integer from 2 ")
    );
    assert!(of_learner("cma-es(sigma=NaN)").starts_with("cma-es: sigma must be a number from "));
    let with = |more: &str| said("cma-es", &[more]);
    assert_eq!(
        with("--features=hols"),
        "there is no feature 'hols'; did you mean 'holes'?"
    );
    assert_eq!(
        with("--objective=liens"),
        "there is no objective 'liens'; did you mean 'lines'?"
    );
    assert!(with("--ruleset=simplifed-6x8").starts_with("there is no ruleset 'simplifed-6x8'"));
    assert!(with("--test-ruleset=nowhere").starts_with("there is no ruleset 'nowhere'"));
    assert_eq!(with("--games=0"), "--games must be at least 1, got 0");
    assert_eq!(with("--until=nan"), "--until must be finite, got NaN");
    assert_eq!(with("--time=-3"), "--time must be above 0 seconds, got -3");
    assert_eq!(
        with("--test-time=0"),
        "--test-time must be above 0 s and at most 1000000000 s, got 0 s"
    );
    assert!(
        with("--time=soon").contains("expected a time in seconds, or with a unit: 90s, 5m, 2h")
    );
    assert!(with("--threads=0").starts_with("--threads must be between 1 and 1024"));
    assert!(with("--start=dt-10").starts_with("dt-10 has features ("));
    assert!(with("--start=nobody").starts_with("there is no published player 'nobody'"));
    let player = "name = \"mine\"\nfeatures = \"strategies\"\n[weights]\nany_line = 1\nholes = -1\nvariation = 2\n";
    fs::write(folder.path().join("mine.toml"), player).unwrap();
    assert!(with("--start=mine.toml").starts_with("mine.toml has features (any_line, "));
    assert_eq!(
        of_learner("genetic"),
        "there is no learner 'genetic'; did you mean 'ga'?"
    );
    assert_eq!(
        of_learner("dangr"),
        "there is no learner 'dangr'; did you mean 'danger'?"
    );
    assert!(with("--player=two-piece").contains("needs preview=1"));
    let resume = ["learn", "--resume", "--run=nowhere/run"];
    assert!(
        sentence(folder.path(), &resume)
            .starts_with("nowhere/run: no run is stored here, so there is nothing to resume")
    );
    let names = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["mine.toml"]);
}

/// A generation of two candidates whose fitness is their survival.
pub(crate) const BY_SURVIVAL: [&str; 7] = [
    "learn",
    "random-search(population=2)",
    "--objective=survival(trajectories=100,repetitions=2,rounds=1)",
    "--ruleset=simplified-6x8",
    "--features=dellacherie",
    "--generations=1",
    "--test-games=0",
];

#[test]
fn learning_by_survival_shows_lines_and_refuses_a_budget_of_games() {
    let folder = tempdir().unwrap();
    let args = [&BY_SURVIVAL[..], &["--run=lab/run"]].concat();
    let said = stdout(folder.path(), &args);
    assert!(said.contains("survival(trajectories=100"), "{said}");
    assert!(said.contains("unit: lines"), "{said}");
    assert!(
        said.contains("generation best lines geometric mean of lines"),
        "{said}"
    );
    assert!(said.contains("pieces/s"), "{said}");
    assert!(!said.contains("\ngames "), "{said}");
    assert!(!said.contains("\nmax pieces "), "{said}");
    let more = [&BY_SURVIVAL[..], &["--total-games=5", "--run=lab/other"]].concat();
    let said = sentence(folder.path(), &more);
    assert!(said.contains("--total-games"), "{said}");
    assert!(!folder.path().join("lab/other").exists());
}

#[test]
fn a_published_way_to_learn_has_the_cap_of_its_paper() {
    let folder = tempdir().unwrap();
    let cap = |learner: &str, more: &str| {
        let args = [
            "learn",
            learner,
            "--ruleset=simplified-4x4",
            "--features=holes",
            "--generations=1",
            "--games=1",
            "--runs=1",
            "--test-games=0",
            "--player=greedy",
        ];
        let args: Vec<&str> = args.into_iter().chain(more.split_whitespace()).collect();
        let learned = json(folder.path(), &args);
        (
            learned["plan"]["max_pieces"].clone(),
            learned["note"].clone(),
        )
    };
    assert_eq!(cap("cma-es", "").0, 100_000);
    assert_eq!(cap("thesis-ga(population=4)", "").0, 5000);
    assert!(cap("boumaza(population=4)", "").0.is_null());
    assert_eq!(cap("chen(population=4)", "").0, 100_000);
    assert!(cap("cma-es", "--max-pieces=none").0.is_null());
    let (two, note) = cap("ga(population=4)", "--max-pieces=2");
    assert_eq!(two, 2);
    assert_eq!(
        note,
        "4 of 4 games of the last generation were truncated by --max-pieces"
    );
}

#[test]
fn another_limit_lifts_the_usual_number_of_generations() {
    let folder = tempdir().unwrap();
    let ended = |learner: &str, limits: &str| {
        let limits: Vec<&str> = limits.split_whitespace().collect();
        let own = |arg: &&str| !arg.starts_with("--generations") && !arg.starts_with("--runs");
        let args = quick(learner, &limits);
        let args: Vec<&str> = args.into_iter().filter(own).collect();
        let learned = json(folder.path(), &args);
        let generations = &learned["plan"]["budget"]["generations"];
        (learned["ended"][0].clone(), generations.clone())
    };
    let (games, generations) = ended("random-search(population=2)", "--total-games=300 --run=a/1");
    assert_eq!(
        (games, generations),
        ("300 games".into(), serde_json::Value::Null)
    );
    let (pieces, _) = ended(
        "random-search(population=2)",
        "--total-pieces=5000 --run=a/2",
    );
    assert!(pieces.as_str().unwrap().ends_with(" pieces"), "{pieces}");
    let (usual, _) = ended("random-search(population=2)", "--run=a/3");
    assert_eq!(usual, "40 generations");
    let until = ended(
        "random-search(population=4)",
        "--until=0.1 --time=50 --run=a/4",
    )
    .0;
    assert_eq!(until, "a candidate reached a fitness of 0.1");
}

#[cfg(unix)]
#[test]
fn a_reader_that_closes_the_pipe_does_not_stop_learning() {
    let folder = tempdir().unwrap();
    let args: Vec<&str> = quick("random-search", &[])
        .into_iter()
        .filter(|arg| *arg != "--quiet")
        .collect();
    let script = "\"$0\" \"$@\" 2>&1 | true; exit ${PIPESTATUS[0]}";
    let mut shell = Command::new("bash");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_tetrolab")]);
    let ended = shell.args(args).current_dir(folder.path()).status();
    assert_eq!(ended.unwrap().code(), Some(0));
    assert!(player(folder.path()).contains("[weights]"));
    assert_eq!(generations(folder.path()), 6);
}

#[test]
fn around_a_start_the_default_learner_takes_small_steps_of_any_length() {
    let folder = tempdir().unwrap();
    let args: Vec<&str> = quick("", &["--start=dellacherie"])
        .into_iter()
        .filter(|arg| !arg.is_empty())
        .collect();
    let learned = json(folder.path(), &args);
    let learner = learned["plan"]["learner"].as_str().unwrap();
    assert!(learner.starts_with("cma-es(") && learner.contains("normalise=false"));
    assert_eq!(learned["plan"]["scale"], "spread");
}

#[test]
fn a_search_of_directions_starts_at_a_player_unless_unit_length_is_requested() {
    let folder = tempdir().unwrap();
    let start = ["--start=dellacherie", "--run=lab/run"];
    let learned = json(folder.path(), &quick("boumaza", &start));
    let learner = learned["plan"]["learner"].as_str().unwrap();
    assert!(learner.contains("normalise=false"), "{learner}");
    let refused = sentence(folder.path(), &quick("boumaza(normalise=true)", &start));
    assert!(refused.ends_with("use normalise=false"), "{refused}");
    let none = json(
        folder.path(),
        &quick(
            "cma-es",
            &["--start=dellacherie", "--run=lab/none", "--scale=none"],
        ),
    );
    assert_eq!(none["plan"]["scale"], "none");
    assert!(none["command"].as_str().unwrap().contains(" --scale none "));
}

#[test]
fn a_player_with_a_published_name_is_tested_and_shown_by_its_path() {
    let folder = tempdir().unwrap();
    let more = ["--out=bcts", "--test-games=5", "--runs=1"];
    let learned = json(folder.path(), &quick("random-search", &more));
    assert_eq!(learned["player"], "./bcts");
    let rows = learned["test"]["results"].as_array().unwrap();
    assert_eq!(rows[0]["player"], "./bcts");
    assert_ne!(rows[0]["lines"], rows[2]["lines"]);
    stdout(
        folder.path(),
        &["eval", "./bcts", "--ruleset=simplified-6x8", "--games=1"],
    );
}

#[test]
fn a_test_that_cannot_be_run_states_the_reason_in_json_too() {
    let folder = tempdir().unwrap();
    let more = [
        "--features=column_heights",
        "--test-games=5",
        "--test-ruleset=simplified-7x8",
    ];
    let learned = json(folder.path(), &quick("random-search", &more));
    assert!(learned["test"]["skipped"].as_str().unwrap().contains("7"));
}

#[test]
fn a_test_under_another_ruleset_names_both() {
    let folder = tempdir().unwrap();
    let more = ["--test-games=5", "--test-ruleset=simplified-6x10"];
    let said = stdout(folder.path(), &quick("random-search", &more));
    let tested = "\nTested on unseen games: simplified-6x10, which --test-ruleset names; trained on simplified-6x8; unit: lines of a game.\n";
    assert!(said.contains(tested), "{said}");
}

#[test]
fn a_run_keeps_its_settings() {
    let folder = tempdir().unwrap();
    stdout(folder.path(), &quick("random-search", &[]));
    let other = quick("random-search", &["--games=4"]);
    assert_eq!(
        sentence(folder.path(), &other),
        "the run run was started with --games 3, not --games 4; choose another folder with --run"
    );
    // The same command again finds the finished run and shows it again.
    let before = player(folder.path());
    fs::remove_file(folder.path().join("lab/run/player.toml")).unwrap();
    stdout(folder.path(), &quick("random-search", &[]));
    assert_eq!(player(folder.path()), before);
    assert_eq!(generations(folder.path()), 6);
}

#[test]
fn a_learned_player_plays_and_its_command_learns_it_again() {
    let folder = tempdir().unwrap();
    let more = [
        "--test-games=20",
        "--test-ruleset=simplified-6x8",
        "--out=mine.toml",
    ];
    let learned = json(folder.path(), &quick("cma-es", &more));
    assert_eq!(learned["player"], "mine.toml");
    assert_eq!(
        learned["ended"],
        serde_json::json!(["3 generations", "3 generations"])
    );
    let rows = learned["test"]["results"].as_array().unwrap();
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[0]["player"], "mine.toml");
    let eval = [
        "eval",
        "mine.toml",
        "--ruleset=simplified-6x8",
        "--games=20",
    ];
    let again = json(folder.path(), &eval);
    assert_eq!(again["results"][0]["lines"], rows[0]["lines"]);
    assert_eq!(
        fs::read_to_string(folder.path().join("mine.toml")).unwrap(),
        player(folder.path())
    );
    let script = format!(
        "{} --run lab/again --test-games 0",
        learned["command"].as_str().unwrap()
    );
    let script = script.replacen(
        "tetrolab",
        &format!("'{}'", env!("CARGO_BIN_EXE_tetrolab")),
        1,
    );
    let ended = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder.path())
        .output();
    assert!(ended.unwrap().status.success());
    let again = fs::read_to_string(folder.path().join("lab/again/player.toml")).unwrap();
    assert_eq!(again, player(folder.path()).replace("\"run\"", "\"again\""));
}

#[test]
fn the_folder_of_a_run_is_a_player_wherever_players_are_named() {
    let folder = tempdir().unwrap();
    stdout(folder.path(), &quick("random-search", &[]));
    let lines = |player: &str| {
        let game = ["--ruleset=simplified-6x8", "--games=5"];
        let result = json(folder.path(), &[&["eval", player], &game[..]].concat());
        assert_eq!(result["results"][0]["player"], player);
        result["results"][0]["lines"].clone()
    };
    let by_file = lines("lab/run/player.toml");
    for player in ["lab/run", "lab/run/", "./lab/run", "greedy(lab/run)"] {
        assert_eq!(lines(player), by_file, "{player}");
    }
    let compare = ["compare", "lab/run", "random", "--ruleset=simplified-6x8"];
    assert_eq!(json(folder.path(), &compare)["first"], "lab/run");
    let start = quick("cma-es", &["--start=lab/run", "--run=lab/next"]);
    stdout(folder.path(), &start);
    fs::remove_file(folder.path().join("lab/run/player.toml")).unwrap();
    let expected = "lab/run: this folder has no player.toml; a learning run writes it when it ends";
    for args in [
        &["eval", "lab/run"][..],
        &["eval", "greedy(lab/run)"],
        &compare,
    ] {
        assert_eq!(sentence(folder.path(), args), expected);
    }
}

/// The messages about a run that is shown again.
const FINISHED: &str =
    "\nThis run had already finished: its result is shown again, and nothing new was learned.\n";

#[test]
fn a_resumed_run_and_a_finished_run_are_reported_as_such() {
    let folder = tempdir().unwrap();
    let args = quick("random-search", &[]);
    assert!(!stdout(folder.path(), &args).contains("finished"));
    let resume = ["learn", "--resume", "--run=lab/run", "--test-games=0"];
    assert!(stdout(folder.path(), &resume).contains(FINISHED));
    assert_eq!(json(folder.path(), &resume)["run"], "lab/run");
    // A run that was started, but has stored nothing yet.
    let store = folder.path().join("lab/lab.sqlite");
    let mut store = Store::open(&store).unwrap();
    let plan = stored(folder.path()).unwrap().plan;
    store.begin("other", &plan, "").unwrap();
    let other = ["learn", "--resume", "--run=lab/other", "--test-games=0"];
    assert!(!stdout(folder.path(), &other).contains("finished"));
}

#[test]
fn a_run_is_shown_as_it_goes_and_named_by_its_settings() {
    let folder = tempdir().unwrap();
    let own = |arg: &&str| {
        !["--run", "--runs", "--quiet"]
            .iter()
            .any(|flag| arg.starts_with(flag))
    };
    let args = quick("random-search", &[]);
    let args: Vec<&str> = args.into_iter().filter(own).collect();
    let said = stdout(folder.path(), &args);
    assert!(said.starts_with("runs/random-search-"), "{said}");
    assert!(said.contains("generation best lines mean lines"), "{said}");
    assert!(said.contains("\nended: 3 generations"), "{said}");
    let file = said
        .lines()
        .find_map(|line| line.strip_prefix("player: "))
        .unwrap();
    assert!(folder.path().join(file).exists());
    let again = stdout(folder.path(), &args);
    assert_eq!(again.replace(FINISHED, ""), said, "it is shown again");
    assert_eq!(again.matches(FINISHED).count(), 1, "{again}");
    let runs = stdout(folder.path(), &["runs"]);
    assert!(runs.contains("finished"), "{runs}");
    assert_eq!(
        sentence(folder.path(), &["learn", "--resume"]),
        "there is no unfinished run in runs to resume"
    );
}

#[test]
fn a_run_is_exported_with_all_its_candidates() {
    let folder = tempdir().unwrap();
    stdout(folder.path(), &quick("cma-es", &[]));
    let export = |more: &[&'static str]| [&["runs", "run", "--lab=lab"], more].concat();
    let whole = json(folder.path(), &export(&["--candidates"]));
    assert_eq!(whole["plan"]["ruleset"], "simplified-6x8");
    let generations = whole["generations"].as_array().unwrap();
    assert_eq!(generations.len(), 6);
    let first = &generations[0];
    assert!(first["sigma"].is_number() && first["eigenvalues"].as_array().unwrap().len() == 6);
    let of_first = |row: &&serde_json::Value| row["run"] == 1 && row["generation"] == 1;
    let candidates = whole["candidates"]
        .as_array()
        .unwrap()
        .iter()
        .filter(of_first);
    let fitness = candidates.map(|row| row["fitness"].as_f64().unwrap());
    assert_eq!(fitness.reduce(f64::max), first["best"].as_f64());
    let csv = stdout(folder.path(), &export(&["--csv"]));
    let head: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let column = |name: &str| head.iter().position(|head| *head == name).unwrap();
    let cell = |name: &str| csv.lines().nth(1).unwrap().split(',').nth(column(name));
    assert_eq!(cell("pieces").unwrap(), first["pieces"].to_string());
    assert_eq!(
        cell("weight:holes").unwrap(),
        first["solution"][4].to_string()
    );
    assert_eq!(
        cell("eigenvalue:6").unwrap(),
        first["eigenvalues"][5].to_string()
    );
    let csv = stdout(folder.path(), &export(&["--csv", "--candidates"]));
    assert_eq!(
        csv.lines().count(),
        1 + whole["candidates"].as_array().unwrap().len()
    );
    let shown = stdout(folder.path(), &["runs", "run", "--lab=lab"]);
    assert!(shown.contains("finished (2 x 3 generations)"), "{shown}");
    assert!(
        shown.contains("\nagain       tetrolab learn 'cma-es("),
        "{shown}"
    );
    assert!(shown.contains("\nmax pieces  300 in a game\n"), "{shown}");
    let neither = sentence(folder.path(), &export(&["--candidates"]));
    assert!(neither.starts_with("--candidates needs --csv or --json"));
    let unknown = sentence(folder.path(), &["runs", "rum", "--lab=lab"]);
    assert_eq!(unknown, "there is no run 'rum'; did you mean 'run'?");
}

#[test]
fn the_table_of_runs_names_the_learner_and_fits_120_columns() {
    let folder = tempdir().unwrap();
    let learn = |learner, run, ruleset| {
        let more = [run, ruleset, "--generations=1", "--games=1"];
        stdout(folder.path(), &quick(learner, &more));
    };
    learn(
        "harmony-search(memory=3)",
        "--run=lab/harmony-search-3f2a9c01",
        "--ruleset=simplified-hard-10x20",
    );
    learn("random-search", "--run=lab/run", "--ruleset=simplified-6x8");
    let said = stdout(folder.path(), &["runs", "--lab=lab"]);
    let cells = |line: usize| -> Vec<&str> {
        let row = said.lines().nth(line).unwrap().split("  ");
        row.map(str::trim).filter(|cell| !cell.is_empty()).collect()
    };
    assert_eq!((cells(0)[1], cells(0).len()), ("learner", 9), "{said}");
    assert_eq!((cells(1)[0], cells(1)[1]), ("run", "random-search"));
    let (best, state, test) = (cells(1)[3], cells(1)[7], cells(1)[8]);
    assert!(best.ends_with(" lines"), "{said}");
    assert_eq!((state, test), ("finished", "-"), "{said}");
    assert!(cells(2)[1].starts_with("harmony-search"), "{said}");
    assert!(said.lines().all(|line| line.len() <= 120), "{said}");
    let differing = "These runs differ in ruleset (simplified-6x8; simplified-hard-10x20): ";
    assert!(said.contains(differing), "{said}");
}

#[test]
fn a_run_is_listed_under_the_name_that_was_typed_with_its_test() {
    let folder = tempdir().unwrap();
    let more = ["--runs=1", "--generations=1", "--games=1", "--test-games=5"];
    stdout(folder.path(), &quick("thesis-pso(inertia=0.5)", &more));
    let runs = json(folder.path(), &["runs", "--lab=lab"]);
    let run = &runs["runs"][0];
    assert_eq!(run["learner"], "thesis-pso(inertia=0.5)");
    assert_eq!(run["state"], "finished");
    assert_eq!(run["unit"]["quantity"], "points");
    assert_eq!(run["test"]["ruleset"], "simplified-6x8");
    assert!(run["best"].is_number() && run["seconds"].is_number());
    // Without the file that stores the name, the name is that of the optimiser, or of the preset
    // with these settings.
    fs::remove_file(folder.path().join("lab/run/asked.json")).unwrap();
    let runs = json(folder.path(), &["runs", "--lab=lab"]);
    assert_eq!(runs["runs"][0]["learner"], "pso");
}

#[test]
fn a_player_is_tested_on_the_ruleset_of_its_training_and_the_test_is_kept() {
    let folder = tempdir().unwrap();
    let args = quick("random-search", &["--test-games=12", "--runs=1"]);
    let learned = json(folder.path(), &args);
    let test = &learned["test"];
    assert_eq!(
        (&test["ruleset"], &test["unit"]),
        (&"simplified-6x8".into(), &"lines".into())
    );
    assert_eq!(test["method"], "12 whole games each");
    assert_eq!(test["from_store"], false);
    // The same command again plays no games, so even times are the same.
    let again = json(folder.path(), &args);
    assert_eq!(again["test"]["from_store"], true);
    assert_eq!(again["test"]["results"], test["results"]);
    let said = stdout(folder.path(), &args);
    assert!(
        said.contains("The test was already played; this is its stored result.\n"),
        "{said}"
    );
    assert!(
        said.contains(": simplified-6x8, the ruleset of training; unit: lines"),
        "{said}"
    );
    // A test with other parameters is run again, and a damaged file counts as missing.
    let other = quick("random-search", &["--test-games=13", "--runs=1"]);
    assert_eq!(json(folder.path(), &other)["test"]["from_store"], false);
    fs::write(folder.path().join("lab/run/test.json"), "{}").unwrap();
    assert_eq!(json(folder.path(), &other)["test"]["from_store"], false);
}

#[test]
fn a_test_of_games_that_do_not_end_is_truncated_and_reported_as_such() {
    let folder = tempdir().unwrap();
    let more = [
        "--ruleset=nes",
        "--start=bcts",
        "--features=bcts",
        "--games=1",
        "--max-pieces=20",
        "--generations=1",
        "--runs=1",
        "--test-games=2",
        "--test-time=0.2",
    ];
    let learned = json(folder.path(), &quick("random-search(population=2)", &more));
    let test = &learned["test"];
    assert_eq!(test["ruleset"], "nes");
    assert!(test["max_pieces"].is_number(), "{test}");
    assert!(
        test["method"]
            .as_str()
            .unwrap()
            .contains("are truncated after "),
        "{test}"
    );
}

#[test]
fn a_start_from_a_file_brings_its_features() {
    let folder = tempdir().unwrap();
    let player = "name = \"mine\"\nfeatures = [\"holes\", \"any_line\"]\n[weights]\nholes = -1\nany_line = 1\n";
    fs::write(folder.path().join("mine.toml"), player).unwrap();
    let args: Vec<&str> = quick("cma-es", &["--start=mine.toml"]);
    let own = |arg: &&str| !arg.starts_with("--features");
    let args: Vec<&str> = args.into_iter().filter(own).collect();
    let learned = json(folder.path(), &args);
    assert_eq!(learned["plan"]["features"], "holes,any_line");
}

#[test]
fn every_learner_and_preset_is_listed_and_learns() {
    let folder = tempdir().unwrap();
    let listed = json(folder.path(), &["list", "learners"]);
    let names: Vec<&str> = listed["learners"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["name"].as_str().unwrap())
        .collect();
    assert!(tetrolab::learners::names().eq(names.iter().copied()));
    // A few small games suffice to check that every published method can start.
    for preset in presets() {
        let trained = find_learner(preset.id).unwrap().learner.make.trains_model();
        let learner = if trained {
            format!("{}(interval=100)", preset.id)
        } else {
            preset.id.to_owned()
        };
        let more = [
            "--games=1",
            "--max-pieces=5",
            "--generations=1",
            "--runs=1",
            "--quiet",
        ];
        let mut args = vec!["learn", &*learner, "--test-games=0"];
        args.extend(more);
        args.extend(trained.then_some("--objective=lines"));
        let output = tetrolab(folder.path()).args(&args).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{learner}: {said}");
    }
}
