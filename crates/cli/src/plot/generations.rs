//! Plots of learning runs.

use super::Drawing;
use crate::runs::{RUNS, find_run};
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use tetrolab::draw::plot::Plot;
use tetrolab::learning::export;
use tetrolab::learning::{Learning, RunFolder, Store};
use tetrolab::library::{find_player_file, read_long_text};
use tetrolab::report::curves::{
    CurveOver, HEIGHT, ReferenceVector, RunGenerations, box_plot, curve_plot, from_csv, step_plot,
    weight_plot,
};
use tetrolab::report::differing;

/// The generations of a run, and its plan if the store has it.
pub(crate) struct Source {
    pub(crate) run: RunGenerations,
    pub(crate) plan: Option<Learning>,
}

impl Source {
    /// A run of a lab by name or folder, or a CSV file of generations.
    pub(super) fn read(text: &str, lab: Option<&Path>) -> anyhow::Result<Source> {
        let path = Path::new(text);
        if text.ends_with(".csv") {
            let (weights, rows) = from_csv(&read_long_text(path)?)?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let run = RunGenerations::named(&name, weights, rows);
            return Ok(Source { run, plan: None });
        }
        let folder = if text.contains(std::path::MAIN_SEPARATOR) {
            if lab.is_some() {
                bail!(
                    "is a path that includes the lab; leave --lab out, or give only the name of the run"
                );
            }
            RunFolder::at(path)?
        } else {
            RunFolder {
                lab: lab.map_or_else(|| PathBuf::from(RUNS), Path::to_owned),
                id: text.to_owned(),
            }
        };
        Source::of_run(&folder)
    }

    /// The source for a stored run.
    pub(crate) fn of_run(place: &RunFolder) -> anyhow::Result<Source> {
        let store = Store::read(&place.store())?;
        let found = find_run(&store, &place.id)?;
        let rows = export::generations(&store, &found.id)?;
        if rows.is_empty() {
            bail!("the run {} has no generations to draw yet", found.id);
        }
        let weights = export::names_of_solution(&found.plan, &rows);
        Ok(Source {
            run: RunGenerations::named(&found.id, weights, rows),
            plan: Some(found.plan),
        })
    }
}

fn names(sources: &[Source]) -> String {
    let names: Vec<&str> = sources.iter().map(|source| &*source.run.name).collect();
    names.join(", ")
}

/// Learning curves. The remark says if the runs are not directly comparable.
pub(crate) fn curves(sources: &[Source], over: CurveOver) -> anyhow::Result<Drawing> {
    let runs: Vec<RunGenerations> = sources.iter().map(|source| source.run.clone()).collect();
    let plans: Vec<&Learning> = sources.iter().filter_map(|one| one.plan.as_ref()).collect();
    let height = if plans.is_empty() {
        HEIGHT.to_owned()
    } else {
        differing::height(&plans)
    };
    let mut note = "one thin line per run; paler: the mean of each generation".to_owned();
    let fields = differing::fields(&plans);
    if !fields.is_empty() {
        note = format!("{note}; the runs differ in {}", fields.join(", "));
    }
    let plot = curve_plot(&runs, over, (&note, &height), true);
    Ok(Drawing {
        plot: Plot::Curves(plot),
        remark: differing::sentence(&plans),
        names: names(sources),
    })
}

/// Weights over generations.
pub(super) fn weights(source: &Source) -> anyhow::Result<Drawing> {
    let plot = weight_plot(&source.run);
    let plot = plot.with_context(|| format!("{} has no weights to draw", source.run.name))?;
    Ok(of_one(Plot::Panels(plot), source))
}

/// Step size and eigenvalues.
pub(super) fn steps(source: &Source) -> anyhow::Result<Drawing> {
    let plot = step_plot(&source.run);
    let name = &source.run.name;
    let plot = plot.with_context(|| format!("{name} has neither step sizes nor eigenvalues"))?;
    Ok(of_one(Plot::Panels(plot), source))
}

fn of_one(plot: Plot, source: &Source) -> Drawing {
    Drawing {
        plot,
        remark: None,
        names: source.run.name.clone(),
    }
}

/// Box plots of learned vectors next to those of players.
pub(super) fn boxes(sources: &[Source], references: &[String]) -> anyhow::Result<Drawing> {
    let runs: Vec<RunGenerations> = sources.iter().map(|source| source.run.clone()).collect();
    let mut vectors = Vec::new();
    for name in references {
        vectors.push(reference(name)?);
    }
    Ok(Drawing {
        plot: Plot::Boxes(box_plot(&runs, &vectors)?),
        remark: None,
        names: names(sources),
    })
}

/// The weights of a player, feature by feature; vectors have one number for each column.
pub(crate) fn reference(name: &str) -> anyhow::Result<ReferenceVector> {
    let file = find_player_file(name)?;
    let mut weights = Vec::new();
    for (feature, numbers) in file.weights() {
        match numbers {
            [number] => weights.push((feature.to_owned(), *number)),
            numbers => {
                let numbered = numbers.iter().enumerate();
                weights
                    .extend(numbered.map(|(k, number)| (format!("{feature}:{}", k + 1), *number)));
            }
        }
    }
    if weights.is_empty() {
        bail!("{name} has no weights of features");
    }
    let name = name.to_owned();
    Ok(ReferenceVector { name, weights })
}
