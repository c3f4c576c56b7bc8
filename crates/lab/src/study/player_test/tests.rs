use super::*;
use crate::study::PlayerResult;

#[test]
fn the_method_is_described_in_words() {
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
    assert!(method(&[("a", capped)]).ends_with("are truncated after 1,000 pieces"));
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
        let context = Context::on_threads(1);
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
    tested.fill_in(&ways, part(&["bcts", "dellacherie"]), false);
    let names: Vec<&str> = tested.results().iter().map(|row| &*row.1.player).collect();
    assert_eq!(names, ["bcts", "dellacherie"]);
    assert!(tested.missing[0].contains("truncated after 9 pieces"));
    let parts = tested.parts.len();
    tested.fill_in(&ways, part(&["bcts"]), false);
    assert_eq!(tested.parts.len(), parts, "nobody is unknown any more");
}

#[test]
fn a_learned_player_is_tested_on_the_board_of_its_training_next_to_published_ones() {
    let plan = Learning {
        ruleset: "simplified-6x8".to_owned(),
        seed: 7,
        ..Learning::default()
    };
    let tested = |ruleset, seconds| {
        let request = TestRequest::new(&plan, "random", ruleset, Some(30), seconds);
        test_player(request, &plan, &Context::on_threads(2))
    };
    let found = tested(None, 600.0).unwrap();
    assert_eq!(
        (&*found.method, found.time_is_over),
        ("30 whole games each", false)
    );
    let results = found.results();
    let names = results.iter().map(|row| row.1.player.as_str());
    assert!(names.eq(["random", "misakamm-v2", "bcts", "dellacherie"]));
    let is_as_asked = |result: &PlayerResult| {
        (result.ruleset.as_str(), result.games, result.seed) == ("simplified-6x8", 30, 7)
    };
    assert!(results.iter().all(|row| is_as_asked(row.1)));
    let other = tested(Some("simplified-6x6"), 600.0).unwrap();
    assert_eq!(other.results()[0].1.ruleset, "simplified-6x6");
    let said = tested(None, 0.0).unwrap_err().to_string();
    assert!(
        said.ends_with("above 0 s and at most 1000000000 s, got 0 s"),
        "{said}"
    );
}
