//! Errors of a store.

use crate::learning::FieldDifference;
use rusqlite::ErrorCode;
use std::path::Path;

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store does not exist, has another version, or is damaged.
    #[error("{path}: {problem}")]
    Unusable {
        /// The file.
        path: String,
        /// The problem.
        problem: String,
    },
    /// A run with this name has a different plan.
    #[error("the run {id} was started with {difference}; choose another folder")]
    OtherPlan {
        /// The name.
        id: String,
        /// The difference.
        difference: FieldDifference,
    },
    /// The database failed.
    #[error("{path}: {problem}")]
    Sql {
        /// The file.
        path: String,
        /// The problem as text.
        problem: String,
        /// The database's error; `problem` contains its message.
        said: rusqlite::Error,
    },
}

/// A remark on earlier generations if one cannot be written.
const STILL_THERE: &str = "; what was stored before is still there";

impl StoreError {
    pub(super) fn unusable(path: &Path, problem: String) -> StoreError {
        StoreError::Unusable {
            path: path.display().to_string(),
            problem,
        }
    }

    /// The same error if nothing of the run was stored before.
    pub(super) fn before_anything(mut self) -> StoreError {
        if let StoreError::Sql { problem, .. } = &mut self
            && let Some(said) = problem.strip_suffix(STILL_THERE)
        {
            *problem = format!("{said}; nothing of this run has been stored yet");
        }
        self
    }

    pub(super) fn sql(path: &Path, error: rusqlite::Error) -> StoreError {
        let said = match &error {
            rusqlite::Error::SqliteFailure(failure, text) => {
                text.clone().unwrap_or_else(|| failure.to_string())
            }
            other => other.to_string(),
        };
        let problem = match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
                format!("not a tetrolab store, or damaged: {said}")
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                format!("another process has been writing for too long: {said}")
            }
            Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure | ErrorCode::ReadOnly) => {
                format!("cannot be written: {said}{STILL_THERE}")
            }
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                format!("cannot be opened: {said}")
            }
            _ => format!("cannot be read: {said}"),
        };
        StoreError::Sql {
            path: path.display().to_string(),
            problem,
            said: error,
        }
    }

    /// Whether the file, or its folder, is read-only.
    pub(super) fn is_read_only(&self) -> bool {
        let StoreError::Sql { said, .. } = self else {
            return false;
        };
        let code = said.sqlite_error_code();
        matches!(code, Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen))
    }
}

/// Whether another process holds a lock.
pub(super) fn is_busy(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(
        code,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}
