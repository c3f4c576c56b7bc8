//! Environments for reinforcement learning: a single game that returns observations, and batches of
//! games that write into NumPy arrays.

mod arrays;
mod options;
mod single;

pub(crate) use single::Environment;

use crate::errors::{EnvironmentInUse, InputError, Raise};
use crate::game::{Game, RulesetName};
use arrays::{OutputArrays, SeenArrays, Writable, seen};
use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use options::setup_of;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;
use tetrolab::core::rng::Rng;
use tetrolab::environment::{
    Autoreset, EnvironmentKind, EnvironmentSetup, Environments as Games, Observations,
    ObservedPart, Outputs, SavedEnvironments,
};

/// With at least this many games, a step releases the interpreter's lock.
const WORTH_UNLOCKING: usize = 16;

/// A batch of games that write into arrays.
#[pyclass(module = "tetrolab._native")]
pub(crate) struct Environments {
    games: Games,
    seen: SeenArrays,
    last: SeenArrays,
    outputs: OutputArrays,
    sampler: Rng,
    identity: Arc<str>,
}

#[pymethods]
impl Environments {
    #[new]
    fn new(
        ruleset: RulesetName<'_>,
        options: &Bound<'_, PyAny>,
        games: usize,
        autoreset: &str,
        threads: usize,
    ) -> PyResult<Environments> {
        const MOST_GAMES: usize = 1 << 20;
        if !(1..=MOST_GAMES).contains(&games) {
            return Err(InputError::new_err(format!(
                "expected 1 to {MOST_GAMES} environments side by side, found {games}"
            )));
        }
        let autoreset = match autoreset {
            "NextStep" => Autoreset::NextStep,
            "SameStep" => Autoreset::SameStep,
            "Disabled" => Autoreset::Disabled,
            other => {
                let problem = format!("expected NextStep, SameStep or Disabled, found {other}");
                return Err(InputError::new_err(problem));
            }
        };
        let (setup, identity) = setup_of(&ruleset, options)?;
        let identity = format!("{games} games, {autoreset:?}, {identity}");
        let made = Games::new(setup, games, autoreset, threads);
        Ok(Environments {
            identity: identity.into(),
            games: made.map_err(Raise::raise)?,
            seen: SeenArrays::default(),
            last: SeenArrays::default(),
            outputs: OutputArrays::default(),
            sampler: Rng::new(0),
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

    /// Sets the arrays into which all subsequent results are written.
    fn attach(
        &mut self,
        seen: &Bound<'_, PyDict>,
        last: &Bound<'_, PyDict>,
        outputs: &Bound<'_, PyDict>,
    ) -> PyResult<()> {
        self.seen = SeenArrays::of(seen)?;
        self.last = SeenArrays::of(last)?;
        self.outputs = OutputArrays::of(outputs)?;
        Ok(())
    }

    /// Begins episodes; each game gets `(seed, index)` or `None`.
    fn reset(slf: &Bound<'_, Self>, episodes: Vec<Option<(u64, u64)>>) -> PyResult<()> {
        let (py, own) = (slf.py(), &mut *exclusive(slf)?);
        seen!(py, own.seen, seen);
        let games = &mut own.games;
        let reset = py.detach(|| games.reset(&episodes, &mut seen));
        reset.map_err(Raise::raise)
    }

    /// Writes the current observations.
    fn observe(slf: &Bound<'_, Self>) -> PyResult<()> {
        let (py, own) = (slf.py(), &mut *exclusive(slf)?);
        seen!(py, own.seen, seen);
        own.games.observe(&mut seen).map_err(Raise::raise)
    }

    /// Takes one action in every game.
    fn step(slf: &Bound<'_, Self>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let (py, own) = (slf.py(), &mut *exclusive(slf)?);
        let actions = actions.as_slice();
        let actions =
            actions.map_err(|_| InputError::new_err("the array of actions is not contiguous"))?;
        let outputs = &own.outputs;
        let mut rewards = Writable::of(py, &outputs.rewards)?;
        let mut lines = Writable::of(py, &outputs.lines)?;
        let mut terminated = Writable::of(py, &outputs.terminated)?;
        let mut truncated = Writable::of(py, &outputs.truncated)?;
        let mut total_lines = Writable::of(py, &outputs.total_lines)?;
        let mut total_pieces = Writable::of(py, &outputs.total_pieces)?;
        let mut legal = Writable::of(py, &outputs.legal)?;
        let outputs = Outputs {
            rewards: rewards.numbers()?,
            lines: lines.numbers()?,
            terminated: terminated.numbers()?,
            truncated: truncated.numbers()?,
            total_lines: total_lines.numbers()?,
            total_pieces: total_pieces.numbers()?,
            legal: legal.numbers()?,
        };
        seen!(py, own.seen, seen);
        seen!(py, own.last, last);
        let games = &mut own.games;
        let stepped = if games.len() < WORTH_UNLOCKING {
            games.step(actions, seen, outputs, last)
        } else {
            py.detach(|| games.step(actions, seen, outputs, last))
        };
        stepped.map_err(Raise::raise)
    }

    /// Writes random legal actions, which depend only on the sampler's seed.
    fn sample(slf: &Bound<'_, Self>, mut actions: PyReadwriteArray1<'_, i64>) -> PyResult<()> {
        let own = &mut *exclusive(slf)?;
        let mut mask = Writable::of(slf.py(), &own.seen.mask)?;
        let actions = actions.as_slice_mut();
        let actions =
            actions.map_err(|_| InputError::new_err("the array of actions is not contiguous"))?;
        let sampled = own.games.sample(&mut own.sampler, mask.numbers()?, actions);
        sampled.map_err(Raise::raise)
    }

    fn seed_sampler(slf: &Bound<'_, Self>, seed: u64) -> PyResult<()> {
        exclusive(slf)?.sampler = Rng::new(seed);
        Ok(())
    }

    /// The seed and the number of the game that an environment plays.
    fn episode(slf: &Bound<'_, Self>, game: usize) -> PyResult<(u64, u64)> {
        let episode = shared(slf)?.games.episode(game);
        episode.ok_or_else(|| no_game(game))
    }

    /// A copy of the game that an environment plays.
    fn game(slf: &Bound<'_, Self>, game: usize) -> PyResult<Game> {
        game_of(&shared(slf)?.games, game)
    }

    fn save(slf: &Bound<'_, Self>) -> PyResult<EnvironmentState> {
        let own = shared(slf)?;
        Ok(EnvironmentState::of(&own.games, &own.identity))
    }

    fn restore(slf: &Bound<'_, Self>, state: &EnvironmentState) -> PyResult<()> {
        {
            let own = &mut *exclusive(slf)?;
            state.restore(&mut own.games, &own.identity)?;
        }
        Environments::observe(slf)
    }
}

/// The environments, unless another thread is using them: they work without the interpreter's lock.
fn exclusive<'py>(slf: &Bound<'py, Environments>) -> PyResult<PyRefMut<'py, Environments>> {
    slf.try_borrow_mut().map_err(|_| in_use())
}

fn shared<'py>(slf: &Bound<'py, Environments>) -> PyResult<PyRef<'py, Environments>> {
    slf.try_borrow().map_err(|_| in_use())
}

fn in_use() -> PyErr {
    EnvironmentInUse::new_err(
        "another thread uses these environments now; make separate ones for each thread",
    )
}

/// The state of games, which can be restored.
#[pyclass(frozen, module = "tetrolab._native")]
pub(crate) struct EnvironmentState {
    games: SavedEnvironments,
    identity: Arc<str>,
}

#[pymethods]
impl EnvironmentState {
    /// States are immutable, so a copy is the state itself.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

impl EnvironmentState {
    fn of(games: &Games, identity: &Arc<str>) -> EnvironmentState {
        EnvironmentState {
            games: games.save(),
            identity: Arc::clone(identity),
        }
    }

    fn restore(&self, games: &mut Games, identity: &Arc<str>) -> PyResult<()> {
        if self.identity != *identity {
            return Err(InputError::new_err(
                "expected a state of an environment with the same rules and options, found one of \
                 another environment",
            ));
        }
        games.restore(&self.games).map_err(Raise::raise)
    }
}

/// An array of an observation: name, shape, number type, and largest number.
type ObservedArray = (&'static str, Vec<usize>, &'static str, Option<u64>);

fn observed(setup: &EnvironmentSetup) -> Vec<ObservedArray> {
    let part = |part: ObservedPart| {
        let largest = setup.largest(part.name);
        (part.name, part.shape, part.numbers, largest)
    };
    setup.observed().into_iter().map(part).collect()
}

/// A copy of one of the games.
fn game_of(games: &Games, number: usize) -> PyResult<Game> {
    let (Some((seed, index)), Some(core)) = (games.episode(number), games.game(number)) else {
        return Err(no_game(number));
    };
    let rules = games.setup().ruleset.clone();
    let game = Game::made(core.clone(), rules, seed, index);
    match games.setup().kind {
        EnvironmentKind::Keys => Ok(game.pressed()),
        EnvironmentKind::Placement | EnvironmentKind::Afterstates => Ok(game),
    }
}

fn no_game(game: usize) -> PyErr {
    InputError::new_err(format!("there is no environment {game}"))
}
