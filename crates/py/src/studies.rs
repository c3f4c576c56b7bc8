//! The studies: a description as a dictionary in, a result as a dictionary out.

use crate::convert::{described, result_to_python};
use crate::running::Machine;
use crate::work::PythonCluster;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tetrolab::analysis::Analysis;
use tetrolab::context::Context;
use tetrolab::draw::sheet_svg;
use tetrolab::experiments::{Experiment, ExperimentError, ExperimentScale, ExperimentSize};
use tetrolab::learning::{LearningRequest, RunFolder};
use tetrolab::study::{Comparison, Evaluation, Keep, Learning, LearningPlace, StudyError, stored};

/// The files that an evaluation writes.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct KeptFiles {
    records: Option<PathBuf>,
    table: Option<PathBuf>,
    resume: Option<PathBuf>,
}

/// Estimates the mean lines of players.
#[pyfunction]
pub(crate) fn evaluate<'py>(
    py: Python<'py>,
    description: &Bound<'py, PyAny>,
    keep: KeptFiles,
    machine: Machine,
) -> PyResult<Bound<'py, PyAny>> {
    let evaluation: Evaluation = described(description, "evaluation")?;
    let keep = Keep {
        records: keep.records,
        table: keep.table,
        resume: keep.resume,
    };
    let study = move |context: &_| tetrolab::study::evaluate(&evaluation, &keep, context);
    result_to_python(py, &machine.run(py, study)?)
}

/// Decides which of two players is better.
#[pyfunction]
pub(crate) fn compare<'py>(
    py: Python<'py>,
    description: &Bound<'py, PyAny>,
    machine: Machine,
) -> PyResult<Bound<'py, PyAny>> {
    let comparison: Comparison = described(description, "comparison")?;
    let study = move |context: &_| tetrolab::study::compare(&comparison, context);
    result_to_python(py, &machine.run(py, study)?)
}

/// Where a learning run is stored.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct RunPlace {
    run: Option<PathBuf>,
    out: Option<PathBuf>,
    resume: bool,
    memory: Option<u64>,
}

impl RunPlace {
    /// The description of what is learned, and the folder of the run: the given one, or one whose
    /// name is derived from the description.
    fn plan(&self, request: Option<LearningRequest>) -> Result<(Learning, RunFolder), StudyError> {
        let named = self
            .run
            .as_ref()
            .map(|run| RunFolder::at(run))
            .transpose()?;
        let Some(mut request) = request else {
            let run = named.ok_or_else(|| {
                let problem = "resuming a run needs its folder, or a description of what it learns";
                StudyError::Refused(problem.to_owned())
            })?;
            return Ok((stored(&run)?, run));
        };
        if request.learner.is_empty() {
            request.default_learner().clone_into(&mut request.learner);
        }
        let planned = request.plan()?;
        let run = named.unwrap_or_else(|| {
            let text = serde_json::to_string(&planned.learning).unwrap_or_default();
            RunFolder::named(Path::new("runs"), planned.word, &text)
        });
        Ok((planned.learning, run))
    }
}

/// Learns a player. Without a description, resumes a run that was stopped.
#[pyfunction]
pub(crate) fn learn<'py>(
    py: Python<'py>,
    description: Option<&Bound<'py, PyAny>>,
    place: RunPlace,
    cluster: Option<(Py<PyAny>, Option<Py<PyAny>>, usize)>,
    machine: Machine,
) -> PyResult<Bound<'py, PyAny>> {
    let cluster =
        cluster.map(|(function, cancel, slots)| PythonCluster::new(function, cancel, slots));
    let own = cluster.clone();
    let request = description.map(|description| described(description, "learning"));
    let request: Option<LearningRequest> = request.transpose()?;
    let study = move |context: &Context| {
        let context = match own {
            None => context.clone(),
            Some(cluster) => context.clone().on_cluster(Arc::new(cluster)),
        };
        let (learning, run) = place.plan(request)?;
        let place = LearningPlace {
            run,
            out: place.out,
            resume: place.resume,
            provenance: None,
            memory: place.memory,
        };
        tetrolab::study::learn(&learning, &place, &context)
    };
    let learned = machine.run(py, study);
    match cluster.and_then(|cluster| cluster.take_raised()) {
        Some(raised) => Err(raised),
        None => result_to_python(py, &learned?),
    }
}

/// Analyses one position with some players; returns the result and a drawing of it.
#[pyfunction]
pub(crate) fn analyse<'py>(
    py: Python<'py>,
    description: &Bound<'py, PyAny>,
    machine: Machine,
) -> PyResult<(Bound<'py, PyAny>, String)> {
    let analysis: Analysis = described(description, "analysis")?;
    let study = move |context: &_| tetrolab::analysis::analyse(&analysis, context);
    let analysed = machine.run(py, study)?;
    let svg = sheet_svg(&analysed);
    Ok((result_to_python(py, &analysed)?, svg))
}

/// Runs an experiment, and returns its report as data and as a page.
#[pyfunction]
pub(crate) fn reproduce<'py>(
    py: Python<'py>,
    name: &str,
    scale: &str,
    seed: u64,
    out: Option<PathBuf>,
    machine: Machine,
) -> PyResult<(Bound<'py, PyAny>, String)> {
    let scale: ExperimentScale = scale
        .parse()
        .map_err(crate::errors::InputError::new_err::<String>)?;
    let size = ExperimentSize { scale, seed };
    let name = name.to_owned();
    let study = move |context: &_| -> Result<_, ExperimentError> {
        let is_file = name.ends_with(".toml") || name.contains(std::path::MAIN_SEPARATOR);
        let experiment = if is_file {
            Experiment::from_file(Path::new(&name), size)
        } else {
            Experiment::named(&name, size)
        }?;
        let usual = || {
            let mut id = format!("{}-{}", experiment.id, experiment.size.scale.name());
            if seed != 1 {
                id.push_str(&format!("-seed-{seed}"));
            }
            Path::new("runs").join("reproduce").join(id)
        };
        let out = out.unwrap_or_else(usual);
        tetrolab::experiments::reproduce(&experiment, &out, &|_| None, context)
    };
    let report = machine.run(py, study)?;
    let page = report.page().html();
    Ok((result_to_python(py, &report)?, page))
}
