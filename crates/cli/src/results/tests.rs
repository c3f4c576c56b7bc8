use super::*;

/// A folder of raw results with two players and a published number for one of them.
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
        &json(&[result("weak", 1234.4), result("strong", 6_810_446.0)]),
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
            result("weak", 1000.0),
            result("expectimax(weak,depth=2)", 40_000.0),
            result("two-piece(weak)", 2_500_000.0),
        ]),
    );
    write(
        "pieces.csv",
        "one,1,1000000\none,2,3000000\ntwo,1,2000000\n",
    );
    write(
        "published.toml",
        "[paper-10x10]\nweak = { lines = \"1,200\", source = \"Someone 1999\" }\n",
    );
    folder
}

fn made(directive: &str) -> anyhow::Result<String> {
    let folder = experiments();
    with_tables(
        &format!("Text\n<!-- table: {directive} -->\nold\n{END}\nmore\n"),
        folder.path(),
    )
}

#[test]
fn standings_are_sorted_and_published_numbers_stand_beside_them() {
    let text = made("standings paper-10x10 a.json").unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[4], "| `strong` | 6.81 M | 3.41 M to 13.6 M | – |  |");
    assert_eq!(
        lines[5],
        "| `weak` | 1,234 | 617 to 2,469 | 1,200 | Someone 1999 |"
    );
    assert_eq!((lines[0], lines[6], lines[7]), ("Text", END, "more"));
}

#[test]
fn boards_stand_side_by_side_in_the_order_of_the_file() {
    let text = made("boards paper-10x10 a.json paper-10x10 a.json").unwrap();
    let row = "| `weak` | 1,234 | 617 to 2,469 | 1,200 | 1,234 | 617 to 2,469 | 1,200 |";
    assert_eq!(text.lines().nth(4), Some(row));
}

#[test]
fn learners_are_summed_up_over_their_seeds() {
    let text = made("learners b.json pieces.csv").unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[4], "| `one` | 10 | 10 to 30 | 1 M |");
    assert_eq!(lines[5], "| `two` | 5 | 5 to 5 | 2 M |");
}

#[test]
fn a_ply_is_worth_a_multiple_of_the_greedy_mean() {
    let text = made("plies plies.json").unwrap();
    let row = "| `weak` | 1,000 | 500 to 2,000 | 40,000 (x40) | 20,000 to 80,000 | 2.50 M (x2,500) | 1.25 M to 5.00 M |";
    assert_eq!(text.lines().nth(4), Some(row));
}

#[test]
fn the_time_of_a_decision_stands_beside_the_mean() {
    let text = made("timed paper-10x10 plies.json").unwrap();
    let row = "| `weak` | 100 | 1,000 | 500 to 2,000 | 4.0 | 1,200 | Someone 1999 |";
    assert_eq!(text.lines().nth(4), Some(row));
}

#[test]
fn two_methods_agree_by_their_joint_interval() {
    let text = made("agreement plies.json plies.json").unwrap();
    let row = "| `weak` | 10x20 | 100 | 1,000 | 1,000 | 0.00 |";
    assert_eq!(text.lines().nth(4), Some(row));
}

#[test]
fn what_cannot_be_made_is_named() {
    let error = |directive| format!("{:#}", made(directive).unwrap_err());
    assert!(error("standings nowhere a.json").contains("has no section 'nowhere'"));
    assert!(error("standings paper-10x10 c.json").contains("c.json"));
    assert!(error("pie a.json").contains("there is no table 'pie'"));
    let folder = experiments();
    let open = with_tables(
        "<!-- table: learners b.json pieces.csv -->\n",
        folder.path(),
    );
    assert!(open.unwrap_err().to_string().contains("has no"));
}

#[test]
fn a_difference_is_told_with_its_line() {
    assert_eq!(
        first_difference("a\nb\n", "a\nc\n"),
        "line 2 is 'b', but the raw results give 'c'"
    );
}
