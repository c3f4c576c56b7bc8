//! Settings of reinforcement learners, in one line each.

use tetrolab_core::settings::{Kind, Setting};

/// A setting with a default.
pub(super) const fn setting(
    id: &'static str,
    default: &'static str,
    kind: Kind,
    help: &'static str,
) -> Setting {
    Setting {
        id,
        help,
        default: Some(default),
        kind,
    }
}

/// Which of the tested models a run gives.
pub(super) const KEEP: Setting = setting(
    "keep",
    "last",
    Kind::Word(&["last", "best"]),
    "what is used in the end: what was learned last, or what did best in a test",
);

/// A whole number within limits.
pub(super) const fn count(least: usize, most: usize) -> Kind {
    Kind::Count { least, most }
}

/// A number within limits.
pub(super) const fn number(least: f64, most: f64) -> Kind {
    Kind::Number { least, most }
}
