//! Registries: the one shape of every part that has a name.
//!
//! Features, feature sets, evaluators, players, randomizers, game-over rules, rulesets, learners
//! and objectives are rows of this shape in a slice each. Lists, help texts, player files, errors
//! and registry-wide tests follow from the rows, so a new part is one file and one line.

use crate::settings::{Setting, Settings};
use crate::spec::{Spec, SpecError};

/// A row of a registry: a part that has a name.
#[derive(Clone, Copy, Debug)]
pub struct Entry<M> {
    /// Its name in specs, files and lists.
    pub id: &'static str,
    /// One line: its definition.
    pub definition: &'static str,
    /// Its source.
    pub source: &'static str,
    /// Its settings.
    pub settings: &'static [Setting],
    /// Its constructor: a function, or the data that a common function uses.
    pub make: M,
}

impl<M> Entry<M> {
    /// A value for every setting, read from a spec.
    ///
    /// # Errors
    /// If the spec has an unknown argument, or lacks a required one.
    pub fn read(&self, spec: &Spec) -> Result<Settings, SpecError> {
        Settings::new(self.settings, &[], spec)
    }

    /// The setting that names a part of another registry, if there is one: `evaluator` of a greedy
    /// player.
    pub fn takes(&self, registry: &str) -> Option<&'static Setting> {
        let mut settings = self.settings.iter();
        settings.find(|setting| setting.kind.is_part_of(registry))
    }

    /// The settings that are given with their names.
    pub fn options(&self) -> impl Iterator<Item = &'static Setting> + use<M> {
        self.settings
            .iter()
            .filter(|setting| !setting.is_positional())
    }

    /// A spec that makes one: its name, with an example of everything that must be given.
    pub fn example(&self) -> String {
        let settings = self.settings.iter();
        let needed = settings.filter(|setting| setting.is_positional());
        let needed: Vec<&str> = needed.map(|setting| setting.kind.example()).collect();
        if needed.is_empty() {
            self.id.to_owned()
        } else {
            format!("{}({})", self.id, needed.join(","))
        }
    }
}

/// The row with this name.
///
/// # Errors
/// If the name is unknown; the error suggests the nearest.
pub fn find<'a, M>(
    registry: &'a [Entry<M>],
    kind: &'static str,
    name: &str,
) -> Result<&'a Entry<M>, SpecError> {
    let found = registry.iter().find(|entry| entry.id == name);
    found.ok_or_else(|| SpecError::unknown(kind, name, registry.iter().map(|entry| entry.id)))
}
