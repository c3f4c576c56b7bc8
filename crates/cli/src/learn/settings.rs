//! The settings of a learning run on the command line, and the resulting description.

use super::header::Header;
use super::origin::Origins;
use crate::cap::{Cap, parse_cap};
use tetrolab::core::evaluators::EVALUATORS;
use tetrolab::core::registry::Entry;
use tetrolab::learners::{LEARNERS, presets};
pub(super) use tetrolab::learning::DEFAULT_LEARNER as DEFAULT;
use tetrolab::learning::DEFAULT_SEARCH as SEARCH;
use tetrolab::learning::objective::OBJECTIVES;
use tetrolab::learning::{Budget, Learning, LearningRequest, Scale};
use tetrolab::library::Parts;

/// A plan, with remarks for the user.
pub(crate) struct AskedLearning {
    pub(crate) learning: Learning,
    /// A word used in the run's name.
    pub(super) word: &'static str,
    /// The learner as typed, the source of each setting, and why the default learner was not used.
    pub(super) header: Header,
}

/// Settings that distinguish runs. Missing ones come from the learner or its preset.
#[derive(clap::Args, Default, PartialEq)]
pub(crate) struct LearningFlags {
    #[arg(value_name = "LEARNER", help = learner_help())]
    learner: Option<String>,
    /// The game that candidates play: a name (with any size), a spec, or a file; see `tetrolab list
    /// rulesets` [default: the learner's ruleset, or that of the tables of --start, or
    /// simplified-hard-10x20].
    #[arg(long, value_name = "RULESET")]
    ruleset: Option<String>,
    /// Features: a feature set, or feature ids separated by commas; see `tetrolab list
    /// feature-sets`. With the evaluator `tables`: a set of tables, or tables separated by +; see
    /// `tetrolab list table-sets` [default: those of --start, or the learner's usual ones, or
    /// bcts].
    #[arg(long, value_name = "SET|ID,...")]
    features: Option<String>,
    #[arg(long, value_name = "PLAYER", help = player_help())]
    player: Option<String>,
    #[arg(long, value_name = "FORM", help = evaluator_help())]
    evaluator: Option<String>,
    /// Sizes of the hidden layers of a network whose parameters an optimiser searches, separated by
    /// commas [default: those of --start, or 32,32,32 as in the thesis].
    #[arg(long, value_name = "N,...")]
    layers: Option<String>,
    /// Activation function of the hidden units: relu, silu, dsilu, sigmoid or linear [default: that
    /// of --start, or relu].
    #[arg(long, value_name = "NAME")]
    activation: Option<String>,
    /// Start the search at this player's weights instead of at 0: a published name, a player file,
    /// or the folder of a learning run. Its features and evaluator are used unless --features or
    /// --evaluator are given; then its features must be among the given ones. With default
    /// settings, the first candidates are at a distance of a tenth of the norm of its weights.
    /// Cannot be combined with normalise=true. A network must have the same features and layers.
    /// For a player with lookup tables, the search optimises one scale per table.
    #[arg(long, value_name = "PLAYER")]
    start: Option<String>,
    /// The coordinates in which the learner searches: none (the weights themselves) or spread (each
    /// weight times the spread of its feature in a thousand decisions, so that one step size suits
    /// all features; for a network: inputs scaled to mean 0 and spread 1, and parameters scaled per
    /// layer) [default: spread with --start, for networks, and if the spreads of the features
    /// differ by more than a factor of 1000; otherwise none].
    #[arg(long, value_name = "HOW", value_parser = scale)]
    scale: Option<Scale>,
    #[arg(long, value_name = "WHAT", help = objective_help())]
    objective: Option<String>,
    /// Number of games per candidate; all candidates of a generation play the same ones [default:
    /// the learner's, or 30 (stepped rulesets: 10)].
    #[arg(long, value_name = "N")]
    pub(super) games: Option<u64>,
    /// Use the same games in all generations instead of new ones in each.
    #[arg(long)]
    fixed_games: bool,
    /// Truncate training games after this many pieces, or `none` [default: the published method's
    /// cap, if it has its own number of games; otherwise 100000 (stepped rulesets: 500)].
    #[arg(long, value_name = "P|none", value_parser = parse_cap)]
    max_pieces: Option<Cap>,
    /// Stop each run after this many generations [default: the learner's, or 40, unless another
    /// limit is given].
    #[arg(long, value_name = "N")]
    generations: Option<u64>,
    /// Stop each run once it has played this many games.
    #[arg(long, value_name = "N")]
    total_games: Option<u64>,
    /// Stop each run once it has placed this many pieces [default: 300000000 (stepped rulesets:
    /// 500000), unless another limit or a preset's number of generations is given].
    #[arg(long, value_name = "N")]
    total_pieces: Option<u64>,
    /// Stop after this many seconds (also 90s, 5m, 2h), shared by all runs. A generation that is
    /// incomplete by then is discarded, but the first generation of each run is always completed.
    /// The result depends on the speed of the machine.
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    time: Option<f64>,
    /// Stop a run when a candidate reaches this fitness. For the objective `survival`, the fitness
    /// is a logarithm.
    #[arg(long, value_name = "FITNESS")]
    until: Option<f64>,
    /// Number of independent runs, whose solutions are averaged [default: 1].
    #[arg(long, value_name = "N")]
    runs: Option<u64>,
    /// Seed of all random numbers: the same seed gives the same player [default: 1].
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

fn learner_help() -> String {
    let methods: Vec<&str> = LEARNERS.iter().map(|learner| learner.id).collect();
    let presets: Vec<&str> = presets().map(|preset| preset.id).collect();
    format!(
        "Learning method: {}; or a preset of one: {}. Settings as in 'ga(population=50)'. See `tetrolab list learners` \
         [default: {DEFAULT}; {SEARCH} if --ruleset, --features, --start, --runs or similar flags are given]",
        methods.join(", "),
        presets.join(", "),
    )
}

fn objective_help() -> String {
    let objectives = defined(OBJECTIVES);
    format!("Fitness of a candidate: {objectives} [default: lines]")
}

/// The names in a registry with their definitions.
fn defined<M>(registry: &[Entry<M>]) -> String {
    let row = |entry: &Entry<M>| format!("{} ({})", entry.id, entry.definition);
    registry.iter().map(row).collect::<Vec<_>>().join(", ")
}

fn player_help() -> String {
    let kinds = Parts::default().players_with_evaluator();
    let kinds: Vec<&str> = kinds.iter().map(|kind| kind.id).collect();
    format!(
        "Decision rule that uses the weights: {}, with settings as in 'greedy(losing=allow)'; see `tetrolab list players` [default: greedy]",
        kinds.join(", ")
    )
}

fn evaluator_help() -> String {
    format!(
        "The form of the evaluator: {} [default: the learner's usual form, or tables if --start has them, or linear]",
        defined(EVALUATORS)
    )
}

/// Parses the name of a scale.
fn scale(text: &str) -> Result<Scale, String> {
    let found = Scale::ALL.iter().find(|row| row.1 == text);
    found.map(|row| row.0).ok_or_else(|| {
        let names = Scale::ALL.map(|row| row.1);
        format!("expected a scale: {}", names.join(" or "))
    })
}

/// Parses a time: `90`, `90s`, `5m`, `2h`.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let units = [("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let unit = units
        .iter()
        .find_map(|(unit, scale)| Some((text.strip_suffix(unit)?, *scale)));
    let (number, scale) = unit.unwrap_or((text, 1.0));
    let time = number.parse::<f64>().map(|number| number * scale);
    time.map_err(|_| "expected a time in seconds, or with a unit: 90s, 5m, 2h".to_owned())
}

impl LearningFlags {
    /// Whether any setting was given.
    pub(super) fn any(&self) -> bool {
        *self != LearningFlags::default()
    }

    /// The first flag that specifies what is learned; with such a flag, the default run does not
    /// apply.
    fn first_flag(&self) -> Option<&'static str> {
        let flags = [
            ("--ruleset", self.ruleset.is_some()),
            ("--features", self.features.is_some()),
            ("--start", self.start.is_some()),
            ("--evaluator", self.evaluator.is_some()),
            ("--layers", self.layers.is_some()),
            ("--activation", self.activation.is_some()),
            ("--player", self.player.is_some()),
            ("--objective", self.objective.is_some()),
            ("--scale", self.scale.is_some()),
            ("--runs", self.runs.is_some()),
        ];
        flags.iter().find(|flag| flag.1).map(|flag| flag.0)
    }

    /// The requested learner and, if none was named, why it is not the default one.
    fn learner(&self) -> (&str, Option<String>) {
        match (&self.learner, self.first_flag()) {
            (Some(learner), _) => (learner, None),
            (None, None) => (DEFAULT, None),
            (None, Some(flag)) => {
                let note = format!(
                    "No learner was named: with {flag} the default is {SEARCH}, otherwise {DEFAULT}."
                );
                (SEARCH, Some(note))
            }
        }
    }

    /// The description of the run, and the sources of its settings.
    pub(crate) fn learning(&self) -> anyhow::Result<AskedLearning> {
        let (asked, note) = self.learner();
        let planned = self.request(asked).plan()?;
        Ok(AskedLearning {
            learning: planned.learning,
            word: planned.word,
            header: Header {
                asked: Some(asked.to_owned()),
                origins: Origins(planned.origins),
                note,
                ..Header::default()
            },
        })
    }

    /// The request that the flags describe.
    fn request(&self, learner: &str) -> LearningRequest {
        LearningRequest {
            learner: learner.to_owned(),
            ruleset: self.ruleset.clone(),
            features: self.features.clone(),
            player: self.player.clone(),
            evaluator: self.evaluator.clone(),
            layers: self.layers.clone(),
            activation: self.activation.clone(),
            start: self.start.clone(),
            scale: self.scale,
            objective: self.objective.clone(),
            games: self.games,
            fixed_games: self.fixed_games,
            max_pieces: self.max_pieces.map(|Cap(given)| given),
            budget: Budget {
                generations: self.generations,
                games: self.total_games,
                pieces: self.total_pieces,
                seconds: self.time,
                fitness: self.until,
            },
            runs: self.runs,
            seed: self.seed,
        }
    }
}

#[cfg(test)]
mod tests;
