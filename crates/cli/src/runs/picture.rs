//! The learning curves of runs as a picture.

use super::{Args, find_place, find_run};
use crate::output::print_wrapped;
use anyhow::{anyhow, bail};
use std::path::Path;
use tetrolab::draw::chart::{CurveChart, CurveLine, curves_svg};
use tetrolab::draw::write;
use tetrolab::learning::export;
use tetrolab::learning::{Learning, Store};
use tetrolab::report::curves::{learner_and_seed, lines_with_means};
use tetrolab::report::differing;

/// Draws the runs that are asked for into a file.
pub(super) fn draw(args: &Args, file: &Path) -> anyhow::Result<()> {
    let (mut curves, mut plans) = (Vec::new(), Vec::new());
    for run in &args.runs {
        let (lines, plan) = curves_of(args, run)?;
        curves.extend(lines);
        plans.push(plan);
    }
    let plans: Vec<&Learning> = plans.iter().collect();
    let caption = if curves.iter().any(|line| !line.pale.is_empty()) {
        "a line for each run; paler: the mean of a generation"
    } else {
        "a line for each run"
    };
    let caption = match differing::fields(&plans) {
        fields if fields.is_empty() => caption.to_owned(),
        fields => format!("{caption}; the runs differ in {}", fields.join(", ")),
    };
    let picture = curves_svg(&CurveChart {
        title: "Learning curves".to_owned(),
        caption,
        height: differing::height(&plans),
        curves,
    });
    let names = args.runs.join(", ");
    let picture = picture.map_err(|_| anyhow!("{names}: no generation has a fitness to draw"))?;
    write(file, &picture)?;
    match differing::sentence(&plans) {
        Some(differing) => Ok(print_wrapped(&differing)?),
        None => Ok(()),
    }
}

/// The curves of a run. Runs whose names differ only in a number at their end are of one learner.
fn curves_of(args: &Args, run: &str) -> anyhow::Result<(Vec<CurveLine>, Learning)> {
    let place = find_place(args, run)?;
    let store = Store::read(&place.store())?;
    let found = find_run(&store, &place.id)?;
    let id = found.id;
    let rows = export::generations(&store, &id)?;
    if rows.is_empty() {
        bail!("the run {id} has no generations to draw yet");
    }
    let learner = learner_and_seed(&id).map_or(&*id, |(learner, _)| learner);
    Ok((lines_with_means(learner, &rows), found.plan))
}
