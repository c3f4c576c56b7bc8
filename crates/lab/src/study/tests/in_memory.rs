//! Learning without files, and players of runs that are not finished.

use super::*;
use crate::learning::RunFolder;
use crate::library::{PlayerFile, find_ruleset};

fn learning(learner: &str, generations: u64) -> Learning {
    Learning {
        learner: learner.to_owned(),
        ruleset: "simplified-6x8".to_owned(),
        games: 2,
        max_pieces: Some(50),
        budget: Budget::generations(generations),
        seed: u64::MAX,
        ..Learning::default()
    }
}

#[test]
fn a_player_learned_in_memory_has_the_bytes_of_one_that_is_kept() {
    let folder = tempdir().unwrap();
    let mut place = LearningPlace::new(&folder.path().join("mine")).unwrap();
    place.provenance = Some("a command".to_owned());
    let learning = learning("random-search(population=4)", 3);
    let kept = learn(&learning, &place, &context()).unwrap();
    let names = ("mine", "a command");
    let (context, events) = context().recorded();
    let learned = learn_in_memory(&learning, names, &context).unwrap();
    assert_eq!(learned.player, Some(place.run.player_text().unwrap()));
    assert_eq!(learned.result.solutions, kept.solutions);
    assert_eq!(learned.result.ended, kept.ended);
    let is_generation = |one: &&StudyEvent| matches!(one.event, Event::Generation(_));
    assert_eq!(lock(&events).iter().filter(is_generation).count(), 3);
    let files = std::fs::read_dir(folder.path()).unwrap().count();
    let cancelled = super::context().cancelled();
    let stopped = learn_in_memory(&learning, names, &cancelled).unwrap();
    assert!(stopped.result.interrupted && stopped.player.is_none());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), files);
}

#[test]
fn learning_in_memory_reads_no_files() {
    let named = Learning {
        start: Some("/etc/passwd".to_owned()),
        ..learning("cma-es", 1)
    };
    assert!(learn_in_memory(&named, ("x", ""), &context()).is_err());
}

#[test]
fn a_run_that_is_not_finished_has_a_player_after_its_first_generation() {
    let rules = find_ruleset("simplified-6x8").unwrap();
    let folder = tempdir().unwrap();
    let run = RunFolder::at(&folder.path().join("mine")).unwrap();
    assert!(player_so_far(&run).is_err(), "there is no run");
    let place = LearningPlace::new(&run.path()).unwrap();
    let context = crate::learning::until_generation(2, 1);
    let stopped = learn(
        &learning("random-search(population=4)", 5),
        &place,
        &context,
    )
    .unwrap();
    assert!(stopped.interrupted);
    let text = player_so_far(&run)
        .unwrap()
        .expect("one generation is stored");
    let file = PlayerFile::parse(&text, "mine").unwrap();
    file.player(&rules).unwrap();
}
