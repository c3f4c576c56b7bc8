//! Runs whose files were damaged, lost, or come from different moments.

use super::description::tests::tiny;
use super::tests::until_generation;
use super::*;
use crate::library::safetensors::Tensors;
use crate::library::{model_bytes, read_model};
use crate::study::{LearningPlace, LearningResult, StudyError, learn};
use rusqlite::Connection;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::{TempDir, tempdir};
use tetrolab_core::evaluators::ModelKind;
use tetrolab_core::rng::Rng;

/// A run in its own folder.
struct TestRun {
    folder: TempDir,
    plan: Learning,
}

impl TestRun {
    fn new(plan: &Learning) -> TestRun {
        TestRun {
            folder: tempdir().unwrap(),
            plan: plan.clone(),
        }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn checkpoint(&self) -> PathBuf {
        self.file("run/checkpoint.safetensors")
    }

    /// Begins or continues the run, until it ends or has this many generations.
    fn learn(&self, most: usize) -> Result<LearningResult, StudyError> {
        let place = LearningPlace {
            resume: self.file("run").exists(),
            ..LearningPlace::new(&self.file("run"))?
        };
        learn(&self.plan, &place, &until_generation(1, most))
    }

    /// The bytes of what was learned.
    fn learned(&self) -> (Vec<u8>, Option<Vec<u8>>) {
        let player = fs::read(self.file("run/player.toml")).unwrap();
        (player, fs::read(self.file("run/player.safetensors")).ok())
    }

    /// Deletes the last generations from the store.
    fn forget(&self, from: u64) {
        let store = Connection::open(self.file("lab.sqlite")).unwrap();
        for table in ["candidates", "generations"] {
            let sql = format!("DELETE FROM {table} WHERE number >= {from}");
            assert!(store.execute(&sql, []).unwrap() > 0);
        }
    }

    fn generations(&self) -> u64 {
        let store = Store::read(&self.file("lab.sqlite")).unwrap();
        store.run("run").unwrap().unwrap().generations
    }
}

/// A plan of a method that writes checkpoints, which takes some milliseconds.
pub(super) fn training_plan(learner: &str) -> Learning {
    let (settings, evaluator, features) = match learner {
        "test-climber" => ("step=0.1", "linear", "dellacherie"),
        "danger" => (
            "interval=300,warmup=500,ancestors=0.5,refresh=1000,trajectories=10,groups=1,lowest=6",
            "tables",
            "heights",
        ),
        "td-tables" => ("interval=200,warmup=100", "tables", "heights"),
        "td-lambda" => ("units=4,interval=200,warmup=100", "network", "dellacherie"),
        _ => (
            "units=4,layers=1,queue=500,begin=0.2,interval=200,batch=16,epochs=2,actors=2,ahead=5",
            "network",
            "dellacherie",
        ),
    };
    Learning {
        learner: format!("{learner}({settings})"),
        evaluator: evaluator.to_owned(),
        features: features.to_owned(),
        runs: 1,
        budget: Budget::generations(4),
        ..tiny()
    }
}

const WITH_CHECKPOINT: [&str; 5] = [
    "danger",
    "td-lambda",
    "td-tables",
    "q-network-fast",
    "test-climber",
];

#[test]
fn a_run_whose_store_and_checkpoint_differ_in_age_learns_the_same() {
    for learner in WITH_CHECKPOINT {
        let plan = training_plan(learner);
        let whole = TestRun::new(&plan);
        whole.learn(usize::MAX).unwrap();
        let broken = TestRun::new(&plan);
        broken.learn(1).unwrap();
        let old = fs::read(broken.checkpoint()).unwrap();
        broken.learn(3).unwrap();
        // The store is behind by one generation, and by two.
        for from in [2, 1] {
            broken.forget(from);
            broken.learn(3).unwrap();
            assert_eq!(broken.generations(), 3, "{learner}");
        }
        // The checkpoint is behind, and then missing.
        fs::write(broken.checkpoint(), &old).unwrap();
        broken.learn(3).unwrap();
        fs::remove_file(broken.checkpoint()).unwrap();
        broken.learn(3).unwrap();
        // There is a checkpoint, but no store.
        for file in ["lab.sqlite", "lab.sqlite-wal", "lab.sqlite-shm"] {
            let _ = fs::remove_file(broken.file(file));
        }
        broken.learn(usize::MAX).unwrap();
        assert_eq!(broken.learned(), whole.learned(), "{learner}");
        assert_eq!(broken.generations(), 4);
    }
}

#[test]
fn an_older_checkpoint_is_resumed_unless_the_store_is_behind() {
    let plan = training_plan("td-lambda");
    let whole = TestRun::new(&plan);
    whole.learn(usize::MAX).unwrap();
    let older = TestRun::new(&plan);
    older.learn(3).unwrap();
    let mut tensors = Tensors::read(&older.checkpoint()).unwrap();
    tensors.words.retain(|word| word.0 != "rows");
    let bytes = tensors.bytes();
    fs::write(older.checkpoint(), &bytes).unwrap();
    older.forget(2);
    let said = older.learn(usize::MAX).unwrap_err().to_string();
    assert!(
        said.contains("has 3 generations, but the store has only 2 of them")
            && said.contains("if you delete this file, the run starts again from its beginning"),
        "{said}"
    );
    fs::remove_file(older.checkpoint()).unwrap();
    older.learn(3).unwrap();
    fs::write(older.checkpoint(), &bytes).unwrap();
    older.learn(usize::MAX).unwrap();
    assert_eq!(older.learned(), whole.learned());
}

#[test]
fn a_checkpoint_of_another_run_is_refused() {
    let run = TestRun::new(&training_plan("td-lambda"));
    run.learn(2).unwrap();
    let other = TestRun::new(&run.plan);
    other.learn(2).unwrap();
    let mut tensors = Tensors::read(&other.checkpoint()).unwrap();
    let rows = tensors.words.iter_mut().find(|word| word.0 == "rows");
    let rows = rows.unwrap();
    rows.1 = rows.1.replacen("\"pieces\":2", "\"pieces\":3", 1);
    fs::write(run.checkpoint(), tensors.sealed_bytes()).unwrap();
    let said = run.learn(usize::MAX).unwrap_err().to_string();
    assert!(
        said.contains("generation 1 has a different result"),
        "{said}"
    );
}

#[test]
fn an_optimiser_whose_store_lost_its_last_generation_learns_the_same() {
    let whole = TestRun::new(&tiny());
    whole.learn(usize::MAX).unwrap();
    let broken = TestRun::new(&tiny());
    broken.learn(3).unwrap();
    broken.forget(2);
    broken.learn(usize::MAX).unwrap();
    assert_eq!(broken.learned(), whole.learned());
}

#[test]
fn a_store_that_was_edited_is_refused() {
    for sql in [
        "UPDATE candidates SET fitness = fitness + 1 WHERE number = 1 AND candidate = 2",
        "UPDATE generations SET pieces = pieces + 1 WHERE number = 0",
        "DELETE FROM candidates WHERE number = 1",
        "DELETE FROM checks WHERE part = '0/1'",
        "UPDATE runs SET plan = replace(plan, '\"seed\":5', '\"seed\":6')",
        "UPDATE provenance SET command = 'rm'",
    ] {
        let run = TestRun::new(&tiny());
        run.learn(2).unwrap();
        let store = Connection::open(run.file("lab.sqlite")).unwrap();
        assert!(store.execute(sql, []).unwrap() > 0);
        let said = run.learn(usize::MAX).unwrap_err().to_string();
        assert!(said.contains("is damaged or was edited"), "{sql}: {said}");
        let store = Store::read(&run.file("lab.sqlite")).unwrap();
        let read = store
            .runs()
            .and_then(|_| export::generations(&store, "run"));
        assert!(read.is_err(), "{sql}");
    }
}

#[test]
fn a_store_of_the_older_layout_is_read_and_continued() {
    let whole = TestRun::new(&tiny());
    whole.learn(usize::MAX).unwrap();
    let older = TestRun::new(&tiny());
    older.learn(2).unwrap();
    let store = Connection::open(older.file("lab.sqlite")).unwrap();
    store
        .execute_batch("DROP TABLE checks; DROP TABLE endings; PRAGMA user_version = 1")
        .unwrap();
    drop(store);
    assert_eq!(older.generations(), 2);
    older.learn(usize::MAX).unwrap();
    assert_eq!(older.learned(), whole.learned());
}

#[test]
fn a_run_ended_by_time_within_a_generation_stays_ended() {
    let mut optimiser = tiny();
    optimiser.budget = Budget {
        generations: None,
        seconds: Some(0.2),
        ..optimiser.budget
    };
    let mut playing = training_plan("td-lambda");
    playing.budget = optimiser.budget.clone();
    for plan in [optimiser, playing] {
        let run = TestRun::new(&plan);
        let first = run.learn(usize::MAX).unwrap();
        assert!(first.ended.iter().all(|why| why == "the time is up"));
        let (learned, generations) = (run.learned(), run.generations());
        // As if the run had been killed just before the end of the whole plan was recorded.
        let store = Connection::open(run.file("lab.sqlite")).unwrap();
        store
            .execute_batch("UPDATE runs SET ended = NULL; DELETE FROM checks WHERE part = 'run'")
            .unwrap();
        drop(store);
        let second = run.learn(usize::MAX).unwrap();
        assert_eq!(second.ended, first.ended);
        assert_eq!((run.learned(), run.generations()), (learned, generations));
    }
}

/// Everything that can be read of a run's store.
fn all_of(store: &Path) -> Result<String, StoreError> {
    let store = Store::read(store)?;
    let runs = store.runs()?;
    let mut generations = Vec::new();
    for run in &runs {
        generations.push(export::generations(&store, &run.id)?);
    }
    let candidates = export::candidates(&store, "run")?;
    Ok(format!("{runs:?} {generations:?} {candidates:?}"))
}

/// Flips random bits, one at a time, in a store, a checkpoint and a model; returns how many were
/// harmless.
fn flip(flips: u64) -> [u64; 3] {
    let mut rng = Rng::new(flips);
    let mut flipped = |bytes: &[u8]| {
        let (mut damaged, bit) = (bytes.to_vec(), rng.below(8 * bytes.len() as u64));
        damaged[bit as usize / 8] ^= 1 << (bit % 8);
        damaged
    };
    // All of the store can be read.
    let run = TestRun::new(&tiny());
    run.learn(usize::MAX).unwrap();
    let (bytes, learned) = (fs::read(run.file("lab.sqlite")).unwrap(), run.learned());
    let expected = all_of(&run.file("lab.sqlite")).unwrap();
    let mut harmless = [0; 3];
    for _ in 0..flips {
        fs::write(run.file("lab.sqlite"), flipped(&bytes)).unwrap();
        if let Ok(read) = all_of(&run.file("lab.sqlite")) {
            assert_eq!(read, expected);
            // Some damage is only detected on writing.
            harmless[0] += u64::from(run.learn(usize::MAX).is_ok());
            assert_eq!(run.learned(), learned);
        }
    }
    let run = TestRun::new(&training_plan("danger"));
    run.learn(usize::MAX).unwrap();
    let (bytes, learned) = (fs::read(run.checkpoint()).unwrap(), run.learned());
    for _ in 0..flips {
        let damaged = flipped(&bytes);
        // Continuing takes time, so it is only tried if the file can be read at all.
        if Tensors::parse(&damaged).is_ok() {
            fs::write(run.checkpoint(), damaged).unwrap();
            run.learn(usize::MAX).unwrap();
            assert_eq!(run.learned(), learned);
            harmless[1] += 1;
        }
    }
    let model = run.file("run/player.safetensors");
    let expected = read_model(&model, ModelKind::Tables).unwrap();
    let bytes = fs::read(&model).unwrap();
    for _ in 0..flips {
        fs::write(&model, flipped(&bytes)).unwrap();
        if let Ok(read) = read_model(&model, ModelKind::Tables) {
            assert_eq!(model_bytes(&read), model_bytes(&expected));
            harmless[2] += 1;
        }
    }
    harmless
}

#[test]
fn a_flipped_bit_in_a_store_a_checkpoint_or_a_model_is_found_or_changes_nothing() {
    flip(60);
}

#[test]
#[ignore = "takes a minute: a thousand flips in each"]
fn a_thousand_flipped_bits_are_found_or_change_nothing() {
    let harmless = flip(1000);
    println!("harmless of 1000 flips in a store, a checkpoint, a model: {harmless:?}");
}
