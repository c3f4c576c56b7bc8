//! The requests of a page, and how they are answered.

use crate::studies;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tetrolab::context::CancelToken;
use tetrolab::draw::plot::Plot;
use tetrolab::learning::{LearningRequest, RunFolder, Task};
use tetrolab::library::GivenFiles;
use tetrolab::report::curves::{CurveOver, HEIGHT, RunGenerations, curve_plot};
use tetrolab_web::command;
use tetrolab_web::pages::{self, ComparisonRequest, Desk, ExampleBoard};

/// Boards of a session.
const MOST_BOARDS: usize = 4;

/// A request of a page.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum PageRequest {
    /// A message of the session; its answer is passed on unchanged.
    Session(String),
    /// A request that the server answers at an address.
    Ask(Question),
    /// The texts of the players that were learned here, by name, so that they can play from now on.
    Players(GivenFiles),
    /// Compares players, and reports events as it runs.
    Evaluate(ComparisonRequest),
    /// Trains a player, and reports events as it runs.
    Learn(Box<LearningRequest>),
    /// The learning curves of runs.
    Curves(CurvesRequest),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    /// The server's address for this request.
    path: String,
    /// The body of the request, or null.
    #[serde(default)]
    body: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CurvesRequest {
    runs: Vec<RunGenerations>,
    ruleset: String,
    over: CurveOver,
    /// Whether the plot is for a file.
    alone: bool,
}

/// Everything that a worker of a page stores.
pub(crate) struct Door {
    desk: Desk,
    learned: Arc<Mutex<GivenFiles>>,
}

impl Door {
    pub(crate) fn new() -> Door {
        let learned = Arc::<Mutex<GivenFiles>>::default();
        let known = Arc::clone(&learned);
        let players = move |names: &[String]| Ok(named(&known, names));
        Door {
            desk: Desk::new(MOST_BOARDS, CancelToken::new(), players),
            learned,
        }
    }

    /// The answer to a request: `{"ok": ...}` or `{"error": ...}`; the answer of a session is
    /// passed on unchanged.
    pub(crate) fn answer(&mut self, text: &str) -> String {
        let answer = match serde_json::from_str(text) {
            Ok(PageRequest::Session(text)) => return self.desk.answer(&text),
            Ok(request) => self.value(request),
            Err(error) => Err(format!("request: {error}")),
        };
        match answer {
            Ok(value) => json!({ "ok": value }).to_string(),
            Err(sentence) => json!({ "error": sentence }).to_string(),
        }
    }

    fn value(&mut self, request: PageRequest) -> Result<Value, String> {
        match request {
            PageRequest::Session(text) => Ok(json!(self.desk.answer(&text))),
            PageRequest::Ask(question) => question.answer(),
            PageRequest::Players(players) => {
                *self.learned.lock().unwrap_or_else(PoisonError::into_inner) = players;
                Ok(Value::Null)
            }
            PageRequest::Evaluate(request) => {
                let given = named(&self.learned, &request.players);
                studies::evaluate(request, given)
            }
            PageRequest::Learn(request) => {
                let planned = PlannedRun::of(&request)?;
                studies::learn(&planned)
            }
            PageRequest::Curves(request) => request.draw(),
        }
    }
}

/// The learned players that these names or specs mention.
fn named(learned: &Mutex<GivenFiles>, names: &[String]) -> GivenFiles {
    let learned = learned.lock().unwrap_or_else(PoisonError::into_inner);
    let is_named = |key: &String| names.iter().any(|name| name.contains(key.as_str()));
    let named = learned.iter().filter(|(key, _)| is_named(key));
    named
        .map(|(key, text)| (key.clone(), text.clone()))
        .collect()
}

impl Question {
    fn answer(self) -> Result<Value, String> {
        match (self.path.as_str(), self.body) {
            ("api/catalog", Value::Null) => Ok(pages::catalog().clone()),
            ("api/standings", Value::Null) => Ok(pages::standings()),
            ("api/features", Value::Null) => Ok(pages::features()),
            ("api/features", body) => body_of::<ExampleBoard>(body)?.values(),
            ("api/features/picture", body) => pages::feature_picture(&body_of(body)?),
            ("api/plans", body) => Ok(PlannedRun::of(&body_of(body)?)?.json()),
            (path, _) => Err(format!(
                "{path}: this page has no server that could answer this"
            )),
        }
    }
}

fn body_of<T: serde::de::DeserializeOwned>(body: Value) -> Result<T, String> {
    serde_json::from_value(body).map_err(|error| format!("body: {error}"))
}

/// A learning run that has not started.
pub(crate) struct PlannedRun {
    pub(crate) task: Task,
    /// The name of the run, which is the one that the program would give it.
    pub(crate) name: String,
    pub(crate) command: String,
}

impl PlannedRun {
    fn of(request: &LearningRequest) -> Result<PlannedRun, String> {
        request.check_names().map_err(|error| error.to_string())?;
        let planned = request.plan().map_err(|error| error.to_string())?;
        let command = command::learning(&planned.learning);
        let task = Task::new(planned.learning).map_err(|error| error.to_string())?;
        let name = RunFolder::named(Path::new("runs"), planned.word, &command).id;
        Ok(PlannedRun {
            task,
            name,
            command,
        })
    }

    fn json(&self) -> Value {
        json!({
            "learning": self.task.plan,
            "seed": self.task.plan.seed.to_string(),
            "command": self.command,
            "run": self.name,
            "dimension": self.task.dimension(),
            "unit": self.task.unit(),
        })
    }
}

impl CurvesRequest {
    fn draw(&self) -> Result<Value, String> {
        let note = format!("on {}", self.ruleset);
        let is_one = self.runs.len() == 1;
        let plot = Plot::Curves(curve_plot(&self.runs, self.over, (&note, HEIGHT), is_one));
        let svg = if self.alone {
            plot.svg()
        } else {
            plot.inline_svg()
        };
        svg.map(|svg| json!({ "curve": svg }))
            .map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(door: &mut Door, request: &Value) -> Value {
        serde_json::from_str(&door.answer(&request.to_string())).unwrap()
    }

    #[test]
    fn a_session_plays_and_questions_are_answered() {
        let mut door = Door::new();
        let start = json!({ "start": {
            "ruleset": "simplified-6x8", "players": ["bcts"], "person": false, "seed": "5"
        } });
        let state = ask(&mut door, &json!({ "session": start.to_string() }));
        assert_eq!(state["boards"][0]["pieces"], 0, "{state}");
        let step = json!({ "do": [{ "action": "step" }, { "action": "analyse" }] });
        let state = ask(&mut door, &json!({ "session": step.to_string() }));
        assert_eq!(state["boards"][0]["pieces"], 1, "{state}");
        let catalog = ask(&mut door, &json!({ "ask": { "path": "api/catalog" } }));
        assert!(catalog["ok"]["players"].as_array().unwrap().len() > 20);
        let nothing = ask(&mut door, &json!({ "ask": { "path": "api/experiments" } }));
        assert!(nothing["error"].as_str().unwrap().contains("no server"));
        assert!(ask(&mut door, &json!({ "fly": 1 }))["error"].is_string());
    }

    #[test]
    fn a_learned_player_can_play_and_has_the_name_that_the_program_gives_it() {
        let mut door = Door::new();
        let request = json!({
            "learner": "random-search", "ruleset": "simplified-6x8", "features": "dellacherie",
            "games": 2, "max_pieces": 50, "budget": { "generations": 2 }, "seed": "7"
        });
        let planned = ask(
            &mut door,
            &json!({ "ask": { "path": "api/plans", "body": request } }),
        );
        let learned = ask(&mut door, &json!({ "learn": request }));
        let learned = &learned["ok"];
        assert_eq!(learned["run"], planned["ok"]["run"], "{planned} {learned}");
        let name = format!("runs/{}", learned["run"].as_str().unwrap());
        let players = json!({ "players": { name.clone(): learned["player"] } });
        assert!(ask(&mut door, &players)["ok"].is_null());
        let compare = json!({ "evaluate": {
            "players": ["bcts", name], "ruleset": "simplified-6x8", "games": 30, "seed": 1
        } });
        let compared = ask(&mut door, &compare);
        let results = compared["ok"]["evaluated"]["results"].as_array().unwrap();
        assert_eq!(results.len(), 2, "{compared}");
    }
}
