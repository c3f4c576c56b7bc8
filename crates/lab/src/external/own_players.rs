//! Players that only the user of this machine may refer to.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use tetrolab_core::players::Player;
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::spec::SpecError;

/// Creates one of the caller's players for a ruleset.
pub type MakePlayerOf = dyn Fn(&Ruleset) -> Result<Box<dyn Player>, SpecError> + Send + Sync;

/// Players that a user of this machine may refer to in addition to those of the library: programs
/// (`exec(COMMAND)`), and named objects of the caller.
#[derive(Clone, Default)]
pub struct OwnPlayers {
    made: BTreeMap<String, Arc<MakePlayerOf>>,
}

impl OwnPlayers {
    /// Only programs.
    pub(crate) const PROGRAMS: &'static OwnPlayers = &OwnPlayers {
        made: BTreeMap::new(),
    };

    /// Adds an object of the caller under a name, which then refers only to this object.
    #[must_use]
    pub fn with(mut self, name: &str, make: Arc<MakePlayerOf>) -> OwnPlayers {
        self.made.insert(name.to_owned(), make);
        self
    }

    /// Creates the player with this name, if there is one.
    pub(crate) fn make(
        &self,
        name: &str,
        ruleset: &Ruleset,
    ) -> Option<Result<Box<dyn Player>, SpecError>> {
        self.made.get(name).map(|make| make(ruleset))
    }

    /// Whether an object of the caller has this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.made.contains_key(name)
    }
}

impl fmt::Debug for OwnPlayers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.made.keys()).finish()
    }
}
