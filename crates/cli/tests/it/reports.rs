//! Reports and plots, tested through the command line.

use crate::learn::quick;
use crate::{json, sentence, stdout};
use std::fs;
use std::path::Path;
use tempfile::tempdir;

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

/// The sorted names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn a_run_has_curves_weights_boxes_and_steps() {
    let folder = tempdir().unwrap();
    stdout(folder.path(), &quick("cma-es", &[]));
    let plot = |args: &[&str]| {
        let svg = ["--svg=a.svg"];
        assert_eq!(stdout(folder.path(), &[&["plot"], args, &svg].concat()), "");
        read(folder.path(), "a.svg")
    };
    let curves = plot(&["curves", "lab/run", "--x=generations"]);
    assert!(curves.contains(">generations</text>") && curves.contains("class=\"band c0\""));
    assert!(plot(&["weights", "run", "--lab=lab"]).contains(">holes</text>"));
    assert!(plot(&["steps", "lab/run"]).contains(">step size</text>"));
    let boxes = plot(&["boxes", "lab/run", "--reference=dellacherie"]);
    assert!(boxes.contains("class=\"mark\"") && boxes.contains(">dellacherie</text>"));
    // The same from CSV.
    let csv = stdout(folder.path(), &["runs", "lab/run", "--csv"]);
    fs::write(folder.path().join("run.csv"), csv).unwrap();
    assert_eq!(
        plot(&["boxes", "run.csv", "--reference=dellacherie"]),
        boxes
    );
    let data = json(folder.path(), &["plot", "curves", "run.csv"]);
    assert_eq!(data["kind"], "curves");
    assert_eq!(data["groups"][0]["traces"].as_array().unwrap().len(), 2);

    assert_eq!(
        stdout(folder.path(), &["report", "lab/run"]),
        "report.html\n"
    );
    let page = read(folder.path(), "report.html");
    for part in [
        "Weights over generations",
        "Learned weight vectors",
        "Step size and eigenvalues",
        "tetrolab learn 'cma-es(",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn results_games_and_players_are_pages_with_an_index() {
    let folder = tempdir().unwrap();
    let eval = [
        "eval",
        "bcts",
        "random",
        "--ruleset=simplified-6x8",
        "--games=20",
    ];
    let result = stdout(
        folder.path(),
        &[&eval[..], &["--csv=games.csv", "--json"]].concat(),
    );
    fs::write(folder.path().join("means.json"), result).unwrap();
    let compare = [
        "compare",
        "bcts",
        "random",
        "--ruleset=simplified-6x8",
        "--json",
    ];
    let result = stdout(folder.path(), &compare);
    fs::write(folder.path().join("pair.json"), result).unwrap();
    let sources = ["means.json", "pair.json", "games.csv", "bcts"];
    let more = ["--ruleset=simplified-6x8", "--games=20", "--out=pages"];
    let said = stdout(folder.path(), &[&["report"], &sources[..], &more].concat());
    assert_eq!(said, "pages/index.html\n");
    let pages = folder.path().join("pages");
    let expected = [
        "bcts.html",
        "games-csv.html",
        "index.html",
        "means-json.html",
        "pair-json.html",
    ];
    assert_eq!(names(&pages), expected);
    let index = read(&pages, "index.html");
    assert!(index.contains("<a href=\"./bcts.html\">The player bcts</a>"));
    let player = read(&pages, "bcts.html");
    for part in [
        "class=\"replay\"",
        "Features over time",
        "Scores of bcts",
        "<code>holes</code>",
        "risk of losing",
        "tetrolab eval bcts --ruleset simplified-6x8 --games 20",
    ] {
        assert!(player.contains(part), "{part}");
    }
    assert!(read(&pages, "pair-json.html").contains("<code>bcts</code> is better"));
    assert!(read(&pages, "means-json.html").contains("class=\"badge lower\""));

    let plot = |args: &[&str]| stdout(folder.path(), &[&["plot"], args, &["--svg=a.svg"]].concat());
    assert_eq!(plot(&["histogram", "games.csv", "--player=bcts"]), "");
    assert!(read(folder.path(), "a.svg").contains("exponential, mean"));
    assert_eq!(plot(&["survival", "games.csv"]), "");
    assert!(read(folder.path(), "a.svg").contains(">random</text>"));
    let several = sentence(
        folder.path(),
        &["plot", "histogram", "games.csv", "--svg=b.svg"],
    );
    assert_eq!(
        several,
        "games.csv has games of several players (bcts, random); choose one with --player"
    );
}

#[test]
fn invalid_sources_are_reported_and_nothing_is_written() {
    let folder = tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("other.json", "{\"x\":1}");
    write("broken.json", "{");
    write("table.csv", "a,b\n1,2\n");
    let before = names(folder.path());
    let said = |args: &[&str]| sentence(folder.path(), args);
    for (source, part) in [
        (
            "other.json",
            "other.json: expected the output of `eval`, `compare` or `reproduce`",
        ),
        ("broken.json", "broken.json: not valid JSON: EOF"),
        ("none.json", "none.json: there is no such file"),
        ("table.csv", "there is no column 'player'"),
        ("dellacherrie", "dellacherie"),
    ] {
        let problem = said(&["report", source]);
        assert!(problem.contains(part), "{problem}");
    }
    // If one of several sources is invalid, no page is written.
    said(&["report", "bcts", "other.json", "--games=2", "--out=pages"]);
    for (args, part) in [
        (&["curves", "table.csv"][..], "there is no column 'run'"),
        (&["curves", "nowhere/run"], "nowhere/run"),
        (&["weights", "a.csv", "b.csv"], "draws one run, got 2"),
        (
            &["survival", "table.csv", "--x=games"],
            "--x applies only to",
        ),
        (&["pie", "table.csv"], "pie"),
    ] {
        let problem = said(&[&["plot"], args, &["--svg=a.svg"]].concat());
        assert!(problem.contains(part), "{problem}");
    }
    assert!(said(&["plot", "curves", "table.csv"]).contains("--svg"));
    assert_eq!(names(folder.path()), before);
}
