//! The area between the axes of a plot.

use super::axis::{ChartAxis, tick_label};
use super::canvas::{Canvas, Point, words_width};
use crate::draw::MARGIN;
use crate::draw::paper::TextStyle;

/// The width of a field.
pub(super) const WIDTH: usize = 560;
/// The height of a field.
pub(super) const HEIGHT: usize = 300;
/// The right edge of rows with names on their left, however long the names are.
const ROW_END: usize = 620;
/// The minimum width of such rows.
const NARROWEST: usize = 320;
/// The height of the label above a field, and of the numbers and the label below it.
pub(super) const ABOVE: usize = 32;
pub(super) const BELOW: usize = 46;

/// The left edge of a field whose vertical axis has these ticks.
pub(super) fn left_of(labels: &[String]) -> usize {
    let widest = labels.iter().map(|label| words_width(label, 12)).max();
    MARGIN + widest.unwrap_or_default().max(24) + 10
}

/// The labels of all ticks.
pub(super) fn labels(axis: &ChartAxis) -> Vec<String> {
    axis.ticks().into_iter().map(tick_label).collect()
}

/// A field with two axes.
pub(super) struct PlotField {
    pub(super) left: usize,
    pub(super) top: usize,
    pub(super) height: usize,
    pub(super) x: ChartAxis,
    pub(super) y: ChartAxis,
}

impl PlotField {
    /// The position of a pair of numbers.
    pub(super) fn place(&self, (x, y): (f64, f64)) -> Point {
        (self.x(x), self.y(y))
    }

    pub(super) fn x(&self, value: f64) -> f64 {
        self.left as f64 + self.x.place(value) * WIDTH as f64
    }

    pub(super) fn y(&self, value: f64) -> f64 {
        self.top as f64 + (1.0 - self.y.place(value)) * self.height as f64
    }

    /// The lower edge.
    pub(super) fn bottom(&self) -> usize {
        self.top + self.height
    }

    /// The positions of the finite points of a line.
    pub(super) fn places(&self, points: &[(f64, f64)]) -> Vec<Point> {
        finite(points).map(|point| self.place(point)).collect()
    }

    /// Both axes with their labels.
    pub(super) fn axes(&self, canvas: &mut Canvas<'_>, x: &str, y: &str) {
        self.vertical(canvas, y, tick_label);
        self.horizontal(canvas, x);
    }

    /// The vertical axis: grid lines, numbers, and the label above.
    pub(super) fn vertical(&self, canvas: &mut Canvas<'_>, label: &str, show: fn(f64) -> String) {
        let (left, right) = (self.left as f64, (self.left + WIDTH) as f64);
        for tick in self.y.ticks() {
            let y = self.y(tick);
            canvas.straight("grid", (left, y), (right, y));
            canvas.text((left - 8.0, y + 4.0), TextStyle::HeadRight, &show(tick));
        }
        let at = (MARGIN as f64, self.top as f64 - 12.0);
        canvas.text(at, TextStyle::Head, label);
    }

    /// The horizontal axis: a line, ticks, numbers, and the label below.
    pub(super) fn horizontal(&self, canvas: &mut Canvas<'_>, label: &str) {
        let bottom = self.bottom() as f64;
        let (left, right) = (self.left as f64, (self.left + WIDTH) as f64);
        for tick in self.x.ticks() {
            let x = self.x(tick);
            canvas.straight("axis", (x, bottom), (x, bottom + 5.0));
            canvas.text((x, bottom + 20.0), TextStyle::HeadMiddle, &tick_label(tick));
        }
        canvas.straight("axis", (left, bottom), (right, bottom));
        let at = ((left + right) / 2.0, bottom + 40.0);
        canvas.text(at, TextStyle::HeadMiddle, label);
        canvas.reach(self.left + WIDTH + 2 * MARGIN, self.bottom() + BELOW);
    }
}

/// The points whose coordinates are finite.
pub(super) fn finite(points: &[(f64, f64)]) -> impl Iterator<Item = (f64, f64)> {
    let is_finite = |point: &(f64, f64)| point.0.is_finite() && point.1.is_finite();
    points.iter().copied().filter(is_finite)
}

/// Rows with names at the left over one horizontal axis.
pub(super) struct RowField {
    /// The left edge, right of the names.
    pub(super) left: usize,
    pub(super) top: usize,
    pub(super) x: ChartAxis,
}

/// The right edge of rows that start here.
pub(super) fn row_end(left: usize) -> usize {
    ROW_END.max(left + NARROWEST)
}

impl RowField {
    pub(super) fn x(&self, value: f64) -> f64 {
        let width = row_end(self.left) - self.left;
        self.left as f64 + self.x.place(value) * width as f64
    }

    /// The axis: grid lines from the top down to `bottom`, numbers and label below them.
    pub(super) fn axis(&self, canvas: &mut Canvas<'_>, bottom: usize, label: &str) {
        let (left, right) = (self.left as f64, row_end(self.left) as f64);
        let low = bottom as f64;
        for tick in self.x.ticks() {
            let x = self.x(tick);
            canvas.straight("grid", (x, self.top as f64), (x, low));
            canvas.text((x, low + 18.0), TextStyle::HeadMiddle, &tick_label(tick));
        }
        canvas.straight("axis", (left, low), (right, low));
        let at = ((left + right) / 2.0, low + 38.0);
        canvas.text(at, TextStyle::HeadMiddle, label);
        canvas.reach(row_end(self.left) + 2 * MARGIN, bottom + BELOW);
    }
}
