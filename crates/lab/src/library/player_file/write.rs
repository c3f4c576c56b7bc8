//! Writing player files, so that they read back as the same player.

use super::{Numbers, PlayerFile};
use tetrolab_core::evaluators::{EvaluatorEntry, ParameterTable};
use tetrolab_core::features::Feature;
use tetrolab_core::players::PlayerEntry;
use tetrolab_core::spec::Arg;

impl PlayerFile {
    /// A player of this kind and form that has no numbers yet.
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
            path: "the player that is learned".to_owned(),
        }
    }

    /// The same player with these numbers, table after table, for boards of a width.
    pub(crate) fn with_numbers(&self, width: usize, mut numbers: &[f64]) -> PlayerFile {
        let features = self.feature_set_on(width);
        let mut take = |count: usize| {
            let values = numbers.split_off(..count.min(numbers.len()));
            let values = values.unwrap_or_default().to_vec();
            Numbers { values, line: None }
        };
        let mut table = |table: &ParameterTable| match table.is_per_feature() {
            true => {
                let features = self.features.iter();
                features.map(|feature| take(feature.len(width))).collect()
            }
            false => vec![take(table.len(&features))],
        };
        PlayerFile {
            tables: self.form.make.tables.iter().map(&mut table).collect(),
            ..self.clone()
        }
    }

    /// The text of the file. It depends on the player alone: no clock, no machine.
    #[must_use]
    pub fn text(&self) -> String {
        let head = [
            ("name", Some(&self.name)),
            ("title", Some(&self.title)),
            ("source", Some(&self.source)),
            ("note", self.note.as_ref()),
            ("provenance", self.provenance.as_ref()),
        ];
        let head = head
            .iter()
            .filter_map(|(key, text)| Some((key, text.filter(|text| !text.is_empty())?)));
        let mut text: String = head.map(|(key, text)| entry(key, text)).collect();
        text += &entry("player", self.kind.id);
        for arg in &self.options {
            let key = arg.key.as_deref().unwrap_or_default();
            text += &entry(key, &arg.value.to_string());
        }
        text += &entry("evaluator", self.form.id);
        text += &self.features_entry();
        text + &self.tables()
    }

    fn features_entry(&self) -> String {
        if let Some(set) = &self.feature_set {
            return entry("features", set);
        }
        if self.features.is_empty() {
            return String::new();
        }
        let ids: Vec<String> = self.features.iter().map(|f| quoted(f.id)).collect();
        format!("features = [{}]\n", ids.join(", "))
    }

    /// The tables: lists first, since whatever follows the head of a table belongs to it.
    fn tables(&self) -> String {
        let tables = || self.form.make.tables.iter().zip(&self.tables);
        let lists = tables().filter(|(table, _)| !table.is_per_feature());
        let lists = lists.flat_map(|(table, numbers)| {
            let line = |list: &Numbers| format!("{} = {:?}\n", table.id, list.values);
            numbers.iter().map(line)
        });
        let per_feature = tables().filter(|(table, _)| table.is_per_feature());
        let per_feature =
            per_feature.map(|(table, numbers)| format!("\n[{}]\n{}", table.id, self.rows(numbers)));
        lists.chain(per_feature).collect()
    }

    fn rows(&self, numbers: &[Numbers]) -> String {
        // The shortest decimals that read back as the same number.
        let row =
            |(feature, own): (&&Feature, &Numbers)| match (feature.is_vector(), &own.values[..]) {
                (false, [only]) => format!("{} = {only:?}\n", feature.id),
                (_, list) => format!("{} = {list:?}\n", feature.id),
            };
        self.features.iter().zip(numbers).map(row).collect()
    }
}

/// A line of a player file.
fn entry(key: &str, value: &str) -> String {
    format!("{key} = {}\n", quoted(value))
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}
