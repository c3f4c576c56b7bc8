use super::*;
use crate::board::Board;
use crate::choice::GreedyOptions;
use crate::evaluators::testing::evaluator;
use crate::evaluators::{Evaluator, Linear};
use crate::game::{Game, Status};
use crate::kernel::Kernel;
use crate::moves::{MoveRules, PathFinder, PathStart};
use crate::outcomes::{DecisionContext, Outcomes, Scored};
use crate::piece::PIECES;
use crate::placement::Placement;
use crate::players::{Greedy, Player};
use crate::rng::Rng;
use crate::rotation::rotation_system;
use crate::rules::Rules;
use crate::ruleset::ruleset;
use crate::simd::is_available;
use std::sync::Arc;

/// A board with holes that open to the side.
fn cavernous(rng: &mut Rng) -> Board {
    let mut board = Board::new(10, 20).unwrap();
    for column in 0..10 {
        for row in 0..rng.below(13) as usize {
            if rng.below(5) > 1 {
                board.fill(row, column);
            }
        }
    }
    board.remove_full_rows();
    board
}

/// Checks all placements of a piece in a stepped game and returns them.
fn check(decision: &DecisionContext<'_>, set: &FeatureSet) -> Vec<Placement> {
    let (mut outcomes, mut matrix) = (Outcomes::default(), FeatureMatrix::default());
    let mut found = Vec::new();
    outcomes.generate(decision);
    loop {
        assert_eq!(outcomes.iter().len(), outcomes.len());
        set.fill(&mut outcomes, &mut matrix);
        for index in 0..outcomes.len() {
            let transition = outcomes.transition(index);
            let placement = outcomes.placement(index);
            let (board, lines) = (decision.board, decision.lines_before);
            let settled = decision.rules.step(board, placement, decision.next, lines);
            assert_eq!(transition.game_over, settled.game_over);
            assert_eq!(transition.cleared, settled.cleared);
            let values: Vec<f64> = matrix.rows().map(|row| row[index]).collect();
            assert_eq!(
                values,
                set.values(&transition),
                "{placement:?}\n{:?}",
                decision.board
            );
            found.push(placement);
        }
        if !outcomes.generate_more(decision) {
            return found;
        }
    }
}

#[test]
fn placements_of_stepped_games_are_rated_as_if_each_were_alone() {
    let mut rng = Rng::new(11);
    let features: Vec<&Feature> = FEATURES.iter().collect();
    let all = FeatureSet::new(features, 10);
    let classic = FeatureSet::new(feature_set("bcts").unwrap().resolve(), 10);
    let system = rotation_system(&"super".parse().unwrap()).unwrap();
    let move_rules = MoveRules::new(system, 18);
    let (mut finder, mut places) = (PathFinder::default(), Vec::new());
    let mut most = 0;
    for round in 0..120 {
        let board = cavernous(&mut rng);
        let decision = DecisionContext {
            board: &board,
            piece: PIECES[rng.below(7) as usize],
            rules: Rules::Stepped(&move_rules),
            next: Some(PIECES[rng.below(7) as usize]),
            scored: [Scored::AfterRemoval, Scored::BeforeRemoval][round % 2],
            lines_before: 3,
        };
        let start = PathStart::entering(move_rules.entry(decision.piece, &board));
        finder.search(&board, &move_rules, start);
        finder.placements(&board, &move_rules, &mut places);
        for set in [&all, &classic] {
            let mut found = check(&decision, set);
            let key = |place: &Placement| (place.rotation, place.x, place.y);
            found.sort_by_key(key);
            places.sort_by_key(key);
            assert_eq!(found, places);
        }
        most = most.max(places.len());
    }
    assert!(
        most > 45,
        "places beyond straight drops were among them: {most}"
    );
}

/// The feature that the tutorial adds.
static PEAKS: Feature = tutorial::PEAKS;

#[test]
fn a_new_feature_is_played_by_the_kernel() {
    let rules = ruleset(&"simplified-8x9".parse().unwrap(), &evaluator).unwrap();
    let holes = feature("holes").unwrap();
    let set = FeatureSet::new(vec![&PEAKS, holes], 8);
    let linear: Arc<dyn Evaluator> = Arc::new(Linear::new(set, vec![-1.5, -4.0]).unwrap());
    let options = GreedyOptions::default();
    let mut player = Greedy::new(linear.clone(), options);
    let Some(kernel) = Kernel::new(&rules, &linear, options) else {
        assert!(!is_available());
        return;
    };
    let seeds: Vec<u64> = (0..20).collect();
    let results = kernel.play(&seeds, Some(500), &mut |_, _| false);
    for (&seed, result) in seeds.iter().zip(results) {
        let mut game = Game::new(&rules, seed);
        while game.status() == Status::Playing && game.pieces() < 500 {
            game.apply(player.choose(&game.view()));
        }
        assert_eq!((game.pieces(), game.lines()), (result.pieces, result.lines));
    }
}

#[test]
fn every_feature_is_explained_on_an_example() {
    for feature in FEATURES {
        let step = feature_example(feature);
        let values = feature.values(&step);
        assert!(values.iter().any(|&value| value != 0.0), "{}", feature.id);
        let marked = feature.marked(&step);
        let is_constant = feature.id == "constant";
        assert_eq!(marked.cells.is_empty(), is_constant, "{}", feature.id);
        check_marks(feature, &step);
    }
}

#[test]
fn marked_cells_add_up_to_the_value() {
    let mut rng = Rng::new(3);
    for round in 0..60 {
        let board = cavernous(&mut rng);
        let piece = PIECES[rng.below(7) as usize];
        let mut outcomes = Outcomes::default();
        let mut decision = DecisionContext::simple(&board, piece);
        decision.scored = [Scored::AfterRemoval, Scored::BeforeRemoval][round % 2];
        outcomes.generate(&decision);
        let step = outcomes.transition(rng.below(outcomes.len() as u64) as usize);
        FEATURES
            .iter()
            .for_each(|feature| check_marks(feature, &step));
    }
}

fn check_marks(feature: &Feature, step: &Transition) {
    let marked = feature.marked(step);
    if marked.adds_up && feature.id != "constant" {
        let sum: f64 = marked.cells.iter().map(|cell| cell.count).sum();
        let value: f64 = feature.values(step).iter().sum();
        assert!(
            (sum - value).abs() < 1e-9,
            "{}: the marks add up to {sum}, the value is {value}\n{:?}",
            feature.id,
            marked.board
        );
    }
}
