use super::*;
use crate::arena::{GameSeries, Limits, Played};
use crate::context::Context;
use crate::library::{find_player, find_ruleset};
use serde_json::json;
use tempfile::tempdir;

/// Two games, with at most this many placements recorded in each.
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

/// The record of the game with this index.
fn record_of(played: &Played, rules: &Ruleset, place: usize) -> GameRecord {
    let game = &played.games[place];
    let of = (played.name.as_str(), played.seed_of(game));
    let rules = RecordedRules::of(rules, FileSource::Disk).unwrap();
    rules.record(of, game, &played.placements[place])
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
fn fields_that_others_add_to_a_record_or_its_rules_are_passed_over() {
    let rules = find_ruleset("simplified-6x12").unwrap();
    let record = record_of(&played(&rules, 1000), &rules, 0);
    let mut json = to_json(&record);
    json["colour"] = json!("red");
    json["rules"]["hold_limit"] = json!(3);
    assert_eq!(parse(&json.to_string()), Ok(record));
    json["rules"]["width"] = json!("six");
    let error = parse(&json.to_string()).unwrap_err().to_string();
    assert!(error.starts_with("'rules': 'width': "), "{error}");
}

#[test]
fn a_record_with_only_the_first_placements_is_marked_incomplete() {
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
        let error = rules.unwrap_err();
        error.split(" at column ").next().unwrap().to_owned()
    };
    assert_eq!(
        error(&|json| *json = json!([])),
        "invalid type: sequence, expected an object in braces"
    );
    assert_eq!(
        error(&|json| json["rules"] = Value::Null),
        "'rules': invalid type: null, expected an object in braces"
    );
    assert_eq!(
        error(&|json| json["rules"]["width"] = json!(-1)),
        "'rules': 'width': invalid value: integer `-1`, expected a non-negative integer"
    );
    assert_eq!(
        error(&|json| json["rules"]["width"] = json!(17)),
        "ruleset simplified-6x12: a board must be 4 to 16 columns wide, got 17"
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
        "'complete': invalid type: string \"no\", expected a boolean"
    );
    assert!(error(&|json| json["placements"] = json!("Te3 Q")).ends_with("got 'Q'"));
}

#[test]
fn games_are_written_to_a_new_file() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("games");
    let rules = find_ruleset("simplified-6x12").unwrap();
    let record = record_of(&played(&rules, 10), &rules, 0);
    write(&path, std::slice::from_ref(&record)).unwrap();
    assert_eq!(
        read(&path, None).unwrap(),
        [RecordedGame { line: 1, record }]
    );
    let said = write(&path, &[]).unwrap_err().to_string();
    let shown = path.display();
    assert_eq!(
        said,
        format!("{shown}: already exists; choose a new file name for records")
    );
    let nowhere = folder.path().join("no/games");
    let said = write(&nowhere, &[]).unwrap_err().to_string();
    assert_eq!(
        said,
        format!("{}: there is no such folder", nowhere.display())
    );
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
    assert!(
        wrong("start", json!(3))
            .starts_with("'start': invalid type: integer `3`, expected a sequence")
    );
    assert!(wrong("start", json!(["##"])).starts_with("'start': "));
    assert!(wrong("start", json!(["##########"])).ends_with("found a full row"));
    assert!(wrong("inputs", json!("x")).ends_with("found 'x'"));
}

/// Games written by earlier versions: with the game-over rule after the randomizer, and with such a
/// rule in a stepped game.
const EARLIER: [&str; 2] = [
    r#"{"player":"strategies","ruleset":"simplified-6x8(randomizer=adversary(bcts))","rules":{"width":6,"height":8,"preview":0,"randomizer":"adversary(bcts)","end":"above-top"},"seed":6791897765849424158,"lines":1,"pieces":10,"finished":true,"complete":true,"placements":"Zn0 Se2 Ie0 Se4 On1 On1 On1 On3 Ze3 On1"}"#,
    r#"{"player":"strategies","ruleset":"nes","rules":{"width":10,"height":20,"preview":1,"randomizer":"nes","moves":"stepped(rotation=nintendo,gravity=nes,lock=fall,drop=none,hold=false,spins=none,score=nes,level=0,entry-delay=10,clear-delay=18,over=overflow)","end":"entry-blocked"},"seed":6791897765849424158,"lines":3,"pieces":10,"finished":false,"complete":true,"placements":"On0@0 Zn2@0 In0@2 Tn5@0 Zn7@0 On4@1 Zn5@2 Se8@1 Ls2@0 Ze7@0"}"#,
];

#[test]
fn records_of_earlier_versions_are_read_and_replay() {
    for line in EARLIER {
        let record = parse(line).unwrap();
        assert_eq!(
            record.rules.rules.end().is_none(),
            record.rules.name == "nes"
        );
        let game = record.replay(&ruleset(&record).unwrap(), None).unwrap();
        assert_eq!(game.pieces(), 10);
    }
}
