//! Bodies of requests: JSON of a bounded size, with errors in a sentence.

use crate::app::App;
use crate::error::Refusal;
use axum::body::to_bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// A body in JSON.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for JsonBody<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Refusal> {
        let kind = request.headers().get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if kind.split(';').next().unwrap_or_default().trim() != "application/json" {
            // A form on another site cannot send this type.
            let sentence = "expected a body of the type application/json";
            return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, sentence));
        }
        let most = app.limits.body;
        let bytes = to_bytes(request.into_body(), most).await.map_err(|_| {
            let sentence = format!("the body of a request can have at most {most} bytes");
            Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, sentence)
        })?;
        let value = serde_json::from_slice(&bytes);
        value
            .map(JsonBody)
            .map_err(|error| Refusal::wrong(format!("body: {error}")))
    }
}
