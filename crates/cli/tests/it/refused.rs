//! Flags that would have no effect, unknown names, and places where nothing can be stored.

use super::{sentence, stdout};
use crate::learn::BY_SURVIVAL;
use std::fs;
use tempfile::tempdir;

#[test]
fn flags_without_effect_are_refused() {
    let folder = tempdir().unwrap();
    let said = |args: &str| {
        let args: Vec<&str> = args.split(' ').collect();
        sentence(folder.path(), &args)
    };
    assert!(said("eval bcts --games 3 --precision 5%").contains("cannot be used with"));
    assert!(said("eval bcts --budget 3 --precision 5%").contains("cannot be used with"));
    assert_eq!(
        said("eval bcts --budget 0"),
        "the budget must be at least 1 piece, got 0"
    );
    let refused = |games: &str, splitting: &str| {
        assert_eq!(
            said(&format!("eval bcts {games}=3 {splitting}=9")),
            format!(
                "{games} requires whole games, but {splitting} requires splitting; leave one of them out"
            )
        );
    };
    refused("--games", "--trajectories");
    refused("--max-pieces", "--budget");
    refused("--record", "--budget");
    assert_eq!(
        said("eval bcts --games 3 --levels"),
        "--games requires whole games, but --levels requires splitting; leave one of them out"
    );
    for command in ["eval bcts", "compare bcts dt-10"] {
        assert_eq!(
            said(&format!("{command} --method games --trajectories 100")),
            "--method games requires whole games, but --trajectories requires splitting; leave one of them out"
        );
    }
    assert_eq!(
        said("bench --only greedy-bcts-10x20 --threads 2"),
        "greedy-bcts-10x20 runs on one thread; leave --threads out"
    );
}

#[test]
fn learning_by_survival_reports_that_it_plays_no_games() {
    let folder = tempdir().unwrap();
    let note = "--games has no effect";
    assert!(!stdout(folder.path(), &[&BY_SURVIVAL[..], &["--run=a/b"]].concat()).contains(note));
    let games = [&BY_SURVIVAL[..], &["--run=a/c", "--games=5"]].concat();
    assert!(stdout(folder.path(), &games).contains(note));
}

#[test]
fn a_budget_decides_for_splitting() {
    let folder = tempdir().unwrap();
    let args = [
        "eval",
        "bcts",
        "--ruleset=simplified-10x8",
        "--trajectories=100",
        "--budget=10",
    ];
    let said = stdout(folder.path(), &args);
    assert!(said.contains("multilevel splitting"), "{said}");
}

#[test]
fn negative_numbers_are_refused_by_the_option_that_they_follow() {
    let folder = tempdir().unwrap();
    let said = |args: &[&str]| sentence(folder.path(), args);
    for command in [&["eval", "bcts"][..], &["learn"], &["compare", "a", "b"]] {
        for option in ["--threads", "--seed"] {
            let said = said(&[command, &[option, "-1"]].concat());
            assert!(
                said.starts_with(&format!("invalid value '-1' for '{option} ")),
                "{said}"
            );
            assert!(said.ends_with("expected a non-negative integer"), "{said}");
        }
    }
    for part in ["-5%", "-0.1"] {
        assert!(said(&["eval", "bcts", "--precision", part]).contains("above 0"));
        assert!(said(&["compare", "a", "b", "--margin", part]).contains("above 0"));
    }
    assert!(said(&["bench", "--seconds", "-1"]).contains("got -1"));
}

#[test]
fn parts_of_a_learned_player_are_known_by_name() {
    let folder = tempdir().unwrap();
    let said = |option: &str| sentence(folder.path(), &["learn", option]);
    assert_eq!(said("--evaluator=foo"), "there is no evaluator 'foo'");
    assert_eq!(
        said("--evaluator=liner"),
        "there is no evaluator 'liner'; did you mean 'linear'?"
    );
    for player in ["nope", "random"] {
        let said = said(&format!("--player={player}"));
        assert!(
            said.starts_with("--player must be one of greedy, two-piece, "),
            "{said}"
        );
        assert!(said.ends_with(&format!(", got '{player}'")), "{said}");
    }
}

#[test]
fn players_separated_by_commas_are_rejected_with_a_hint() {
    let folder = tempdir().unwrap();
    for args in [&["eval", "bcts,dt-10"][..], &["compare", "bcts,dt-10", "b"]] {
        assert_eq!(
            sentence(folder.path(), args),
            "expected a player, got 'bcts,dt-10'; separate several players with spaces: bcts dt-10"
        );
    }
    let settings = ["eval", "greedy(bcts,losing=allow)", "--games=1"];
    stdout(folder.path(), &settings);
}

#[test]
fn a_player_that_is_shown_too_little_is_refused_before_any_game() {
    let folder = tempdir().unwrap();
    let rules = "--ruleset=simplified-10x10";
    for (player, needed) in [
        ("two-piece(bcts)", 1),
        ("accelerated(bcts)", 1),
        ("beam(bcts,depth=4)", 3),
    ] {
        let expected = format!(
            "{player} needs preview={needed}, but the ruleset simplified-10x10 has preview=0; use a ruleset such as \
             simplified-10x10(preview={needed})"
        );
        let whole_games = ["eval", "bcts", player, rules, "--record=games.jsonl"];
        let splitting = ["eval", player, rules, "--method=splitting"];
        let compared = ["compare", "bcts", player, rules];
        let drawn = ["draw", player, rules];
        for args in [&whole_games[..], &splitting, &compared, &drawn] {
            // With exit code 2.
            assert_eq!(sentence(folder.path(), args), expected, "{args:?}");
        }
    }
    assert!(!folder.path().join("games.jsonl").exists());
    // Players that average over the pieces they do not see, or assume the worst, need no preview.
    for player in ["expectimax(bcts)", "expectimax-beam(bcts)", "minimax(bcts)"] {
        let args = ["eval", player, rules, "--games=1", "--max-pieces=3"];
        stdout(folder.path(), &args);
    }
}

#[test]
fn an_unknown_workload_is_answered_with_the_known_ones() {
    let folder = tempdir().unwrap();
    let said = sentence(folder.path(), &["bench", "--only=nope"]);
    assert!(
        said.starts_with("there is no workload 'nope'; the workloads are greedy-bcts-10x20, "),
        "{said}"
    );
}

#[test]
fn a_file_in_place_of_a_folder_is_reported() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let said = |args: &[&str]| sentence(folder.path(), args);
    let resume = ["eval", "bcts", "--method=splitting", "--resume=file"];
    assert_eq!(
        said(&resume),
        "file: expected a folder for --resume, found a file"
    );
}

#[test]
fn a_path_where_repetitions_cannot_be_stored_is_named_with_the_cause() {
    let folder = tempdir().unwrap();
    fs::create_dir_all(folder.path().join("kept/bcts.survival.jsonl")).unwrap();
    let args = [
        "eval",
        "bcts",
        "--ruleset=simplified-10x8",
        "--budget=1",
        "--trajectories=100",
        "--resume=kept",
    ];
    let said = sentence(folder.path(), &args);
    assert!(
        said.starts_with("kept/bcts.survival.jsonl: repetitions cannot be stored here: "),
        "{said}"
    );
}

#[test]
fn an_empty_file_has_no_placements() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("empty.jsonl"), "\n").unwrap();
    assert_eq!(
        sentence(folder.path(), &["features", "--from=empty.jsonl"]),
        "empty.jsonl: expected placements or games, found neither"
    );
}

#[test]
fn a_line_that_is_no_json_has_one_line_number_and_a_column() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("in.jsonl"), "\n{\"a\" 1}\n").unwrap();
    for command in [&["features", "--from"][..], &["replay"]] {
        assert_eq!(
            sentence(folder.path(), &[command, &["in.jsonl"]].concat()),
            "in.jsonl, line 2: not a JSON object: expected `:` at column 6"
        );
    }
}

#[test]
fn a_run_is_found_by_its_folder_and_a_lab_without_runs_is_reported() {
    let folder = tempdir().unwrap();
    assert_eq!(
        stdout(folder.path(), &["runs"]),
        "There are no runs in runs yet; `tetrolab learn` creates one.\n"
    );
    assert_eq!(
        sentence(folder.path(), &["runs", "--lab=nowhere"]),
        "nowhere: there is no such folder"
    );
    let learn = [
        "learn",
        "random-search(population=4)",
        "--ruleset=simplified-6x8",
        "--features=dellacherie",
        "--games=2",
        "--generations=2",
        "--test-games=0",
        "--quiet",
    ];
    stdout(folder.path(), &[&learn[..], &["--run=runs/mine"]].concat());
    let by_name = stdout(folder.path(), &["runs", "mine"]);
    for path in ["runs/mine", "./runs/mine/"] {
        assert_eq!(stdout(folder.path(), &["runs", path]), by_name);
    }
    assert!(
        sentence(folder.path(), &["runs", "runs/mine", "--lab=runs"]).contains("leave --lab out")
    );
}

#[test]
fn games_without_chance_say_so() {
    let folder = tempdir().unwrap();
    let said = |ruleset: &str| {
        let ruleset = format!("--ruleset={ruleset}");
        stdout(folder.path(), &["eval", "bcts", &ruleset, "--games=5"])
    };
    let note = "Every game of bcts was identical";
    assert!(said("simplified-10x10(randomizer=alternating)").contains(note));
    // O pieces alone never fill a row of seven.
    let squares = "simplified-7x10(randomizer=weighted(I=0,T=0,S=0,Z=0,L=0,J=0))";
    assert!(said(squares).contains(note));
    assert!(!said("simplified-10x6").contains(note));
    let random = [
        "eval",
        "random",
        "--ruleset=simplified-10x10",
        "--max-pieces=1",
        "--games=5",
    ];
    assert!(!stdout(folder.path(), &random).contains("was identical"));
}
