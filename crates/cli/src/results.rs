//! `tetrolab results`: the tables and pictures of the documents, made from raw results.
//!
//! A document says where a table stands and what it is made of, between two comments:
//!
//! ```text
//! <!-- table: standings scherrer-10x10 standings/simplified-10x10.json -->
//! (the table)
//! <!-- end of table -->
//! ```
//!
//! The comments of pictures are told in [`pictures`].

mod contest;
mod lookahead;
mod pictures;
mod published;
mod tables;

use crate::Completion;
use crate::curves;
use crate::output::line;
use anyhow::{Context, anyhow, bail};
use pictures::pictures;
use std::fs;
use std::path::{Path, PathBuf};
use tables::table;
use tetrolab::learning::export::GenerationRow;

const BEGIN: &str = "<!-- table: ";
const END: &str = "<!-- end of table -->";
/// The documents of the project that have such tables.
const DOCUMENTS: [&str; 5] = [
    "README.md",
    "docs/RESULTS.md",
    "docs/LEARNERS.md",
    "docs/LOOKAHEAD.md",
    "docs/WARY.md",
];

/// Make the tables and pictures of README.md and docs/ again from the raw results in experiments/.
///
/// For those who work on tetrolab itself, in the root of the project. A table stands between the comments
/// `<!-- table: KIND ... -->` and `<!-- end of table -->`. Kinds: `standings SECTION FILE...` and `boards SECTION FILE ...`
/// of results of eval --json, with the numbers of a section of experiments/published.toml beside them;
/// `timed SECTION FILE...` adds the time of a decision; `plies FILE...` sets look-ahead beside greedy players; `agreement GAMES SPLITTING ...`
/// compares the two methods; `learners TEST.json PIECES.csv`; `contest CURVES_DIR TEST.json...` sums up players LEARNER-SEED over their training
/// seeds, with what CURVES_DIR/LEARNER-SEED.csv (made by runs --csv) says of their training. Files are relative to experiments/.
///
/// A comment `<!-- picture: contest docs/FILE.svg TEST.json... -->` means a picture of the means of such players,
/// `<!-- picture: curves docs/FILE.svg LEARNER-SEED.csv... -->` one of learning curves; in the names of curves `*` stands for any letters and `?` for
/// one. A picture is relative to the root of the project.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The documents; without any, those of the project.
    #[arg(value_name = "FILE.md")]
    documents: Vec<PathBuf>,
    /// Change nothing; fail if a table or a picture is not what the raw results give.
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Completion> {
    let documents = match args.documents.is_empty() {
        true => DOCUMENTS.map(PathBuf::from).to_vec(),
        false => args.documents.clone(),
    };
    for path in &documents {
        let shown = path.display();
        let text = fs::read_to_string(path).with_context(|| shown.to_string())?;
        let experiments = Path::new("experiments");
        let made = with_tables(&text, experiments).with_context(|| shown.to_string())?;
        let drawn = pictures(&text, experiments).with_context(|| shown.to_string())?;
        match (made == text, args.check) {
            (true, _) => line(&format!("{shown}: as the raw results say"))?,
            (false, true) => bail!("{shown}: {}", first_difference(&text, &made)),
            (false, false) => {
                fs::write(path, made).with_context(|| shown.to_string())?;
                line(&format!("{shown}: written"))?;
            }
        }
        for picture in drawn {
            picture.settle(Path::new(""), args.check)?;
        }
    }
    Ok(Completion::Done)
}

/// The text of a document with every table made anew.
fn with_tables(text: &str, experiments: &Path) -> anyhow::Result<String> {
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
            bail!("the table '{directive}' has no '{END}'");
        }
        let words: Vec<&str> = directive.split_whitespace().collect();
        let table =
            table(&words, experiments).with_context(|| format!("the table '{directive}'"))?;
        made.push_str(&table);
        made.push_str(END);
        made.push('\n');
    }
    Ok(made)
}

/// A sentence about the first line that differs.
fn first_difference(is: &str, should: &str) -> String {
    let mut pairs = is.lines().zip(should.lines()).enumerate();
    let differing = pairs.find(|(_, (is, should))| is != should);
    match differing {
        Some((index, (is, should))) => {
            format!(
                "line {} is '{is}', but the raw results give '{should}'",
                index + 1
            )
        }
        None => "the raw results give a table of another length".to_owned(),
    }
}

/// The text of a file with raw results.
fn read(experiments: &Path, name: &str) -> anyhow::Result<String> {
    let path = experiments.join(name);
    fs::read_to_string(&path).map_err(|error| anyhow!("{}: {error}", path.display()))
}

/// The generations in a file that `runs --csv` made.
fn curve_file(path: &Path) -> anyhow::Result<Vec<GenerationRow>> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    curves::from_csv(&text).with_context(|| path.display().to_string())
}

/// The name of a file without its folders and its ending.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').map_or(name, |parts| parts.0)
}

#[cfg(test)]
mod tests;
