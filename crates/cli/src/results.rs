//! `tetrolab results`: regenerates the tables and pictures in the documents from raw results.
//!
//! The comments that mark them are described in [`tetrolab::report::documents`].

use crate::output::line;
use anyhow::{Context, bail};
use std::fs;
use std::path::{Path, PathBuf};
use tetrolab::library::read_text;
use tetrolab::report::documents::{DrawnPicture, first_difference, pictures, with_tables};

/// The project's documents that contain such tables.
const DOCUMENTS: [&str; 10] = [
    "README.md",
    "docs/PYTHON.md",
    "docs/explanation/results.md",
    "docs/explanation/learning.md",
    "docs/explanation/look-ahead.md",
    "docs/explanation/survival.md",
    "docs/explanation/stepped-games.md",
    "docs/explanation/wary-players.md",
    "docs/how-to/plan-a-cluster.md",
    "docs/REPRODUCTION.md",
];

const EXAMPLES: &str = "\
Examples:
  tetrolab results
  tetrolab results --check";

/// Regenerate the tables and pictures of README.md and docs/ from the raw results in experiments/.
///
/// For developers of tetrolab; run it in the root of the project. In a document, a table is
/// enclosed in the comments `<!-- table: KIND ... -->` and `<!-- end of table -->`. The kinds are:
///
/// - `standings SECTION FILE...`, `boards SECTION FILE...`: results of eval --json next to the
///   published numbers in a section of crates/lab/src/experiments/published.toml;
///
/// - `timed SECTION FILE...`: the same with the time per decision;
///
/// - `plies FILE...`: players that look ahead, compared with greedy ones;
///
/// - `agreement GAMES SPLITTING ...`: whole games compared with splitting;
///
/// - `learners TEST.json PIECES.csv`: learned players with the pieces used in training;
///
/// - `contest CURVES_DIR TEST.json...`: players named LEARNER-SEED, summarised over their training
///   seeds, with training data from CURVES_DIR/LEARNER-SEED.csv (written by runs --csv);
///
/// - `seeds CURVES_DIR TEST.json`: the training seeds of one learner;
///
/// - `courses CURVE.csv...`: the first and the last generation of runs;
///
/// - `progress CURVE.csv N`: every N-th generation of a run;
///
/// - `deaths FILE STEP...`: averages over the boards of deaths --json;
///
/// - `entries FILE N`: the strongest entries in the output of tables --json;
///
/// - `speeds FILE`: the output of bench --json;
///
/// - `csv FILE`: a CSV file without changes;
///
/// - `rows SECTION`: a table described in tables.toml, which names the rows and the result behind
///   every number;
///
/// - `reproduction FOLDER`: the results of `reproduce --scale paper --out FOLDER/ID` compared with
///   all published numbers.
///
/// Files are relative to experiments/; `reproduction/ID@STAGE` is the result of a stage.
///
/// Comments also request pictures: `<!-- picture: standings docs/FILE.svg SECTION RESULT.json...
/// -->` draws means with intervals, `<!-- picture: contest docs/FILE.svg TEST.json... -->` draws
/// the means of players named LEARNER-SEED, and `<!-- picture: curves docs/FILE.svg
/// LEARNER-SEED.csv...
/// -->` draws learning curves. In the names of curves, `*` matches any number of letters and `?`
/// matches one. Picture paths are relative to the root of the project.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The documents [default: those of the project].
    #[arg(value_name = "FILE.md")]
    documents: Vec<PathBuf>,
    /// Write nothing; fail if a table or picture differs from the raw results.
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let named = &args.documents;
    let documents = if named.is_empty() {
        DOCUMENTS.map(PathBuf::from).to_vec()
    } else {
        named.clone()
    };
    for path in &documents {
        let shown = path.display();
        let text = read_text(path)?;
        let experiments = Path::new("experiments");
        let made = with_tables(&text, experiments).with_context(|| shown.to_string())?;
        let drawn = pictures(&text, experiments).with_context(|| shown.to_string())?;
        match (made == text, args.check) {
            (true, _) => line(&format!("{shown}: agrees with the raw results"))?,
            (false, true) => bail!("{shown}: {}", first_difference(&text, &made)),
            (false, false) => {
                fs::write(path, made).with_context(|| shown.to_string())?;
                line(&format!("{shown}: written"))?;
            }
        }
        for picture in drawn {
            settle(&picture, Path::new(""), args.check)?;
        }
    }
    Ok(())
}

/// Writes a picture, or checks that it is up to date.
fn settle(picture: &DrawnPicture, root: &Path, check: bool) -> anyhow::Result<()> {
    let (path, shown) = (root.join(&picture.file), picture.file.display());
    let is = fs::read_to_string(&path).ok();
    match (is.as_ref() == Some(&picture.svg), check) {
        (true, _) => line(&format!("{shown}: agrees with the raw results"))?,
        (false, true) if is.is_none() => {
            bail!("{shown}: missing; run `tetrolab results`")
        }
        (false, true) => {
            bail!("{shown}: does not agree with the raw results; run `tetrolab results`")
        }
        (false, false) => {
            fs::write(&path, &picture.svg).with_context(|| shown.to_string())?;
            line(&format!("{shown}: drawn"))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_that_differs_from_the_raw_results_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let picture = DrawnPicture {
            file: PathBuf::from("a.svg"),
            svg: "<svg/>".to_owned(),
        };
        let check = || settle(&picture, folder.path(), true);
        assert!(check().unwrap_err().to_string().contains(": missing"));
        settle(&picture, folder.path(), false).unwrap();
        check().unwrap();
        fs::write(folder.path().join("a.svg"), "<svg />").unwrap();
        assert!(
            check()
                .unwrap_err()
                .to_string()
                .contains("does not agree with the raw results")
        );
        settle(&picture, folder.path(), false).unwrap();
        check().unwrap();
    }
}
