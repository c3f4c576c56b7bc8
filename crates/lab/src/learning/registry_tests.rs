//! Every form of evaluator with every kind of player: saved, read back, played, and learned with
//! every method that searches numbers.

use super::description::tests::tiny;
use super::{Driven, Learning, RunFolder, Store, Task, drive};
use crate::context::Context;
use crate::learners::{LEARNERS, Learner, Solution, find_learner};
use crate::library::{Parts, PlayerFile, find_ruleset};
use std::sync::Arc;
use tempfile::tempdir;
use tetrolab_core::evaluators::{
    EVALUATORS, Evaluator, EvaluatorEntry, Form, MakeEvaluator, ModelKind, NUMBERS, ParameterTable,
    Scaling, Scores, Size, Workspace,
};
use tetrolab_core::game::{Game, Status};
use tetrolab_core::outcomes::Outcomes;
use tetrolab_core::placement::Placement;
use tetrolab_core::players::Player;

/// An evaluator without features: it looks at boards, and adds up a weight for each cell of a
/// column's height.
#[derive(Debug)]
struct LowColumns(Vec<f64>);

impl Evaluator for LowColumns {
    fn rate(&self, outcomes: &mut Outcomes, _: &mut Workspace, scores: &mut Scores) {
        for (index, score) in scores[..outcomes.len()].iter_mut().enumerate() {
            let after = outcomes.transition(index).after;
            let cells = |(weight, height): (&f64, usize)| weight * height as f64;
            *score = self.0.iter().zip(after.heights()).map(cells).sum();
        }
    }
}

/// Everything that a form needs to be saved, read, played and learned.
const LOW_COLUMNS: EvaluatorEntry = EvaluatorEntry {
    id: "low-columns",
    definition: "sum of weight * height of the column",
    source: "this test",
    settings: NUMBERS,
    make: Form {
        tables: &[ParameterTable {
            id: "columns",
            number: "column",
            size: Size::OnWidth(|width| width),
            neutral: 0.0,
            scaling: Scaling::Plain,
        }],
        only_direction_counts: true,
        make: MakeEvaluator::Tables(|_, tables| Ok(Arc::new(LowColumns(tables.concat())))),
    },
};

/// The shipped parts and one more: this is the only place where it is registered.
fn parts() -> Parts {
    Parts {
        evaluators: [EVALUATORS, &[LOW_COLUMNS]].concat().leak(),
        ..Parts::default()
    }
}

/// A plan with this form and kind of player.
fn plan(form: &str, kind: &str) -> Learning {
    let is_network = form.ends_with("network");
    Learning {
        evaluator: form.to_owned(),
        player: kind.to_owned(),
        layers: is_network.then(|| "3".to_owned()),
        runs: if is_network { 1 } else { 2 },
        ruleset: "two-piece-6x8".to_owned(),
        ..tiny()
    }
}

/// The forms whose numbers are in the player's file.
fn of_numbers(forms: &'static [EvaluatorEntry]) -> impl Iterator<Item = &'static EvaluatorEntry> {
    forms.iter().filter(|form| form.make.model().is_none())
}

fn tasks() -> impl Iterator<Item = Task> {
    let parts = parts();
    let kinds = parts.players_with_evaluator();
    assert!(kinds.len() >= 2 && parts.evaluators.len() >= 4);
    // Tables are trained by playing.
    let searched = |form: &&EvaluatorEntry| form.make.model() != Some(ModelKind::Tables);
    let forms = parts.evaluators.iter().filter(searched);
    forms.flat_map(move |form| {
        let make = move |kind: &&tetrolab_core::players::PlayerEntry| {
            Task::with_parts(plan(form.id, kind.id), parts).unwrap()
        };
        kinds.clone().iter().map(make).collect::<Vec<_>>()
    })
}

/// Numbers for all weights of a task.
fn numbers(task: &Task) -> Vec<f64> {
    (0..task.dimension())
        .map(|n| -1.0 / (n + 2) as f64)
        .collect()
}

fn game(player: &mut dyn Player, rules: &str) -> Vec<Placement> {
    let mut game = Game::new(&find_ruleset(rules).unwrap(), 3);
    let mut placements = Vec::new();
    while game.status() == Status::Playing && game.pieces() < 200 {
        let placement = player.choose(&game.view());
        game.apply(placement);
        placements.push(placement);
    }
    placements
}

#[test]
fn every_form_under_every_kind_of_player_is_saved_and_plays_the_same_game_when_it_is_read_back() {
    for task in tasks() {
        let (rules, numbers) = (task.plan.ruleset.clone(), numbers(&task));
        let ruleset = find_ruleset(&rules).unwrap();
        let saved = Solution::Numbers(numbers);
        let mut player = task.template.player(&saved, &ruleset).unwrap();
        let text = task.player_text("saved", &[saved], "here", None);
        let file = PlayerFile::parse_with(&parts(), &text, "saved.toml").unwrap();
        assert_eq!(file.text(), text);
        let mut read_back = file.player(&ruleset).unwrap();
        let placements = game(&mut *read_back, &rules);
        assert!(placements.len() > 3);
        assert_eq!(placements, game(&mut *player, &rules), "{text}");
    }
}

/// One generation with an optimiser.
fn learned(task: &Task) -> Driven {
    let folder = tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("lab.sqlite")).unwrap();
    store.begin("run", &task.plan, "").unwrap();
    let place = RunFolder::at(&folder.path().join("run")).unwrap();
    std::fs::create_dir_all(place.path()).unwrap();
    let mut kept = super::tests::kept(&mut store, &place);
    drive(task, &Context::on_threads(1), &mut kept).unwrap()
}

/// The methods that search the numbers of any evaluator.
fn searches() -> impl Iterator<Item = &'static Learner> {
    LEARNERS
        .iter()
        .filter(|learner| !learner.make.trains_model())
}

/// Pairs every form with every kind of player and every search, in as few triples as possible: a
/// kind and a search determine the form.
#[test]
fn every_form_and_every_kind_of_player_learns_with_every_search() {
    let kinds = parts().players_with_evaluator().len();
    let forms = tasks().count() / kinds;
    assert!(forms <= kinds && forms <= searches().count());
    for (number, task) in tasks().enumerate() {
        let (form, kind) = (number / kinds, number % kinds);
        let of_form = |&(search, _): &(usize, &Learner)| (kind + search) % forms == form;
        for (_, learner) in searches().enumerate().filter(of_form) {
            let small = match learner.settings[0].id {
                "population" => "population=4",
                "memory" => "memory=4",
                _ => "",
            };
            let mut plan = task.plan.clone();
            plan.learner = format!("{}({small})", learner.id);
            plan.budget.generations = Some(1);
            plan.runs = 1;
            (plan.games, plan.max_pieces) = (1, Some(20));
            let task = Task::with_parts(plan, parts()).unwrap();
            let learned = learned(&task);
            assert_eq!(learned.solutions[0].len(), task.dimension());
            let text = task.player_text("learned", &learned.solutions, "here", None);
            assert!(
                PlayerFile::parse_with(&parts(), &text, "x").is_ok(),
                "{text}"
            );
        }
    }
}

#[test]
fn every_learner_begins_at_a_player_of_every_form() {
    for learner in searches() {
        for form in of_numbers(EVALUATORS) {
            let plan = Learning {
                learner: learner.id.to_owned(),
                start: Some("dellacherie".to_owned()),
                ..plan(form.id, "greedy")
            };
            let task = Task::new(plan).unwrap();
            let chosen = find_learner(&task.plan.learner).unwrap();
            let Ok(mut optimizer) = chosen.optimizer(task.dimension(), 1) else {
                continue;
            };
            let asked = optimizer.ask();
            let start = task.template.place(vec![0.0; task.dimension()]);
            for vector in asked {
                let placed = task.template.place(vector);
                let change: f64 = placed[..6]
                    .iter()
                    .zip(&start)
                    .map(|(a, b)| (a - b).powi(2))
                    .sum();
                let length: f64 = start[..6].iter().map(|number| number * number).sum();
                assert!(
                    change < 0.3 * length,
                    "{}: {change} of {length}",
                    learner.id
                );
            }
        }
    }
}
