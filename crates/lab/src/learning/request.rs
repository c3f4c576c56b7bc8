//! Turns a user's request into the full description of a run: missing settings come from the player
//! that a search starts from, from the learner or its preset, or from the defaults.

use super::{Budget, Learning, LearningError, Scale, tables_of_start};
use crate::learners::{Chosen, Protocol, find_learner};
use crate::library::{find_player_file, find_ruleset};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// Games per candidate under stepped rulesets, whose games take a hundred times as long as
/// placement games.
const STEPPED_GAMES: u64 = 10;
/// The cap on the pieces of a stepped game.
const STEPPED_CAP: u64 = 500;
/// The budget of a run with stepped games, in pieces: about 20 seconds on two cores.
const STEPPED_PIECES: u64 = 500_000;
/// The budget of a run with straight drops, in pieces: about 30 seconds on two cores.
const USUAL_PIECES: u64 = 300_000_000;

/// The learner of the default run.
pub const DEFAULT_LEARNER: &str = "danger-quick";
/// The default learner of a request that specifies what is learned.
pub const DEFAULT_SEARCH: &str = "cma-es";

/// A user's request. Missing fields are determined by the learner.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LearningRequest {
    /// The learning method or preset, with settings.
    pub learner: String,
    /// The game.
    pub ruleset: Option<String>,
    /// The features.
    pub features: Option<String>,
    /// The decision rule that uses the weights.
    pub player: Option<String>,
    /// The form of the evaluator.
    pub evaluator: Option<String>,
    /// The hidden layers of a network that is searched.
    pub layers: Option<String>,
    /// The activation function of the hidden layers.
    pub activation: Option<String>,
    /// The player from which a search starts.
    pub start: Option<String>,
    /// The coordinates of the search.
    pub scale: Option<Scale>,
    /// The fitness of a candidate.
    pub objective: Option<String>,
    /// Games of each candidate.
    pub games: Option<u64>,
    /// Whether all generations play the same games.
    pub fixed_games: bool,
    /// The cap on the pieces of a game, which may be none.
    #[serde(
        deserialize_with = "given_cap",
        skip_serializing_if = "Option::is_none"
    )]
    pub max_pieces: Option<Option<u64>>,
    /// The budget; without any limit the defaults apply.
    pub budget: Budget,
    /// Number of runs whose solutions are averaged.
    pub runs: Option<u64>,
    /// The seed of all random numbers; in JSON a number, or its digits as a string.
    #[serde(deserialize_with = "crate::number::optional_seed")]
    pub seed: Option<u64>,
}

impl LearningRequest {
    /// The default learner: a search, if the request specifies what is learned.
    #[must_use]
    pub fn default_learner(&self) -> &'static str {
        let says_what = self.ruleset.is_some()
            || self.features.is_some()
            || self.start.is_some()
            || self.evaluator.is_some()
            || self.layers.is_some()
            || self.activation.is_some()
            || self.player.is_some()
            || self.objective.is_some()
            || self.scale.is_some()
            || self.runs.is_some();
        if says_what {
            DEFAULT_SEARCH
        } else {
            DEFAULT_LEARNER
        }
    }
}

/// A given cap, possibly `null`.
fn given_cap<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<u64>>, D::Error> {
    Option::deserialize(from).map(Some)
}

/// The source of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingOrigin {
    /// The user.
    Given,
    /// The user; the number of generations comes from this preset or learner.
    GivenButGenerations(&'static str),
    /// The player from which the search starts.
    Start,
    /// This preset or learner.
    From(&'static str),
    /// The defaults.
    Default,
}

/// The source of each setting, by the name of its field.
pub type SettingOrigins = BTreeMap<&'static str, SettingOrigin>;

/// A plan that was made from a request.
#[derive(Clone, Debug)]
pub struct PlannedLearning {
    /// The full description.
    pub learning: Learning,
    /// A word for the run's name: the preset or the learner.
    pub word: &'static str,
    /// The source of each setting.
    pub origins: SettingOrigins,
}

/// The part of a plan that comes from one source: the defaults, a preset, the player that a search
/// starts from, or the user. Later sources override earlier ones.
#[derive(Default)]
struct SettingsLayer {
    ruleset: Option<String>,
    features: Option<String>,
    evaluator: Option<String>,
    player: Option<String>,
    objective: Option<String>,
    games: Option<u64>,
    max_pieces: Option<Option<u64>>,
    scale: Option<Scale>,
    runs: Option<u64>,
    seed: Option<u64>,
}

impl SettingsLayer {
    /// The settings prescribed by a published method.
    fn of(protocol: &Protocol) -> SettingsLayer {
        let text = |text: Option<&str>| text.map(str::to_owned);
        SettingsLayer {
            ruleset: text(protocol.ruleset),
            features: text(protocol.features),
            evaluator: text(protocol.evaluator),
            player: text(protocol.player),
            objective: text(protocol.objective),
            games: protocol.games,
            // If a paper states a number of games but no cap, the games were played to the end.
            max_pieces: match protocol.games {
                Some(_) => Some(protocol.max_pieces),
                None => protocol.max_pieces.map(Some),
            },
            runs: protocol.runs,
            ..SettingsLayer::default()
        }
    }
}

/// Sets a field, if a source has a value for it.
fn set<T>(
    origins: &mut SettingOrigins,
    (origin, field): (SettingOrigin, &'static str),
    place: &mut T,
    value: Option<T>,
) {
    origins.entry(field).or_insert(SettingOrigin::Default);
    if let Some(value) = value {
        *place = value;
        origins.insert(field, origin);
    }
}

impl LearningRequest {
    /// The plan, and the sources of its settings.
    ///
    /// # Errors
    /// If the learner or one of its settings is unknown.
    pub fn plan(&self) -> Result<PlannedLearning, LearningError> {
        let mut chosen = find_learner(&self.learner)?;
        if self.start.is_some() {
            chosen = chosen.near_a_start()?;
        }
        let (learning, origins) = self.plan_of(&chosen);
        let word = chosen.name();
        Ok(PlannedLearning {
            learning,
            word,
            origins,
        })
    }

    /// Checks a request from elsewhere: names must refer to published parts, never to files.
    ///
    /// # Errors
    /// If a name refers to a file.
    pub fn check_names(&self) -> Result<(), LearningError> {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let named = Learning {
            learner: self.learner.clone(),
            ruleset: text(&self.ruleset),
            features: text(&self.features),
            player: text(&self.player),
            evaluator: text(&self.evaluator),
            objective: text(&self.objective),
            start: self.start.clone(),
            ..Learning::default()
        };
        Ok(named.check_names()?)
    }

    fn given(&self) -> SettingsLayer {
        SettingsLayer {
            ruleset: self.ruleset.clone(),
            features: self.features.clone(),
            evaluator: self.evaluator.clone(),
            player: self.player.clone(),
            objective: self.objective.clone(),
            games: self.games,
            max_pieces: self.max_pieces,
            scale: self.scale,
            runs: self.runs,
            seed: self.seed,
        }
    }

    /// The features and the evaluator of the player that the search starts from. An unreadable
    /// player is reported later.
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

    /// The plan: the given settings, or else those of the start, the preset or the defaults.
    fn plan_of(&self, chosen: &Chosen) -> (Learning, SettingOrigins) {
        let protocol = chosen.protocol(self.evaluator.as_deref());
        let layers = [
            (
                SettingOrigin::From(chosen.name()),
                SettingsLayer::of(&protocol),
            ),
            (SettingOrigin::Start, self.of_start()),
            (SettingOrigin::Given, self.given()),
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
        let mut origins = SettingOrigins::new();
        let mut plan = Learning {
            learner: chosen.spec().to_string(),
            layers: self.layers.clone(),
            activation: self.activation.clone(),
            start: self.start.clone(),
            fixed_games: self.fixed_games,
            budget: self.budget_of(chosen, &protocol, stepped, &mut origins),
            ..quick
        };
        for (origin, layer) in std::iter::once((SettingOrigin::Default, usual)).chain(layers) {
            let from = |field| (origin, field);
            let all = &mut origins;
            set(all, from("ruleset"), &mut plan.ruleset, layer.ruleset);
            set(all, from("features"), &mut plan.features, layer.features);
            set(all, from("evaluator"), &mut plan.evaluator, layer.evaluator);
            set(all, from("player"), &mut plan.player, layer.player);
            set(all, from("objective"), &mut plan.objective, layer.objective);
            set(all, from("games"), &mut plan.games, layer.games);
            set(
                all,
                from("max_pieces"),
                &mut plan.max_pieces,
                layer.max_pieces,
            );
            set(all, from("scale"), &mut plan.scale, layer.scale);
            set(all, from("runs"), &mut plan.runs, layer.runs);
            set(all, from("seed"), &mut plan.seed, layer.seed);
        }
        (plan, origins)
    }

    /// The budget. By default, a number of pieces limits the time of 40 generations.
    fn budget_of(
        &self,
        chosen: &Chosen,
        protocol: &Protocol,
        stepped: bool,
        origins: &mut SettingOrigins,
    ) -> Budget {
        let given = self.budget.clone();
        let is_given = !given.is_endless();
        let usual = Learning::default().budget.generations;
        let usual = usual.filter(|_| !given.has_another_limit());
        let generations = given.generations.or(protocol.generations).or(usual);
        let is_usual = !is_given && protocol.generations.is_none();
        // A method that trains a model has generations of a fixed length.
        let is_bounded = is_usual && !chosen.learner.make.trains_model();
        let pieces = if stepped {
            STEPPED_PIECES
        } else {
            USUAL_PIECES
        };
        let name = chosen.name();
        let origin = match (is_given, is_usual) {
            (true, _) if given.generations.is_none() && protocol.generations.is_some() => {
                SettingOrigin::GivenButGenerations(name)
            }
            (true, _) => SettingOrigin::Given,
            (false, true) => SettingOrigin::Default,
            (false, false) => SettingOrigin::From(name),
        };
        origins.insert("budget", origin);
        Budget {
            generations,
            pieces: given.pieces.or(is_bounded.then_some(pieces)),
            ..given
        }
    }
}
