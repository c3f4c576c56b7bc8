use super::*;
use crate::arena::{GameSeries, Limits};
use crate::context::Context;
use crate::library::{find_player, find_ruleset};
use tempfile::tempdir;

/// Two games, of each of which at most this many placements are kept.
fn played(ruleset: &Ruleset, kept: usize) -> Played {
    let player = find_player("strategies", ruleset).unwrap();
    let series = GameSeries::new(ruleset, 3).limits(Limits {
        max_pieces: Some(200),
        record_placements: Some(kept),
    });
    let arms = [("strategies", &*player)];
    let played = Context::on_threads(1).play_all(&arms, &series, 0..2);
    played.unwrap().remove(0)
}

/// The record of the game at this place.
fn record_of(played: &Played, rules: &Ruleset, place: usize) -> GameRecord {
    let game = &played.games[place];
    let of = (played.name.as_str(), played.seed_of(game));
    record(
        of,
        &RecordedRules::of(rules).unwrap(),
        game,
        &played.placements[place],
    )
}

#[test]
fn records_read_back_as_they_were_written_and_replay() {
    for name in [
        "simplified-6x12",
        "thesis(preview=2)",
        "simplified-10x8(randomizer=adversary(bcts))",
    ] {
        let rules = find_ruleset(name).unwrap();
        let played = played(&rules, 1000);
        for (place, game) in played.games.iter().enumerate() {
            let record = record_of(&played, &rules, place);
            assert_eq!(parse(&to_json(&record).to_string()).as_ref(), Ok(&record));
            let again = record.replay(&ruleset(&record).unwrap(), None).unwrap();
            assert_eq!(again.pieces(), game.pieces);
            assert_eq!(again.line_points(), game.line_points);
        }
    }
}

#[test]
fn a_record_that_holds_only_the_first_placements_says_so() {
    let rules = find_ruleset("simplified-6x12").unwrap();
    let record = record_of(&played(&rules, 5), &rules, 0);
    assert_eq!(to_json(&record)["complete"], false);
    let again = record.replay(&rules, None).unwrap();
    assert_eq!(again.pieces(), 5);
    assert!(record.pieces > 5);
}

#[test]
fn wrong_records_are_explained() {
    let rules = find_ruleset("simplified-6x12").unwrap();
    let good = to_json(&record_of(&played(&rules, 1000), &rules, 0));
    let error = |change: &dyn Fn(&mut Value)| {
        let mut json = good.clone();
        change(&mut json);
        let record = parse(&json.to_string()).map_err(|error| error.to_string());
        let rules = record.and_then(|record| ruleset(&record).map_err(|error| error.to_string()));
        rules.unwrap_err()
    };
    assert_eq!(
        error(&|json| *json = json!([])),
        "is not a JSON object: an object in braces is needed"
    );
    assert_eq!(
        error(&|json| json["rules"] = Value::Null),
        "'rules' must be an object with width, height, end, preview and randomizer"
    );
    assert_eq!(
        error(&|json| json["rules"]["width"] = json!(-1)),
        "'width' must be a whole number"
    );
    assert_eq!(
        error(&|json| json["rules"]["width"] = json!(17)),
        "ruleset simplified-6x12: a board is 4 to 16 columns wide, not 17"
    );
    assert_eq!(
        error(&|json| json["rules"]["end"] = json!("never")),
        "there is no end 'never'"
    );
    assert_eq!(
        error(&|json| json["rules"]["randomizer"] = json!("bagg")),
        "there is no randomizer 'bagg'; did you mean 'bag'?"
    );
    assert_eq!(
        error(&|json| json["complete"] = json!("no")),
        "'complete' must be true or false"
    );
    assert!(error(&|json| json["placements"] = json!("Te3 Q")).starts_with("'Q' is not"));
}

#[test]
fn a_file_has_its_name_only_when_it_is_whole() {
    let folder = tempdir().unwrap();
    let (path, part) = (
        folder.path().join("games"),
        folder.path().join("games.part"),
    );
    let rules = find_ruleset("simplified-6x12").unwrap();
    let mut file = RecordFile::create(&path).unwrap();
    file.write(&rules, &[played(&rules, 10)]).unwrap();
    assert!(part.exists() && !path.exists());
    drop(file);
    assert!(!part.exists() && !path.exists());
    RecordFile::create(&path).unwrap().finish().unwrap();
    assert!(!part.exists() && path.exists());
}

#[test]
fn what_exists_is_never_written_over() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("games");
    let shown = path.display();
    let first = RecordFile::create(&path).unwrap();
    let said = RecordFile::create(&path).unwrap_err().to_string();
    assert!(said.starts_with(&format!("{shown}.part: exists already")));
    first.finish().unwrap();
    let said = RecordFile::create(&path).unwrap_err().to_string();
    let expected = format!("{shown}: exists already; records are written to a new file");
    assert_eq!(said, expected);
    let nowhere = folder.path().join("no/games");
    let said = RecordFile::create(&nowhere).unwrap_err().to_string();
    let expected = format!("{}: there is no such folder", nowhere.display());
    assert_eq!(said, expected);
}

#[test]
fn a_start_and_inputs_read_back_as_they_were_written() {
    let rules = find_ruleset("guideline").unwrap();
    let record = GameRecord {
        player: "you".to_owned(),
        rules: rules.parts(),
        files: GivenFiles::new(),
        seed: 7,
        start: Some(Board::from_lowest_rows(10, 40, &["#........#"]).unwrap()),
        inputs: Some("3,l,cD,12".parse().unwrap()),
        placements: Vec::new(),
        complete: false,
        lines: 0,
        pieces: 1,
        finished: false,
    };
    let json = to_json(&record);
    assert_eq!(json["start"], json!(["#........#"]));
    assert_eq!(parse(&json.to_string()), Ok(record));
    let wrong = |field: &str, value: Value| {
        let mut json = json.clone();
        json[field] = value;
        parse(&json.to_string()).unwrap_err().to_string()
    };
    assert!(wrong("start", json!(3)).starts_with("'start' must be a list of rows"));
    assert!(wrong("start", json!(["##"])).starts_with("'start': "));
    assert!(wrong("start", json!(["##########"])).ends_with("of which none is full"));
    assert!(wrong("inputs", json!("x")).starts_with("'inputs': 'x' is neither"));
}
