//! The test of a learned player: games that it has not seen, beside published players.

use crate::command::{self, option};
use crate::output::{again, line};
use crate::standings::{self, means_table, print_heading, print_warnings};
use crate::{Completion, bars};
use anyhow::bail;
use serde_json::{Value, json};
use tetrolab::arena::Arena;
use tetrolab::core::spec::SpecError;
use tetrolab::learning::Learning;
use tetrolab::library::{LibraryError, find_ruleset};
use tetrolab::practice::find_practice;
use tetrolab::study::{Evaluated, Evaluation, Keep, Target, evaluate};

/// The players that the learned one is compared with.
const PUBLISHED: [&str; 3] = ["misakamm-v2", "bcts", "dellacherie"];
/// How many games a test has, unless asked for otherwise ...
const GAMES: u64 = 1000;
/// ... of what a learner that plays has learned, whose games may be long ...
const GAMES_OF_PRACTICE: u64 = 100;
/// ... and of what.
const GAME: &str = "simplified-10x10";

#[derive(clap::Args)]
pub(super) struct TestFlags {
    #[arg(long, value_name = "N", help = games_help())]
    test_games: Option<u64>,
    /// The game of the test.
    #[arg(long, value_name = "RULESET", default_value = GAME)]
    test_ruleset: String,
}

/// What came of the test.
pub(super) struct Test {
    pub json: Value,
    pub outcome: Completion,
}

impl TestFlags {
    /// Finds a wrong name before anything is learned.
    pub(super) fn check(&self) -> Result<(), LibraryError> {
        find_ruleset(&self.test_ruleset).map(drop)
    }

    /// The flags that ask for this test, where it is not the usual one.
    pub(super) fn flags(&self) -> String {
        let mut flags = String::new();
        if let Some(games) = self.test_games {
            flags += &format!(" --test-games {games}");
        }
        if self.test_ruleset != GAME {
            flags += &option("--test-ruleset", &self.test_ruleset);
        }
        flags
    }

    /// Plays the test. Its seed is that of the run: training games have seeds of their own, derived from it, so these are new.
    pub(super) fn run(
        &self,
        arena: &Arena,
        learning: &Learning,
        player: &str,
        silent: bool,
    ) -> anyhow::Result<Test> {
        let games = self.games(learning)?;
        if games == 0 {
            return Ok(Test::without(Value::Null));
        }
        let evaluation = self.evaluation(player, games, learning.seed);
        if let Err(why) = evaluation.check() {
            if !silent {
                line(&format!(
                    "No test: {why}; --test-ruleset names another game."
                ))?;
            }
            return Ok(Test::without(json!({ "skipped": why.to_string() })));
        }
        let shown = bars::EvaluationBars::default();
        let evaluated = evaluate(&evaluation, &Keep::nothing(), arena, &|event| {
            shown.observe(event);
        })?;
        drop(shown);
        if !silent {
            print(&evaluation, &evaluated)?;
        }
        Ok(Test {
            json: standings::json(&evaluation, &evaluated)?,
            outcome: match evaluated.interrupted {
                true => Completion::Interrupted,
                false => Completion::Done,
            },
        })
    }

    /// How many games the test of what was learned has.
    fn games(&self, learning: &Learning) -> Result<u64, SpecError> {
        let usual = match find_practice(&learning.learner)? {
            Some(_) => GAMES_OF_PRACTICE,
            None => GAMES,
        };
        Ok(self.test_games.unwrap_or(usual))
    }

    fn evaluation(&self, player: &str, games: u64, seed: u64) -> Evaluation {
        let players = [player].into_iter().chain(PUBLISHED);
        Evaluation {
            players: players.map(str::to_owned).collect(),
            ruleset: self.test_ruleset.clone(),
            target: Target::Games(games),
            seed,
            ..Evaluation::default()
        }
    }
}

fn games_help() -> String {
    format!(
        "How many games the learned player is tested on; 0 for no test [default: {GAMES}, of learners that play {GAMES_OF_PRACTICE}]"
    )
}

impl Test {
    /// No test, and why.
    fn without(json: Value) -> Test {
        let outcome = Completion::Done;
        Test { json, outcome }
    }
}

fn print(evaluation: &Evaluation, evaluated: &Evaluated) -> anyhow::Result<()> {
    if evaluated.results.is_empty() {
        bail!("interrupted before a piece of the test was placed");
    }
    let played: Vec<_> = evaluated.results.iter().collect();
    line("Tested on games that it has not seen:")?;
    print_heading(&played)?;
    means_table(&played).print()?;
    print_warnings(&played)?;
    line(again(evaluated.interrupted))?;
    Ok(line(&format!("  {}", command::evaluation(evaluation)))?)
}
