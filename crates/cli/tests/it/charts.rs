//! Plots of learning runs and of raw results.

use crate::learn::quick;
use crate::{sentence, stdout};
use std::fs;
use tempfile::tempdir;
use tetrolab::learning::{Learning, Store};

#[test]
fn the_curves_of_several_runs_are_one_picture() {
    let folder = tempdir().unwrap();
    for run in ["--run=lab/swarm-1", "--run=lab/swarm-2", "--run=lab/other"] {
        stdout(folder.path(), &quick("random-search", &[run]));
    }
    let draw = ["runs", "swarm-1", "swarm-2", "lab/other", "--svg=a.svg"];
    let wrong = sentence(folder.path(), &[&draw[..], &["--lab=lab"]].concat());
    assert!(wrong.contains("leave --lab out"), "{wrong}");
    let draw = [
        "runs",
        "lab/swarm-1",
        "lab/swarm-2",
        "lab/other",
        "--svg=a.svg",
    ];
    assert_eq!(stdout(folder.path(), &draw), "");
    let svg = fs::read_to_string(folder.path().join("a.svg")).unwrap();
    // Every run consists of two runs of three generations, each with a best and a mean value.
    let count = |what: &str| svg.matches(what).count();
    assert_eq!(count("<polyline class=\"curve thin c1\""), 4);
    assert_eq!(count("<polyline class=\"curve pale c0\""), 2);
    assert_eq!(count("<polyline class=\"curve median-line c1\""), 1);
    assert_eq!(count("<polygon class=\"band c0\""), 1);
    assert_eq!(count("<line class=\"key"), 2);
    assert!(svg.contains(">swarm</text>") && svg.contains(">other</text>"));
    stdout(folder.path(), &draw);
    let again = fs::read_to_string(folder.path().join("a.svg")).unwrap();
    assert!(again == svg, "the same picture");

    assert!(svg.contains("the best of a generation (lines)"));

    // Curves of runs with other settings are not directly comparable, and the picture says so.
    stdout(
        folder.path(),
        &quick("random-search", &["--run=lab/capped", "--max-pieces=20"]),
    );
    let differing = ["runs", "lab/swarm-1", "lab/capped", "--svg=c.svg"];
    let said = stdout(folder.path(), &differing);
    assert!(said.contains("differ in max pieces (20; 300)"), "{said}");
    let svg = fs::read_to_string(folder.path().join("c.svg")).unwrap();
    assert!(svg.contains("the runs differ in max pieces"));

    let refused = |args: &[&str]| sentence(folder.path(), &[&["runs"], args].concat());
    let unknown = refused(&["swarm-1", "swarn-2", "--lab=lab", "--svg=b.svg"]);
    assert!(
        unknown.contains("'swarn-2'") && unknown.contains("swarm-2"),
        "{unknown}"
    );
    let several = refused(&["swarm-1", "swarm-2", "--lab=lab"]);
    assert_eq!(
        several,
        "expected one run, got 2; only --csv and --svg FILE accept several"
    );
    // One table of several runs, whose rows say which run they belong to.
    let csv = |args: &[&str]| {
        stdout(
            folder.path(),
            &[&["runs", "--lab=lab", "--csv"], args].concat(),
        )
    };
    for more in [&[][..], &["--candidates"]] {
        let one = csv(&[&["swarm-1"], more].concat());
        let both = csv(&[&["swarm-1", "swarm-2"], more].concat());
        let other = csv(&[&["swarm-2"], more].concat());
        let rows = other.lines().skip(1).collect::<Vec<_>>();
        assert_eq!(both, one.clone() + &rows.join("\n") + "\n");
        let head = one.lines().next().unwrap();
        assert!(head.starts_with("run,generation,") && head.ends_with(",name,learner,seed"));
        assert!(rows.iter().all(|row| row.contains(",swarm-2,")), "{other}");
        fs::write(folder.path().join("both.csv"), both).unwrap();
    }
    fs::write(folder.path().join("both.csv"), csv(&["swarm-1", "swarm-2"])).unwrap();
    let said = sentence(
        folder.path(),
        &["plot", "curves", "both.csv", "--svg=b.svg"],
    );
    assert!(
        said.contains("expected the generations of one run, found 2 runs"),
        "{said}"
    );
    let nowhere = refused(&["swarm-1", "--lab=lab", "--svg=no/b.svg"]);
    assert!(nowhere.contains("no/b.svg"), "{nowhere}");
    assert!(!folder.path().join("b.svg").exists());
}

#[test]
fn a_run_without_generations_cannot_be_drawn() {
    let folder = tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("lab.sqlite")).unwrap();
    store.begin("new", &Learning::default(), "").unwrap();
    drop(store);
    let said = sentence(folder.path(), &["runs", "new", "--lab=.", "--svg=a.svg"]);
    assert_eq!(said, "the run new has no generations to draw yet");
}

#[test]
fn results_draw_pictures_and_check_finds_one_that_is_old() {
    let folder = tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    fs::create_dir(folder.path().join("experiments")).unwrap();
    let curve = |best: f64| {
        format!("run,generation,best,mean,games,pieces,seconds\n1,1,{best},1.0,1,10,1.0\n")
    };
    write("experiments/one-1.csv", &curve(5.0));
    write("a.md", "<!-- picture: curves a.svg one-?.csv -->\n");
    let missing = sentence_after_output(folder.path(), &["results", "--check", "a.md"]);
    assert!(missing.contains("a.svg: missing"), "{missing}");
    let said = stdout(folder.path(), &["results", "a.md"]);
    assert_eq!(said, "a.md: agrees with the raw results\na.svg: drawn\n");
    let said = stdout(folder.path(), &["results", "--check", "a.md"]);
    assert!(
        said.ends_with("a.svg: agrees with the raw results\n"),
        "{said}"
    );
    write("experiments/one-2.csv", &curve(50.0));
    let old = sentence_after_output(folder.path(), &["results", "--check", "a.md"]);
    assert!(
        old.contains("a.svg: does not agree with the raw results"),
        "{old}"
    );
}

/// The error of a command that prints other lines before it.
fn sentence_after_output(folder: &std::path::Path, args: &[&str]) -> String {
    let output = crate::tetrolab(folder).args(args).output().unwrap();
    crate::failure(folder, &output)
}
