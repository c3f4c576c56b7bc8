//! Events of studies in the form that pages receive.

use serde_json::Value;

/// The name of an event for pages (its data are JSON), and whether it replaces the last event of
/// this name. Generations are kept one by one; of other events, only the last one is kept.
#[must_use]
pub fn event_kind(event: &Value) -> (&'static str, bool) {
    match event["event"].as_str() {
        Some("generation") => ("generation", false),
        Some("learning-began") => ("began", true),
        Some("stage-began") => ("stage", true),
        Some("noted") => ("note", false),
        _ => ("progress", true),
    }
}
