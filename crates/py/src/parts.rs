//! Lists of all named parts, and features of placements.

use crate::convert::{to_json, to_python};
use crate::errors::{InputError, Raise};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use tetrolab::catalogue::PartKind;
use tetrolab::core::features::{FEATURES, Feature};
use tetrolab::core::spec::SpecError;
use tetrolab::formats::placements::{PlacementCase, feature_values};
use tetrolab::library::find_features;

/// The kinds of parts.
#[pyfunction]
pub(crate) fn kinds() -> Vec<&'static str> {
    PartKind::names().to_vec()
}

/// Every part of a kind, as dictionaries.
#[pyfunction]
pub(crate) fn parts<'py>(py: Python<'py>, kind: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let unknown = || SpecError::unknown("kind of part", kind, PartKind::names()).raise();
    let kind = PartKind::find(kind).ok_or_else(unknown)?;
    let parts = kind.parts();
    parts
        .iter()
        .map(|part| to_python(py, &part.json()))
        .collect()
}

/// The values of features of placements, one dictionary for each placement.
#[pyfunction]
#[pyo3(signature = (placements, features=None))]
pub(crate) fn features<'py>(
    py: Python<'py>,
    placements: &Bound<'py, PyList>,
    features: Option<&str>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let features = wanted(features)?;
    let values = |(index, placement): (usize, Bound<'py, PyAny>)| {
        let what = format!("placement {index}");
        let json = to_json(&placement, &what)?;
        let wrong = |error| InputError::new_err(format!("{what}: {error}"));
        let case = PlacementCase::parse(&json.to_string()).map_err(wrong)?;
        let transition = case.transition();
        let found = PyDict::new(py);
        found.set_item("id", to_python(py, &case.id)?)?;
        found.set_item("lines", transition.lines())?;
        found.set_item("game_over", transition.game_over)?;
        let values = feature_values(&transition, &features);
        found.set_item("features", to_python(py, &values.into())?)?;
        Ok(found)
    };
    placements.iter().enumerate().map(values).collect()
}

/// The features of a named set, or of a list of ids separated by commas; all features if there is
/// none.
pub(crate) fn wanted(features: Option<&str>) -> PyResult<Vec<&'static Feature>> {
    match features {
        None => Ok(FEATURES.iter().collect()),
        Some(text) => find_features(text).map_err(Raise::raise),
    }
}
