//! Why a report cannot be created.

use std::fmt::Display;

/// Why a report cannot be created: a sentence that names the file or the table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ReportError(pub(super) String);

/// Adds the location to an error.
pub(super) trait At<T> {
    fn at(self, place: impl Display) -> Result<T, ReportError>;
}

impl<T, E: Display> At<T> for Result<T, E> {
    fn at(self, place: impl Display) -> Result<T, ReportError> {
        self.map_err(|error| ReportError(format!("{place}: {error}")))
    }
}

/// Ends a function with an error.
macro_rules! fail {
    ($($text:tt)*) => { return Err($crate::report::ReportError(format!($($text)*))) };
}
pub(super) use fail;
