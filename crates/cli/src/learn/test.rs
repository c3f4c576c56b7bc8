//! The test of a learned player: games that it has not seen, beside published players, under the rules of its training.

mod alarm;
mod plan;
mod stored;

pub(crate) use stored::{TestSummary, summary};

use super::settings::seconds;
use crate::command::{self, option};
use crate::interrupt::is_interrupted;
use crate::machine::MachineFlags;
use crate::output::{again, line, print_wrapped, thousands};
use crate::standings::{means_table, print_heading, print_warnings};
use crate::{Completion, bars, estimates};
use alarm::Alarm;
use anyhow::bail;
use plan::{PILOT_GAMES, Pilot, TestRules, TestWay};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use stored::{TestPart, TestRequest, TestResult};
use tetrolab::arena::Arena;
use tetrolab::core::spec::SpecError;
use tetrolab::learning::Learning;
use tetrolab::library::find_ruleset;
use tetrolab::practice::find_practice;
use tetrolab::study::{Evaluation, Keep, Method, Target, evaluate};

/// The players that the learned one is compared with. The first is left out where games are too long to be played whole.
const PUBLISHED: [&str; 3] = ["misakamm-v2", "bcts", "dellacherie"];
/// How many games a test has, unless asked for otherwise ...
const GAMES: u64 = 1000;
/// ... and for a reinforcement learner, whose players may live long.
const GAMES_OF_PRACTICE: u64 = 100;
/// How a mean is estimated where games are too long to be played whole: roughly, and soon.
const REPETITIONS: u64 = 8;
const TRAJECTORIES: usize = 500;
/// The part of the time in which it is found out how long games are.
const PILOT_SHARE: f64 = 0.25;
/// The most time that a test may be given: thirty years.
const MOST_SECONDS: f64 = 1e9;

#[derive(clap::Args)]
pub(super) struct TestFlags {
    #[arg(long, value_name = "N", help = games_help())]
    test_games: Option<u64>,
    /// The game of the test [default: that of training].
    #[arg(long, value_name = "RULESET")]
    test_ruleset: Option<String>,
    /// The time that the test may take (also 90s, 5m, 2h). Games that are too long for it are estimated by splitting or cut off, and
    /// the output says so.
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
        "How many games the learned player is tested on; 0 for no test [default: {GAMES}, for reinforcement learners {GAMES_OF_PRACTICE}]"
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
                let outcome = match is_interrupted() {
                    true => Completion::Interrupted,
                    false => Completion::Done,
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
    fn games(&self, learning: &Learning) -> Result<u64, SpecError> {
        let usual = match find_practice(&learning.learner)? {
            Some(_) => GAMES_OF_PRACTICE,
            None => GAMES,
        };
        Ok(self.test_games.unwrap_or(usual))
    }

    /// Plays the test. Its seed is that of the run: training games have seeds of their own, derived from it, so these are new.
    fn play(
        &self,
        machine: &MachineFlags,
        of: &Tested<'_>,
        request: TestRequest,
        games: u64,
    ) -> anyhow::Result<TestResult> {
        let time = Duration::try_from_secs_f64(self.test_time)?;
        let alarm = Alarm::after(time);
        let testing = Testing {
            arena: machine.arena()?.stop_flag(alarm.flag()),
            alarm,
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
            let cap = first.evaluation.max_pieces.map_or(String::new(), thousands);
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
            return Ok(estimates::print(&results, 1, false)?);
        }
        print_heading(&results)?;
        means_table(&results).print()?;
        print_warnings(&results)
    }
}

impl Test {
    /// No test, and why.
    fn without(json: Value) -> Test {
        let outcome = Completion::Done;
        Test { json, outcome }
    }
}

/// A test under way.
struct Testing {
    arena: Arena,
    alarm: Alarm,
    ruleset: String,
    seed: u64,
}

impl Testing {
    /// How each player is tested, by what a few of its games are like, and those games.
    fn ways<'a>(
        &self,
        names: &[&'a str],
        wanted: u64,
    ) -> anyhow::Result<(Vec<(&'a str, TestWay)>, TestPart)> {
        let ruleset = find_ruleset(&self.ruleset)?;
        let can_split = self.splitting(names[0]).check().is_ok();
        let rules = TestRules::of(&ruleset, can_split);
        let players = names.iter().map(|name| (*name).to_owned()).collect();
        let way = TestWay::Capped {
            games: PILOT_GAMES.min(wanted),
            cap: rules.pilot_cap(),
        };
        let evaluation = self.games(players, way);
        self.alarm.allow(PILOT_SHARE);
        let evaluated = evaluate(&evaluation, &Keep::nothing(), &self.arena, &|_| {})?;
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
            self.alarm.allow(share);
            self.evaluate(self.games(names, *way), &mut tested)?;
        }
        // The first, which is the learned player where its games are long, has half of the time.
        for (index, (name, _)) in estimated.iter().enumerate() {
            let share = if index + 1 < estimated.len() {
                0.5
            } else {
                1.0
            };
            self.alarm.allow(share);
            self.evaluate(self.splitting(name), &mut tested)?;
        }
        tested.fill_in(ways, pilot);
        Ok(tested)
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
            target: Target::Games(games),
            max_pieces,
            seed: self.seed,
            ..Evaluation::default()
        }
    }

    fn splitting(&self, player: &str) -> Evaluation {
        Evaluation {
            players: vec![player.to_owned()],
            ruleset: self.ruleset.clone(),
            method: Method::Splitting,
            target: Target::Repetitions(REPETITIONS),
            trajectories: TRAJECTORIES,
            seed: self.seed,
            ..Evaluation::default()
        }
    }

    /// Adds an evaluation to what is known. An estimate that fails is named, and the others go on.
    fn evaluate(&self, evaluation: Evaluation, tested: &mut TestResult) -> anyhow::Result<()> {
        let shown = bars::EvaluationBars::default();
        let evaluated = evaluate(&evaluation, &Keep::nothing(), &self.arena, &|event| {
            shown.observe(event);
        });
        drop(shown);
        let names = evaluation.players.join(", ");
        let mut evaluated = match evaluated {
            Ok(evaluated) => evaluated,
            Err(error) if evaluation.method == Method::Splitting => {
                tested.missing.push(format!("{names}: {error}."));
                return Ok(());
            }
            Err(error) => return Err(error.into()),
        };
        if evaluated.interrupted && !is_interrupted() {
            tested.time_is_over = true;
            evaluated.interrupted = false;
            let results = evaluated.results.iter_mut();
            results.for_each(|result| result.interrupted = false);
            if evaluated.results.is_empty() {
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

/// How players are tested, in words.
fn method(ways: &[(&str, TestWay)]) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_method_is_told_in_words() {
        let whole = [("a", TestWay::Whole(1000)), ("b", TestWay::Whole(1000))];
        assert_eq!(method(&whole), "1,000 whole games each");
        let mixed = [("a", TestWay::Whole(20)), ("b", TestWay::Splitting)];
        let text = method(&mixed);
        assert!(text.starts_with("20 whole games each; multilevel splitting"));
        assert!(text.contains("for b, whose games do not end"));
        let capped = TestWay::Capped {
            games: 50,
            cap: 1000,
        };
        assert!(method(&[("a", capped)]).ends_with("are cut off after 1,000 pieces"));
    }

    #[test]
    fn a_player_without_an_estimate_is_shown_by_its_first_games() {
        let evaluation = |players: &[&str]| Evaluation {
            players: players.iter().map(|&name| name.to_owned()).collect(),
            ruleset: "simplified-6x8".to_owned(),
            target: Target::Games(3),
            max_pieces: Some(9),
            ..Evaluation::default()
        };
        let part = |players: &[&str]| {
            let evaluation = evaluation(players);
            let arena = Arena::new(1).unwrap();
            let evaluated = evaluate(&evaluation, &Keep::nothing(), &arena, &|_| {}).unwrap();
            TestPart {
                evaluation,
                evaluated,
            }
        };
        let mut tested = TestResult {
            request: TestRequest {
                player: "bcts".to_owned(),
                ruleset: "simplified-6x8".to_owned(),
                rules: None,
                games: None,
                seconds: 1.0,
            },
            method: String::new(),
            parts: vec![part(&["dellacherie"])],
            missing: Vec::new(),
            time_is_over: true,
        };
        let ways = ["bcts", "dellacherie"].map(|name| (name, TestWay::Splitting));
        tested.fill_in(&ways, part(&["bcts", "dellacherie"]));
        let names: Vec<&str> = tested.results().iter().map(|row| &*row.1.player).collect();
        assert_eq!(names, ["bcts", "dellacherie"]);
        assert!(tested.missing[0].contains("cut off after 9 pieces"));
        let parts = tested.parts.len();
        tested.fill_in(&ways, part(&["bcts"]));
        assert_eq!(tested.parts.len(), parts, "nobody is unknown any more");
    }
}
