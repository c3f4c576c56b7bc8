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
    /// The first value that there is; otherwise the default.
    pub(super) fn pick<T, const N: usize>(
        &mut self,
        field: &'static str,
        options: [(Origin, Option<T>); N],
        default: T,
    ) -> T {
        let found = options
            .into_iter()
            .find_map(|(origin, value)| Some((origin, value?)));
        let (origin, value) = found.unwrap_or((Origin::Default, default));
        self.0.insert(field, origin);
        value
    }

    /// Where a setting comes from.
    pub(super) fn of(&self, field: &str) -> Option<Origin> {
        self.0.get(field).copied()
    }
}
