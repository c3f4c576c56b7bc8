//! The settings of a learning run on the command line, and what they describe.

use crate::cap::{Cap, parse_cap};
use tetrolab::core::evaluators::{EVALUATORS, EvaluatorEntry};
use tetrolab::learners::{LEARNERS, Protocol, find_learner, presets};
use tetrolab::learning::objective::OBJECTIVES;
use tetrolab::learning::{Budget, Learning, Scale, tables_of_start};
use tetrolab::library::Parts;
use tetrolab::practice::{ChosenPractice, PRACTICES, find_practice};

/// The learner of the default run.
pub(super) const DEFAULT: &str = "danger-quick";
/// The default learner where it is said what is to be learned.
const SEARCH: &str = "cma-es";

/// What makes another run. Whatever is not given comes from the learner or its preset.
#[derive(clap::Args, Default, PartialEq)]
pub(crate) struct LearningFlags {
    #[arg(value_name = "LEARNER", help = learner_help())]
    learner: Option<String>,
    /// The game that candidates play: a name (with any size), a spec, or a file; see `tetrolab list rulesets`
    /// [default: that of the learner, or of the tables of --start, or simplified-hard-10x20].
    #[arg(long, value_name = "RULESET")]
    ruleset: Option<String>,
    /// What is weighed: a feature set, or feature ids separated by commas; see `tetrolab list feature-sets`. For the evaluator tables: a set of
    /// tables, or tables with + between them; see `tetrolab list table-sets` [default: what is usual with the learner, or the tables of --start, or bcts].
    #[arg(long, value_name = "SET|ID,...")]
    features: Option<String>,
    #[arg(long, value_name = "PLAYER", help = player_help())]
    player: Option<String>,
    #[arg(long, value_name = "FORM", help = evaluator_help())]
    evaluator: Option<String>,
    /// The units of the hidden layers of a network whose parameters an optimiser searches, separated by commas [default: 32,32,32, the thesis'
    /// network, or those of --start].
    #[arg(long, value_name = "N,...")]
    layers: Option<String>,
    /// What these units make of their sums: relu, silu, dsilu, sigmoid or linear [default: relu, or that of --start].
    #[arg(long, value_name = "NAME")]
    activation: Option<String>,
    /// Search around the numbers of this player instead of around 0: a published name, a player file, or the folder of a learning
    /// run. It must weigh the same features or some of them. With a learner's default settings the first candidates lie a
    /// tenth of the start's length away from it. Cannot be combined with normalise=true. A network begins at one
    /// of the same features and layers. Of a player with look-up tables a factor for each table is searched.
    #[arg(long, value_name = "PLAYER")]
    start: Option<String>,
    /// The coordinates in which the learner searches: none (the weights themselves) or spread (each weight times the spread of its
    /// feature in a thousand decisions, so that one step size suits all features; for a network: inputs of mean 0 and spread 1, and parameters in
    /// units of their layer) [default: spread with --start, for networks, or if the spreads of the features differ by more than a factor of 1000;
    /// otherwise none].
    #[arg(long, value_name = "HOW", value_parser = scale)]
    scale: Option<Scale>,
    #[arg(long, value_name = "WHAT", help = objective_help())]
    objective: Option<String>,
    /// How many games each candidate plays; all candidates of a generation play the same ones [default: 30, or that of the learner].
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Let all generations play the same games, instead of new ones each.
    #[arg(long)]
    fixed_games: bool,
    /// Cut training games off after this many pieces, or `none` [default: 100000; of a published method with its own number of games: its cap, or none].
    #[arg(long, value_name = "P|none", value_parser = parse_cap)]
    max_pieces: Option<Cap>,
    /// Stop each run after this many generations [default: 40, or that of the learner, unless another limit is given].
    #[arg(long, value_name = "N")]
    generations: Option<u64>,
    /// Stop each run when it has played this many games.
    #[arg(long, value_name = "N")]
    total_games: Option<u64>,
    /// Stop each run when it has placed this many pieces.
    #[arg(long, value_name = "N")]
    total_pieces: Option<u64>,
    /// Stop after the generation in which this many seconds have gone (also 90s, 5m, 2h), shared by all runs. The result then depends on the machine.
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    time: Option<f64>,
    /// Stop a run when a candidate has this fitness; that of survival is a logarithm.
    #[arg(long, value_name = "FITNESS")]
    until: Option<f64>,
    /// Make this many independent runs and average their solutions [default: 1].
    #[arg(long, value_name = "N")]
    runs: Option<u64>,
    /// Where all random numbers come from: the same seed learns the same player [default: 1].
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

fn learner_help() -> String {
    let names = |names: Vec<&str>| names.join(", ");
    format!(
        "Who learns: {}; or a published method that uses one: {}; or one that plays: {}; with settings as in \
         'ga(population=50)'. See `tetrolab list learners` [default: {DEFAULT}; {SEARCH} with --ruleset, --features, --start and the like]",
        names(LEARNERS.iter().map(|learner| learner.id).collect()),
        names(presets().map(|preset| preset.id).collect()),
        names(PRACTICES.iter().map(|practice| practice.id).collect()),
    )
}

fn objective_help() -> String {
    let row = |entry: &tetrolab::learning::objective::ObjectiveEntry| {
        format!("{} ({})", entry.id, entry.definition)
    };
    let rows: Vec<String> = OBJECTIVES.iter().map(row).collect();
    format!(
        "What a candidate is worth: {} [default: lines]",
        rows.join(", ")
    )
}

fn player_help() -> String {
    let kinds = Parts::default().players_with_evaluator();
    let kinds: Vec<&str> = kinds.iter().map(|kind| kind.id).collect();
    format!(
        "Who plays with the weights: {}, with settings as in 'greedy(losing=allow)'; see `tetrolab list players` [default: greedy]",
        kinds.join(" or ")
    )
}

fn evaluator_help() -> String {
    let row = |entry: &EvaluatorEntry| format!("{} ({})", entry.id, entry.definition);
    let rows: Vec<String> = EVALUATORS.iter().map(row).collect();
    format!(
        "The form of the evaluator: {} [default: what is usual with the learner, or tables if --start has them, or linear]",
        rows.join(", ")
    )
}

/// The name of a scale.
fn scale(text: &str) -> Result<Scale, String> {
    let found = Scale::ALL.iter().find(|row| row.1 == text);
    found.map(|row| row.0).ok_or_else(|| {
        let names = Scale::ALL.map(|row| row.1);
        format!("a scale is {}", names.join(" or "))
    })
}

/// A time: `90`, `90s`, `5m`, `2h`.
fn seconds(text: &str) -> Result<f64, String> {
    let units = [("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let unit = units
        .iter()
        .find_map(|(unit, scale)| Some((text.strip_suffix(unit)?, *scale)));
    let (number, scale) = unit.unwrap_or((text, 1.0));
    let time = number.parse::<f64>().map(|number| number * scale);
    time.map_err(|_| "a time is a number of seconds, or 90s, 5m, 2h".to_owned())
}

impl LearningFlags {
    /// Whether anything was asked for.
    pub(super) fn any(&self) -> bool {
        *self != LearningFlags::default()
    }

    /// Whether a number of games for each candidate was asked for.
    pub(super) fn asks_for_games(&self) -> bool {
        self.games.is_some()
    }

    /// Whether it was said what is to be learned: then it is not the default run.
    fn asks_for_something(&self) -> bool {
        let words = [
            &self.features,
            &self.evaluator,
            &self.layers,
            &self.activation,
            &self.start,
            &self.ruleset,
            &self.player,
            &self.objective,
        ];
        let is_said = words.iter().any(|word| word.is_some());
        is_said || self.scale.is_some() || self.runs.is_some()
    }

    /// Whether something else than a number of generations ends a run.
    fn has_another_limit(&self) -> bool {
        let counts = self.total_games.or(self.total_pieces);
        counts.is_some() || self.time.or(self.until).is_some()
    }

    /// What is learned, and a word to name it by.
    pub(crate) fn learning(&self) -> anyhow::Result<(Learning, &'static str)> {
        let quick = Learning::default();
        let asked = match &self.learner {
            Some(asked) => asked,
            None if self.asks_for_something() => SEARCH,
            None => DEFAULT,
        };
        if let Some(chosen) = find_practice(asked)? {
            return Ok(self.practice(&chosen));
        }
        let mut chosen = find_learner(asked)?;
        if self.start.is_some() {
            chosen = chosen.near_a_start()?;
        }
        let protocol = chosen
            .preset
            .map_or(Protocol::OPEN, |preset| preset.protocol);
        // A paper that says how many games it played, and knows no cap, played them to their end.
        let cap = match protocol.games {
            Some(_) => protocol.max_pieces,
            None => protocol.max_pieces.or(quick.max_pieces),
        };
        let usual = quick.budget.generations;
        let usual = usual.filter(|_| !self.has_another_limit());
        let text = |given: &Option<String>, published: Option<&str>, default: String| {
            given
                .clone()
                .or(published.map(str::to_owned))
                .unwrap_or(default)
        };
        // Of a player with tables, its tables are searched. One that cannot be read is an error later.
        let start = self.start.as_deref();
        let start = start.filter(|_| {
            self.evaluator
                .as_deref()
                .is_none_or(|form| form == "tables")
        });
        let tables = start.and_then(|start| tables_of_start(start).ok().flatten());
        let searched = tables.as_ref().map(|_| "tables");
        let (tables, board) = tables.map(|found| (found.features, found.ruleset)).unzip();
        let learning = Learning {
            learner: chosen.spec().to_string(),
            ruleset: text(
                &self.ruleset,
                board.as_deref().or(protocol.ruleset),
                quick.ruleset,
            ),
            features: text(
                &self.features,
                tables.as_deref().or(protocol.features),
                quick.features,
            ),
            player: text(&self.player, protocol.player, quick.player),
            evaluator: text(
                &self.evaluator,
                searched.or(protocol.evaluator),
                quick.evaluator,
            ),
            layers: self.layers.clone(),
            activation: self.activation.clone(),
            start: self.start.clone(),
            scale: self.scale.unwrap_or(quick.scale),
            objective: text(&self.objective, protocol.objective, quick.objective),
            games: self.games.or(protocol.games).unwrap_or(quick.games),
            fixed_games: self.fixed_games,
            max_pieces: self.max_pieces.map_or(cap, |Cap(given)| given),
            budget: Budget {
                generations: self.generations.or(protocol.generations).or(usual),
                games: self.total_games,
                pieces: self.total_pieces,
                seconds: self.time,
                fitness: self.until,
            },
            runs: self.runs.or(protocol.runs).unwrap_or(quick.runs),
            seed: self.seed.unwrap_or(quick.seed),
            rules: None,
            start_tables: None,
        };
        Ok((
            learning,
            chosen.preset.map_or(chosen.learner.id, |preset| preset.id),
        ))
    }

    /// What a learner that plays learns, and a word to name it by.
    fn practice(&self, chosen: &ChosenPractice) -> (Learning, &'static str) {
        let quick = Learning::default();
        let protocol = chosen.practice.make.protocol;
        let evaluators = chosen.practice.make.evaluators;
        let evaluator = self.evaluator.as_deref().unwrap_or(evaluators[0].0);
        let features = evaluators.iter().find(|row| row.0 == evaluator);
        let features = features.map(|row| row.1);
        let usual = quick.budget.generations;
        let usual = usual.filter(|_| !self.has_another_limit());
        let text = |given: &Option<String>, usual: Option<&str>, default: String| {
            let usual = usual.map_or(default, str::to_owned);
            given.clone().unwrap_or(usual)
        };
        let learning = Learning {
            learner: chosen.spec().to_string(),
            ruleset: text(&self.ruleset, protocol.ruleset, quick.ruleset),
            features: text(&self.features, features, quick.features),
            player: text(&self.player, protocol.player, quick.player),
            evaluator: evaluator.to_owned(),
            layers: self.layers.clone(),
            activation: self.activation.clone(),
            start: self.start.clone(),
            scale: self.scale.unwrap_or(quick.scale),
            objective: text(&self.objective, protocol.objective, quick.objective),
            games: self.games.or(protocol.games).unwrap_or(quick.games),
            fixed_games: self.fixed_games,
            max_pieces: self.max_pieces.map_or(quick.max_pieces, |Cap(given)| given),
            budget: Budget {
                generations: self.generations.or(protocol.generations).or(usual),
                games: self.total_games,
                pieces: self.total_pieces,
                seconds: self.time,
                fitness: self.until,
            },
            runs: self.runs.unwrap_or(quick.runs),
            seed: self.seed.unwrap_or(quick.seed),
            rules: None,
            start_tables: None,
        };
        (learning, chosen.practice.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_arguments_tables_learn_danger_and_with_features_weights_are_searched() {
        let (learning, word) = LearningFlags::default().learning().unwrap();
        assert_eq!(word, "danger-quick");
        let parts = [&learning.ruleset, &learning.evaluator, &learning.features];
        assert_eq!(parts, ["simplified-10x10", "tables", "wary"]);
        let with_features = LearningFlags {
            features: Some("dellacherie".to_owned()),
            ..LearningFlags::default()
        };
        assert_eq!(with_features.learning().unwrap().1, "cma-es");
        let on_a_board = LearningFlags {
            ruleset: Some("guideline".to_owned()),
            ..LearningFlags::default()
        };
        assert_eq!(on_a_board.learning().unwrap().1, "cma-es");
        let with_start = LearningFlags {
            start: Some("wary-10".to_owned()),
            ..LearningFlags::default()
        };
        let (learning, word) = with_start.learning().unwrap();
        let parts = [word, &learning.evaluator, &learning.features];
        assert_eq!(parts, ["cma-es", "tables", "wary"]);
        assert_eq!(learning.ruleset, "simplified-10x10");
    }
}
