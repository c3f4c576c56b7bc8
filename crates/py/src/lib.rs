//! The Python module `tetrolab._native`: the laboratory for the Python package `tetrolab`.
//!
//! It only translates. Descriptions are dictionaries that are parsed with the library's own `serde`
//! types, results are returned as dictionaries, and errors become the exceptions of
//! `tetrolab.errors`. The public interface is in `python/tetrolab`.

#![expect(
    clippy::needless_pass_by_value,
    reason = "what Python hands over is converted into values of our own"
)]

mod bot;
mod convert;
mod environment;
mod errors;
mod game;
mod models;
mod optimiser;
mod parts;
mod player;
mod running;
mod studies;
mod work;

use pyo3::prelude::*;

/// The native code behind the package `tetrolab`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::environment::{Environment, EnvironmentState, Environments};
    #[pymodule_export]
    use crate::game::{Game, Ruleset};
    #[pymodule_export]
    use crate::models::save_network;
    #[pymodule_export]
    use crate::optimiser::Optimiser;
    #[pymodule_export]
    use crate::parts::{features, kinds, parts};
    #[pymodule_export]
    use crate::player::Player;
    #[pymodule_export]
    use crate::studies::{analyse, compare, evaluate, learn, reproduce};
    #[pymodule_export]
    use crate::work::{compute_units, merge_work, split_work};

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
