//! The server over real sockets.

mod client;
mod guarding;
mod sessions;
mod studies;
