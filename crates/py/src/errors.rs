//! Errors of the laboratory as Python exceptions, which `tetrolab/errors.py` defines.

use pyo3::PyErr;
use pyo3::import_exception;
use tetrolab::analysis::AnalysisError;
use tetrolab::arena::ArenaError;
use tetrolab::core::spec::SpecError;
use tetrolab::environment::EnvironmentError;
use tetrolab::experiments::ExperimentError;
use tetrolab::learning::LearningError;
use tetrolab::library::{FileError, LibraryError};
use tetrolab::study::StudyError;
use tetrolab::study::work::WorkError;

import_exception!(tetrolab.errors, ActionError);
import_exception!(tetrolab.errors, BotFailed);
import_exception!(tetrolab.errors, EnvironmentInUse);
import_exception!(tetrolab.errors, InputError);
import_exception!(tetrolab.errors, PlayerFileError);
import_exception!(tetrolab.errors, SpecificationError);
import_exception!(tetrolab.errors, StudyRefused);

/// An error of the library as an exception. (A local trait, because both types are foreign.)
pub(crate) trait Raise {
    /// The exception.
    fn raise(self) -> PyErr;
}

impl Raise for SpecError {
    fn raise(self) -> PyErr {
        SpecificationError::new_err(self.to_string())
    }
}

impl Raise for FileError {
    fn raise(self) -> PyErr {
        PlayerFileError::new_err(self.to_string())
    }
}

impl Raise for LibraryError {
    fn raise(self) -> PyErr {
        match self {
            LibraryError::File(error) => error.raise(),
            error => SpecificationError::new_err(error.to_string()),
        }
    }
}

impl Raise for ArenaError {
    fn raise(self) -> PyErr {
        StudyRefused::new_err(self.to_string())
    }
}

impl Raise for StudyError {
    fn raise(self) -> PyErr {
        match self {
            StudyError::Library(error) => error.raise(),
            StudyError::File(error) => error.raise(),
            StudyError::Learning(error) => error.raise(),
            StudyError::Bot(error) => BotFailed::new_err(error.to_string()),
            error => StudyRefused::new_err(error.to_string()),
        }
    }
}

impl Raise for LearningError {
    fn raise(self) -> PyErr {
        match self {
            LearningError::Spec(error) => error.raise(),
            LearningError::Learner(error) => SpecificationError::new_err(error.to_string()),
            LearningError::Library(error) => error.raise(),
            LearningError::File(error) => error.raise(),
            error => StudyRefused::new_err(error.to_string()),
        }
    }
}

impl Raise for WorkError {
    fn raise(self) -> PyErr {
        match self {
            WorkError::Study(error) => error.raise(),
            WorkError::Library(error) => error.raise(),
            WorkError::File(error) => error.raise(),
            error => StudyRefused::new_err(error.to_string()),
        }
    }
}

impl Raise for AnalysisError {
    fn raise(self) -> PyErr {
        match self {
            AnalysisError::Study(error) => error.raise(),
            AnalysisError::Library(error) => error.raise(),
            AnalysisError::File(error) => error.raise(),
            AnalysisError::Bot(error) => BotFailed::new_err(error.to_string()),
            AnalysisError::Board(error) => InputError::new_err(error.to_string()),
            error => StudyRefused::new_err(error.to_string()),
        }
    }
}

impl Raise for ExperimentError {
    fn raise(self) -> PyErr {
        match self {
            ExperimentError::Spec(error) => error.raise(),
            ExperimentError::Study(error) => error.raise(),
            ExperimentError::File(error) => error.raise(),
            error => StudyRefused::new_err(error.to_string()),
        }
    }
}

impl Raise for EnvironmentError {
    fn raise(self) -> PyErr {
        let text = self.to_string();
        match self {
            EnvironmentError::Library(error) => error.raise(),
            EnvironmentError::Spec(error) => error.raise(),
            EnvironmentError::NoKeys { .. } => SpecificationError::new_err(text),
            EnvironmentError::OutOfRange { .. }
            | EnvironmentError::Illegal { .. }
            | EnvironmentError::Ended { .. } => ActionError::new_err(text),
            EnvironmentError::Refused(_) => InputError::new_err(text),
        }
    }
}
