//! Decisions by any features against the general path.

use super::*;
use crate::ends::ENDS;
use crate::evaluators::Displaced;
use crate::evaluators::testing::evaluator as no_names;
use crate::features::{FEATURE_SETS, FEATURES, Feature};
use crate::moves::placements;
use crate::outcomes::MAX_OUTCOMES;

/// Some features: a named set, or an arbitrary selection.
fn any_features(rng: &mut Rng, round: u64) -> Vec<&'static Feature> {
    if round.is_multiple_of(3) {
        let sets = FEATURE_SETS.len() as u64;
        return FEATURE_SETS[(round / 3 % sets) as usize].resolve();
    }
    let mut some: Vec<&'static Feature> = Vec::new();
    for _ in 0..=rng.below(7) {
        let feature = &FEATURES[rng.below(FEATURES.len() as u64) as usize];
        if some.iter().all(|other| other.id != feature.id) {
            some.push(feature);
        }
    }
    some
}

/// A placement game of any size with any rules.
fn any_ruleset(rng: &mut Rng) -> Ruleset {
    let randomizers = [
        "uniform",
        "bag",
        "nes",
        "tgm",
        "weighted(S=3,Z=2.5,O=0)",
        "fixed(ITSZ)",
        "fixed(TSZOLJ,then=repeat)",
    ];
    let known: Vec<&str> = (randomizers.iter().copied())
        .filter(|name| {
            let spec = format!("simplified-10x20(randomizer={name})");
            ruleset(&spec.parse().unwrap(), &no_names).is_ok()
        })
        .collect();
    let end = ENDS[rng.below(ENDS.len() as u64) as usize].id;
    let (width, height) = (4 + rng.below(13), 4 + rng.below(37));
    let randomizer = known[rng.below(known.len() as u64) as usize];
    let preview = rng.below(2);
    let spec =
        format!("simplified-{width}x{height}(randomizer={randomizer},preview={preview},end={end})");
    ruleset(&spec.parse().unwrap(), &no_names).unwrap()
}

fn any_options(rng: &mut Rng) -> GreedyOptions {
    GreedyOptions {
        may_lose: rng.below(4) == 0,
        scored: [Scored::AfterRemoval, Scored::BeforeRemoval][rng.below(2) as usize],
        ties: any_ties(rng),
    }
}

/// An evaluator of any form with weights of many kinds.
fn any_evaluator(rng: &mut Rng, round: u64, features: FeatureSet) -> Arc<dyn Evaluator> {
    let len = features.len();
    let weights = weights(rng, round, len);
    let some = |rng: &mut Rng| (0..len).map(|_| normal(rng)).collect::<Vec<f64>>();
    match rng.below(6) {
        0 => Arc::new(Displaced::exponential(features, &weights, &some(rng)).unwrap()),
        1 => Arc::new(Displaced::new(features, &weights, &some(rng), &some(rng)).unwrap()),
        _ => Arc::new(Linear::new(features, weights).unwrap()),
    }
}

/// Plays games of random players under random rules; returns how many had a kernel.
fn compare_any(rounds: u64, pieces: u64) -> u64 {
    let mut rng = Rng::new(31);
    let mut served = 0;
    for round in 0..rounds {
        let rules = any_ruleset(&mut rng);
        let options = any_options(&mut rng);
        let features = FeatureSet::new(any_features(&mut rng, round), rules.width);
        let ids: Vec<&str> = features.features().iter().map(|one| one.id).collect();
        let evaluator = any_evaluator(&mut rng, round, features);
        let Some(kernel) = Kernel::new(&rules, &evaluator, options) else {
            continue;
        };
        served += 1;
        let seeds: Vec<u64> = (0..9).map(|seed| 100 * round + seed).collect();
        let results = kernel.play(&seeds, Some(pieces), &mut |_, _| false);
        let mut player = Greedy::new(evaluator.clone(), options);
        for (&seed, result) in seeds.iter().zip(results) {
            let expected = general(&rules, &mut player, seed, pieces);
            assert_eq!(
                result, expected,
                "{} {options:?} {ids:?} {evaluator:?} {seed}",
                rules.name
            );
        }
    }
    served
}

#[test]
fn any_player_under_any_rules_plays_the_same_games() {
    if is_available() {
        let served = compare_any(300, 120);
        assert!(served > 200, "{served}");
    }
}

#[test]
fn any_two_piece_player_plays_the_same_games() {
    if !is_available() {
        return;
    }
    let (mut rng, mut served) = (Rng::new(37), 0);
    for round in 0..40 {
        let rules = any_ruleset(&mut rng);
        let options = any_options(&mut rng);
        let features = FeatureSet::new(any_features(&mut rng, round), rules.width);
        let ids: Vec<&str> = features.features().iter().map(|one| one.id).collect();
        let evaluator = any_evaluator(&mut rng, round, features);
        let (dealing, limits) = (Dealing::ByChance, SearchLimits::exact(2));
        let mut player = LookaheadPlayer::new(&rules, evaluator.clone(), options, dealing, limits);
        let Some(kernel) = player.kernel(&rules) else {
            continue;
        };
        served += 1;
        player.allow_kernel(false);
        let seeds: Vec<u64> = (0..9).map(|seed| 100 * round + seed).collect();
        let results = kernel.play(&seeds, Some(20), &mut |_, _| false);
        for (&seed, result) in seeds.iter().zip(results) {
            let expected = general(&rules, &mut player, seed, 20);
            let name = &rules.name;
            assert_eq!(result, expected, "{name} {options:?} {ids:?} {seed}");
        }
    }
    assert!(served > 20, "{served}");
}

/// All that [`PlacementFeatures`] writes about one board.
fn observed(
    measured: &mut PlacementFeatures,
    number: usize,
    board: &ObservedBoard<'_>,
) -> Observed {
    let numbers = measured.numbers();
    let (mut features, mut lines, mut over) = (
        vec![-1.0; MAX_OUTCOMES * numbers],
        vec![9; MAX_OUTCOMES],
        vec![9; MAX_OUTCOMES],
    );
    let rows = PlacementRows {
        features: &mut features,
        lines: &mut lines,
        over: &mut over,
    };
    let count = measured.write(number, board, rows);
    // NaN equals NaN: the bits are compared.
    let features = features.iter().map(|value: &f32| value.to_bits()).collect();
    (count, features, lines, over)
}

type Observed = (usize, Vec<u32>, Vec<u8>, Vec<i8>);

#[test]
fn measured_placements_are_those_of_the_general_path() {
    let mut rng = Rng::new(81);
    for round in 0..60 {
        let rules = any_ruleset(&mut rng);
        let set = FeatureSet::new(any_features(&mut rng, round), rules.width);
        let mut together = PlacementFeatures::new(&rules, &set).unwrap();
        let mut alone = PlacementFeatures::new(&rules, &set).unwrap().one_by_one();
        let mut games: Vec<Game> = (0..8).map(|seed| Game::new(&rules, seed)).collect();
        for step in 0..40 {
            for piece in PIECES {
                let waits = |game: &&Game| {
                    game.status() == Status::Playing && game.waiting_pieces()[0] == piece
                };
                let boards: Vec<ObservedBoard<'_>> = games
                    .iter()
                    .filter(waits)
                    .map(|game| ObservedBoard {
                        board: game.board(),
                        next: game.waiting_pieces().get(1).copied(),
                        lines: game.lines(),
                    })
                    .collect();
                if boards.is_empty() {
                    continue;
                }
                together.measure(piece, &boards);
                alone.measure(piece, &boards);
                for (number, board) in boards.iter().enumerate() {
                    let expected = observed(&mut alone, number, board);
                    let found = observed(&mut together, number, board);
                    assert_eq!(found, expected, "{} {set:?} {:?}", rules.name, board.board);
                }
            }
            for game in games
                .iter_mut()
                .filter(|game| game.status() == Status::Playing)
            {
                let all = placements(game.board(), game.waiting_pieces()[0]);
                // Low ones most of the time, so that rows are completed too.
                let low = all.iter().min_by_key(|place| place.y);
                let any = all[rng.below(all.len() as u64) as usize];
                game.place(if step % 4 == 0 { any } else { *low.unwrap() });
            }
        }
    }
}
