//! Plots as SVG: data ([`Plot`] and its kinds) without layout, and how each kind is drawn.
//!
//! A plot is a function of its data, to the byte.

pub(super) mod axis;
mod data;
mod summary;

pub use data::{
    BarPlot, BarRow, BoxPlot, BoxRow, CurveGroup, CurvePlot, CurveTrace, DotPlot, DotRow, HeatMap,
    Histogram, LinePanel, LineSeries, PanelPlot, Plot, PlotAxis, PlotDot, PlotScale, PlotTitle,
    ReferencePoint, SurvivalCurve, SurvivalPlot,
};
