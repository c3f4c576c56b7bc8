//! The test of a learned player: games that it has not seen, beside published players, under the
//! rules of its training.

mod plan;
mod stored;
mod testing;

pub(crate) use stored::{TestSummary, summary};

use super::settings::seconds;
use crate::Completion;
use crate::command::{self, option};
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

/// The players that the learned one is compared with. The first is left out where games are too
/// long to be played whole.
const PUBLISHED: [&str; 3] = ["misakamm-v2", "bcts", "dellacherie"];
/// How many games a test has, unless asked for otherwise.
const GAMES: u64 = 1000;
/// The most time that a test may be given: thirty years.
const MOST_SECONDS: f64 = 1e9;

#[derive(clap::Args)]
pub(super) struct TestFlags {
    #[arg(long, value_name = "N", help = games_help())]
    test_games: Option<u64>,
    /// The game of the test [default: that of training].
    #[arg(long, value_name = "RULESET")]
    test_ruleset: Option<String>,
    /// The time that the test may take (also 90s, 5m, 2h). Games that are too long for it are
    /// estimated by splitting or cut off, and the output says so.
    #[arg(long, value_name = "TIME", value_parser = seconds, default_value = "45s")]
    test_time: f64,
}

/// What is known of the run whose player is tested.
pub(super) struct Tested<'a> {
    pub(super) plan: &'a Learning,
    pub(super) player: &'a str,
    /// The folder of the run.
    pub(super) folder: &'a Path,
    /// Whether the run had been finished before: then its test may be stored.
    pub(super) finished_before: bool,
}

/// What came of the test.
pub(super) struct Test {
    pub(super) json: Value,
    pub(super) outcome: Completion,
}

fn games_help() -> String {
    format!(
        "How many games the learned player is tested on; 0 for no test [default: {GAMES}, or that of the learner: 100 where it trains a network or tables]"
    )
}

impl TestFlags {
    /// Finds a wrong name or number before anything is learned.
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

    /// The flags that ask for this test, where it is not the usual one.
    pub(super) fn flags(&self) -> String {
        let mut flags = String::new();
        if let Some(games) = self.test_games {
            flags += &format!(" --test-games {games}");
        }
        if let Some(ruleset) = &self.test_ruleset {
            flags += &option("--test-ruleset", ruleset);
        }
        if self.test_time != 45.0 {
            flags += &format!(" --test-time {}", self.test_time);
        }
        flags
    }

    /// Plays the test, or shows it again if the run's folder has it.
    pub(super) fn run(
        &self,
        machine: &MachineFlags,
        of: &Tested<'_>,
        silent: bool,
    ) -> anyhow::Result<Test> {
        let games = self.games(of.plan)?;
        if games == 0 {
            return Ok(Test::without(Value::Null));
        }
        let request = self.request(of);
        let before = TestResult::find(of.folder, &request).filter(|_| of.finished_before);
        let is_stored = before.is_some();
        let tested = match before {
            Some(before) => Ok(before),
            None => self.play(machine, of, request, games),
        };
        match tested {
            Ok(tested) => {
                if !is_stored && !is_interrupted() {
                    tested.keep(of.folder)?;
                }
                if !silent {
                    self.print(&tested, is_stored)?;
                }
                let mut json = tested.json();
                json["from_store"] = json!(is_stored);
                let outcome = if is_interrupted() {
                    Completion::Interrupted
                } else {
                    Completion::Done
                };
                Ok(Test { json, outcome })
            }
            Err(why) => {
                let why = format!("{why:#}");
                if !silent {
                    let text = format!("No test: {why}; --test-ruleset names another game.");
                    line(&text)?;
                }
                Ok(Test::without(json!({ "skipped": why })))
            }
        }
    }

    fn request(&self, of: &Tested<'_>) -> TestRequest {
        let own = self.test_ruleset.as_ref();
        TestRequest {
            player: of.player.to_owned(),
            ruleset: own.unwrap_or(&of.plan.ruleset).clone(),
            rules: of.plan.rules.clone().filter(|_| own.is_none()),
            games: self.test_games,
            seconds: self.test_time,
        }
    }

    /// How many games the test of what was learned has.
    fn games(&self, learning: &Learning) -> Result<u64, LearnerError> {
        let usual = find_learner(&learning.learner)?.protocol(None).test_games;
        Ok(self.test_games.or(usual).unwrap_or(GAMES))
    }

    /// Plays the test. Its seed is that of the run: training games have seeds of their own, derived
    /// from it, so these are new.
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
            seed: of.plan.seed,
        };
        let players: Vec<&str> = [of.player].into_iter().chain(PUBLISHED).collect();
        let (ways, pilot) = testing.ways(&players, games)?;
        testing.run(&ways, pilot, request)
    }

    fn print(&self, tested: &TestResult, is_stored: bool) -> anyhow::Result<()> {
        let TestRequest { ruleset, .. } = &tested.request;
        let which = match self.test_ruleset {
            Some(_) => "which --test-ruleset names",
            None => "the ruleset of training",
        };
        if is_stored {
            line("The test was played before; this is its stored result.")?;
        }
        line(&format!(
            "Tested on games that it has not seen: {ruleset}, {which}; unit: lines of a game."
        ))?;
        print_wrapped(&format!("Method: {}.", tested.method))?;
        line("")?;
        for (index, part) in tested
            .parts
            .iter()
            .filter(|part| !part.is_empty())
            .enumerate()
        {
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
                "\nThe test ended after {seconds} s (--test-time gives it more); what was played by then is counted."
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
    /// Adds the first games of players of which nothing else is known.
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
            let cap = first
                .evaluation
                .plan
                .max_pieces()
                .map_or(String::new(), thousands);
            let text =
                format!("Instead, their first games, cut off after {cap} pieces, are shown.");
            self.missing.push(text);
        }
        self.parts.insert(0, first);
    }
}

impl TestPart {
    fn is_empty(&self) -> bool {
        self.evaluated.results.is_empty()
    }

    fn print(&self) -> anyhow::Result<()> {
        let results: Vec<_> = self.evaluated.results.iter().collect();
        if results.iter().any(|result| result.splitting.is_some()) {
            return Ok(print_lines(&estimate_lines(&results, 1, false))?);
        }
        Ok(print_lines(&game_lines(&results, &[]))?)
    }
}

impl Test {
    /// No test, and why.
    fn without(json: Value) -> Test {
        let outcome = Completion::Done;
        Test { json, outcome }
    }
}

#[cfg(test)]
mod tests;
