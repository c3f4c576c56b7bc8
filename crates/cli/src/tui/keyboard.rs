//! Keys that are pressed and held, as inputs of each tick.

use ratatui::crossterm::event::KeyEventKind;
use std::collections::VecDeque;
use tetrolab::core::moves::Input;
use tetrolab::core::stepped::{InputHandler, InputSettings, Inputs};

/// The most presses that wait for their tick: what was pressed long ago is not meant any more.
const MOST_WAITING: usize = 8;

/// The keys of the game.
pub(crate) struct Keyboard {
    handler: InputHandler,
    /// Whether the terminal tells when a key is let go. If it does not, it repeats keys that are held, and each repetition counts as a press.
    tells_releases: bool,
    held: Inputs,
    /// Pressed since the last tick, perhaps let go already.
    pressed: Inputs,
    waiting: VecDeque<Input>,
}

impl Keyboard {
    pub(crate) fn new(settings: InputSettings) -> Keyboard {
        Keyboard {
            handler: InputHandler::new(settings),
            tells_releases: false,
            held: Inputs::NONE,
            pressed: Inputs::NONE,
            waiting: VecDeque::new(),
        }
    }

    pub(crate) fn set_tells_releases(&mut self, tells: bool) {
        self.tells_releases = tells;
    }

    /// A key of the game was pressed, repeated by the terminal, or let go; `is_told` says whether the terminal would tell that this key is let go, if it tells
    /// that of any.
    pub(crate) fn key(&mut self, input: Input, kind: KeyEventKind, is_told: bool) {
        match (kind, self.tells_releases && is_told) {
            (KeyEventKind::Release, _) => {
                let others = self.held.iter().filter(|other| *other != input);
                self.held = others.collect();
            }
            (KeyEventKind::Repeat, true) => (),
            (_, true) => {
                self.held = self.held.with(input);
                self.pressed = self.pressed.with(input);
            }
            (_, false) => {
                if self.waiting.len() < MOST_WAITING {
                    self.waiting.push_back(input);
                }
            }
        }
    }

    /// The inputs of the next tick.
    pub(crate) fn tick(&mut self) -> Inputs {
        let down = self.held.and(std::mem::take(&mut self.pressed));
        let mut inputs = self.handler.tick(down);
        while let Some(&input) = self.waiting.front() {
            // One of a kind in a tick; and a drop ends what was pressed before it.
            if inputs.has(input) || inputs.has(Input::Drop) {
                break;
            }
            inputs = inputs.with(input);
            self.waiting.pop_front();
        }
        inputs
    }

    /// Forgets what is held and pressed.
    pub(crate) fn clear(&mut self) {
        self.held = Inputs::NONE;
        self.pressed = Inputs::NONE;
        self.waiting.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_is_held_repeats_after_the_delay_where_releases_are_told() {
        let mut keyboard = Keyboard::new(InputSettings::GUIDELINE);
        keyboard.set_tells_releases(true);
        keyboard.key(Input::Left, KeyEventKind::Press, true);
        let ticks: Vec<bool> = (0..14).map(|_| keyboard.tick().has(Input::Left)).collect();
        let pressed: Vec<usize> = (0..14).filter(|&tick| ticks[tick]).collect();
        assert_eq!(pressed, [0, 10, 12]);
        keyboard.key(Input::Left, KeyEventKind::Release, true);
        assert_eq!(keyboard.tick(), Inputs::NONE);
    }

    #[test]
    fn a_short_press_between_two_ticks_counts() {
        let mut keyboard = Keyboard::new(InputSettings::GUIDELINE);
        keyboard.set_tells_releases(true);
        keyboard.key(Input::Clockwise, KeyEventKind::Press, true);
        keyboard.key(Input::Clockwise, KeyEventKind::Release, true);
        assert!(keyboard.tick().has(Input::Clockwise));
        assert_eq!(keyboard.tick(), Inputs::NONE);
    }

    #[test]
    fn a_key_whose_release_is_never_told_counts_at_every_press() {
        let mut keyboard = Keyboard::new(InputSettings::GUIDELINE);
        keyboard.set_tells_releases(true);
        for _ in 0..2 {
            keyboard.key(Input::Drop, KeyEventKind::Press, false);
            assert!(keyboard.tick().has(Input::Drop));
            assert_eq!(keyboard.tick(), Inputs::NONE);
        }
    }

    #[test]
    fn without_releases_every_press_counts_once_one_of_a_kind_in_a_tick() {
        let mut keyboard = Keyboard::new(InputSettings::GUIDELINE);
        for input in [Input::Left, Input::Left, Input::Drop, Input::Left] {
            keyboard.key(input, KeyEventKind::Press, true);
        }
        let letters = |inputs: Inputs| inputs.iter().map(Input::letter).collect::<String>();
        let ticks: Vec<String> = (0..4).map(|_| letters(keyboard.tick())).collect();
        assert_eq!(ticks, ["l", "lD", "l", ""]);
    }
}
