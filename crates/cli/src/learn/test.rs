//! Prints the test of a learned player: unseen games, next to published players, under the rules it
//! was trained on.

mod stored;

pub(crate) use stored::{TestSummary, summary};

use super::settings::seconds;
use crate::bars;
use crate::command::{self, option_if};
use crate::interrupt::is_interrupted;
use crate::machine::MachineFlags;
use crate::output::{again, line, print_lines, print_wrapped};
use anyhow::bail;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use stored::test_json;
use tetrolab::context::Event;
use tetrolab::library::find_ruleset;
use tetrolab::report::{estimate_lines, game_lines};
use tetrolab::study::{
    LearningResult, MOST_TEST_SECONDS, TEST_GAMES, TestPart, TestRequest, TestResult, test_games,
    test_player,
};

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
        "Number of games in the test of the learned player; 0 for no test [default: {TEST_GAMES}, or 100 for methods that train a network or tables]"
    )
}

impl TestFlags {
    /// Checks names and numbers before learning starts.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        if let Some(ruleset) = &self.test_ruleset {
            find_ruleset(ruleset)?;
        }
        let time = self.test_time;
        if !(time > 0.0 && time <= MOST_TEST_SECONDS) {
            bail!("--test-time must be above 0 s and at most {MOST_TEST_SECONDS} s, got {time} s");
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
        if test_games(&of.learned.plan, self.test_games)? == 0 {
            return Ok(Value::Null);
        }
        let ruleset = self.test_ruleset.as_deref();
        let (games, seconds) = (self.test_games, self.test_time);
        let request = TestRequest::new(&of.learned.plan, of.player, ruleset, games, seconds);
        let before = TestResult::find(of.folder, &request).filter(|_| of.learned.finished_before);
        let is_stored = before.is_some();
        let tested = before.map_or_else(|| play(machine, of, request), Ok);
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
        let mut json = test_json(&tested);
        json["from_store"] = json!(is_stored);
        Ok(json)
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
            print_part(part)?;
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

/// Runs a test and shows its progress.
fn play(
    machine: &MachineFlags,
    of: &Tested<'_>,
    request: TestRequest,
) -> anyhow::Result<TestResult> {
    let shown = Arc::new(bars::EvaluationBars::default());
    let bars = Arc::clone(&shown);
    let context = machine.context()?.observer(move |event| {
        // The usual advice for long games names settings that a test does not have; the test's time
        // is limited anyway.
        if !matches!(event.event, Event::Expected { .. }) {
            bars.observe(&event.event);
        }
    });
    let tested = test_player(request, &of.learned.plan, &context);
    shown.end();
    Ok(tested?)
}

fn print_part(part: &TestPart) -> anyhow::Result<()> {
    let results: Vec<_> = part.evaluated.results.iter().collect();
    if results.iter().any(|result| result.splitting.is_some()) {
        return Ok(print_lines(&estimate_lines(&results, 1, false))?);
    }
    Ok(print_lines(&game_lines(&results, &[]))?)
}
