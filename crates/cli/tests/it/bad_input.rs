#[cfg(unix)]
use super::with_file_limit;
use super::{failure, json, sentence, tetrolab};
use std::fs;
use tempfile::tempdir;

#[test]
fn unknown_names_suggest_the_nearest() {
    let folder = tempdir().unwrap();
    let said = |args: &[&str]| sentence(folder.path(), args);
    assert_eq!(
        said(&["eval", "bctz"]),
        "there is no player 'bctz'; did you mean 'bcts'?"
    );
    assert_eq!(
        said(&["eval", "bcts", "--ruleset", "simplifed-10x20"]),
        "there is no ruleset 'simplifed-10x20'; did you mean 'simplified-10x20'?"
    );
    assert_eq!(
        said(&["eval", "bcts", "--ruleset", "thesis(randomizer=bagg)"]),
        "there is no randomizer 'bagg'; did you mean 'bag'?"
    );
    assert_eq!(
        said(&["bench", "--only", "greedy-bcts"]),
        "there is no workload 'greedy-bcts'; did you mean 'greedy-bcts-10x20'?"
    );
    assert_eq!(
        said(&["features", "--from", "x", "--features", "hols"]),
        "there is no feature 'hols'; did you mean 'holes'?"
    );
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    let folder = tempdir().unwrap();
    let said = |args: &[&str]| sentence(folder.path(), args);
    assert_eq!(
        said(&["eval", "bcts", "--games", "0"]),
        "expected at least one game, got 0"
    );
    assert_eq!(
        said(&["eval", "bcts", "--ruleset", "simplified-3x20"]),
        "ruleset simplified-3x20: a board must be 4 to 16 columns wide, got 3"
    );
    assert!(said(&["eval", "bcts", "--max-pieces", "0"]).contains("must be at least 1, got 0"));
    for command in [&["eval", "bcts"][..], &["learn"]] {
        let said = said(&[command, &["--max-pieces", "many"]].concat());
        assert!(
            said.ends_with("expected a number of pieces, or none"),
            "{said}"
        );
    }
    assert!(
        said(&["eval", "bcts", "--threads", "0"])
            .contains("--threads must be between 1 and 1024, got 0")
    );
    assert!(said(&["bench", "--seconds", "nan"]).contains("--seconds"));
    assert!(said(&["bench", "--threads", "0"]).contains("--threads"));
    assert_eq!(
        said(&["eval", "bcts", "bcts"]),
        "the player bcts is listed twice"
    );
    assert!(said(&["eval", "near-perfect"]).starts_with(
        "near-perfect needs preview=1, but the ruleset simplified-10x10 has preview=0"
    ));
    assert!(
        said(&[
            "eval",
            "bcts",
            "--ruleset",
            "simplified-10x20(randomizer=fixed(IOT))"
        ])
        .contains("ran out of pieces after 3")
    );
}

#[test]
fn a_bad_player_file_is_named_with_its_line() {
    let folder = tempdir().unwrap();
    let player = "name = \"mine\"\nfeatures = \"strategies\"\n[weights]\nany_line = 1\nholes = nan\nvariation = 2\n";
    fs::write(folder.path().join("mine.toml"), player).unwrap();
    assert_eq!(
        sentence(folder.path(), &["eval", "mine.toml"]),
        "mine.toml, line 5: the weight of holes is nan, not a finite number"
    );
    assert_eq!(
        sentence(folder.path(), &["eval", "greedy(mine.toml)"]),
        "mine.toml, line 5: the weight of holes is nan, not a finite number"
    );
    assert_eq!(
        sentence(folder.path(), &["eval", "none.toml"]),
        "none.toml: there is no such file"
    );
}

#[test]
fn a_bad_record_is_named_with_its_line_and_good_ones_before_it_are_whole() {
    let folder = tempdir().unwrap();
    let good = r###"{"width":4,"height":4,"rows":["....","....","....","##.."],"piece":"O","cells":[[0,2],[0,3],[1,2],[1,3]]}"###;
    let said = |second: &str| {
        fs::write(
            folder.path().join("in.jsonl"),
            format!("{good}\n{second}\n"),
        )
        .unwrap();
        let output = tetrolab(folder.path())
            .args(["features", "--from", "in.jsonl"])
            .output()
            .unwrap();
        assert_eq!(
            output.stdout.iter().filter(|byte| **byte == b'\n').count(),
            1
        );
        failure(folder.path(), &output)
    };
    assert!(said(&good[..60]).starts_with("in.jsonl, line 2: not a JSON object: EOF"));
    assert_eq!(
        said(&good.replace("##..", "##.")),
        "in.jsonl, line 2: row 4 from the top: expected 4 cells, found 3"
    );
    let absent = sentence(folder.path(), &["features", "--from", "absent.jsonl"]);
    assert_eq!(absent, "absent.jsonl: there is no such file");
}

#[test]
fn a_bad_game_record_is_named_with_its_line() {
    let folder = tempdir().unwrap();
    let said = |record: &str| {
        fs::write(folder.path().join("games.jsonl"), format!("{record}\n")).unwrap();
        sentence(folder.path(), &["replay", "games.jsonl"])
    };
    let record = r#"{"player":"x","ruleset":"thesis","rules":{"width":10,"height":20,"end":"above-top","preview":0,"randomizer":"fixed(OOO)"},"seed":1,"lines":0,"pieces":2,"finished":false,"complete":true,"placements":"On0 On2"}"#;
    assert_eq!(
        said(&record.replace("\"lines\":0", "\"lines\":1")),
        "games.jsonl, line 1: the game has 0 lines, but the record says 1"
    );
    assert_eq!(
        said(&record.replace("\"pieces\":2", "\"pieces\":3")),
        "games.jsonl, line 1: the record has 2 placements, but states that 3 pieces were placed"
    );
    assert_eq!(
        said(&record.replace("\"finished\":false", "\"finished\":true")),
        "games.jsonl, line 1: the game is not lost after 2 pieces, but the record says that it is"
    );
    assert_eq!(
        said(&record.replace("\"complete\":true", "\"complete\":false")),
        "games.jsonl, line 1: the record is marked as incomplete, but has 2 placements for 2 pieces"
    );
    assert_eq!(
        said(&record.replace("On2", "On9")),
        "games.jsonl, line 1: placement 2: the piece extends beyond the board at column 9"
    );
    assert_eq!(
        said(&record.replace("On2", "In2")),
        "games.jsonl, line 1: placement 2: the piece is O, not I"
    );
    assert!(
        said(&record.replace("On2", "Qn2"))
            .starts_with("games.jsonl, line 1: expected a placement like Te3")
    );
    assert!(said("{").starts_with("games.jsonl, line 1: not a JSON object"));
    assert_eq!(
        sentence(folder.path(), &["replay", "games.jsonl", "--game", "2"]),
        "games.jsonl: expected a game number from 1 to 1, got 2"
    );
}

/// More games than any test could play.
const ENDLESS: [&str; 4] = ["eval", "bcts", "--games=1000000000", "--record"];

#[test]
fn an_unwritable_record_file_stops_before_a_game_is_played() {
    let folder = tempdir().unwrap();
    let said = |file: &str| sentence(folder.path(), &[&ENDLESS[..], &[file]].concat());
    assert_eq!(
        said("no/such/games.jsonl"),
        "no/such/games.jsonl: there is no such folder"
    );
    fs::write(folder.path().join("old.jsonl"), "precious").unwrap();
    fs::write(folder.path().join("begun.jsonl.part"), "precious").unwrap();
    fs::create_dir(folder.path().join("folder")).unwrap();
    let exists = |file| format!("{file}: already exists; choose a new file name for records");
    assert_eq!(said("old.jsonl"), exists("old.jsonl"));
    assert_eq!(said("folder"), exists("folder"));
    assert!(said("begun.jsonl").starts_with("begun.jsonl.part: already exists"));
    for file in ["old.jsonl", "begun.jsonl.part"] {
        let kept = fs::read_to_string(folder.path().join(file)).unwrap();
        assert_eq!(kept, "precious");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere", folder.path().join("link")).unwrap();
        let fifo = folder.path().join("fifo");
        let made = std::process::Command::new("mkfifo").arg(fifo).status();
        assert!(made.unwrap().success());
        for file in ["link", "fifo", "/dev/null"] {
            assert_eq!(said(file), exists(file));
        }
    }
}

#[cfg(unix)]
#[test]
fn a_record_that_does_not_fit_on_the_disk_leaves_the_games_before_it() {
    let folder = tempdir().unwrap();
    let args = [
        "eval",
        "random",
        "--games=2000",
        "--record=games.jsonl",
        "--ruleset=simplified-6x8",
    ];
    let said = |blocks| {
        let output = with_file_limit(folder.path(), blocks, &args);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(
            said.starts_with("tetrolab: games.jsonl: cannot be written: "),
            "{said}"
        );
        assert_eq!(said.lines().count(), 1, "{said}");
        said
    };
    assert!(!said(0).contains("until then"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    // 20 to 40 kB; a game takes about 300 bytes.
    let said = said(40);
    assert!(
        said.ends_with("; the records until then are in games.jsonl.part\n"),
        "{said}"
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let replayed = json(folder.path(), &["replay", "games.jsonl.part"]);
    assert!(replayed["games"].as_array().unwrap().len() > 20);
}

#[test]
fn files_that_cannot_be_read_say_why() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("bytes.jsonl"), b"\xff\xfe\n").unwrap();
    fs::create_dir(folder.path().join("folder.toml")).unwrap();
    for command in [&["replay"][..], &["features", "--from"]] {
        let said = |file: &str| sentence(folder.path(), &[command, &[file]].concat());
        assert_eq!(said("none.jsonl"), "none.jsonl: there is no such file");
        assert_eq!(
            said("folder.toml"),
            "folder.toml: expected a file, found a folder"
        );
        assert_eq!(said("bytes.jsonl"), "bytes.jsonl, line 1: not UTF-8 text");
    }
    assert_eq!(
        sentence(folder.path(), &["eval", "folder.toml"]),
        "folder.toml: this folder has no player.toml; a learning run writes it when it ends"
    );
}

#[test]
fn a_ruleset_file_with_the_name_of_another_game_is_refused() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("thesis.toml"), "width = 6\nheight = 9\n").unwrap();
    assert_eq!(
        sentence(folder.path(), &["eval", "bcts", "--ruleset=thesis.toml"]),
        "thesis.toml: the name 'thesis' belongs to a shipped ruleset with other rules; choose another name"
    );
}

#[test]
fn a_picture_that_cannot_be_drawn_is_refused() {
    let folder = tempdir().unwrap();
    let said = |args: &[&str]| sentence(folder.path(), &[&["draw"], args].concat());
    assert_eq!(
        said(&["bcts", "--svg=no/such/board.svg"]),
        "no/such/board.svg: there is no such folder"
    );
    assert_eq!(
        said(&["bcts", "--svg=."]),
        ".: expected a file, found a folder"
    );
    assert!(said(&["two-piece(bcts)"]).starts_with(
        "two-piece(bcts) needs preview=1, but the ruleset simplified-10x10 has preview=0"
    ));
}

/// On a full disk, no half of a picture remains. Here, files cannot be longer than 1 kilobyte.
#[cfg(unix)]
#[test]
fn a_picture_that_does_not_fit_the_disk_leaves_no_file() {
    let folder = tempdir().unwrap();
    let limited = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"";
    for draw in [
        &["draw", "dt-10", "--at=20", "--svg=x.svg"][..],
        &["draw", "--feature=holes", "--svg=x.svg"],
    ] {
        let mut command = std::process::Command::new("bash");
        let program = env!("CARGO_BIN_EXE_tetrolab");
        command.args(["-c", limited, program]).args(draw);
        let output = command.current_dir(folder.path()).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("x.svg: cannot be written: "), "{said}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

/// Five pieces of a game of the published tables.
const FIVE_PIECES: [&str; 6] = [
    "eval",
    "wary-10",
    "--games=1",
    "--max-pieces=5",
    "--ruleset=simplified-10x10",
    "--threads=1",
];

#[test]
fn published_names_refer_to_the_program_whatever_files_are_in_the_folder() {
    let (clean, dirty) = (tempdir().unwrap(), tempdir().unwrap());
    fs::create_dir(dirty.path().join("players")).unwrap();
    for name in [
        "players/wary-10.safetensors",
        "players/wary-10.toml",
        "wary-10.safetensors",
        "wary-10.toml",
        "wary-10",
        "bcts",
    ] {
        fs::write(dirty.path().join(name), "garbage").unwrap();
    }
    let lines = |folder: &std::path::Path| {
        let result = super::json(folder, &FIVE_PIECES);
        result["results"][0]["lines"].clone()
    };
    assert_eq!(lines(dirty.path()), lines(clean.path()));
    let listed = |folder: &std::path::Path| super::stdout(folder, &["list", "players"]);
    assert_eq!(listed(dirty.path()), listed(clean.path()));
    // The text of a published table player is incomplete without its tables, which are not taken
    // from the program.
    let text = include_str!("../../../lab/players/wary-10.toml");
    fs::write(clean.path().join("copy.toml"), text).unwrap();
    let eval = [&["eval", "./copy.toml"], &FIVE_PIECES[2..]].concat();
    assert_eq!(
        sentence(clean.path(), &eval),
        "./wary-10.safetensors: there is no such file"
    );
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_no_players() {
    let folder = tempdir().unwrap();
    let fifo = folder.path().join("fifo.toml");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.unwrap().success());
    let refused = "expected a regular file, found a pipe or a device";
    for args in [
        &["eval", "fifo.toml"][..],
        &["eval", "bcts", "--ruleset", "fifo.toml"],
        &["onnx", "fifo.toml", "x.onnx"],
    ] {
        assert_eq!(
            sentence(folder.path(), args),
            format!("fifo.toml: {refused}")
        );
    }
    assert_eq!(
        sentence(folder.path(), &["eval", "/dev/zero"]),
        format!("/dev/zero: {refused}")
    );
}

#[cfg(unix)]
#[test]
fn tables_results_settings_and_models_are_regular_files() {
    let folder = tempdir().unwrap();
    for ending in ["csv", "json", "toml", "jsonl"] {
        let link = folder.path().join(format!("zero.{ending}"));
        std::os::unix::fs::symlink("/dev/zero", link).unwrap();
    }
    for args in [
        &["report", "zero.csv"][..],
        &["report", "zero.json"],
        &["plot", "survival", "zero.csv", "--svg", "x.svg"],
        &["plot", "curves", "zero.csv", "--svg", "x.svg"],
        &["watch", "--settings", "zero.toml", "--svg", "x.svg"],
        &["work", "--models", "zero.jsonl"],
    ] {
        let said = sentence(folder.path(), args);
        let refused = ": expected a regular file, found a pipe or a device";
        assert!(said.ends_with(refused), "{args:?}: {said}");
    }
}

#[test]
fn control_sequences_in_a_file_never_reach_the_terminal() {
    let folder = tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let weights = "features = \"strategies\"\n[weights]\nany_line = 1\nholes = -1\n";
    write(
        "name.toml",
        &format!("name = \"a\\u001b[31m\"\n{weights}variation = 1\n"),
    );
    write(
        "key.toml",
        &format!("\"\\u001b[31mkey\" = 1\nname = \"a\"\n{weights}"),
    );
    write(
        "value.toml",
        "name = \"a\"\nplayer = \"\\u009b2J\\u001b[31m\"\n",
    );
    write("broken.toml", "name = \x1b[31m\n");
    write("\x1b[31m.toml", "");
    write("text.jsonl", "{\"player\": \"\\u001b[31m\", \x1b[31m");
    let rules = "\"rules\":{\"width\":10,\"height\":20,\"end\":\"above-top\",\"preview\":0,\"randomizer\":\"uniform\"}";
    let record = format!(
        "{{\"player\":\"\\u001b[31m\\u009b\",\"ruleset\":\"\\u001b]0;x\\u0007\",{rules},\"seed\":1,\"lines\":0,\"pieces\":0,\"finished\":false,\"complete\":true,\"placements\":\"\"}}"
    );
    write("game.jsonl", &record);
    for args in [
        &["eval", "./name.toml"][..],
        &["eval", "./key.toml"],
        &["eval", "./value.toml"],
        &["eval", "./broken.toml"],
        &["eval", "./\x1b[31m.toml"],
        &["eval", "\x1b[31m"],
        &["replay", "text.jsonl"],
        &["replay", "\x1b[31m"],
        &["replay", "game.jsonl"],
        &["replay", "game.jsonl", "--json"],
        &["work", "merge", "text.jsonl"],
        &["features", "--from", "text.jsonl", "--features", "holes"],
    ] {
        let output = tetrolab(folder.path()).args(args).output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8(said).unwrap();
        let is_command = |letter: char| letter.is_control() && letter != '\n';
        assert!(!said.contains(is_command), "{args:?}: {said:?}");
        assert!(!said.is_empty(), "{args:?}");
    }
}

#[test]
fn numbers_that_would_fill_the_memory_are_refused() {
    let folder = tempdir().unwrap();
    let nested = format!("{}bcts{}", "greedy(".repeat(10_000), ")".repeat(10_000));
    for args in [
        &["eval", "bcts", "--games", "18446744073709551615"][..],
        &["eval", "beam(bcts,width=1000000)"],
        &["eval", &nested],
    ] {
        let said = sentence(folder.path(), args);
        assert!(said.len() < 500, "{said}");
    }
    let deep = [("deep.toml", "["), ("deeper.toml", "{a=")];
    for (name, open) in deep {
        let text = format!("name = {}", open.repeat(30_000));
        fs::write(folder.path().join(name), text).unwrap();
        assert!(sentence(folder.path(), &["eval", name]).starts_with(name));
    }
    fs::write(folder.path().join("deep.jsonl"), "[".repeat(100_000)).unwrap();
    let said = sentence(folder.path(), &["replay", "deep.jsonl"]);
    assert!(said.starts_with("deep.jsonl, line 1: "), "{said}");
}
