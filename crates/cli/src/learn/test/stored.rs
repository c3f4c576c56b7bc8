//! The result of a test as JSON, and its summary in lists of runs.

use crate::command;
use serde_json::{Value, json};
use std::path::Path;
use tetrolab::report::show;
use tetrolab::study::{Evaluation, PlayerResult, TestResult};

/// A test as JSON.
pub(super) fn test_json(tested: &TestResult) -> Value {
    let row = |(evaluation, result): (&Evaluation, &PlayerResult)| {
        let mut json = serde_json::to_value(result).unwrap_or_default();
        json["command"] = json!(command::evaluation(&evaluation.repeat(result)));
        json
    };
    let rows: Vec<Value> = tested.results().into_iter().map(row).collect();
    let first = tested.parts.first();
    let comparisons = first.map_or(&[][..], |part| &part.evaluated.comparisons);
    json!({
        "schema": first.map(|part| part.evaluated.schema),
        "interrupted": tested.parts.iter().any(|part| part.evaluated.interrupted),
        "ruleset": tested.request.ruleset,
        "unit": "lines",
        "method": tested.method,
        "max_pieces": first.and_then(|part| part.evaluation.plan.max_pieces()),
        "time_is_over": tested.time_is_over,
        "missing": tested.missing,
        "results": rows,
        "comparisons": comparisons,
    })
}

/// A summary of a run's stored test.
pub(crate) struct TestSummary {
    /// The ruleset of the test.
    pub(crate) ruleset: String,
    /// Mean lines, or the lower end of the interval if the mean is unknown.
    pub(crate) lines: String,
    /// The complete test as JSON.
    pub(crate) json: Value,
}

/// The stored test of the run in a folder, if any.
pub(crate) fn summary(folder: &Path) -> Option<TestSummary> {
    let stored = TestResult::stored(folder)?;
    let results = stored.results();
    let (_, own) = results.first()?;
    if own.player != stored.request.player {
        return None;
    }
    let above = || own.lines.ci95.map(|ci95| format!("> {}", show(ci95.lo)));
    let lines = own.lines.mean.map(show).or_else(above)?;
    Some(TestSummary {
        ruleset: stored.request.ruleset.clone(),
        lines: format!("{lines} lines"),
        json: test_json(&stored),
    })
}
