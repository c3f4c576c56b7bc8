//! Horizontal bars with notes after them.

use super::axis::ChartAxis;
use super::canvas::{Canvas, Drawn, below_title, names_width, short_name, words_width};
use super::data::{BarPlot, PlotScale};
use super::field::{RowField, row_end};
use super::{PlotError, list_of_names, show_value};
use crate::draw::MARGIN;
use crate::draw::paper::TextStyle;

/// The height of a row, and of the bar in it.
const ROW: usize = 26;
const BAR: f64 = 16.0;

pub(super) fn draw(plot: &BarPlot) -> Result<Drawn, PlotError> {
    let values = || plot.rows.iter().map(|row| row.value);
    let values_and_zero = values().chain([0.0]);
    let x = match plot.x.scale {
        PlotScale::Linear => ChartAxis::new(PlotScale::Linear, values_and_zero),
        scale => ChartAxis::new(scale, values()),
    };
    let x = x.ok_or(PlotError::NoPoints)?;
    let left = MARGIN + names_width(plot.rows.iter().map(|row| &*row.name)) + 12;
    let mut canvas = Canvas::new(&plot.title, row_end(left) + 2 * MARGIN);
    let top = below_title(&plot.title);
    let field = RowField { left, top, x };
    let bottom = top + plot.rows.len() * ROW + 4;
    field.axis(&mut canvas, bottom, &plot.x.label);
    for (index, row) in plot.rows.iter().enumerate() {
        let middle = (top + index * ROW + ROW / 2 + 2) as f64;
        let name = short_name(&row.name);
        canvas.text((left as f64 - 12.0, middle + 4.5), TextStyle::Number, &name);
        if !row.value.is_finite() {
            continue;
        }
        let zero = if x.is_linear() {
            field.x(0.0)
        } else {
            left as f64
        };
        let end = field.x(row.value);
        let hover = format!("{}: {} {}", row.name, show_value(row.value), row.note);
        let at = (zero.min(end), middle - BAR / 2.0);
        let size = ((end - zero).abs().max(1.0), BAR);
        canvas.rect("fill c0", at, size, hover.trim_end());
        // A note that does not fit after its bar is written inside it.
        let needed = words_width(&row.note, 12) as f64 + 8.0;
        if end + needed < (row_end(left) + MARGIN) as f64 {
            canvas.text((end + 6.0, middle + 4.5), TextStyle::Head, &row.note);
        } else {
            let at = (end - 6.0, middle + 4.5);
            canvas.text(at, TextStyle::OnBar, &row.note);
        }
    }
    let names: Vec<&str> = plot.rows.iter().map(|row| &*row.name).collect();
    Ok(canvas.finish(&format!(
        "Bars of {}: {}.",
        plot.x.label,
        list_of_names(&names)
    )))
}
