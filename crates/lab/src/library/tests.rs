use super::*;
use std::path::Path;
use tetrolab_core::board::WIDTHS;

fn parse(text: &str) -> Result<PlayerFile, String> {
    PlayerFile::parse(text, "mine.toml").map_err(|error| error.to_string())
}

fn with_weights(weights: &str) -> String {
    format!("name = \"mine\"\nfeatures = \"strategies\"\n\n[weights]\n{weights}")
}

/// The simplified game on a board of this width.
fn simplified(width: usize) -> Ruleset {
    find_ruleset(&format!("simplified-{width}x20")).unwrap()
}

#[test]
fn every_published_player_reads_plays_and_has_a_source() {
    for (name, _) in PUBLISHED {
        let file = published(name).unwrap();
        assert_eq!(file.name, *name);
        assert!(!file.source.is_empty() && !file.title.is_empty(), "{name}");
        assert!(file.player(&simplified(10)).is_ok(), "{name}");
    }
}

#[test]
fn published_players_play_on_every_width_unless_their_weights_are_per_column() {
    for (name, _) in PUBLISHED {
        let file = published(name).unwrap();
        let any_width = !file.has_vectors();
        let mut widths = WIDTHS;
        assert!(
            widths
                .all(|width| file.player(&simplified(width)).is_ok() == (any_width || width == 10))
        );
    }
    let error = find_player("bdu", &simplified(8))
        .err()
        .unwrap()
        .to_string();
    let expected = "players/bdu.toml, line 9: column_heights has 10 weights, but 8 are needed on a board 8 wide";
    assert_eq!(error, expected);
}

#[test]
fn players_are_found_by_name_and_by_spec() {
    for text in [
        "bcts",
        "greedy(bcts)",
        "greedy(linear(bcts),losing=allow)",
        "two-piece(dt-20)",
        "random",
    ] {
        assert!(find_player(text, &simplified(10)).is_ok(), "{text}");
    }
    let error = |text| {
        find_player(text, &simplified(10))
            .err()
            .unwrap()
            .to_string()
    };
    assert_eq!(
        error("bctss"),
        "there is no player 'bctss'; did you mean 'bcts'?"
    );
    assert_eq!(
        error("gredy(bcts)"),
        "there is no player 'gredy'; did you mean 'greedy'?"
    );
    assert_eq!(
        error("linear(bcts)"),
        "linear: an evaluator, not a player; use greedy(linear(bcts))"
    );
    assert_eq!(
        error("bcts(losing=allow)"),
        "bcts: does not take settings; use greedy(bcts, ...)"
    );
    assert_eq!(
        error("greedy(exponential(bcts))"),
        "bcts has the linear evaluator, not the exponential one"
    );
    assert_eq!(
        error("greedy(no/where.toml)"),
        "no/where.toml: there is no such file"
    );
    assert_eq!(error("nowhere.toml"), "nowhere.toml: there is no such file");
    assert_eq!(
        find_player_file("greedy(bcts)").unwrap_err().to_string(),
        "expected a published player, a player file or the folder of a learning run, got the spec 'greedy(bcts)'"
    );
}

#[test]
fn a_weight_is_any_number_of_toml() {
    let text = with_weights("any_line = 0x1F\nholes = -1_000\nvariation = 1_0.5e1\n");
    let file = PlayerFile::parse(&text, "mine.toml").unwrap();
    let weights: Vec<f64> = file.weights().flat_map(|row| row.1.to_vec()).collect();
    assert_eq!(weights, [31.0, -1000.0, 105.0]);
}

#[test]
fn bad_weights_are_named_with_their_line() {
    let error = |weights: &str| parse(&with_weights(weights)).unwrap_err();
    assert_eq!(
        error("any_line = 1\nholes = nan\nvariation = 1\n"),
        "mine.toml, line 6: the weight of holes is nan, not a finite number"
    );
    assert_eq!(
        error("any_line = inf\nholes = 1\nvariation = 1\n"),
        "mine.toml, line 5: the weight of any_line is inf, not a finite number"
    );
    assert_eq!(
        error("any_line = 1\nvariation = 1\n"),
        "mine.toml, line 4: the weight of holes is missing"
    );
    assert_eq!(
        error("any_line = 1\nhols = 1\nholes = 1\nvariation = 1\n"),
        "mine.toml, line 6: this player does not list the feature 'hols'; did you mean 'holes'?"
    );
    assert_eq!(
        error("any_line = 'much'\nholes = 1\nvariation = 1\n"),
        "mine.toml, line 5: the weight of any_line is 'much', not a finite number"
    );
    assert_eq!(
        error("any_line = 1e999\nholes = 1\nvariation = 1\n"),
        "mine.toml, line 5: the weight of any_line is 1e999, not a finite number"
    );
    assert_eq!(
        error("any_line = true\nholes = 1\nvariation = 1\n"),
        "mine.toml, line 5: the weight of any_line is true, not a finite number"
    );
    assert!(error("any_line = 1\nany_line = 2").starts_with("mine.toml, line 6: not valid TOML"));
}

#[test]
fn other_mistakes_in_a_player_file_are_named_too() {
    let error = |text: &str| parse(text).unwrap_err();
    assert_eq!(
        error("name = 'x'\n"),
        "mine.toml: 'features' is missing: the name of a feature set or a list of feature ids"
    );
    assert_eq!(
        error("name = 'x'\nfeatures = 'bctz'\n"),
        "mine.toml, line 2: there is no feature set 'bctz'; did you mean 'bcts'?"
    );
    assert_eq!(
        error("name = 'x'\nfeatures = ['holes', 'hole']\n"),
        "mine.toml, line 2: there is no feature 'hole'; did you mean 'holes'?"
    );
    assert_eq!(
        error("name = 'x'\nfeatures = ['holes']\n"),
        "mine.toml: the table [weights] is missing"
    );
    assert_eq!(
        error("name = 'x'\ncolour = 'red'\n"),
        "mine.toml, line 2: there is no setting 'colour'"
    );
    let exponents =
        with_weights("any_line = 1\nholes = 1\nvariation = 1\n[exponents]\nholes = 1\n");
    assert_eq!(
        error(&exponents),
        "mine.toml, line 8: this evaluator has no exponents"
    );
}

#[test]
fn a_list_of_features_has_some_and_each_once() {
    let error = |list: &str| parse(&format!("name = 'x'\nfeatures = {list}\n")).unwrap_err();
    assert_eq!(
        error("[]"),
        "mine.toml, line 2: expected at least one feature, found none"
    );
    assert_eq!(
        error("['holes', 'holes']"),
        "mine.toml, line 2: the feature holes is listed twice"
    );
}

#[test]
fn evaluators_of_all_forms_are_read_from_files() {
    let numbers = "any_line = 1\nholes = -1.5\nvariation = 1\n";
    let body = with_weights(numbers) + "[exponents]\n" + numbers;
    let exponential = format!("evaluator = 'exponential'\n{body}");
    assert!(parse(&exponential).unwrap().player(&simplified(10)).is_ok());
    let displaced = format!("evaluator = 'displaced'\n{body}[displacements]\n{numbers}");
    assert!(parse(&displaced).unwrap().player(&simplified(10)).is_ok());
    let missing = parse(&format!("evaluator = 'displaced'\n{body}")).unwrap_err();
    assert_eq!(missing, "mine.toml: the table [displacements] is missing");
}

#[test]
fn ruleset_files_are_read_and_their_mistakes_named() {
    let read =
        |text: &str| ruleset_file::read_text(text, Path::new("rules/mine.toml"), FileSource::Disk);
    let ruleset = read("width = 6\nheight = 14\npreview = 1\nrandomizer = 'bag'\n").unwrap();
    assert_eq!(
        (ruleset.name.as_str(), ruleset.width, ruleset.height),
        ("mine", 6, 14)
    );
    let error = |text: &str| read(text).unwrap_err().to_string();
    assert_eq!(error("width = 6\n"), "rules/mine.toml: 'height' is missing");
    assert_eq!(
        error("width = 3\nheight = 14\n"),
        "rules/mine.toml: ruleset mine: a board must be 4 to 16 columns wide, got 3"
    );
    assert_eq!(
        error("width = 6\nheight = 14\nend = 'toprow'\n"),
        "rules/mine.toml, line 3: there is no end 'toprow'; did you mean 'top-row'?"
    );
    assert_eq!(
        error("width = 6\nheight = 14\nrandomizer = 'bagg'\n"),
        "rules/mine.toml: there is no randomizer 'bagg'; did you mean 'bag'?"
    );
}

#[test]
fn a_ruleset_file_cannot_take_the_name_of_another_game() {
    let read =
        |text: &str, path: &str| ruleset_file::read_text(text, Path::new(path), FileSource::Disk);
    let size = "width = 10\nheight = 20\n";
    for name in [
        "thesis",
        "simplified",
        "simplified-10x14",
        "simplified-3x3",
        "simplified-10x20(preview=1)",
        " simplified-10x10",
    ] {
        let error = read(&format!("name = '{name}'\n{size}"), "mine.toml");
        let said = error.err().map(|error| error.to_string());
        let expected = format!(
            "mine.toml: the name '{name}' belongs to a shipped ruleset with other rules; choose another name"
        );
        assert_eq!(said, (name != "simplified").then_some(expected), "{name}");
    }
    assert!(read(size, "rules/thesis.toml").is_err());
    assert!(read(size, "rules/simplified-10x20.toml").is_ok());
    let preview = format!("name = 'simplified-10x20(preview=1)'\npreview = 1\n{size}");
    assert!(read(&preview, "mine.toml").is_ok());
}

#[test]
fn files_that_cannot_be_read_say_why() {
    let folder = std::env::temp_dir();
    let shown = folder.display();
    let error = |lines: Result<Lines, FileError>| {
        let error = lines.and_then(|lines| lines.collect::<Result<Vec<_>, _>>());
        error.unwrap_err().to_string()
    };
    let absent = Path::new("no/such/games.jsonl");
    let said = "no/such/games.jsonl: there is no such file";
    assert_eq!(error(Lines::open(absent)), said);
    if cfg!(unix) {
        assert_eq!(
            error(Lines::open(&folder)),
            format!("{shown}: expected a file, found a folder")
        );
    }
    let bytes = Lines::of(&b"text\n\xff\n"[..], Path::new("x"));
    assert_eq!(error(Ok(bytes)), "x, line 2: not UTF-8 text");
    let bytes = Lines::of(&b"\xff\ntext"[..], Path::new("x"));
    assert_eq!(bytes.last().unwrap().unwrap(), (2, "text".to_owned()));
    let lines = Lines::of(&b"one\n\n  \nfour"[..], Path::new("x"));
    let lines: Vec<_> = lines.map(Result::unwrap).collect();
    assert_eq!(lines, [(1, "one".to_owned()), (4, "four".to_owned())]);
}
