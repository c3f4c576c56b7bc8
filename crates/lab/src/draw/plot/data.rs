//! The data of plots: plain values without layout, colours or sizes.
//!
//! Points that are not finite are omitted when the plot is drawn. [`Histogram::of_scores`] and
//! [`SurvivalCurve::of_games`] summarise games, so that a plot stays small however many games it
//! describes.

use serde::{Deserialize, Serialize};

/// A plot as plain data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Plot {
    /// Histogram of scores, with the exponential distribution of the same mean.
    Histogram(Histogram),
    /// Survival curves of scores: the share of games that reach a score.
    Survival(SurvivalPlot),
    /// Learning curves: median, band and one trace per seed.
    Curves(CurvePlot),
    /// Lines over a common horizontal axis, in one panel or several.
    Panels(PanelPlot),
    /// Box plots next to reference points.
    Boxes(BoxPlot),
    /// A grid of cells with values.
    HeatMap(HeatMap),
    /// Horizontal bars.
    Bars(BarPlot),
    /// Rows of dots with intervals next to reference points.
    Dots(DotPlot),
}

/// The title of a plot and the line below it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlotTitle {
    /// The first line.
    pub title: String,
    /// The second line, the meaning of the marks; may be empty.
    #[serde(default)]
    pub note: String,
}

impl PlotTitle {
    /// A title with a note.
    #[must_use]
    pub fn new(title: impl Into<String>, note: impl Into<String>) -> PlotTitle {
        PlotTitle {
            title: title.into(),
            note: note.into(),
        }
    }
}

/// An axis: its label, and how values are positioned on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlotAxis {
    /// The label of the axis, with the unit.
    pub label: String,
    /// How values are positioned on the axis.
    #[serde(default)]
    pub scale: PlotScale,
}

impl PlotAxis {
    /// An axis whose scale is chosen from its values.
    #[must_use]
    pub fn new(label: impl Into<String>) -> PlotAxis {
        PlotAxis {
            label: label.into(),
            scale: PlotScale::Auto,
        }
    }

    /// The same axis with this scale.
    #[must_use]
    pub fn scaled(self, scale: PlotScale) -> PlotAxis {
        PlotAxis { scale, ..self }
    }
}

/// How values are positioned on an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlotScale {
    /// Logarithmic if the positive numbers differ by more than a factor of 20, otherwise linear.
    #[default]
    Auto,
    /// Linear.
    Linear,
    /// Logarithmic; numbers that are not positive are placed at the lower end.
    Log,
}

/// A histogram.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Histogram {
    /// Title and note.
    #[serde(flatten)]
    pub title: PlotTitle,
    /// The counted quantity, such as "lines of a game".
    pub label: String,
    /// The lower end of the first bin.
    pub from: f64,
    /// The width of a bin.
    pub width: f64,
    /// The number of values in each bin.
    pub counts: Vec<u64>,
    /// The mean of the exponential distribution that is drawn over the bins, if any.
    #[serde(default)]
    pub fit: Option<f64>,
}

/// Survival curves of one or several players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurvivalPlot {
    /// Title and note.
    #[serde(flatten)]
    pub title: PlotTitle,
    /// The score, such as "lines of a game".
    pub label: String,
    /// The curves.
    pub curves: Vec<SurvivalCurve>,
}

/// The share of games that reach a score (Kaplan and Meier 1958 if games were truncated).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurvivalCurve {
    /// The player whose games are shown.
    pub name: String,
    /// Scores, each with the share of games that exceed it; both in order.
    pub points: Vec<(f64, f64)>,
    /// The mean of the exponential distribution that is drawn next to it, if any.
    #[serde(default)]
    pub fit: Option<f64>,
}

/// Learning curves of several groups of runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurvePlot {
    /// Title and note.
    #[serde(flatten)]
    pub title: PlotTitle,
    /// The horizontal axis, such as "pieces of training".
    pub x: PlotAxis,
    /// The vertical axis.
    pub y: PlotAxis,
    /// One group for each learning method.
    pub groups: Vec<CurveGroup>,
}

/// Runs that differ only in their seed: one colour, one median, one band.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CurveGroup {
    /// The name in the legend.
    pub name: String,
    /// One trace for each run.
    pub traces: Vec<CurveTrace>,
}

/// One run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CurveTrace {
    /// The name of the run, shown when the pointer is over it, such as "seed 3".
    pub name: String,
    /// The points of the run, with increasing `x`.
    pub points: Vec<(f64, f64)>,
    /// A second, paler line, such as the mean of each generation next to its best; may be empty.
    #[serde(default)]
    pub pale: Vec<(f64, f64)>,
}

/// Panels with lines, one above the other, over a common horizontal axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PanelPlot {
    /// Title and note.
    #[serde(flatten)]
    pub title: PlotTitle,
    /// The horizontal axis.
    pub x: PlotAxis,
    /// The panels from the top.
    pub panels: Vec<LinePanel>,
}

/// One panel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinePanel {
    /// The vertical axis of the panel.
    pub y: PlotAxis,
    /// The lines of the panel.
    pub series: Vec<LineSeries>,
}

/// One line. Lines of the same name have the same colour in all panels.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LineSeries {
    /// The name in the legend.
    pub name: String,
    /// The points of the line, with increasing `x`.
    pub points: Vec<(f64, f64)>,
}

/// Box plots, one row each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoxPlot {
    /// Title and note.
    #[serde(flatten)]
    pub title: PlotTitle,
    /// The horizontal axis.
    pub x: PlotAxis,
    /// The rows from the top.
    pub rows: Vec<BoxRow>,
}

/// The values of one row, such as one weight of twenty learned vectors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BoxRow {
    /// The name next to the box.
    pub name: String,
    /// The values: the box shows their quartiles, the whiskers extend to the last value within 1.5
    /// times the length of the box (Tukey), and all other values are dots.
    pub values: Vec<f64>,
    /// Reference values for comparison.
    #[serde(default)]
    pub references: Vec<ReferencePoint>,
}

/// A published value next to measured ones. Points of the same name have the same mark.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReferencePoint {
    /// The name in the legend, such as "published".
    pub name: String,
    /// The value of the reference.
    pub value: f64,
}

/// A grid of cells with values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeatMap {
    /// Title and note.
    #[serde(flatten)]
    pub title: PlotTitle,
    /// Label of the rows.
    pub row_label: String,
    /// Label of the columns.
    pub column_label: String,
    /// Label of the values.
    pub value_label: String,
    /// How values are mapped to colours.
    #[serde(default)]
    pub scale: PlotScale,
    /// The names of the rows from the top.
    pub rows: Vec<String>,
    /// The names of the columns from the left.
    pub columns: Vec<String>,
    /// One list per row, with one value per column; `None` is an empty cell.
    pub cells: Vec<Vec<Option<f64>>>,
}

/// Horizontal bars, such as the probabilities of the levels of splitting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BarPlot {
    /// Title and note.
    #[serde(flatten)]
    pub title: PlotTitle,
    /// The axis of the bars' lengths.
    pub x: PlotAxis,
    /// The bars from the top.
    pub rows: Vec<BarRow>,
}

/// One bar.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BarRow {
    /// The name next to the bar.
    pub name: String,
    /// The length of the bar.
    pub value: f64,
    /// The text after the bar; may be empty.
    #[serde(default)]
    pub note: String,
}

/// Rows of dots with intervals: one row for each learning method or quantity, one dot for each
/// measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DotPlot {
    /// Title and note.
    #[serde(flatten)]
    pub title: PlotTitle,
    /// The horizontal axis.
    pub x: PlotAxis,
    /// The rows from the top.
    pub rows: Vec<DotRow>,
}

/// One row of dots. A row with several dots has a bar at the median.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DotRow {
    /// The name next to the row. Rows of the same name have the same colour.
    pub name: String,
    /// The dots from the top of the row.
    pub dots: Vec<PlotDot>,
    /// Reference values for comparison, such as published ones.
    #[serde(default)]
    pub references: Vec<ReferencePoint>,
    /// The number of training runs whose range the intervals are; 0 for 95 % intervals.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub range_of_runs: usize,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature that serde needs"
)]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// One measurement.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlotDot {
    /// The value of the measurement.
    pub mean: f64,
    /// The 95 % interval, or the range of training runs (see [`DotRow::range_of_runs`]), if there is
    /// one.
    #[serde(default)]
    pub interval: Option<[f64; 2]>,
}
