//! Player files: a player as data.
//!
//! ```toml
//! name = "mine"
//! source = "where the weights come from"
//! player = "greedy"                # any kind that takes an evaluator
//! losing = "avoid"                 # options of the player, as in its spec; all may be left out
//! evaluator = "linear"             # any form of the registry
//! features = "near-perfect"        # a named set, or a list of feature ids
//!
//! [weights]                        # one number for each feature, a list for a vector feature
//! sum_heights = -0.510066
//! complete_lines = 0.760666
//! holes = -0.35663
//! bumpiness = -0.184483
//! ```
//!
//! The options are the player's settings in the registry, and the tables are those of the
//! evaluator's form: an exponential evaluator also has `[exponents]`, and a displaced one also
//! `[displacements]`. A table that does not depend on features is a list: `weights = [1, 2]`.
//! Reading and writing are inverse operations.
//!
//! Instead of tables, a network evaluator has `network = "mine.safetensors"`, the name of a file
//! next to this one; an evaluator with lookup tables has `entries = "mine.safetensors"`. If a
//! player must be a single text, `network = "data:..."` contains the bytes of that file in base 64.

pub(super) mod model;
mod outline;
mod read;
mod write;

use super::Parts;
use super::file::{FileError, read_text};
use model::{ModelEntry, ModelPlace};
use std::path::Path;
use std::sync::Arc;
use tetrolab_core::evaluators::{Evaluator, EvaluatorEntry, ParameterTable};
use tetrolab_core::features::{Feature, FeatureSet};
use tetrolab_core::players::{Player, PlayerContext, PlayerEntry};
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::spec::{Arg, Spec};

/// A player as a file describes it.
#[derive(Clone, Debug)]
pub struct PlayerFile {
    /// The name of the player.
    pub name: String,
    /// A one-line description.
    pub title: String,
    /// The source of the weights.
    pub source: String,
    /// A note for users.
    pub note: Option<String>,
    /// The command that produced the player.
    pub provenance: Option<String>,
    /// The name of the feature set, if the player has one.
    pub feature_set: Option<String>,
    /// The features, in order; empty if the evaluator does not use features.
    pub features: Vec<&'static Feature>,
    pub(crate) kind: &'static PlayerEntry,
    /// Settings of the player, as in its spec.
    pub(crate) options: Vec<Arg>,
    pub(crate) form: &'static EvaluatorEntry,
    /// For each table of the form, the parameters of each feature, or all parameters in one list.
    tables: Vec<Vec<Numbers>>,
    /// The network or the lookup tables of an evaluator that uses them.
    model: Option<ModelEntry>,
    path: String,
}

/// The parameters of a table, and the line of the table.
#[derive(Clone, Debug)]
struct Numbers {
    values: Vec<f64>,
    line: Option<usize>,
}

impl PlayerFile {
    /// Reads a player file.
    ///
    /// # Errors
    /// If the file is invalid, with the line.
    pub fn read(path: &Path) -> Result<PlayerFile, FileError> {
        PlayerFile::parse(&read_text(path)?, &path.display().to_string())
    }

    /// Reads a player from the text of a file; `path` names the file in errors.
    ///
    /// # Errors
    /// If the text is invalid, with the line.
    pub fn parse(text: &str, path: &str) -> Result<PlayerFile, FileError> {
        PlayerFile::parse_with(&Parts::default(), text, path)
    }

    /// Reads a player from a text that comes from another machine: no file is read, so the text
    /// must contain the network or the tables of its evaluator (`network = "data:..."`).
    pub(crate) fn parse_alone(text: &str, path: &str) -> Result<PlayerFile, FileError> {
        PlayerFile::parse_at(&Parts::default(), text, path, ModelPlace::Nowhere)
    }

    /// Reads a player that may use parts outside of the shipped registries.
    ///
    /// # Errors
    /// If the text is invalid, with the line.
    pub(crate) fn parse_with(
        parts: &Parts,
        text: &str,
        path: &str,
    ) -> Result<PlayerFile, FileError> {
        PlayerFile::parse_at(parts, text, path, ModelPlace::Beside(Path::new(path)))
    }

    /// The name of the evaluator's form: `linear`.
    pub fn form(&self) -> &'static str {
        self.form.id
    }

    /// The player as a spec that refers to the evaluator by name.
    pub fn spec(&self) -> Spec {
        let mut args = vec![Arg {
            key: None,
            value: Spec::name(&self.name),
        }];
        args.extend(self.options.iter().cloned());
        Spec {
            name: self.kind.id.to_owned(),
            args,
        }
    }

    /// Whether some parameters belong to single columns, and therefore to one board width.
    pub(crate) fn has_vectors(&self) -> bool {
        let of_columns = |table: &ParameterTable| !table.is_per_feature();
        self.features.iter().any(|feature| feature.is_vector())
            || self.form.make.tables.iter().any(of_columns)
            || (self.form.make.model().is_some() && !self.form.make.has_features())
    }

    /// The parameters of the first table, feature by feature: the weights.
    pub fn weights(&self) -> impl Iterator<Item = (&'static str, &[f64])> {
        let weights = self.tables.first().map_or(&[][..], |table| table);
        let pairs = self.features.iter().zip(weights);
        pairs.map(|(feature, numbers)| (feature.id, &numbers.values[..]))
    }

    /// The features for boards of a width.
    pub(crate) fn feature_set_on(&self, width: usize) -> FeatureSet {
        FeatureSet::new(self.features.clone(), width)
    }

    /// Makes the evaluator for boards of a width.
    ///
    /// # Errors
    /// If the file's numbers do not fit the width.
    pub fn evaluator(&self, width: usize) -> Result<Arc<dyn Evaluator>, FileError> {
        if let Some(entry) = &self.model {
            let model = (*entry.model).clone();
            let made = (self.form.make).model_evaluator(self.feature_set_on(width), model);
            return made.map_err(|error| self.error(entry.line, error.to_string()));
        }
        let tables = self.form.make.tables.iter().zip(&self.tables);
        let flat = tables.map(|(table, numbers)| self.flat(table, numbers, width));
        let flat = flat.collect::<Result<_, _>>()?;
        let made = self.form.make.evaluator(self.feature_set_on(width), flat);
        made.map_err(|error| self.error(None, error.to_string()))
    }

    /// Creates the player for a ruleset.
    ///
    /// # Errors
    /// If the file's numbers do not fit the board, or an option is invalid.
    pub fn player(&self, ruleset: &Ruleset) -> Result<Box<dyn Player>, FileError> {
        let evaluator = self.evaluator(ruleset.width)?;
        let context = PlayerContext {
            ruleset,
            evaluators: &|_, _| Ok(evaluator.clone()),
        };
        let settings = self.kind.read(&self.spec());
        let made = settings.and_then(|settings| (self.kind.make)(&settings, &context));
        made.map_err(|error| self.error(None, error.to_string()))
    }

    /// All parameters of a table, with as many for each feature as the board width requires.
    fn flat(
        &self,
        table: &ParameterTable,
        all: &[Numbers],
        width: usize,
    ) -> Result<Vec<f64>, FileError> {
        let mut flat = Vec::new();
        for (feature, numbers) in self.features.iter().zip(all) {
            let (needed, found) = (feature.len(width), numbers.values.len());
            if needed != found && table.is_per_feature() {
                let (id, kind) = (feature.id, table.number);
                let problem = format!(
                    "{id} has {found} {kind}s, but {needed} are needed on a board {width} wide"
                );
                return Err(self.error(numbers.line, problem));
            }
        }
        flat.extend(all.iter().flat_map(|numbers| &numbers.values));
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
