//! Player files for learning: a player without parameters, and the parameters from which a search
//! starts.

use super::{Numbers, PlayerFile};
use tetrolab_core::evaluators::{EvaluatorEntry, ParameterTable};
use tetrolab_core::features::Feature;
use tetrolab_core::players::PlayerEntry;
use tetrolab_core::spec::Arg;

impl PlayerFile {
    /// A player of this kind and form without parameters.
    pub(crate) fn outline(
        kind: &'static PlayerEntry,
        options: Vec<Arg>,
        form: &'static EvaluatorEntry,
        feature_set: Option<String>,
        features: Vec<&'static Feature>,
    ) -> PlayerFile {
        PlayerFile {
            name: "candidate".to_owned(),
            title: String::new(),
            source: String::new(),
            note: None,
            provenance: None,
            feature_set,
            features,
            kind,
            options,
            form,
            tables: Vec::new(),
            model: None,
            path: "the player that is learned".to_owned(),
        }
    }

    /// The same player with these parameters, table after table, for boards of a width.
    pub(crate) fn with_numbers(&self, width: usize, mut numbers: &[f64]) -> PlayerFile {
        let features = self.feature_set_on(width);
        let mut take = |count: usize| {
            let values = numbers.split_off(..count.min(numbers.len()));
            let values = values.unwrap_or_default().to_vec();
            Numbers { values, line: None }
        };
        let mut table = |table: &ParameterTable| {
            if table.is_per_feature() {
                let features = self.features.iter();
                features.map(|feature| take(feature.len(width))).collect()
            } else {
                vec![take(table.len(&features))]
            }
        };
        PlayerFile {
            tables: self.form.make.tables.iter().map(&mut table).collect(),
            ..self.clone()
        }
    }

    /// The parameters of a feature in a table of this name, if the form has it: all parameters of a
    /// table without features.
    pub(crate) fn numbers(
        &self,
        table: &ParameterTable,
        feature: Option<&Feature>,
    ) -> Option<&[f64]> {
        let tables = self.form.make.tables;
        let place = tables.iter().position(|own| own.id == table.id)?;
        let row = match feature {
            None => 0,
            Some(feature) => self.features.iter().position(|own| own.id == feature.id)?,
        };
        Some(&self.tables[place][row].values)
    }
}
