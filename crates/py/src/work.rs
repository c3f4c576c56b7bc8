//! Units of work: split, computed and merged, for clusters that call Python functions.

use crate::convert::{described, result_to_python};
use crate::errors::StudyRefused;
use crate::running::Machine;
use pyo3::exceptions::{PyKeyboardInterrupt, PyTypeError};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};
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
    match interrupted {
        true => Err(PyKeyboardInterrupt::new_err(())),
        false => Ok(answers),
    }
}

/// What the answers to units say together: the result of the whole evaluation.
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

/// A cluster that is a Python function of units, which returns their answers.
#[derive(Clone)]
pub(crate) struct PythonCluster {
    function: Arc<Py<PyAny>>,
    slots: usize,
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl PythonCluster {
    pub(crate) fn new(function: Py<PyAny>, slots: usize) -> PythonCluster {
        PythonCluster {
            function: Arc::new(function),
            slots,
            raised: Arc::default(),
        }
    }

    /// What the function raised.
    pub(crate) fn take_raised(&self) -> Option<PyErr> {
        let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
        raised.take()
    }

    fn call(&self, units: Vec<String>) -> PyResult<Vec<String>> {
        Python::attach(|py| {
            let answers = self.function.bind(py).call1((units,))?;
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
        let answers = self.call(units.iter().map(json).collect());
        if context.is_cancelled() {
            return Ok(None);
        }
        let answers = answers.map_err(|error| {
            let text = error.to_string();
            *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            ClusterError::Scheduler(text)
        })?;
        Ok(Some(UnitResult::of_answers(units, &answers)?))
    }
}
