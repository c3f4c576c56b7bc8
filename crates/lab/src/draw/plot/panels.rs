//! Lines over a common horizontal axis, in panels one above the other: weights over generations,
//! eigenvalues and step sizes, features in a game.

use super::axis::{ChartAxis, tick_label};
use super::canvas::{Canvas, Drawn, below_title};
use super::data::PanelPlot;
use super::field::{ABOVE, HEIGHT, PlotField, WIDTH, finite, labels, left_of};
use super::legend::{self, LegendEntry, LegendMark};
use super::palette::Palette;
use super::{PlotError, list_of_names};
use crate::draw::MARGIN;

/// The height of a panel among several.
const PANEL: usize = 96;
/// With at least this many panels, each is lower; panels of a single line are lower still.
const MANY: usize = 4;
const LOW_PANEL: usize = 62;

pub(super) fn draw(plot: &PanelPlot) -> Result<Drawn, PlotError> {
    let series = || plot.panels.iter().flat_map(|panel| &panel.series);
    let x = series().flat_map(|one| finite(&one.points).map(|point| point.0));
    let x = ChartAxis::of_progress(plot.x.scale, x).ok_or(PlotError::NoPoints)?;
    let mut fields = Vec::new();
    let height = match plot.panels.len() {
        0 | 1 => HEIGHT,
        2..MANY => PANEL + PANEL / 2,
        _ if plot.panels.iter().all(|panel| panel.series.len() == 1) => LOW_PANEL,
        _ => PANEL + 10,
    };
    for panel in &plot.panels {
        let numbers = panel.series.iter().flat_map(|one| finite(&one.points));
        let y = ChartAxis::new(panel.y.scale, numbers.map(|point| point.1));
        if let Some(y) = y {
            let y = if height < PANEL {
                y.with_few_ticks()
            } else {
                y
            };
            fields.push((panel, y));
        }
    }
    let lefts = fields.iter().map(|(_, y)| left_of(&labels(y)));
    let left = lefts.max().ok_or(PlotError::NoPoints)?;
    let mut canvas = Canvas::new(&plot.title, left + WIDTH + 2 * MARGIN);
    let palette = Palette::in_order(series().map(|one| &*one.name));
    let mut top = legend_of(&mut canvas, plot, &palette, left);
    let last = fields.len() - 1;
    for (index, (panel, y)) in fields.into_iter().enumerate() {
        let field = PlotField {
            left,
            top: top + ABOVE,
            height,
            x,
            y,
        };
        field.vertical(&mut canvas, &panel.y.label, tick_label);
        if index == last {
            field.horizontal(&mut canvas, &plot.x.label);
        }
        for one in &panel.series {
            let class = palette.class(&one.name);
            let places = field.places(&one.points);
            canvas.group("trace", &one.name, |canvas| {
                canvas.line(&format!("curve {class}"), &places);
                if places.len() > 1 {
                    canvas.line("hit", &places);
                }
            });
        }
        top = field.bottom() + 6;
    }
    Ok(canvas.finish(&format!(
        "Lines over {}: {}.",
        plot.x.label,
        list_of_names(palette.names())
    )))
}

/// Draws the legend, unless each panel names its only line itself; returns where it ends.
fn legend_of(
    canvas: &mut Canvas<'_>,
    plot: &PanelPlot,
    palette: &Palette<'_>,
    left: usize,
) -> usize {
    let top = below_title(&plot.title);
    let mut panels = plot.panels.iter();
    if panels.all(|panel| panel.series.len() == 1) {
        return top;
    }
    let entry = |name: &&str| LegendEntry::new(LegendMark::Line(palette.class(name)), name);
    let entries: Vec<LegendEntry> = palette.names().iter().map(entry).collect();
    legend::draw(canvas, &entries, top, left + WIDTH)
}
