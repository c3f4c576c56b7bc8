//! Units of work: split, computed and merged, for clusters that call Python functions.

use crate::convert::{described, result_to_python};
use crate::errors::StudyRefused;
use crate::running::Machine;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyCFunction;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tetrolab::context::Context;
use tetrolab::library::FileError;
use tetrolab::study::Evaluation;
use tetrolab::study::work::{
    Answer, Cluster, ClusterError, ReceivedModels, Unit, UnitResult, WorkError, merge, split, work,
};

/// The models and the units of an evaluation, each a line of JSON.
#[pyfunction]
pub(crate) fn split_work(
    py: Python<'_>,
    description: &Bound<'_, PyAny>,
    parts: u64,
    machine: Machine,
) -> PyResult<(Vec<String>, Vec<String>)> {
    let evaluation: Evaluation = described(description, "evaluation")?;
    machine.run(py, move |context: &Context| -> Result<_, WorkError> {
        let (mut models, mut units) = (Vec::new(), Vec::new());
        for mut unit in split(&evaluation, parts, context)? {
            let model = unit.player.take_model().map(|model| json(&model));
            if let Some(model) = model.filter(|model| !models.contains(model)) {
                models.push(model);
            }
            units.push(json(&unit));
        }
        Ok((models, units))
    })
}

/// The answers to units, each a line of JSON.
#[pyfunction]
pub(crate) fn compute_units(
    py: Python<'_>,
    models: Vec<String>,
    units: Vec<String>,
    machine: Machine,
) -> PyResult<Vec<String>> {
    let (answers, interrupted) =
        machine.run(py, move |context: &Context| -> Result<_, WorkError> {
            let lines = models.into_iter().chain(units).enumerate();
            let lines = lines.map(|(at, line)| Ok::<_, FileError>((at + 1, line)));
            let mut answers = Vec::new();
            let mut keep = |answer: &Answer| -> Result<(), WorkError> {
                answers.push(json(answer));
                Ok(())
            };
            let worked = work(lines, &mut ReceivedModels::new(), context, &mut keep)?;
            Ok((answers, worked.interrupted))
        })?;
    if interrupted {
        return Err(PyKeyboardInterrupt::new_err(()));
    }
    Ok(answers)
}

/// Merges the answers to units into the result of the whole evaluation.
#[pyfunction]
pub(crate) fn merge_work<'py>(
    py: Python<'py>,
    units: Vec<String>,
    answers: Vec<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let merged = py.detach(|| -> Result<_, ClusterError> {
        let units = units.iter().map(|unit| Unit::parse(unit));
        let units: Vec<Unit> = units.collect::<Result<_, _>>()?;
        Ok(merge(UnitResult::of_answers(&units, &answers)?)?.1)
    });
    let merged = merged.map_err(|error| StudyRefused::new_err(error.to_string()))?;
    result_to_python(py, &merged)
}

fn json<T: serde::Serialize>(line: &T) -> String {
    serde_json::to_string(line).expect("a line of work is JSON")
}

/// How often a study checks whether it was cancelled, and the progress of its cluster.
const LOOK: Duration = Duration::from_millis(50);

/// A cluster in Python: a function that gets units and a progress function, which receives the
/// number of computed units; and optionally a function that ends the computation.
#[derive(Clone)]
pub(crate) struct PythonCluster {
    function: Arc<Py<PyAny>>,
    cancel: Option<Arc<Py<PyAny>>>,
    slots: usize,
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl PythonCluster {
    pub(crate) fn new(
        function: Py<PyAny>,
        cancel: Option<Py<PyAny>>,
        slots: usize,
    ) -> PythonCluster {
        PythonCluster {
            function: Arc::new(function),
            cancel: cancel.map(Arc::new),
            slots,
            raised: Arc::default(),
        }
    }

    /// The exception raised by the function.
    pub(crate) fn take_raised(&self) -> Option<PyErr> {
        let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
        raised.take()
    }

    fn call(&self, units: Vec<String>, done: &Arc<AtomicU64>) -> PyResult<Vec<String>> {
        Python::attach(|py| {
            let done = Arc::clone(done);
            let progress = PyCFunction::new_closure(py, None, None, move |args, _| {
                done.store(args.get_item(0)?.extract()?, Ordering::Relaxed);
                PyResult::Ok(())
            })?;
            let answers = self.function.bind(py).call1((units, progress))?;
            let answers = answers.try_iter()?;
            let text = |answer: PyResult<Bound<'_, PyAny>>| {
                let answer = answer?;
                answer.extract::<String>().map_err(|_| {
                    let problem =
                        format!("cluster: expected the answer of a unit as text, found {answer}");
                    PyTypeError::new_err(problem)
                })
            };
            answers.map(text).collect()
        })
    }

    /// Calls the function on a separate thread, so that a cancelled study need not wait for it;
    /// returns `None` if the study was cancelled.
    fn call_until_cancelled(
        &self,
        units: Vec<String>,
        context: &Context,
    ) -> PyResult<Option<Vec<String>>> {
        let (total, done) = (units.len() as u64, Arc::new(AtomicU64::new(0)));
        let (answered, answers) = channel();
        let (cluster, counter) = (self.clone(), Arc::clone(&done));
        let thread = std::thread::Builder::new().name("tetrolab cluster".to_owned());
        thread.spawn(move || drop(answered.send(cluster.call(units, &counter))))?;
        loop {
            let received = answers.recv_timeout(LOOK);
            if context.is_cancelled() {
                if let Some(cancel) = &self.cancel {
                    // An error does not matter, because the study is over and this only speeds up
                    // the workers.
                    drop(Python::attach(|py| cancel.bind(py).call0().map(|_| ())));
                }
                return Ok(None);
            }
            context.progress(done.load(Ordering::Relaxed), total);
            match received {
                Ok(answers) => return answers.map(Some),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err("cluster: its thread has ended"));
                }
            }
        }
    }
}

impl Cluster for PythonCluster {
    fn slots(&self) -> usize {
        self.slots
    }

    fn compute(
        &self,
        units: &[Unit],
        context: &Context,
    ) -> Result<Option<Vec<UnitResult>>, ClusterError> {
        if context.is_cancelled() {
            return Ok(None);
        }
        let answers = self.call_until_cancelled(units.iter().map(json).collect(), context);
        let answers = answers.map_err(|error| {
            let text = error.to_string();
            *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            ClusterError::Scheduler(text)
        })?;
        match answers {
            None => Ok(None),
            Some(answers) => Ok(Some(UnitResult::of_answers(units, &answers)?)),
        }
    }
}
