//! `tetrolab analyse` on ten recorded positions and on invalid ones.

use super::schema;
use super::{sentence, stdout, tetrolab};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::tempdir;

/// The fixture has games of dt-10, two-piece(bcts), near-perfect, random, and
/// two-piece(strategies) on a narrow board.
const POSITIONS: [&str; 10] = [
    "dellacherie --game 1 --at 0",
    "bcts dt-10 dt-20 --game 1 --at 44",
    "misakamm-v2 xtris --game 1 --at 59",
    "two-piece(bcts) bcts --game 2 --at 21",
    "two-piece(dt-20) --game 2 --at 38 --top 2",
    "near-perfect thesis-8 --game 3 --at 40",
    "expectimax(bcts) minimax(bcts) random --game 4 --at 10",
    "bcts el-tetris --game 4 --at 13 --top 4",
    "two-piece(dellacherie) two-piece(strategies) --game 5 --at 12 --top 6",
    "two-piece(strategies,losing=allow) two-piece(bcts) --game 5 --at 39",
];

fn fixtures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/analyse")
}

/// The arguments that analyse a position of the fixture.
fn arguments(position: &str) -> Vec<&str> {
    let words = std::iter::once("analyse").chain(position.split(' '));
    words.chain(["--record", "games.jsonl"]).collect()
}

#[test]
fn ten_recorded_positions_have_the_recorded_output() {
    for (index, position) in POSITIONS.iter().enumerate() {
        let said = stdout(&fixtures(), &arguments(position));
        let longest = said.lines().map(|line| line.chars().count()).max();
        assert!(longest <= Some(100), "{position}");
        let file = fixtures().join(format!("{:02}.txt", index + 1));
        // To accept a change of the texts, run the test once with this variable set, and read the
        // difference.
        if std::env::var_os("TETROLAB_BLESS").is_some() {
            fs::write(&file, &said).unwrap();
        }
        let expected = fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(said, expected.replace("\r\n", "\n"), "{position}");
    }
}

/// The analysis of a position as JSON, checked by the schema.
fn checked(args: &[&str]) -> Value {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let schema = fs::read_to_string(root.join("docs/reference/analysis.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let found = super::json(&fixtures(), args);
    if let Err(problem) = schema::check(&found, &schema, &schema, "") {
        panic!("{args:?}: {problem}");
    }
    found
}

#[test]
fn ten_recorded_positions_fit_the_schema() {
    for position in POSITIONS {
        let found = checked(&arguments(position));
        let position = &found["position"];
        assert!(position["record"]["played"].is_string());
        for player in found["players"].as_array().unwrap() {
            for placed in player["placements"].as_array().unwrap() {
                let name = placed["placement"].as_str().unwrap();
                assert!(name.starts_with(position["piece"].as_str().unwrap()));
            }
        }
    }
    let board = ["analyse", "random", "--board", "", "--piece", "S"];
    assert!(checked(&board)["position"]["record"].is_null());
}

#[test]
fn players_that_search_show_survival_and_the_line_that_they_expect() {
    let players =
        "expectimax(bcts) expectimax-beam(bcts,depth=3) minimax(bcts) mcts(bcts) rollout(bcts)";
    // Random play, near its end.
    let found = checked(&arguments(&format!("{players} --game 4 --at 10")));
    for player in found["players"].as_array().unwrap() {
        let placements = player["placements"].as_array().unwrap();
        let best = &placements[0];
        assert!(
            best["score"].is_number() && best["survival"].is_number(),
            "{player}"
        );
        assert!(!best["line"].as_array().unwrap().is_empty(), "{player}");
        let survival = |placed: &Value| placed["survival"].as_f64().unwrap();
        assert!(
            placements
                .iter()
                .all(|placed| survival(placed) <= survival(best))
        );
    }
}

#[test]
fn the_reported_choice_is_that_of_the_player() {
    let args = "analyse dt-10 --record games.jsonl --game 1 --at";
    for at in ["0", "17", "44", "59"] {
        let args: Vec<&str> = args.split(' ').chain([at]).collect();
        let found = checked(&args);
        let choice = &found["players"][0]["placements"][0]["placement"];
        assert_eq!(*choice, found["position"]["record"]["played"], "{at}");
    }
}

/// The elements of an SVG; fails unless they are nested correctly.
fn elements(svg: &str) -> Vec<&str> {
    let (mut open, mut all) = (Vec::new(), Vec::new());
    for tag in svg.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("a tag ends");
        let name = tag.split([' ', '/']).next().unwrap();
        match tag.strip_prefix('/') {
            Some(closed) => assert_eq!(open.pop(), Some(closed)),
            None => {
                all.push(tag);
                if !tag.ends_with('/') {
                    open.push(name);
                }
            }
        }
    }
    assert!(open.is_empty(), "{open:?}");
    all
}

#[test]
fn every_placement_has_a_board_in_the_picture() {
    let folder = tempdir().unwrap();
    for position in POSITIONS {
        let file = folder.path().join("sheet.svg");
        let path = file.display().to_string();
        let args = [&arguments(position)[..], &["--svg", &path]].concat();
        let found = checked(&args);
        let svg = fs::read_to_string(&file).unwrap();
        let elements = elements(&svg);
        let count = |class: &str| {
            let class = format!("rect class=\"{class}\"");
            elements
                .iter()
                .filter(|tag| tag.starts_with(&class))
                .count()
        };
        let players = found["players"].as_array().unwrap();
        let placements = players
            .iter()
            .map(|row| row["placements"].as_array().unwrap());
        let boards: usize = placements.map(Vec::len).sum();
        let rows = found["position"]["rows"].as_array().unwrap();
        let rows: String = rows.iter().map(|row| row.as_str().unwrap()).collect();
        assert_eq!(count("well"), boards, "{position}");
        assert_eq!(count("settled"), boards * rows.matches('#').count());
        assert_eq!(count("empty"), boards * rows.matches('.').count());
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}

#[test]
fn a_board_is_read_from_the_command_line_a_file_or_standard_input() {
    let folder = tempdir().unwrap();
    let rows = "#.......##\n##.#######\n";
    fs::write(folder.path().join("board.txt"), format!("\n{rows}")).unwrap();
    let tail = ["--piece=T", "--ruleset=simplified-10x12"];
    let said = |args: &[&str]| stdout(folder.path(), &[&["analyse", "bcts"], args, &tail].concat());
    let drawn = said(&["--board", "#.......##/##.#######"]);
    assert!(drawn.contains("|[][] .[][][][][][][]|"), "{drawn}");
    assert_eq!(said(&["--board", rows]), drawn);
    assert_eq!(said(&["--board-file", "board.txt"]), drawn);
    let mut piped = tetrolab(folder.path());
    let piped = piped
        .args(["analyse", "bcts", "--board-file", "-"])
        .args(tail);
    let piped = piped.write_stdin(rows).output().unwrap();
    assert_eq!(String::from_utf8(piped.stdout).unwrap(), drawn);
}

#[test]
fn players_that_disagree_are_distinguished() {
    let said = |position: &str| stdout(&fixtures(), &arguments(position));
    let agreed = said("bcts dt-10 --game 1 --at 44");
    assert!(agreed.ends_with("\nAll players choose Sn0.\n"), "{agreed}");
    let other = said("bcts random --game 4 --at 13");
    let expected = "\n\nThe players disagree: Ze0 by bcts; Zn4 by random.\n";
    assert!(other.ends_with(expected), "{other}");
}

#[test]
fn invalid_positions_are_refused_in_a_sentence() {
    let folder = tempdir().unwrap();
    let games = fixtures().join("games.jsonl");
    fs::copy(games, folder.path().join("games.jsonl")).unwrap();
    fs::write(folder.path().join("21.txt"), "..........\n".repeat(21)).unwrap();
    fs::write(folder.path().join("empty.txt"), "\n").unwrap();
    let said = |args: &str| {
        let args: Vec<&str> = std::iter::once("analyse").chain(args.split(' ')).collect();
        sentence(folder.path(), &args)
    };
    let refused = [
        ("bcts", "the following required arguments were not provided"),
        ("bcts --board ##", "--piece <PIECE>"),
        (
            "bcts --board ## --piece T",
            "row 1 from the top: expected 10 cells, found 2",
        ),
        (
            "bcts --board #####xxxxx --piece T",
            "row 1 from the top: expected '.' (empty) or '#' (filled), found 'x'",
        ),
        (
            "bcts --board ########## --piece T",
            "row 1 from the bottom is full; full rows must be removed first",
        ),
        (
            "bcts --board-file 21.txt --piece T",
            "21.txt: the board has 21 rows, but the board of the ruleset simplified-10x10 has 10; choose another one with --ruleset",
        ),
        (
            "bcts --board-file empty.txt --piece T",
            "empty.txt: expected a board, found no rows",
        ),
        (
            "bcts --board-file none.txt --piece T",
            "none.txt: there is no such file",
        ),
        (
            "bcts --board . --piece Q --ruleset simplified-4x4",
            "'Q' is not a piece; the pieces are I, O, T, Z, S, J and L",
        ),
        (
            "bcts --board / --piece TT",
            "'TT' is not a piece; the pieces are I, O, T, Z, S, J and L",
        ),
        (
            "bcts --board / --piece T --next SX",
            "'X' is not a piece; the pieces are I, O, T, Z, S, J and L",
        ),
        (
            "bcts --board / --piece T --next SZSZSZS",
            "expected at most 6 next pieces, got 7",
        ),
        (
            "bctz --board / --piece T",
            "there is no player 'bctz'; did you mean 'bcts'?",
        ),
        (
            "bcts bcts --board / --piece T",
            "the player bcts is listed twice",
        ),
        (
            "two-piece(bcts) --board / --piece T",
            "two-piece(bcts) needs 1 or more next pieces, but the position shows 0; add them with --next",
        ),
        (
            "two-piece(bcts) --record games.jsonl --at 3",
            "two-piece(bcts) needs preview=1, but the ruleset simplified-10x10 has preview=0; use a ruleset such as simplified-10x10(preview=1)",
        ),
        (
            "bcts --board / --piece T --ruleset simple",
            "there is no ruleset 'simple'",
        ),
        (
            "bcts --board / --piece T --top 0",
            "expected an integer from 1 to 64",
        ),
        ("bcts --board / --piece T --at 3", "cannot be used with"),
        ("bcts --record games.jsonl", "--at <K>"),
        (
            "bcts --record games.jsonl --at 3 --piece T",
            "cannot be used with",
        ),
        (
            "bcts --record games.jsonl --at 3 --ruleset thesis",
            "cannot be used with",
        ),
        (
            "bcts --record none.jsonl --at 3",
            "none.jsonl: there is no such file",
        ),
        (
            "bcts --record games.jsonl --at 1000",
            "games.jsonl, line 1: expected a number of placements from 0 to 60, got 1000",
        ),
        (
            "bcts --record games.jsonl --game 9 --at 3",
            "games.jsonl: expected a game number from 1 to 5, got 9",
        ),
        (
            "bcts --record games.jsonl --game 0 --at 3",
            "games.jsonl: expected a game number from 1 to 5, got 0",
        ),
        (
            "bcts --board / --piece T --svg no/such/folder.svg",
            "no/such/folder.svg: there is no such folder",
        ),
        (
            "bcts --board / --piece T --svg .",
            ".: expected a file, found a folder",
        ),
        (
            "bcts,dt-10 --board / --piece T",
            "expected a player, got 'bcts,dt-10'; separate several players with spaces: bcts dt-10",
        ),
    ];
    for (args, expected) in refused {
        let found = said(args);
        assert!(found.contains(expected), "{args}: {found}");
    }
}
