//! The stepped game, as people play it: a piece falls, is moved and turned, and locks.
//!
//! A [`SteppedGame`] is a pure function of its rules, its seed and the inputs of every tick; there
//! are 60 ticks in a second. It uses no clock: a program that shows it calls [`SteppedGame::tick`]
//! sixty times a second, and one that only needs results as fast as it can.
//!
//! # One tick
//!
//! While a piece falls, a tick does this in order:
//! 1. *Hold.* The piece goes into the hold and another enters; the tick ends. Once for each piece
//!    that falls.
//! 2. *Turns*, with the kicks of the rotation system.
//! 3. *Left or right*, by one column, or as far as possible (`slide`).
//! 4. *Drop.* A hard drop locks the piece; a sonic drop leaves it on the ground.
//! 5. *Down*, by one row. On the ground it locks the piece where the rules say so.
//! 6. *Gravity*, by as many rows as the curve says for this tick of the piece.
//! 7. *Lock delay.* A piece that has been on the ground for long enough, or was moved there too
//!    often, locks.
//!
//! Between pieces there may be a delay in which turns and hold can already be pressed (initial
//! rotation and hold): they are done as the next piece enters, the hold first, before it is decided
//! whether the piece can enter.
//!
//! The game does not handle held keys: an [`InputHandler`] turns them into the inputs of each tick
//! (DAS and ARR).

mod garbage;
mod guideline;
mod input_handler;
mod inputs;
mod nes;
mod play;
mod rules;
mod score;
mod tgm;

#[cfg(test)]
mod tests;

pub use crate::moves::{GravityCurve, LockReset, LockRule, MOST_MOVES, ScoreRule};
pub use input_handler::{InputHandler, InputSettings};
pub use inputs::Inputs;
pub use play::{SteppedGame, Ticked};
pub use rules::{STEPPED, STEPPED_SETTINGS, SteppedRules, read_stepped_rules};
pub use score::{Clear, Tally};
pub use tgm::grade;
