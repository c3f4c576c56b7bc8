//! Inputs of one size for learners that play.

pub(super) use crate::survey::InputScale;
