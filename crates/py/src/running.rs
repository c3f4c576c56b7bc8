//! Runs studies: without the interpreter's lock, with events for a callback, until they end or are
//! interrupted.

use crate::bot::StudyPlayers;
use crate::convert::result_to_python;
use crate::errors::{InputError, Raise};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use std::sync::PoisonError;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;
use tetrolab::arena::Arena;
use tetrolab::context::{CancelToken, Context, StudyEvent};

/// How often Ctrl-C is checked.
const SIGNALS: Duration = Duration::from_millis(50);
/// The maximum number of threads: more than any machine has cores.
const MOST_THREADS: usize = 1024;

/// The threads of a study, and the receiver of its events.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Machine {
    threads: Option<usize>,
    kernel: bool,
    on_event: Option<Py<PyAny>>,
    /// Players given by the caller, if the study may use them; then it may also start programs.
    players: Option<StudyPlayers>,
}

impl Machine {
    fn arena(&self) -> PyResult<Arena> {
        let threads = match self.threads {
            Some(threads) if !(1..=MOST_THREADS).contains(&threads) => {
                let problem = format!(
                    "threads: expected a number from 1 to {MOST_THREADS}, or None for every core, \
                     found {threads}"
                );
                return Err(InputError::new_err(problem));
            }
            threads => threads.unwrap_or(0),
        };
        // Objects of Python play one game after the other.
        let has_objects = self.players.as_ref().is_some_and(|own| own.has_objects);
        let threads = if has_objects { 1 } else { threads };
        let arena = Arena::new(threads).map_err(Raise::raise)?;
        Ok(arena.kernels(self.kernel))
    }

    /// Runs a study on separate threads, while this one passes events to Python and checks for
    /// Ctrl-C, which cancels the study: its result then covers the work so far. A second Ctrl-C
    /// raises `KeyboardInterrupt` immediately. An exception in the callback cancels the study too.
    pub(crate) fn run<T, E>(
        &self,
        py: Python<'_>,
        study: impl FnOnce(&Context) -> Result<T, E> + Send + 'static,
    ) -> PyResult<T>
    where
        T: Send + 'static,
        E: Raise + Send + 'static,
    {
        let arena = self.arena()?;
        let (events, heard) = channel();
        let (done, results) = channel();
        let token = CancelToken::new();
        let context = Context::new(&arena).cancelled_by(&token);
        let context = match self.on_event {
            None => context,
            Some(_) => context.observer(move |event| drop(events.send(event))),
        };
        let context = match &self.players {
            None => context,
            Some(players) => context.own_players(players.own.clone()),
        };
        let work = move || drop(done.send(study(&context)));
        let thread = std::thread::Builder::new().name("tetrolab study".to_owned());
        let thread = thread.spawn(work)?;
        let mut waiting = Waiting {
            callback: self.on_event.as_ref(),
            heard,
            token,
            raised: None,
            interrupted: false,
        };
        let Some(result) = waiting.wait(py, results)? else {
            // The study's thread ended without a result: it panicked.
            let panic = py.detach(|| thread.join()).err();
            let text = panic.and_then(|panic| {
                let owned = panic.downcast_ref::<String>().cloned();
                owned.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
            });
            let text = text.unwrap_or_else(|| "no message".to_owned());
            let problem = format!("the study failed because of a bug in the program: {text}");
            return Err(pyo3::exceptions::PyRuntimeError::new_err(problem));
        };
        let raised = waiting.raised.or_else(|| {
            let raised = &self.players.as_ref()?.raised;
            raised.lock().unwrap_or_else(PoisonError::into_inner).take()
        });
        match raised {
            Some(error) => Err(error),
            None => result.map_err(Raise::raise),
        }
    }
}

/// A Python thread that waits for a study.
struct Waiting<'a> {
    callback: Option<&'a Py<PyAny>>,
    heard: Receiver<StudyEvent>,
    token: CancelToken,
    /// The exception raised by the callback.
    raised: Option<PyErr>,
    /// Whether Ctrl-C was pressed.
    interrupted: bool,
}

impl Waiting<'_> {
    /// The result, or `None` if there will be none.
    fn wait<T: Send>(&mut self, py: Python<'_>, mut results: Receiver<T>) -> PyResult<Option<T>> {
        loop {
            let received;
            (results, received) = py.detach(move || {
                let received = results.recv_timeout(SIGNALS);
                (results, received)
            });
            self.pass_on(py);
            match received {
                Ok(result) => return Ok(Some(result)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Err(error) = py.check_signals() {
                self.token.cancel();
                if !self.is_first_interrupt(py, &error) {
                    return Err(error);
                }
            }
        }
    }

    /// Whether an exception is the first Ctrl-C, which ends a study with partial results.
    fn is_first_interrupt(&mut self, py: Python<'_>, error: &PyErr) -> bool {
        let is_interrupt = error.is_instance_of::<PyKeyboardInterrupt>(py);
        is_interrupt && !std::mem::replace(&mut self.interrupted, true)
    }

    /// Passes the events received so far to the callback.
    fn pass_on(&mut self, py: Python<'_>) {
        let Some(callback) = self.callback else {
            return;
        };
        while let Ok(event) = self.heard.try_recv() {
            if self.raised.is_some() {
                continue;
            }
            let called =
                result_to_python(py, &event).and_then(|event| callback.call1(py, (event,)));
            if let Err(error) = called {
                self.token.cancel();
                // Ctrl-C can be pressed while the callback runs.
                if !self.is_first_interrupt(py, &error) {
                    self.raised = Some(error);
                }
            }
        }
    }
}
