//! Player files: a player as data.
//!
//! ```toml
//! name = "mine"
//! source = "where the weights come from"
//! player = "greedy"                # or "two-piece"
//! losing = "avoid"                 # options of the player, as in its spec; all may be left out
//! evaluator = "linear"             # or "exponential", "displaced"
//! features = "near-perfect"        # a named set, or a list of feature ids
//!
//! [weights]                        # one number for each feature, a list for a vector feature
//! sum_heights = -0.510066
//! complete_lines = 0.760666
//! holes = -0.35663
//! bumpiness = -0.184483
//! ```
//!
//! An exponential evaluator has `[exponents]` too, a displaced one also `[displacements]`.

use super::file::{FileError, TomlFile, Value, read};
use std::path::Path;
use std::sync::Arc;
use tetrolab_core::evaluators::{
    Displaced, EVALUATORS, Evaluator, Exponential, Linear, WeightError,
};
use tetrolab_core::features::{FEATURES, Feature, FeatureSet, feature, feature_set};
use tetrolab_core::players::{PLAYERS, Player, PlayerContext, player};
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::spec::{Arg, Spec, SpecError};
use toml::de::DeValue;

/// A player as a file describes it.
#[derive(Clone, Debug)]
pub struct PlayerFile {
    /// Its name.
    pub name: String,
    /// One line about it.
    pub title: String,
    /// Where the weights come from.
    pub source: String,
    /// What a user should know.
    pub note: Option<String>,
    /// The name of its feature set, if it has one.
    pub feature_set: Option<String>,
    /// The features that it weighs, in order.
    pub features: Vec<&'static Feature>,
    path: String,
    kind: &'static str,
    options: Vec<Arg>,
    form: &'static str,
    weights: Vec<Numbers>,
    exponents: Vec<Numbers>,
    displacements: Vec<Numbers>,
}

/// The parameters of one feature, and the line where they stand.
#[derive(Clone, Debug)]
struct Numbers {
    values: Vec<f64>,
    line: Option<usize>,
}

const TEXTS: [&str; 8] = [
    "name",
    "title",
    "source",
    "note",
    "player",
    "evaluator",
    "features",
    "provenance",
];
const OPTIONS: [&str; 3] = ["losing", "scored", "ties"];
const TABLES: [&str; 3] = ["weights", "exponents", "displacements"];

impl PlayerFile {
    /// Reads a player file.
    ///
    /// # Errors
    /// Says what is wrong with the file, and in which line.
    pub fn read(path: &Path) -> Result<PlayerFile, FileError> {
        PlayerFile::parse(&read(path)?, &path.display().to_string())
    }

    /// Reads a player from the text of a file; `path` is what errors call it.
    ///
    /// # Errors
    /// Says what is wrong, and in which line.
    pub fn parse(text: &str, path: &str) -> Result<PlayerFile, FileError> {
        let file = TomlFile::parse(text, path)?;
        let keys: Vec<&str> = TEXTS.into_iter().chain(OPTIONS).chain(TABLES).collect();
        file.check_keys(&keys)?;
        let kinds: Vec<&str> = PLAYERS.iter().map(|entry| entry.id).collect();
        let forms: Vec<&str> = EVALUATORS.iter().map(|entry| entry.id).collect();
        let (feature_set, features) = features_of(&file)?;
        let form = one_of(&file, "evaluator", "linear", &forms)?;
        let numbers = |table: &str, needed| parameters(&file, table, &features, needed);
        Ok(PlayerFile {
            name: file.needed_text("name")?.to_owned(),
            title: file.text("title")?.unwrap_or_default().to_owned(),
            source: file.text("source")?.unwrap_or_default().to_owned(),
            note: file.text("note")?.map(str::to_owned),
            path: path.to_owned(),
            kind: one_of(&file, "player", "greedy", &kinds)?,
            options: options_of(&file)?,
            weights: numbers("weights", true)?,
            exponents: numbers("exponents", form != "linear")?,
            displacements: numbers("displacements", form == "displaced")?,
            form,
            feature_set,
            features,
        })
    }

    /// The form of its evaluator: `linear`, `exponential` or `displaced`.
    #[must_use]
    pub fn form(&self) -> &'static str {
        self.form
    }

    /// The player as a spec, with the evaluator under its name.
    #[must_use]
    pub fn spec(&self) -> Spec {
        let mut args = vec![Arg {
            key: None,
            value: Spec::name(&self.name),
        }];
        args.extend(self.options.iter().cloned());
        Spec {
            name: self.kind.to_owned(),
            args,
        }
    }

    /// Whether some weights are for single columns, and so for one width of board only.
    #[must_use]
    pub fn has_vectors(&self) -> bool {
        self.features.iter().any(|feature| feature.is_vector())
    }

    /// The weights, feature by feature.
    pub fn weights(&self) -> impl Iterator<Item = (&'static str, &[f64])> {
        let pairs = self.features.iter().zip(&self.weights);
        pairs.map(|(feature, numbers)| (feature.id, &numbers.values[..]))
    }

    /// Makes the evaluator for boards of a width.
    ///
    /// # Errors
    /// When the file's numbers do not fit the width.
    pub fn evaluator(&self, width: usize) -> Result<Arc<dyn Evaluator>, FileError> {
        let weights = self.flat("weight", &self.weights, width)?;
        let set = FeatureSet::new(self.features.clone(), width);
        let whole_file = |error: WeightError| self.error(None, error.to_string());
        Ok(match self.form {
            "linear" => Arc::new(Linear::new(set, weights).map_err(whole_file)?),
            "exponential" => {
                let exponents = self.flat("exponent", &self.exponents, width)?;
                Arc::new(Exponential::new(set, weights, exponents).map_err(whole_file)?)
            }
            _ => {
                let exponents = self.flat("exponent", &self.exponents, width)?;
                let displacements = self.flat("displacement", &self.displacements, width)?;
                let made = Displaced::new(set, weights, displacements, exponents);
                Arc::new(made.map_err(whole_file)?)
            }
        })
    }

    /// Makes the player for the rules under which it will play.
    ///
    /// # Errors
    /// When the file's numbers do not fit the board or an option is wrong.
    pub fn player(&self, ruleset: &Ruleset) -> Result<Box<dyn Player>, FileError> {
        let evaluator = self.evaluator(ruleset.width)?;
        let context = PlayerContext {
            ruleset,
            evaluators: &|_, _| Ok(evaluator.clone()),
        };
        let made = player(&self.spec(), &context);
        made.map_err(|error| self.error(None, error.to_string()))
    }

    /// All numbers of a kind in a row, as many for each feature as the width asks for.
    fn flat(&self, kind: &str, all: &[Numbers], width: usize) -> Result<Vec<f64>, FileError> {
        let mut flat = Vec::new();
        for (feature, numbers) in self.features.iter().zip(all) {
            let (needed, found) = (feature.len(width), numbers.values.len());
            if needed != found {
                let id = feature.id;
                let problem = format!(
                    "{id} has {found} {kind}s, but {needed} are needed on a board {width} wide"
                );
                return Err(self.error(numbers.line, problem));
            }
            flat.extend(&numbers.values);
        }
        Ok(flat)
    }

    fn error(&self, line: Option<usize>, problem: String) -> FileError {
        FileError {
            path: self.path.clone(),
            line,
            problem,
        }
    }
}

/// The value of a key that must be one of a few words.
fn one_of(
    file: &TomlFile<'_>,
    key: &str,
    default: &str,
    words: &[&'static str],
) -> Result<&'static str, FileError> {
    let wanted = file.text(key)?.unwrap_or(default);
    words
        .iter()
        .find(|word| **word == wanted)
        .copied()
        .ok_or_else(|| {
            let problem = format!("{key} is {}, not '{wanted}'", words.join(" or "));
            file.error(&file.span(key), problem)
        })
}

fn options_of(file: &TomlFile<'_>) -> Result<Vec<Arg>, FileError> {
    let mut options = Vec::new();
    for key in OPTIONS {
        if let Some(word) = file.text(key)? {
            options.push(Arg {
                key: Some(key.to_owned()),
                value: Spec::name(word),
            });
        }
    }
    Ok(options)
}

type Features = (Option<String>, Vec<&'static Feature>);

/// The features of the file: a named set, or a list of ids.
fn features_of(file: &TomlFile<'_>) -> Result<Features, FileError> {
    let Some(value) = file.get("features") else {
        let problem = "'features' is missing: a named set or a list of feature ids";
        return Err(file.error_of_file(problem));
    };
    match value.get_ref() {
        DeValue::String(name) => {
            let set =
                feature_set(name).map_err(|error| file.error(&value.span(), error.to_string()))?;
            Ok((Some(name.to_string()), set.resolve()))
        }
        DeValue::Array(ids) => {
            let mut features: Vec<&'static Feature> = Vec::new();
            for id in ids.iter() {
                let feature = listed_feature(file, id)?;
                if features.iter().any(|other| other.id == feature.id) {
                    let problem = format!("the feature {} is listed twice", feature.id);
                    return Err(file.error(&id.span(), problem));
                }
                features.push(feature);
            }
            if features.is_empty() {
                return Err(file.error(&value.span(), "a player weighs at least one feature"));
            }
            Ok((None, features))
        }
        _ => Err(file.error(
            &value.span(),
            "features is a named set or a list of feature ids",
        )),
    }
}

fn listed_feature(file: &TomlFile<'_>, value: &Value<'_>) -> Result<&'static Feature, FileError> {
    let DeValue::String(id) = value.get_ref() else {
        return Err(file.error(&value.span(), "a feature id is a text in quotes"));
    };
    feature(id).ok_or_else(|| {
        let error = SpecError::unknown("feature", id, FEATURES.iter().map(|feature| feature.id));
        file.error(&value.span(), error.to_string())
    })
}

/// The numbers of a table, in the order of the features; none if the form of evaluator has no such table.
fn parameters(
    file: &TomlFile<'_>,
    table: &str,
    features: &[&'static Feature],
    needed: bool,
) -> Result<Vec<Numbers>, FileError> {
    let Some(value) = file.get(table) else {
        return match needed {
            true => Err(file.error_of_file(format!("the table [{table}] is missing"))),
            false => Ok(Vec::new()),
        };
    };
    let DeValue::Table(rows) = value.get_ref() else {
        return Err(file.error(&value.span(), format!("{table} is a table: [{table}]")));
    };
    if !needed {
        return Err(file.error(&value.span(), format!("this evaluator has no {table}")));
    }
    for key in rows.keys() {
        if !features
            .iter()
            .any(|feature| feature.id == key.get_ref().as_ref())
        {
            let known = features.iter().map(|feature| feature.id);
            let error = SpecError::unknown("feature of this player", key.get_ref(), known);
            return Err(file.error(&key.span(), error.to_string()));
        }
    }
    let kind = table.trim_end_matches('s');
    let numbers = |feature: &&'static Feature| {
        let value = rows.get(feature.id).ok_or_else(|| {
            file.error(
                &value.span(),
                format!("the {kind} of {} is missing", feature.id),
            )
        })?;
        numbers_of(file, kind, feature, value)
    };
    features.iter().map(numbers).collect()
}

fn numbers_of(
    file: &TomlFile<'_>,
    kind: &str,
    feature: &Feature,
    value: &Value<'_>,
) -> Result<Numbers, FileError> {
    let single = std::slice::from_ref(value);
    let (values, is_list) = match value.get_ref() {
        DeValue::Array(values) => (&values[..], true),
        _ => (single, false),
    };
    if is_list != feature.is_vector() {
        let form = if is_list {
            "one number"
        } else {
            "a list of numbers"
        };
        return Err(file.error(
            &value.span(),
            format!("the {kind} of {} is {form}", feature.id),
        ));
    }
    let number = |value: &Value<'_>| {
        let number = match value.get_ref() {
            DeValue::Integer(number) => number.to_string().parse().ok(),
            DeValue::Float(number) => number.as_str().replace('_', "").parse::<f64>().ok(),
            _ => None,
        };
        number.filter(|number| number.is_finite()).ok_or_else(|| {
            let written = written(value);
            let problem = format!(
                "the {kind} of {} is {written}, not a finite number",
                feature.id
            );
            file.error(&value.span(), problem)
        })
    };
    Ok(Numbers {
        values: values.iter().map(number).collect::<Result<_, _>>()?,
        line: file.error(&value.span(), "").line,
    })
}

/// A value as the file has it, for errors.
fn written(value: &Value<'_>) -> String {
    match value.get_ref() {
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::String(text) => format!("'{text}'"),
        _ => "something else".to_owned(),
    }
}
