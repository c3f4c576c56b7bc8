//! The inputs of one tick.

use crate::moves::{INPUTS, Input};
use crate::rotation::Turn;

/// The inputs of one tick, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Inputs {
    pressed: u8,
    /// Whether a step to the side continues as far as possible.
    pub slide: bool,
}

impl Inputs {
    /// No inputs.
    pub const NONE: Inputs = Inputs {
        pressed: 0,
        slide: false,
    };

    /// These inputs plus one more.
    pub fn with(mut self, input: Input) -> Inputs {
        self.pressed |= 1 << input as u8;
        self
    }

    /// These inputs; `slide` sets whether steps to the side continue as far as possible.
    pub fn sliding(self, slide: bool) -> Inputs {
        Inputs { slide, ..self }
    }

    /// Whether the set contains an input.
    pub fn has(self, input: Input) -> bool {
        self.pressed >> input as u8 & 1 == 1
    }

    /// The inputs in order.
    pub fn iter(self) -> impl Iterator<Item = Input> {
        INPUTS.into_iter().filter(move |input| self.has(*input))
    }

    /// The turns in the set, in order.
    pub(super) fn turns(self) -> impl Iterator<Item = Turn> {
        let turns = [
            (Input::Clockwise, Turn::Clockwise),
            (Input::Counterclockwise, Turn::Counterclockwise),
            (Input::Half, Turn::Half),
        ];
        let pressed = turns.into_iter().filter(move |turn| self.has(turn.0));
        pressed.map(|turn| turn.1)
    }

    /// The inputs of both.
    pub fn and(self, other: Inputs) -> Inputs {
        Inputs {
            pressed: self.pressed | other.pressed,
            slide: self.slide || other.slide,
        }
    }

    /// Only those inputs that count for the next piece if they are pressed between two pieces.
    pub(super) fn initial(self) -> Inputs {
        let kept = [
            Input::Clockwise,
            Input::Counterclockwise,
            Input::Half,
            Input::Hold,
        ];
        let kept = kept.into_iter().filter(|input| self.has(*input));
        kept.fold(Inputs::NONE, Inputs::with)
    }
}

impl From<Option<Input>> for Inputs {
    fn from(input: Option<Input>) -> Inputs {
        input.map_or(Inputs::NONE, |input| Inputs::NONE.with(input))
    }
}

impl FromIterator<Input> for Inputs {
    fn from_iter<I: IntoIterator<Item = Input>>(inputs: I) -> Inputs {
        inputs.into_iter().fold(Inputs::NONE, Inputs::with)
    }
}
