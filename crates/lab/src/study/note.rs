//! Remarks for readers of a result.

use serde::{Deserialize, Serialize};

/// A remark about a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// The topic of the remark.
    pub kind: NoteKind,
    /// A sentence.
    pub text: String,
}

/// The topic of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteKind {
    /// Every game was identical: the interval is meaningless.
    Deterministic,
    /// Games were truncated while boards were still filling: the mean is too high.
    CapIsShort,
    /// A player plays on a higher board than its lookup tables were learned for.
    BoardIsHigher,
    /// The target was not reached, and more work would not reach it.
    TargetNotReached,
}

impl Note {
    pub(super) fn new(kind: NoteKind, text: impl Into<String>) -> Note {
        let text = text.into();
        Note { kind, text }
    }
}
