//! Properties of every reinforcement learner, and the results of the shipped ones.

use super::replay::Memorised;
use super::*;
use crate::context::Event;
use crate::learners::{Solution, find_learner, names};
use crate::learning::{Budget, Learning, Task};
use crate::library::find_ruleset;
use tetrolab_core::features::{FeatureSet, feature_set};
use tetrolab_core::lookup::{BoardSize, TableSet};
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::settings::{Kind, Setting};
use tetrolab_core::stop::StopFlag;

/// A small game in which there is little to learn, quickly.
fn ruleset() -> Ruleset {
    find_ruleset("simplified-6x8").unwrap()
}

/// The methods that train a model, and their presets, by name.
fn agents() -> impl Iterator<Item = &'static str> {
    names().filter(|name| {
        let chosen = find_learner(name).unwrap();
        chosen.learner.make.trains_model()
    })
}

/// The default evaluator form of a learner.
fn form(name: &str) -> &'static str {
    let protocol = find_learner(name).unwrap().protocol(None);
    protocol.evaluator.unwrap()
}

/// The default observations of a learner, excluding large ones.
fn observation(name: &str) -> BoardObservation {
    observation_of(form(name))
}

fn observation_of(form: &str) -> BoardObservation {
    match form {
        "tables" => BoardObservation::Tables(tables()),
        "board-network" => BoardObservation::Board,
        _ => BoardObservation::Features(features()),
    }
}

fn features() -> FeatureSet {
    FeatureSet::new(feature_set("dellacherie").unwrap().resolve(), 6)
}

fn tables() -> TableSet {
    table_set("outline")
}

fn table_set(tables: &str) -> TableSet {
    let size = BoardSize {
        width: 6,
        height: 8,
    };
    TableSet::find(tables, size).unwrap()
}

type MadeRun = Result<Box<dyn LearningRun>, crate::learners::LearnerError>;

fn try_run(spec: &str, seed: u64, observation: BoardObservation) -> MadeRun {
    find_learner(spec).unwrap().run(&TrainingSetup {
        ruleset: &ruleset(),
        observation,
        dimension: 0,
        seed,
        optimizer_seed: 0,
    })
}

fn run_with(spec: &str, seed: u64, observation: BoardObservation) -> Box<dyn LearningRun> {
    try_run(spec, seed, observation).unwrap()
}

fn run(spec: &str, seed: u64) -> Box<dyn LearningRun> {
    let name = spec.split('(').next().unwrap();
    run_with(spec, seed, observation(name))
}

/// A task whose evaluations take almost no time.
fn task(form: &str) -> Task {
    Task::new(Learning {
        learner: match form {
            "tables" => "td-tables".to_owned(),
            _ => "td-lambda(units=4,layers=1)".to_owned(),
        },
        evaluator: form.to_owned(),
        ruleset: "simplified-6x8".to_owned(),
        features: match form {
            "tables" => "outline".to_owned(),
            _ => "dellacherie".to_owned(),
        },
        games: 1,
        max_pieces: Some(1),
        budget: Budget::generations(1),
        ..Learning::default()
    })
    .unwrap()
}

/// One generation, whose evaluation is discarded.
fn generation(
    run: &mut dyn LearningRun,
    task: &Task,
    context: &Context,
    number: u64,
) -> Result<Option<GenerationOutcome>, LearningError> {
    let context = context.clone().observer(|_| {});
    context.pulse(Event::Training {
        generation: number,
        done: 0,
        total: 0,
    });
    let made = run.generation(&GenerationContext::alone(task, &context, number));
    if let (Ok(Some(_)), Some(Event::Training { done, total, .. })) = (&made, context.pulse_now()) {
        assert!(
            done == total && total > 0,
            "all that was trained is reported"
        );
    }
    made
}

/// Settings with which an interval takes a few milliseconds, and learning starts in the first one.
const SMALL: &[(&str, &str)] = &[
    ("units", "4"),
    ("layers", "1"),
    ("queue", "300"),
    ("begin", "0.3"),
    ("interval", "400"),
    ("batch", "16"),
    ("epochs", "2"),
    ("actors", "3"),
    ("ahead", "5"),
    ("warmup", "100"),
    ("temperature", "0.5"),
    ("ancestors", "0.5"),
    ("refresh", "1000"),
    ("trajectories", "10"),
    ("lowest", "6"),
    ("groups", "2"),
];

/// The settings in [`SMALL`] that one learner has, with some of them replaced.
fn small_with(name: &str, other: &[(&str, &str)]) -> String {
    let known = |row: &&(&str, &str)| {
        let is_known = settings(name).iter().any(|setting| setting.id == row.0);
        is_known && !other.iter().any(|replaced| replaced.0 == row.0)
    };
    let rows = SMALL.iter().filter(known).chain(other);
    let rows: Vec<String> = rows.map(|row| format!("{}={}", row.0, row.1)).collect();
    format!("{name}({})", rows.join(","))
}

fn settings(name: &str) -> &'static [Setting] {
    find_learner(name).unwrap().learner.settings
}

fn small(name: &str) -> String {
    small_with(name, &[])
}

fn model(run: &dyn LearningRun) -> Model {
    match run.solution() {
        Solution::Model(model) => model,
        Solution::Numbers(_) => panic!("an agent learns a model"),
    }
}

fn numbers(run: &dyn LearningRun) -> Vec<f32> {
    model(run).numbers().to_vec()
}

fn train(run: &mut dyn LearningRun, form: &str, threads: usize, intervals: std::ops::Range<u64>) {
    let (task, context) = (task(form), Context::on_threads(threads));
    for interval in intervals {
        let made = generation(run, &task, &context, interval).unwrap().unwrap();
        assert!(made.judgement.pieces >= 400 && made.judgement.games >= 1);
    }
}

#[test]
fn every_one_learns_the_same_on_any_number_of_threads_and_from_any_checkpoint() {
    for name in agents() {
        let spec = small(name);
        let mut whole = run(&spec, 5);
        let drawn = numbers(&*whole);
        train(&mut *whole, form(name), 1, 0..4);
        assert_ne!(numbers(&*whole), drawn, "{spec}: something is learned");
        let mut parts = run(&spec, 5);
        train(&mut *parts, form(name), 2, 0..2);
        let checkpoint = parts.checkpoint().unwrap();
        let checkpoint = Tensors::parse(&checkpoint.bytes()).unwrap();
        let mut parts = run(&spec, 5);
        parts.restore(&checkpoint).unwrap();
        train(&mut *parts, form(name), 3, 2..4);
        assert_eq!(numbers(&*parts), numbers(&*whole), "{spec}");
        let bytes = |run: &dyn LearningRun| run.checkpoint().unwrap().bytes();
        assert_eq!(bytes(&*parts), bytes(&*whole));
        let mut other = run(&spec, 6);
        train(&mut *other, form(name), 1, 0..4);
        assert_ne!(
            numbers(&*other),
            numbers(&*whole),
            "{spec}: the seed matters"
        );
    }
}

#[test]
fn a_checkpoint_of_something_else_is_refused() {
    for name in agents() {
        let spec = small(name);
        let other = match observation(name) {
            BoardObservation::Tables(_) => BoardObservation::Tables(table_set("heights")),
            other => other,
        };
        let other = run_with(&spec.replace("units=4", "units=5"), 5, other);
        let checkpoint = other.checkpoint().unwrap();
        let error = run(&spec, 5).restore(&checkpoint).unwrap_err();
        assert_eq!(error, "not a checkpoint of this run");
        assert!(run(&spec, 5).restore(&Tensors::default()).is_err());
    }
}

#[test]
fn a_checkpoint_with_impossible_counts_is_refused() {
    for name in agents() {
        let spec = small(name);
        let checkpoint = run(&spec, 5).checkpoint().unwrap();
        for place in 0..checkpoint.words.len() {
            let mut absurd = checkpoint.clone();
            let word = &mut absurd.words[place];
            // Values that are not counts, such as the identity of a behaviour policy, are rejected
            // by another rule.
            word.1 = u64::MAX.to_string();
            let refused = run(&spec, 5).restore(&absurd);
            assert!(refused.is_err(), "{name}: {}", absurd.words[place].0);
        }
    }
}

#[test]
fn every_word_of_every_setting_matters_and_its_limits_cannot_be_passed() {
    for name in agents() {
        let task = task(form(name));
        for setting in settings(name) {
            let with = |value: &str| small_with(name, &[(setting.id, value)]);
            // Keeping the best is the driver's task, triple lines are rare, and tables have no
            // units.
            let of_networks = ["activation", "weights", "inputs", "rule"];
            let has_network = form(name) != "tables";
            if !["keep", "reward"].contains(&setting.id)
                && (has_network || !of_networks.contains(&setting.id))
            {
                let learned = |word: &&str| {
                    let mut run = run(&with(word), 5);
                    generation(&mut *run, &task, &Context::on_threads(1), 0).unwrap();
                    numbers(&*run)
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
            let error = find_learner(&with(&beyond)).unwrap_err().to_string();
            assert!(
                error.starts_with(name) && error.contains(setting.id),
                "{error}"
            );
        }
    }
}

#[test]
fn a_network_that_diverges_is_reported() {
    let spec = small_with("q-network", &[("rule", "sgd"), ("rate", "10")]);
    let mut wild = run(&spec, 1);
    let (task, context) = (task("network"), Context::on_threads(1));
    let error = (0..20)
        .find_map(|interval| generation(&mut *wild, &task, &context, interval).err())
        .unwrap();
    let said = error.to_string();
    assert!(said.starts_with("the model diverged after "), "{said}");
    let LearningError::Diverged { diverged, .. } = error else {
        panic!("{said}");
    };
    assert!(diverged.error.is_nan() || diverged.error > 1e12);
}

#[test]
fn a_stopped_run_makes_no_generation() {
    let context = Context::on_threads(1).cancelled();
    let task = task("network");
    let mut run = run(&small("q-network"), 1);
    assert!(matches!(
        generation(&mut *run, &task, &context, 0),
        Ok(None)
    ));
}

#[test]
fn a_run_stopped_within_a_step_of_a_large_network_ends_soon() {
    let context = Context::on_threads(1);
    let large = [("units", "2000"), ("layers", "2"), ("interval", "100000")];
    let task = task("network");
    let mut run = run(&small_with("td-lambda", &large), 1);
    let waited = std::thread::scope(|scope| {
        let raised = scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(300));
            context.token().cancel();
            std::time::Instant::now()
        });
        assert!(matches!(
            generation(&mut *run, &task, &context, 0),
            Ok(None)
        ));
        raised.join().unwrap().elapsed()
    });
    assert!(waited.as_secs_f64() < 2.0, "{waited:?}");
}

#[test]
fn survival_is_learned_on_a_small_board() {
    let q_network = small_with(
        "q-network",
        &[
            ("units", "16"),
            ("inputs", "scaled"),
            ("queue", "5000"),
            ("begin", "0.1"),
            ("interval", "30000"),
            ("every", "2"),
            ("reward", "survival"),
            ("cooling", "10000"),
        ],
    );
    let td = "interval=60000,warmup=0,temperature=0.2,cooling=60000,average=10000,gamma=0.95";
    let returns =
        "value=return,first=0,warmup=0,interval=30000,cooling=30000,average=5000,gamma=0.9";
    let td_network = format!("td-lambda({td},units=16,rate=0.001)");
    let learners = [
        (q_network, "network"),
        (td_network.clone(), "network"),
        (td_network, "board-network"),
        (
            format!("td-lambda({returns},units=16,rate=0.001)"),
            "network",
        ),
        (format!("td-tables({td})"), "tables"),
        (format!("td-tables({returns},lambda=0.5)"), "tables"),
    ];
    for (spec, form) in learners {
        let mut learner = run_with(&spec, 3, observation_of(form));
        let before = mean_lines(&*learner, form);
        generation(&mut *learner, &task(form), &Context::on_threads(2), 0).unwrap();
        let after = mean_lines(&*learner, form);
        assert!(
            before < 5 && after > 10,
            "{spec}: {before} lines, then {after}"
        );
    }
}

/// Lines per game cleared by an agent's model.
fn mean_lines(run: &dyn LearningRun, form: &str) -> u64 {
    let forms = tetrolab_core::evaluators::EVALUATORS;
    let form = forms.iter().find(|entry| entry.id == form).unwrap();
    let set = if form.make.has_features() {
        features()
    } else {
        FeatureSet::new(Vec::new(), 6)
    };
    let evaluator = form.make.model_evaluator(set, model(run)).unwrap();
    let player = tetrolab_core::players::Greedy::new(evaluator, Default::default());
    let played = Context::on_threads(2)
        .play(&player, &ruleset(), 0..200, 9)
        .unwrap();
    played.games.iter().map(|game| game.lines).sum::<u64>() / 200
}

/// Why a run on features cannot be created.
fn refused(spec: &str) -> String {
    let observation = BoardObservation::Features(features());
    let error = try_run(spec, 1, observation).err().unwrap();
    error.to_string()
}

#[test]
fn a_behaviour_policy_that_is_not_known_is_named() {
    let error = refused("td-lambda(behaviour=bctt)");
    assert!(error.contains("did you mean 'bcts'?"), "{error}");
}

#[test]
fn a_network_that_would_be_too_large_is_refused() {
    for name in agents().filter(|name| form(name) == "network") {
        let error = refused(&small_with(name, &[("units", "4096"), ("layers", "2")]));
        assert!(error.contains("a network can have at most"), "{error}");
    }
}

#[test]
fn boards_that_show_no_entry_teach_nothing_and_harm_nothing() {
    let covers = BoardObservation::Tables(table_set("covers"));
    let spec = "td-tables(lambda=0.9,warmup=0,interval=3000)";
    let mut learner = run_with(spec, 3, covers);
    train(&mut *learner, "tables", 1, 0..1);
    let numbers = numbers(&*learner);
    assert!(numbers.iter().any(|number| *number != 0.0));
    assert!(numbers.iter().all(|number| number.abs() < 100.0));
}

#[test]
fn a_checkpoint_with_a_nan_is_refused() {
    for name in ["td-lambda", "td-tables"] {
        let spec = small(name);
        let mut tensors = run(&spec, 5).checkpoint().unwrap();
        tensors.arrays.last_mut().unwrap().numbers[0] = f32::NAN;
        assert!(run(&spec, 5).restore(&tensors).is_err(), "{name}");
    }
}

/// The value of a table function, and the trace after a step: computed by hand.
#[test]
fn errors_move_the_entries_of_the_boards_of_a_trace() {
    use super::td_settings::TdSettings;
    use super::value_function::{TraceStep, ValueFunction};
    use super::value_tables::ValueTables;
    use tetrolab_core::game::Game;
    use tetrolab_core::outcomes::{DecisionContext, Outcomes};
    let chosen = find_learner("td-tables(first=-2,visits=1000000000)").unwrap();
    let settings = TdSettings::read(&chosen.settings);
    let mut function = ValueTables::new(table_set("cross"), &settings);
    let mut outcomes = Outcomes::default();
    let mut game = Game::new(&ruleset(), 1);
    let mut place = |function: &mut ValueTables| {
        outcomes.generate(&DecisionContext::from(&game.view()));
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
    // The next board has another entry; the first one moves by a quarter of it.
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
fn rewards_of_several_steps_are_summed_and_discounted() {
    use super::actor::{Actor, Manners, Reward};
    use crate::feature_scale::InputScale;
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
        actor.play(&network, 200, 1.0, &Context::on_threads(1));
        actor.rest();
        (actor.games(), actor.take_seen())
    };
    let (games, one) = seen(1);
    let ends = |seen: &[Memorised]| seen.iter().filter(|seen| seen.discount == 0.0).count() as u64;
    // Every game but the last has ended; every placement except the first of a game completes a
    // move.
    assert!(games > 5 && ends(&one) == games - 1);
    assert_eq!(one.len() as u64, 200 - games);
    assert!(
        one.iter()
            .all(|seen| (seen.reward, seen.discount) == (1.0, 0.5)
                || (seen.reward, seen.discount) == (0.0, 0.0))
    );
    // Three moves earn 1 + 1/2 + 1/4; a game that ends earlier earns less, and its last move
    // nothing.
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
