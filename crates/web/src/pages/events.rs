//! Events of studies, as pages receive them.

use serde_json::Value;

/// The kind under which pages receive an event of the library (as JSON), and whether it replaces the
/// last of its kind. Generations are kept one by one; of the others the last says all.
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
