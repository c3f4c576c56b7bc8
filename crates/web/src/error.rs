//! Errors: why a server cannot start, and why it refuses a request.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// Why a server cannot start or continue.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be used.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: String,
        /// The reason.
        error: std::io::Error,
    },
    /// The name of the host cannot be resolved.
    #[error("host {host}: {problem}")]
    Host {
        /// The name.
        host: String,
        /// The problem with the host name.
        problem: String,
    },
    /// The folder of assets does not exist.
    #[error("{0}: expected a folder with the pages (index.html), found none")]
    NoAssets(String),
    /// The system refuses something else.
    #[error("{0}")]
    System(#[from] std::io::Error),
}

/// Why a request is refused: a status, and a sentence for the user.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) sentence: String,
}

#[allow(
    clippy::needless_pass_by_value,
    reason = "errors are handed over: map_err(Refusal::wrong)"
)]
impl Refusal {
    pub(crate) fn new(status: StatusCode, sentence: impl Into<String>) -> Refusal {
        let sentence = sentence.into();
        Refusal { status, sentence }
    }

    /// The request itself is invalid.
    pub(crate) fn wrong(sentence: impl ToString) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, sentence.to_string())
    }

    /// The requested thing does not exist.
    pub(crate) fn missing(sentence: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, sentence)
    }

    /// This cannot be done now.
    pub(crate) fn conflict(sentence: impl ToString) -> Refusal {
        Refusal::new(StatusCode::CONFLICT, sentence.to_string())
    }

    /// Something on this machine failed, such as reading the store.
    pub(crate) fn failed(sentence: impl ToString) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, sentence.to_string())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "error": self.sentence }))).into_response()
    }
}
