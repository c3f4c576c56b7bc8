//! Rows of dots with intervals, next to reference points.

use super::axis::ChartAxis;
use super::canvas::{Canvas, Drawn, below_title, names_width, short_name};
use super::data::{DotPlot, DotRow, PlotDot};
use super::field::{RowField, row_end};
use super::legend::{self, LegendEntry, LegendMark, reference};
use super::palette::Palette;
use super::{PlotError, list_of_names, show_value};
use crate::draw::MARGIN;
use crate::draw::paper::TextStyle;

/// The distance between the dots of a row, and the margins above and below them.
const DOT: usize = 9;
const AROUND: usize = 9;

impl DotRow {
    /// The mean of the median dot; for an even number of dots, of the lower of the middle two.
    #[must_use]
    pub fn median(&self) -> Option<f64> {
        let mut means: Vec<f64> = self.dots.iter().map(|dot| dot.mean).collect();
        means.sort_by(f64::total_cmp);
        means.get(means.len().saturating_sub(1) / 2).copied()
    }

    fn height(&self) -> usize {
        2 * AROUND + self.dots.len().max(2) * DOT
    }
}

pub(super) fn draw(plot: &DotPlot) -> Result<Drawn, PlotError> {
    let numbers = plot.rows.iter().flat_map(|row| {
        let ends = |dot: &PlotDot| dot.interval.into_iter().flatten().chain([dot.mean]);
        let references = row.references.iter().map(|point| point.value);
        row.dots.iter().flat_map(ends).chain(references)
    });
    let x = ChartAxis::new(plot.x.scale, numbers).ok_or(PlotError::NoPoints)?;
    let names = || plot.rows.iter().map(|row| &*row.name);
    let left = MARGIN + names_width(names()) + 12;
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
    let bottom = top + plot.rows.iter().map(DotRow::height).sum::<usize>();
    field.axis(&mut canvas, bottom, &plot.x.label);
    let palette = Palette::new(names());
    let mut y = top;
    for row in &plot.rows {
        draw_row(&mut canvas, &field, row, y, &palette.class(&row.name));
        let middle = (y + row.height() / 2) as f64;
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
        y += row.height();
    }
    let names: Vec<&str> = names().collect();
    Ok(canvas.finish(&format!(
        "Dots with intervals on the axis {}: {}.",
        plot.x.label,
        list_of_names(&names)
    )))
}

fn draw_row(canvas: &mut Canvas<'_>, field: &RowField, row: &DotRow, top: usize, class: &str) {
    let height = row.height();
    let at = (field.left as f64 - 12.0, (top + height / 2) as f64 + 4.5);
    canvas.text(at, TextStyle::Number, &short_name(&row.name));
    // The bar is drawn below the dots, so that it does not hide the dot that it marks.
    let median = row.median().filter(|median| median.is_finite());
    if let Some(median) = median.filter(|_| row.dots.len() > 1) {
        let (x, end) = (field.x(median), (top + height - 4) as f64);
        canvas.straight("median", (x, (top + 4) as f64), (x, end));
    }
    let first = top as f64 + (height - row.dots.len().max(1) * DOT) as f64 / 2.0;
    for (index, dot) in row.dots.iter().enumerate() {
        let y = first + (index as f64 + 0.5) * DOT as f64;
        canvas.group("trace", &hover(row, dot), |canvas| {
            let ends = dot
                .interval
                .filter(|ends| ends.iter().all(|end| end.is_finite()));
            if let Some(ends) = ends {
                let [from, to] = ends.map(|end| (field.x(end), y));
                canvas.straight(&format!("interval {class}"), from, to);
            }
            if dot.mean.is_finite() {
                canvas.dot(class, (field.x(dot.mean), y), 3.5);
            }
        });
    }
}

fn hover(row: &DotRow, dot: &PlotDot) -> String {
    let (name, mean) = (&row.name, show_value(dot.mean));
    match dot.interval {
        Some(ends) => {
            let [low, high] = ends.map(show_value);
            match row.range_of_runs {
                0 => format!("{name}: {mean} (95 %: {low} to {high})"),
                runs => format!("{name}: {mean} (range of {runs} runs: {low} to {high})"),
            }
        }
        None => format!("{name}: {mean}"),
    }
}
