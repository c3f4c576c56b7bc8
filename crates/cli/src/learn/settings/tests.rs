use super::*;

#[test]
fn without_arguments_tables_learn_danger_and_with_features_weights_are_searched() {
    let AskedLearning {
        learning,
        word,
        header,
    } = LearningFlags::default().learning().unwrap();
    assert_eq!((word, header.note), ("danger-quick", None));
    let parts = [&learning.ruleset, &learning.evaluator, &learning.features];
    assert_eq!(parts, ["simplified-10x10", "tables", "wary"]);
    let with_features = LearningFlags {
        features: Some("dellacherie".to_owned()),
        ..LearningFlags::default()
    };
    assert_eq!(with_features.learning().unwrap().word, "cma-es");
    let on_a_board = LearningFlags {
        ruleset: Some("guideline".to_owned()),
        ..LearningFlags::default()
    };
    assert_eq!(on_a_board.learning().unwrap().word, "cma-es");
    let with_start = LearningFlags {
        start: Some("wary-10".to_owned()),
        ..LearningFlags::default()
    };
    let AskedLearning { learning, word, .. } = with_start.learning().unwrap();
    let parts = [word, &learning.evaluator, &learning.features];
    assert_eq!(parts, ["cma-es", "tables", "wary"]);
    assert_eq!(learning.ruleset, "simplified-10x10");
}
#[test]
fn another_default_learner_is_announced() {
    let flags = LearningFlags {
        runs: Some(2),
        ..LearningFlags::default()
    };
    let asked = flags.learning().unwrap();
    assert_eq!(asked.word, "cma-es");
    assert!(
        asked
            .header
            .note
            .unwrap()
            .contains("with --runs the default is cma-es")
    );
}

#[test]
fn a_start_brings_its_features_and_its_evaluator() {
    let start = |start: &str, features: Option<&str>| {
        let flags = LearningFlags {
            start: Some(start.to_owned()),
            features: features.map(str::to_owned),
            ..LearningFlags::default()
        };
        let asked = flags.learning().unwrap();
        let origin = asked.header.origins.of("features");
        (asked.learning.features, asked.learning.evaluator, origin)
    };
    assert_eq!(
        start("dt-10", None),
        (
            "dt".into(),
            "linear".into(),
            Some("from --start".to_owned())
        )
    );
    let given = start("dt-10", Some("dellacherie"));
    assert_eq!(
        (given.0.as_str(), given.2),
        ("dellacherie", Some("given".to_owned()))
    );
}

#[test]
fn defaults_are_bounded_where_games_are_slow_or_long() {
    let on = |ruleset: &str, generations: Option<u64>| {
        let flags = LearningFlags {
            ruleset: Some(ruleset.to_owned()),
            generations,
            ..LearningFlags::default()
        };
        let of = flags.learning().unwrap().learning;
        (of.games, of.max_pieces, of.budget.pieces)
    };
    assert_eq!(on("nes", None), (10, Some(500), Some(500_000)));
    assert_eq!(on("nes", Some(3)), (10, Some(500), None));
    assert_eq!(on("thesis", None), (30, Some(100_000), Some(300_000_000)));
}

#[test]
fn inherited_settings_name_the_preset() {
    let flags = LearningFlags {
        learner: Some("thesis-ga".to_owned()),
        games: Some(3),
        ..LearningFlags::default()
    };
    let origins = flags.learning().unwrap().header.origins;
    assert_eq!(origins.of("max_pieces"), Some("from thesis-ga".to_owned()));
    assert_eq!(origins.of("games"), Some("given".to_owned()));
    assert_eq!(origins.of("seed"), Some("default".to_owned()));
}

#[test]
fn a_budget_states_which_part_comes_from_the_preset() {
    let budget = |time, generations| {
        let flags = LearningFlags {
            learner: Some("boumaza".to_owned()),
            time,
            generations,
            ..LearningFlags::default()
        };
        let origins = flags.learning().unwrap().header.origins;
        origins.of("budget").unwrap()
    };
    assert_eq!(budget(None, None), "from boumaza");
    let partly = "given; generations from boumaza";
    assert_eq!(budget(Some(60.0), None), partly);
    assert_eq!(budget(Some(60.0), Some(3)), "given");
}
