//! Inputs: the key presses of one tick of a stepped game.

use std::fmt;

/// A key press. A tick has at most one of each kind; a [`Path`] has at most one per tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Input {
    /// One column to the left.
    Left,
    /// One column to the right.
    Right,
    /// A quarter turn clockwise.
    Clockwise,
    /// A quarter turn counter-clockwise.
    Counterclockwise,
    /// Half a turn, if the rotation system has it.
    Half,
    /// One row down (soft drop). A piece on the ground locks where the rules say so.
    Down,
    /// Down to the ground (hard drop, which locks, or sonic drop, which does not).
    Drop,
    /// Moves the piece into the hold; the held piece, or the next one, enters.
    Hold,
}

/// Every input, in the order of [`Input`].
pub const INPUTS: [Input; 8] = [
    Input::Left,
    Input::Right,
    Input::Clockwise,
    Input::Counterclockwise,
    Input::Half,
    Input::Down,
    Input::Drop,
    Input::Hold,
];

impl Input {
    /// The letter of the input in records: `l r c w h d D H`.
    pub fn letter(self) -> char {
        ['l', 'r', 'c', 'w', 'h', 'd', 'D', 'H'][self as usize]
    }

    /// The input with this letter.
    pub fn from_letter(letter: char) -> Option<Input> {
        INPUTS.into_iter().find(|input| input.letter() == letter)
    }
}

/// Inputs that bring a piece to its placement, tick by tick; in some ticks nothing is pressed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(pub Vec<Option<Input>>);

impl Path {
    /// Number of ticks.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no inputs.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The inputs, tick by tick.
    pub fn ticks(&self) -> impl Iterator<Item = Option<Input>> + '_ {
        self.0.iter().copied()
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = self.ticks().map(|input| input.map_or('.', Input::letter));
        letters
            .map(String::from)
            .try_for_each(|letter| f.write_str(&letter))
    }
}
