//! The stepped game, as people play it: a piece falls, is moved and turned, and locks.
//!
//! A [`SteppedGame`] is a pure function of its rules, its seed and the inputs of every tick; there
//! are 60 ticks in a second. It uses no clock: a program that shows it calls [`SteppedGame::tick`]
//! sixty times a second, and a program that only needs results calls it as fast as it can.
//!
//! # One tick
//!
//! While a piece is falling, a tick processes the following, in this order:
//! 1. *Hold.* The piece is held, another one enters, and the tick ends. Allowed once per falling
//!    piece.
//! 2. *Turns*, with the kicks of the rotation system.
//! 3. *Left or right*, by one column, or as far as possible (`slide`).
//! 4. *Drop.* A hard drop locks the piece; a sonic drop leaves it on the ground.
//! 5. *Down*, by one row. On the ground, it locks the piece if the rules say so.
//! 6. *Gravity*, by the number of rows that the gravity curve gives for this tick of the piece.
//! 7. *Lock delay.* The piece locks if it has been on the ground for long enough, or was moved
//!    there too often.
//!
//! Between pieces there may be a delay in which turns and hold can already be pressed (initial
//! rotation and hold): they are applied as the next piece enters, hold first, before checking
//! whether the piece can enter.
//!
//! The game does not handle held keys: an [`InputHandler`] converts them to the inputs of each tick
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
