//! Reinforcement learning environments: games side by side that write into NumPy arrays.

use crate::convert::{described, to_json};
use crate::errors::{InputError, Raise};
use crate::game::{Game, RulesetName};
use numpy::{
    Element, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArrayDyn,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Deserialize;
use std::sync::Arc;
use tetrolab::core::rng::Rng;
use tetrolab::core::spec::Spec;
use tetrolab::environment::{
    Autoreset, EnvironmentKind, EnvironmentSetup, Environments as Games, IllegalActions,
    Observations, Outputs, RewardKind, Shaping,
};
use tetrolab::library::{FileSource, FullRules, find_evaluator, find_features};

/// With at least this many games, a step releases the interpreter's lock.
const WORTH_UNLOCKING: usize = 16;

/// The options of an environment.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    kind: Kind,
    board: Option<BoardForm>,
    pieces: PieceForm,
    features: Option<String>,
    reward: Reward,
    shaping: Option<String>,
    shaping_discount: f64,
    shaping_scale: f64,
    max_steps: Option<u64>,
    illegal: Illegal,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Placement,
    Afterstates,
    Keys,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum BoardForm {
    Cells,
    Packed,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum PieceForm {
    OneHot,
    Index,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Reward {
    Lines,
    Points,
    Survival,
    Nothing,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Illegal {
    Nearest,
    Raise,
}

impl Options {
    fn setup(&self, ruleset: &RulesetName<'_>) -> PyResult<EnvironmentSetup> {
        let ruleset = ruleset.find()?;
        let width = ruleset.width;
        let kind = match self.kind {
            Kind::Placement => EnvironmentKind::Placement,
            Kind::Afterstates => EnvironmentKind::Afterstates,
            Kind::Keys => EnvironmentKind::Keys,
        };
        let features = self.features.as_deref().map(find_features).transpose();
        let shaping = self
            .shaping
            .as_deref()
            .map(|name| self.shaping(name, width));
        Ok(EnvironmentSetup {
            cells: self.board == Some(BoardForm::Cells),
            packed: self.board == Some(BoardForm::Packed),
            one_hot: self.pieces == PieceForm::OneHot,
            features: features.map_err(Raise::raise)?.unwrap_or_default(),
            reward: match self.reward {
                Reward::Lines => RewardKind::Lines,
                Reward::Points => RewardKind::Points,
                Reward::Survival => RewardKind::Survival,
                Reward::Nothing => RewardKind::Nothing,
            },
            shaping: shaping.transpose()?,
            max_steps: self.max_steps,
            illegal: match self.illegal {
                Illegal::Nearest => IllegalActions::Nearest,
                Illegal::Raise => IllegalActions::Refuse,
            },
            ..EnvironmentSetup::new(kind, ruleset)
        })
    }

    fn shaping(&self, name: &str, width: usize) -> PyResult<Shaping> {
        let spec: Spec = name.parse().map_err(Raise::raise)?;
        Ok(Shaping {
            evaluator: find_evaluator(&spec, width).map_err(Raise::raise)?,
            discount: self.shaping_discount,
            scale: self.shaping_scale,
        })
    }
}

/// An array of NumPy, if there is one.
type Array<T> = Option<Py<PyArrayDyn<T>>>;

/// The arrays of observations.
#[derive(Default)]
struct SeenArrays {
    board: Array<u8>,
    columns: Array<u64>,
    falling: Array<u64>,
    pieces: Array<u8>,
    mask: Array<i8>,
    features: Array<f32>,
    boards: Array<u8>,
    lines: Array<u8>,
    over: Array<i8>,
}

/// The arrays of rewards and ends.
struct OutputArrays {
    rewards: Array<f64>,
    lines: Array<i64>,
    terminated: Array<bool>,
    truncated: Array<bool>,
    total_lines: Array<i64>,
    total_pieces: Array<i64>,
    legal: Array<bool>,
}

/// An array of a dictionary.
fn array_of<T: Element>(arrays: &Bound<'_, PyDict>, name: &str) -> PyResult<Array<T>> {
    let Some(array) = arrays.get_item(name)? else {
        return Ok(None);
    };
    let array = array.cast_into::<PyArrayDyn<T>>().map_err(|error| {
        InputError::new_err(format!("the array {name} has the wrong type: {error}"))
    })?;
    Ok(Some(array.unbind()))
}

impl SeenArrays {
    fn of(arrays: &Bound<'_, PyDict>) -> PyResult<SeenArrays> {
        Ok(SeenArrays {
            board: array_of(arrays, "board")?,
            columns: array_of(arrays, "columns")?,
            falling: array_of(arrays, "falling")?,
            pieces: array_of(arrays, "pieces")?,
            mask: array_of(arrays, "mask")?,
            features: array_of(arrays, "features")?,
            boards: array_of(arrays, "boards")?,
            lines: array_of(arrays, "lines")?,
            over: array_of(arrays, "over")?,
        })
    }
}

/// A writable array, until this is dropped.
struct Writable<'py, T: Element>(Option<PyReadwriteArrayDyn<'py, T>>);

impl<'py, T: Element> Writable<'py, T> {
    fn of(py: Python<'py>, array: &Array<T>) -> PyResult<Writable<'py, T>> {
        let Some(array) = array else {
            return Ok(Writable(None));
        };
        let array = array.bind(py).try_readwrite();
        let array = array.map_err(|error| {
            InputError::new_err(format!("an array of the environment: {error}"))
        })?;
        Ok(Writable(Some(array)))
    }

    fn numbers(&mut self) -> PyResult<&mut [T]> {
        match &mut self.0 {
            None => Ok(&mut []),
            Some(array) => array
                .as_slice_mut()
                .map_err(|_| InputError::new_err("an array of the environment is not contiguous")),
        }
    }
}

/// The arrays of observations, ready to be written.
macro_rules! seen {
    ($py:expr, $arrays:expr, $seen:ident) => {
        let arrays = &$arrays;
        let mut board = Writable::of($py, &arrays.board)?;
        let mut columns = Writable::of($py, &arrays.columns)?;
        let mut falling = Writable::of($py, &arrays.falling)?;
        let mut pieces = Writable::of($py, &arrays.pieces)?;
        let mut mask = Writable::of($py, &arrays.mask)?;
        let mut features = Writable::of($py, &arrays.features)?;
        let mut boards = Writable::of($py, &arrays.boards)?;
        let mut lines = Writable::of($py, &arrays.lines)?;
        let mut over = Writable::of($py, &arrays.over)?;
        #[allow(unused_mut)]
        let mut $seen = Observations {
            board: board.numbers()?,
            columns: columns.numbers()?,
            falling: falling.numbers()?,
            pieces: pieces.numbers()?,
            mask: mask.numbers()?,
            features: features.numbers()?,
            boards: boards.numbers()?,
            lines: lines.numbers()?,
            over: over.numbers()?,
        };
    };
}

/// Reward, lines of the step, terminated, truncated, lines and pieces of the episode, and whether the
/// action was legal.
type StepOfOne = (f64, i64, bool, bool, i64, i64, bool);

/// Games side by side that write into arrays.
#[pyclass(module = "tetrolab._native")]
pub(crate) struct Environments {
    games: Games,
    seen: SeenArrays,
    last: SeenArrays,
    outputs: OutputArrays,
    sampler: Rng,
    identity: Arc<str>,
}

/// The state of games, which can be restored.
#[pyclass(frozen, module = "tetrolab._native")]
pub(crate) struct EnvironmentState {
    games: Games,
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
        let identity = to_json(options, "environment")?;
        let options: Options = described(options, "environment")?;
        let autoreset = match autoreset {
            "NextStep" => Autoreset::NextStep,
            "SameStep" => Autoreset::SameStep,
            "Disabled" => Autoreset::Disabled,
            other => {
                let problem = format!("expected NextStep, SameStep or Disabled, found {other}");
                return Err(InputError::new_err(problem));
            }
        };
        let setup = options.setup(&ruleset)?;
        let rules = FullRules::with_files(&setup.ruleset, FileSource::Disk);
        let rules = serde_json::to_string(&rules.map_err(Raise::raise)?).unwrap_or_default();
        let identity = format!("{games} games, {autoreset:?}, {identity}, {rules}");
        let made = Games::new(setup, games, autoreset, threads);
        Ok(Environments {
            identity: identity.into(),
            games: made.map_err(Raise::raise)?,
            seen: SeenArrays::default(),
            last: SeenArrays::default(),
            outputs: OutputArrays {
                rewards: None,
                lines: None,
                terminated: None,
                truncated: None,
                total_lines: None,
                total_pieces: None,
                legal: None,
            },
            sampler: Rng::new(0),
        })
    }

    /// The observed arrays: name, shape, type of numbers, and maximum.
    fn observed(&self) -> Vec<(&'static str, Vec<usize>, &'static str, Option<u64>)> {
        let setup = self.games.setup();
        let part = |part: tetrolab::environment::ObservedPart| {
            let largest = setup.largest(part.name);
            (part.name, part.shape, part.numbers, largest)
        };
        setup.observed().into_iter().map(part).collect()
    }

    #[getter]
    fn actions(&self) -> usize {
        self.games.actions()
    }

    /// Sets the arrays into which everything is written from now on.
    fn attach(
        &mut self,
        seen: &Bound<'_, PyDict>,
        last: &Bound<'_, PyDict>,
        outputs: &Bound<'_, PyDict>,
    ) -> PyResult<()> {
        self.seen = SeenArrays::of(seen)?;
        self.last = SeenArrays::of(last)?;
        self.outputs = OutputArrays {
            rewards: array_of(outputs, "rewards")?,
            lines: array_of(outputs, "lines")?,
            terminated: array_of(outputs, "terminated")?,
            truncated: array_of(outputs, "truncated")?,
            total_lines: array_of(outputs, "total_lines")?,
            total_pieces: array_of(outputs, "total_pieces")?,
            legal: array_of(outputs, "legal")?,
        };
        Ok(())
    }

    /// Starts episodes; each game has an entry (seed, index) or None.
    fn reset(&mut self, py: Python<'_>, episodes: Vec<Option<(u64, u64)>>) -> PyResult<()> {
        seen!(py, self.seen, seen);
        let games = &mut self.games;
        let reset = py.detach(|| games.reset(&episodes, &mut seen));
        reset.map_err(Raise::raise)
    }

    /// Writes the current observation.
    fn observe(&mut self, py: Python<'_>) -> PyResult<()> {
        seen!(py, self.seen, seen);
        self.games.observe(&mut seen).map_err(Raise::raise)
    }

    /// Takes one action in every game.
    fn step(&mut self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let actions = actions.as_slice();
        let actions =
            actions.map_err(|_| InputError::new_err("the array of actions is not contiguous"))?;
        let outputs = &self.outputs;
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
        seen!(py, self.seen, seen);
        seen!(py, self.last, last);
        let games = &mut self.games;
        let stepped = if games.len() < WORTH_UNLOCKING {
            games.step(actions, seen, outputs, last)
        } else {
            py.detach(|| games.step(actions, seen, outputs, last))
        };
        stepped.map_err(Raise::raise)
    }

    /// Takes an action in the only game.
    fn step_one(&mut self, py: Python<'_>, action: i64) -> PyResult<StepOfOne> {
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
        seen!(py, self.seen, seen);
        let stepped = self
            .games
            .step(&[action], seen, outputs, Observations::default());
        stepped.map_err(Raise::raise)?;
        let ([reward], [terminated], [truncated]) = (rewards, terminated, truncated);
        Ok((
            reward,
            lines[0],
            terminated,
            truncated,
            total_lines[0],
            total_pieces[0],
            legal[0],
        ))
    }

    /// Writes random legal actions, determined by the seed of the sampler.
    fn sample(&mut self, py: Python<'_>, mut actions: PyReadwriteArray1<'_, i64>) -> PyResult<()> {
        let mut mask = Writable::of(py, &self.seen.mask)?;
        let actions = actions.as_slice_mut();
        let actions =
            actions.map_err(|_| InputError::new_err("the array of actions is not contiguous"))?;
        let sampled = self
            .games
            .sample(&mut self.sampler, mask.numbers()?, actions);
        sampled.map_err(Raise::raise)
    }

    fn seed_sampler(&mut self, seed: u64) {
        self.sampler = Rng::new(seed);
    }

    /// The seed and the number of the game that an environment plays.
    fn episode(&self, game: usize) -> PyResult<(u64, u64)> {
        self.games.episode(game).ok_or_else(|| no_game(game))
    }

    /// A copy of the game that an environment plays.
    fn game(&self, game: usize) -> PyResult<Game> {
        let (seed, index) = self.episode(game)?;
        let core = self.games.game(game).ok_or_else(|| no_game(game))?;
        let rules = self.games.setup().ruleset.clone();
        let game = Game::made(core.clone(), rules, seed, index);
        match self.games.setup().kind {
            EnvironmentKind::Keys => Ok(game.pressed()),
            EnvironmentKind::Placement | EnvironmentKind::Afterstates => Ok(game),
        }
    }

    fn save(&self) -> EnvironmentState {
        EnvironmentState {
            games: self.games.clone(),
            identity: Arc::clone(&self.identity),
        }
    }

    fn restore(&mut self, py: Python<'_>, state: &EnvironmentState) -> PyResult<()> {
        if state.identity != self.identity {
            return Err(InputError::new_err(
                "expected a state of an environment with the same rules and options, found one of \
                 another environment",
            ));
        }
        self.games.clone_from(&state.games);
        self.observe(py)
    }
}

fn no_game(game: usize) -> PyErr {
    InputError::new_err(format!("there is no environment {game}"))
}
