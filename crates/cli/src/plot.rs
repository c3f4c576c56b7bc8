//! `tetrolab plot`: plots of runs and games as SVG files.

pub(crate) mod generations;
pub(crate) mod scores;

use crate::output::{about, line, print_json, print_wrapped};
use anyhow::{anyhow, bail};
use clap::ValueEnum;
use generations::Source;
use std::path::{Path, PathBuf};
use tetrolab::draw::plot::Plot;
use tetrolab::learning::write_whole;
use tetrolab::report::curves::CurveOver;

const EXAMPLES: &str = "\
Examples:
  tetrolab plot curves runs/swarm-1 runs/swarm-2 runs/cma-1 --svg curves.svg
  tetrolab plot curves curves/q-network-*.csv --x seconds --svg curves.svg
  tetrolab plot boxes runs/boumaza-* --reference dellacherie --svg weights.svg
  tetrolab eval bcts --games 1000 --csv games.csv
  tetrolab plot histogram games.csv --svg scores.svg";

/// Draw learning curves, weights, or the scores of games as SVG.
///
/// curves, weights, steps and boxes take learning runs (a name, a folder, or a CSV file of `runs
/// --csv`); histogram and survival take CSV files of `eval --csv`. Runs whose names differ only in
/// a number at the end (swarm-1, swarm-2) form one group, with a median and a band. Hovering over a
/// mark shows its name and value.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The kind of plot.
    #[arg(value_enum, value_name = "KIND")]
    kind: PlotKind,
    /// Learning runs, or CSV files.
    #[arg(required = true, value_name = "RUN|FILE")]
    sources: Vec<String>,
    /// The file to write.
    #[arg(long, value_name = "FILE", required_unless_present = "json")]
    svg: Option<PathBuf>,
    /// The horizontal axis of curves.
    #[arg(long, value_enum, value_name = "UNIT", default_value_t = Over::Pieces)]
    x: Over,
    /// Boxes: a player whose weights are drawn next to the learned ones; can be repeated.
    #[arg(long, value_name = "PLAYER")]
    reference: Vec<String>,
    /// Histogram: which player, if the file contains several.
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,
    /// Folder of the lab in which to look up runs by name [default: runs].
    #[arg(long, value_name = "DIR")]
    lab: Option<PathBuf>,
    /// Print the data of the plot as JSON.
    #[arg(long)]
    json: bool,
    /// Accepted by every command; a plot draws no random numbers.
    #[arg(long, hide = true)]
    seed: Option<u64>,
}

/// The kind of plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PlotKind {
    /// Learning curves: median, band and one line per run.
    Curves,
    /// The weights of a run over generations.
    Weights,
    /// The step size and the eigenvalues of a run's search distribution.
    Steps,
    /// Box plots of learned weight vectors.
    Boxes,
    /// Scores of a player's games, with the exponential distribution of the same mean.
    Histogram,
    /// Share of games that reach a score, on a logarithmic axis.
    Survival,
}

/// The horizontal axis of curves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Over {
    Pieces,
    Games,
    Seconds,
    Generations,
}

impl From<Over> for CurveOver {
    fn from(over: Over) -> CurveOver {
        match over {
            Over::Pieces => CurveOver::Pieces,
            Over::Games => CurveOver::Games,
            Over::Seconds => CurveOver::Seconds,
            Over::Generations => CurveOver::Generations,
        }
    }
}

/// A plot, and a remark about the comparability of its data.
pub(crate) struct Drawing {
    pub(crate) plot: Plot,
    pub(crate) remark: Option<String>,
    /// The plot's sources, for error messages.
    pub(crate) names: String,
}

impl Drawing {
    /// Writes the plot to a file that appears only once it is complete, and prints the remark.
    pub(crate) fn write(&self, file: &Path) -> anyhow::Result<()> {
        let drawn = self.plot.svg();
        let svg = drawn.map_err(|_| anyhow!("{}: there is nothing to draw", self.names))?;
        write_whole(file, &svg)?;
        match &self.remark {
            Some(remark) => Ok(print_wrapped(remark)?),
            None => Ok(()),
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    args.check()?;
    let drawing = args.drawing()?;
    if args.json {
        print_json(&drawing.plot)?;
    }
    match &args.svg {
        Some(file) => drawing.write(file),
        None => Ok(()),
    }
}

impl Args {
    /// Rejects flags that belong to another kind of plot.
    fn check(&self) -> anyhow::Result<()> {
        if self.x != Over::Pieces && self.kind != PlotKind::Curves {
            bail!("--x applies only to `plot curves`");
        }
        if !self.reference.is_empty() && self.kind != PlotKind::Boxes {
            bail!("--reference applies only to `plot boxes`");
        }
        if self.player.is_some() && self.kind != PlotKind::Histogram {
            bail!("--player is for `plot histogram`");
        }
        Ok(())
    }

    fn drawing(&self) -> anyhow::Result<Drawing> {
        match self.kind {
            PlotKind::Histogram => {
                scores::histogram(self.only("histogram")?, self.player.as_deref())
            }
            PlotKind::Survival => scores::survival(&self.sources),
            PlotKind::Curves => generations::curves(&self.runs()?, self.x.into()),
            PlotKind::Boxes => generations::boxes(&self.runs()?, &self.reference),
            PlotKind::Weights => {
                self.only("weights")?;
                generations::weights(&self.runs()?[0])
            }
            PlotKind::Steps => {
                self.only("steps")?;
                generations::steps(&self.runs()?[0])
            }
        }
    }

    /// The source, if there is exactly one.
    fn only(&self, kind: &str) -> anyhow::Result<&str> {
        match &self.sources[..] {
            [source] => Ok(source),
            sources => bail!(
                "`plot {kind}` draws one run, got {}; `plot curves` and `plot boxes` draw several",
                sources.len()
            ),
        }
    }

    fn runs(&self) -> anyhow::Result<Vec<Source>> {
        let lab = self.lab.as_deref();
        let sources = self.sources.iter();
        let read = |text: &String| Source::read(text, lab).map_err(|error| about(text, error));
        sources.map(read).collect()
    }
}

/// Prints where a page or plot was written.
pub(crate) fn said(path: &Path) -> anyhow::Result<()> {
    Ok(line(&path.display().to_string())?)
}
