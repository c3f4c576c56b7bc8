//! `tetrolab report`: results, runs and players as HTML pages.

mod player;

use crate::command;
use crate::machine::MachineFlags;
use crate::output::about;
use crate::plot::generations::{Source, reference};
use crate::plot::{said, scores};
use crate::reproduce::REPORT;
use anyhow::{Context, bail};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tetrolab::experiments::ExperimentReport;
use tetrolab::learning::{Learning, RunFolder, write_whole};
use tetrolab::library::read_long_text;
use tetrolab::report::curves::ReferenceVector;
use tetrolab::report::page::of::{
    RunReport, comparison_page, evaluation_page, games_page, run_page,
};
use tetrolab::report::page::{IndexEntry, Page, index_html};

/// The maximum size of a page, which should be readable on a phone and small enough to mail.
const LARGEST: usize = 2_000_000;

const EXAMPLES: &str = "\
Examples:
  tetrolab eval bcts dt-10 --json > eval.json && tetrolab report eval.json
  tetrolab report runs/mine --out mine.html
  tetrolab report bcts dellacherie runs/mine --out pages";

/// Write an HTML page about a learning run, an experiment, a result, a table of games, or a player.
///
/// A page is a single file that needs no network access, with tables, intervals, commands, plots,
/// and games to replay. A SOURCE is
///
/// - the folder of a learning run (runs/mine) or of an experiment
///   (runs/reproduce/strategies-quick);
///
/// - the output of `eval`, `compare` or `reproduce` with --json (FILE.json);
///
/// - a table of games (FILE.csv of `eval --csv`);
///
/// - a player: a published name, a player file (FILE.toml) or a spec, whose games are then played
///   (--games, --ruleset).
///
/// With several sources, the folder --out receives one page for each and an index.html.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Runs, results, tables of games, players.
    #[arg(required = true, value_name = "SOURCE")]
    sources: Vec<String>,
    /// The file to write or, with several sources, the folder [default: report.html or report].
    #[arg(long, value_name = "FILE|DIR")]
    out: Option<PathBuf>,
    /// For players: the ruleset of their games.
    #[arg(long, value_name = "RULESET", default_value = "simplified-10x10")]
    pub(super) ruleset: String,
    /// For players: the number of games.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(super) games: u64,
    /// For players: truncate games after this many pieces.
    #[arg(long, value_name = "P", default_value_t = 20_000)]
    pub(super) max_pieces: u64,
    /// For players: the seed of the games.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(super) seed: u64,
    #[command(flatten)]
    pub(super) machine: MachineFlags,
    /// Print the data of the pages as JSON instead of writing them.
    #[arg(long, conflicts_with = "out")]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    // All pages are generated before anything is written.
    let mut pages = Vec::new();
    for source in &args.sources {
        let page = page(args, source).map_err(|error| about(source, error))?;
        let html = page.html();
        if html.len() > LARGEST {
            let size = html.len() as f64 / 1e6;
            bail!(
                "{source}: the page would have {size:.1} MB, but the limit is 2 MB; report fewer players, runs or games"
            );
        }
        pages.push((page, html));
    }
    if args.json {
        let data: Vec<&Page> = pages.iter().map(|page| &page.0).collect();
        match data[..] {
            [page] => crate::output::print_json(page)?,
            _ => crate::output::print_json(&data)?,
        }
        return Ok(());
    }
    match &pages[..] {
        [(_, html)] => write_one(args, html),
        pages => write_all(args, pages),
    }
}

/// Builds the page of a source.
fn page(args: &Args, source: &str) -> anyhow::Result<Page> {
    let path = Path::new(source);
    if source.ends_with(".json") {
        return page_of(read_json(path)?);
    }
    if source.ends_with(".csv") {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let title = format!("Games of {name}");
        return Ok(games_page(&title, &scores::read(source)?)?);
    }
    let experiment = path.join(REPORT);
    if experiment.is_file() {
        return page_of(read_json(&experiment)?);
    }
    if path.is_dir() {
        return run_of(&RunFolder::at(path)?);
    }
    player::page(args, source)
}

fn read_json(path: &Path) -> anyhow::Result<Value> {
    let text = read_long_text(path)?;
    serde_json::from_str(&text).context("not valid JSON")
}

/// Builds the page of a result.
fn page_of(json: Value) -> anyhow::Result<Page> {
    let has = |key: &str| json.get(key).is_some();
    Ok(if has("results") {
        evaluation_page(&json)?
    } else if has("verdict") {
        comparison_page(&json)?
    } else if has("experiment") {
        serde_json::from_value::<ExperimentReport>(json)?.page()
    } else if has("sections") {
        serde_json::from_value(json)?
    } else {
        bail!("expected the output of `eval`, `compare` or `reproduce` with --json")
    })
}

/// Builds the page of a learning run.
fn run_of(folder: &RunFolder) -> anyhow::Result<Page> {
    let test = crate::learn::test::summary(&folder.path());
    let source = Source::of_run(folder)?;
    let plan = source
        .plan
        .as_ref()
        .context("the store has no plan for it")?;
    Ok(run_page(&RunReport {
        run: &source.run,
        plan,
        command: &command::learning(plan),
        test: test.as_ref().map(|test| &test.json),
        references: &references(plan),
    })?)
}

/// Published players with the same features.
fn references(plan: &Learning) -> Vec<ReferenceVector> {
    let published = tetrolab::library::published(&plan.features);
    let is_linear = published.is_some_and(|file| file.form() == "linear");
    let found = is_linear.then(|| reference(&plan.features).ok()).flatten();
    found.into_iter().collect()
}

fn write_one(args: &Args, html: &str) -> anyhow::Result<()> {
    let file = args.out.clone().unwrap_or_else(|| "report.html".into());
    let file = if file.is_dir() {
        file.join("report.html")
    } else {
        file
    };
    write_whole(&file, html)?;
    said(&file)
}

/// Writes several pages and their index.
fn write_all(args: &Args, pages: &[(Page, String)]) -> anyhow::Result<()> {
    let folder = args.out.clone().unwrap_or_else(|| "report".into());
    if folder.exists() && !folder.is_dir() {
        bail!(
            "{}: expected a folder for several pages, found a file",
            folder.display()
        );
    }
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let mut entries: Vec<IndexEntry> = Vec::new();
    for ((page, html), source) in pages.iter().zip(&args.sources) {
        let known: Vec<&str> = entries.iter().map(|entry| &*entry.file).collect();
        let file = file_name(source, &known);
        write_whole(&folder.join(&file), html)?;
        entries.push(IndexEntry {
            file,
            title: page.title.clone(),
            summary: page.question.replace('`', ""),
        });
    }
    let index = folder.join("index.html");
    write_whole(&index, &index_html("Reports", &entries))?;
    said(&index)
}

/// A file name for a source, in plain letters and different from the names already used.
fn file_name(source: &str, known: &[&str]) -> String {
    let name = Path::new(source).file_name().unwrap_or_default();
    let name = name.to_string_lossy();
    let plain = |letter: char| match letter {
        letter if letter.is_ascii_alphanumeric() || letter == '-' || letter == '_' => letter,
        _ => '-',
    };
    let name: String = name.chars().map(plain).collect();
    let name = match name.trim_matches('-') {
        "" | "index" => "page".to_owned(),
        name => name.chars().take(80).collect(),
    };
    let mut number = 1;
    loop {
        let file = match number {
            1 => format!("{name}.html"),
            _ => format!("{name}-{number}.html"),
        };
        if !known.contains(&&*file) {
            return file;
        }
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn pages_have_plain_names_of_their_own() {
        assert_eq!(file_name("runs/mine", &[]), "mine.html");
        assert_eq!(file_name("greedy(bcts)", &[]), "greedy-bcts.html");
        assert_eq!(file_name("x/index", &["page.html"]), "page-2.html");
        assert_eq!(file_name("a.json", &["a-json.html"]), "a-json-2.html");
    }
}
