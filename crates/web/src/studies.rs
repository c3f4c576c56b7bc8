//! Studies that run in the server: evaluations, learning runs and experiments.
//!
//! A study runs on its own thread and on the threads of the arena. Its events are kept, so that a
//! page that is opened later or reloaded sees all of them: events are numbered, and a reader states
//! the last one it has seen. Progress events replace their predecessor.

use crate::app::App;
use crate::error::Refusal;
use crate::pages::event_kind;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::response::sse::{Event as SentEvent, KeepAlive, Sse};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tetrolab::context::{CancelToken, Context};
use tetrolab::library::GivenFiles;
use tokio::sync::watch;

/// Maximum number of events kept per study. For a run with more generations, the first ones are
/// only in the store.
const MOST_EVENTS: usize = 5000;

/// All studies of a server.
pub(crate) struct Studies {
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    next: u64,
    studies: BTreeMap<u64, Arc<Study>>,
}

/// A study that was started.
pub(crate) struct Study {
    pub(crate) id: u64,
    /// `evaluation`, `learning` or `experiment`.
    kind: &'static str,
    /// The subject of the study, such as the name of a run.
    pub(crate) name: String,
    about: Value,
    cancel: CancelToken,
    log: Mutex<Log>,
    /// The number of the last event.
    changed: watch::Sender<u64>,
}

#[derive(Default)]
struct Log {
    events: VecDeque<Kept>,
    last: u64,
    /// How the study ended.
    ended: Option<&'static str>,
    /// Why the study failed, if it did.
    failure: Option<String>,
}

struct Kept {
    number: u64,
    kind: &'static str,
    data: String,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Log {
    /// Adds an event; returns its number.
    fn push(&mut self, kind: &'static str, data: &Value, replaces: bool) -> u64 {
        if replaces {
            self.events.retain(|kept| kept.kind != kind);
        }
        if self.events.len() >= MOST_EVENTS {
            self.events.pop_front();
        }
        self.last += 1;
        let (number, data) = (self.last, data.to_string());
        self.events.push_back(Kept { number, kind, data });
        number
    }
}

impl Study {
    /// Stores an event for all readers; with `replaces`, it replaces the last event of this name.
    pub(crate) fn report(&self, kind: &'static str, data: &Value, replaces: bool) {
        let number = lock(&self.log).push(kind, data, replaces);
        self.changed.send_replace(number);
    }

    /// Stores the last event.
    fn end(&self, how: &'static str, data: &Value) {
        let number = {
            let mut log = lock(&self.log);
            log.ended = Some(how);
            log.failure = data["error"].as_str().map(str::to_owned);
            log.push("ended", data, true)
        };
        self.changed.send_replace(number);
    }

    pub(crate) fn is_running(&self) -> bool {
        lock(&self.log).ended.is_none()
    }

    /// Why the study failed, if it did.
    pub(crate) fn failure(&self) -> Option<String> {
        lock(&self.log).failure.clone()
    }

    pub(crate) fn stop(&self) {
        self.cancel.cancel();
    }

    fn json(&self) -> Value {
        let state = lock(&self.log).ended.unwrap_or("running");
        json!({ "id": self.id, "kind": self.kind, "name": self.name, "state": state, "about": self.about })
    }

    /// The events after a number, and whether more will follow.
    fn after(&self, number: u64) -> (Vec<SentEvent>, u64, bool) {
        let log = lock(&self.log);
        let new = log.events.iter().filter(|kept| kept.number > number);
        let sent = |kept: &Kept| {
            let event = SentEvent::default().id(kept.number.to_string());
            event.event(kept.kind).data(&kept.data)
        };
        (new.map(sent).collect(), log.last, log.ended.is_none())
    }
}

impl Studies {
    pub(crate) fn new() -> Studies {
        Studies {
            known: Mutex::default(),
        }
    }

    fn get(&self, id: u64) -> Result<Arc<Study>, Refusal> {
        let study = lock(&self.known).studies.get(&id).cloned();
        study.ok_or_else(|| Refusal::missing(format!("there is no study {id}")))
    }

    /// The running study of a kind and name, if there is one.
    pub(crate) fn running(&self, kind: &str, name: &str) -> Option<Arc<Study>> {
        let known = lock(&self.known);
        let mut all = known.studies.values();
        let found =
            all.find(|study| study.kind == kind && study.name == name && study.is_running());
        found.cloned()
    }

    /// Whether a study has not ended.
    pub(crate) fn any_running(&self) -> bool {
        let known = lock(&self.known);
        known.studies.values().any(|study| study.is_running())
    }

    /// Starts a study. Its work returns the result, or an error as a sentence.
    pub(crate) fn start(
        app: &Arc<App>,
        (kind, name, about): (&'static str, String, Value),
        given: GivenFiles,
        work: impl FnOnce(&Context, &Arc<Study>) -> Result<Value, String> + Send + 'static,
    ) -> Result<Arc<Study>, Refusal> {
        let study = app.studies.add(app, (kind, name, about))?;
        let observed = Arc::clone(&study);
        let context = Context::new(&app.arena);
        // The stages of a shipped experiment refer to files that earlier stages wrote.
        let context = match kind {
            "experiment" => context,
            _ => context.names_only(given),
        };
        let context = context
            .cancelled_by(&study.cancel)
            .observer(move |event| observe(&observed, &event));
        let working = Arc::clone(&study);
        let thread = std::thread::Builder::new().name(format!("study {}", study.id));
        let run = move || {
            let panicked = Ended(&working);
            let done = work(&context, &working);
            std::mem::forget(panicked);
            let is_stopped = working.cancel.is_cancelled();
            let (how, data) = match done {
                Ok(result) if is_stopped => {
                    ("stopped", json!({ "state": "stopped", "result": result }))
                }
                Ok(result) => ("finished", json!({ "state": "finished", "result": result })),
                Err(error) => ("failed", json!({ "state": "failed", "error": error })),
            };
            working.end(how, &data);
        };
        if let Err(error) = thread.spawn(run) {
            study.end(
                "failed",
                &json!({ "state": "failed", "error": error.to_string() }),
            );
            return Err(Refusal::failed(error));
        }
        Ok(study)
    }

    /// Registers another study, if there is capacity.
    fn add(
        &self,
        app: &App,
        (kind, name, about): (&'static str, String, Value),
    ) -> Result<Arc<Study>, Refusal> {
        let mut known = lock(&self.known);
        let running = known.studies.values().filter(|study| study.is_running());
        let most = app.limits.studies;
        if running.count() >= most {
            let sentence =
                format!("{most} studies are running, which is the maximum; stop one, or wait");
            return Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, sentence));
        }
        let ended = known.studies.values().filter(|study| !study.is_running());
        let ended: Vec<u64> = ended.map(|study| study.id).collect();
        let too_many = (ended.len() + 1).saturating_sub(app.limits.ended_studies);
        for id in &ended[..too_many.min(ended.len())] {
            known.studies.remove(id);
        }
        known.next += 1;
        let study = Arc::new(Study {
            id: known.next,
            kind,
            name,
            about,
            cancel: app.cancel.until(None),
            log: Mutex::default(),
            changed: watch::Sender::new(0),
        });
        known.studies.insert(study.id, Arc::clone(&study));
        Ok(study)
    }
}

/// Ends a study whose work panics.
struct Ended<'a>(&'a Study);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        let error = "the study failed because of a bug in the program; please report it";
        self.0
            .end("failed", &json!({ "state": "failed", "error": error }));
    }
}

/// Stores an event of the library.
fn observe(study: &Study, event: &tetrolab::context::StudyEvent) {
    let data = json!(event);
    let (kind, replaces) = event_kind(&data);
    study.report(kind, &data, replaces);
}

/// All studies, latest first.
pub(crate) async fn list(State(app): State<Arc<App>>) -> Json<Value> {
    let known = lock(&app.studies.known);
    let studies: Vec<Value> = known
        .studies
        .values()
        .rev()
        .map(|study| study.json())
        .collect();
    Json(json!({ "studies": studies }))
}

/// Stops a study, whose result is then partial.
pub(crate) async fn stop(
    State(app): State<Arc<App>>,
    Path(id): Path<u64>,
) -> Result<Json<Value>, Refusal> {
    let study = app.studies.get(id)?;
    study.stop();
    Ok(Json(study.json()))
}

/// The events of a study, from the start or after the last one that a reader has seen.
pub(crate) async fn events(
    State(app): State<Arc<App>>,
    Path(id): Path<u64>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Refusal> {
    let study = app.studies.get(id)?;
    let last = headers
        .get("last-event-id")
        .and_then(|value| value.to_str().ok()?.parse().ok());
    let permit = Arc::clone(&app.readers).try_acquire_owned().map_err(|_| {
        let sentence = "too many pages are watching studies; close one";
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, sentence)
    })?;
    let reading = (
        study.changed.subscribe(),
        study,
        last.unwrap_or(0),
        true,
        permit,
    );
    let stream = futures_util::stream::unfold(
        reading,
        |(mut changed, study, last, more, permit)| async move {
            if !more {
                return None;
            }
            loop {
                changed.borrow_and_update();
                let (events, newest, more) = study.after(last);
                if !events.is_empty() || !more {
                    let events = events.into_iter().map(Ok::<_, Infallible>);
                    let batch = futures_util::stream::iter(events.collect::<Vec<_>>());
                    return Some((batch, (changed, study, newest, more, permit)));
                }
                changed.changed().await.ok()?;
            }
        },
    );
    use futures_util::StreamExt;
    Ok(Sse::new(stream.flatten()).keep_alive(KeepAlive::default()))
}
