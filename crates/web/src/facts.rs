//! Answers that need neither a run nor a session: the available choices, and features.

use crate::app::{App, blocking};
use crate::body::JsonBody;
use crate::error::Refusal;
use crate::pages::{self, ExampleBoard};
use axum::Json;
use axum::extract::State;
use serde_json::Value;
use std::sync::Arc;
use tetrolab::draw::FeatureRequest;

/// Everything that pages offer.
pub(crate) async fn catalog() -> Result<Json<&'static Value>, Refusal> {
    blocking(|| Ok(Json(pages::catalog()))).await
}

/// The standings of published players.
pub(crate) async fn standings() -> Json<Value> {
    Json(pages::standings())
}

/// Every feature.
pub(crate) async fn features() -> Json<Value> {
    Json(pages::features())
}

/// The values of all features when a piece is placed on a board.
pub(crate) async fn feature_values(
    State(_): State<Arc<App>>,
    JsonBody(example): JsonBody<ExampleBoard>,
) -> Result<Json<Value>, Refusal> {
    blocking(move || example.values().map(Json).map_err(Refusal::wrong)).await
}

/// A feature on a step: its value, and the cells that it counts.
pub(crate) async fn feature_picture(
    State(_): State<Arc<App>>,
    JsonBody(request): JsonBody<FeatureRequest>,
) -> Result<Json<Value>, Refusal> {
    let picture = move || pages::feature_picture(&request).map(Json);
    blocking(move || picture().map_err(Refusal::wrong)).await
}
