//! Tests of all learners: the registry, and functions whose optimum is known.

mod functions;
mod large;
mod pycma;
mod registry;
mod solving;
