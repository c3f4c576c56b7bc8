//! Programs that play, written for the shell: valid and invalid ones.

use super::*;
use crate::arena::Arena;
use crate::context::Context;
use crate::environment::LegalMoves;
use crate::library::{FileSource, LibraryError, find_player, find_ruleset};
use crate::study::{Comparison, Evaluation, Keep, Method, Plan, StudyError, compare, evaluate};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tetrolab_core::game::{Game, Status};
use tetrolab_core::rng::Rng;
use tetrolab_core::ruleset::Ruleset;

/// A program for `sh` that reports that it is ready, and runs this code for each decision; `$line`
/// is the message.
fn program(answer: &str) -> String {
    let script = format!(
        r#"while read -r line; do case "$line" in
        *hello*) echo "{{\"type\":\"ready\",\"protocol\":1}}" ;;
        *decide*) {answer} ;;
        *quit*) exit 0 ;;
        esac; done"#
    );
    format!("exec(timeout=5,sh -c '{script}')")
}

#[test]
fn a_position_says_which_placements_end_the_game() {
    let rules = [
        "simplified-6x5",
        "two-piece-6x6",
        "guideline",
        "simplified-6x6(end=entry-blocked)",
    ];
    for name in rules {
        let ruleset = find_ruleset(name).unwrap();
        let (mut rng, mut moves, mut losing) = (Rng::new(5), LegalMoves::default(), 0);
        for seed in 0..10 {
            let mut game = Game::new(&ruleset, seed);
            while game.status() == Status::Playing && game.pieces() < 200 {
                let mut legal = Vec::new();
                moves.visit_position(&game.view(), |_, step| legal.push(step.placement));
                let position = BotPosition::new(&game.view(), &legal);
                for (&placement, &loses) in legal.iter().zip(&position.loses) {
                    let ends = game.clone().apply(placement).game_over;
                    assert!(!loses || ends, "{name} {placement:?}");
                    assert!(
                        loses || !ends || ruleset.preview == 0,
                        "{name} {placement:?}"
                    );
                    losing += u64::from(loses);
                }
                game.apply(legal[rng.below(legal.len() as u64) as usize]);
            }
        }
        assert!(losing > 20, "{name} {losing}");
    }
}

/// Takes the last legal placement, using only the shell.
const LAST: &str = r#"id=${line#*\"id\":}; id=${id%%,*};
    p=${line#*placements}; p=${p%%]*}; p=${p%\"*}; p=${p##*\"};
    echo "{\"id\":$id,\"placement\":\"$p\"}""#;

fn evaluation(players: &[&str], ruleset: &str) -> Evaluation {
    Evaluation {
        players: players.iter().map(|&player| player.to_owned()).collect(),
        ruleset: ruleset.to_owned(),
        plan: Plan::games(3),
        seed: 4,
    }
}

fn context(threads: usize) -> Context {
    Context::new(&Arena::new(threads).unwrap()).own_players(OwnPlayers::default())
}

fn evaluated(player: &str, ruleset: &str, threads: usize) -> Result<(f64, f64), StudyError> {
    let evaluation = evaluation(&[player], ruleset);
    let evaluated = evaluate(&evaluation, &Keep::nothing(), &context(threads))?;
    let result = &evaluated.results[0];
    Ok((result.lines.mean.unwrap(), result.pieces.mean.unwrap()))
}

fn problem(player: &str) -> String {
    match evaluated(player, "simplified-6x8", 2).unwrap_err() {
        StudyError::Bot(error) => error.problem,
        error => panic!("{error}"),
    }
}

#[test]
fn a_program_plays_the_same_games_on_any_number_of_threads() {
    let last = program(LAST);
    for ruleset in ["simplified-6x8", "guideline"] {
        let played = evaluated(&last, ruleset, 1).unwrap();
        assert!(played.1 > 3.0, "{played:?}");
        assert_eq!(played, evaluated(&last, ruleset, 2).unwrap());
    }
}

#[test]
fn a_program_is_compared() {
    let comparison = Comparison {
        ruleset: "simplified-6x8".to_owned(),
        method: crate::study::Method::Games,
        ..Comparison::new("bcts", &program("echo nonsense"))
    };
    let error = compare(&comparison, &context(2)).unwrap_err();
    assert!(matches!(error, StudyError::Bot(_)), "{error}");
}

#[test]
fn programs_that_do_not_answer_end_the_study_soon() {
    let began = Instant::now();
    let hangs = program("sleep 60").replace("timeout=5", "timeout=0.3");
    assert!(problem(&hangs).starts_with("expected a placement within 0.3 s"));
    assert!(problem("exec(timeout=0.3,sleep 60)").contains("`ready` within 0.3 s"));
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn programs_that_end_or_cannot_start_have_a_message() {
    let ends = problem(&program("echo oh no >&2; exit 7"));
    assert!(
        ends.contains("exit status: 7") && ends.ends_with("\"oh no\""),
        "{ends}"
    );
    assert!(problem("exec(./there-is-no-such-program)").contains("cannot be started"));
    assert!(problem("exec(true)").contains("ended"));
}

#[test]
fn programs_that_answer_something_else_have_a_message() {
    for (answer, expected) in [
        ("echo nonsense", "as JSON, found \"nonsense\""),
        ("echo {}", "missing field"),
        (
            r#"echo "{\"id\":1,\"placement\":\"Xx9\"}""#,
            "legal placements, such as",
        ),
        (
            r#"echo "{\"id\":77,\"placement\":\"Te3\"}""#,
            "found one to decision 77",
        ),
        (r#"echo "{\"id\":1.5,\"placement\":\"Te3\"}""#, "as JSON"),
        (r#"printf "\\377\\n""#, "not UTF-8"),
        ("while :; do echo {}; done", "missing field"),
        (
            r#"head -c 3000000 /dev/zero | tr "\\0" x"#,
            "at most 65536 bytes",
        ),
    ] {
        let found = problem(&program(answer));
        assert!(found.contains(expected), "{answer}: {found}");
    }
    let other = "exec(sh -c 'echo \"{\\\"protocol\\\":9}\"; sleep 5')";
    assert!(problem(other).contains("found 9"), "{}", problem(other));
}

/// A second answer to one decision must not be taken as the answer to the next.
#[test]
fn programs_that_answer_twice_have_a_message() {
    let found = problem(&program(&format!("{LAST}; {LAST}")));
    assert!(found.contains("exactly one answer"), "{found}");
}

#[test]
fn a_stopped_study_does_not_wait_for_a_program() {
    let began = Instant::now();
    let hangs = program("sleep 60").replace("timeout=5", "timeout=50");
    let context = context(2);
    let token = context.token().clone();
    let stopped = std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(300));
            token.cancel();
        });
        let evaluation = evaluation(&[&hangs], "simplified-6x8");
        evaluate(&evaluation, &Keep::nothing(), &context).unwrap()
    });
    assert!(stopped.interrupted && began.elapsed() < Duration::from_secs(20));
}

/// Files, requests and units of work may contain any name, but none of them starts a program.
#[test]
fn a_program_is_started_only_for_its_user() {
    let ruleset = find_ruleset("simplified").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("started");
    let command = format!("exec(touch {})", trace.display());
    for library in [FileSource::NAMES, FileSource::Disk] {
        for name in [
            command.clone(),
            format!(" {command}"),
            format!("greedy({command})"),
        ] {
            let error: LibraryError = library.player(&name, &ruleset).err().unwrap();
            assert!(!error.to_string().is_empty());
        }
        let error = library
            .player(&command, &ruleset)
            .err()
            .unwrap()
            .to_string();
        assert!(
            error.contains("programs can only be started by name"),
            "{error}"
        );
    }
    let given = Context::new(&Arena::new(1).unwrap()).names_only(Default::default());
    let from_elsewhere = given.own_players(OwnPlayers::default());
    let evaluation = evaluation(&[&command], "simplified-6x8");
    assert!(evaluate(&evaluation, &Keep::nothing(), &from_elsewhere).is_err());
    assert!(crate::study::work::split(&evaluation, 2, &from_elsewhere).is_err());
    assert!(!trace.exists());
}

#[test]
fn games_of_a_program_are_not_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let keep = Keep {
        resume: Some(folder.path().join("kept")),
        ..Keep::nothing()
    };
    let last = program(LAST);
    let error = evaluate(&evaluation(&[&last], "simplified-6x8"), &keep, &context(1));
    let error = error.unwrap_err().to_string();
    assert!(error.contains("can be neither resumed"), "{error}");
}

/// The error comes before the first game, and has the program's name only once.
#[test]
fn programs_play_whole_games_unless_splitting_is_requested() {
    let last = program(LAST);
    let began = AtomicBool::new(false);
    let began = Arc::new(began);
    let seen = Arc::clone(&began);
    let watched = context(1).observer(move |_| seen.store(true, Ordering::Relaxed));
    let refused = |error: StudyError| {
        let error = error.to_string();
        assert!(error.contains("splitting requires a player"), "{error}");
        assert_eq!(error.matches("exec(").count(), 1, "{error}");
        assert!(!began.load(Ordering::Relaxed));
    };
    let both = |plan| Evaluation {
        plan,
        ..evaluation(&["dellacherie", &last], "simplified-6x8")
    };
    let by_splitting = both(Plan::repetitions(2));
    refused(evaluate(&by_splitting, &Keep::nothing(), &watched).unwrap_err());
    let comparison = Comparison {
        method: Method::Splitting,
        ..Comparison::new("dellacherie", &last)
    };
    refused(compare(&comparison, &watched).unwrap_err());
    // An object of the caller, which plays faster than a program.
    let make = |ruleset: &Ruleset| Ok(find_player("dellacherie", ruleset).unwrap());
    let own = OwnPlayers::default().with("mine", Arc::new(make));
    let own = Context::on_threads(2).own_players(own);
    let auto = Evaluation {
        plan: Plan::auto(0.5),
        ..evaluation(&["mine"], "simplified-8x5")
    };
    let found = evaluate(&auto, &Keep::nothing(), &own).unwrap();
    assert_eq!(found.results[0].method, "games");
    let auto = Comparison {
        ruleset: "simplified-8x5".to_owned(),
        ..Comparison::new("mine", "random")
    };
    assert_eq!(compare(&auto, &own).unwrap().method, Some(Method::Games));
}

/// Neither the program nor anything it started must remain.
#[test]
#[cfg(target_os = "linux")]
fn no_process_is_left_behind() {
    let named = |word: &str| {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let lines = processes.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
        let word = word.as_bytes();
        lines
            .filter(|line| line.windows(word.len()).any(|part| part == word))
            .count()
    };
    let zombies = || {
        let own = std::process::id().to_string();
        let stat =
            |entry: std::fs::DirEntry| std::fs::read_to_string(entry.path().join("stat")).ok();
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let is_ours = |stat: &String| {
            let rest = stat.rsplit(')').next().unwrap_or_default();
            let mut words = rest.split_whitespace();
            words.next() == Some("Z") && words.next() == Some(&own)
        };
        processes.filter_map(stat).filter(is_ours).count()
    };
    assert!(problem("exec(timeout=0.2,sleep 61.25)").contains("no answer"));
    let hangs = program("sleep 61.25 & sleep 61.25").replace("timeout=5", "timeout=0.2");
    assert!(problem(&hangs).contains("no answer"));
    let until = Instant::now() + Duration::from_secs(10);
    while named("61.25") + zombies() > 0 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!((named("61.25"), zombies()), (0, 0));
}
