//! Settings: kinds, limits, defaults, and error messages.

use super::*;

const KNOWN: &[Setting] = &[
    Setting {
        id: "population",
        help: "",
        default: Some("auto"),
        kind: Kind::POPULATION,
    },
    Setting {
        id: "inertia",
        help: "",
        default: Some("0.7"),
        kind: Kind::SHARE,
    },
    Setting {
        id: "selection",
        help: "",
        default: Some("roulette"),
        kind: Kind::Word(&["roulette", "ranking"]),
    },
];

const NEEDY: &[Setting] = &[
    Setting {
        id: "evaluator",
        help: "",
        default: None,
        kind: Kind::EVALUATOR,
    },
    Setting {
        id: "deep",
        help: "",
        default: Some("false"),
        kind: Kind::Flag,
    },
];

fn settings(text: &str) -> Result<Settings, SpecError> {
    Settings::new(KNOWN, &[("inertia", "0.5")], &text.parse().unwrap())
}

#[test]
fn a_spec_replaces_a_preset_and_a_preset_replaces_a_default() {
    let settings = settings("x(selection=ranking)").unwrap();
    assert_eq!(settings.count_or("population", 12), 12);
    assert_eq!(settings.number("inertia"), 0.5);
    assert_eq!(settings.word("selection"), "ranking");
    let other = super::Settings::new(KNOWN, &[], &"x(population=9)".parse().unwrap());
    assert_eq!(other.unwrap().count_or("population", 12), 9);
}

#[test]
fn a_wrong_value_is_one_clear_sentence() {
    let problem = |text: &str| settings(text).unwrap_err().to_string();
    assert_eq!(
        problem("x(population=0)"),
        "x: population must be an integer from 2 to 100000 or auto, got '0'"
    );
    assert_eq!(
        problem("x(inertia=NaN)"),
        "x: inertia must be a number from 0 to 1, got 'NaN'"
    );
    assert_eq!(
        problem("x(inertia=auto)"),
        "x: inertia must be a number from 0 to 1, got 'auto'"
    );
    assert_eq!(
        problem("x(selection=best)"),
        "x: selection must be roulette or ranking, got 'best'"
    );
    assert_eq!(
        problem("x(selection=ranking(2))"),
        "x: selection must be roulette or ranking, got 'ranking(2)'"
    );
    assert_eq!(
        problem("x(inertai=1)"),
        "x: there is no setting 'inertai'; did you mean 'inertia'?"
    );
    assert_eq!(
        problem("x(inertia=1,inertia=1)"),
        "x: the setting 'inertia' is given twice"
    );
    assert_eq!(problem("x(0.5)"), "x: does not take '0.5' here");
}

#[test]
fn a_setting_without_a_default_is_required_and_positional() {
    let settings = |text: &str| Settings::new(NEEDY, &[], &text.parse().unwrap());
    let given = settings("x(linear(bcts),deep=true)").unwrap();
    assert_eq!(given.part("evaluator").to_string(), "linear(bcts)");
    assert!(given.flag("deep"));
    let problem = |text: &str| settings(text).unwrap_err().to_string();
    assert_eq!(
        problem("x(deep=true)"),
        "x: needs an evaluator, as in x(dellacherie)"
    );
    assert_eq!(
        problem("x(evaluator=bcts)"),
        "x: there is no setting 'evaluator'; the settings are deep"
    );
    assert_eq!(
        problem("x(bcts,deep=yes)"),
        "x: deep must be true or false, got 'yes'"
    );
}

#[test]
fn a_share_is_rounded_and_stays_within_the_whole() {
    let share = |text: &str, whole, least| {
        let settings = settings(&format!("x(inertia={text})")).unwrap();
        settings.share_of("inertia", whole, least)
    };
    assert_eq!(share("0.3", 1000, 1), 300);
    assert_eq!(share("0", 10, 2), 2);
    assert_eq!(share("1", 10, 2), 10);
    assert_eq!(share("0", 1, 2), 1);
}

#[test]
fn decimals_are_read_exactly() {
    let units = |text: &str| decimal(text, 1_000_000_000, 9);
    assert_eq!(units("3"), Some(3_000_000_000));
    assert_eq!(units("0.1"), Some(100_000_000));
    assert_eq!(units("2.000000001"), Some(2_000_000_001));
    assert_eq!(units("1000000000"), Some(1_000_000_000_000_000_000));
    for wrong in [
        "",
        "-1",
        "+1",
        "1e3",
        ".5",
        "1.",
        "nan",
        "inf",
        "1.0000000001",
        "1000000000.5",
        "99999999999999999999",
    ] {
        assert_eq!(units(wrong), None, "{wrong}");
    }
}

#[test]
fn former_names_of_settings_are_accepted() {
    const CURRENT: &[Setting] = &[Setting {
        id: "interval",
        help: "",
        default: Some("5"),
        kind: Kind::count(1, 100),
    }];
    let value = |text: &str| Settings::new(CURRENT, &[], &text.parse().unwrap());
    let settings = value("learner(period=7)").unwrap();
    assert_eq!(settings.count("interval"), 7);
    assert_eq!(settings.spec("learner").to_string(), "learner(interval=7)");
    let twice = value("learner(period=7,interval=8)").unwrap_err();
    assert!(twice.to_string().contains("given twice"));
    // A part that has no setting of the current name does not know the former one either.
    let unknown = Settings::new(NEEDY, &[], &"needy(bcts,period=7)".parse().unwrap());
    assert!(unknown.unwrap_err().to_string().contains("'period'"));
}
