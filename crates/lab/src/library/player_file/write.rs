//! Writes player files such that parsing them gives the same player.

use super::{Numbers, PlayerFile};
use tetrolab_core::features::Feature;

impl PlayerFile {
    /// The text of the file. It depends only on the player, not on the clock or the machine.
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
        if let Some(model) = &self.model {
            let (key, value) = model.key_and_value();
            text += &entry(key, &value);
        }
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

    /// The tables: lists first, because everything after a table's header belongs to that table.
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
        // The shortest decimals that parse as the same number.
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
