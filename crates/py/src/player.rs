//! Players as objects.

use crate::bot::{Raised, own_player, raise_bot_error};
use crate::convert::to_python;
use crate::errors::{ActionError, InputError, Raise};
use crate::game::{Game, RulesetName, has_a_piece, reachable_choice};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tetrolab::core::players::Player as CorePlayer;
use tetrolab::core::rng::{game_seed, player_seed};
use tetrolab::core::ruleset::Ruleset as CoreRuleset;
use tetrolab::core::stop::StopFlag;
use tetrolab::external::{BotError, OwnPlayers, catch_bot_error};
use tetrolab::library::FileSource;
use tetrolab::study::find_able_player;

/// Time between two checks for Ctrl-C while waiting for a program.
const SIGNALS: Duration = Duration::from_millis(50);

/// A player for a ruleset: a published name, a player file, a spec, a program
/// ("exec(python3 bot.py)"), or an object with a method `choose(position)`.
#[pyclass(module = "tetrolab")]
pub(crate) struct Player {
    /// A player can be used by one thread at a time.
    player: Mutex<Box<dyn CorePlayer>>,
    name: String,
    rules: CoreRuleset,
    /// The exception raised by the object, if the player is an object.
    raised: Raised,
    /// Whether decisions may take so long that Ctrl-C must end them.
    is_program: bool,
}

impl Player {
    fn unlocked(&mut self) -> &mut Box<dyn CorePlayer> {
        let player = self.player.get_mut();
        player.unwrap_or_else(PoisonError::into_inner)
    }

    fn needs_forecast(&self) -> bool {
        let player = self.player.lock();
        player
            .unwrap_or_else(PoisonError::into_inner)
            .needs_forecast()
    }

    /// A player is created for one board size, and some need a forecast.
    pub(crate) fn check_game(&self, game: &Game) -> PyResult<()> {
        let rules = &game.rules;
        if self.needs_forecast() && game.game.view().forecast.is_none() {
            return Err(InputError::new_err(format!(
                "{} needs the probabilities of pieces; create the game with forecast=True",
                self.name
            )));
        }
        let size = |rules: &CoreRuleset| (rules.width, rules.height);
        if size(&self.rules) == size(rules) && self.rules.preview <= rules.preview {
            return Ok(());
        }
        Err(InputError::new_err(format!(
            "{} was created for {}, but the game is {}; create a player for the game's ruleset",
            self.name, self.rules.name, rules.name
        )))
    }
}

impl Player {
    /// Lets the player decide, without the interpreter's lock. Ctrl-C stops the decision of a
    /// program: the flag is then raised, and the decision is discarded.
    pub(crate) fn decide<T: Send>(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn CorePlayer, &StopFlag) -> T + Send,
    ) -> PyResult<T> {
        let (is_program, raised) = (self.is_program, Arc::clone(&self.raised));
        let player = &mut **self.unlocked();
        let decided = if is_program {
            decide_beside(py, player, work)?
        } else {
            py.detach(|| catch_bot_error(|| Ok(work(player, &StopFlag::default()))))
        };
        decided.map_err(|error| raise_bot_error(&raised, error))
    }
}

/// Lets a program decide on another thread, while this one checks for Ctrl-C.
fn decide_beside<T: Send>(
    py: Python<'_>,
    player: &mut dyn CorePlayer,
    work: impl FnOnce(&mut dyn CorePlayer, &StopFlag) -> T + Send,
) -> PyResult<Result<T, BotError>> {
    let flag = Arc::new(AtomicBool::new(false));
    let stop = StopFlag::new(Arc::clone(&flag));
    player.heed(&stop);
    let (done, results) = channel();
    std::thread::scope(|scope| {
        scope.spawn(move || done.send(catch_bot_error(|| Ok(work(player, &stop)))));
        let (mut results, mut interrupted) = (results, None);
        loop {
            let received;
            (results, received) = py.detach(move || {
                let received = results.recv_timeout(SIGNALS);
                (results, received)
            });
            match (received, interrupted.take()) {
                (Ok(_), Some(error)) => return Err(error),
                (Ok(result), None) => return Ok(result),
                (Err(RecvTimeoutError::Disconnected), _) => {
                    let problem = "the decision failed because of a bug in the program";
                    return Err(PyRuntimeError::new_err(problem));
                }
                (Err(RecvTimeoutError::Timeout), before) => {
                    interrupted = py.check_signals().err().or(before);
                    flag.store(interrupted.is_some(), Ordering::Relaxed);
                }
            }
        }
    })
}

#[pymethods]
impl Player {
    #[new]
    #[pyo3(
        signature = (player, ruleset=RulesetName::Named("simplified-10x10".to_owned()), seed=1),
        text_signature = "(player, ruleset='simplified-10x10', seed=1)"
    )]
    fn new(
        py: Python<'_>,
        player: &Bound<'_, PyAny>,
        ruleset: RulesetName<'_>,
        seed: u64,
    ) -> PyResult<Player> {
        let rules = ruleset.find()?;
        let raised = Raised::default();
        let (name, own) = match player.cast::<PyString>() {
            Ok(name) => (name.to_string(), OwnPlayers::default()),
            Err(_) => own_player(player, &raised)?,
        };
        let library = FileSource::Own(&own);
        let made = find_able_player(library, &name, &rules).map_err(Raise::raise)?;
        let mut player = Player {
            player: Mutex::new(made),
            is_program: name.trim_start().starts_with("exec"),
            name,
            rules,
            raised,
        };
        player.start(py, seed, 0)?;
        Ok(player)
    }

    /// The name or spec of the player.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The name of the ruleset that the player was made for.
    #[getter]
    fn ruleset(&self) -> &str {
        &self.rules.name
    }

    /// Starts a game; it matters to players that draw random numbers.
    fn start(&mut self, py: Python<'_>, seed: u64, index: u64) -> PyResult<()> {
        let seed = player_seed(game_seed(seed, index));
        self.decide(py, |player, _| player.start(seed))
    }

    /// Returns the player's placement, such as "Te3".
    fn choose(&mut self, py: Python<'_>, game: &Bound<'_, Game>) -> PyResult<String> {
        let game = game.try_borrow()?;
        game.playing()?;
        self.check_game(&game)?;
        let core = &game.game;
        if !has_a_piece(core) {
            let problem = "no piece is falling now; the next one enters a few ticks later";
            return Err(ActionError::new_err(problem));
        }
        let in_mid_fall = game.may_be_in_mid_fall();
        let placement = self.decide(py, |player, _| {
            if in_mid_fall {
                reachable_choice(&mut core.clone(), player)
            } else {
                Some(player.decide(&core.view()))
            }
        })?;
        let placement = placement.ok_or_else(|| ActionError::new_err("the game ends here"))?;
        Ok(game.text(placement))
    }

    /// Returns the best placements with their scores and features as a dictionary.
    #[pyo3(signature = (game, top=3))]
    fn analyse<'py>(
        &mut self,
        py: Python<'py>,
        game: &Bound<'py, Game>,
        top: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        if top == 0 {
            return Err(PyTypeError::new_err("top must be at least 1, got 0"));
        }
        let game = game.try_borrow()?;
        game.playing()?;
        self.check_game(&game)?;
        let (name, core) = (self.name.clone(), &game.game);
        let ask = |player: &mut dyn CorePlayer, _: &StopFlag| {
            tetrolab::analysis::ask(&name, player, &core.view(), top)
        };
        let asked = self.decide(py, ask)?;
        let json = serde_json::to_value(&asked);
        to_python(
            py,
            &json.map_err(|error| InputError::new_err(error.to_string()))?,
        )
    }

    fn __repr__(&self) -> String {
        format!("Player({:?}, {:?})", self.name, self.rules.name)
    }
}
