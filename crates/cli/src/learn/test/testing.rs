//! A test in progress: pilot games first, then the evaluations.

use super::plan::{PILOT_GAMES, Pilot, TestRules, TestWay};
use super::stored::{TestPart, TestRequest, TestResult};
use super::{GAMES, PUBLISHED};
use crate::bars;
use crate::interrupt::is_interrupted;
use std::sync::Arc;
use std::time::Instant;
use tetrolab::context::{Context, Event};
use tetrolab::library::{FileSource, find_ruleset};
use tetrolab::report::thousands;
use tetrolab::study::{Evaluation, GamesGoal, Keep, Plan, SplittingPlan, evaluate};
use tetrolab::survival::Goal;

/// How a mean is estimated if whole games would take too long: roughly and quickly.
const REPETITIONS: u64 = 8;
const TRAJECTORIES: usize = 500;
/// The share of the time limit that is spent on pilot games.
const PILOT_SHARE: f64 = 0.25;
/// A test in progress.
pub(super) struct Testing {
    pub(super) context: Context,
    /// When the time limit is reached.
    pub(super) end: Instant,
    pub(super) ruleset: String,
    pub(super) seed: u64,
}

impl Testing {
    /// Chooses a way to test each player from a few pilot games; returns it with those games.
    pub(super) fn ways<'a>(
        &self,
        names: &[&'a str],
        wanted: u64,
    ) -> anyhow::Result<(Vec<(&'a str, TestWay)>, TestPart)> {
        let ruleset = find_ruleset(&self.ruleset)?;
        let can_split = self.splitting(names[0]).check(FileSource::Disk).is_ok();
        let rules = TestRules::of(&ruleset, can_split);
        let players = names.iter().map(|name| (*name).to_owned()).collect();
        let way = TestWay::Capped {
            games: PILOT_GAMES.min(wanted),
            cap: rules.pilot_cap,
        };
        let evaluation = self.games(players, way);
        let evaluated = evaluate(&evaluation, &Keep::nothing(), &self.part(PILOT_SHARE))?;
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
    pub(super) fn run(
        &self,
        ways: &[(&str, TestWay)],
        pilot: TestPart,
        request: TestRequest,
    ) -> anyhow::Result<TestResult> {
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
        tested.fill_in(ways, pilot);
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
            TestWay::Splitting => (GAMES, None),
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
    ) -> anyhow::Result<()> {
        let shown = Arc::new(bars::EvaluationBars::default());
        let bars = Arc::clone(&shown);
        let context = self.part(share).observer(move |event| {
            // The usual advice for long games names settings that a test does not have; the test's
            // time is limited anyway.
            if !matches!(event.event, Event::Expected { .. }) {
                bars.observe(&event.event);
            }
        });
        let evaluated = evaluate(&evaluation, &Keep::nothing(), &context);
        shown.end();
        let names = evaluation.players.join(", ");
        let mut evaluated = match evaluated {
            Ok(evaluated) => evaluated,
            Err(error) if matches!(evaluation.plan, Plan::Splitting { .. }) => {
                tested.missing.push(format!("{names}: {error}."));
                return Ok(());
            }
            Err(error) => return Err(error.into()),
        };
        for failed in &evaluated.failed {
            let text = format!("{}: {}.", failed.player, failed.error);
            tested.missing.push(text);
        }
        if evaluated.interrupted && !is_interrupted() {
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

/// A description of how the players are tested.
pub(super) fn method(ways: &[(&str, TestWay)]) -> String {
    let names = |is_it: fn(&TestWay) -> bool| {
        let found = ways.iter().filter(|row| is_it(&row.1)).map(|row| row.0);
        found.collect::<Vec<_>>().join(", ")
    };
    let estimated = names(|way| *way == TestWay::Splitting);
    let played = ways.iter().find_map(|(_, way)| match way {
        TestWay::Whole(games) => Some(format!("{} whole games each", thousands(*games))),
        TestWay::Capped { games, cap } => Some(format!(
            "{games} games each, which do not end in reasonable time and are cut off after {} pieces",
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
