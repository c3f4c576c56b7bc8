//! The only integration test binary: compares the engine and every feature with simple code and
//! with published numbers.

mod boards;
mod conformance;
mod ends;
mod engine;
mod grid;
mod modules;
mod registry;
mod twins;
