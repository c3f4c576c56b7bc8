use super::*;
use crate::deal::Status;
use crate::stepped::{InputHandler, InputSettings, Inputs};

#[test]
fn a_hold_is_possible_once_per_piece() {
    let mut game = game("guideline", &[]);
    let first = game.falling().unwrap().piece;
    let second = game.queue()[0];
    press(&mut game, "H");
    assert_eq!(
        (game.held(), game.falling().unwrap().piece),
        (Some(first), second)
    );
    press(&mut game, "H");
    assert_eq!(game.falling().unwrap().piece, second, "not twice");
    assert_eq!(game.queue().len(), 5);
    press(&mut game, "DH");
    assert_eq!(game.falling().unwrap().piece, first);
}

#[test]
fn a_row_at_level_1_falls_every_sixty_ticks_the_first_one_too() {
    let mut game = game("guideline", &[]);
    let falls = (1..=180).filter(|_| {
        let before = game.falling().unwrap().y;
        game.tick(Inputs::NONE);
        game.falling().unwrap().y < before
    });
    assert_eq!(falls.collect::<Vec<_>>(), [60, 120, 180]);
}

#[test]
fn garbage_rises_after_a_piece_that_clears_nothing() {
    let mut game = game("guideline", &[]);
    game.add_garbage(3);
    game.add_garbage(3);
    press(&mut game, "D");
    assert_eq!(game.waiting_garbage(), 0);
    let rows = game.board().to_rows();
    assert_eq!(rows[38..], ["###.######", "###.######"]);
    assert_eq!(
        game.board()
            .columns()
            .iter()
            .map(|c| c.count_ones())
            .sum::<u32>(),
        18 + 4
    );
}

#[test]
fn a_stack_in_the_way_of_the_next_piece_ends_the_game() {
    for spec in STEPPED_RULESETS {
        let mut game = begin(&rules(spec), 3);
        let mut pieces = 0;
        while game.status() == Status::Playing {
            let ticked = game.tick(Some(Input::Drop).into());
            let down = game.tick(Some(Input::Down).into());
            pieces += u32::from(ticked.locked.is_some()) + u32::from(down.locked.is_some());
            assert!(pieces < 60, "{spec}");
        }
        assert_eq!(game.status(), Status::Over, "{spec}");
    }
}

#[test]
fn held_keys_repeat_after_a_delay() {
    let mut handler = InputHandler::new(InputSettings {
        shift_delay: 4,
        shift_repeat: 2,
        down_repeat: 3,
    });
    let held: Inputs = [Input::Left, Input::Down, Input::Clockwise]
        .into_iter()
        .collect();
    let pressed: Vec<Inputs> = (0..10).map(|_| handler.tick(held)).collect();
    let ticks = |input: Input| -> Vec<usize> {
        let has = pressed
            .iter()
            .enumerate()
            .filter(|(_, inputs)| inputs.has(input));
        has.map(|(tick, _)| tick).collect()
    };
    assert_eq!(ticks(Input::Left), [0, 4, 6, 8]);
    assert_eq!(ticks(Input::Down), [0, 3, 6, 9]);
    assert_eq!(ticks(Input::Clockwise), [0]);
    // The key pressed last wins; when it is released, the other one starts again.
    let both = held.with(Input::Right);
    assert!(handler.tick(both).has(Input::Right));
    assert!(handler.tick(held).has(Input::Left));
}

#[test]
fn without_a_repeat_time_a_piece_slides_to_the_wall() {
    let settings = InputSettings {
        shift_delay: 2,
        shift_repeat: 0,
        ..InputSettings::GUIDELINE
    };
    let mut handler = InputHandler::new(settings);
    let mut game = game("guideline", &[]);
    for _ in 0..3 {
        let inputs = handler.tick(Some(Input::Left).into());
        game.tick(inputs);
    }
    assert_eq!(game.falling().unwrap().x, 0);
}
