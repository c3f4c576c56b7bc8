//! Tests of all learners: the registry, and functions whose optimum is known.

mod functions;
mod pycma;
mod registry;
mod solving;
