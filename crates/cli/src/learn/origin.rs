//! Where the settings of a plan come from.

use std::collections::BTreeMap;

/// Where a setting comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The command line.
    Given,
    /// The command line, but for the number of generations, which this preset or learner says.
    GivenButGenerations(&'static str),
    /// The player at which the search starts.
    Start,
    /// This preset or learner.
    From(&'static str),
    /// Nothing else said anything.
    Default,
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Origin::Given => f.write_str("given"),
            Origin::GivenButGenerations(name) => write!(f, "given; generations from {name}"),
            Origin::Start => f.write_str("from --start"),
            Origin::From(name) => write!(f, "from {name}"),
            Origin::Default => f.write_str("default"),
        }
    }
}

/// Where each setting comes from, by the name of its field.
#[derive(Debug, Default)]
pub(super) struct Origins(pub(super) BTreeMap<&'static str, Origin>);

impl Origins {
    /// Sets a field, if this source says something of it.
    pub(super) fn set<T>(
        &mut self,
        (origin, field): (Origin, &'static str),
        place: &mut T,
        value: Option<T>,
    ) {
        self.0.entry(field).or_insert(Origin::Default);
        if let Some(value) = value {
            *place = value;
            self.0.insert(field, origin);
        }
    }

    /// Where a setting comes from.
    pub(super) fn of(&self, field: &str) -> Option<Origin> {
        self.0.get(field).copied()
    }
}
