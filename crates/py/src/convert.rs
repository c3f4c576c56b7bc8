//! Converts Python values to JSON and back.

use crate::errors::InputError;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};

/// Maximum nesting of lists and dictionaries.
const MOST_DEPTH: usize = 64;

/// A Python value as JSON. `what` names it in errors.
pub(crate) fn to_json(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Value> {
    json_at(value, what, MOST_DEPTH)
}

fn json_at(value: &Bound<'_, PyAny>, what: &str, depth: usize) -> PyResult<Value> {
    if depth == 0 {
        let problem = format!("{what}: nested more than {MOST_DEPTH} levels deep");
        return Err(InputError::new_err(problem));
    }
    if value.is_none() {
        return Ok(Value::Null);
    }
    if value.is_instance_of::<PyBool>() {
        return Ok(Value::Bool(value.is_truthy()?));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Value::String(text.to_str()?.to_owned()));
    }
    if value.is_instance_of::<PyInt>() {
        return whole_number(value, what);
    }
    if value.is_instance_of::<PyFloat>() {
        return number(value.extract()?, what);
    }
    if let Ok(fields) = value.cast::<PyDict>() {
        return object(fields, what, depth);
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let items = value.try_iter()?;
        let items = items.map(|item| json_at(&item?, what, depth - 1));
        return Ok(Value::Array(items.collect::<PyResult<_>>()?));
    }
    converted(value, what, depth)
}

/// Converts numbers of other libraries, such as NumPy's, and paths.
fn converted(value: &Bound<'_, PyAny>, what: &str, depth: usize) -> PyResult<Value> {
    for method in ["__fspath__", "__index__", "tolist"] {
        if value.hasattr(method)? {
            return json_at(&value.call_method0(method)?, what, depth - 1);
        }
    }
    let found = value.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "{what}: expected text, a number, a list or a dictionary, found {found}"
    )))
}

fn whole_number(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Value> {
    if let Ok(number) = value.extract::<u64>() {
        return Ok(number.into());
    }
    let number = value.extract::<i64>().map_err(|_| {
        let problem = format!("{what}: {value} does not fit into 64 bits");
        PyOverflowError::new_err(problem)
    })?;
    Ok(number.into())
}

fn number(value: f64, what: &str) -> PyResult<Value> {
    let number = Number::from_f64(value);
    let problem =
        || InputError::new_err(format!("{what}: expected a finite number, found {value}"));
    number.map(Value::Number).ok_or_else(problem)
}

fn object(fields: &Bound<'_, PyDict>, what: &str, depth: usize) -> PyResult<Value> {
    let mut map = Map::new();
    for (key, value) in fields {
        let key: String = key.extract().map_err(|_| {
            PyTypeError::new_err(format!(
                "{what}: expected text as a key of a dictionary, found {key}"
            ))
        })?;
        let value = json_at(&value, &key, depth - 1)?;
        map.insert(key, value);
    }
    Ok(Value::Object(map))
}

/// The description in a dictionary.
pub(crate) fn described<T: DeserializeOwned>(value: &Bound<'_, PyAny>, what: &str) -> PyResult<T> {
    let json = to_json(value, what)?;
    let wrong = |error: serde_json::Error| InputError::new_err(format!("{what}: {error}"));
    serde_json::from_value(json).map_err(wrong)
}

/// JSON as Python values.
pub(crate) fn to_python<'py>(py: Python<'py>, json: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match json {
        Value::Null => py.None().into_bound(py),
        Value::Bool(value) => PyBool::new(py, *value).to_owned().into_any(),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(value), _) => value.into_pyobject(py)?.into_any(),
            (_, Some(value)) => value.into_pyobject(py)?.into_any(),
            _ => PyFloat::new(py, number.as_f64().unwrap_or(f64::NAN)).into_any(),
        },
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(items) => {
            let items = items.iter().map(|item| to_python(py, item));
            PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            for (key, value) in fields {
                dict.set_item(key, to_python(py, value)?)?;
            }
            dict.into_any()
        }
    })
}

/// A result as Python values.
pub(crate) fn result_to_python<'py>(
    py: Python<'py>,
    result: &impl Serialize,
) -> PyResult<Bound<'py, PyAny>> {
    let json = serde_json::to_value(result);
    let json = json.map_err(|error| InputError::new_err(error.to_string()))?;
    to_python(py, &json)
}
