//! The page of all features, each with a picture of the cells that it counts.

use super::{GeneratedFile, cell, sentence};
use std::path::PathBuf;
use tetrolab::core::features::{FEATURE_SETS, FEATURES, Feature};
use tetrolab::draw::{DrawnFeature, FeatureRequest, draw_feature};
use tetrolab::library::FileSource;
use tetrolab::report::{Align, Table};

const INTRODUCTION: &str = "\
A feature is a number, or a few numbers, computed from one step of a game: the board before, the placement of the \
piece, and the board after it with full rows removed. `W` and `H` are the width and height of the board; rows and \
columns are counted from the bottom left. A *hole* is an empty cell with a filled cell somewhere above it in its \
column.

The pictures show one step for all features: an O lands in the gap of the fifth row and completes it. Numbers in \
marked cells say how much a cell adds to the value. `tetrolab draw --feature ID --board ROWS --placement PLACEMENT` \
draws a feature on any other board.
";

pub(super) fn files() -> anyhow::Result<Vec<GeneratedFile>> {
    let mut body = wrapped(INTRODUCTION);
    body += "\n## Feature sets\n\n";
    body += &sets();
    body += "\n## All features\n\n";
    let mut files = Vec::new();
    for feature in FEATURES {
        let request = FeatureRequest {
            feature: feature.id.to_owned(),
            step: None,
        };
        let drawn = draw_feature(&request, FileSource::Disk)?;
        body += &section(feature, &drawn);
        files.push(GeneratedFile {
            path: PathBuf::from(format!("features/{}.svg", feature.id)),
            text: drawn.svg,
        });
    }
    files.push(GeneratedFile::page("features.md", "Features", &body));
    Ok(files)
}

fn wrapped(text: &str) -> String {
    let paragraphs = text
        .split("\n\n")
        .map(|paragraph| tetrolab::report::wrap(paragraph.trim(), 100).join("\n") + "\n");
    paragraphs.collect::<Vec<_>>().join("\n")
}

fn section(feature: &Feature, drawn: &DrawnFeature) -> String {
    let (id, source) = (feature.id, cell(feature.source));
    let values: Vec<String> = drawn
        .values
        .iter()
        .map(|value| format!("{value:.4}"))
        .collect();
    let values = values
        .iter()
        .map(|value| value.trim_end_matches('0').trim_end_matches('.'));
    let values = values.collect::<Vec<_>>().join(" ");
    let definition = sentence(feature.definition);
    format!(
        "### `{id}`\n\n{definition}\n\n![{id} on an example board]({})\n\nIn the picture: {values}. \
         Source: {source}.\n\n",
        format_args!("features/{id}.svg")
    )
}

fn sets() -> String {
    let mut table = Table::new(&[
        ("set", Align::Left),
        ("features", Align::Left),
        ("what it is", Align::Left),
        ("source", Align::Left),
    ]);
    for set in FEATURE_SETS {
        let link = |id: &&str| format!("[`{id}`](#{id})");
        let features: Vec<String> = set.make.iter().map(link).collect();
        let name = format!("`{}`", set.id);
        table.row(vec![
            name,
            features.join(" "),
            cell(set.definition),
            cell(set.source),
        ]);
    }
    table.to_markdown()
}
