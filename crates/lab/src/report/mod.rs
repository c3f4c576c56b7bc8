//! Reports: numbers, tables, standings, learning curves, scores, documents and pages, as text, as
//! Markdown and as HTML.
//!
//! Everything here turns values into text; nothing prints.

mod csv;
pub mod curves;
#[cfg(feature = "store")]
pub mod differing;
#[cfg(feature = "store")]
pub mod documents;
mod error;
mod estimates;
pub mod page;
pub mod scores;
mod standings;
mod table;
mod text;

pub(crate) use crate::number::show_optional;
pub use crate::number::{Number, UNITS, percent, show, show_count, thousands};
pub use error::ReportError;
pub use estimates::estimate_lines;
pub use standings::{evaluation_lines, game_lines, show_interval};
pub use table::{Align, Table, WIDTH};
pub use text::{harmless, harmless_json, harmless_name, wrap};
