//! The settings of a learning run on the command line, and what they describe.

use super::header::Header;
use super::origin::{Origin, Origins};
use crate::cap::{Cap, parse_cap};
use tetrolab::core::evaluators::EVALUATORS;
use tetrolab::core::registry::Entry;
use tetrolab::learners::{Chosen, LEARNERS, Protocol, find_learner, presets};
use tetrolab::learning::objective::OBJECTIVES;
use tetrolab::learning::{Budget, Learning, Scale, tables_of_start};
use tetrolab::library::{Parts, find_player_file, find_ruleset};

/// The learner of the default run.
pub(super) const DEFAULT: &str = "danger-quick";
/// The default learner where it is said what is to be learned.
const SEARCH: &str = "cma-es";

/// Games that each candidate plays in a stepped game, which takes a hundred times as long as one by
/// placements ...
const STEPPED_GAMES: u64 = 10;
/// ... the pieces after which such a game is cut off ...
const STEPPED_CAP: u64 = 500;
/// ... and the pieces of a run: some 20 seconds on two cores.
const STEPPED_PIECES: u64 = 500_000;
/// The pieces of a run by placements: some 30 seconds on two cores.
const USUAL_PIECES: u64 = 300_000_000;

/// A plan, and what a reader of it should know.
pub(crate) struct AskedLearning {
    pub(crate) learning: Learning,
    /// A word that names the run.
    pub(super) word: &'static str,
    /// The learner as it was asked for, where each setting comes from, and why the learner is not
    /// the default one.
    pub(super) header: Header,
}

/// What one source says of a plan: the defaults, a preset, the player at which a search starts, or
/// the command line. Each source overrules those before it.
#[derive(Default)]
struct SettingsLayer {
    ruleset: Option<String>,
    features: Option<String>,
    evaluator: Option<String>,
    player: Option<String>,
    objective: Option<String>,
    games: Option<u64>,
    /// The cap on pieces, which may be none.
    max_pieces: Option<Option<u64>>,
    scale: Option<Scale>,
    runs: Option<u64>,
    seed: Option<u64>,
}

impl SettingsLayer {
    /// What a published method fixes.
    fn of(protocol: &Protocol) -> SettingsLayer {
        let text = |text: Option<&str>| text.map(str::to_owned);
        SettingsLayer {
            ruleset: text(protocol.ruleset),
            features: text(protocol.features),
            evaluator: text(protocol.evaluator),
            player: text(protocol.player),
            objective: text(protocol.objective),
            games: protocol.games,
            // A paper that says how many games it played, and knows no cap, played them to their
            // end.
            max_pieces: match protocol.games {
                Some(_) => Some(protocol.max_pieces),
                None => protocol.max_pieces.map(Some),
            },
            runs: protocol.runs,
            ..SettingsLayer::default()
        }
    }
}

/// What makes another run. Whatever is not given comes from the learner or its preset.
#[derive(clap::Args, Default, PartialEq)]
pub(crate) struct LearningFlags {
    #[arg(value_name = "LEARNER", help = learner_help())]
    learner: Option<String>,
    /// The game that candidates play: a name (with any size), a spec, or a file; see `tetrolab list
    /// rulesets` [default: that of the learner, or of the tables of --start, or
    /// simplified-hard-10x20].
    #[arg(long, value_name = "RULESET")]
    ruleset: Option<String>,
    /// What is weighed: a feature set, or feature ids separated by commas; see `tetrolab list
    /// feature-sets`. For the evaluator tables: a set of tables, or tables with + between them; see
    /// `tetrolab list table-sets` [default: those of --start, or what is usual with the learner, or
    /// bcts].
    #[arg(long, value_name = "SET|ID,...")]
    features: Option<String>,
    #[arg(long, value_name = "PLAYER", help = player_help())]
    player: Option<String>,
    #[arg(long, value_name = "FORM", help = evaluator_help())]
    evaluator: Option<String>,
    /// The units of the hidden layers of a network whose parameters an optimiser searches,
    /// separated by commas [default: 32,32,32, the thesis' network, or those of --start].
    #[arg(long, value_name = "N,...")]
    layers: Option<String>,
    /// Activation function of the hidden units: relu, silu, dsilu, sigmoid or linear [default:
    /// relu, or that of --start].
    #[arg(long, value_name = "NAME")]
    activation: Option<String>,
    /// Search around the numbers of this player instead of around 0: a published name, a player
    /// file, or the folder of a learning run. Without --features and --evaluator, its features and
    /// evaluator are searched; otherwise it must weigh the same features or some of them. With a
    /// learner's default settings the first candidates lie a tenth of the start's length away from
    /// it. Cannot be combined with normalise=true. A network begins at one of the same features and
    /// layers. For a player with look-up tables the search optimises one scale per table.
    #[arg(long, value_name = "PLAYER")]
    start: Option<String>,
    /// The coordinates in which the learner searches: none (the weights themselves) or spread (each
    /// weight times the spread of its feature in a thousand decisions, so that one step size suits
    /// all features; for a network: inputs of mean 0 and spread 1, and parameters in units of their
    /// layer) [default: spread with --start, for networks, or if the spreads of the features differ
    /// by more than a factor of 1000; otherwise none].
    #[arg(long, value_name = "HOW", value_parser = scale)]
    scale: Option<Scale>,
    #[arg(long, value_name = "WHAT", help = objective_help())]
    objective: Option<String>,
    /// How many games each candidate plays; all candidates of a generation play the same ones
    /// [default: 30 (stepped rulesets: 10), or that of the learner].
    #[arg(long, value_name = "N")]
    pub(super) games: Option<u64>,
    /// Let all generations play the same games, instead of new ones each.
    #[arg(long)]
    fixed_games: bool,
    /// Cut training games off after this many pieces, or `none` [default: 100000 (stepped rulesets:
    /// 500); for a published method with its own number of games: its cap, or none].
    #[arg(long, value_name = "P|none", value_parser = parse_cap)]
    max_pieces: Option<Cap>,
    /// Stop each run after this many generations [default: 40, or that of the learner, unless
    /// another limit is given].
    #[arg(long, value_name = "N")]
    generations: Option<u64>,
    /// Stop each run when it has played this many games.
    #[arg(long, value_name = "N")]
    total_games: Option<u64>,
    /// Stop each run when it has placed this many pieces [default: 300000000 (stepped rulesets:
    /// 500000), unless another limit or a preset's number of generations is given].
    #[arg(long, value_name = "N")]
    total_pieces: Option<u64>,
    /// Stop after this many seconds (also 90s, 5m, 2h), shared by all runs. The generation that is
    /// not complete by then is discarded; the first of each run is always completed. The result
    /// depends on the speed of the machine.
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
    let methods: Vec<&str> = LEARNERS.iter().map(|learner| learner.id).collect();
    let presets: Vec<&str> = presets().map(|preset| preset.id).collect();
    format!(
        "Learning method: {}; or a preset of one: {}. Settings as in 'ga(population=50)'. See `tetrolab list learners` \
         [default: {DEFAULT}; {SEARCH} with --ruleset, --features, --start, --runs and the like]",
        methods.join(", "),
        presets.join(", "),
    )
}

fn objective_help() -> String {
    let objectives = defined(OBJECTIVES);
    format!("Fitness of a candidate: {objectives} [default: lines]")
}

/// The names of a registry with their definitions.
fn defined<M>(registry: &[Entry<M>]) -> String {
    let row = |entry: &Entry<M>| format!("{} ({})", entry.id, entry.definition);
    registry.iter().map(row).collect::<Vec<_>>().join(", ")
}

fn player_help() -> String {
    let kinds = Parts::default().players_with_evaluator();
    let kinds: Vec<&str> = kinds.iter().map(|kind| kind.id).collect();
    format!(
        "Decision rule that uses the weights: {}, with settings as in 'greedy(losing=allow)'; see `tetrolab list players` [default: greedy]",
        kinds.join(" or ")
    )
}

fn evaluator_help() -> String {
    format!(
        "The form of the evaluator: {} [default: what is usual with the learner, or tables if --start has them, or linear]",
        defined(EVALUATORS)
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
pub(super) fn seconds(text: &str) -> Result<f64, String> {
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

    /// The first flag that says what is to be learned: then it is not the default run.
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

    /// Whether something else than a number of generations ends a run.
    fn has_another_limit(&self) -> bool {
        let counts = self.total_games.or(self.total_pieces);
        counts.is_some() || self.time.or(self.until).is_some()
    }

    /// The learner that is meant and, if none was named, why it is not the default one.
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

    /// What is learned, and where its settings come from.
    pub(crate) fn learning(&self) -> anyhow::Result<AskedLearning> {
        let (asked, note) = self.learner();
        let mut chosen = find_learner(asked)?;
        if self.start.is_some() {
            chosen = chosen.near_a_start()?;
        }
        let (learning, origins) = self.plan(&chosen);
        Ok(AskedLearning {
            learning,
            word: chosen.name(),
            header: Header {
                asked: Some(asked.to_owned()),
                origins,
                note,
                ..Header::default()
            },
        })
    }

    /// What the flags say.
    fn given(&self) -> SettingsLayer {
        SettingsLayer {
            ruleset: self.ruleset.clone(),
            features: self.features.clone(),
            evaluator: self.evaluator.clone(),
            player: self.player.clone(),
            objective: self.objective.clone(),
            games: self.games,
            max_pieces: self.max_pieces.map(|Cap(given)| given),
            scale: self.scale,
            runs: self.runs,
            seed: self.seed,
        }
    }

    /// The features and the evaluator of the player at which the search starts. A player that
    /// cannot be read is an error later.
    fn of_start(&self) -> SettingsLayer {
        let file = self.start.as_deref().map(find_player_file);
        let tables = self.start.as_deref().map(tables_of_start);
        let (Some(Ok(file)), Some(Ok(tables))) = (file, tables) else {
            return SettingsLayer::default();
        };
        let form = file.form();
        if self.evaluator.as_deref().is_some_and(|asked| asked != form) {
            return SettingsLayer::default();
        }
        let ids = file.features.iter().map(|feature| feature.id);
        let ids = ids.collect::<Vec<_>>().join(",");
        let (features, ruleset) = match tables {
            Some(tables) => (tables.features, Some(tables.ruleset)),
            None => (file.feature_set.unwrap_or(ids), None),
        };
        SettingsLayer {
            evaluator: Some(form.to_owned()),
            features: Some(features).filter(|features| !features.is_empty()),
            ruleset,
            ..SettingsLayer::default()
        }
    }

    /// The plan: what was given, or else what the start, the preset or the defaults say.
    fn plan(&self, chosen: &Chosen) -> (Learning, Origins) {
        let protocol = chosen.protocol(self.evaluator.as_deref());
        let layers = [
            (Origin::From(chosen.name()), SettingsLayer::of(&protocol)),
            (Origin::Start, self.of_start()),
            (Origin::Given, self.given()),
        ];
        let quick = Learning::default();
        let ruleset = layers
            .iter()
            .rev()
            .find_map(|layer| layer.1.ruleset.as_ref());
        let stepped = find_ruleset(ruleset.unwrap_or(&quick.ruleset));
        let stepped = stepped.is_ok_and(|ruleset| ruleset.stepped().is_some());
        let usual = SettingsLayer {
            games: stepped.then_some(STEPPED_GAMES),
            max_pieces: stepped.then_some(Some(STEPPED_CAP)),
            ..SettingsLayer::default()
        };
        let mut origins = Origins::default();
        let mut plan = Learning {
            learner: chosen.spec().to_string(),
            layers: self.layers.clone(),
            activation: self.activation.clone(),
            start: self.start.clone(),
            fixed_games: self.fixed_games,
            budget: self.budget(chosen, &protocol, stepped, &mut origins),
            ..quick
        };
        for (origin, layer) in std::iter::once((Origin::Default, usual)).chain(layers) {
            let from = |field| (origin, field);
            origins.set(from("ruleset"), &mut plan.ruleset, layer.ruleset);
            origins.set(from("features"), &mut plan.features, layer.features);
            origins.set(from("evaluator"), &mut plan.evaluator, layer.evaluator);
            origins.set(from("player"), &mut plan.player, layer.player);
            origins.set(from("objective"), &mut plan.objective, layer.objective);
            origins.set(from("games"), &mut plan.games, layer.games);
            origins.set(from("max_pieces"), &mut plan.max_pieces, layer.max_pieces);
            origins.set(from("scale"), &mut plan.scale, layer.scale);
            origins.set(from("runs"), &mut plan.runs, layer.runs);
            origins.set(from("seed"), &mut plan.seed, layer.seed);
        }
        (plan, origins)
    }

    /// When a run ends. Where nothing is said, a number of pieces bounds the time that 40
    /// generations may take.
    fn budget(
        &self,
        chosen: &Chosen,
        protocol: &Protocol,
        stepped: bool,
        origins: &mut Origins,
    ) -> Budget {
        let given = Budget {
            generations: self.generations,
            games: self.total_games,
            pieces: self.total_pieces,
            seconds: self.time,
            fitness: self.until,
        };
        let is_given = !given.is_endless();
        let usual = Learning::default().budget.generations;
        let usual = usual.filter(|_| !self.has_another_limit());
        let generations = given.generations.or(protocol.generations).or(usual);
        let is_usual = !is_given && protocol.generations.is_none();
        // A method that trains a model has generations of a fixed length.
        let is_bounded = is_usual && !chosen.learner.make.trains_model();
        let pieces = if stepped {
            STEPPED_PIECES
        } else {
            USUAL_PIECES
        };
        origins.0.insert(
            "budget",
            match (is_given, is_usual) {
                (true, _) if given.generations.is_none() && protocol.generations.is_some() => {
                    Origin::GivenButGenerations(chosen.name())
                }
                (true, _) => Origin::Given,
                (false, true) => Origin::Default,
                (false, false) => Origin::From(chosen.name()),
            },
        );
        Budget {
            generations,
            pieces: given.pieces.or(is_bounded.then_some(pieces)),
            ..given
        }
    }
}

#[cfg(test)]
mod tests;
