//! The result of a test, stored in the folder of its run.

use crate::command;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::Path;
use tetrolab::learning::write_whole;
use tetrolab::library::{FileError, FullRules, read_long_text};
use tetrolab::report::show;
use tetrolab::study::{Evaluated, Evaluation, PlayerResult};

/// The name of a test's file in the folder of its run.
const FILE: &str = "test.json";

/// The parameters of a test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct TestRequest {
    /// The learned player's file.
    pub(super) player: String,
    /// The game.
    pub(super) ruleset: String,
    /// The complete rules, if the test uses the game of training.
    #[serde(default, deserialize_with = "FullRules::of_plan")]
    pub(super) rules: Option<FullRules>,
    /// The requested number of games, if any.
    pub(super) games: Option<u64>,
    /// The time limit in seconds.
    pub(super) seconds: f64,
}

/// An evaluation that is a part of a test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct TestPart {
    pub(super) evaluation: Evaluation,
    pub(super) evaluated: Evaluated,
}

/// The result of a test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct TestResult {
    #[serde(flatten)]
    pub(super) request: TestRequest,
    /// A sentence that describes how the players were tested.
    pub(super) method: String,
    /// Players with whole or truncated games, then those with estimates.
    pub(super) parts: Vec<TestPart>,
    /// What could not be measured, and why.
    pub(super) missing: Vec<String>,
    /// Whether time ran out before everything was done.
    pub(super) time_is_over: bool,
}

impl TestResult {
    /// The stored result of a request, if there is one.
    pub(super) fn find(folder: &Path, request: &TestRequest) -> Option<TestResult> {
        let stored = TestResult::read(folder)?;
        // If the time was sufficient, more time would not change the result.
        let seconds = if stored.time_is_over {
            request.seconds
        } else {
            stored.request.seconds
        };
        let asked = TestRequest {
            seconds,
            ..request.clone()
        };
        (stored.request == asked).then_some(stored)
    }

    /// Stores the result in the folder of the run.
    pub(super) fn keep(&self, folder: &Path) -> Result<(), FileError> {
        let text = serde_json::to_string_pretty(self).expect("the result of a test is JSON");
        write_whole(&folder.join(FILE), &format!("{text}\n"))
    }

    /// The test stored in the folder of a run; a file that cannot be read, for example one of
    /// another version, counts as missing.
    fn read(folder: &Path) -> Option<TestResult> {
        let text = read_long_text(&folder.join(FILE)).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// The results of all players, the learned one first.
    pub(super) fn results(&self) -> Vec<(&Evaluation, &PlayerResult)> {
        let parts = self.parts.iter();
        let results = parts.flat_map(|part| {
            let results = part.evaluated.results.iter();
            results.map(|result| (&part.evaluation, result))
        });
        let mut results: Vec<_> = results.collect();
        results.sort_by_key(|(_, result)| result.player != self.request.player);
        results
    }

    /// The test as JSON.
    pub(super) fn json(&self) -> Value {
        let row = |(evaluation, result): (&Evaluation, &PlayerResult)| {
            let mut json = serde_json::to_value(result).unwrap_or_default();
            json["command"] = json!(command::evaluation(&evaluation.repeat(result)));
            json
        };
        let rows: Vec<Value> = self.results().into_iter().map(row).collect();
        let first = self.parts.first();
        let comparisons = first.map_or(&[][..], |part| &part.evaluated.comparisons);
        json!({
            "schema": first.map(|part| part.evaluated.schema),
            "interrupted": self.parts.iter().any(|part| part.evaluated.interrupted),
            "ruleset": self.request.ruleset,
            "unit": "lines",
            "method": self.method,
            "max_pieces": first.and_then(|part| part.evaluation.plan.max_pieces()),
            "time_is_over": self.time_is_over,
            "missing": self.missing,
            "results": rows,
            "comparisons": comparisons,
        })
    }
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
    let stored = TestResult::read(folder)?;
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
        json: stored.json(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrolab::library::find_ruleset;

    #[test]
    fn a_test_of_an_earlier_version_is_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let earlier = r#"{"player":"p.toml","ruleset":"simplified-6x8","rules":"6x8 above-top preview=0 uniform",
            "games":2,"seconds":45.0,"method":"2 games","missing":[],"time_is_over":false,"parts":[]}"#;
        std::fs::write(folder.path().join(FILE), earlier).unwrap();
        let mut request = TestRequest {
            player: "p.toml".to_owned(),
            ruleset: "simplified-6x8".to_owned(),
            rules: Some(FullRules::unnamed(&find_ruleset("simplified-6x8").unwrap())),
            games: Some(2),
            seconds: 45.0,
        };
        let found = TestResult::find(folder.path(), &request).unwrap();
        found.keep(folder.path()).unwrap();
        assert_eq!(TestResult::find(folder.path(), &request), Some(found));
        request.rules = Some(FullRules::unnamed(&find_ruleset("simplified-6x9").unwrap()));
        assert_eq!(TestResult::find(folder.path(), &request), None);
    }
}
