//! The description of a learning run: everything that its result depends on.

use super::coordinates;
use super::network::usual_layers;
use crate::learners::find_learner;
use crate::library::{FileError, FullRules, is_path, names_files};
use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tetrolab_core::spec::Spec;

/// Everything that the result of a learning run depends on: the same description gives the same
/// player on any machine, unless it has a limit on time. As data, missing fields are those of
/// [`Learning::default`], and unknown ones are rejected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Learning {
    /// The learner with its settings.
    pub learner: String,
    /// The game that candidates play.
    pub ruleset: String,
    /// The features: a named feature set, or ids separated by commas.
    pub features: String,
    /// Decision rule that uses the weights, without its evaluator: `greedy`,
    /// `two-piece(losing=allow)`.
    pub player: String,
    /// The form of the evaluator.
    pub evaluator: String,
    /// The units of the hidden layers of an evaluator that is a network and that an optimiser
    /// searches, separated by commas; a task fills them in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layers: Option<String>,
    /// Activation function of the hidden units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activation: Option<String>,
    /// The player from which the search starts; without one, it starts at 0.
    pub start: Option<String>,
    /// The coordinates in which the learner searches.
    pub scale: Scale,
    /// The fitness of a candidate.
    pub objective: String,
    /// Number of games per candidate.
    pub games: u64,
    /// Whether all generations play the same games.
    pub fixed_games: bool,
    /// Games are truncated after this many pieces.
    pub max_pieces: Option<u64>,
    /// When to stop.
    pub budget: Budget,
    /// Number of independent runs, whose solutions are averaged.
    pub runs: u64,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The complete rules of the game when the run was begun, because a ruleset file may change. A
    /// task fills them in; callers omit them, and descriptions in older stores lack them.
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "FullRules::of_plan"
    )]
    pub rules: Option<FullRules>,
    /// A hash of the lookup tables whose scales are searched, because their file may change. A task
    /// fills it in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_tables: Option<String>,
}

/// Parses a stored description. One from a later version may have more fields, and one from an
/// earlier version has no coordinates, which were then those of the weights.
#[derive(Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub(super) struct StoredPlan(pub(super) Learning);

impl TryFrom<Map<String, Value>> for StoredPlan {
    type Error = serde_json::Error;

    fn try_from(mut stored: Map<String, Value>) -> serde_json::Result<StoredPlan> {
        const MAY_BE_MISSING: [&str; 4] = ["layers", "activation", "rules", "start_tables"];
        let known = serde_json::to_value(Learning::default())?;
        let is_known = |field: &str| known.get(field).is_some() || MAY_BE_MISSING.contains(&field);
        let required = [
            "learner",
            "ruleset",
            "features",
            "objective",
            "budget",
            "seed",
        ];
        if let Some(missing) = required
            .into_iter()
            .find(|&field| !stored.contains_key(field))
        {
            return Err(serde_json::Error::missing_field(missing));
        }
        stored.retain(|field, _| is_known(field));
        if let Some(Value::Object(budget)) = stored.get_mut("budget") {
            budget.retain(|field, _| known["budget"].get(field).is_some());
        }
        let unscaled = || Value::from(Scale::None.name());
        stored.entry("scale").or_insert_with(unscaled);
        serde_json::from_value(stored.into()).map(StoredPlan)
    }
}

/// The coordinates in which a learner searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// The weights themselves, as in the papers.
    #[default]
    None,
    /// Each weight times the spread of its feature in play.
    Spread,
    /// Automatic: a task resolves it to one of the others.
    Auto,
}

impl Scale {
    /// Every scale with its name.
    pub const ALL: [(Scale, &'static str); 3] = [
        (Scale::None, "none"),
        (Scale::Spread, "spread"),
        (Scale::Auto, "auto"),
    ];

    /// The name of the scale.
    pub fn name(self) -> &'static str {
        let row = Scale::ALL.iter().find(|row| row.0 == self);
        row.map_or("", |row| row.1)
    }
}

/// The budget. It is checked between generations, so it may be exceeded by the last one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Budget {
    /// Generations of each run.
    pub generations: Option<u64>,
    /// Games of each run.
    pub games: Option<u64>,
    /// Pieces of each run.
    pub pieces: Option<u64>,
    /// Wall-clock seconds for all runs, in equal shares. This is the only limit that makes a result
    /// depend on the machine.
    pub seconds: Option<f64>,
    /// The fitness of a candidate at which a run ends.
    pub fitness: Option<f64>,
}

impl Budget {
    /// Only this limit on generations.
    pub fn generations(generations: u64) -> Budget {
        Budget {
            generations: Some(generations),
            ..Budget::default()
        }
    }
}

impl Learning {
    /// Finds names that refer to files, in descriptions from elsewhere.
    pub(crate) fn check_names(&self) -> Result<(), FileError> {
        let Learning {
            learner,
            ruleset,
            features,
            player,
            evaluator,
            objective,
            ..
        } = self;
        let names = [learner, ruleset, features, player, evaluator, objective];
        let is_file = |text: &str| {
            let spec = text.parse::<Spec>();
            is_path(text) || spec.is_ok_and(|spec| names_files(&spec))
        };
        let mut names = names.into_iter().chain(&self.start);
        let problem = "files cannot be read here; use a published player or a shipped ruleset";
        match names.find(|text| is_file(text)) {
            Some(file) => Err(FileError::of_file(file.as_ref(), problem)),
            None => Ok(()),
        }
    }
}

impl Default for Learning {
    /// A single run of Boumaza's experiment (2009) with fewer games and generations, which takes a
    /// few seconds. Games of the harder game end far below the cap, which is for other games. The
    /// program's default without arguments is `danger-quick` instead, which trains tables in a
    /// minute.
    fn default() -> Learning {
        Learning {
            learner: "boumaza".to_owned(),
            ruleset: "simplified-hard-10x20".to_owned(),
            features: "bcts".to_owned(),
            player: "greedy".to_owned(),
            evaluator: "linear".to_owned(),
            layers: None,
            activation: None,
            start: None,
            scale: Scale::Auto,
            objective: "lines".to_owned(),
            games: 30,
            fixed_games: false,
            max_pieces: Some(100_000),
            budget: Budget::generations(40),
            runs: 1,
            seed: 1,
            rules: None,
            start_tables: None,
        }
    }
}

/// A setting, by the path of its field, with its value if it differs from the default.
pub type FieldValue = (&'static str, Option<String>);

/// A difference between two descriptions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldDifference {
    /// The path of the field: `games`, `budget.pieces`.
    pub field: &'static str,
    /// The value of the setting in the first description.
    pub own: Option<String>,
    /// The value of the setting in the second description.
    pub other: Option<String>,
}

impl std::fmt::Display for FieldDifference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [own, other] = [&self.own, &self.other].map(|value| match value.as_deref() {
            None => "nothing",
            Some("") => "true",
            Some(value) => value,
        });
        match self.field {
            "learner" | "rules" => write!(f, "{own}, not {other}"),
            field => write!(f, "{own} as {}, not {other}", words(field)),
        }
    }
}

/// A readable name for a field of a [`Learning`].
pub fn words(field: &str) -> &'static str {
    match field {
        "learner" => "the learner",
        "ruleset" => "the ruleset",
        "features" => "the features",
        "player" => "the player",
        "evaluator" => "the evaluator",
        "layers" => "the layers",
        "activation" => "the activation",
        "start" => "the start",
        "start_tables" => "the tables of the start",
        "scale" => "the scale",
        "objective" => "the objective",
        "games" => "the number of games",
        "fixed_games" => "the choice of fixed games",
        "max_pieces" => "the cap on pieces",
        "budget.generations" => "the number of generations",
        "budget.games" => "the budget of games",
        "budget.pieces" => "the budget of pieces",
        "budget.seconds" => "the time",
        "budget.fitness" => "the fitness to reach",
        "runs" => "the number of runs",
        "seed" => "the seed",
        "rules" => "the rules",
        _ => "a setting",
    }
}

impl Learning {
    /// The settings except the learner, in a fixed order, by the paths of their fields.
    pub fn fields(&self) -> Vec<FieldValue> {
        fn number<T: ToString>(value: Option<T>) -> Option<String> {
            value.map(|value| value.to_string())
        }
        let unless = |value: &str, default| (value != default).then(|| value.to_owned());
        let budget = &self.budget;
        // A missing cap means the default, which may be a cap.
        let [layers, activation] = self.layers_if_said();
        let cap = number(self.max_pieces).or(Some("none".to_owned()));
        vec![
            ("ruleset", Some(self.ruleset.clone())),
            ("features", Some(self.features.clone())),
            ("player", unless(&self.player, "greedy")),
            ("evaluator", unless(&self.evaluator, "linear")),
            ("layers", layers),
            ("activation", activation),
            ("start", self.start.clone()),
            ("scale", self.scale_if_said()),
            ("objective", Some(self.objective.clone())),
            ("games", number(Some(self.games))),
            ("fixed_games", self.fixed_games.then(String::new)),
            ("max_pieces", cap),
            ("budget.generations", number(budget.generations)),
            ("budget.games", number(budget.games)),
            ("budget.pieces", number(budget.pieces)),
            ("budget.seconds", number(budget.seconds)),
            ("budget.fitness", number(budget.fitness)),
            ("runs", number(Some(self.runs))),
            ("seed", number(Some(self.seed))),
        ]
    }

    /// The scale, if its absence could mean a different one.
    fn scale_if_said(&self) -> Option<String> {
        let says_nothing = match self.scale {
            Scale::Auto => true,
            Scale::None => !coordinates::calls_for_spread(self),
            // Models have always been searched this way, so it need not be stated.
            Scale::Spread => coordinates::searches_model(self),
        };
        (!says_nothing).then(|| self.scale.name().to_owned())
    }

    /// The layers and the activation, if their absence could mean different ones.
    fn layers_if_said(&self) -> [Option<String>; 2] {
        let said = [self.layers.clone(), self.activation.clone()];
        if said == [None, None] {
            return said;
        }
        let Ok((layers, activation)) = usual_layers(self) else {
            return said;
        };
        let [own_layers, own_activation] = said;
        [
            own_layers.filter(|own| *own != layers),
            own_activation.filter(|own| *own != activation),
        ]
    }

    /// The first difference from another description, if any.
    pub fn difference(&self, other: &Learning) -> Option<FieldDifference> {
        let difference = |field, own, other| FieldDifference { field, own, other };
        if !are_the_same_learner(&self.learner, &other.learner) {
            let [own, other] = [self, other].map(|one| Some(one.learner.clone()));
            return Some(difference("learner", own, other));
        }
        let mut pairs = self.fields().into_iter().zip(other.fields());
        if let Some((own, other)) = pairs.find(|(own, other)| own != other) {
            return Some(difference(own.0, own.1, other.1));
        }
        // Files with the same name differ if both contents are known and differ.
        if let (Some(own), Some(other)) = (&self.start_tables, &other.start_tables)
            && own != other
        {
            let with_hash = |hash: &String| Some(format!("tables with the hash {hash}"));
            return Some(difference("start_tables", with_hash(own), with_hash(other)));
        }
        let (own, other) = (self.rules.as_ref()?, other.rules.as_ref()?);
        let with_name = format!("{} with the rules {own}", self.ruleset);
        (own != other).then(|| difference("rules", Some(with_name), Some(other.to_string())))
    }
}

/// Whether two specs of learners are equivalent: an older one may lack settings of this version,
/// which then have their defaults.
fn are_the_same_learner(own: &str, other: &str) -> bool {
    let find = |text: &str| find_learner(text).ok();
    own == other || matches!((find(own), find(other)), (Some(a), Some(b)) if a.is_same(&b))
}

impl Budget {
    /// Whether a run has no limit.
    pub(crate) fn is_endless(&self) -> bool {
        *self == Budget::default()
    }

    /// Whether anything other than a number of generations ends a run.
    pub(crate) fn has_another_limit(&self) -> bool {
        let counts = self.games.or(self.pieces);
        counts.is_some() || self.seconds.or(self.fitness).is_some()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A run that takes milliseconds.
    pub(crate) fn tiny() -> Learning {
        Learning {
            learner: "random-search(population=4)".to_owned(),
            ruleset: "simplified-6x8".to_owned(),
            features: "dellacherie".to_owned(),
            games: 3,
            max_pieces: Some(200),
            budget: Budget::generations(3),
            runs: 2,
            seed: 5,
            ..Learning::default()
        }
    }

    #[test]
    fn a_description_reads_back_as_it_was_written() {
        let mut learning = tiny();
        learning.budget.seconds = Some(0.1 + 0.2);
        learning.budget.generations = None;
        learning.seed = u64::MAX;
        let text = serde_json::to_string(&learning).unwrap();
        assert_eq!(serde_json::from_str::<Learning>(&text).unwrap(), learning);
    }

    #[test]
    fn a_description_of_an_older_store_is_read() {
        let text = r#"{"learner":"random-search(population=4)","ruleset":"simplified-6x8","features":"dellacherie",
            "player":"greedy","evaluator":"linear","start":null,"objective":"lines","games":3,"fixed_games":false,
            "max_pieces":200,"budget":{"generations":3,"games":null,"pieces":null,"seconds":null,"fitness":null},
            "runs":2,"seed":5}"#;
        let expected = Learning {
            scale: Scale::None,
            ..tiny()
        };
        let read = |text: &str| serde_json::from_str::<StoredPlan>(text).map(|stored| stored.0);
        assert_eq!(read(text).unwrap(), expected);
        // A later version may have more settings.
        let more = text.replace("\"seed\":5", "\"seed\":5,\"colour\":\"red\"");
        assert_eq!(read(&more).unwrap(), expected);
        let error = read(&text.replace("\"seed\":5", "\"sead\":5"))
            .err()
            .unwrap();
        assert_eq!(error.to_string(), "missing field `seed`");
    }

    #[test]
    fn a_description_may_leave_fields_out_and_unknown_ones_are_refused() {
        let some: Learning = serde_json::from_str(r#"{"seed":7}"#).unwrap();
        let expected = Learning {
            seed: 7,
            ..Learning::default()
        };
        assert_eq!(some, expected);
        let error = serde_json::from_str::<Learning>(r#"{"sead":7}"#).unwrap_err();
        assert!(error.to_string().starts_with("unknown field `sead`"));
    }

    #[test]
    fn a_description_of_an_older_store_has_no_rules_and_fits_any() {
        let with = |rules: &str| {
            let mut json = serde_json::to_value(tiny()).unwrap();
            json["rules"] = format!("{rules} above-top preview=0 bag").into();
            serde_json::from_value::<Learning>(json).unwrap()
        };
        assert_eq!(tiny().difference(&with("6x8")), None);
        let difference = with("6x9").difference(&with("6x8")).unwrap();
        assert_eq!(
            difference.to_string(),
            "simplified-6x8 with the rules 6x9 above-top preview=0 bag, \
             not 6x8 above-top preview=0 bag"
        );
        assert_eq!(with("6x8").fields(), tiny().fields());
    }

    #[test]
    fn a_learner_of_an_older_store_has_the_defaults_of_settings_that_it_does_not_name() {
        let with = |learner: &str| Learning {
            learner: learner.to_owned(),
            ..tiny()
        };
        let old = with("cma-es(population=9,sigma=0.5,normalise=false,active=true)");
        assert_eq!(
            old.difference(&with("cma-es(population=9,covariance=auto)")),
            None
        );
        let other = with("cma-es(population=9,covariance=diagonal)");
        assert_eq!(old.difference(&other).unwrap().field, "learner");
        for name in crate::learners::names() {
            let full = find_learner(name).unwrap().spec();
            // A plan that names the method has no preset.
            if full.name != name {
                continue;
            }
            // Each setting in turn is new.
            for setting in 0..full.args.len() {
                let mut old = full.clone();
                old.args.remove(setting);
                let new = with(&full.to_string());
                assert_eq!(with(&old.to_string()).difference(&new), None, "{old}");
            }
            let mut other = full.clone();
            other.args[0].value = "777".parse().unwrap();
            let other = with(&other.to_string());
            assert!(with(name).difference(&other).is_some(), "{name}");
        }
    }

    #[test]
    fn every_field_is_a_difference() {
        let mut other = tiny();
        assert_eq!(tiny().difference(&other), None);
        other.budget.pieces = Some(9);
        let difference = tiny().difference(&other).unwrap();
        assert_eq!(difference.field, "budget.pieces");
        assert_eq!(
            difference.to_string(),
            "nothing as the budget of pieces, not 9"
        );
    }

    #[test]
    fn every_field_has_words() {
        for (field, _) in tiny().fields() {
            assert_ne!(words(field), "a setting", "{field}");
        }
    }
}
