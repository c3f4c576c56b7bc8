//! The pictures of the documents.
//!
//! A comment says which file a picture is and what it is drawn from:
//!
//! ```text
//! <!-- picture: contest docs/test.svg networks/test.json -->
//! <!-- picture: curves docs/curves.svg networks/curves/q-network-?.csv -->
//! ```

use super::{contest, curve_file, stem};
use crate::curves::{HEIGHT, learner_and_seed, lines};
use crate::output::line;
use anyhow::{Context, anyhow, bail};
use std::fs;
use std::path::{Path, PathBuf};
use tetrolab::draw::chart::{CurveChart, curves_svg};

const BEGIN: &str = "<!-- picture: ";

/// A picture as the raw results give it.
pub(super) struct DrawnPicture {
    /// The file, from the root of the project.
    pub(super) file: PathBuf,
    pub(super) svg: String,
}

impl DrawnPicture {
    /// Writes the file, or checks that it is what it should be.
    pub(super) fn settle(&self, root: &Path, check: bool) -> anyhow::Result<()> {
        let (path, shown) = (root.join(&self.file), self.file.display());
        let is = fs::read_to_string(&path).ok();
        match (is.as_ref() == Some(&self.svg), check) {
            (true, _) => line(&format!("{shown}: as the raw results are drawn"))?,
            (false, true) if is.is_none() => {
                bail!("{shown}: is missing; `tetrolab results` draws it")
            }
            (false, true) => bail!(
                "{shown}: is not what the raw results give; `tetrolab results` draws it again"
            ),
            (false, false) => {
                fs::write(&path, &self.svg).with_context(|| shown.to_string())?;
                line(&format!("{shown}: drawn"))?;
            }
        }
        Ok(())
    }
}

/// The pictures that a document asks for.
pub(super) fn pictures(text: &str, experiments: &Path) -> anyhow::Result<Vec<DrawnPicture>> {
    let directives = text.lines().filter_map(|line| line.strip_prefix(BEGIN));
    let picture = |directive: &str| {
        let directive = directive.trim_end().trim_end_matches("-->").trim();
        let words: Vec<&str> = directive.split_whitespace().collect();
        picture(&words, experiments).with_context(|| format!("the picture '{directive}'"))
    };
    directives.map(picture).collect()
}

fn picture(words: &[&str], experiments: &Path) -> anyhow::Result<DrawnPicture> {
    let (file, svg) = match words {
        [_, file, ..] if !file.ends_with(".svg") => bail!("{file} is not a file FILE.svg"),
        ["contest", file, tests @ ..] if !tests.is_empty() => {
            (file, contest::picture(tests, experiments)?)
        }
        ["curves", file, names @ ..] if !names.is_empty() => (file, curves(names, experiments)?),
        [kind, ..] => bail!("there is no picture '{kind}' with these files"),
        [] => bail!("its kind is missing"),
    };
    let file = PathBuf::from(file);
    Ok(DrawnPicture { file, svg })
}

/// Learning curves of files LEARNER-SEED.csv.
fn curves(names: &[&str], experiments: &Path) -> anyhow::Result<String> {
    let mut files = Vec::new();
    for name in names {
        files.extend(matching(name, experiments)?);
    }
    let mut named = Vec::new();
    for file in &files {
        let name = stem(file);
        let parts = learner_and_seed(name);
        let (learner, seed) = parts.ok_or_else(|| anyhow!("{file} is not LEARNER-SEED.csv"))?;
        named.push((learner, seed, file));
    }
    named.sort_unstable();
    named.dedup();
    let mut curves = Vec::new();
    for (learner, _, file) in named {
        curves.extend(lines(learner, &curve_file(&experiments.join(file))?));
    }
    Ok(curves_svg(&CurveChart {
        title: "Learning curves".to_owned(),
        caption: "a line for each training seed".to_owned(),
        height: HEIGHT.to_owned(),
        curves,
    })?)
}

/// The files that a name means: in its last part `*` stands for any letters and `?` for one.
fn matching(name: &str, experiments: &Path) -> anyhow::Result<Vec<String>> {
    let (folder, pattern) = name.rsplit_once('/').unwrap_or(("", name));
    if !pattern.contains(['*', '?']) {
        return Ok(vec![name.to_owned()]);
    }
    let path = experiments.join(folder);
    let entries = fs::read_dir(&path).with_context(|| path.display().to_string())?;
    let mut found = Vec::new();
    for entry in entries {
        let file = entry?.file_name().to_string_lossy().into_owned();
        if fits(pattern.as_bytes(), file.as_bytes()) {
            found.push(
                format!("{folder}/{file}")
                    .trim_start_matches('/')
                    .to_owned(),
            );
        }
    }
    if found.is_empty() {
        bail!("{name}: there is no such file");
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
