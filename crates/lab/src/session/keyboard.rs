//! Converts pressed and held keys to the inputs of each tick.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use tetrolab_core::moves::Input;
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::stepped::{GravityCurve, InputHandler, InputSettings, Inputs};

/// The maximum number of presses that wait for their tick; older ones are dropped.
const MOST_WAITING: usize = 8;

/// A key event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeyStroke {
    /// The key was pressed; its release will be reported.
    Press,
    /// The key was pressed; its release is never reported, so each press counts once.
    Tap,
    /// The key was released.
    Release,
}

/// How keys repeat in games of this kind.
pub fn usual_keys(ruleset: &Ruleset) -> InputSettings {
    match ruleset.stepped().map(|rules| rules.move_rules.pace.curve) {
        Some(GravityCurve::Nes) => InputSettings::NES,
        Some(GravityCurve::Tgm) => InputSettings::TGM,
        _ => InputSettings::GUIDELINE,
    }
}

/// The keys of the game.
pub struct Keyboard {
    handler: InputHandler,
    held: Inputs,
    /// Keys pressed since the last tick, possibly released already.
    pressed: Inputs,
    waiting: VecDeque<Input>,
}

impl Keyboard {
    /// Keys that repeat according to the settings.
    pub fn new(settings: InputSettings) -> Keyboard {
        Keyboard {
            handler: InputHandler::new(settings),
            held: Inputs::NONE,
            pressed: Inputs::NONE,
            waiting: VecDeque::new(),
        }
    }

    /// Handles a stroke of the key for an input.
    pub fn key(&mut self, input: Input, stroke: KeyStroke) {
        match stroke {
            KeyStroke::Press => {
                self.held = self.held.with(input);
                self.pressed = self.pressed.with(input);
            }
            KeyStroke::Tap if self.waiting.len() < MOST_WAITING => self.waiting.push_back(input),
            KeyStroke::Tap => (),
            KeyStroke::Release => {
                let others = self.held.iter().filter(|other| *other != input);
                self.held = others.collect();
            }
        }
    }

    /// The inputs of the next tick.
    pub fn tick(&mut self) -> Inputs {
        let down = self.held.and(std::mem::take(&mut self.pressed));
        let mut inputs = self.handler.tick(down);
        while let Some(&input) = self.waiting.front() {
            // At most one input of each kind per tick; a drop discards earlier presses.
            if inputs.has(input) || inputs.has(Input::Drop) {
                break;
            }
            inputs = inputs.with(input);
            self.waiting.pop_front();
        }
        inputs
    }

    /// Discards all keys.
    pub fn clear(&mut self) {
        self.held = Inputs::NONE;
        self.pressed = Inputs::NONE;
        self.waiting.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_is_held_repeats_after_the_delay_where_releases_are_reported() {
        let mut keyboard = Keyboard::new(InputSettings::GUIDELINE);
        keyboard.key(Input::Left, KeyStroke::Press);
        let ticks: Vec<bool> = (0..14).map(|_| keyboard.tick().has(Input::Left)).collect();
        let pressed: Vec<usize> = (0..14).filter(|&tick| ticks[tick]).collect();
        assert_eq!(pressed, [0, 10, 12]);
        keyboard.key(Input::Left, KeyStroke::Release);
        assert_eq!(keyboard.tick(), Inputs::NONE);
    }

    #[test]
    fn a_short_press_between_two_ticks_counts() {
        let mut keyboard = Keyboard::new(InputSettings::GUIDELINE);
        keyboard.key(Input::Clockwise, KeyStroke::Press);
        keyboard.key(Input::Clockwise, KeyStroke::Release);
        assert!(keyboard.tick().has(Input::Clockwise));
        assert_eq!(keyboard.tick(), Inputs::NONE);
    }

    #[test]
    fn a_tap_counts_at_every_press() {
        let mut keyboard = Keyboard::new(InputSettings::GUIDELINE);
        for _ in 0..2 {
            keyboard.key(Input::Drop, KeyStroke::Tap);
            assert!(keyboard.tick().has(Input::Drop));
            assert_eq!(keyboard.tick(), Inputs::NONE);
        }
    }

    #[test]
    fn taps_count_once_one_of_a_kind_in_a_tick() {
        let mut keyboard = Keyboard::new(InputSettings::GUIDELINE);
        for input in [Input::Left, Input::Left, Input::Drop, Input::Left] {
            keyboard.key(input, KeyStroke::Tap);
        }
        let letters = |inputs: Inputs| inputs.iter().map(Input::letter).collect::<String>();
        let ticks: Vec<String> = (0..4).map(|_| letters(keyboard.tick())).collect();
        assert_eq!(ticks, ["l", "lD", "l", ""]);
    }
}
