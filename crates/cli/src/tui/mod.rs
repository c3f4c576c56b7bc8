//! Games in a terminal: play, watch and replay.
//!
//! ```text
//! keys -> App (a SessionGroup of the library) -> draw -> a buffer -> the terminal, or a picture
//! ```
//!
//! The application uses no terminal and no clock: it receives keys and elapsed time, and is drawn
//! into a buffer. So tests can check what a user would see, and recordings can be made without a
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
