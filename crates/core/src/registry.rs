//! Registries: the common type of all named parts.
//!
//! Each kind of part (features, feature sets, evaluators, players, randomizers, game-over rules,
//! rulesets, learners, objectives) is a slice of rows of this type. Lists, help texts, player
//! files, errors and registry-wide tests are derived from the rows, so adding a part takes a file
//! and a line.

use crate::settings::{Setting, Settings};
use crate::spec::{Spec, SpecError};

/// A row of a registry: a named part.
#[derive(Clone, Copy, Debug)]
pub struct Entry<M> {
    /// The name in specs, files and lists.
    pub id: &'static str,
    /// One line that defines the part.
    pub definition: &'static str,
    /// The source of the part in the literature.
    pub source: &'static str,
    /// The settings of the part.
    pub settings: &'static [Setting],
    /// The constructor of the part: a function, or the data that a common function uses.
    pub make: M,
}

impl<M> Entry<M> {
    /// Reads a value for every setting from a spec.
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

    /// The settings that are given by name.
    pub fn options(&self) -> impl Iterator<Item = &'static Setting> + use<M> {
        self.settings
            .iter()
            .filter(|setting| !setting.is_positional())
    }

    /// A spec that creates the part: its name, with an example of every required argument.
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
/// If the name is unknown; the error suggests the most similar one.
pub fn find<'a, M>(
    registry: &'a [Entry<M>],
    kind: &'static str,
    name: &str,
) -> Result<&'a Entry<M>, SpecError> {
    let found = registry.iter().find(|entry| entry.id == name);
    found.ok_or_else(|| SpecError::unknown(kind, name, registry.iter().map(|entry| entry.id)))
}
