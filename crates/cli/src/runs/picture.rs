//! The learning curves of runs as a picture.

use super::{Args, find_place, find_run};
use crate::curves::{HEIGHT, learner_and_seed, lines_with_means};
use anyhow::{anyhow, bail};
use std::path::Path;
use tetrolab::draw::chart::{CurveChart, CurveLine, curves_svg};
use tetrolab::draw::write;
use tetrolab::learning::Store;
use tetrolab::learning::export;

/// Draws the runs that are asked for into a file.
pub(super) fn draw(args: &Args, file: &Path) -> anyhow::Result<()> {
    let mut curves = Vec::new();
    for run in &args.runs {
        curves.extend(curves_of(args, run)?);
    }
    let caption = match curves.iter().any(|line| !line.pale.is_empty()) {
        true => "a line for each run; paler: the mean of a generation",
        false => "a line for each run",
    };
    let picture = curves_svg(&CurveChart {
        title: "Learning curves".to_owned(),
        caption: caption.to_owned(),
        height: HEIGHT.to_owned(),
        curves,
    });
    let names = args.runs.join(", ");
    let picture = picture.map_err(|_| anyhow!("{names}: no generation has a fitness to draw"))?;
    Ok(write(file, &picture)?)
}

/// The curves of a run. Runs whose names differ only in a number at their end are of one learner.
fn curves_of(args: &Args, run: &str) -> anyhow::Result<Vec<CurveLine>> {
    let place = find_place(args, run)?;
    let store = Store::read(&place.store())?;
    let id = find_run(&store, &place.id)?.id;
    let rows = export::generations(&store, &id)?;
    if rows.is_empty() {
        bail!("the run {id} has no generations to draw yet");
    }
    let learner = learner_and_seed(&id).map_or(&*id, |(learner, _)| learner);
    Ok(lines_with_means(learner, &rows))
}
