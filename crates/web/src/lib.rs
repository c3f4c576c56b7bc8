//! tetrolab in a browser: a server on this machine, over the library's sessions, studies and reports.
//!
//! ```text
//! browser -> guard (Host, Origin, token) -> handlers -> tetrolab::{session, study, report, ...}
//!         <- pages, JSON, server-sent events, WebSocket messages
//! ```
//!
//! Handlers translate between HTTP and the library; they contain no game rules or statistics. Names
//! in requests refer to published players, shipped rulesets and the lab's own runs, never to other
//! files. Everything that a request can make the server store is bounded by [`ServerLimits`].
//!
//! [`pages`] and [`command`] do not depend on the server; without the feature `server` only they
//! exist, for pages that run the laboratory themselves.

#[cfg(feature = "server")]
mod app;
#[cfg(feature = "server")]
mod assets;
#[cfg(feature = "server")]
mod body;
pub mod command;
#[cfg(feature = "server")]
mod compare;
#[cfg(feature = "server")]
mod error;
#[cfg(feature = "server")]
mod experiments;
#[cfg(feature = "server")]
mod facts;
#[cfg(feature = "server")]
mod guard;
#[cfg(feature = "server")]
mod limits;
pub mod pages;
#[cfg(feature = "server")]
mod runs;
#[cfg(feature = "server")]
mod server;
#[cfg(feature = "server")]
mod session;
#[cfg(feature = "server")]
mod studies;

#[cfg(feature = "server")]
pub use app::StageCommand;
#[cfg(feature = "server")]
pub use error::ServeError;
#[cfg(feature = "server")]
pub use limits::ServerLimits;
#[cfg(feature = "server")]
pub use server::{ServeOptions, Server};
