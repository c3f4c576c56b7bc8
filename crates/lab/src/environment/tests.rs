//! Environments compared with the games that they play.

use super::*;
use crate::library::{find_evaluator, find_features, find_ruleset};
use tetrolab_core::game::{Game, Status};
use tetrolab_core::moves::placements;
use tetrolab_core::rng::{Rng, game_seed};

/// Arrays for games side by side.
struct Arrays {
    board: Vec<u8>,
    pieces: Vec<u8>,
    mask: Vec<i8>,
    features: Vec<f32>,
    boards: Vec<u8>,
    lines: Vec<u8>,
    over: Vec<i8>,
    rewards: Vec<f64>,
    ends: [Vec<bool>; 3],
    totals: [Vec<i64>; 3],
}

impl Arrays {
    fn new(setup: &EnvironmentSetup, games: usize) -> Arrays {
        let strides = setup.strides();
        Arrays {
            board: vec![9; strides.board * games],
            pieces: vec![9; strides.pieces * games],
            mask: vec![9; strides.mask * games],
            features: vec![9.0; strides.features * games],
            boards: vec![9; strides.boards * games],
            lines: vec![9; strides.lines * games],
            over: vec![9; strides.over * games],
            rewards: vec![9.0; games],
            ends: [const { Vec::new() }; 3].map(|_: Vec<bool>| vec![false; games]),
            totals: [const { Vec::new() }; 3].map(|_: Vec<i64>| vec![0; games]),
        }
    }

    fn split(&mut self) -> (Observations<'_>, Outputs<'_>) {
        let [terminated, truncated, legal] = &mut self.ends;
        let [step_lines, total_lines, total_pieces] = &mut self.totals;
        let seen = Observations {
            board: &mut self.board,
            columns: &mut [],
            falling: &mut [],
            pieces: &mut self.pieces,
            mask: &mut self.mask,
            features: &mut self.features,
            boards: &mut self.boards,
            lines: &mut self.lines,
            over: &mut self.over,
        };
        let outputs = Outputs {
            rewards: &mut self.rewards,
            lines: step_lines,
            terminated,
            truncated,
            total_lines,
            total_pieces,
            legal,
        };
        (seen, outputs)
    }
}

/// Environments that were started with seeds 20, 21 and so on.
fn begun(
    kind: EnvironmentKind,
    ruleset: &str,
    games: usize,
    threads: usize,
) -> (Environments, Arrays) {
    let mut setup = EnvironmentSetup::new(kind, find_ruleset(ruleset).unwrap());
    if kind == EnvironmentKind::Afterstates {
        setup.features = find_features("bcts").unwrap();
    }
    let mut arrays = Arrays::new(&setup, games);
    let mut all = Environments::new(setup, games, Autoreset::NextStep, threads).unwrap();
    let episodes: Vec<_> = (0..games as u64).map(|game| Some((20 + game, 0))).collect();
    all.reset(&episodes, &mut arrays.split().0).unwrap();
    (all, arrays)
}

fn step(all: &mut Environments, arrays: &mut Arrays, actions: &[i64]) {
    let (seen, outputs) = arrays.split();
    all.step(actions, seen, outputs, Observations::default())
        .unwrap();
}

fn sampled(all: &Environments, rng: &mut Rng, arrays: &Arrays) -> Vec<i64> {
    let mut actions = vec![0; all.len()];
    all.sample(rng, &arrays.mask, &mut actions).unwrap();
    actions
}

#[test]
fn actions_are_the_placements_of_the_game() {
    let (mut all, mut arrays) = begun(EnvironmentKind::Placement, "two-piece-7x9", 1, 1);
    let ruleset = find_ruleset("two-piece-7x9").unwrap();
    let mut game = Game::new(&ruleset, game_seed(20, 0));
    let mut rng = Rng::new(1);
    while game.status() == Status::Playing {
        let legal = placements(game.board(), game.view().piece);
        let numbers = legal
            .iter()
            .map(|place| place.rotation as usize * 7 + usize::from(place.x));
        let mut numbers: Vec<usize> = numbers.collect();
        let masked = (0..28).filter(|&action| arrays.mask[action] == 1);
        let chosen = sampled(&all, &mut rng, &arrays);
        let place = numbers
            .iter()
            .position(|&number| number as i64 == chosen[0]);
        numbers.sort_unstable();
        assert_eq!(masked.collect::<Vec<_>>(), numbers);
        let transition = game.apply(legal[place.unwrap()]);
        step(&mut all, &mut arrays, &chosen);
        assert_eq!(arrays.rewards[0], f64::from(transition.lines()));
        let rows: String = game.board().to_rows().concat();
        let cells = arrays
            .board
            .iter()
            .map(|&cell| [".", "#"][usize::from(cell)]);
        assert_eq!(cells.collect::<String>(), rows);
        assert_eq!(arrays.ends[0][0], game.status() == Status::Over);
    }
    assert!(arrays.mask.iter().all(|&legal| legal == 0));
}

#[test]
fn neither_the_number_of_games_nor_that_of_threads_matters() {
    for kind in [EnvironmentKind::Placement, EnvironmentKind::Afterstates] {
        for ruleset in ["simplified-6x8", "guideline"] {
            let (mut few, mut seen_few) = begun(kind, ruleset, 2, 1);
            let (mut many, mut seen_many) = begun(kind, ruleset, 5, 3);
            let mut rng = Rng::new(2);
            for _ in 0..60 {
                let actions = sampled(&many, &mut rng, &seen_many);
                step(&mut few, &mut seen_few, &actions[..2]);
                step(&mut many, &mut seen_many, &actions);
                assert!(seen_many.board.starts_with(&seen_few.board));
                assert!(seen_many.boards.starts_with(&seen_few.boards));
                assert!(seen_many.features.starts_with(&seen_few.features));
                assert!(seen_many.mask.starts_with(&seen_few.mask));
                assert!(seen_many.pieces.starts_with(&seen_few.pieces));
                assert!(seen_many.rewards.starts_with(&seen_few.rewards));
            }
        }
    }
}

#[test]
fn shaping_cancels_out_over_an_episode() {
    let ruleset = find_ruleset("simplified-6x8").unwrap();
    let spec = "bcts".parse().unwrap();
    let setup = EnvironmentSetup {
        shaping: Some(Shaping {
            evaluator: find_evaluator(&spec, 6).unwrap(),
            discount: 1.0,
            scale: 0.5,
        }),
        ..EnvironmentSetup::new(EnvironmentKind::Placement, ruleset)
    };
    let mut arrays = Arrays::new(&setup, 1);
    let mut one = Environments::new(setup, 1, Autoreset::Disabled, 1).unwrap();
    one.reset(&[Some((3, 0))], &mut arrays.split().0).unwrap();
    let (mut rng, mut total) = (Rng::new(3), 0.0);
    while !arrays.ends[0][0] {
        let actions = sampled(&one, &mut rng, &arrays);
        step(&mut one, &mut arrays, &actions);
        total += arrays.rewards[0];
    }
    assert!((total - arrays.totals[1][0] as f64).abs() < 1e-6, "{total}");
    let (seen, outputs) = arrays.split();
    let ended = one.step(&[0], seen, outputs, Observations::default());
    assert!(matches!(ended, Err(EnvironmentError::Ended { game: 0 })));
}

#[test]
fn impossible_setups_are_refused() {
    let ruleset = || find_ruleset("simplified-6x8").unwrap();
    let keys = EnvironmentSetup::new(EnvironmentKind::Keys, ruleset());
    let error = Environments::new(keys, 1, Autoreset::NextStep, 1).unwrap_err();
    assert!(matches!(error, EnvironmentError::NoKeys { .. }));
    let (mut all, mut arrays) = begun(EnvironmentKind::Placement, "simplified-6x8", 2, 1);
    for (actions, expected) in [
        (vec![0], "expected 2 actions"),
        (vec![0, 24], "expected an action from 0 to 23"),
        (vec![-1, 0], "expected an action from 0 to 23"),
    ] {
        let (seen, outputs) = arrays.split();
        let error = all.step(&actions, seen, outputs, Observations::default());
        let error = error.unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let (seen, _) = arrays.split();
    let error = all.step(&[0, 0], seen, Outputs::default(), Observations::default());
    assert!(error.is_err());
}
