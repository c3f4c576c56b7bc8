//! Reports: numbers, tables, standings, learning curves and documents, as text and as Markdown.
//!
//! Everything here turns values into texts; nothing prints.

#[cfg(feature = "store")]
pub mod curves;
#[cfg(feature = "store")]
pub mod differing;
#[cfg(feature = "store")]
pub mod documents;
#[cfg(feature = "store")]
mod error;
mod estimates;
pub mod page;
mod standings;
mod table;
mod text;

pub use crate::number::{Number, UNITS, percent, show, show_count, show_optional, thousands};
#[cfg(feature = "store")]
pub use error::ReportError;
pub use estimates::estimate_lines;
pub use standings::{evaluation_lines, game_lines, show_interval};
pub use table::{Align, Table, WIDTH};
pub use text::{harmless, harmless_json, harmless_name, wrap};
