//! Optimisers with an ask-and-tell interface: they propose vectors and receive their fitness.

use crate::errors::{InputError, SpecificationError, StudyRefused};
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tetrolab::learners::{Optimizer as CoreOptimizer, find_learner};

/// Maximum number of values in all vectors of a generation.
const MOST_NUMBERS: usize = 1 << 26;

/// An optimiser of the laboratory, which proposes vectors and receives their fitness.
///
/// `learner` is a name or a spec that searches vectors of numbers, such as "cma-es" or
/// "ga(population=50)". A larger fitness is better.
#[pyclass(frozen, module = "tetrolab")]
pub(crate) struct Optimiser {
    state: Mutex<State>,
    learner: String,
    dimension: usize,
}

struct State {
    optimizer: Box<dyn CoreOptimizer>,
    /// Number of vectors waiting for their fitness.
    waiting: Option<usize>,
    generations: u64,
}

impl Optimiser {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Optimiser {
    #[new]
    #[pyo3(signature = (learner, dimension, seed=1))]
    fn new(learner: &str, dimension: usize, seed: u64) -> PyResult<Optimiser> {
        const MOST_DIMENSIONS: usize = 100_000;
        if !(1..=MOST_DIMENSIONS).contains(&dimension) {
            return Err(InputError::new_err(format!(
                "dimension: expected a number from 1 to {MOST_DIMENSIONS}, found {dimension}"
            )));
        }
        let wrong = |error: tetrolab::learners::LearnerError| {
            SpecificationError::new_err(error.to_string())
        };
        let chosen = find_learner(learner).map_err(wrong)?;
        let optimizer = chosen.optimizer(dimension, seed).map_err(wrong)?;
        let state = State {
            optimizer,
            waiting: None,
            generations: 0,
        };
        Ok(Optimiser {
            state: Mutex::new(state),
            learner: chosen.spec().to_string(),
            dimension,
        })
    }

    /// The learner with all its settings.
    #[getter]
    fn learner(&self) -> &str {
        &self.learner
    }

    /// Number of coordinates of a vector.
    #[getter]
    fn dimension(&self) -> usize {
        self.dimension
    }

    /// Number of generations whose fitness was received.
    #[getter]
    fn generations(&self) -> u64 {
        self.state().generations
    }

    /// Proposes the vectors of the next generation, one in each row.
    fn ask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let mut state = self.state();
        if state.waiting.is_some() {
            let problem =
                "ask() was already called; call tell() with the fitness of its vectors first";
            return Err(StudyRefused::new_err(problem));
        }
        let vectors = state.optimizer.ask();
        if vectors.len().saturating_mul(self.dimension) > MOST_NUMBERS {
            return Err(InputError::new_err(
                "the population is too large for this dimension",
            ));
        }
        state.waiting = Some(vectors.len());
        let shape = (vectors.len(), self.dimension);
        let numbers: Vec<f64> = vectors.into_iter().flatten().collect();
        let array = Array2::from_shape_vec(shape, numbers);
        let array = array.map_err(|error| StudyRefused::new_err(error.to_string()))?;
        Ok(array.into_pyarray(py))
    }

    /// Receives the fitness of each vector of the last ask(); NaN counts as the worst.
    fn tell(&self, fitness: PyReadonlyArray1<'_, f64>) -> PyResult<()> {
        let fitness = fitness.as_array().to_vec();
        let mut state = self.state();
        let Some(waiting) = state.waiting else {
            let problem = "no vectors are waiting for their fitness; call ask() first";
            return Err(StudyRefused::new_err(problem));
        };
        if fitness.len() != waiting {
            return Err(InputError::new_err(format!(
                "fitness: expected {waiting} numbers, one for each vector of ask(), found {}",
                fitness.len()
            )));
        }
        state.optimizer.tell(&fitness);
        state.waiting = None;
        state.generations += 1;
        Ok(())
    }

    /// The best vector known so far.
    #[getter]
    fn solution<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.state().optimizer.solution().into_pyarray(py)
    }

    /// The distance between the vectors of the last generation.
    #[getter]
    fn spread(&self) -> f64 {
        self.state().optimizer.spread()
    }

    /// The reason why further generations cannot improve the solution; None if they can.
    #[getter]
    fn stopped(&self) -> Option<String> {
        self.state().optimizer.stopped()
    }

    fn __repr__(&self) -> String {
        format!("Optimiser({:?}, {})", self.learner, self.dimension)
    }
}
