//! The legend: the marks with their names, above the plot area, on one or more lines.

use super::canvas::{Canvas, Point, short_name, words_width};
use crate::draw::MARGIN;
use crate::draw::paper::TextStyle;

/// The height of a line.
const LINE: usize = 22;
/// The width of a mark with the gap after it.
const MARK: usize = 30;
/// The gap after a name.
const GAP: usize = 18;

/// The mark in front of a name.
#[derive(Clone, Debug)]
pub(super) enum LegendMark {
    /// A thick line of a class.
    Line(String),
    /// A filled area of a class.
    Area(String),
    /// The mark of a reference with this index.
    Reference(usize),
    /// The dashed line of a fitted distribution.
    Fit,
}

/// A mark and its name.
#[derive(Clone, Debug)]
pub(super) struct LegendEntry {
    pub(super) mark: LegendMark,
    pub(super) name: String,
}

impl LegendEntry {
    pub(super) fn new(mark: LegendMark, name: &str) -> LegendEntry {
        let name = short_name(name);
        LegendEntry { mark, name }
    }
}

/// Draws a legend starting at `top`, with this maximum width; returns where it ends.
pub(super) fn draw(
    canvas: &mut Canvas<'_>,
    entries: &[LegendEntry],
    top: usize,
    width: usize,
) -> usize {
    let (mut x, mut y) = (MARGIN, top);
    for entry in entries {
        let needed = MARK + words_width(&entry.name, 13) + GAP;
        if x > MARGIN && x + needed > width {
            (x, y) = (MARGIN, y + LINE);
        }
        let middle = (y + LINE / 2) as f64;
        mark(canvas, &entry.mark, (x as f64, middle));
        let at = ((x + MARK) as f64, middle + 4.5);
        canvas.text(at, TextStyle::Text, &entry.name);
        x += needed;
    }
    if entries.is_empty() {
        top
    } else {
        y + LINE + 4
    }
}

fn mark(canvas: &mut Canvas<'_>, mark: &LegendMark, (x, y): Point) {
    match mark {
        LegendMark::Line(class) => {
            canvas.straight(&format!("key {class}"), (x, y), (x + 22.0, y));
        }
        LegendMark::Area(class) => {
            canvas.rect(class, (x, y - 6.0), (22.0, 12.0), "");
        }
        LegendMark::Reference(index) => reference(canvas, *index, (x + 11.0, y)),
        LegendMark::Fit => canvas.straight("fit", (x, y), (x + 22.0, y)),
    }
}

/// The mark of a reference: a diamond, a triangle, a square, and then the same again.
pub(super) fn reference(canvas: &mut Canvas<'_>, index: usize, (x, y): Point) {
    const SHAPES: [&[Point]; 3] = [
        &[(0.0, -6.0), (6.0, 0.0), (0.0, 6.0), (-6.0, 0.0)],
        &[(0.0, -6.0), (6.0, 5.0), (-6.0, 5.0)],
        &[(-5.0, -5.0), (5.0, -5.0), (5.0, 5.0), (-5.0, 5.0)],
    ];
    let shape = SHAPES[index % SHAPES.len()].iter();
    let points: Vec<Point> = shape.map(|(dx, dy)| (x + dx, y + dy)).collect();
    canvas.shape("mark", &points);
}
