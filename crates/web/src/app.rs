//! State shared by all handlers, and the routes to them.

use crate::assets::{Assets, asset};
use crate::error::Refusal;
use crate::guard::{Guard, guard};
use crate::limits::ServerLimits;
use crate::studies::Studies;
use crate::{compare, experiments, facts, runs, session, studies};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use std::path::PathBuf;
use std::sync::Arc;
use tetrolab::arena::Arena;
use tetrolab::context::CancelToken;
use tetrolab::experiments::StageStudy;
use tokio::sync::Semaphore;

/// The command of an experiment's stage, if it is a study, in the form that the program accepts.
pub type StageCommand = fn(&StageStudy) -> Option<String>;

/// State shared by all handlers.
pub(crate) struct App {
    pub(crate) guard: Guard,
    pub(crate) assets: Assets,
    pub(crate) limits: ServerLimits,
    pub(crate) arena: Arena,
    /// The folder of runs: nothing is written elsewhere.
    pub(crate) lab: PathBuf,
    pub(crate) stage_command: StageCommand,
    /// Ends all studies and sessions.
    pub(crate) cancel: CancelToken,
    pub(crate) sessions: Arc<Semaphore>,
    pub(crate) studies: Studies,
    /// Limits the number of pages that read the events of studies.
    pub(crate) readers: Arc<Semaphore>,
}

/// Does work that reads files, or computes for a while, on a thread that may block.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let done = tokio::task::spawn_blocking(work).await;
    let panicked = "the request failed because of a bug in the program; please report it";
    done.unwrap_or_else(|_| Err(Refusal::failed(panicked)))
}

/// Every address that the server answers.
pub(crate) fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/api/catalog", get(facts::catalog))
        .route("/api/session", get(session::open))
        .route("/api/studies", get(studies::list))
        .route("/api/studies/{id}/events", get(studies::events))
        .route("/api/studies/{id}/stop", post(studies::stop))
        .route("/api/evaluations", post(compare::start))
        .route("/api/standings", get(facts::standings))
        .route("/api/plans", post(runs::plan))
        .route("/api/runs", get(runs::list).post(runs::start))
        .route("/api/runs/{id}", get(runs::show))
        .route("/api/runs/{id}/resume", post(runs::resume))
        .route("/api/runs/{id}/stop", post(runs::stop))
        .route("/api/runs/{id}/files/{what}", get(runs::download))
        .route("/api/curves", get(runs::curves))
        .route("/api/experiments", get(experiments::list))
        .route("/api/experiments/{id}", post(experiments::start))
        .route("/reports/{id}", get(experiments::report))
        .route(
            "/api/features",
            get(facts::features).post(facts::feature_values),
        )
        .route("/api/features/picture", post(facts::feature_picture))
        .fallback(get(asset))
        .method_not_allowed_fallback(|| async {
            Refusal::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "this address requires a different method",
            )
        })
        .layer(DefaultBodyLimit::max(app.limits.body))
        .layer(from_fn_with_state(Arc::clone(&app), guard))
        .with_state(app)
}
