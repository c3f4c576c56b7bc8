//! When a piece on the ground locks.

use super::*;
use crate::stepped::Inputs;

/// A game with a single kind of piece and no gravity, with a lock rule and other settings.
fn still(piece: char, settings: &str, rows: &[&str]) -> SteppedGame {
    let spec = format!(
        "near-perfect-stepped(randomizer=fixed({piece},then=repeat),moves=stepped(gravity=none,hold=false,{settings}))"
    );
    game(&spec, rows)
}

fn to_the_ground(game: &mut SteppedGame) {
    while !game.falling().unwrap().is_grounded(game.board()) {
        press(game, "d");
    }
}

/// The tick, counted from now, in which the piece locks if these keys are pressed in turn; `None`
/// if it does not lock within 1000 ticks.
fn locks_in(game: &mut SteppedGame, keys: &str) -> Option<usize> {
    let keys: Vec<Inputs> = keys
        .chars()
        .map(|key| Input::from_letter(key).into())
        .collect();
    let mut ticks = keys.iter().cycle().take(1000);
    ticks
        .position(|&inputs| game.tick(inputs).locked.is_some())
        .map(|tick| tick + 1)
}

#[test]
fn a_piece_on_the_ground_locks_after_its_delay() {
    let mut game = game("near-perfect-stepped", &[]);
    to_the_ground(&mut game);
    // The tick in which it reached the ground counts too.
    assert_eq!(locks_in(&mut game, "."), Some(29));
}

#[test]
fn the_fifteenth_move_on_the_ground_locks_and_infinity_never_does() {
    let lasts = |lock: &str| {
        let mut game = still('T', &format!("lock={lock}"), &[]);
        to_the_ground(&mut game);
        locks_in(&mut game, "lr")
    };
    assert_eq!(lasts("step"), Some(29));
    assert_eq!(lasts("move"), Some(15), "at once, with 30 ticks left");
    assert_eq!(lasts("infinity"), None);
}

#[test]
fn moves_in_the_air_do_not_count_and_a_new_lowest_row_restarts_the_count() {
    let mut game = still('T', "lock=move", &["###....###"]);
    for _ in 0..20 {
        press(&mut game, "lr");
    }
    press(&mut game, "lll");
    to_the_ground(&mut game);
    assert_eq!(game.falling().unwrap().y, 1, "on the left ledge");
    // Thirteen moves on the ledge, three of which lead off it and down into the gap: nothing has
    // locked.
    press(&mut game, "rlrlrlrlrlrrr");
    assert_eq!(game.pieces(), 0);
    press(&mut game, "d");
    assert_eq!((game.falling().unwrap().y, game.pieces()), (0, 0));
    assert_eq!(locks_in(&mut game, "rl"), Some(15));
}

#[test]
fn every_row_that_a_piece_falls_restarts_the_delay() {
    for lock in ["step", "move"] {
        let mut game = still('I', &format!("lock={lock}"), &[]);
        // It is on the floor for 28 ticks, is turned so that it is two rows higher, and falls back.
        press(&mut game, "c");
        to_the_ground(&mut game);
        press(&mut game, "...........................");
        press(&mut game, "w");
        assert_eq!(game.falling().unwrap().y, 2, "{lock}");
        press(&mut game, "dd");
        assert!(game.falling().unwrap().is_grounded(game.board()), "{lock}");
        assert_eq!(locks_in(&mut game, "."), Some(29), "{lock}");
    }
}

#[test]
fn a_turn_alone_does_not_start_the_delay_of_step_reset_again() {
    let mut game = still('O', "lock=step", &[]);
    to_the_ground(&mut game);
    assert_eq!(locks_in(&mut game, "cw"), Some(29));
}
