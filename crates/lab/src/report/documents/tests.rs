use super::*;

/// Raw results of a contest: `one` with three training seeds, `two` with one.
fn contest() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let result = |player: &str, mean: f64, ruleset: &str| {
        format!(
            r#"{{"player":"experiments/x/{player}.toml","ruleset":"{ruleset}","games":100,
               "lines":{{"mean":{mean},"ci95":[{},{}],"max":{}}},"line_points":{{"mean":{}}}}}"#,
            mean / 2.0,
            mean * 2.0,
            mean * 10.0,
            mean + 1.0
        )
    };
    let json = |rows: &[String]| format!(r#"{{"results":[{}]}}"#, rows.join(","));
    let one = [(1, 3000.0), (2, 1000.0), (10, 2000.0)];
    let one = one.map(|(seed, mean)| result(&format!("one-{seed}"), mean, "a-10x20"));
    write("one.json", &json(&one));
    write("two.json", &json(&[result("two-fast-7", 40.0, "a-10x20")]));
    write("other.json", &json(&[result("two-1", 40.0, "a-10x10")]));
    write("published.json", &json(&[result("bcts", 40.0, "a-10x20")]));
    fs::create_dir(folder.path().join("curves")).unwrap();
    let head = "run,generation,best,mean,spread,sigma,games,pieces,seconds,weight:holes";
    let curve =
        |name: &str, rows: &str| write(&format!("curves/{name}.csv"), &format!("{head}\n{rows}\n"));
    curve(
        "one-1",
        "1,1,60.5,50.0,,,9,400000,2.5,1.0\n1,2,700.0,60.0,,,9,500000,3.5,1.0",
    );
    curve("one-2", "1,1,800.4,50.0,,,9,1000000,10.0,1.0");
    curve("one-10", "1,1,900.0,50.0,,,9,1250000,400.0,1.0");
    curve(
        "two-fast-7",
        "1,1,5.5,5.5,,,9,30000,1.25,1.0\n1,2,,2.0,,,9,30000,1.25,1.0",
    );
    folder
}

fn contest_table(files: &str) -> Result<String, ReportError> {
    let folder = contest();
    let text = format!("<!-- table: contest curves {files} -->\n{END}\n");
    with_tables(&text, folder.path())
}

#[test]
fn a_contest_summarises_the_results_and_costs_of_learners() {
    let text = contest_table("two.json one.json").unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[1].matches('|').count(), 11);
    assert_eq!(lines[1].matches('|').count(), lines[2].matches('|').count());
    let one = "| `one` | 3 | 800 | 30,000 | 2,000 | 1,000 to 3,000 | 1,000 to 4,000 | 2,001 | 1.00 M | 10.0 |";
    let two = "| `two-fast` | 1 | 5.50 | 400 | 40.0 | 40.0 to 40.0 | 20.0 to 80.0 | 41.0 | 60,000 | 2.50 |";
    assert_eq!(lines[3..5], [one, two]);
}

#[test]
fn a_contest_that_compares_nothing_is_refused() {
    let error = |files: &str| format!("{:#}", contest_table(files).unwrap_err());
    assert!(error("one.json one.json").contains("one-1 was tested twice"));
    assert!(error("one.json other.json").contains("a-10x10 and a-10x20 cannot be compared"));
    assert!(error("published.json").contains("bcts.toml is not LEARNER-SEED"));
    let folder = contest();
    fs::remove_file(folder.path().join("curves/one-2.csv")).unwrap();
    let text = format!("<!-- table: contest curves one.json -->\n{END}\n");
    let missing = with_tables(&text, folder.path()).unwrap_err();
    assert!(format!("{missing:#}").contains("one-2.csv"));
}

#[test]
fn pictures_are_drawn_from_raw_results() {
    let folder = contest();
    let text = "Text\n<!-- picture: contest docs/a.svg one.json two.json -->\n\
                <!-- picture: curves docs/b.svg curves/two-fast-7.csv curves/one-*.csv curves/one-1.csv -->\n";
    let drawn = pictures(text, folder.path()).unwrap();
    let files: Vec<&Path> = drawn.iter().map(|picture| &*picture.file).collect();
    assert_eq!(files, ["docs/a.svg", "docs/b.svg"].map(Path::new));
    assert_eq!(drawn[0].svg.matches("<circle").count(), 4);
    assert!(
        drawn[0]
            .svg
            .contains("Learned players in the test · a-10x20")
    );
    // One curve has two points, the others have one that is finite.
    assert_eq!(
        drawn[1].svg.matches("<polyline class=\"curve c0\"").count(),
        1
    );
    assert_eq!(drawn[1].svg.matches("<circle").count(), 3);
    assert_eq!(drawn[1].svg.matches("<line class=\"key").count(), 2);
}

#[test]
fn a_picture_that_cannot_be_drawn_is_named() {
    let folder = contest();
    let error = |directive: &str| {
        let text = format!("<!-- picture: {directive} -->\n");
        format!("{:#}", pictures(&text, folder.path()).err().unwrap())
    };
    assert!(error("pie a.svg one.json").contains("there is no picture 'pie'"));
    assert!(error("contest a.svg").contains("with these files"));
    assert!(error("contest one.json two.json").contains("one.json is not a file FILE.svg"));
    assert!(error("curves a.svg curves/three-*.csv").contains("there is no such file"));
    assert!(error("curves a.svg one.json/x-1.csv").contains("x-1.csv"));
    assert!(error("curves a.svg published.json").contains("is not LEARNER-SEED.csv"));
}

/// A folder of raw results with two players, one of which is in the built-in tables of published
/// numbers.
fn experiments() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let result = |player: &str, mean: f64| {
        format!(
            r#"{{"player":"{player}","ruleset":"a-10x20","games":100,"decisions_per_second":250000,
               "lines":{{"mean":{mean},"ci95":[{},{}]}}}}"#,
            mean / 2.0,
            mean * 2.0
        )
    };
    let json = |rows: &[String]| format!(r#"{{"results":[{}]}}"#, rows.join(","));
    write(
        "a.json",
        &json(&[result("rv-ce", 1234.4), result("strong", 6_810_446.0)]),
    );
    write(
        "b.json",
        &json(&[
            result("x/one-1.toml", 10.0),
            result("x/one-2.toml", 30.0),
            result("x/two-1.toml", 5.0),
        ]),
    );
    write(
        "plies.json",
        &json(&[
            result("rv-ce", 1000.0),
            result("expectimax(rv-ce,depth=2)", 40_000.0),
            result("two-piece(rv-ce)", 2_500_000.0),
        ]),
    );
    write(
        "pieces.csv",
        "one,1,1000000\none,2,3000000\ntwo,1,2000000\n",
    );
    folder
}

fn made(directive: &str) -> Result<String, ReportError> {
    let folder = experiments();
    with_tables(
        &format!("Text\n<!-- table: {directive} -->\nold\n{END}\nmore\n"),
        folder.path(),
    )
}

#[test]
fn standings_are_sorted_and_published_numbers_stand_beside_them() {
    let text = made("standings games-10x10 a.json").unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[4], "| `strong` | 6.81 M | 3.41 M to 13.6 M | – |  |");
    assert_eq!(
        lines[5],
        "| `rv-ce` | 1,234 | 617 to 2,469 | 5,379 | GameAI-NJUPT 2026, cross-entropy; 100,000 games |"
    );
    assert_eq!((lines[0], lines[6], lines[7]), ("Text", END, "more"));
}

#[test]
fn boards_stand_side_by_side_in_the_order_of_the_file() {
    let text = made("boards games-10x10 a.json games-10x10 a.json").unwrap();
    let row = "| `rv-ce` | 1,234 | 617 to 2,469 | 5,379 | 1,234 | 617 to 2,469 | 5,379 |";
    assert_eq!(text.lines().nth(4), Some(row));
}

#[test]
fn learners_are_summed_up_over_their_seeds() {
    let text = made("learners b.json pieces.csv").unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[4], "| `one` | 10.0 | 10.0 to 30.0 | 1.00 M |");
    assert_eq!(lines[5], "| `two` | 5.00 | 5.00 to 5.00 | 2.00 M |");
}

#[test]
fn the_value_of_a_ply_is_a_multiple_of_the_greedy_mean() {
    let text = made("plies plies.json").unwrap();
    let row = "| `rv-ce` | 1,000 | 500 to 2,000 | 40,000 (x40.0) | 20,000 to 80,000 | 2.50 M (x2,500) | 1.25 M to 5.00 M |";
    assert_eq!(text.lines().nth(4), Some(row));
}

#[test]
fn the_time_of_a_decision_is_next_to_the_mean() {
    let text = made("timed games-10x10 plies.json").unwrap();
    let row = "| `rv-ce` | 100 | 1,000 | 500 to 2,000 | 4.0 | 5,379 | GameAI-NJUPT 2026, cross-entropy; 100,000 games |";
    assert_eq!(text.lines().nth(4), Some(row));
}

#[test]
fn two_methods_agree_by_their_joint_interval() {
    let text = made("agreement plies.json plies.json").unwrap();
    let row = "| `rv-ce` | 10x20 | 100 | 1,000 | 500 to 2,000 | 1,000 | 500 to 2,000 | +0.00 |";
    assert_eq!(text.lines().nth(4), Some(row));
}

#[test]
fn rows_are_described_in_a_file_and_their_numbers_come_from_results() {
    let folder = experiments();
    let describe = |columns: &str, row: &str| {
        let text = format!("[mine]\ncolumns = [{columns}]\nrows = [{row}]\n");
        fs::write(folder.path().join("tables.toml"), text).unwrap();
        let made = with_tables(
            &format!("<!-- table: rows mine -->\n{END}\n"),
            folder.path(),
        );
        made.map_err(|error| format!("{error:#}"))
    };
    let columns = r#"["player", "text 1"], ["mean", "mean 1"], ["95 %", "interval 1"],
        ["ratio", "ratio 2 1"], ["published", "mean 3"], ["off", "joint 2 1"]"#;
    let row = r#"{ text = ["`rv-ce`"], of = ["plies.json rv-ce", "plies.json two-piece(rv-ce)",
        "published cma-es-table-2: cma-es f1-8 10x20"] }"#;
    let text = describe(columns, row).unwrap();
    let line = "| `rv-ce` | 1,000 | 500 to 2,000 | 2,500 | 36.3 M | +7.98 |";
    assert_eq!(text.lines().nth(3), Some(line));
    let problem = |column: &str, of: &str| {
        let column = format!(r#"["a", "{column}"]"#);
        describe(&column, &format!(r#"{{ of = ["{of}"] }}"#)).unwrap_err()
    };
    assert!(problem("mean 1", "plies.json").contains("row 1: plies.json has several results"));
    assert!(problem("mean 1", "plies.json me").contains("has no result of the player me"));
    assert!(problem("mean 2", "plies.json rv-ce").contains("more results than the row has"));
    assert!(problem("mode 1", "plies.json rv-ce").contains("no cell 'mode'"));
    assert!(problem("mean", "plies.json rv-ce").contains("'mean' is not a kind of cell"));
    assert!(problem("mean 1", "published x: y").contains("no published mean 'x: y'"));
    assert!(problem("mean 1", "a.json rv-ce + plies.json").contains("several results"));
    let unknown = with_tables(
        &format!("<!-- table: rows other -->\n{END}\n"),
        folder.path(),
    );
    assert!(
        unknown
            .unwrap_err()
            .to_string()
            .contains("no section 'other'")
    );
}

#[test]
fn tables_that_cannot_be_generated_are_named() {
    let error = |directive| format!("{:#}", made(directive).unwrap_err());
    assert!(error("standings nowhere a.json").contains("has no section 'nowhere'"));
    assert!(error("standings games-10x10 c.json").contains("c.json"));
    assert!(error("pie a.json").contains("there is no table 'pie'"));
    let folder = experiments();
    let open = with_tables(
        "<!-- table: learners b.json pieces.csv -->\n",
        folder.path(),
    );
    assert!(open.unwrap_err().to_string().contains("has no"));
}

#[test]
fn a_difference_is_reported_with_its_line() {
    assert_eq!(
        first_difference("a\nb\n", "a\nc\n"),
        "line 2 is 'b', but the raw results give 'c'"
    );
}

#[test]
fn every_committed_evaluation_has_the_schema_of_results() {
    use crate::study::{Evaluated, SCHEMA};
    let experiments = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let folders = fs::read_dir(experiments).unwrap();
    let folders = folders.map(|folder| folder.unwrap().path());
    let mut checked = 0;
    for folder in folders.filter(|path| path.is_dir()) {
        for file in fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let is_json = path.extension().is_some_and(|ending| ending == "json");
            let text = is_json.then(|| fs::read_to_string(&path).unwrap());
            let Some(text) = text.filter(|text| text.contains("\"results\":")) else {
                continue;
            };
            let evaluated = serde_json::from_str::<Evaluated>(&text);
            let schema = evaluated.map(|evaluated| evaluated.schema);
            assert!(
                matches!(schema, Ok(SCHEMA)),
                "{}: {schema:?}",
                path.display()
            );
            checked += 1;
        }
    }
    assert!(checked > 10, "{checked} files");
}

#[test]
fn every_published_number_has_a_verdict_on_the_page_of_reproductions() {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/reproduction");
    let reports = reproduction::reports(&committed).unwrap();
    assert_eq!(reproduction::unreported(&reports), [""; 0]);
    let text = reproduction::body_of(&reports);
    for heading in [
        "## strategies: ",
        "## thesis-games: ",
        "## cma-es-table-2: ",
    ] {
        assert!(text.contains(heading), "{heading}");
    }
}

#[test]
fn an_experiment_without_results_states_its_cost() {
    let reports = reproduction::reports(Path::new("nowhere")).unwrap();
    assert_eq!(reproduction::unreported(&reports), [""; 0]);
    let text = reproduction::body_of(&reports);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("Not run at this scale yet. Cost: a quarter of an hour on two cores."));
    let row = "| two-step | mean | 2,368 | strategies, tables of tests | inconclusive: not measured yet |";
    assert!(text.contains(row));
}
