//! Comparisons: players play the same games, and intermediate means are reported.

use crate::app::{App, blocking};
use crate::body::JsonBody;
use crate::command;
use crate::error::Refusal;
use crate::pages::{ComparisonRequest, score_plots};
use crate::runs::players_of;
use crate::studies::{Studies, Study};
use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use tetrolab::context::Context;
use tetrolab::learning::RunFolder;
use tetrolab::report::scores;
use tetrolab::study::{Evaluated, evaluate_in_steps};

/// Starts a comparison. If it was stopped before, it continues.
pub(crate) async fn start(
    State(app): State<Arc<App>>,
    JsonBody(request): JsonBody<ComparisonRequest>,
) -> Result<Json<Value>, Refusal> {
    blocking(move || begin(&app, request)).await
}

fn begin(app: &Arc<App>, request: ComparisonRequest) -> Result<Json<Value>, Refusal> {
    let given = players_of(app, request.players.iter().map(String::as_str))?;
    let most = (app.limits.players, app.limits.games);
    let evaluation = request.evaluation(most, &given).map_err(Refusal::wrong)?;
    let command = command::evaluation(&evaluation);
    let folder = RunFolder::named(&app.lab.join("compare"), "games", &command);
    let seed = evaluation.seed.to_string();
    let about = json!({ "evaluation": evaluation, "seed": seed, "command": command });
    if let Some(study) = app.studies.running("evaluation", &folder.id) {
        return Ok(Json(json!({ "study": study.id, "command": command })));
    }
    let path = folder.path();
    let work = move |context: &Context, study: &Arc<Study>| {
        let interim = |known: &Evaluated| study.report("interim", &json!(known), true);
        let table = path.join("games.csv");
        let done = evaluate_in_steps(&evaluation, (&path, Some(&table)), context, &interim);
        let done = done.map_err(|error| error.to_string())?;
        let plots = plots(&table);
        if !done.interrupted {
            // The result is complete, and its command can repeat it.
            let _ = std::fs::remove_dir_all(&path);
        }
        Ok(json!({ "evaluated": done, "plots": plots }))
    };
    let study = Studies::start(app, ("evaluation", folder.id, about), given, work)?;
    Ok(Json(json!({ "study": study.id, "command": command })))
}

/// The plots of the games in a table; empty if there is no table.
fn plots(table: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(table).unwrap_or_default();
    scores::from_csv(&text).map_or(Vec::new(), |players| score_plots(&players))
}
