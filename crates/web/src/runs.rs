//! Learning runs: started, stopped, resumed, listed and downloaded.

use crate::app::{App, blocking};
use crate::body::JsonBody;
use crate::command;
use crate::error::Refusal;
use crate::studies::{Studies, Study};
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tetrolab::context::Context;
use tetrolab::draw::plot::Plot;
use tetrolab::learning::export::{
    generations, generations_csv, names_of_solution, run_json, totals,
};
use tetrolab::learning::objective::find_objective;
use tetrolab::learning::{Learning, LearningRequest, RunFolder, Store, StoredRun, Task};
use tetrolab::library::GivenFiles;
use tetrolab::report::curves::{CurveOver, RunGenerations, curve_plot, weight_plot};
use tetrolab::study::{LearningPlace, learn, player_so_far, stored};

/// Maximum number of runs in one plot.
const MOST_OVERLAID: usize = 12;

/// Maximum number of games per candidate; with more, a generation would take too long.
const MOST_GAMES: u64 = 100_000;
/// Maximum number of independent runs of one plan.
const MOST_RUNS: u64 = 100;

/// The store of the lab, if there is one.
fn store(app: &App) -> Result<Option<Store>, Refusal> {
    let lab = RunFolder {
        lab: app.lab.clone(),
        id: String::new(),
    };
    Store::find(&lab.store()).map_err(Refusal::failed)
}

/// A run of the lab by its name. Only stored names are accepted, so a name cannot be a path.
fn find(app: &App, id: &str) -> Result<(Store, StoredRun, RunFolder), Refusal> {
    let missing = || Refusal::missing(format!("there is no run '{}'", id.escape_debug()));
    let store = store(app)?.ok_or_else(missing)?;
    let run = store
        .run(id)
        .map_err(Refusal::failed)?
        .ok_or_else(missing)?;
    let is_name = !id.is_empty() && !id.contains(['/', '\\']) && id != "..";
    let folder = RunFolder {
        lab: app.lab.clone(),
        id: run.id.clone(),
    };
    if is_name {
        Ok((store, run, folder))
    } else {
        Err(missing())
    }
}

/// The texts of the players of runs that these texts refer to (`runs/NAME`); no other file is read.
/// For an unfinished run, it is the best player so far.
pub(crate) fn players_of<'a>(
    app: &App,
    texts: impl Iterator<Item = &'a str>,
) -> Result<GivenFiles, Refusal> {
    let words = texts.flat_map(|text| text.split(['(', ')', ',', ' ']));
    let named = words.filter_map(|word| Some((word, word.strip_prefix("runs/")?)));
    let mut files = GivenFiles::new();
    for (word, name) in named {
        let (_, _, folder) = find(app, name)?;
        let text = folder.player_text().ok();
        let text = text.or_else(|| player_so_far(&folder).ok().flatten());
        let none = || Refusal::conflict(format!("the run {name} has no player yet"));
        let text = text.ok_or_else(none)?;
        files.insert(word.to_owned(), text);
    }
    Ok(files)
}

/// A run as a row of the list.
fn row(app: &App, store: &Store, run: &StoredRun) -> Result<Value, Refusal> {
    let folder = RunFolder {
        lab: app.lab.clone(),
        id: run.id.clone(),
    };
    let totals = totals(store, &run.id).map_err(Refusal::failed)?;
    let unit = find_objective(&run.plan.objective)
        .ok()
        .map(|objective| objective.unit());
    let study = app.studies.running("learning", &run.id);
    let mut json = run_json(run);
    // A JavaScript number may lose digits of a seed.
    json["seed"] = json!(run.plan.seed.to_string());
    json["command"] = json!(command::learning(&run.plan));
    json["state"] = json!(folder.state(run.ended.is_some()));
    json["study"] = json!(study.map(|study| study.id));
    json["best"] = json!(totals.best);
    json["unit"] = json!(unit);
    json["games"] = json!(totals.games);
    json["pieces"] = json!(totals.pieces);
    json["seconds"] = json!(totals.seconds);
    json["can_play"] = json!(run.generations > 0);
    json["has_player"] = json!(folder.player().is_file());
    json["has_model"] = json!(folder.model().is_file());
    Ok(json)
}

/// All runs of the lab, latest first.
pub(crate) async fn list(State(app): State<Arc<App>>) -> Result<Json<Value>, Refusal> {
    blocking(move || all(&app)).await
}

fn all(app: &App) -> Result<Json<Value>, Refusal> {
    let Some(store) = store(app)? else {
        return Ok(Json(json!({ "runs": [] })));
    };
    let runs = store.runs().map_err(Refusal::failed)?;
    let rows = runs.iter().map(|run| row(app, &store, run));
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    Ok(Json(json!({ "runs": rows })))
}

/// What would be learned: the full description of a request, the source of each setting, and the
/// command.
pub(crate) async fn plan(
    State(app): State<Arc<App>>,
    JsonBody(request): JsonBody<LearningRequest>,
) -> Result<Json<Value>, Refusal> {
    blocking(move || described(&app, &request)).await
}

fn described(app: &App, request: &LearningRequest) -> Result<Json<Value>, Refusal> {
    let (learning, word) = planned(request)?;
    let task = Task::new(learning.clone()).map_err(Refusal::wrong)?;
    let command = command::learning(&learning);
    let run = RunFolder::named(&app.lab, word, &command).id;
    Ok(Json(json!({
        "learning": learning,
        "command": command,
        "run": run,
        "dimension": task.dimension(),
        "unit": task.unit(),
    })))
}

fn planned(request: &LearningRequest) -> Result<(Learning, &'static str), Refusal> {
    request.check_names().map_err(Refusal::wrong)?;
    let planned = request.plan().map_err(Refusal::wrong)?;
    let (games, runs) = (planned.learning.games, planned.learning.runs);
    if games > MOST_GAMES || runs > MOST_RUNS {
        return Err(Refusal::wrong(format!(
            "expected at most {MOST_GAMES} games per candidate and {MOST_RUNS} runs, found {games} and {runs}"
        )));
    }
    Ok((planned.learning, planned.word))
}

/// Starts a run, or resumes it if it was started before.
pub(crate) async fn start(
    State(app): State<Arc<App>>,
    JsonBody(request): JsonBody<LearningRequest>,
) -> Result<Json<Value>, Refusal> {
    let (lab, threads) = (app.lab.clone(), app.arena.threads());
    let prepare = move || {
        let (learning, word) = planned(&request)?;
        let task = Task::new(learning.clone()).map_err(Refusal::wrong)?;
        let memory = tetrolab::learning::USUAL_MEMORY;
        task.check_memory(threads, memory).map_err(Refusal::wrong)?;
        let folder = RunFolder::named(&lab, word, &command::learning(&learning));
        Ok((folder.path().is_dir(), folder, learning))
    };
    let (resume, folder, learning) = blocking(prepare).await?;
    run(&app, folder, learning, resume).await
}

/// Resumes a run that was stopped or killed.
pub(crate) async fn resume(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Refusal> {
    let lab = Arc::clone(&app);
    let begun = move || {
        let (_, _, folder) = find(&lab, &id)?;
        let learning = stored(&folder).map_err(Refusal::failed)?;
        Ok((folder, learning))
    };
    let (folder, learning) = blocking(begun).await?;
    run(&app, folder, learning, true).await
}

/// Starts working on a run, and answers once it is stored.
async fn run(
    app: &Arc<App>,
    folder: RunFolder,
    learning: Learning,
    resume: bool,
) -> Result<Json<Value>, Refusal> {
    if let Some(study) = app.studies.running("learning", &folder.id) {
        return Ok(Json(json!({ "run": folder.id, "study": study.id })));
    }
    let command = command::learning(&learning);
    let about = json!({ "run": folder.id, "command": command });
    let name = folder.id.clone();
    let work = move |context: &Context, _: &Arc<Study>| {
        let place = LearningPlace {
            run: folder,
            out: None,
            resume,
            provenance: Some(command),
            memory: None,
        };
        let learned = learn(&learning, &place, context).map_err(|error| error.to_string())?;
        Ok(
            json!({ "games": learned.games, "pieces": learned.pieces, "seconds": learned.seconds, "ended": learned.ended }),
        )
    };
    let study = Studies::start(
        app,
        ("learning", name.clone(), about),
        GivenFiles::new(),
        work,
    )?;
    while study.is_running() && !is_stored(app, &name).await? {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    match study.failure() {
        Some(error) => Err(Refusal::conflict(error)),
        None => Ok(Json(json!({ "run": name, "study": study.id }))),
    }
}

/// Whether a run is stored.
async fn is_stored(app: &Arc<App>, name: &str) -> Result<bool, Refusal> {
    let (app, name) = (Arc::clone(app), name.to_owned());
    blocking(move || Ok(find(&app, &name).is_ok())).await
}

/// Stops the run, if the server is working on it.
pub(crate) async fn stop(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Refusal> {
    let stop = move || {
        let (_, _, folder) = find(&app, &id)?;
        let study = app.studies.running("learning", &folder.id);
        let idle = || Refusal::conflict("this server is not working on the run");
        let study = study.ok_or_else(idle)?;
        study.stop();
        Ok(Json(json!({ "run": folder.id, "study": study.id })))
    };
    blocking(stop).await
}

/// A run with its curves.
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Refusal> {
    blocking(move || shown(&app, &id)).await
}

fn shown(app: &App, id: &str) -> Result<Json<Value>, Refusal> {
    let (store, run, _) = find(app, id)?;
    let mut json = row(app, &store, &run)?;
    let of = generations_of(&store, &run)?;
    json["curve"] = json!(curve(
        std::slice::from_ref(&of),
        CurveOver::Pieces,
        &run.plan
    ));
    json["weights"] = json!(weight_plot(&of).and_then(|plot| Plot::Panels(plot).inline_svg().ok()));
    Ok(Json(json))
}

fn generations_of(store: &Store, run: &StoredRun) -> Result<RunGenerations, Refusal> {
    let rows = generations(store, &run.id).map_err(Refusal::failed)?;
    let names = names_of_solution(&run.plan, &rows);
    Ok(RunGenerations {
        learner: run
            .plan
            .learner
            .split('(')
            .next()
            .unwrap_or_default()
            .to_owned(),
        name: run.id.clone(),
        weights: names,
        rows,
    })
}

fn curve(runs: &[RunGenerations], over: CurveOver, plan: &Learning) -> Option<String> {
    let note = format!("on {}", plan.ruleset);
    let height = tetrolab::report::curves::HEIGHT;
    let plot = curve_plot(runs, over, (&note, height), runs.len() == 1);
    Plot::Curves(plot).inline_svg().ok()
}

/// The runs to draw, and the horizontal axis.
#[derive(Deserialize)]
pub(crate) struct CurvesQuery {
    runs: String,
    #[serde(default)]
    over: CurveOver,
    #[serde(default)]
    download: bool,
}

/// The learning curves of several runs in one plot: seeds of one method share a colour and a band.
pub(crate) async fn curves(
    State(app): State<Arc<App>>,
    Query(query): Query<CurvesQuery>,
) -> Result<Response, Refusal> {
    blocking(move || drawn(&app, &query)).await
}

fn drawn(app: &App, query: &CurvesQuery) -> Result<Response, Refusal> {
    let ids: Vec<&str> = query.runs.split(',').filter(|id| !id.is_empty()).collect();
    if ids.is_empty() || ids.len() > MOST_OVERLAID {
        let found = ids.len();
        return Err(Refusal::wrong(format!(
            "expected 1 to {MOST_OVERLAID} runs, found {found}"
        )));
    }
    let (mut runs, mut plan) = (Vec::new(), None);
    for id in ids {
        let (store, run, _) = find(app, id)?;
        runs.push(generations_of(&store, &run)?);
        plan = Some(run.plan);
    }
    let plan = plan.unwrap_or_default();
    let note = format!("on {}", plan.ruleset);
    let height = tetrolab::report::curves::HEIGHT;
    let plot = Plot::Curves(curve_plot(
        &runs,
        query.over,
        (&note, height),
        runs.len() == 1,
    ));
    if query.download {
        let svg = plot.svg().map_err(Refusal::conflict)?;
        return Ok(file("curves.svg", "image/svg+xml", svg.into_bytes()));
    }
    let svg = plot.inline_svg().map_err(Refusal::conflict)?;
    Ok(Json(json!({ "curve": svg })).into_response())
}

/// A file for a download.
fn file(name: &str, kind: &'static str, bytes: Vec<u8>) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    (headers, bytes).into_response()
}

/// Files of a run: the player, its model, and its generations as a table.
pub(crate) async fn download(
    State(app): State<Arc<App>>,
    Path((id, what)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    blocking(move || file_of(&app, &id, &what)).await
}

fn file_of(app: &App, id: &str, what: &str) -> Result<Response, Refusal> {
    let (store, run, folder) = find(app, id)?;
    let read = |path: std::path::PathBuf| {
        let missing = |_| Refusal::missing(format!("the run {id} has no such file yet"));
        std::fs::read(path).map_err(missing)
    };
    match what {
        "player.toml" => Ok(file(
            "player.toml",
            "application/toml",
            read(folder.player())?,
        )),
        "player.safetensors" => Ok(file(
            "player.safetensors",
            "application/octet-stream",
            read(folder.model())?,
        )),
        "generations.csv" => {
            let rows = generations(&store, &run.id).map_err(Refusal::failed)?;
            let text = generations_csv(&run.plan, &rows);
            Ok(file(
                &format!("{}.csv", run.id),
                "text/csv",
                text.into_bytes(),
            ))
        }
        _ => Err(Refusal::missing(
            "expected player.toml, player.safetensors or generations.csv",
        )),
    }
}
