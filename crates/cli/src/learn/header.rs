//! The settings of a run, one per line: everything needed for a fair comparison.

use super::origin::Origins;
use crate::output::after_name;
use tetrolab::learning::objective::{FitnessUnit, OBJECTIVES};
use tetrolab::learning::{Budget, Learning};
use tetrolab::report::thousands;

/// Facts about a run that are not part of its plan.
#[derive(Default)]
pub(crate) struct Header {
    /// The learner as given, if known.
    pub(super) asked: Option<String>,
    /// The sources of the settings, if known: a resumed run has none.
    pub(super) origins: Origins,
    /// A remark that is printed first.
    pub(super) note: Option<String>,
    /// Number of threads.
    pub(super) threads: Option<usize>,
    /// Whether the user gave a number of games.
    pub(super) asks_for_games: bool,
}

/// A plan with facts from its task.
pub(crate) struct Heading<'a> {
    pub(crate) learning: &'a Learning,
    /// Number of parameters to learn, if known.
    pub(crate) dimension: Option<usize>,
    /// The unit of the fitness, if the objective is known.
    pub(crate) unit: Option<FitnessUnit>,
    /// Whether candidates play whole games.
    pub(crate) plays_games: bool,
}

impl Header {
    /// The header of a stored run.
    pub(crate) fn of_stored(asked: &str) -> Header {
        Header {
            asked: Some(asked.to_owned()),
            ..Header::default()
        }
    }

    /// The lines above the table of generations.
    pub(super) fn lines(&self, folder: &str, heading: &Heading<'_>) -> Vec<String> {
        let mut lines: Vec<String> = self.note.clone().into_iter().collect();
        // This is not rejected, because the commands stored in the files of such players contain a
        // number of games.
        if !heading.plays_games && self.asks_for_games {
            let note = "--games has no effect: this objective plays no whole games";
            lines.push(note.to_owned());
        }
        lines.push(match heading.dimension {
            Some(dimension) => format!(
                "{folder} · {} parameters to learn",
                thousands(dimension as u64)
            ),
            None => folder.to_owned(),
        });
        lines.extend(self.settings(heading));
        lines.push(String::new());
        lines
    }

    /// The settings, one or more lines each.
    pub(crate) fn settings(&self, heading: &Heading<'_>) -> Vec<String> {
        let rows = self.rows(heading).into_iter();
        rows.flat_map(|(name, text)| after_name(name, &text))
            .collect()
    }

    fn rows(&self, heading: &Heading<'_>) -> Vec<(&'static str, String)> {
        let plan = heading.learning;
        let from = |field: &str| {
            let origin = self.origins.of(field);
            origin.map_or(String::new(), |origin| format!(" ({origin})"))
        };
        let mut rows = vec![
            ("learner", self.learner(plan)),
            ("ruleset", plan.ruleset.clone() + &from("ruleset")),
            ("features", plan.features.clone() + &from("features")),
            ("evaluator", evaluator(plan) + &from("evaluator")),
            ("player", plan.player.clone() + &from("player")),
            ("objective", objective(heading) + &from("objective")),
        ];
        if heading.plays_games {
            rows.push(("games", games(plan) + &from("games")));
            let cap = plan.max_pieces.map_or("none".to_owned(), |cap| {
                format!("{} in a game", thousands(cap))
            });
            rows.push(("max pieces", cap + &from("max_pieces")));
        }
        let start = plan.start.as_deref().unwrap_or("zero");
        rows.push(("scale", plan.scale.name().to_owned() + &from("scale")));
        rows.push(("start", start.to_owned()));
        rows.push(("budget", budget(&plan.budget) + &from("budget")));
        if plan.runs > 1 {
            rows.push(("runs", format!("{}, averaged{}", plan.runs, from("runs"))));
        }
        let seed = format!("{}{}", plan.seed, from("seed"));
        rows.push(("seed", seed));
        if let Some(threads) = self.threads {
            rows.push(("threads", format!("{threads} (no effect on results)")));
        }
        rows
    }

    /// The name of the learner as typed, followed by all its settings.
    fn learner(&self, plan: &Learning) -> String {
        let own = plan.learner.split('(').next().unwrap_or_default();
        match self.asked.as_deref().filter(|asked| *asked != own) {
            Some(asked) if asked != plan.learner => format!("{asked} = {}", plan.learner),
            _ => plan.learner.clone(),
        }
    }
}

fn evaluator(plan: &Learning) -> String {
    let layers = plan.layers.iter().map(|layers| format!("layers {layers}"));
    let mut parts = vec![plan.evaluator.clone()];
    parts.extend(layers.chain(plan.activation.clone()));
    parts.join(", ")
}

/// The objective with its unit and definition.
fn objective(heading: &Heading<'_>) -> String {
    let spec = &heading.learning.objective;
    let name = spec.split('(').next().unwrap_or_default();
    let entry = OBJECTIVES.iter().find(|entry| entry.id == name);
    let definition = entry.map_or("", |entry| entry.definition);
    let definition = definition.split(';').next().unwrap_or_default();
    match heading.unit {
        Some(unit) => format!("{spec}: {definition}; unit: {}", unit.quantity),
        None => spec.clone(),
    }
}

fn games(plan: &Learning) -> String {
    let same = if plan.fixed_games {
        "the same in all generations"
    } else {
        "new ones in each generation"
    };
    format!("{} for each candidate, {same}", thousands(plan.games))
}

/// The budget of a run.
fn budget(of: &Budget) -> String {
    let count =
        |limit: Option<u64>, what: &str| limit.map(|limit| format!("{} {what}", thousands(limit)));
    let limits = [
        count(of.generations, "generations"),
        count(of.games, "games"),
        count(of.pieces, "pieces"),
        of.seconds.map(|seconds| format!("{seconds} s")),
        of.fitness.map(|fitness| format!("a fitness of {fitness}")),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    let first = if limits.len() > 1 {
        ", whichever is reached first"
    } else {
        ""
    };
    limits.join(" or ") + first
}

#[cfg(test)]
mod tests {
    use super::super::settings::LearningFlags;
    use super::*;
    use clap::{Args, FromArgMatches};
    use tetrolab::report::WIDTH;

    fn lines(args: &[&str]) -> Vec<String> {
        let command = LearningFlags::augment_args(clap::Command::new("learn"));
        let words = ["learn"].iter().chain(args);
        let matches = command.try_get_matches_from(words).unwrap();
        let asked = LearningFlags::from_arg_matches(&matches).unwrap();
        let asked = asked.learning().unwrap();
        let header = Header {
            threads: Some(2),
            ..asked.header
        };
        let heading = Heading {
            learning: &asked.learning,
            dimension: Some(8),
            unit: Some(FitnessUnit::mean("lines")),
            plays_games: true,
        };
        header.lines("runs/x", &heading)
    }

    #[test]
    fn every_setting_is_shown_with_its_origin() {
        let lines = lines(&["thesis-ga", "--games=3"]);
        let has = |text: &str| assert!(lines.iter().any(|line| line == text), "{lines:#?}");
        has("runs/x · 8 parameters to learn");
        has("ruleset     thesis (from thesis-ga)");
        has("games       3 for each candidate, new ones in each generation (given)");
        has("max pieces  5,000 in a game (from thesis-ga)");
        has("seed        1 (default)");
        assert!(lines[1].starts_with("learner     thesis-ga = ga(population="));
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH));
    }

    #[test]
    fn the_default_budget_of_a_stepped_game_is_shown() {
        let lines = lines(&["--ruleset=nes"]);
        assert!(lines[0].contains("with --ruleset the default is cma-es"));
        let budget =
            "budget      40 generations or 500,000 pieces, whichever is reached first (default)";
        assert!(lines.iter().any(|line| line == budget), "{lines:#?}");
    }
}
