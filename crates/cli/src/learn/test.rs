//! The test of a learned player: unseen games, next to published players, under the rules it was
//! trained on.

mod plan;
mod stored;
mod testing;

pub(crate) use stored::{TestSummary, summary};

use super::settings::seconds;
use crate::command::{self, option_if};
use crate::interrupt::is_interrupted;
use crate::machine::MachineFlags;
use crate::output::{again, line, print_lines, print_wrapped};
use anyhow::bail;
use plan::TestWay;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};
use stored::{TestPart, TestRequest, TestResult};
use testing::Testing;
use tetrolab::learners::{LearnerError, find_learner};
use tetrolab::learning::Learning;
use tetrolab::library::find_ruleset;
use tetrolab::report::{estimate_lines, game_lines, thousands};
use tetrolab::study::LearningResult;

/// The players that the learned one is compared with. The first is omitted if whole games would
/// take too long.
const PUBLISHED: [&str; 3] = ["misakamm-v2", "bcts", "dellacherie"];
/// Default number of games in a test.
const GAMES: u64 = 1000;
/// The maximum time limit of a test: thirty years.
const MOST_SECONDS: f64 = 1e9;

#[derive(clap::Args)]
pub(super) struct TestFlags {
    #[arg(long, value_name = "N", help = games_help())]
    test_games: Option<u64>,
    /// The ruleset of the test [default: the one used in training].
    #[arg(long, value_name = "RULESET")]
    test_ruleset: Option<String>,
    /// Time limit of the test in seconds (also 90s, 5m, 2h). If games are too long for it, the test
    /// uses splitting or truncated games, and the output says so.
    #[arg(long, value_name = "TIME", value_parser = seconds, default_value = "45s")]
    test_time: f64,
}

/// A player under test.
pub(super) struct Tested<'a> {
    /// The run that produced the player. If the run was finished before, its test may be stored.
    pub(super) learned: &'a LearningResult,
    pub(super) player: &'a str,
    /// The folder of the run.
    pub(super) folder: &'a Path,
}

fn games_help() -> String {
    format!(
        "Number of games in the test of the learned player; 0 for no test [default: {GAMES}, or 100 for methods that train a network or tables]"
    )
}

impl TestFlags {
    /// Checks names and numbers before learning starts.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        if let Some(ruleset) = &self.test_ruleset {
            find_ruleset(ruleset)?;
        }
        let time = self.test_time;
        if !(time > 0.0 && time <= MOST_SECONDS) {
            bail!("--test-time must be above 0 s and at most {MOST_SECONDS} s, got {time} s");
        }
        Ok(())
    }

    /// The flags that request this test, if it differs from the default one.
    pub(super) fn flags(&self) -> String {
        let time = Some(self.test_time).filter(|time| *time != 45.0);
        [
            option_if("--test-games", self.test_games),
            option_if("--test-ruleset", self.test_ruleset.as_ref()),
            option_if("--test-time", time),
        ]
        .concat()
    }

    /// Runs the test, or shows the result stored in the run's folder; returns it as JSON.
    pub(super) fn run(
        &self,
        machine: &MachineFlags,
        of: &Tested<'_>,
        silent: bool,
    ) -> anyhow::Result<Value> {
        let games = self.games(&of.learned.plan)?;
        if games == 0 {
            return Ok(Value::Null);
        }
        let request = self.request(of);
        let before = TestResult::find(of.folder, &request).filter(|_| of.learned.finished_before);
        let is_stored = before.is_some();
        let tested = before.map_or_else(|| self.play(machine, of, request, games), Ok);
        let tested = match tested {
            Ok(tested) => tested,
            Err(why) => {
                let why = format!("{why:#}");
                if !silent {
                    let text = format!("No test: {why}; choose another game with --test-ruleset.");
                    line(&text)?;
                }
                return Ok(json!({ "skipped": why }));
            }
        };
        if !is_stored && !is_interrupted() {
            tested.keep(of.folder)?;
        }
        if !silent {
            self.print(&tested, is_stored, &of.learned.plan.ruleset)?;
        }
        let mut json = tested.json();
        json["from_store"] = json!(is_stored);
        Ok(json)
    }

    fn request(&self, of: &Tested<'_>) -> TestRequest {
        let own = self.test_ruleset.as_ref();
        TestRequest {
            player: of.player.to_owned(),
            ruleset: own.unwrap_or(&of.learned.plan.ruleset).clone(),
            rules: of.learned.plan.rules.clone().filter(|_| own.is_none()),
            games: self.test_games,
            seconds: self.test_time,
        }
    }

    /// The number of games in the test of the learned player.
    fn games(&self, learning: &Learning) -> Result<u64, LearnerError> {
        let usual = find_learner(&learning.learner)?.protocol(None).test_games;
        Ok(self.test_games.or(usual).unwrap_or(GAMES))
    }

    /// Runs the test with the seed of the run. The seeds of training games are derived from it, so
    /// the test's games are new.
    fn play(
        &self,
        machine: &MachineFlags,
        of: &Tested<'_>,
        request: TestRequest,
        games: u64,
    ) -> anyhow::Result<TestResult> {
        let time = Duration::try_from_secs_f64(self.test_time)?;
        let testing = Testing {
            context: machine.context()?,
            end: Instant::now() + time,
            ruleset: request.ruleset.clone(),
            seed: of.learned.plan.seed,
        };
        let players: Vec<&str> = [of.player].into_iter().chain(PUBLISHED).collect();
        let (ways, pilot) = testing.ways(&players, games)?;
        testing.run(&ways, pilot, request)
    }

    /// Prints a test of a player that was trained under a ruleset.
    fn print(&self, tested: &TestResult, is_stored: bool, trained: &str) -> anyhow::Result<()> {
        let TestRequest { ruleset, .. } = &tested.request;
        let which = match self.test_ruleset {
            Some(_) => format!("which --test-ruleset names; trained on {trained}"),
            None => "the ruleset of training".to_owned(),
        };
        if is_stored {
            line("The test was already played; this is its stored result.")?;
        }
        line(&format!(
            "Tested on unseen games: {ruleset}, {which}; unit: lines of a game."
        ))?;
        print_wrapped(&format!("Method: {}.", tested.method))?;
        line("")?;
        let has_results = |part: &&TestPart| !part.evaluated.results.is_empty();
        for (index, part) in tested.parts.iter().filter(has_results).enumerate() {
            if index > 0 {
                line("")?;
            }
            part.print()?;
        }
        for missing in &tested.missing {
            line("")?;
            print_wrapped(missing)?;
        }
        if tested.time_is_over {
            let seconds = tested.request.seconds;
            line(&format!(
                "\nThe test's time limit of {seconds} s was reached (raise it with --test-time); results cover the games played by then."
            ))?;
        }
        line(again(is_interrupted()))?;
        for part in &tested.parts {
            line(&format!("  {}", command::evaluation(&part.evaluation)))?;
        }
        Ok(())
    }
}

impl TestResult {
    /// Adds the first, truncated games of players for which nothing else could be measured.
    fn fill_in(&mut self, ways: &[(&str, TestWay)], mut first: TestPart) {
        let is_known = |name: &str| self.results().iter().any(|row| row.1.player == name);
        let unknown = ways.iter().map(|row| row.0).filter(|name| !is_known(name));
        let unknown: Vec<String> = unknown.map(str::to_owned).collect();
        if unknown.is_empty() {
            return;
        }
        let results = &mut first.evaluated.results;
        results.retain(|result| unknown.contains(&result.player));
        results
            .iter_mut()
            .for_each(|result| result.interrupted = is_interrupted());
        first.evaluated.interrupted = is_interrupted();
        first.evaluated.comparisons.clear();
        first.evaluation.players = unknown;
        if !is_interrupted() {
            let cap = first.evaluation.plan.max_pieces();
            let cap = cap.map_or(String::new(), thousands);
            self.missing.push(format!(
                "Instead, their first games are shown, truncated after {cap} pieces."
            ));
        }
        self.parts.insert(0, first);
    }
}

impl TestPart {
    fn print(&self) -> anyhow::Result<()> {
        let results: Vec<_> = self.evaluated.results.iter().collect();
        if results.iter().any(|result| result.splitting.is_some()) {
            return Ok(print_lines(&estimate_lines(&results, 1, false))?);
        }
        Ok(print_lines(&game_lines(&results, &[]))?)
    }
}

#[cfg(test)]
mod tests;
