//! What pages can request, independent of the transport: from the server of this crate, or from a
//! worker that runs the laboratory in the page itself (`crates/wasm`). Nothing here depends on a
//! transport, a thread or a file.

mod catalog;
mod comparison;
mod desk;
mod events;
mod features;
mod standings;

pub use catalog::catalog;
pub use comparison::{ComparisonRequest, score_plots};
pub use desk::Desk;
pub use events::event_kind;
pub use features::{ExampleBoard, feature_picture, features};
pub use standings::standings;
