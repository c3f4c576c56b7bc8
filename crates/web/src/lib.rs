//! tetrolab in a browser: a server on this machine, over the library's sessions, studies and reports.
//!
//! ```text
//! browser -> guard (Host, Origin, token) -> handlers -> tetrolab::{session, study, report, ...}
//!         <- pages, JSON, server-sent events, WebSocket messages
//! ```
//!
//! Handlers translate between HTTP and the library; they hold no rules of games or statistics. Names
//! in requests lead to published players, shipped rulesets and the lab's own runs, never to other
//! files. Everything that a request can make the server hold is bounded by [`ServerLimits`].

mod app;
mod assets;
mod body;
mod catalog;
mod compare;
mod error;
mod experiments;
mod features;
mod guard;
mod limits;
mod runs;
mod server;
mod session;
mod standings;
mod studies;

pub use app::Commands;
pub use error::ServeError;
pub use limits::ServerLimits;
pub use server::{ServeOptions, Server};
