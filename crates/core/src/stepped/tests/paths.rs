use super::*;
use crate::deal::{Deal, Status};
use crate::moves::{LockReset, LockRule, PathFinder, PathStart};
use crate::rng::Rng;
use crate::stepped::GravityCurve;
use std::sync::Arc;

/// A game at some level on a board with holes and overhangs; `None` if its first piece cannot
/// enter.
fn position(rng: &mut Rng, gravity: bool, short_delays: bool) -> Option<SteppedGame> {
    let spec = STEPPED_RULESETS[rng.below(6) as usize];
    let plain = rules(spec);
    let levels: &[usize] = match spec {
        "guideline" => &[1, 5, 9, 13, 15, 20],
        "nes" => &[0, 8, 13, 18, 19, 29],
        _ => &[0, 90, 160, 251, 420, 500],
    };
    let level = levels[rng.below(6) as usize];
    let mut rules = (**plain.stepped().unwrap()).clone();
    rules.move_rules.pace.first = level as u32;
    if !gravity {
        rules.move_rules.pace.curve = GravityCurve::None;
    }
    if short_delays {
        let resets = [LockReset::Step, LockReset::Move, LockReset::Infinity];
        rules.move_rules.lock = LockRule::Delay {
            ticks: rng.below(12) as u16,
            reset: resets[rng.below(3) as usize],
        };
    }
    let mut board = plain.empty_board();
    let most = [3, 8, 14][rng.below(3) as usize];
    for column in 0..plain.width {
        for row in 0..rng.below(most) as usize {
            if rng.below(4) > 0 {
                board.fill(row, column);
            }
        }
    }
    let (rules, seed) = (Arc::new(rules), rng.below(1000));
    let deal = Deal::new(plain.randomizer(), seed, None);
    let game = SteppedGame::new(rules, board, plain.preview, deal);
    (game.status() == Status::Playing).then_some(game)
}

fn replay(positions: usize, seed: u64, gravity: bool, short_delays: bool) {
    let mut rng = Rng::new(seed);
    let (mut finder, mut other, mut placements) =
        (PathFinder::default(), PathFinder::default(), Vec::new());
    let (mut played, mut count) = (0, 0);
    while played < positions {
        let Some(game) = position(&mut rng, gravity, short_delays) else {
            continue;
        };
        played += 1;
        let start = PathStart::entering(game.falling().unwrap());
        finder.search(game.board(), game.move_rules(), start);
        finder.placements(game.board(), game.move_rules(), &mut placements);
        assert!(!placements.is_empty());
        let mut alone = Vec::new();
        other.search_placements(game.board(), game.move_rules(), start);
        other.placements(game.board(), game.move_rules(), &mut alone);
        assert_eq!(alone, placements);
        for &place in &placements {
            let path = game.path_to(place, &mut other).unwrap();
            let locked = game.clone().follow(&path).locked.unwrap();
            assert_eq!(
                locked.placement,
                place,
                "{path} {:?}\n{:?}",
                game.move_rules().gravity,
                game.board()
            );
            count += 1;
        }
    }
    assert!(
        count > if short_delays { 5 } else { 10 } * positions,
        "{count} placements of {positions} positions"
    );
}

#[test]
fn paths_end_in_their_places_without_gravity() {
    replay(300, 1, false, false);
}

#[test]
fn paths_end_in_their_places_under_gravity() {
    replay(300, 2, true, false);
}

#[test]
fn paths_end_in_their_places_under_short_lock_delays() {
    replay(200, 5, false, true);
    replay(200, 6, true, true);
}

/// The complete test: `cargo test -p tetrolab-core --lib ten_thousand_positions -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn paths_end_in_their_places_from_ten_thousand_positions() {
    replay(10_000, 3, false, false);
    replay(10_000, 4, true, false);
    replay(10_000, 7, false, true);
    replay(10_000, 8, true, true);
}
