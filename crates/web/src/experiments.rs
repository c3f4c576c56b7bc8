//! Experiments from the literature: list them, run them at quick scale, and show their reports.

use crate::app::{App, blocking};
use crate::error::Refusal;
use crate::guard::REPORT_POLICY;
use crate::studies::{Studies, Study};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use tetrolab::context::Context;
use tetrolab::experiments::{EXPERIMENTS, Experiment, ExperimentScale, ExperimentSize, reproduce};
use tetrolab::learning::write_whole;
use tetrolab::library::GivenFiles;

const QUICK: ExperimentSize = ExperimentSize {
    scale: ExperimentScale::Quick,
    seed: 1,
};

fn experiment(id: &str) -> Result<Experiment, Refusal> {
    Experiment::named(id, QUICK).map_err(|error| Refusal::missing(error.to_string()))
}

/// The folder of an experiment, which `tetrolab reproduce` uses too.
fn folder(app: &App, experiment: &Experiment) -> PathBuf {
    let name = format!("{}-{}", experiment.id, experiment.size.scale.name());
    app.lab.join("reproduce").join(name)
}

/// Every experiment, and whether it has a report.
pub(crate) async fn list(State(app): State<Arc<App>>) -> Result<Json<Value>, Refusal> {
    blocking(move || Ok(Json(all(&app)))).await
}

fn all(app: &App) -> Value {
    let row = |entry: &tetrolab::experiments::ExperimentEntry| {
        let experiment = experiment(entry.id).ok()?;
        let study = app.studies.running("experiment", entry.id);
        let definition = &experiment.definition;
        Some(json!({
            "id": entry.id,
            "definition": entry.definition,
            "source": entry.source,
            "question": definition.question,
            "cost": definition.cost,
            "stages": definition.stages.len(),
            "report": folder(app, &experiment).join("report.html").is_file(),
            "study": study.map(|study| study.id),
        }))
    };
    let rows: Vec<Value> = EXPERIMENTS.iter().filter_map(row).collect();
    json!({ "experiments": rows })
}

/// Starts an experiment at quick scale, or resumes it.
pub(crate) async fn start(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Refusal> {
    let experiment = experiment(&id)?;
    if let Some(study) = app.studies.running("experiment", &id) {
        return Ok(Json(json!({ "study": study.id })));
    }
    let out = folder(&app, &experiment);
    let command = app.stage_command;
    let work = move |context: &Context, _: &Arc<Study>| {
        let report = reproduce(&experiment, &out, &command, context);
        let report = report.map_err(|error| error.to_string())?;
        let data = serde_json::to_string_pretty(&report).map_err(|error| error.to_string())?;
        let written = write_whole(&out.join("report.html"), &report.page().html());
        written
            .and_then(|()| write_whole(&out.join("report.json"), &data))
            .map_err(|error| error.to_string())?;
        Ok(json!({ "verdicts": report.verdicts(), "interrupted": report.interrupted }))
    };
    let about = json!({ "experiment": id });
    let study = Studies::start(&app, ("experiment", id, about), GivenFiles::new(), work)?;
    Ok(Json(json!({ "study": study.id })))
}

/// The report of an experiment as a page.
pub(crate) async fn report(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let experiment = experiment(&id)?;
    let path = folder(&app, &experiment).join("report.html");
    let missing = move || Refusal::missing(format!("there is no report of {id} yet; run it first"));
    let read = move || std::fs::read_to_string(path).map_err(|_| missing());
    let html = blocking(read).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, REPORT_POLICY),
    ];
    Ok((headers, html).into_response())
}
