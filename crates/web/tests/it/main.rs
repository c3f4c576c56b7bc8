//! The server over real sockets.

mod client;
mod guarding;
mod load;
mod sessions;
mod studies;
