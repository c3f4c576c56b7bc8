//! What a reader of a result should know.

use serde::{Deserialize, Serialize};

/// A remark about a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// What it is about.
    pub kind: NoteKind,
    /// A sentence.
    pub text: String,
}

/// What a remark is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteKind {
    /// Every game was the same: the interval means nothing.
    Deterministic,
    /// Games were cut off while boards were still filling: the mean is too high.
    CapIsShort,
    /// A player plays on a higher board than its lookup tables were learned for.
    BoardIsHigher,
    /// What was asked for was not reached, and more of the same would not reach it.
    TargetNotReached,
}

impl Note {
    pub(super) fn new(kind: NoteKind, text: impl Into<String>) -> Note {
        let text = text.into();
        Note { kind, text }
    }
}
