//! The learning curves of runs as a picture, as `tetrolab plot curves` draws them.

use super::Args;
use crate::plot::generations::{Source, curves};
use std::path::Path;
use tetrolab::report::curves::CurveOver;

/// Draws the given runs into a file.
pub(super) fn draw(args: &Args, file: &Path) -> anyhow::Result<()> {
    let mut sources = Vec::new();
    for run in &args.runs {
        sources.push(Source::of_run(&super::find_place(args, run)?)?);
    }
    curves(&sources, CurveOver::Pieces)?.write(file)
}
