//! Converts held keys to the inputs of each tick: delayed auto-shift and auto-repeat.

use super::Inputs;
use crate::moves::{INPUTS, Input};

/// How keys repeat while they are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputSettings {
    /// Ticks between the press of left or right and its first repetition (DAS).
    pub shift_delay: u16,
    /// Ticks between repetitions (ARR); 0 moves the piece as far as possible immediately.
    pub shift_repeat: u16,
    /// Ticks between rows while down is held.
    pub down_repeat: u16,
}

impl InputSettings {
    /// As in most guideline games: 10 ticks, then every 2 ticks; down repeats every 2 ticks.
    pub const GUIDELINE: InputSettings = InputSettings {
        shift_delay: 10,
        shift_repeat: 2,
        down_repeat: 2,
    };
    /// As on the NES: 16 ticks, then every 6 ticks; down repeats every 2 ticks.
    pub const NES: InputSettings = InputSettings {
        shift_delay: 16,
        shift_repeat: 6,
        down_repeat: 2,
    };
    /// As in TGM: 15 ticks, then every tick; down repeats every tick.
    pub const TGM: InputSettings = InputSettings {
        shift_delay: 15,
        shift_repeat: 1,
        down_repeat: 1,
    };
}

/// Converts the keys held in each tick to inputs. If both left and right are held, the one pressed
/// last takes effect.
#[derive(Clone, Copy, Debug)]
pub struct InputHandler {
    settings: InputSettings,
    held: Inputs,
    side: Option<Input>,
    side_ticks: u16,
    down_ticks: u16,
}

impl InputHandler {
    /// Starts without held keys.
    pub fn new(settings: InputSettings) -> InputHandler {
        InputHandler {
            settings,
            held: Inputs::NONE,
            side: None,
            side_ticks: 0,
            down_ticks: 0,
        }
    }

    /// The inputs of a tick during which these keys are held.
    pub fn tick(&mut self, held: Inputs) -> Inputs {
        let is_new = |input: Input| held.has(input) && !self.held.has(input);
        let fresh: Inputs = INPUTS.into_iter().filter(|&input| is_new(input)).collect();
        self.held = held;
        let repeated = [Input::Left, Input::Right, Input::Down];
        let pressed = fresh.iter().filter(|input| !repeated.contains(input));
        let pressed: Inputs = pressed.collect();
        pressed.and(self.shift(fresh)).and(self.down(fresh))
    }

    fn shift(&mut self, fresh: Inputs) -> Inputs {
        let sides = [Input::Left, Input::Right];
        let new = sides.into_iter().find(|side| fresh.has(*side));
        let still = self.side.filter(|side| self.held.has(*side));
        let other = sides.into_iter().find(|side| self.held.has(*side));
        let side = new.or(still).or(other);
        if side != self.side || new.is_some() {
            self.side = side;
            self.side_ticks = 0;
            return side.into();
        }
        let Some(side) = side else {
            return Inputs::NONE;
        };
        self.side_ticks = self.side_ticks.saturating_add(1);
        let Some(over) = self.side_ticks.checked_sub(self.settings.shift_delay) else {
            return Inputs::NONE;
        };
        let slide = self.settings.shift_repeat == 0;
        if slide || over % self.settings.shift_repeat == 0 {
            Inputs::from(Some(side)).sliding(slide)
        } else {
            Inputs::NONE
        }
    }

    fn down(&mut self, fresh: Inputs) -> Inputs {
        if !self.held.has(Input::Down) {
            return Inputs::NONE;
        }
        if fresh.has(Input::Down) {
            self.down_ticks = 0;
        }
        let repeats = self
            .down_ticks
            .is_multiple_of(self.settings.down_repeat.max(1));
        self.down_ticks = self.down_ticks.wrapping_add(1);
        repeats.then_some(Input::Down).into()
    }
}
