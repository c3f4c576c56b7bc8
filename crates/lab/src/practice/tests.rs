//! What holds for every learner that plays, and what the shipped ones learn.

use super::replay::Memorised;
use super::*;
use crate::library::find_ruleset;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tetrolab_core::choice::StopFlag;
use tetrolab_core::features::feature_set;
use tetrolab_core::lookup::BoardSize;
use tetrolab_core::settings::Kind;

/// A small game in which little is to be learned, quickly.
fn ruleset() -> Ruleset {
    find_ruleset("simplified-6x8").unwrap()
}

/// What the usual evaluator of a learner sees of it, without what is large.
fn eyes(practice: &Practice) -> Eyes {
    match practice.make.evaluators[0].0 {
        "tables" => Eyes::Tables(tables()),
        _ => Eyes::Features(features()),
    }
}

fn features() -> FeatureSet {
    FeatureSet::new(feature_set("dellacherie").unwrap().resolve(), 6)
}

fn tables() -> TableSet {
    let size = BoardSize {
        width: 6,
        height: 8,
    };
    TableSet::find("outline", size).unwrap()
}

fn apprentice_with(spec: &str, seed: u64, eyes: Eyes) -> Box<dyn Apprentice> {
    let chosen = find_practice(spec).unwrap().unwrap();
    let lesson = Lesson {
        ruleset: &ruleset(),
        eyes,
        seed,
    };
    chosen.apprentice(&lesson).unwrap()
}

fn apprentice(spec: &str, seed: u64) -> Box<dyn Apprentice> {
    let chosen = find_practice(spec).unwrap().unwrap();
    apprentice_with(spec, seed, eyes(chosen.practice))
}

/// Settings with which a period takes some milliseconds, and learning begins in the first one.
const SMALL: &[(&str, &str)] = &[
    ("units", "4"),
    ("layers", "1"),
    ("queue", "300"),
    ("begin", "0.3"),
    ("period", "400"),
    ("batch", "16"),
    ("epochs", "2"),
    ("actors", "3"),
    ("ahead", "5"),
    ("guided", "100"),
    ("temperature", "0.5"),
    ("ancestors", "0.5"),
    ("refresh", "1000"),
    ("trajectories", "10"),
    ("lowest", "6"),
    ("groups", "2"),
];

/// The same for one learner, some of them replaced.
fn small_with(practice: &Practice, other: &[(&str, &str)]) -> String {
    let known = |row: &&(&str, &str)| {
        let is_known = practice.settings.iter().any(|setting| setting.id == row.0);
        is_known && !other.iter().any(|replaced| replaced.0 == row.0)
    };
    let rows = SMALL.iter().filter(known).chain(other);
    let rows: Vec<String> = rows.map(|row| format!("{}={}", row.0, row.1)).collect();
    format!("{}({})", practice.id, rows.join(","))
}

fn small(practice: &Practice) -> String {
    small_with(practice, &[])
}

fn numbers(apprentice: &dyn Apprentice) -> Vec<f32> {
    apprentice.model().numbers().to_vec()
}

fn practise(apprentice: &mut dyn Apprentice, threads: usize, periods: std::ops::Range<u64>) {
    let arena = Arena::new(threads).unwrap();
    for period in periods {
        let practised = apprentice.practise(&arena, period).unwrap().unwrap();
        assert!(practised.pieces >= 400 && practised.games >= 1);
    }
}

#[test]
fn every_one_learns_the_same_on_any_number_of_threads_and_from_any_checkpoint() {
    for practice in PRACTICES {
        let spec = small(practice);
        let mut whole = apprentice(&spec, 5);
        let drawn = numbers(&*whole);
        practise(&mut *whole, 1, 0..4);
        assert_ne!(numbers(&*whole), drawn, "{spec}: something is learned");
        let mut parts = apprentice(&spec, 5);
        practise(&mut *parts, 2, 0..2);
        let checkpoint = Tensors::parse(&parts.checkpoint().bytes()).unwrap();
        let mut parts = apprentice(&spec, 5);
        parts.restore(&checkpoint).unwrap();
        practise(&mut *parts, 3, 2..4);
        assert_eq!(numbers(&*parts), numbers(&*whole), "{spec}");
        assert_eq!(parts.checkpoint().bytes(), whole.checkpoint().bytes());
        let mut other = apprentice(&spec, 6);
        practise(&mut *other, 1, 0..4);
        assert_ne!(
            numbers(&*other),
            numbers(&*whole),
            "{spec}: the seed matters"
        );
    }
}

#[test]
fn a_checkpoint_of_something_else_is_refused() {
    for practice in PRACTICES {
        let spec = small(practice);
        let size = BoardSize {
            width: 6,
            height: 8,
        };
        let other = match eyes(practice) {
            Eyes::Tables(_) => Eyes::Tables(TableSet::find("heights", size).unwrap()),
            other => other,
        };
        let checkpoint = apprentice_with(&spec.replace("units=4", "units=5"), 5, other);
        let checkpoint = checkpoint.checkpoint();
        let error = apprentice(&spec, 5).restore(&checkpoint).unwrap_err();
        assert_eq!(error, "is not a checkpoint of this run");
        assert!(apprentice(&spec, 5).restore(&Tensors::default()).is_err());
    }
}

#[test]
fn a_checkpoint_with_counts_that_no_run_comes_to_is_refused() {
    for practice in PRACTICES {
        let spec = small(practice);
        let checkpoint = apprentice(&spec, 5).checkpoint();
        for place in 0..checkpoint.words.len() {
            let mut absurd = checkpoint.clone();
            let word = &mut absurd.words[place];
            // What is no count, such as the identity of a guide, is refused by another rule.
            word.1 = u64::MAX.to_string();
            let refused = apprentice(&spec, 5).restore(&absurd);
            assert!(
                refused.is_err(),
                "{}: {}",
                practice.id,
                absurd.words[place].0
            );
        }
    }
}

#[test]
fn every_word_of_every_setting_matters_and_its_limits_cannot_be_passed() {
    for practice in PRACTICES {
        for setting in practice.settings {
            let with = |value: &str| small_with(practice, &[(setting.id, value)]);
            // What is kept is the driver's concern, three lines at once are rare, and tables have no units.
            let of_networks = ["activation", "weights", "inputs", "rule"];
            let has_network = !matches!(eyes(practice), Eyes::Tables(_));
            if !["keep", "reward"].contains(&setting.id)
                && (has_network || !of_networks.contains(&setting.id))
            {
                let learned = |word: &&str| {
                    let mut apprentice = apprentice(&with(word), 5);
                    let arena = Arena::new(1).unwrap();
                    apprentice.practise(&arena, 0).unwrap();
                    numbers(&*apprentice)
                };
                let all: Vec<_> = setting.kind.words().iter().map(learned).collect();
                for (index, one) in all.iter().enumerate() {
                    assert!(!all[..index].contains(one), "{}", setting.id);
                }
            }
            if matches!(setting.kind, Kind::Part { .. }) {
                continue;
            }
            let beyond = match setting.kind {
                Kind::Count { most, .. } => (most + 1).to_string(),
                Kind::Number { most, .. } => (2.0 * most.abs() + 1.0).to_string(),
                _ => "nonsense".to_owned(),
            };
            let error = find_practice(&with(&beyond)).unwrap_err().to_string();
            assert!(
                error.starts_with(practice.id) && error.contains(setting.id),
                "{error}"
            );
        }
    }
}

#[test]
fn a_network_that_runs_away_says_so() {
    let spec = small_with(&PRACTICES[0], &[("rule", "sgd"), ("rate", "10")]);
    let mut wild = apprentice(&spec, 1);
    let arena = Arena::new(1).unwrap();
    let error = (0..20)
        .find_map(|period| wild.practise(&arena, period).err())
        .unwrap();
    let said = error.to_string();
    assert!(
        said.starts_with("what was learned ran away after "),
        "{said}"
    );
    assert!(error.error.is_nan() || error.error > 1e12);
}

#[test]
fn one_that_is_stopped_says_so() {
    let arena = Arena::new(1)
        .unwrap()
        .stop_flag(Arc::new(AtomicBool::new(true)));
    let mut apprentice = apprentice(&small(&PRACTICES[0]), 1);
    assert_eq!(apprentice.practise(&arena, 0), Ok(None));
}

#[test]
fn one_that_is_stopped_within_a_step_of_a_large_network_ends_soon() {
    let stop = Arc::new(AtomicBool::new(false));
    let arena = Arena::new(1).unwrap().stop_flag(Arc::clone(&stop));
    let large = [("units", "2000"), ("layers", "2"), ("period", "100000")];
    let mut apprentice = apprentice(&small_with(&PRACTICES[2], &large), 1);
    let waited = std::thread::scope(|scope| {
        let raised = scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(300));
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            std::time::Instant::now()
        });
        assert_eq!(apprentice.practise(&arena, 0), Ok(None));
        raised.join().unwrap().elapsed()
    });
    assert!(waited.as_secs_f64() < 2.0, "{waited:?}");
}

#[test]
fn survival_is_learned_on_a_small_board() {
    let q_network = small_with(
        &PRACTICES[0],
        &[
            ("units", "16"),
            ("inputs", "scaled"),
            ("queue", "5000"),
            ("begin", "0.1"),
            ("period", "30000"),
            ("every", "2"),
            ("reward", "survival"),
            ("cooling", "10000"),
        ],
    );
    let td = "period=60000,guided=0,temperature=0.2,cooling=60000,average=10000,gamma=0.95";
    let returns = "value=return,first=0,guided=0,period=30000,cooling=30000,average=5000,gamma=0.9";
    let learners = [
        (q_network, Eyes::Features(features())),
        (
            format!("td-lambda({td},units=16,rate=0.001)"),
            Eyes::Features(features()),
        ),
        (format!("td-lambda({td},units=16,rate=0.001)"), Eyes::Board),
        (
            format!("td-lambda({returns},units=16,rate=0.001)"),
            Eyes::Features(features()),
        ),
        (format!("td-tables({td})"), Eyes::Tables(tables())),
        (
            format!("td-tables({returns},lambda=0.5)"),
            Eyes::Tables(tables()),
        ),
    ];
    for (spec, eyes) in learners {
        let form = match &eyes {
            Eyes::Features(_) => "network",
            Eyes::Board => "board-network",
            Eyes::Tables(_) => "tables",
        };
        let mut learner = apprentice_with(&spec, 3, eyes);
        let before = mean_lines(&*learner, form);
        let arena = Arena::new(2).unwrap();
        learner.practise(&arena, 0).unwrap();
        let after = mean_lines(&*learner, form);
        assert!(
            before < 5 && after > 10,
            "{spec}: {before} lines, then {after}"
        );
    }
}

/// Lines per game that the model of an apprentice clears.
fn mean_lines(apprentice: &dyn Apprentice, form: &str) -> u64 {
    let forms = tetrolab_core::evaluators::EVALUATORS;
    let form = forms.iter().find(|entry| entry.id == form).unwrap();
    let set = match form.make.has_features() {
        true => features(),
        false => FeatureSet::new(Vec::new(), 6),
    };
    let evaluator = form.make.model_evaluator(set, apprentice.model()).unwrap();
    let player = tetrolab_core::players::Greedy::new(evaluator, Default::default());
    let arena = Arena::new(2).unwrap();
    let played = arena.play(&player, &ruleset(), 0..200, 9).unwrap();
    played.games.iter().map(|game| game.lines).sum::<u64>() / 200
}

#[test]
fn a_guide_that_is_not_known_is_named() {
    let chosen = find_practice("td-lambda(guide=bctt)").unwrap().unwrap();
    let lesson = Lesson {
        ruleset: &ruleset(),
        eyes: Eyes::Features(features()),
        seed: 1,
    };
    let error = chosen.apprentice(&lesson).err().unwrap().to_string();
    assert!(error.contains("did you mean 'bcts'?"), "{error}");
}

#[test]
fn a_network_that_would_be_too_large_is_refused() {
    for practice in PRACTICES.iter().filter(|practice| {
        let usual = practice.make.evaluators[0].0;
        usual == "network"
    }) {
        let spec = small_with(practice, &[("units", "4096"), ("layers", "2")]);
        let chosen = find_practice(&spec).unwrap().unwrap();
        let lesson = Lesson {
            ruleset: &ruleset(),
            eyes: Eyes::Features(features()),
            seed: 1,
        };
        let error = chosen.apprentice(&lesson).err().unwrap().to_string();
        assert!(error.contains("a network has at most"), "{error}");
    }
}

#[test]
fn boards_that_show_no_entry_teach_nothing_and_harm_nothing() {
    let size = BoardSize {
        width: 6,
        height: 8,
    };
    let covers = TableSet::find("covers", size).unwrap();
    let spec = "td-tables(lambda=0.9,guided=0,period=3000)";
    let mut learner = apprentice_with(spec, 3, Eyes::Tables(covers));
    practise(&mut *learner, 1, 0..1);
    let numbers = numbers(&*learner);
    assert!(numbers.iter().any(|number| *number != 0.0));
    assert!(numbers.iter().all(|number| number.abs() < 100.0));
}

#[test]
fn a_checkpoint_with_a_number_that_is_none_is_refused() {
    for id in ["td-lambda", "td-tables"] {
        let practice = PRACTICES.iter().find(|row| row.id == id).unwrap();
        let spec = small(practice);
        let mut tensors = apprentice(&spec, 5).checkpoint();
        tensors.arrays.last_mut().unwrap().numbers[0] = f32::NAN;
        assert!(apprentice(&spec, 5).restore(&tensors).is_err(), "{id}");
    }
}

/// What a table function is worth, and what a trace leaves: worked by hand.
#[test]
fn errors_move_the_entries_of_the_boards_of_a_trace() {
    use super::value_function::{Blank, TraceStep, ValueFunction};
    use super::value_tables::ValueTables;
    use tetrolab_core::game::Game;
    use tetrolab_core::network::{Initialisation, UpdateRule};
    use tetrolab_core::outcomes::{Outcomes, Question};
    let blank = Blank {
        hidden: Vec::new(),
        weights: Initialisation::He,
        rule: UpdateRule::Sgd { rate: 1.0 },
        scaled: false,
        first: -2.0,
        visits: 1e9,
    };
    let size = BoardSize {
        width: 6,
        height: 8,
    };
    let mut function = ValueTables::new(TableSet::find("cross", size).unwrap(), &blank);
    let mut outcomes = Outcomes::default();
    let mut game = Game::new(&ruleset(), 1);
    let mut place = |function: &mut ValueTables| {
        outcomes.generate(&Question::from(&game.view()));
        function.look(&mut outcomes);
        function.hold(0);
        game.apply(outcomes.placement(0));
    };
    assert_eq!(function.held(), None);
    place(&mut function);
    assert_eq!(function.held(), Some(-2.0));
    let step = TraceStep {
        rate: 0.5,
        decay: 0.25,
    };
    function.learn(2.0, step);
    let near = |value: Option<f32>, expected: f32| (value.unwrap() - expected).abs() < 1e-5;
    assert!(near(function.held(), -1.0));
    // The next board shows another entry; the first moves by a quarter of it.
    place(&mut function);
    assert!(near(function.held(), -2.0));
    function.learn(2.0, step);
    let Model::Tables(tables) = function.model(-1.0) else {
        unreachable!()
    };
    let mut moved: Vec<f32> = tables
        .weights()
        .iter()
        .copied()
        .filter(|w| *w != 0.0)
        .collect();
    moved.sort_by(f32::total_cmp);
    assert_eq!(moved.len(), 2);
    assert!(
        (moved[0] + 1.25).abs() < 1e-5 && (moved[1] + 1.0).abs() < 1e-5,
        "{moved:?}"
    );
    function.let_go();
    assert_eq!(function.held(), None);
}

#[test]
fn what_several_steps_earned_is_added_up_and_discounted() {
    use super::actor::{Actor, Manners, Reward};
    use crate::survey::InputScale;
    let (ruleset, features) = (ruleset(), features());
    let manners = |steps| Manners {
        scale: InputScale::plain(features.len()),
        ruleset: ruleset.clone(),
        features: features.clone(),
        reward: Reward::Survival,
        gamma: 0.5,
        steps,
    };
    let network =
        tetrolab_core::network::Network::new(6, &[(1, tetrolab_core::network::Activation::Linear)])
            .unwrap();
    let seen = |steps: usize| {
        let manners = manners(steps);
        let mut actor = Actor::new(&manners, 4, &StopFlag::default());
        actor.play(&network, 200, 1.0, &Arena::new(1).unwrap());
        actor.rest();
        (actor.games(), actor.take_seen())
    };
    let (games, one) = seen(1);
    let ends = |seen: &[Memorised]| seen.iter().filter(|seen| seen.discount == 0.0).count() as u64;
    // Every game but the last has ended; every placement but the first of a game is the end of a move.
    assert!(games > 5 && ends(&one) == games - 1);
    assert_eq!(one.len() as u64, 200 - games);
    assert!(
        one.iter()
            .all(|seen| (seen.reward, seen.discount) == (1.0, 0.5)
                || (seen.reward, seen.discount) == (0.0, 0.0))
    );
    // Three moves earn 1 + 1/2 + 1/4; a game that ends earlier earns less, and its last move nothing.
    let (_, three) = seen(3);
    assert_eq!(three.len(), one.len());
    assert_eq!(ends(&three), ends(&one) * 3);
    assert!(
        three
            .iter()
            .any(|seen| (seen.reward, seen.discount) == (1.75, 0.125))
    );
    let early: Vec<f32> = three
        .iter()
        .filter(|seen| seen.discount == 0.0)
        .map(|seen| seen.reward)
        .collect();
    assert!(early[..3] == [1.5, 1.0, 0.0], "{early:?}");
}
