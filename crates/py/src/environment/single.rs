//! A single environment, which returns observations in new arrays. Everything that Gymnasium's
//! `step` returns is created here, because a call from Python for each part would cost more than
//! the step itself.

use super::options::setup_of;
use super::{EnvironmentState, ObservedArray, game_of, observed};
use crate::errors::Raise;
use crate::game::{Game, RulesetName};
use numpy::ndarray::{ArrayView, IxDyn};
use numpy::{Element, PyArray1, PyArrayDyn, ToPyArray};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyString};
use std::sync::Arc;
use tetrolab::environment::{Autoreset, Environments as Games, Observations, Outputs};

/// Observation, reward, terminated, truncated, and info.
type Step<'py> = (Bound<'py, PyDict>, f64, bool, bool, Bound<'py, PyDict>);

/// The numbers of an observation's array.
enum Numbers {
    Bytes(Vec<u8>),
    Signed(Vec<i8>),
    Words(Vec<u64>),
    Floats(Vec<f32>),
}

/// An array of a game's observation.
struct Part {
    name: &'static str,
    key: Py<PyString>,
    shape: Vec<usize>,
    numbers: Numbers,
}

impl Part {
    fn new(py: Python<'_>, (name, shape, numbers, _): ObservedArray) -> Part {
        let size = shape.iter().product();
        let numbers = match numbers {
            "uint8" => Numbers::Bytes(vec![0; size]),
            "int8" => Numbers::Signed(vec![0; size]),
            "uint64" => Numbers::Words(vec![0; size]),
            _ => Numbers::Floats(vec![0.0; size]),
        };
        let key = PyString::intern(py, name).unbind();
        Part {
            name,
            key,
            shape,
            numbers,
        }
    }

    /// A new array with these numbers.
    fn array<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        match &self.numbers {
            Numbers::Bytes(numbers) => new_array(py, &self.shape, numbers).into_any(),
            Numbers::Signed(numbers) => new_array(py, &self.shape, numbers).into_any(),
            Numbers::Words(numbers) => new_array(py, &self.shape, numbers).into_any(),
            Numbers::Floats(numbers) => new_array(py, &self.shape, numbers).into_any(),
        }
    }
}

fn new_array<'py, T: Element>(
    py: Python<'py>,
    shape: &[usize],
    numbers: &[T],
) -> Bound<'py, PyArrayDyn<T>> {
    let view = ArrayView::from_shape(IxDyn(shape), numbers);
    view.expect("an array has the size of its shape")
        .to_pyarray(py)
}

/// The arrays into which observations are written.
fn observations(parts: &mut [Part]) -> Observations<'_> {
    let mut seen = Observations::default();
    for part in parts {
        match (part.name, &mut part.numbers) {
            ("board", Numbers::Bytes(numbers)) => seen.board = numbers,
            ("columns", Numbers::Words(numbers)) => seen.columns = numbers,
            ("falling", Numbers::Words(numbers)) => seen.falling = numbers,
            ("pieces", Numbers::Bytes(numbers)) => seen.pieces = numbers,
            ("mask", Numbers::Signed(numbers)) => seen.mask = numbers,
            ("features", Numbers::Floats(numbers)) => seen.features = numbers,
            ("boards", Numbers::Bytes(numbers)) => seen.boards = numbers,
            ("lines", Numbers::Bytes(numbers)) => seen.lines = numbers,
            ("over", Numbers::Signed(numbers)) => seen.over = numbers,
            _ => {}
        }
    }
    seen
}

/// One game.
#[pyclass(module = "tetrolab._native")]
pub(crate) struct Environment {
    games: Games,
    parts: Vec<Part>,
    /// Lines cleared by the last step.
    #[pyo3(get)]
    cleared: i64,
    identity: Arc<str>,
}

#[pymethods]
impl Environment {
    #[new]
    fn new(
        py: Python<'_>,
        ruleset: RulesetName<'_>,
        options: &Bound<'_, PyAny>,
    ) -> PyResult<Environment> {
        let (setup, identity) = setup_of(&ruleset, options)?;
        let games = Games::new(setup, 1, Autoreset::Disabled, 1).map_err(Raise::raise)?;
        let parts = observed(games.setup()).into_iter();
        Ok(Environment {
            parts: parts.map(|part| Part::new(py, part)).collect(),
            games,
            cleared: 0,
            identity,
        })
    }

    /// The arrays of an observation: name, shape, number type, and largest number.
    fn observed(&self) -> Vec<ObservedArray> {
        observed(self.games.setup())
    }

    #[getter]
    fn actions(&self) -> usize {
        self.games.actions()
    }

    /// Begins a game with a seed; returns the observation.
    fn reset<'py>(
        &mut self,
        py: Python<'py>,
        seed: u64,
        index: u64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let mut seen = observations(&mut self.parts);
        let reset = self.games.reset(&[Some((seed, index))], &mut seen);
        reset.map_err(Raise::raise)?;
        self.arrays(py)
    }

    /// Takes an action; returns what Gymnasium's `step` returns.
    fn step<'py>(&mut self, py: Python<'py>, action: i64) -> PyResult<Step<'py>> {
        let (mut rewards, mut lines) = ([0.0], [0]);
        let (mut total_lines, mut total_pieces) = ([0], [0]);
        let (mut terminated, mut truncated, mut legal) = ([false], [false], [true]);
        let outputs = Outputs {
            rewards: &mut rewards,
            lines: &mut lines,
            terminated: &mut terminated,
            truncated: &mut truncated,
            total_lines: &mut total_lines,
            total_pieces: &mut total_pieces,
            legal: &mut legal,
        };
        let seen = observations(&mut self.parts);
        let stepped = self
            .games
            .step(&[action], seen, outputs, Observations::default());
        stepped.map_err(Raise::raise)?;
        self.cleared = lines[0];
        let seen = self.arrays(py)?;
        let info = PyDict::new(py);
        let keys = Keys::of(py);
        info.set_item(&keys.action_mask, seen.get_item(&keys.mask)?)?;
        info.set_item(&keys.lines, total_lines[0])?;
        info.set_item(&keys.pieces, total_pieces[0])?;
        info.set_item(&keys.legal, PyBool::new(py, legal[0]))?;
        Ok((seen, rewards[0], terminated[0], truncated[0], info))
    }

    /// Which actions are legal.
    fn mask<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let seen = observations(&mut self.parts);
        let legal: Vec<bool> = seen.mask.iter().map(|&legal| legal == 1).collect();
        legal.to_pyarray(py)
    }

    /// A copy of the game.
    fn game(&self) -> PyResult<Game> {
        game_of(&self.games, 0)
    }

    fn save(&self) -> EnvironmentState {
        EnvironmentState::of(&self.games, &self.identity)
    }

    /// Restores a state; returns its observation.
    fn restore<'py>(
        &mut self,
        py: Python<'py>,
        state: &EnvironmentState,
    ) -> PyResult<Bound<'py, PyDict>> {
        state.restore(&mut self.games, &self.identity)?;
        let observed = self.games.observe(&mut observations(&mut self.parts));
        observed.map_err(Raise::raise)?;
        self.arrays(py)
    }
}

impl Environment {
    /// The current observation, in new arrays.
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let arrays = PyDict::new(py);
        for part in &self.parts {
            arrays.set_item(&part.key, part.array(py))?;
        }
        Ok(arrays)
    }
}

/// The keys of the info dictionary that `step` returns.
struct Keys {
    action_mask: Py<PyString>,
    mask: Py<PyString>,
    lines: Py<PyString>,
    pieces: Py<PyString>,
    legal: Py<PyString>,
}

impl Keys {
    fn of(py: Python<'_>) -> &Keys {
        static KEYS: PyOnceLock<Keys> = PyOnceLock::new();
        KEYS.get_or_init(py, || {
            let name = |text: &str| PyString::intern(py, text).unbind();
            Keys {
                action_mask: name("action_mask"),
                mask: name("mask"),
                lines: name("lines"),
                pieces: name("pieces"),
                legal: name("legal"),
            }
        })
    }
}
