//! The result of a test, as the folder of its run keeps it.

use crate::command;
use serde_json::{Value, json};
use std::path::Path;
use tetrolab::learning::write_whole;
use tetrolab::library::FileError;
use tetrolab::report::show;
use tetrolab::study::{Evaluated, Evaluation, PlayerResult};

/// The file of a test in the folder of its run.
const FILE: &str = "test.json";

/// What was asked of a test.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TestRequest {
    /// The learned player's file.
    pub(super) player: String,
    /// The game.
    pub(super) ruleset: String,
    /// The rules in full, if the game is that of training.
    pub(super) rules: Option<String>,
    /// How many games were asked for, if any number was.
    pub(super) games: Option<u64>,
    /// The time that it may take.
    pub(super) seconds: f64,
}

/// An evaluation that is a part of a test.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TestPart {
    pub(super) evaluation: Evaluation,
    pub(super) evaluated: Evaluated,
}

/// What came of a test.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TestResult {
    pub(super) request: TestRequest,
    /// How the players were tested, in a sentence.
    pub(super) method: String,
    /// Players whose games were whole or cut off, then those that were estimated.
    pub(super) parts: Vec<TestPart>,
    /// What could not be found out, and why.
    pub(super) missing: Vec<String>,
    /// Whether the time was over before all was done.
    pub(super) time_is_over: bool,
}

impl TestResult {
    /// The stored result of what is asked for, if there is one.
    pub(super) fn find(folder: &Path, request: &TestRequest) -> Option<TestResult> {
        let stored = TestResult::read(folder)?;
        // More time changes nothing if the time was enough.
        let seconds = match stored.time_is_over {
            true => request.seconds,
            false => stored.request.seconds,
        };
        let asked = TestRequest {
            seconds,
            ..request.clone()
        };
        (stored.request == asked).then_some(stored)
    }

    /// Keeps the result in the folder of the run.
    pub(super) fn keep(&self, folder: &Path) -> Result<(), FileError> {
        write_whole(&folder.join(FILE), &format!("{:#}\n", self.to_json()))
    }

    /// What the folder of a run holds; a file that cannot be read, as one of another version, is none.
    fn read(folder: &Path) -> Option<TestResult> {
        let text = std::fs::read_to_string(folder.join(FILE)).ok()?;
        TestResult::from_json(&serde_json::from_str(&text).ok()?)
    }

    fn to_json(&self) -> Value {
        let TestRequest {
            player,
            ruleset,
            rules,
            games,
            seconds,
        } = &self.request;
        let part = |part: &TestPart| {
            json!({
                "evaluation": serde_json::to_value(&part.evaluation).unwrap_or_default(),
                "evaluated": serde_json::to_value(&part.evaluated).unwrap_or_default(),
            })
        };
        json!({
            "player": player,
            "ruleset": ruleset,
            "rules": rules,
            "games": games,
            "seconds": seconds,
            "method": self.method,
            "missing": self.missing,
            "time_is_over": self.time_is_over,
            "parts": self.parts.iter().map(part).collect::<Vec<_>>(),
        })
    }

    fn from_json(json: &Value) -> Option<TestResult> {
        let text = |key: &str| json[key].as_str().map(str::to_owned);
        let part = |part: &Value| {
            Some(TestPart {
                evaluation: serde_json::from_value(part["evaluation"].clone()).ok()?,
                evaluated: serde_json::from_value(part["evaluated"].clone()).ok()?,
            })
        };
        Some(TestResult {
            request: TestRequest {
                player: text("player")?,
                ruleset: text("ruleset")?,
                rules: text("rules"),
                games: json["games"].as_u64(),
                seconds: json["seconds"].as_f64()?,
            },
            method: text("method")?,
            missing: serde_json::from_value(json["missing"].clone()).ok()?,
            time_is_over: json["time_is_over"].as_bool()?,
            parts: json["parts"]
                .as_array()?
                .iter()
                .map(part)
                .collect::<Option<_>>()?,
        })
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

    /// The test for programs.
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
            "max_pieces": first.and_then(|part| part.evaluation.max_pieces),
            "time_is_over": self.time_is_over,
            "missing": self.missing,
            "results": rows,
            "comparisons": comparisons,
        })
    }
}

/// What the stored test of a run says of the learned player.
pub(crate) struct TestSummary {
    /// The game of the test.
    pub(crate) ruleset: String,
    /// Mean lines, or the lower end of the interval if the mean is unknown.
    pub(crate) lines: String,
    /// The whole test for programs.
    pub(crate) json: Value,
}

/// The stored test of the run in a folder, if there is one.
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
