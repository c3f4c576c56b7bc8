use super::testing::method;
use super::*;
use tetrolab::arena::Arena;
use tetrolab::context::Context;
use tetrolab::study::{Evaluation, GamesGoal, Keep, Plan, evaluate};

#[test]
fn the_method_is_told_in_words() {
    let whole = [("a", TestWay::Whole(1000)), ("b", TestWay::Whole(1000))];
    assert_eq!(method(&whole), "1,000 whole games each");
    let mixed = [("a", TestWay::Whole(20)), ("b", TestWay::Splitting)];
    let text = method(&mixed);
    assert!(text.starts_with("20 whole games each; multilevel splitting"));
    assert!(text.contains("for b, whose games do not end"));
    let capped = TestWay::Capped {
        games: 50,
        cap: 1000,
    };
    assert!(method(&[("a", capped)]).ends_with("are cut off after 1,000 pieces"));
}

#[test]
fn a_player_without_an_estimate_is_shown_by_its_first_games() {
    let evaluation = |players: &[&str]| Evaluation {
        players: players.iter().map(|&name| name.to_owned()).collect(),
        ruleset: "simplified-6x8".to_owned(),
        plan: Plan::Games {
            until: GamesGoal::Games(3),
            max_pieces: Some(9),
        },
        ..Evaluation::default()
    };
    let part = |players: &[&str]| {
        let evaluation = evaluation(players);
        let context = Context::new(&Arena::new(1).unwrap());
        let evaluated = evaluate(&evaluation, &Keep::nothing(), &context).unwrap();
        TestPart {
            evaluation,
            evaluated,
        }
    };
    let mut tested = TestResult {
        request: TestRequest {
            player: "bcts".to_owned(),
            ruleset: "simplified-6x8".to_owned(),
            rules: None,
            games: None,
            seconds: 1.0,
        },
        method: String::new(),
        parts: vec![part(&["dellacherie"])],
        missing: Vec::new(),
        time_is_over: true,
    };
    let ways = ["bcts", "dellacherie"].map(|name| (name, TestWay::Splitting));
    tested.fill_in(&ways, part(&["bcts", "dellacherie"]));
    let names: Vec<&str> = tested.results().iter().map(|row| &*row.1.player).collect();
    assert_eq!(names, ["bcts", "dellacherie"]);
    assert!(tested.missing[0].contains("truncated after 9 pieces"));
    let parts = tested.parts.len();
    tested.fill_in(&ways, part(&["bcts"]));
    assert_eq!(tested.parts.len(), parts, "nobody is unknown any more");
}
