//! Games in a terminal: to play, to watch, to look back.
//!
//! ```text
//! keys -> App (Seats: a game, its bot, the way back) -> draw -> a buffer -> the terminal, or a picture
//! ```
//!
//! The application knows no terminal and no clock: it is told which keys were pressed and how much time has passed, and drawn into a buffer. So the
//! tests look at what a person would see, and a film can be made without a terminal.

pub(crate) mod app;
pub(crate) mod bot;
mod capture;
mod danger;
mod draw;
mod film;
mod input;
#[cfg(unix)]
mod job_control;
mod keyboard;
mod keys;
mod log;
pub(crate) mod palette;
pub(crate) mod screen_flags;
mod seat;
pub(crate) mod settings;
pub(crate) mod speed;
mod stack;
pub(crate) mod start_level;
pub(crate) mod terminal;
#[cfg(test)]
mod testing;
