//! Decisions with any features against the general path, where terms exceed the range of floats or
//! cancel.

use super::*;
use crate::choice::{BestPlacement, Choice, Replies, ReplyRequest, SearchNode, SearchRules};
use crate::evaluators::Displaced;
use crate::rules::Rules;

/// An evaluator of powers: feature, weight, displacement and exponent of each term.
fn powers(terms: &[(&str, f64, f64, f64)]) -> Arc<dyn Evaluator> {
    let features = terms.iter().map(|term| feature(term.0).unwrap()).collect();
    let [weights, displacements, exponents]: [Vec<f64>; 3] = [
        terms.iter().map(|term| term.1).collect(),
        terms.iter().map(|term| term.2).collect(),
        terms.iter().map(|term| term.3).collect(),
    ];
    let features = FeatureSet::new(features, 10);
    Arc::new(Displaced::new(features, &weights, &displacements, &exponents).unwrap())
}

/// Evaluators whose terms exceed the range of 32-bit or 64-bit floats if one row is completed, in
/// one direction or in both.
fn overflowing() -> Vec<Arc<dyn Evaluator>> {
    let mut all = Vec::new();
    for exponent in [-7.0, -60.0] {
        for [first, last] in [[1.0, 0.0], [-1.0, 0.0], [1.0, -1.0]] {
            all.push(powers(&[
                ("lines_cleared", first, 1.0, exponent),
                ("holes", -3.25, 0.0, 1.0),
                ("bumpiness", -1.5, 0.0, 1.0),
                ("any_line", last, 1.0, exponent),
            ]));
        }
    }
    all
}

fn shown(preview: usize) -> Ruleset {
    let spec = format!("simplified-10x20(preview={preview})");
    ruleset(&spec.parse().unwrap(), &|_, _| unreachable!()).unwrap()
}

/// Plays games with a kernel and on the general path.
fn compare_games(kernel: &Kernel, rules: &Ruleset, player: &mut dyn Player, pieces: u64) {
    let seeds: Vec<u64> = (0..9).collect();
    let results = kernel.play(&seeds, Some(pieces), &mut |_, _| false);
    for (&seed, result) in seeds.iter().zip(results) {
        let expected = general(rules, player, seed, pieces);
        assert_eq!(result, expected, "{seed}");
    }
}

#[test]
fn landings_beyond_the_range_of_floats_are_decided_as_on_the_general_path() {
    if !is_available() {
        return;
    }
    let (rules, options) = (shown(0), GreedyOptions::default());
    for evaluator in overflowing() {
        let kernel = Kernel::new(&rules, &evaluator, options).unwrap();
        compare_games(&kernel, &rules, &mut Greedy::new(evaluator, options), 150);
    }
}

#[test]
fn first_placements_that_score_minus_infinity_are_not_followed() {
    if !is_available() {
        return;
    }
    let (dealing, limits) = (Dealing::ByChance, SearchLimits::exact(2));
    for (preview, pieces) in [(0, 25), (1, 60)] {
        let (rules, options) = (shown(preview), GreedyOptions::default());
        for evaluator in overflowing() {
            let mut player = LookaheadPlayer::new(&rules, evaluator, options, dealing, limits);
            let kernel = player.kernel(&rules).unwrap();
            player.allow_kernel(false);
            compare_games(&kernel, &rules, &mut player, pieces);
        }
    }
}

#[test]
fn landing_terms_that_cancel_are_compared_as_on_the_general_path() {
    if !is_available() {
        return;
    }
    let (rules, options) = (shown(0), GreedyOptions::default());
    let evaluator = powers(&[
        ("lines_cleared", 1000.0, 0.0, -2.0),
        ("holes", -0.23, 0.0, 1.0),
        ("bumpiness", -0.071, 0.0, 1.0),
        ("landing_height", -0.043, 0.0, 1.0),
        ("any_line", -1000.0, 0.0, -2.0),
    ]);
    let kernel = Kernel::new(&rules, &evaluator, options).unwrap();
    compare_games(&kernel, &rules, &mut Greedy::new(evaluator, options), 150);
}

/// The best placements of every piece on boards with this many rows, in games with this many lines:
/// with a kernel for 10x20 boards, and on the general path.
fn compare_replies(evaluator: &Arc<dyn Evaluator>, height: usize, lines: u64) {
    let (mut rng, options) = (Rng::new(5), GreedyOptions::default());
    let nodes: Vec<SearchNode> = (0..60)
        .map(|_| SearchNode {
            board: random_board(&mut rng, 10, height),
            lines,
            level: 0,
        })
        .collect();
    let asked = |node: usize| {
        PIECES.map(|piece| ReplyRequest {
            node,
            piece,
            next: None,
        })
    };
    let requests: Vec<ReplyRequest> = (0..nodes.len()).flat_map(asked).collect();
    let rules = Rules::Drops(End::ABOVE_TOP);
    let find = |replies: &mut dyn Replies| {
        let mut found = Vec::new();
        let rules = &mut SearchRules::new(rules);
        replies.find_all(rules, &nodes, &requests, &mut found);
        found
    };
    let mut together = RepliesTogether::new(&sized(10, 20), evaluator, options).unwrap();
    let mut one_by_one = BestPlacement::new(evaluator.clone(), options);
    let key = |choice: &Choice| (choice.placement, choice.score, choice.game_over);
    for (choice, expected) in find(&mut together).iter().zip(find(&mut one_by_one)) {
        assert_eq!(key(choice), key(&expected));
    }
}

#[test]
fn large_terms_of_the_landing_and_the_game_that_cancel_do_not_hide_small_ones() {
    if is_available() {
        let ids = ["constant", "total_lines", "holes", "landing_height"];
        let evaluator = linear(&ids, &[-2e9, 1000.0, -7.3, -1.9], 10);
        compare_replies(&shared(&evaluator), 20, 2_000_000);
    }
}

#[test]
fn boards_of_another_height_are_answered_on_the_general_path() {
    if is_available() {
        let evaluator = linear(
            &["holes", "bumpiness", "landing_height"],
            &[-4.0, -1.0, -1.5],
            10,
        );
        compare_replies(&shared(&evaluator), 8, 0);
    }
}
