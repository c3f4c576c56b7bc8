//! Python objects as players.

use crate::convert::result_to_python;
use crate::errors::{BotFailed, InputError};
use pyo3::Borrowed;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::sync::{Arc, Mutex, PoisonError};
use tetrolab::core::game::{GameView, Hold};
use tetrolab::core::placement::Placement;
use tetrolab::core::players::Player;
use tetrolab::core::ruleset::Ruleset;
use tetrolab::core::spec::SpecError;
use tetrolab::environment::LegalMoves;
use tetrolab::external::{BotError, BotPosition, OwnPlayers, fail};

/// The exception that an object raised while it played.
pub(crate) type Raised = Arc<Mutex<Option<PyErr>>>;

/// An object with a method `choose(position)`, which returns one of `position["placements"]`, and
/// optionally `start(seed)`, which is called before each game. Clones share the object, so a study
/// with objects uses one thread.
struct PythonPlayer {
    name: String,
    object: Arc<Py<PyAny>>,
    raised: Raised,
    legal: LegalMoves,
}

impl PythonPlayer {
    /// Calls the object; an exception ends the study.
    fn call<T>(
        &self,
        work: impl for<'py> FnOnce(Python<'py>, &Bound<'py, PyAny>) -> PyResult<T>,
    ) -> T {
        let called = Python::attach(|py| work(py, self.object.bind(py)));
        called.unwrap_or_else(|error| {
            let problem = error.to_string();
            let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
            raised.get_or_insert(error);
            drop(raised);
            fail(BotError {
                bot: self.name.clone(),
                problem,
            })
        })
    }
}

impl Player for PythonPlayer {
    /// The placements of this piece; without a hold, these are all legal placements.
    fn choose(&mut self, view: &GameView<'_>) -> Placement {
        let view = GameView {
            hold: Hold::None,
            ..*view
        };
        self.decide(&view)
    }

    fn decide(&mut self, view: &GameView<'_>) -> Placement {
        let mut legal = Vec::new();
        let placements = &mut self.legal;
        placements.visit_position(view, |_, step| legal.push(step.placement));
        let position = BotPosition::new(view, &legal);
        let number = self.call(|py, object| {
            let seen = result_to_python(py, &position)?;
            let chosen = object.call_method1("choose", (seen,))?;
            let found =
                |problem: String| InputError::new_err(format!("{}.choose: {problem}", self.name));
            let text: String = chosen.extract().map_err(|_| {
                let kind = chosen.get_type();
                found(format!("expected the text of a placement, found {kind}"))
            })?;
            position.chosen(&text).map_err(found)
        });
        legal[number]
    }

    fn start(&mut self, seed: u64) {
        self.call(|_, object| match object.getattr_opt("start")? {
            Some(start) => start.call1((seed,)).map(drop),
            None => Ok(()),
        });
    }

    fn boxed(&self) -> Box<dyn Player> {
        Box::new(PythonPlayer {
            name: self.name.clone(),
            object: Arc::clone(&self.object),
            raised: Arc::clone(&self.raised),
            legal: LegalMoves::default(),
        })
    }
}

/// The name of an object, and a library in which this name refers to it.
pub(crate) fn own_player(
    object: &Bound<'_, PyAny>,
    raised: &Raised,
) -> PyResult<(String, OwnPlayers)> {
    let name = name_of(object)?;
    let own = add_player(OwnPlayers::default(), &name, object, raised);
    Ok((name, own))
}

/// Adds an object to the players of a library.
pub(crate) fn add_player(
    own: OwnPlayers,
    name: &str,
    object: &Bound<'_, PyAny>,
    raised: &Raised,
) -> OwnPlayers {
    let object = Arc::new(object.clone().unbind());
    let (raised, text) = (Arc::clone(raised), name.to_owned());
    let make = move |_: &Ruleset| -> Result<Box<dyn Player>, SpecError> {
        Ok(Box::new(PythonPlayer {
            name: text.clone(),
            object: Arc::clone(&object),
            raised: Arc::clone(&raised),
            legal: LegalMoves::default(),
        }))
    };
    own.with(name, Arc::new(make))
}

/// The name of an object that plays: its attribute `name`, or its class.
fn name_of(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let plays = object.getattr_opt("choose")?;
    let plays = plays.filter(|_| !object.is_instance_of::<PyType>());
    if !plays.is_some_and(|choose| choose.is_callable()) {
        let kind = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "expected the name of a player, or an object with a method choose(position), found {kind}"
        )));
    }
    match object.getattr_opt("name")? {
        Some(name) if name.extract::<String>().is_ok() => name.extract(),
        _ => Ok(object.get_type().name()?.to_string()),
    }
}

/// The exception for a bot that failed: the one raised by an object, or the problem of a program.
pub(crate) fn raise_bot_error(raised: &Raised, error: BotError) -> PyErr {
    let raised = raised.lock().unwrap_or_else(PoisonError::into_inner).take();
    raised.unwrap_or_else(|| BotFailed::new_err(error.to_string()))
}

/// The players of a study: names, and named objects.
#[derive(Default)]
pub(crate) struct StudyPlayers {
    pub(crate) own: OwnPlayers,
    pub(crate) raised: Raised,
    pub(crate) has_objects: bool,
}

impl<'a, 'py> FromPyObject<'a, 'py> for StudyPlayers {
    type Error = PyErr;

    fn extract(objects: Borrowed<'a, 'py, PyAny>) -> PyResult<StudyPlayers> {
        let mut players = StudyPlayers::default();
        for item in objects.call_method0("items")?.try_iter()? {
            let (name, object): (String, Bound<'_, PyAny>) = item?.extract()?;
            name_of(&object)?;
            players.own = add_player(players.own, &name, &object, &players.raised);
            players.has_objects = true;
        }
        Ok(players)
    }
}
