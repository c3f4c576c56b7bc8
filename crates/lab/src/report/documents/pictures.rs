//! The pictures of the documents.
//!
//! A comment gives the file of a picture and its sources:
//!
//! ```text
//! <!-- picture: contest docs/test.svg networks/test.json -->
//! <!-- picture: curves docs/curves.svg networks/curves/q-network-?.csv -->
//! <!-- picture: standings docs/standings.svg estimates-10x20 survival/standings-10x20.json -->
//! ```

use super::{contest, curve_file, standings, stem};
use crate::draw::plot::Plot;
use crate::report::curves::{CurveOver, HEIGHT, RunGenerations, curve_plot, learner_and_seed};
use crate::report::error::{At, ReportError, fail};
use std::fs;
use std::path::{Path, PathBuf};

const BEGIN: &str = "<!-- picture: ";

/// A picture generated from raw results.
pub struct DrawnPicture {
    /// The file, from the root of the project.
    pub file: PathBuf,
    /// The picture.
    pub svg: String,
}

/// The pictures of a document.
///
/// # Errors
/// If the kind of a picture is unknown, or its results cannot be read.
pub fn pictures(text: &str, experiments: &Path) -> Result<Vec<DrawnPicture>, ReportError> {
    let directives = text.lines().filter_map(|line| line.strip_prefix(BEGIN));
    let picture = |directive: &str| {
        let directive = directive.trim_end().trim_end_matches("-->").trim();
        let words: Vec<&str> = directive.split_whitespace().collect();
        picture(&words, experiments).at(format!("the picture '{directive}'"))
    };
    directives.map(picture).collect()
}

fn picture(words: &[&str], experiments: &Path) -> Result<DrawnPicture, ReportError> {
    let (file, svg) = match words {
        [_, file, ..] if !file.ends_with(".svg") => fail!("{file} is not a file FILE.svg"),
        ["contest", file, tests @ ..] if !tests.is_empty() => {
            (file, contest::picture(tests, experiments)?)
        }
        ["standings", file, section, results @ ..] if !results.is_empty() => {
            (file, standings::picture(section, results, experiments)?)
        }
        ["curves", file, names @ ..] if !names.is_empty() => (file, curves(names, experiments)?),
        [kind, ..] => fail!("there is no picture '{kind}' with these files"),
        [] => fail!("its kind is missing"),
    };
    let file = PathBuf::from(file);
    Ok(DrawnPicture { file, svg })
}

/// Learning curves of files LEARNER-SEED.csv.
fn curves(names: &[&str], experiments: &Path) -> Result<String, ReportError> {
    let mut files = Vec::new();
    for name in names {
        files.extend(matching(name, experiments)?);
    }
    let mut named = Vec::new();
    for file in &files {
        let name = stem(file);
        let parts = learner_and_seed(name);
        let (learner, seed) =
            parts.ok_or_else(|| ReportError(format!("{file} is not LEARNER-SEED.csv")))?;
        named.push((learner, seed, file));
    }
    named.sort_unstable();
    named.dedup();
    let mut runs = Vec::new();
    for (_, _, file) in named {
        let rows = curve_file(&experiments.join(file))?;
        runs.push(RunGenerations::named(stem(file), Vec::new(), rows));
    }
    let note = "one thin line per training seed";
    let plot = curve_plot(&runs, CurveOver::Pieces, (note, HEIGHT), false);
    Plot::Curves(plot)
        .svg()
        .map_err(|error| ReportError(error.to_string()))
}

/// The files that match a name: in its last part, `*` matches any characters and `?` one.
fn matching(name: &str, experiments: &Path) -> Result<Vec<String>, ReportError> {
    let (folder, pattern) = name.rsplit_once('/').unwrap_or(("", name));
    if !pattern.contains(['*', '?']) {
        return Ok(vec![name.to_owned()]);
    }
    let path = experiments.join(folder);
    let entries = fs::read_dir(&path).at(path.display())?;
    let mut found = Vec::new();
    for entry in entries {
        let file = entry
            .at(path.display())?
            .file_name()
            .to_string_lossy()
            .into_owned();
        if fits(pattern.as_bytes(), file.as_bytes()) {
            found.push(
                format!("{folder}/{file}")
                    .trim_start_matches('/')
                    .to_owned(),
            );
        }
    }
    if found.is_empty() {
        fail!("{name}: there is no such file");
    }
    Ok(found)
}

fn fits(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([b'*', rest @ ..], _) => (0..=name.len()).any(|skipped| fits(rest, &name[skipped..])),
        ([b'?', pattern @ ..], [_, name @ ..]) => fits(pattern, name),
        ([own, pattern @ ..], [letter, name @ ..]) => own == letter && fits(pattern, name),
        ([], []) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_stars_and_question_marks_mean_files() {
        let fits = |pattern: &str, name: &str| fits(pattern.as_bytes(), name.as_bytes());
        assert!(fits("q-network-*.csv", "q-network-fast-1.csv"));
        assert!(fits("q-network-?.csv", "q-network-1.csv"));
        assert!(!fits("q-network-?.csv", "q-network-fast-1.csv"));
        assert!(!fits("*.csv", "a.csv.old") && fits("*", ""));
    }
}
