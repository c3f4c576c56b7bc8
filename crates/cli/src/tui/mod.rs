//! Games in a terminal: playing, watching, and replaying records.
//!
//! ```text
//! keys -> App (a SessionGroup of the library) -> draw -> a buffer -> the terminal, or a picture
//! ```
//!
//! The application uses no terminal and no clock: it receives keys and elapsed time, and is drawn
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
