//! Plots as SVG: data ([`Plot`] and its kinds) without layout, and how each kind is drawn.
//!
//! The same data always give the same bytes. All kinds share the code for axes, legends and
//! palettes, and one style sheet (`plot.css`), whose colours follow the reader's preference for
//! light or dark. Texts are shown when the pointer is over a mark, without scripts.

mod axis;
mod bars;
mod boxes;
mod canvas;
mod curves;
mod data;
mod dots;
mod field;
mod heat_map;
mod histogram;
mod legend;
mod palette;
mod panels;
mod quartiles;
mod summary;
mod survival;

pub(crate) use canvas::STYLE;
pub use data::{
    BarPlot, BarRow, BoxPlot, BoxRow, CurveGroup, CurvePlot, CurveTrace, DotPlot, DotRow, HeatMap,
    Histogram, LinePanel, LineSeries, PanelPlot, Plot, PlotAxis, PlotDot, PlotScale, PlotTitle,
    ReferencePoint, SurvivalCurve, SurvivalPlot,
};

use crate::number::show;
use canvas::Drawn;

/// Why a plot cannot be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlotError {
    /// The plot has no numbers.
    #[error("there is nothing to draw: the plot has no points")]
    NoPoints,
}

impl Plot {
    /// The plot as an SVG file.
    ///
    /// # Errors
    /// If it has no points.
    pub fn svg(&self) -> Result<String, PlotError> {
        Ok(self.draw()?.file())
    }

    /// The plot as an element of a page that has the style sheet of plots.
    ///
    /// # Errors
    /// If it has no points.
    pub fn inline_svg(&self) -> Result<String, PlotError> {
        Ok(self.draw()?.inline())
    }

    fn draw(&self) -> Result<Drawn, PlotError> {
        match self {
            Plot::Histogram(plot) => histogram::draw(plot),
            Plot::Survival(plot) => survival::draw(plot),
            Plot::Curves(plot) => curves::draw(plot),
            Plot::Panels(plot) => panels::draw(plot),
            Plot::Boxes(plot) => boxes::draw(plot),
            Plot::HeatMap(plot) => heat_map::draw(plot),
            Plot::Bars(plot) => bars::draw(plot),
            Plot::Dots(plot) => dots::draw(plot),
        }
    }
}

/// A value in a text of a plot: [`show`], with more digits for small values.
fn show_value(value: f64) -> String {
    match value.abs() {
        size if size > 0.0 && size < 0.001 => format!("{value:.2e}"),
        size if size > 0.0 && size < 0.1 => format!("{value:.4}"),
        _ => show(value),
    }
}

/// Names in a sentence, truncated after twelve.
fn list_of_names(names: &[&str]) -> String {
    const MOST: usize = 12;
    let list = names.iter().take(MOST).copied();
    let list = list.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST) {
        0 => list,
        more => format!("{list} and {more} more"),
    }
}

#[cfg(test)]
mod tests;
