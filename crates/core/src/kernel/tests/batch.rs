//! Games driven from outside, suspended and resumed, or truncated.

use super::{BCTS_WEIGHTS, ids, linear, shared, sized, uneven, weights};
use crate::choice::GreedyOptions;
use crate::evaluators::{Displaced, Evaluator};
use crate::features::{FeatureSet, feature};
use crate::kernel::{
    Batch, BatchGame, Importance, Kernel, KernelResult, Suspended, Trajectories, TrajectoryBoard,
    Window, is_available,
};
use crate::rng::Rng;
use crate::ruleset::Ruleset;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

#[test]
fn a_batch_that_is_driven_from_outside_plays_the_same_games() {
    if !is_available() {
        return;
    }
    let ruleset = sized(10, 8);
    let kernel = Kernel::new(
        &ruleset,
        &shared(&linear(ids("bcts"), &BCTS_WEIGHTS, 10)),
        GreedyOptions::default(),
    );
    let kernel = kernel.unwrap();
    let seeds: Vec<u64> = (0..60).collect();
    let expected = kernel.play(&seeds, Some(100), &mut |_, _| false);
    let mut trajectories = Trajectories::new(&kernel, Heights);
    drive(&mut trajectories, &ruleset, &seeds);
    for (slot, expected) in expected.iter().enumerate() {
        let standing = trajectories.standing(slot);
        assert_eq!(standing.lines, expected.lines);
        assert_eq!(
            (standing.pieces, standing.over),
            (expected.pieces, expected.finished)
        );
        let columns = trajectories.board(slot).columns();
        assert_eq!(columns[..10], *expected.board.columns());
    }
}

/// The sum of the heights, and ten times the maximum.
struct Heights;

impl Importance for Heights {
    fn of(&self, board: &TrajectoryBoard<'_>) -> u32 {
        let (sum, highest) = board.heights();
        assert_eq!((board.width(), board.piece()), (10, None));
        let heights = board.columns().map(|column| 64 - column.leading_zeros());
        assert_eq!(sum, heights.iter().sum::<u32>());
        assert_eq!(Some(&highest), heights.iter().max());
        sum + 10 * highest
    }
}

/// Pauses games whenever they leave a window, and continues them.
fn drive(trajectories: &mut Trajectories<'_, Heights>, ruleset: &Ruleset, seeds: &[u64]) {
    let hundred = Window {
        low: None,
        high: Some(60),
        pieces: 100,
    };
    let start = trajectories.position_on(&ruleset.empty_board());
    let mut rests = 0;
    for (slot, &seed) in seeds.iter().enumerate() {
        trajectories.put(slot, &start, seed, hundred);
    }
    let mut rested = Vec::new();
    loop {
        trajectories.play(&mut rested);
        if rested.is_empty() {
            break;
        }
        for &slot in &rested {
            let standing = trajectories.standing(slot);
            rests += 1;
            assert!(standing.over || !hundred.holds(standing.level, standing.pieces));
            if standing.pieces < 100 {
                trajectories.resume(slot, hundred);
            }
        }
    }
    assert!(rests > 2 * seeds.len(), "{rests}");
}

#[test]
fn threads_share_a_kernel_and_games_change_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Kernel>();
    shared::<Suspended>();
}

/// Every kernel plays these games in two batches, which continually take over games from each
/// other.
fn play_in_turns(
    kernels: &[&Kernel],
    seeds: &[u64],
    max_pieces: u64,
) -> Vec<(BatchGame, KernelResult)> {
    let mut batches = [0, 1].map(|_| Batch::new(kernels, Some(max_pieces)));
    for (number, &seed) in seeds.iter().enumerate() {
        for kernel in 0..kernels.len() {
            batches[0].add(numbered(kernel, number as u64), seed);
        }
    }
    let mut rng = Rng::new(13);
    while batches.iter().any(|batch| batch.left() > 0) {
        let [one, other] = &mut batches;
        one.play_steps(rng.below(20) as u32);
        let count = rng.below(one.left() as u64 + 1) as usize;
        let given = one.suspend(count);
        assert_eq!(given.len(), count);
        given.into_iter().for_each(|game| other.resume(game));
        batches.swap(0, 1);
    }
    let mut ended: Vec<_> = batches.iter_mut().flat_map(Batch::take_ended).collect();
    ended.sort_unstable_by_key(|game| game.0);
    let pieces: u64 = ended.iter().map(|game| game.1.pieces).sum();
    assert_eq!(batches[0].placed() + batches[1].placed(), pieces);
    ended
}

fn numbered(kernel: usize, number: u64) -> BatchGame {
    BatchGame { kernel, number }
}

#[test]
fn games_that_are_suspended_and_resumed_end_the_same() {
    if !is_available() {
        return;
    }
    let bcts = linear(ids("bcts"), &BCTS_WEIGHTS, 10);
    let options = GreedyOptions::default();
    let greedy = Kernel::new(&sized(10, 8), &shared(&bcts), options).unwrap();
    let two_piece = Kernel::two_piece(&uneven(10, 6, 1), &shared(&bcts), options).unwrap();
    for (kernel, count, max_pieces) in
        [(&greedy, 1, 500), (&greedy, 400, 100), (&two_piece, 60, 60)]
    {
        let seeds: Vec<u64> = (0..count).collect();
        let expected = kernel.play(&seeds, Some(max_pieces), &mut |_, _| false);
        let results = play_in_turns(&[kernel], &seeds, max_pieces);
        assert!(results.iter().map(|game| game.0.number).eq(0..count));
        assert!(results.into_iter().map(|game| game.1).eq(expected));
    }
}

#[test]
fn games_of_kernels_that_share_lanes_equal_those_of_each_alone() {
    if !is_available() {
        return;
    }
    let mut rng = Rng::new(17);
    for round in 0..6u64 {
        // The second set has a feature that cannot be measured in lanes; the third evaluator uses
        // tables.
        let apart: &[&str] = &["holes", "max_minus_mean"];
        let ids = [ids("thesis-7"), apart, ids("bohm-12")][round as usize % 3];
        let ruleset = uneven(8, 9, 0);
        let kernels: Vec<Kernel> = (0..11)
            .map(|_| {
                let weights = weights(&mut rng, round, ids.len());
                let evaluator = evaluator(round, ids, &weights);
                Kernel::new(&ruleset, &evaluator, GreedyOptions::default()).unwrap()
            })
            .collect();
        let all: Vec<&Kernel> = kernels.iter().collect();
        assert!(all.iter().all(|kernel| kernel.shares_lanes_with(all[0])));
        let seeds: Vec<u64> = (0..9).map(|seed| 100 * round + seed).collect();
        let results = play_in_turns(&all, &seeds, 60);
        for (number, kernel) in kernels.iter().enumerate() {
            let own = results.iter().filter(|game| game.0.kernel == number);
            let alone = kernel.play(&seeds, Some(60), &mut |_, _| false);
            assert!(own.map(|game| game.1).eq(alone), "{round} {number}");
        }
    }
}

/// A sum of terms: linear, or with displaced powers in every third round.
fn evaluator(round: u64, ids: &[&str], weights: &[f64]) -> Arc<dyn Evaluator> {
    if round % 3 != 2 {
        return shared(&linear(ids, weights, 8));
    }
    let count = ids.len();
    let set = FeatureSet::new(ids.iter().map(|id| feature(id).unwrap()).collect(), 8);
    let displacements: Vec<f64> = weights.iter().map(|weight| weight.abs() % 3.0).collect();
    let displaced = Displaced::new(set, weights, &displacements, &vec![1.5; count]);
    Arc::new(displaced.unwrap())
}

#[test]
fn kernels_of_other_features_or_rules_share_no_lanes() {
    if !is_available() {
        return;
    }
    let kernel = |ids: &[&str], rules: &Ruleset, weight: f64| {
        let evaluator = shared(&linear(ids, &vec![weight; ids.len()], 10));
        Kernel::new(rules, &evaluator, GreedyOptions::default()).unwrap()
    };
    let thesis = kernel(ids("thesis-7"), &sized(10, 8), 1.0);
    let share = |other: &Kernel| thesis.shares_lanes_with(other);
    assert!(share(&kernel(ids("thesis-7"), &sized(10, 8), 2.0)));
    assert!(!share(&kernel(ids("thesis-7"), &sized(10, 9), 1.0)));
    assert!(!share(&kernel(ids("thesis-6"), &sized(10, 8), 1.0)));
    let bcts = kernel(ids("bcts"), &sized(10, 8), 1.0);
    assert!(!bcts.shares_lanes_with(&bcts.clone()));
}

#[test]
fn games_that_are_cut_off_have_the_pieces_that_they_had() {
    if !is_available() {
        return;
    }
    let bcts = linear(ids("bcts"), &BCTS_WEIGHTS, 10);
    let kernel = Kernel::new(&sized(10, 20), &shared(&bcts), GreedyOptions::default()).unwrap();
    let mut batch = Batch::new(&[&kernel], None);
    (0..500).for_each(|game| batch.add(numbered(0, game), game));
    assert!(batch.play());
    let mut other = Batch::new(&[&kernel], None);
    batch
        .suspend(400)
        .into_iter()
        .for_each(|game| other.resume(game));
    let placed = batch.placed();
    let (one, other) = (batch.cut_off(), other.cut_off());
    let pieces: u64 = one.iter().chain(&other).map(|game| game.1.pieces).sum();
    assert_eq!((one.len() + other.len(), pieces), (160, placed));
}

#[test]
fn a_trajectory_at_play_is_not_let_loose_twice() {
    if !is_available() {
        return;
    }
    let bcts = linear(ids("bcts"), &BCTS_WEIGHTS, 10);
    let kernel = Kernel::new(&sized(10, 8), &shared(&bcts), GreedyOptions::default()).unwrap();
    let mut trajectories = Trajectories::new(&kernel, Heights);
    let start = trajectories.position_on(&sized(10, 8).empty_board());
    trajectories.put(3, &start, 1, Window::OPEN);
    let twice = AssertUnwindSafe(|| trajectories.resume(3, Window::OPEN));
    assert!(catch_unwind(twice).is_err());
}
