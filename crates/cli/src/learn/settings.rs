//! The settings of a learning run on the command line, and what they describe.

use super::origin::{Origin, Origins};
use crate::cap::{Cap, parse_cap};
use tetrolab::core::evaluators::{EVALUATORS, EvaluatorEntry};
use tetrolab::learners::{LEARNERS, Protocol, find_learner, presets};
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
    /// The learner as it was asked for.
    pub(super) asked: String,
    /// Where each setting comes from.
    pub(super) origins: Origins,
    /// Why the learner is not the default one.
    pub(super) note: Option<String>,
}

/// What a learner and a start bring along.
struct Inherited {
    /// The learner with all settings.
    learner: String,
    /// The preset or the learner.
    name: &'static str,
    protocol: Protocol,
    /// The cap on pieces, if the preset says something about it.
    cap: Option<Option<u64>>,
    start: StartParts,
    /// Whether a run of default length is bounded by its pieces: a method that trains a model has
    /// generations of a fixed length.
    is_bounded: bool,
}

/// What the player at which a search starts is made of.
#[derive(Default)]
struct StartParts {
    evaluator: Option<&'static str>,
    features: Option<String>,
    ruleset: Option<String>,
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
    games: Option<u64>,
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
    let row = |entry: &tetrolab::learning::objective::ObjectiveEntry| {
        format!("{} ({})", entry.id, entry.definition)
    };
    let rows: Vec<String> = OBJECTIVES.iter().map(row).collect();
    format!(
        "Fitness of a candidate: {} [default: lines]",
        rows.join(", ")
    )
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

    /// Whether a number of games for each candidate was asked for.
    pub(super) fn asks_for_games(&self) -> bool {
        self.games.is_some()
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
        let inherited = self.inherited(asked)?;
        let (learning, origins) = self.plan(&inherited);
        Ok(AskedLearning {
            learning,
            word: inherited.name,
            asked: asked.to_owned(),
            origins,
            note,
        })
    }

    /// What the learner, its preset and the start bring along.
    fn inherited(&self, asked: &str) -> anyhow::Result<Inherited> {
        let mut chosen = find_learner(asked)?;
        if self.start.is_some() {
            chosen = chosen.near_a_start()?;
        }
        let protocol = chosen.protocol(self.evaluator.as_deref());
        Ok(Inherited {
            learner: chosen.spec().to_string(),
            name: chosen.name(),
            // A paper that says how many games it played, and knows no cap, played them to their
            // end.
            cap: match protocol.games {
                Some(_) => Some(protocol.max_pieces),
                None => protocol.max_pieces.map(Some),
            },
            start: self.parts_of_start(),
            is_bounded: !chosen.learner.make.trains_model(),
            protocol,
        })
    }

    /// The features and the evaluator of the player at which the search starts. A player that
    /// cannot be read is an error later.
    fn parts_of_start(&self) -> StartParts {
        let Some(start) = self.start.as_deref() else {
            return StartParts::default();
        };
        let fits = |form: &str| self.evaluator.as_deref().is_none_or(|asked| asked == form);
        if let Some(tables) = tables_of_start(start)
            .ok()
            .flatten()
            .filter(|_| fits("tables"))
        {
            return StartParts {
                evaluator: Some("tables"),
                features: Some(tables.features),
                ruleset: Some(tables.ruleset),
            };
        }
        let Some(file) = find_player_file(start)
            .ok()
            .filter(|file| fits(file.form()))
        else {
            return StartParts::default();
        };
        let ids = || file.features.iter().map(|feature| feature.id);
        let features = file.feature_set.clone();
        let features = features.unwrap_or_else(|| ids().collect::<Vec<_>>().join(","));
        StartParts {
            evaluator: Some(file.form()),
            features: Some(features).filter(|features| !features.is_empty()),
            ruleset: None,
        }
    }

    /// The plan: what was given, or else what the start, the preset or the defaults say.
    fn plan(&self, from: &Inherited) -> (Learning, Origins) {
        let quick = Learning::default();
        let Inherited {
            protocol, start, ..
        } = from;
        let mut origins = Origins::default();
        let preset = Origin::From(from.name);
        let mut text =
            |field, given: &Option<String>, start: Option<&str>, own: Option<&str>, usual| {
                let options = [
                    (Origin::Given, given.clone()),
                    (Origin::Start, start.map(str::to_owned)),
                    (preset, own.map(str::to_owned)),
                ];
                origins.pick(field, options, usual)
            };
        let ruleset = text(
            "ruleset",
            &self.ruleset,
            start.ruleset.as_deref(),
            protocol.ruleset,
            quick.ruleset,
        );
        let features = text(
            "features",
            &self.features,
            start.features.as_deref(),
            protocol.features,
            quick.features,
        );
        let evaluator = text(
            "evaluator",
            &self.evaluator,
            start.evaluator,
            protocol.evaluator,
            quick.evaluator,
        );
        let player = text("player", &self.player, None, protocol.player, quick.player);
        let objective = text(
            "objective",
            &self.objective,
            None,
            protocol.objective,
            quick.objective,
        );
        let stepped = find_ruleset(&ruleset).is_ok_and(|ruleset| ruleset.stepped().is_some());
        let (games, cap) = if stepped {
            (STEPPED_GAMES, Some(STEPPED_CAP))
        } else {
            (quick.games, quick.max_pieces)
        };
        let games = origins.pick(
            "games",
            [(Origin::Given, self.games), (preset, protocol.games)],
            games,
        );
        let max_pieces = origins.pick(
            "max_pieces",
            [
                (Origin::Given, self.max_pieces.map(|Cap(given)| given)),
                (preset, from.cap),
            ],
            cap,
        );
        let runs = origins.pick(
            "runs",
            [(Origin::Given, self.runs), (preset, protocol.runs)],
            quick.runs,
        );
        let scale = origins.pick("scale", [(Origin::Given, self.scale)], quick.scale);
        let seed = origins.pick("seed", [(Origin::Given, self.seed)], quick.seed);
        let budget = self.budget(from, stepped, &mut origins);
        let learning = Learning {
            learner: from.learner.clone(),
            ruleset,
            features,
            player,
            evaluator,
            layers: self.layers.clone(),
            activation: self.activation.clone(),
            start: self.start.clone(),
            scale,
            objective,
            games,
            fixed_games: self.fixed_games,
            max_pieces,
            budget,
            runs,
            seed,
            rules: None,
            start_tables: None,
        };
        (learning, origins)
    }

    /// When a run ends. Where nothing is said, a number of pieces bounds the time that 40
    /// generations may take.
    fn budget(&self, from: &Inherited, stepped: bool, origins: &mut Origins) -> Budget {
        let protocol = &from.protocol;
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
        let pieces = if stepped {
            STEPPED_PIECES
        } else {
            USUAL_PIECES
        };
        origins.0.insert(
            "budget",
            match (is_given, is_usual) {
                (true, _) if given.generations.is_none() && protocol.generations.is_some() => {
                    Origin::GivenButGenerations(from.name)
                }
                (true, _) => Origin::Given,
                (false, true) => Origin::Default,
                (false, false) => Origin::From(from.name),
            },
        );
        Budget {
            generations,
            pieces: given
                .pieces
                .or((is_usual && from.is_bounded).then_some(pieces)),
            ..given
        }
    }
}

#[cfg(test)]
mod tests;
