//! Reports: numbers, tables and charts of results, as text and as Markdown.
//!
//! Everything here turns values into texts; nothing prints.

mod table;
mod text;

pub use crate::number::{Number, UNITS, percent, show, show_count, show_optional, thousands};
pub use table::{Align, Table, WIDTH};
pub use text::{harmless, harmless_json, harmless_name, wrap};
