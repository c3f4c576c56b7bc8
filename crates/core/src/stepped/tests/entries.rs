//! How pieces enter and are held.

use super::*;
use crate::deal::Status;
use crate::moves::{PathFinder, PathStart};
use crate::piece::Piece::{self, O, S, T};
use crate::piece::Rotation;

/// An empty board of 20 rows below a row with cells.
fn above_twenty(row: &'static str) -> Vec<&'static str> {
    let mut rows = vec![row];
    rows.extend([".........."; 20]);
    rows
}

fn falling_piece(game: &SteppedGame) -> Piece {
    game.falling().unwrap().piece
}

#[test]
fn a_piece_of_the_guideline_falls_by_a_row_as_it_enters() {
    let enters_in = |settings: &str, rows: &[&str]| {
        let game = game(
            &format!("guideline(randomizer=fixed(T,then=repeat){settings})"),
            rows,
        );
        (game.falling().unwrap().y, game.status())
    };
    let playing = Status::Playing;
    assert_eq!(enters_in("", &[]), (19, playing));
    let kept = ",moves=stepped(entry-drop=false)";
    assert_eq!(enters_in(kept, &[]), (20, playing));
    // A cell below it in row 19 blocks its fall, one in row 20 blocks its entry.
    let below = &above_twenty("....#.....")[..20];
    assert_eq!(enters_in("", below), (20, playing));
    let in_place = above_twenty("....#.....");
    assert_eq!(enters_in("", &in_place), (20, Status::Over));
    let is_barred = |rows: &[&str]| {
        let game = game("guideline", rows);
        game.move_rules().blocks_entry(game.board(), T)
    };
    assert_eq!([below, &in_place].map(is_barred), [false, true]);
    // Pieces of systems that enter in the visible rows do not fall on entry.
    let arika = ",moves=stepped(rotation=arika)";
    assert_eq!(enters_in(arika, &[]).0, 18);
}

#[test]
fn paths_begin_where_the_piece_has_fallen_to() {
    let mut cell = above_twenty("..........");
    cell[2] = ".....#....";
    let rows = &cell[1..];
    let spec = "guideline(randomizer=fixed(T,then=repeat))";
    let game = game(spec, rows);
    assert!(game.board().is_filled(18, 5));
    let falling = game.falling().unwrap();
    assert_eq!(falling, game.move_rules().entry(T, game.board()));
    assert_eq!(falling.y, 19);
    let (mut finder, mut placements) = (PathFinder::default(), Vec::new());
    finder.search(
        game.board(),
        game.move_rules(),
        PathStart::entering(falling),
    );
    finder.placements(game.board(), game.move_rules(), &mut placements);
    for &place in &placements {
        let path = game.path_to(place, &mut PathFinder::default()).unwrap();
        assert_eq!(game.clone().follow(&path).locked.unwrap().placement, place);
    }
}

#[test]
fn the_row_at_the_entry_scores_nothing() {
    // A hard drop from row 19 to the floor: 19 rows with two points each.
    let mut game = game("guideline(randomizer=fixed(T,then=repeat))", &[]);
    assert_eq!(press(&mut game, "D")[0].points, 38);
}

/// Plays one piece, and presses keys in the delay before the next one.
fn between(spec: &str, rows: &[&str], keys: &str) -> SteppedGame {
    let mut game = game(spec, rows);
    press(&mut game, "D");
    assert_eq!((game.pieces(), game.falling()), (1, None));
    press(&mut game, keys);
    game.wait();
    game
}

#[test]
fn turns_pressed_between_two_pieces_turn_the_next_one_as_it_enters() {
    let spec = "guideline(randomizer=fixed(T,then=repeat),moves=stepped(entry-delay=9))";
    let rotation = |keys| between(spec, &[], keys).falling().unwrap().rotation;
    assert_eq!(rotation(""), Rotation::North);
    assert_eq!(rotation("c"), Rotation::East);
    assert_eq!(rotation("w"), Rotation::West);
}

#[test]
fn a_hold_pressed_between_two_pieces_keeps_the_turn_that_was_pressed_with_it() {
    let spec = "guideline(randomizer=fixed(OTS,then=repeat),moves=stepped(entry-delay=9))";
    let game = between(spec, &[], "Hc");
    assert_eq!((game.held(), falling_piece(&game)), (Some(T), S));
    assert_eq!(game.falling().unwrap().rotation, Rotation::East);
    assert_eq!(game.after_hold(), None, "it has been used");
}

#[test]
fn a_turn_pressed_before_can_avert_the_end() {
    // The T enters in columns 3 to 5 of row 20; turned clockwise, it leaves column 3 free.
    let rows = above_twenty("...#......");
    let spec = |settings| {
        format!(
            "guideline(randomizer=fixed(OT,then=repeat),moves=stepped(entry-drop=false,entry-delay=9{settings}))"
        )
    };
    let lost = between(&spec(""), &rows, "");
    assert_eq!(lost.status(), Status::Over);
    let saved = between(&spec(""), &rows, "c");
    assert_eq!(saved.status(), Status::Playing);
    let falling = saved.falling().unwrap();
    assert_eq!(
        (falling.rotation, falling.x, falling.y),
        (Rotation::East, 4, 19)
    );
    // A hold can help too: the O that enters instead needs only columns 4 and 5.
    let held = "guideline(randomizer=fixed(OTO,then=repeat),moves=stepped(entry-delay=9))";
    let held = between(held, &rows, "H");
    assert_eq!((held.status(), falling_piece(&held)), (Status::Playing, O));
}

#[test]
fn the_last_piece_cannot_be_held() {
    let mut game = game("guideline(randomizer=fixed(T))", &[]);
    assert_eq!(game.after_hold(), None);
    press(&mut game, "H");
    assert_eq!((game.status(), game.held()), (Status::Playing, None));
    assert_eq!(falling_piece(&game), T);
    press(&mut game, "D");
    assert_eq!(game.status(), Status::OutOfPieces);
}

#[test]
fn neither_the_first_piece_nor_a_hold_raises_the_level_of_tgm() {
    let mut game = game("tgm3", &[]);
    assert_eq!(game.tally().level, 0);
    press(&mut game, "H");
    assert_eq!(game.tally().level, 0);
    press(&mut game, "Dd");
    game.wait();
    assert_eq!((game.pieces(), game.tally().level), (1, 1));
    press(&mut game, "H");
    assert_eq!(game.tally().level, 1);
}

#[test]
fn a_path_after_the_first_hold_is_right_where_the_next_level_is_faster() {
    // At level 232 of TGM, a T falls for the second time in tick 8, at level 233 in tick 6. With
    // its seventh step it reaches the top of a tower of 18 rows, if it is still in row 18.
    let spec = "guideline-16x40(randomizer=fixed(OT,then=repeat),moves=stepped(gravity=tgm,drop=none,score=tgm3,level=231))";
    let tower = ["...............#"; 18];
    let game = game(spec, &tower);
    let other = game.after_hold().unwrap();
    assert_eq!(other, T);
    let entry = game.move_rules().entry(other, game.board());
    let (mut finder, mut placements) = (PathFinder::default(), Vec::new());
    finder.search(game.board(), game.move_rules(), PathStart::entering(entry));
    finder.placements(game.board(), game.move_rules(), &mut placements);
    assert!(
        placements
            .iter()
            .any(|place| (place.x, place.y) == (13, 18))
    );
    for place in placements {
        let path = game.path_to(place, &mut finder.clone()).unwrap();
        let locked = game.clone().follow(&path).locked.unwrap();
        assert_eq!(locked.placement, place, "{path}");
    }
}

#[test]
fn an_invalid_setting_is_answered_with_the_valid_ones() {
    let problem = |moves: &str| {
        let spec = format!("guideline(moves=stepped({moves}))");
        ruleset(&spec.parse().unwrap(), &evaluator)
            .unwrap_err()
            .to_string()
    };
    for visible in ["visible=41", "visible=3"] {
        let text = problem(visible);
        assert!(text.contains("from 4 to 40"), "{text}");
    }
    let text = problem("rotation=foo");
    assert!(text.contains("there is no rotation system 'foo'"), "{text}");
    assert!(text.contains("super, arika, nintendo"), "{text}");
    let low = "guideline-10x4(moves=stepped(visible=20))".parse().unwrap();
    assert!(ruleset(&low, &evaluator).is_ok());
}
