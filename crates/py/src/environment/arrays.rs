//! The NumPy arrays into which environments write.

use crate::errors::InputError;
use numpy::{Element, PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A NumPy array, if there is one.
type Array<T> = Option<Py<PyArrayDyn<T>>>;

/// Arrays by name, taken from a dictionary.
macro_rules! arrays {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $number:ty),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Default)]
        pub(super) struct $name {
            $(pub(super) $field: Array<$number>,)*
        }

        impl $name {
            pub(super) fn of(arrays: &Bound<'_, PyDict>) -> PyResult<$name> {
                Ok($name {
                    $($field: array_of(arrays, stringify!($field))?,)*
                })
            }
        }
    };
}

arrays! {
    /// The arrays of observations.
    SeenArrays {
        board: u8,
        columns: u64,
        falling: u64,
        pieces: u8,
        mask: i8,
        features: f32,
        boards: u8,
        lines: u8,
        over: i8,
    }
}

arrays! {
    /// The arrays of rewards and ends.
    OutputArrays {
        rewards: f64,
        lines: i64,
        terminated: bool,
        truncated: bool,
        total_lines: i64,
        total_pieces: i64,
        legal: bool,
    }
}

/// An array from a dictionary.
fn array_of<T: Element>(arrays: &Bound<'_, PyDict>, name: &str) -> PyResult<Array<T>> {
    let Some(array) = arrays.get_item(name)? else {
        return Ok(None);
    };
    let array = array.cast_into::<PyArrayDyn<T>>().map_err(|error| {
        InputError::new_err(format!("the array {name} has the wrong type: {error}"))
    })?;
    Ok(Some(array.unbind()))
}

/// An array that can be written until this guard is dropped.
pub(super) struct Writable<'py, T: Element>(Option<PyReadwriteArrayDyn<'py, T>>);

impl<'py, T: Element> Writable<'py, T> {
    pub(super) fn of(py: Python<'py>, array: &Array<T>) -> PyResult<Writable<'py, T>> {
        let Some(array) = array else {
            return Ok(Writable(None));
        };
        let array = array.bind(py).try_readwrite();
        let array = array.map_err(|error| {
            InputError::new_err(format!("an array of the environment: {error}"))
        })?;
        Ok(Writable(Some(array)))
    }

    pub(super) fn numbers(&mut self) -> PyResult<&mut [T]> {
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

pub(super) use seen;
