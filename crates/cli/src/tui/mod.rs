//! Games in a terminal: to play, to watch, to look back.
//!
//! ```text
//! keys -> App (a SessionGroup of the library) -> draw -> a buffer -> the terminal, or a picture
//! ```
//!
//! The application knows no terminal and no clock: it receives keys and elapsed time, and is drawn
//! into a buffer. So tests check what a person would see, and a film can be made without a
//! terminal.

pub(crate) mod app;
mod capture;
mod draw;
mod film;
mod input;
#[cfg(unix)]
mod job_control;
mod keys;
pub(crate) mod palette;
mod risk;
pub(crate) mod screen_flags;
pub(crate) mod settings;
pub(crate) mod terminal;
#[cfg(test)]
mod testing;
