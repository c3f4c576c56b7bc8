//! Box plots next to reference points.

use super::axis::ChartAxis;
use super::canvas::{Canvas, Drawn, below_title, names_width, short_name};
use super::data::{BoxPlot, BoxRow};
use super::field::{RowField, row_end};
use super::legend::{self, LegendEntry, LegendMark, reference};
use super::palette::Palette;
use super::quartiles::BoxSummary;
use super::{PlotError, list_of_names, show_value};
use crate::draw::MARGIN;
use crate::draw::paper::TextStyle;

/// The height of a row, and of the box in it.
const ROW: usize = 30;
const BOX: f64 = 14.0;
/// Fewer values than this are drawn as dots only.
const FEWEST: usize = 5;

pub(super) fn draw(plot: &BoxPlot) -> Result<Drawn, PlotError> {
    let rows = plot.rows.iter();
    let numbers = rows.flat_map(|row| {
        let references = row.references.iter().map(|point| point.value);
        row.values.iter().copied().chain(references)
    });
    let x = ChartAxis::new(plot.x.scale, numbers).ok_or(PlotError::NoPoints)?;
    let left = MARGIN + names_width(plot.rows.iter().map(|row| &*row.name)) + 12;
    let mut canvas = Canvas::new(&plot.title, row_end(left) + 2 * MARGIN);
    let references = plot.rows.iter().flat_map(|row| &row.references);
    let references = Palette::in_order(references.map(|point| &*point.name));
    let entry =
        |(index, name): (usize, &&str)| LegendEntry::new(LegendMark::Reference(index), name);
    let entries: Vec<LegendEntry> = references.names().iter().enumerate().map(entry).collect();
    let top = legend::draw(
        &mut canvas,
        &entries,
        below_title(&plot.title),
        row_end(left),
    );
    let field = RowField { left, top, x };
    let bottom = top + plot.rows.len() * ROW + 6;
    field.axis(&mut canvas, bottom, &plot.x.label);
    for (index, row) in plot.rows.iter().enumerate() {
        let middle = (top + index * ROW + ROW / 2 + 3) as f64;
        let at = (left as f64 - 12.0, middle + 4.5);
        canvas.text(at, TextStyle::Number, &short_name(&row.name));
        draw_row(&mut canvas, &field, row, middle);
        for point in row
            .references
            .iter()
            .filter(|point| point.value.is_finite())
        {
            let hover = format!("{}: {} {}", row.name, point.name, show_value(point.value));
            canvas.group("trace", &hover, |canvas| {
                let at = (field.x(point.value), middle);
                reference(canvas, references.index(&point.name), at);
            });
        }
    }
    let names: Vec<&str> = plot.rows.iter().map(|row| &*row.name).collect();
    Ok(canvas.finish(&format!("Box plots of {}.", list_of_names(&names))))
}

fn draw_row(canvas: &mut Canvas<'_>, field: &RowField, row: &BoxRow, y: f64) {
    let Some(summary) = BoxSummary::of(&row.values) else {
        return;
    };
    let [low, median, high] = summary.quartiles;
    if row.values.len() < FEWEST {
        for &value in row.values.iter().filter(|value| value.is_finite()) {
            canvas.dot("c0", (field.x(value), y), 3.5);
        }
        return;
    }
    let hover = format!(
        "{}: median {}, quartiles {} and {}, {} values",
        row.name,
        show_value(median),
        show_value(low),
        show_value(high),
        row.values.len()
    );
    canvas.group("trace", &hover, |canvas| {
        let [from, to] = summary.whiskers.map(|value| field.x(value));
        canvas.straight("interval c0", (from, y), (field.x(low), y));
        canvas.straight("interval c0", (field.x(high), y), (to, y));
        let width = (field.x(high) - field.x(low)).max(1.0);
        canvas.rect("box c0", (field.x(low), y - BOX / 2.0), (width, BOX), "");
        let x = field.x(median);
        canvas.straight("median", (x, y - BOX / 2.0), (x, y + BOX / 2.0));
        for &value in &summary.outliers {
            canvas.dot("c0", (field.x(value), y), 2.5);
        }
    });
}
