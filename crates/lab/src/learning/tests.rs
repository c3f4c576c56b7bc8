use super::damage_tests::training_plan;
use super::description::tests::tiny;
use super::*;
use crate::arena::lock;
use crate::context::{Clock, Context, Event, MockClock};
use crate::learners::{LEARNERS, Solution};
use crate::library::PlayerFile;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tempfile::{TempDir, tempdir};

/// A run in its own folder.
struct Lab {
    folder: TempDir,
    store: Store,
}

impl Lab {
    fn new() -> Lab {
        let folder = tempdir().unwrap();
        let store = Store::open(&folder.path().join("lab.sqlite")).unwrap();
        Lab { folder, store }
    }

    /// Learns until the end, or until this many generations have been seen.
    fn learn(
        &mut self,
        learning: &Learning,
        threads: usize,
        most: usize,
    ) -> Result<Driven, LearningError> {
        let task = Task::new(learning.clone())?;
        self.store.begin("run", learning, "a test")?;
        let context = until_generation(threads, most);
        let folder = RunFolder::at(&self.folder.path().join("run"))?;
        std::fs::create_dir_all(folder.path()).unwrap();
        drive(&task, &context, &mut kept(&mut self.store, &folder))
    }
}

/// A run in a store and its folder.
pub(super) fn kept<'a>(store: &'a mut Store, folder: &'a RunFolder) -> KeptInLab<'a> {
    KeptInLab { store, folder }
}

/// A study that is cancelled after this many generations.
pub(crate) fn until_generation(threads: usize, most: usize) -> Context {
    let context = Context::on_threads(threads);
    let (token, seen) = (context.token().clone(), AtomicUsize::new(0));
    context.observer(move |event| {
        if let Event::Generation(_) = event.event
            && seen.fetch_add(1, Ordering::Relaxed) + 1 >= most
        {
            token.cancel();
        }
    })
}

/// The result of a run without interruptions.
fn learned(learning: &Learning) -> Driven {
    let driven = Lab::new().learn(learning, 1, usize::MAX).unwrap();
    assert!(!driven.interrupted);
    driven
}

/// The part of a result that depends neither on the clock nor on what was read from the store.
fn timeless(driven: &Driven) -> impl PartialEq + std::fmt::Debug + use<> {
    let numbers = |solution: &Solution| match solution {
        Solution::Numbers(numbers) => numbers.clone(),
        Solution::Model(model) => model.numbers().iter().map(|one| f64::from(*one)).collect(),
    };
    let solutions: Vec<Vec<f64>> = driven.solutions.iter().map(numbers).collect();
    let counts = (driven.games, driven.pieces, driven.interrupted);
    (solutions, driven.stops.clone(), counts)
}

#[test]
fn the_same_description_learns_the_same_on_any_number_of_threads() {
    let expected = timeless(&learned(&tiny()));
    for threads in [2, 3] {
        let driven = Lab::new().learn(&tiny(), threads, usize::MAX).unwrap();
        assert_eq!(timeless(&driven), expected);
    }
}

#[test]
fn every_learner_that_is_interrupted_anywhere_learns_the_same() {
    for learner in LEARNERS {
        let plan = if learner.make.trains_model() {
            training_plan(learner.id)
        } else {
            Learning {
                learner: learner.id.to_owned(),
                ..tiny()
            }
        };
        let expected = timeless(&learned(&plan));
        let mut lab = Lab::new();
        // One more generation each time: earlier ones are not played again.
        let mut runs = (1..20).map(|most| lab.learn(&plan, 1, most).unwrap());
        let ended = runs.find(|driven| !driven.interrupted).unwrap();
        assert_eq!(timeless(&ended), expected, "{}", plan.learner);
    }
}

#[test]
fn every_second_of_a_run_has_an_event() {
    let survival = Learning {
        learner: "cma-es(population=4)".to_owned(),
        objective: "survival(trajectories=100,repetitions=2,rounds=2)".to_owned(),
        ..tiny()
    };
    for plan in [survival, training_plan("danger"), tiny()] {
        let mut lab = Lab::new();
        let task = Task::new(plan.clone()).unwrap();
        lab.store.begin("run", &plan, "a test").unwrap();
        let folder = RunFolder::at(&lab.folder.path().join("run")).unwrap();
        std::fs::create_dir_all(folder.path()).unwrap();
        let clock = Arc::new(MockClock::default());
        let moments = Arc::new(Mutex::new(vec![0.0]));
        let (seen, time) = (Arc::clone(&moments), Arc::clone(&clock));
        let five = Duration::from_secs(5);
        // The first generation takes five seconds longer than necessary, but periodic events are
        // reported nevertheless.
        let context = Context::on_threads(2).clock(clock.clone());
        let context = context.observer(move |event| {
            lock(&seen).push(event.elapsed);
            let is_first = matches!(event.event, Event::Generation(done) if done.number == 0);
            let until = Instant::now() + Duration::from_secs(20);
            while is_first && time.now() < five && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        context
            .run(|| drive(&task, &context, &mut kept(&mut lab.store, &folder)))
            .unwrap();
        let mut moments = lock(&moments).clone();
        moments.push(clock.now().as_secs_f64());
        moments.sort_unstable_by(f64::total_cmp);
        assert!(moments.windows(2).all(|pair| pair[1] - pair[0] <= 1.0));
        assert!(clock.now() >= five, "no sign of life in {}", plan.learner);
    }
}

#[test]
fn every_generation_has_new_games_unless_they_are_fixed() {
    let seeds = |fixed_games| {
        let plan = Learning {
            fixed_games,
            ..tiny()
        };
        let task = Task::new(plan).unwrap();
        [(0, 0), (0, 1), (1, 0)].map(|(run, generation)| task.games_seed(run, generation))
    };
    let [first, second, other_run] = seeds(false);
    assert!(first != second && first != other_run && second != other_run);
    let [first, second, other_run] = seeds(true);
    assert!(first == second && first != other_run);
}

#[test]
fn a_run_stops_when_its_budget_is_spent() {
    let stop = |change: fn(&mut Budget)| {
        let mut plan = Learning { runs: 1, ..tiny() };
        plan.budget = Budget::generations(50);
        change(&mut plan.budget);
        learned(&plan)
    };
    assert_eq!(stop(|_| ()).stops, ["50 generations"]);
    let one = stop(|budget| budget.generations = Some(1));
    assert_eq!(one.stops, ["1 generation"]);
    let games = stop(|budget| budget.games = Some(30));
    assert_eq!((games.games, &games.stops[0][..]), (36, "36 games"));
    let pieces = stop(|budget| budget.pieces = Some(500));
    assert!(pieces.pieces >= 500 && pieces.stops[0].ends_with("pieces"));
    let fitness = stop(|budget| budget.fitness = Some(1.0));
    assert_eq!(fitness.stops, ["a candidate reached a fitness of 1"]);
    let time = stop(|budget| budget.seconds = Some(1e-9));
    assert_eq!((time.games, &time.stops[0][..]), (12, "the time is up"));
}

#[test]
fn time_stops_a_run_within_a_generation() {
    let mut plan = Learning {
        ruleset: "simplified-10x40".to_owned(),
        games: 1,
        max_pieces: Some(100_000_000),
        runs: 1,
        // All candidates of the first generation lose soon, and one of the second hardly ever does.
        seed: 338,
        ..tiny()
    };
    plan.budget = Budget {
        seconds: Some(1.0),
        ..Budget::default()
    };
    let mut lab = Lab::new();
    let began = Instant::now();
    let driven = lab.learn(&plan, 1, usize::MAX).unwrap();
    let elapsed = began.elapsed();
    assert_eq!(driven.stops, ["the time is up"]);
    assert_eq!(lab.store.run("run").unwrap().unwrap().generations, 1);
    assert!(driven.pieces < 1_000, "{}", driven.pieces);
    assert!(elapsed < Duration::from_secs(10), "{elapsed:?}");
}

#[test]
fn a_run_that_time_has_stopped_does_not_go_further() {
    let mut plan = tiny();
    plan.budget.seconds = Some(1e-9);
    let mut lab = Lab::new();
    let first = lab.learn(&plan, 1, usize::MAX).unwrap();
    let second = lab.learn(&plan, 1, usize::MAX).unwrap();
    assert_eq!(timeless(&second), timeless(&first));
    let run = lab.store.run("run").unwrap().unwrap();
    assert_eq!(run.generations, 2);
    assert_eq!(run.ended.unwrap(), "the time is up; the time is up");
}

#[test]
fn a_store_with_other_candidates_is_not_taken_for_ours() {
    let mut lab = Lab::new();
    lab.learn(&tiny(), 1, 2).unwrap();
    let path = lab.folder.path().join("lab.sqlite");
    let other = rusqlite::Connection::open(path).unwrap();
    let changed = other.execute(
        "UPDATE candidates SET vector = '[0.5]' WHERE number = 1",
        [],
    );
    assert_eq!(changed, Ok(4));
    let error = lab.learn(&tiny(), 1, usize::MAX).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("generation 2 of run 1 of run was changed"),
        "{error}"
    );
    // Without hashes, as written by an older version.
    assert!(other.execute("DELETE FROM checks", []).is_ok());
    let error = lab.learn(&tiny(), 1, usize::MAX).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("generation 2 of run 1 has different candidates"),
        "{error}"
    );
}

#[test]
fn a_name_belongs_to_one_plan() {
    let mut lab = Lab::new();
    lab.store.begin("run", &tiny(), "").unwrap();
    let other = Learning { games: 4, ..tiny() };
    let error = lab.store.begin("run", &other, "").unwrap_err().to_string();
    assert_eq!(
        error,
        "the run run was started with 3 as the number of games, not 4; choose another folder"
    );
}

#[test]
fn the_scored_player_is_the_written_one() {
    for (evaluator, features) in [
        ("linear", "dellacherie"),
        ("exponential", "holes,column_heights"),
        ("displaced", "near-perfect"),
    ] {
        let plan = Learning {
            evaluator: evaluator.to_owned(),
            features: features.to_owned(),
            player: "greedy(losing=allow)".to_owned(),
            ..tiny()
        };
        let task = Task::new(plan.clone()).unwrap();
        let vector: Vec<f64> = (1..=task.dimension()).map(|n| 1.0 / n as f64).collect();
        let text = task.player_text(
            "it's \"mine\"",
            &[Solution::Numbers(vector.clone())],
            "x",
            None,
        );
        let file = PlayerFile::parse(&text, "mine.toml").unwrap();
        assert_eq!((&file.name[..], file.form()), ("it's \"mine\"", evaluator));
        let weights: Vec<f64> = file.weights().flat_map(|row| row.1.to_vec()).collect();
        assert_eq!(weights, vector[..weights.len()]);
        assert!(file.player(&task.ruleset).is_ok());
    }
}

#[test]
fn solutions_of_several_runs_are_averaged_as_directions() {
    let plan = Learning {
        features: "holes,bumpiness".to_owned(),
        ..tiny()
    };
    let task = Task::new(plan).unwrap();
    let solutions = [vec![-3.0, 4.0], vec![0.0, 0.5]].map(Solution::Numbers);
    let text = task.player_text("x", &solutions, "x", None);
    assert!(
        text.ends_with("[weights]\nholes = -0.3\nbumpiness = 0.9\n"),
        "{text}"
    );
}

#[test]
fn a_search_can_begin_at_a_published_player() {
    let plan = Learning {
        start: Some("dellacherie".to_owned()),
        scale: Scale::None,
        ..tiny()
    };
    let task = Task::new(plan).unwrap();
    let placed = task.template.place(vec![0.0; 6]);
    let length: f64 = placed.iter().map(|value| value * value).sum();
    assert!((length - 1.0).abs() < 1e-12 && placed[0] < 0.0 && placed[1] > 0.0);
}

#[test]
fn a_plan_that_makes_no_sense_is_one_clear_sentence() {
    let problem = |change: fn(&mut Learning)| {
        let mut plan = tiny();
        change(&mut plan);
        Task::new(plan).err().unwrap().to_string()
    };
    assert_eq!(
        problem(|plan| plan.games = 0),
        "the number of games must be at least 1, got 0"
    );
    assert_eq!(
        problem(|plan| plan.budget.seconds = Some(f64::NAN)),
        "the time must be above 0 seconds, got NaN"
    );
    assert_eq!(
        problem(|plan| plan.budget.generations = None),
        "this run would never end: it needs a number of generations or another limit"
    );
    assert_eq!(
        problem(|plan| plan.features = "holes,holes".to_owned()),
        "the feature holes is listed twice"
    );
    assert_eq!(
        problem(|plan| plan.objective = "liens".to_owned()),
        "there is no objective 'liens'; did you mean 'lines'?"
    );
    assert!(
        problem(|plan| plan.start = Some("bcts".to_owned())).starts_with("bcts has features (")
    );
    assert!(problem(|plan| plan.player = "two-peace".to_owned()).contains("two-piece"));
    assert!(problem(|plan| plan.evaluator = "linaer".to_owned()).contains("linear"));
}

#[test]
fn a_learner_of_directions_is_refused_where_lengths_matter() {
    let problem = |learner: &str, change: fn(&mut Learning)| {
        let mut plan = Learning {
            learner: learner.to_owned(),
            ..tiny()
        };
        change(&mut plan);
        Task::new(plan).err().map(|error| error.to_string())
    };
    let start = |plan: &mut Learning| plan.start = Some("dellacherie".to_owned());
    let form = |plan: &mut Learning| plan.evaluator = "exponential".to_owned();
    for learner in ["boumaza", "near-perfect-ga"] {
        let (free, bound) = (
            format!("{learner}(normalise=false)"),
            format!("{learner}(normalise=true)"),
        );
        for change in [start, form] {
            let said = problem(&bound, change).unwrap();
            assert!(said.ends_with("use normalise=false"), "{said}");
            assert_eq!(problem(&free, change), None);
        }
        // Near a start, the unit length of a published method's vectors does not apply.
        assert_eq!(problem(learner, start), None);
        assert!(problem(learner, form).is_some());
        assert_eq!(problem(learner, |_| ()), None);
    }
}

#[test]
fn unsupported_requests_of_survival_are_found_before_play() {
    let problem = |change: fn(&mut Learning)| {
        let mut plan = Learning {
            objective: "survival".to_owned(),
            ..tiny()
        };
        change(&mut plan);
        Task::new(plan).err().map(|error| error.to_string())
    };
    assert_eq!(problem(|_| ()), None);
    let games = problem(|plan| plan.budget.games = Some(9)).unwrap();
    assert!(games.contains("use a number of pieces"), "{games}");
    let fixed = |plan: &mut Learning| {
        plan.ruleset = "simplified-6x8(randomizer=fixed(IOTSZ))".to_owned();
    };
    let fixed = problem(fixed).unwrap();
    assert!(fixed.contains("has no random pieces"), "{fixed}");
}

#[test]
fn a_file_that_is_not_a_store_is_not_changed() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("lab.sqlite");
    let said = |store: Result<Store, StoreError>| store.err().unwrap().to_string();
    assert!(
        said(Store::read(&path))
            .ends_with("no runs are stored here; `tetrolab learn` creates the store")
    );
    let text = "this is not a database, but a file that somebody needs".repeat(40);
    std::fs::write(&path, &text).unwrap();
    assert!(said(Store::open(&path)).contains("not a tetrolab store"));
    assert!(said(Store::read(&path)).contains("not a tetrolab store"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    let later = folder.path().join("later.sqlite");
    drop(Store::open(&later).unwrap());
    let database = rusqlite::Connection::open(&later).unwrap();
    database.pragma_update(None, "user_version", 7).unwrap();
    assert!(said(Store::open(&later)).contains("the store has schema 7"));
}

#[test]
fn the_folder_of_a_run_has_a_name() {
    let place = RunFolder::at(Path::new("runs/mine")).unwrap();
    assert_eq!(place.store(), Path::new("runs/lab.sqlite"));
    assert_eq!(place.player(), Path::new("runs/mine/player.toml"));
    for path in ["/", "..", "runs/.."] {
        assert!(RunFolder::at(Path::new(path)).is_err(), "{path}");
    }
}

#[test]
fn an_export_has_its_heading_and_every_column_for_any_store() {
    let weights = "weight:landing_height,weight:eroded_piece_cells,weight:row_transitions,\
                   weight:column_transitions,weight:holes,weight:well_sums\n";
    assert_eq!(
        export::candidates_csv(&tiny(), &[]),
        format!("run,generation,candidate,fitness,{weights}")
    );
    assert_eq!(
        export::generations_csv(&tiny(), &[]),
        format!("run,generation,best,mean,spread,sigma,games,pieces,seconds,{weights}")
    );
    let mut lab = Lab::new();
    lab.learn(&tiny(), 1, usize::MAX).unwrap();
    let rows = export::generations(&lab.store, "run").unwrap();
    let json = serde_json::json!(rows[0]);
    // All that JSON has but two vectors, which have their own columns.
    assert_eq!(json.as_object().unwrap().len(), 9 + 2);
    let csv = export::generations_csv(&tiny(), &rows);
    assert!(
        csv.lines().all(|line| line.split(',').count() == 9 + 6),
        "{csv}"
    );
}

#[test]
fn an_export_contains_every_number() {
    let mut lab = Lab::new();
    lab.learn(&tiny(), 1, usize::MAX).unwrap();
    let generations = export::generations(&lab.store, "run").unwrap();
    assert_eq!(generations.len(), 6);
    let candidates = export::candidates(&lab.store, "run").unwrap();
    assert_eq!(candidates.len(), 24);
    let csv = export::candidates_csv(&tiny(), &candidates);
    let last = csv.lines().last().unwrap();
    let cells: Vec<f64> = last.split(',').map(|text| text.parse().unwrap()).collect();
    assert_eq!(cells[..4], [2.0, 3.0, 4.0, candidates[23].fitness]);
    assert_eq!(cells[4..], candidates[23].vector);
}

#[test]
fn an_export_names_the_numbers_of_every_form_and_numbers_those_it_does_not_know() {
    let plan = Learning {
        features: "holes,column_heights".to_owned(),
        evaluator: "exponential".to_owned(),
        ..tiny()
    };
    let heads = |plan: &Learning, numbers: usize| {
        let row = export::CandidateRow {
            run: 1,
            generation: 1,
            candidate: 1,
            fitness: 0.5,
            vector: vec![0.25; numbers],
        };
        let csv = export::candidates_csv(plan, &[row]);
        let head = csv.lines().next().unwrap();
        head.split(',')
            .skip(4)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let known = heads(&plan, 14);
    assert_eq!(known[..2], ["weight:holes", "weight:column_heights:1"]);
    assert_eq!(known[6..8], ["weight:column_heights:6", "exponent:holes"]);
    assert_eq!(heads(&plan, 3), ["number:1", "number:2", "number:3"]);
    let gone = Learning {
        ruleset: "gone.toml".to_owned(),
        ..plan
    };
    assert_eq!(heads(&gone, 1), ["number:1"]);
}
