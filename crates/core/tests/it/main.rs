//! One integration binary: the engine and every feature against obvious code and against other
//! people's numbers.

mod boards;
mod conformance;
mod ends;
mod engine;
mod grid;
mod modules;
mod registry;
mod twins;
