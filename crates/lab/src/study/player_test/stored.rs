//! The result of a test, stored in the folder of its run.

use crate::learning::{Learning, write_whole};
use crate::library::{FileError, FullRules, read_long_text};
use crate::study::{Evaluated, Evaluation, PlayerResult};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The name of a test's file in the folder of its run.
const FILE: &str = "test.json";

/// The parameters of a test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestRequest {
    /// The learned player's file.
    pub player: String,
    /// The game.
    pub ruleset: String,
    /// The complete rules, if the test uses the game of training.
    #[serde(default, deserialize_with = "FullRules::of_plan")]
    pub rules: Option<FullRules>,
    /// The requested number of games, if any.
    pub games: Option<u64>,
    /// The time limit in seconds.
    pub seconds: f64,
}

/// An evaluation that is a part of a test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestPart {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// Its result.
    pub evaluated: Evaluated,
}

/// The result of a test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestResult {
    /// The parameters.
    #[serde(flatten)]
    pub request: TestRequest,
    /// A sentence that describes how the players were tested.
    pub method: String,
    /// Players with whole or truncated games, then those with estimates.
    pub parts: Vec<TestPart>,
    /// What could not be measured, and why.
    pub missing: Vec<String>,
    /// Whether time ran out before everything was done.
    pub time_is_over: bool,
}

impl TestRequest {
    /// A test of the player of a learning run, under the rules of its training unless another
    /// ruleset is named.
    pub fn new(
        plan: &Learning,
        player: &str,
        ruleset: Option<&str>,
        games: Option<u64>,
        seconds: f64,
    ) -> TestRequest {
        TestRequest {
            player: player.to_owned(),
            ruleset: ruleset.unwrap_or(&plan.ruleset).to_owned(),
            rules: plan.rules.clone().filter(|_| ruleset.is_none()),
            games,
            seconds,
        }
    }
}

impl TestResult {
    /// The stored result of a request, if there is one.
    pub fn find(folder: &Path, request: &TestRequest) -> Option<TestResult> {
        let stored = TestResult::stored(folder)?;
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
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&self, folder: &Path) -> Result<(), FileError> {
        let text = serde_json::to_string_pretty(self).expect("the result of a test is JSON");
        write_whole(&folder.join(FILE), &format!("{text}\n"))
    }

    /// The test stored in the folder of a run; a file that cannot be read, for example one of
    /// another version, counts as missing.
    pub fn stored(folder: &Path) -> Option<TestResult> {
        let text = read_long_text(&folder.join(FILE)).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// The results of all players, the learned one first.
    pub fn results(&self) -> Vec<(&Evaluation, &PlayerResult)> {
        let parts = self.parts.iter();
        let results = parts.flat_map(|part| {
            let results = part.evaluated.results.iter();
            results.map(|result| (&part.evaluation, result))
        });
        let mut results: Vec<_> = results.collect();
        results.sort_by_key(|(_, result)| result.player != self.request.player);
        results
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::find_ruleset;

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
