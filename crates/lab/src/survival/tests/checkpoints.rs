//! Files of repetitions that are truncated, damaged, or belong to another estimate.

use super::*;
use crate::survival::repetition::Repetition;
use std::fs;
use std::path::Path;

fn kept_in(path: &Path) -> Splitting {
    Splitting {
        trajectories: 100,
        level: LevelKind::Stack,
        checkpoint: Some(path.to_owned()),
        player: "bcts".to_owned(),
        identity: "weights of bcts".to_owned(),
        chains: 32.try_into().unwrap(),
    }
}

fn run_as(splitting: &Splitting, goal: Goal, seed: u64) -> Result<Survival, SurvivalError> {
    let ruleset = find_ruleset("simplified-8x6").unwrap();
    let player = find_player("bcts", &ruleset).unwrap();
    let context = context(2);
    splitting
        .prepare(&context, &*player, &ruleset, seed)?
        .run(&context, goal)
}

fn run(path: &Path, goal: Goal, seed: u64) -> Result<Survival, SurvivalError> {
    run_as(&kept_in(path), goal, seed)
}

/// Reads a file without playing.
fn read(path: &Path) -> Result<Vec<f64>, SurvivalError> {
    let ruleset = find_ruleset("simplified-8x6").unwrap();
    let player = find_player("bcts", &ruleset).unwrap();
    let prepared = kept_in(path).prepare(&context(2), &*player, &ruleset, 1)?;
    Ok(prepared.rates())
}

/// The head of the file of this estimate.
fn head_of(path: &Path) -> checkpoint::Head {
    let ruleset = find_ruleset("simplified-8x6").unwrap();
    let player = find_player("bcts", &ruleset).unwrap();
    let splitting = kept_in(path);
    let prepared = splitting
        .prepare(&context(2), &*player, &ruleset, 1)
        .unwrap();
    prepared.head(&context(2), &splitting).unwrap()
}

#[test]
fn an_estimate_that_was_cut_off_ends_as_if_it_had_not_been() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, cut) = (folder.path().join("whole"), folder.path().join("cut"));
    let expected = run(&whole, Goal::Repetitions(6), 1).unwrap();
    run(&cut, Goal::Repetitions(5), 1).unwrap();
    let text = fs::read_to_string(&cut).unwrap();
    for length in [text.len() - 1, text.len() - 40, text.len() / 2, 3, 0] {
        fs::write(&cut, &text[..length]).unwrap();
        assert_eq!(run(&cut, Goal::Repetitions(6), 1).unwrap(), expected);
    }
}

#[test]
fn a_damaged_file_is_refused_or_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    run(&path, Goal::Repetitions(2), 1).unwrap();
    let rates = read(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    let head = head_of(&folder.path().join("other"));
    let mut refused = 0;
    for position in 0..bytes.len() {
        for flip in [0x01, 0x20, 0x80] {
            let mut damaged = bytes.clone();
            damaged[position] ^= flip;
            fs::write(&path, &damaged).unwrap();
            match checkpoint::Checkpoint::open(&path, &head) {
                Err(_) => refused += 1,
                Ok((_, kept)) => {
                    // Threads finish in any order, so the line that is left may be that of the
                    // second repetition.
                    let same =
                        |(index, kept): (&u64, &Repetition)| kept.rate == rates[*index as usize];
                    assert!(kept.iter().all(same), "byte {position}");
                }
            }
        }
    }
    assert!(refused >= 3 * (bytes.len() - 1), "{refused}");
}

#[test]
fn the_remains_of_a_failed_write_damage_no_later_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    run(&path, Goal::Repetitions(3), 1).unwrap();
    let head = head_of(&folder.path().join("other"));
    let (_, kept) = checkpoint::Checkpoint::open(&path, &head).unwrap();
    fs::remove_file(&path).unwrap();
    let (mut checkpoint, _) = checkpoint::Checkpoint::open(&path, &head).unwrap();
    for (number, left_behind) in [(0, 10), (1, 5_000), (2, 0)] {
        checkpoint.add(number, &kept[&number]).unwrap();
        let mut other = fs::OpenOptions::new().append(true).open(&path).unwrap();
        std::io::Write::write_all(&mut other, &vec![b'x'; left_behind]).unwrap();
    }
    drop(checkpoint);
    let (_, read) = checkpoint::Checkpoint::open(&path, &head).unwrap();
    assert_eq!(read, kept);
}

#[test]
fn a_line_of_another_file_or_place_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    run(&one, Goal::Repetitions(3), 1).unwrap();
    run(&two, Goal::Repetitions(3), 2).unwrap();
    let lines = |path| -> Vec<String> {
        let text = fs::read_to_string(path).unwrap();
        text.lines().map(|line| format!("{line}\n")).collect()
    };
    let (ours, theirs) = (lines(&one), lines(&two));
    let refused = |lines: &[&String], line: usize| {
        fs::write(
            &one,
            lines.iter().map(|line| line.as_str()).collect::<String>(),
        )
        .unwrap();
        let error = read(&one).unwrap_err().to_string();
        assert!(error.contains(&format!("line {line}: damaged")), "{error}");
    };
    refused(&[&ours[0], &theirs[1]], 2);
    refused(&[&ours[0], &ours[2], &ours[1]], 2);
    refused(&[&ours[0], &ours[1], &ours[1]], 3);
    refused(&[&ours[0], &ours[1], &"{}\n".to_owned(), &ours[2]], 3);
}

#[test]
fn a_file_of_another_estimate_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    run(&path, Goal::Repetitions(2), 1).unwrap();
    let before = fs::read(&path).unwrap();
    let error = run(&path, Goal::Repetitions(2), 2).unwrap_err().to_string();
    assert!(error.contains("another estimate (seed differs)"), "{error}");
    let edited = Splitting {
        identity: "weights of bcts, one of them edited".to_owned(),
        ..kept_in(&path)
    };
    let error = run_as(&edited, Goal::Repetitions(2), 1).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("(player hash differs)"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_file_that_is_not_of_this_kind_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    for (text, said) in [
        ("no JSON\n", "line 1: damaged"),
        ("no JSON, and no line", "line 1: damaged"),
        ("{\"survival\":1,\"player\":\"bcts\"}\n", "an older version"),
    ] {
        fs::write(&path, text).unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    let huge = fs::OpenOptions::new().write(true).open(&path).unwrap();
    huge.set_len(1 << 40).unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert!(error.contains("larger than any file"), "{error}");
}

#[test]
fn two_estimates_do_not_share_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let ruleset = find_ruleset("simplified-8x6").unwrap();
    let player = find_player("bcts", &ruleset).unwrap();
    let context = context(1);
    let _first = kept_in(&path)
        .prepare(&context, &*player, &ruleset, 1)
        .unwrap();
    let second = kept_in(&path).prepare(&context, &*player, &ruleset, 1);
    let error = second.err().unwrap().to_string();
    assert!(error.contains("another process is working"), "{error}");
}
