//! Studies with descriptions from elsewhere, whose names never refer to files.

use super::*;
use crate::analysis::{Analysis, BoardSource, GameSource, PositionSource, analyse};
use crate::knowledge::{Inquiry, ask};
use crate::library::{GivenFiles, published};

#[test]
fn no_file_is_read_for_a_name_that_came_from_elsewhere() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    std::fs::write(&file, "top secret").unwrap();
    let names_only = || context().names_only(GivenFiles::new());
    let evaluated = |player: String, ruleset: String| {
        let plan = few(
            2,
            100,
            format!("tables({})", file.display()).parse().unwrap(),
        );
        let plan = if player == "bcts" {
            plan
        } else {
            Plan::games(1)
        };
        let evaluation = Evaluation {
            ruleset,
            ..quick(&[&player], plan)
        };
        let made = evaluate(&evaluation, &Keep::nothing(), &names_only());
        made.unwrap_err().to_string()
    };
    let (path, board) = (file.display().to_string(), "simplified-6x8".to_owned());
    let comparison = Comparison::new("bcts", &path);
    let learning = Learning {
        start: Some(path.clone()),
        ..tiny()
    };
    let adversary = format!("simplified-6x8(randomizer=adversary({path}))");
    let place = LearningPlace::new(&folder.path().join("run")).unwrap();
    let inquiry = Inquiry {
        player: path.clone(),
        ..Inquiry::default()
    };
    let search = DeathSearch {
        ruleset: path.clone(),
        ..DeathSearch::default()
    };
    let record = GameSource {
        file: file.clone(),
        game: 1,
        at: 0,
    };
    let position = PositionSource::Record(record);
    let drawn = BoardSource {
        ruleset: path.clone(),
        rows: Vec::new(),
        piece: "T".to_owned(),
        next: String::new(),
    };
    let analysed = [position, PositionSource::Board(drawn)].map(|position| {
        let analysis = Analysis {
            position,
            ..Analysis::default()
        };
        analyse(&analysis, &names_only()).unwrap_err().to_string()
    });
    let said = [
        evaluated(path.clone(), board.clone()),
        evaluated(format!("greedy({path})"), board.clone()),
        evaluated("bcts".to_owned(), board),
        evaluated("random".to_owned(), adversary),
        compare(&comparison, &names_only()).unwrap_err().to_string(),
        learn(&learning, &place, &names_only())
            .unwrap_err()
            .to_string(),
        find_deaths(&search, &names_only()).unwrap_err().to_string(),
        ask(&inquiry, &names_only()).unwrap_err().to_string(),
    ];
    for said in said.iter().chain(&analysed) {
        assert!(said.contains("files cannot be read here"), "{said}");
        assert!(!said.contains("top secret"), "{said}");
    }
}

#[test]
fn names_that_came_from_elsewhere_lead_to_published_players_and_given_texts() {
    let text = include_str!("../../../players/bcts.toml");
    let given = GivenFiles::from([("theirs.toml".to_owned(), text.to_owned())]);
    let plan = Plan::games(20);
    let evaluation = quick(&["theirs.toml", "bcts", "greedy(bcts)"], plan);
    let found = evaluate(&evaluation, &Keep::nothing(), &context().names_only(given)).unwrap();
    assert!(published("bcts").is_some() && found.results.len() == 3);
    assert_eq!(found.results[0].lines, found.results[1].lines);
}
