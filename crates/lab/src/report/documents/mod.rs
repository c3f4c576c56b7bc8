//! Tables and pictures of documents, generated from raw results.
//!
//! A table is enclosed in two comments, of which the first names its sources:
//!
//! ```text
//! <!-- table: standings scherrer-10x10 standings/simplified-10x10.json -->
//! (the table)
//! <!-- end of table -->
//! ```
//!
//! The comments of pictures are described in `pictures`.

mod contest;
mod described;
mod lookahead;
mod pictures;
mod published;
mod reproduction;
mod runs;
mod standings;
mod tables;

pub use pictures::{DrawnPicture, pictures};

use super::curves;
use super::error::{At, ReportError, fail};
use crate::experiments::{StageRecord, kept_stage};
use crate::learning::export::GenerationRow;
use std::fs;
use std::path::Path;
use tables::table;

const BEGIN: &str = "<!-- table: ";
const END: &str = "<!-- end of table -->";

/// The text of a document with every table regenerated from the results in `experiments`.
///
/// # Errors
/// If the kind of a table is unknown, or its results cannot be read.
pub fn with_tables(text: &str, experiments: &Path) -> Result<String, ReportError> {
    let mut made = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        made.push_str(line);
        made.push('\n');
        let Some(directive) = line.strip_prefix(BEGIN) else {
            continue;
        };
        let directive = directive.trim_end_matches("-->").trim();
        if !lines.any(|line| line == END) {
            fail!("the table '{directive}' has no '{END}'");
        }
        let words: Vec<&str> = directive.split_whitespace().collect();
        let table = table(&words, experiments).at(format!("the table '{directive}'"))?;
        made.push_str(&table);
        made.push_str(END);
        made.push('\n');
    }
    Ok(made)
}

/// A sentence that describes the first line that differs.
pub fn first_difference(is: &str, should: &str) -> String {
    let mut pairs = is.lines().zip(should.lines()).enumerate();
    let differing = pairs.find(|(_, (is, should))| is != should);
    match differing {
        Some((index, (is, should))) => {
            format!(
                "line {} is '{is}', but the raw results give '{should}'",
                index + 1
            )
        }
        None => "the table does not have the length that the raw results give".to_owned(),
    }
}

/// The text of a file with raw results.
fn read(experiments: &Path, name: &str) -> Result<String, ReportError> {
    let path = experiments.join(name);
    fs::read_to_string(&path).map_err(|error| ReportError(format!("{}: {error}", path.display())))
}

/// The generations in a CSV file, or of a stage that learned: `reproduction/EXPERIMENT@STAGE`.
fn curve_file(path: &Path) -> Result<Vec<GenerationRow>, ReportError> {
    let name = path.to_string_lossy();
    if let Some((folder, stage)) = name.split_once('@') {
        let record = kept_stage(Path::new(folder), stage).at(&name)?;
        let Some(learned) = record.as_ref().and_then(StageRecord::learned) else {
            fail!("{name}: the folder has no learning run of this stage");
        };
        return Ok(learned.generations.clone());
    }
    let text = fs::read_to_string(path).at(path.display())?;
    let (_, rows) = curves::from_csv(&text).at(path.display())?;
    Ok(rows)
}

/// The generations of one training seed of a learner: from a folder of CSV files or, after
/// `reproduction/EXPERIMENT@`, from a stage.
fn curve_of(
    experiments: &Path,
    curves: &str,
    learner: &str,
    seed: u64,
) -> Result<Vec<GenerationRow>, ReportError> {
    let name = if curves.ends_with('@') {
        format!("{curves}{learner}-{seed}")
    } else {
        format!("{curves}/{learner}-{seed}.csv")
    };
    curve_file(&experiments.join(name))
}

/// The name of a file without its folders and extension, or the name of a stage.
fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '@']).next().unwrap_or_default();
    name.rsplit_once('.').map_or(name, |parts| parts.0)
}

#[cfg(test)]
mod tests;
