//! The test of a learned player: unseen games, next to published players, under the rules of its
//! training or others. Pilot games show whether games are short enough to be played whole; within a
//! time limit, the evaluations follow.

mod plan;
mod stored;
#[cfg(test)]
mod tests;

pub use stored::{TestPart, TestRequest, TestResult};

use super::{Evaluation, GamesGoal, Keep, Plan, SplittingPlan, StudyError, evaluate};
use crate::context::Context;
use crate::learners::{LearnerError, find_learner};
use crate::learning::Learning;
use crate::number::thousands;
use crate::survival::Goal;
use crate::time::Instant;
use plan::{PILOT_GAMES, Pilot, TestRules, TestWay};
use std::time::Duration;

/// The players that the learned one is compared with. The first is omitted if whole games would
/// take too long.
const PUBLISHED: [&str; 3] = ["misakamm-v2", "bcts", "dellacherie"];
/// Default number of games in a test.
pub const TEST_GAMES: u64 = 1000;
/// The maximum time limit of a test in seconds: thirty years.
pub const MOST_TEST_SECONDS: f64 = 1e9;
/// How a mean is estimated if whole games would take too long: roughly and quickly.
const REPETITIONS: u64 = 8;
const TRAJECTORIES: usize = 500;
/// The share of the time limit that is spent on pilot games.
const PILOT_SHARE: f64 = 0.25;

/// The number of games in the test of a run's player; 0 means no test. `wanted` is the requested
/// number, if any.
///
/// # Errors
/// If the run's learner is unknown.
pub fn test_games(plan: &Learning, wanted: Option<u64>) -> Result<u64, LearnerError> {
    let usual = find_learner(&plan.learner)?.protocol(None).test_games;
    Ok(wanted.or(usual).unwrap_or(TEST_GAMES))
}

/// Tests the player of a learning run with the seed of the run. The seeds of training games are
/// derived from it, so the test's games are new. If it is stopped, the result has the work done so
/// far.
///
/// # Errors
/// If the request is invalid, or a player cannot play under the ruleset.
pub fn test_player(
    request: TestRequest,
    plan: &Learning,
    context: &Context,
) -> Result<TestResult, StudyError> {
    let seconds = request.seconds;
    if !(seconds > 0.0 && seconds <= MOST_TEST_SECONDS) {
        return StudyError::refused(format!(
            "the time limit of a test must be above 0 s and at most {MOST_TEST_SECONDS} s, got {seconds} s"
        ));
    }
    let games = test_games(plan, request.games);
    let games = games.map_err(|error| StudyError::Refused(error.to_string()))?;
    let testing = Testing {
        context,
        end: Instant::now() + Duration::from_secs_f64(seconds),
        ruleset: request.ruleset.clone(),
        seed: plan.seed,
    };
    let player = request.player.clone();
    let players: Vec<&str> = [player.as_str()].into_iter().chain(PUBLISHED).collect();
    let (ways, pilot) = testing.ways(&players, games)?;
    testing.run(&ways, pilot, request)
}

/// Players with the ways to test them.
type NamedWays<'a> = Vec<(&'a str, TestWay)>;

/// A test in progress.
struct Testing<'a> {
    context: &'a Context,
    /// When the time limit is reached.
    end: Instant,
    ruleset: String,
    seed: u64,
}

impl Testing<'_> {
    /// Chooses a way to test each player from a few pilot games; returns it with those games, which
    /// have no events.
    fn ways<'a>(
        &self,
        names: &[&'a str],
        wanted: u64,
    ) -> Result<(NamedWays<'a>, TestPart), StudyError> {
        let library = self.context.library();
        let ruleset = library.ruleset(&self.ruleset)?;
        let can_split = self.splitting(names[0]).check(library).is_ok();
        let rules = TestRules::of(&ruleset, can_split);
        let players = names.iter().map(|name| (*name).to_owned()).collect();
        let way = TestWay::Capped {
            games: PILOT_GAMES.min(wanted),
            cap: rules.pilot_cap,
        };
        let evaluation = self.games(players, way);
        let context = self.part(PILOT_SHARE).silent();
        let evaluated = evaluate(&evaluation, &Keep::nothing(), &context)?;
        let result = |name: &&str| evaluated.results.iter().find(|row| row.player == *name);
        let pilots: Vec<Pilot> = names.iter().map(|name| Pilot::of(result(name))).collect();
        let ways = rules.ways(&pilots, wanted);
        let ways = names.iter().copied().zip(ways);
        let is_wanted = |row: &(&str, TestWay)| *row != (PUBLISHED[0], TestWay::Splitting);
        let part = TestPart {
            evaluation,
            evaluated,
        };
        Ok((ways.filter(is_wanted).collect(), part))
    }

    /// Evaluates all players.
    fn run(
        &self,
        ways: &[(&str, TestWay)],
        pilot: TestPart,
        request: TestRequest,
    ) -> Result<TestResult, StudyError> {
        let (estimated, played): (Vec<_>, Vec<_>) =
            ways.iter().partition(|row| row.1 == TestWay::Splitting);
        let mut tested = TestResult {
            request,
            method: method(ways),
            parts: Vec::new(),
            missing: Vec::new(),
            time_is_over: false,
        };
        if let Some((_, way)) = played.first() {
            let names = played.iter().map(|row| row.0.to_owned()).collect();
            let share = if estimated.is_empty() { 1.0 } else { 0.5 };
            self.evaluate(self.games(names, *way), share, &mut tested)?;
        }
        // The first player gets half of the time; if its games are long, it is the learned player.
        for (index, (name, _)) in estimated.iter().enumerate() {
            let share = if index + 1 < estimated.len() {
                0.5
            } else {
                1.0
            };
            self.evaluate(self.splitting(name), share, &mut tested)?;
        }
        tested.fill_in(ways, pilot, self.context.is_cancelled());
        Ok(tested)
    }

    /// The context of a part of the test, which gets this share of the remaining time.
    fn part(&self, share: f64) -> Context {
        let left = self.end.saturating_duration_since(Instant::now());
        let end = Instant::now() + left.mul_f64(share);
        self.context.until(Some(end))
    }

    fn games(&self, players: Vec<String>, way: TestWay) -> Evaluation {
        let (games, max_pieces) = match way {
            TestWay::Capped { games, cap } => (games, Some(cap)),
            TestWay::Whole(games) => (games, None),
            TestWay::Splitting => (TEST_GAMES, None),
        };
        Evaluation {
            players,
            ruleset: self.ruleset.clone(),
            plan: Plan::Games {
                until: GamesGoal::Games(games),
                max_pieces,
            },
            seed: self.seed,
        }
    }

    fn splitting(&self, player: &str) -> Evaluation {
        Evaluation {
            players: vec![player.to_owned()],
            ruleset: self.ruleset.clone(),
            plan: Plan::Splitting {
                until: Goal::Repetitions(REPETITIONS),
                splitting: SplittingPlan {
                    trajectories: TRAJECTORIES,
                    ..SplittingPlan::default()
                },
            },
            seed: self.seed,
        }
    }

    /// Adds an evaluation to the results. A failed estimate is named, and the others continue.
    fn evaluate(
        &self,
        evaluation: Evaluation,
        share: f64,
        tested: &mut TestResult,
    ) -> Result<(), StudyError> {
        let evaluated = evaluate(&evaluation, &Keep::nothing(), &self.part(share));
        let names = evaluation.players.join(", ");
        let mut evaluated = match evaluated {
            Ok(evaluated) => evaluated,
            Err(error) if matches!(evaluation.plan, Plan::Splitting { .. }) => {
                tested.missing.push(format!("{names}: {error}."));
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        for failed in &evaluated.failed {
            let text = format!("{}: {}.", failed.player, failed.error);
            tested.missing.push(text);
        }
        if evaluated.interrupted && !self.context.is_cancelled() {
            tested.time_is_over = true;
            evaluated.interrupted = false;
            let results = evaluated.results.iter_mut();
            results.for_each(|result| result.interrupted = false);
            if evaluated.results.is_empty() && evaluated.failed.is_empty() {
                let text = format!("{names}: there was no time for an estimate by splitting.");
                tested.missing.push(text);
                return Ok(());
            }
        }
        tested.parts.push(TestPart {
            evaluation,
            evaluated,
        });
        Ok(())
    }
}

impl TestResult {
    /// Adds the first, truncated games of players for which nothing else could be measured.
    fn fill_in(&mut self, ways: &[(&str, TestWay)], mut first: TestPart, interrupted: bool) {
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
            .for_each(|result| result.interrupted = interrupted);
        first.evaluated.interrupted = interrupted;
        first.evaluated.comparisons.clear();
        first.evaluation.players = unknown;
        if !interrupted {
            let cap = first.evaluation.plan.max_pieces();
            let cap = cap.map_or(String::new(), thousands);
            self.missing.push(format!(
                "Instead, their first games are shown, truncated after {cap} pieces."
            ));
        }
        self.parts.insert(0, first);
    }
}

/// A description of how the players are tested.
fn method(ways: &[(&str, TestWay)]) -> String {
    let names = |is_it: fn(&TestWay) -> bool| {
        let found = ways.iter().filter(|row| is_it(&row.1)).map(|row| row.0);
        found.collect::<Vec<_>>().join(", ")
    };
    let estimated = names(|way| *way == TestWay::Splitting);
    let played = ways.iter().find_map(|(_, way)| match way {
        TestWay::Whole(games) => Some(format!("{} whole games each", thousands(*games))),
        TestWay::Capped { games, cap } => Some(format!(
            "{games} games each, which do not end in reasonable time and are truncated after {} pieces",
            thousands(*cap)
        )),
        TestWay::Splitting => None,
    });
    let splitting = format!(
        "multilevel splitting ({REPETITIONS} repetitions of {TRAJECTORIES} trajectories) for {estimated}, whose games do not end in \
         reasonable time"
    );
    match (played, estimated.is_empty()) {
        (Some(played), true) => played,
        (Some(played), false) => format!("{played}; {splitting}"),
        (None, _) => splitting,
    }
}
