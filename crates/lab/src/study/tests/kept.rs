//! Evaluations that store their games on disk: logs for resuming, records, tables.

use super::*;
use crate::formats::games;
use crate::library::{FileSource, find_ruleset};
use crate::study::evaluation::Request;
use crate::study::game_log::ResultLog;
use std::fs;
use std::path::Path;
use std::time::Duration;

fn resumed(evaluation: &Evaluation, folder: &Path, context: &Context) -> Evaluated {
    let keep = Keep {
        resume: Some(folder.to_owned()),
        ..Keep::nothing()
    };
    evaluate(evaluation, &keep, context).unwrap()
}

/// The pieces that an evaluation plays.
fn pieces_played(evaluation: &Evaluation, folder: &Path) -> u64 {
    let (context, events) = context().recorded();
    let keep = Keep {
        resume: Some(folder.to_owned()),
        ..Keep::nothing()
    };
    evaluate(evaluation, &keep, &context).unwrap();
    let pieces = |event: &StudyEvent| match event.event {
        Event::Games { pieces, .. } => pieces,
        _ => 0,
    };
    lock(&events).iter().map(pieces).max().unwrap_or(0)
}

#[test]
fn games_that_were_cut_off_anywhere_end_as_if_they_had_not_been() {
    let folder = tempdir().unwrap();
    let plans = [
        (["bcts", "random"], games_until(0.3)),
        (["bcts", "random"], capped(30, 40)),
        (["dellacherie", "random"], Plan::auto(0.4)),
    ];
    let small = |(players, plan): ([&str; 2], Plan)| Evaluation {
        ruleset: "simplified-6x5".to_owned(),
        seed: 3,
        ..quick(&players, plan)
    };
    for (number, evaluation) in plans.map(small).iter().enumerate() {
        let expected = timeless(evaluated(evaluation));
        let kept = folder.path().join(number.to_string());
        assert_eq!(timeless(resumed(evaluation, &kept, &context())), expected);
        let first = kept.join(format!("{}.games.jsonl", evaluation.players[0]));
        let text = fs::read(&first).unwrap();
        let other = Context::without_kernels(1);
        for length in [text.len() - 1, text.len() / 2, 200, 3, 0] {
            fs::write(&first, &text[..length]).unwrap();
            assert_eq!(timeless(resumed(evaluation, &kept, &other)), expected);
        }
        assert_eq!(pieces_played(evaluation, &kept), 0, "all is known");
    }
}

/// Adversaries deal any piece after an interruption: no game with such a piece may be kept.
#[test]
fn games_against_an_adversary_that_are_interrupted_anywhere_end_as_if_they_had_not_been() {
    let folder = tempdir().unwrap();
    let evaluation = Evaluation {
        ruleset: "simplified-8x10(randomizer=adversary(dellacherie))".to_owned(),
        ..quick(&["bcts"], capped(30, 60))
    };
    let expected = timeless(evaluated(&evaluation));
    for milliseconds in [3, 10, 20, 40, 80] {
        let context = context();
        let token = context.token().clone();
        let canceller = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(milliseconds));
            token.cancel();
        });
        resumed(&evaluation, folder.path(), &context);
        canceller.join().unwrap();
    }
    assert_eq!(
        timeless(resumed(&evaluation, folder.path(), &context())),
        expected
    );
}

#[test]
fn more_games_are_played_after_those_of_a_log() {
    let folder = tempdir().unwrap();
    let few = quick(&["bcts"], Plan::games(10));
    let many = quick(&["bcts"], Plan::games(25));
    resumed(&few, folder.path(), &context());
    let expected = timeless(evaluated(&many));
    assert_eq!(
        timeless(resumed(&many, folder.path(), &context())),
        expected
    );
    let expected = timeless(evaluated(&few));
    assert_eq!(timeless(resumed(&few, folder.path(), &context())), expected);
}

#[test]
fn the_time_of_a_resumed_evaluation_is_that_of_all_its_parts() {
    let folder = tempdir().unwrap();
    let evaluation = quick(&["bcts"], Plan::games(300));
    let first = resumed(&evaluation, folder.path(), &context());
    let again = resumed(&evaluation, folder.path(), &context());
    let (first, again) = (first.results[0].seconds, again.results[0].seconds);
    assert!(again > 0.5 * first, "{again} of {first} s");
    let few = resumed(
        &quick(&["bcts"], Plan::games(10)),
        folder.path(),
        &context(),
    );
    let few = few.results[0].seconds;
    assert!(few < 0.3 * first, "{few} of {first} s for a few of them");
}

#[test]
fn the_time_of_a_resumed_estimate_is_that_of_all_its_parts() {
    let folder = tempdir().unwrap();
    let seconds = |repetitions| {
        let evaluation = Evaluation {
            ruleset: "simplified-8x5".to_owned(),
            ..quick(&["bcts"], few(repetitions, 100, LevelKind::Stack))
        };
        let found = resumed(&evaluation, folder.path(), &context());
        found.results[0].seconds
    };
    let (part, whole) = (seconds(6), seconds(12));
    assert!(whole > part, "{whole} s, the first part {part} s");
    // Only the pilot run, which takes almost no time, is repeated.
    let again = seconds(12);
    assert!(again > 0.5 * whole, "{again} of {whole} s");
}

#[test]
fn a_damaged_log_is_refused_or_changes_nothing() {
    let folder = tempdir().unwrap();
    let evaluation = quick(&["random"], Plan::games(6));
    resumed(&evaluation, folder.path(), &context());
    let ruleset = find_ruleset(&evaluation.ruleset).unwrap();
    let request = Request {
        evaluation: &evaluation,
        ruleset: &ruleset,
    };
    let open = || {
        ResultLog::open(folder.path(), "random", &request, FileSource::Disk)
            .map(|(_, known)| known.games)
    };
    let path = folder.path().join("random.games.jsonl");
    let (games, bytes) = (open().unwrap(), fs::read(&path).unwrap());
    assert_eq!(games.len(), 6);
    for position in 0..bytes.len() {
        for flip in [0x01, 0x20, 0x80] {
            let mut damaged = bytes.clone();
            damaged[position] ^= flip;
            fs::write(&path, &damaged).unwrap();
            if let Ok(found) = open() {
                assert!(found.iter().all(|game| games.contains(game)), "{position}");
                assert_eq!(
                    position,
                    bytes.len() - 1,
                    "only a lost end of line is no damage"
                );
            }
        }
    }
}

#[test]
fn a_log_of_another_evaluation_is_left_alone() {
    let folder = tempdir().unwrap();
    let evaluation = quick(&["random"], Plan::games(6));
    resumed(&evaluation, folder.path(), &context());
    let others = [
        (
            "seed differs",
            Evaluation {
                seed: 2,
                ..evaluation.clone()
            },
        ),
        (
            "max pieces differs",
            Evaluation {
                plan: capped(6, 7),
                ..evaluation.clone()
            },
        ),
        (
            "differs",
            Evaluation {
                ruleset: "simplified-6x9".to_owned(),
                ..evaluation.clone()
            },
        ),
    ];
    let keep = Keep {
        resume: Some(folder.path().to_owned()),
        ..Keep::nothing()
    };
    for (what, other) in others {
        let error = evaluate(&other, &keep, &context()).unwrap_err();
        assert!(error.to_string().contains(what), "{error}");
    }
}

#[test]
fn records_stand_in_the_order_of_players_and_games_and_replay() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let evaluation = quick(&["random", "bcts"], Plan::games(40));
    let keep = Keep {
        records: Some(path.clone()),
        ..Keep::nothing()
    };
    let found = evaluate(&evaluation, &keep, &context()).unwrap();
    assert_eq!(timeless(found), timeless(evaluated(&evaluation)));
    let games = games::read(&path, None).unwrap();
    assert_eq!(games.len(), 80);
    let ruleset = find_ruleset(&evaluation.ruleset).unwrap();
    for (player, games) in ["random", "bcts"].iter().zip(games.chunks(40)) {
        let seeds = (0..40).map(|index| tetrolab_core::rng::game_seed(1, index));
        for (game, seed) in games.iter().zip(seeds) {
            let record = &game.record;
            assert_eq!((record.player.as_str(), record.seed), (*player, seed));
            assert_eq!(record.replay(&ruleset, None).unwrap().lines(), record.lines);
        }
    }
}

/// A player that places every piece on the highest column, and loses soon.
const TOWER: &str = "name = \"tower\"\nplayer = \"greedy\"\nlosing = \"allow\"\nevaluator = \"linear\"\nfeatures = [\"landing_height\"]\n[weights]\nlanding_height = 1\n";

#[test]
fn games_of_a_player_that_fails_are_not_recorded_on_any_number_of_threads() {
    let folder = tempdir().unwrap();
    let tower = folder.path().join("tower.toml");
    fs::write(&tower, TOWER).unwrap();
    let evaluation = Evaluation {
        ruleset: format!("simplified-6x8(randomizer=fixed({}))", "O".repeat(9)),
        ..quick(&["random", tower.to_str().unwrap()], Plan::games(60))
    };
    let texts = [1, 3].map(|threads| {
        let path = folder.path().join(format!("{threads}.jsonl"));
        let keep = Keep {
            records: Some(path.clone()),
            ..Keep::nothing()
        };
        let found = evaluate(&evaluation, &keep, &Context::on_threads(threads)).unwrap();
        assert_eq!(found.failed[0].player, "random");
        fs::read_to_string(path).unwrap()
    });
    assert_eq!(texts[0].lines().count(), 60);
    assert_eq!(texts[0], texts[1]);
}

#[test]
fn files_of_a_ruleset_are_read_once_for_all_records() {
    let folder = tempdir().unwrap();
    let (tower, path) = (
        folder.path().join("tower.toml"),
        folder.path().join("games"),
    );
    fs::write(&tower, TOWER).unwrap();
    let evaluation = Evaluation {
        ruleset: format!("simplified-6x8(randomizer=adversary({}))", tower.display()),
        ..quick(&["random"], Plan::games(3))
    };
    let keep = Keep {
        records: Some(path.clone()),
        ..Keep::nothing()
    };
    let context = context().observer(move |event| {
        if matches!(event.event, Event::GamesBegan { .. }) {
            fs::remove_file(&tower).unwrap();
        }
    });
    evaluate(&evaluation, &keep, &context).unwrap();
    let games = games::read(&path, None).unwrap();
    assert_eq!(games.len(), 3);
    assert!(
        games
            .iter()
            .all(|game| game.record.files.values().eq([TOWER]))
    );
}

#[test]
fn a_table_has_a_line_for_each_game_also_when_it_is_resumed() {
    let folder = tempdir().unwrap();
    let evaluation = quick(&["random", "greedy(bcts)"], Plan::games(20));
    let text = |resume: Option<&Path>, name: &str| {
        let path = folder.path().join(name);
        let keep = Keep {
            table: Some(path.clone()),
            resume: resume.map(Path::to_owned),
            ..Keep::nothing()
        };
        let found = evaluate(&evaluation, &keep, &context()).unwrap();
        (fs::read_to_string(path).unwrap(), found)
    };
    let (table, found) = text(None, "one.csv");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split(',').collect())
        .collect();
    assert_eq!(
        table.lines().next().unwrap(),
        "player,game,seed,lines,pieces,line_points,points,finished"
    );
    assert_eq!(rows.len(), 41);
    assert_eq!((rows[1][0], rows[1][1], rows[40][1]), ("random", "1", "20"));
    assert!(
        rows[1..]
            .iter()
            .all(|row| row[6].is_empty() && row[7] == "true")
    );
    let lines = rows[1..=20]
        .iter()
        .map(|row| row[3].parse::<f64>().unwrap());
    let mean = lines.sum::<f64>() / 20.0;
    assert!((mean - found.results[0].lines.mean.unwrap()).abs() < 1e-9);
    let logs = folder.path().join("logs");
    resumed(&quick(&["random"], Plan::games(7)), &logs, &context());
    assert_eq!(text(Some(&logs), "two.csv").0, table);
    let keep = Keep {
        table: Some(folder.path().join("one.csv")),
        ..Keep::nothing()
    };
    let error = evaluate(&evaluation, &keep, &context()).unwrap_err();
    let error = error.to_string();
    assert!(
        error.ends_with("already exists; choose a new file name for results"),
        "{error}"
    );
}

#[test]
fn a_table_of_an_interrupted_evaluation_is_written_by_the_one_that_finishes_it() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("games.csv");
    let evaluation = quick(&["random"], Plan::games(20));
    let keep = Keep {
        table: Some(path.clone()),
        resume: Some(folder.path().join("logs")),
        ..Keep::nothing()
    };
    let stopped = context();
    let token = stopped.token().clone();
    let stopped = stopped.observer(move |event| {
        if matches!(event.event, Event::GamesBegan { .. }) {
            token.cancel();
        }
    });
    let found = evaluate(&evaluation, &keep, &stopped);
    assert!(found.unwrap().interrupted);
    assert!(!path.exists());
    // A kill leaves this behind.
    fs::write(folder.path().join("games.csv.part"), "player,").unwrap();
    evaluate(&evaluation, &keep, &context()).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 21);
}

#[test]
fn games_with_points_have_a_mean_of_points_and_others_have_none() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("nes.csv");
    let evaluation = Evaluation {
        ruleset: "nes".to_owned(),
        ..quick(&["bcts"], capped(3, 60))
    };
    let keep = Keep {
        table: Some(path.clone()),
        ..Keep::nothing()
    };
    let found = evaluate(&evaluation, &keep, &context()).unwrap();
    let points = found.results[0].points.as_ref().unwrap();
    // The cap is short, so there is only a lower bound.
    assert_eq!((points.mean, points.ci95.unwrap().hi), (None, None));
    let table = fs::read_to_string(path).unwrap();
    let cells = table
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(6).unwrap());
    assert!(
        cells
            .into_iter()
            .all(|cell| cell.parse::<u64>().unwrap() > 0)
    );
    let lost = Evaluation {
        players: vec!["random".to_owned()],
        plan: Plan::games(3),
        ..evaluation
    };
    let points = evaluated(&lost).results[0].points.clone().unwrap();
    assert!(points.mean.is_some() && points.ci95.unwrap().contains(points.mean.unwrap()));
    let simplified = quick(&["random"], Plan::games(3));
    assert_eq!(evaluated(&simplified).results[0].points, None);
}
