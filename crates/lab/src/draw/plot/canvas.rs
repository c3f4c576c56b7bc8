//! The drawing of a plot: its elements so far, and the resulting file.

use super::PlotTitle;
use super::summary::thinned;
use crate::draw::MARGIN;
use crate::draw::paper::{Paper, TextStyle, escaped};

/// A point: distances to the right of and below the upper left corner.
pub(super) type Point = (f64, f64);

/// The style sheet of all plots, included in each file or once per page.
pub(crate) const STYLE: &str = include_str!("plot.css");
/// An upper bound on the average width of a letter, relative to its height; fonts differ.
const LETTER: f64 = 0.6;
/// The maximum number of letters shown of a name.
const LONGEST_NAME: usize = 40;
/// The maximum number of points of a line; more cannot be distinguished.
const MOST_POINTS: usize = 500;

/// How much of the left and upper margin is omitted on a page.
const CROPPED: usize = MARGIN - 2;

/// The top of the area below the title and the note, if there is one.
pub(super) fn below_title(title: &PlotTitle) -> usize {
    MARGIN + if title.note.is_empty() { 32 } else { 54 }
}

/// The width of a text of this height, in any font.
pub(super) fn words_width(words: &str, height: usize) -> usize {
    (words.chars().count() as f64 * height as f64 * LETTER).ceil() as usize
}

/// A name, cut if it is very long.
pub(super) fn short_name(name: &str) -> String {
    if name.chars().count() > LONGEST_NAME {
        name.chars().take(LONGEST_NAME - 1).chain(['…']).collect()
    } else {
        name.to_owned()
    }
}

/// The width of the column of names at the left of rows.
pub(super) fn names_width<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    let widths = names.map(|name| words_width(&short_name(name), 13));
    widths.max().unwrap_or_default()
}

/// A plot in progress.
pub(super) struct Canvas<'a> {
    title: &'a PlotTitle,
    paper: Paper,
    width: usize,
    height: usize,
}

impl<'a> Canvas<'a> {
    /// A drawing with its title and note, at least as wide as they need.
    pub(super) fn new(title: &'a PlotTitle, width: usize) -> Canvas<'a> {
        let mut paper = Paper::default();
        paper.text((MARGIN, MARGIN + 16), TextStyle::Title, &title.title);
        if !title.note.is_empty() {
            paper.text((MARGIN, MARGIN + 38), TextStyle::Caption, &title.note);
        }
        let heading = words_width(&title.title, 16).max(words_width(&title.note, 12));
        Canvas {
            title,
            paper,
            width: width.max(heading + 2 * MARGIN),
            height: 0,
        }
    }

    /// Text whose anchor is at a point.
    pub(super) fn text(&mut self, (x, y): Point, style: TextStyle, text: &str) {
        let at = (x.round() as usize, y.round() as usize);
        self.paper.text(at, style, text);
    }

    /// A straight line.
    pub(super) fn straight(&mut self, class: &str, (x1, y1): Point, (x2, y2): Point) {
        self.paper.add(format_args!(
            r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#
        ));
    }

    /// A filled circle.
    pub(super) fn dot(&mut self, class: &str, (x, y): Point, radius: f64) {
        self.paper.add(format_args!(
            r#"<circle class="dot {class}" cx="{x:.1}" cy="{y:.1}" r="{radius:.1}"/>"#
        ));
    }

    /// Draws a line through points; a single point becomes a dot.
    pub(super) fn line(&mut self, class: &str, points: &[Point]) {
        match points {
            [] => {}
            [single] => self.dot(class.trim_start_matches("curve "), *single, 2.5),
            points => {
                let points = listed(&thinned(points, MOST_POINTS));
                self.paper.add(format_args!(
                    r#"<polyline class="{class}" points="{points}"/>"#
                ));
            }
        }
    }

    /// A closed shape.
    pub(super) fn shape(&mut self, class: &str, points: &[Point]) {
        let points = listed(points);
        self.paper.add(format_args!(
            r#"<polygon class="{class}" points="{points}"/>"#
        ));
    }

    /// A rectangle, with a text shown when the pointer is over it.
    pub(super) fn rect(&mut self, class: &str, (x, y): Point, size: Point, hover: &str) {
        self.rect_with(class, (x, y), size, "", hover);
    }

    /// A rectangle with an opacity.
    pub(super) fn shade(&mut self, at: Point, size: Point, opacity: f64, hover: &str) {
        let more = format!(r#" fill-opacity="{opacity:.3}""#);
        self.rect_with("heat", at, size, &more, hover);
    }

    fn rect_with(
        &mut self,
        class: &str,
        (x, y): Point,
        (width, height): Point,
        more: &str,
        hover: &str,
    ) {
        let end = if hover.is_empty() {
            "/>".to_owned()
        } else {
            format!("><title>{}</title></rect>", escaped(hover))
        };
        self.paper.add(format_args!(
            r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}"{more}{end}"#
        ));
    }

    /// Elements that react to the pointer together, with a text shown when it is over them.
    pub(super) fn group(&mut self, class: &str, hover: &str, draw: impl FnOnce(&mut Self)) {
        let hover = escaped(hover);
        self.paper
            .add(format_args!(r#"<g class="{class}"><title>{hover}</title>"#));
        draw(self);
        self.paper.add(format_args!("</g>"));
    }

    /// Extends the drawing down to this height.
    pub(super) fn reach(&mut self, width: usize, height: usize) {
        self.width = self.width.max(width);
        self.height = self.height.max(height);
    }

    /// The drawing with a description for screen readers.
    pub(super) fn finish(self, description: &str) -> Drawn {
        Drawn {
            title: escaped(&self.title.title),
            description: escaped(description),
            body: self.paper.into_body(),
            size: (self.width, self.height + MARGIN),
        }
    }
}

/// Points as the value of an SVG attribute.
fn listed(points: &[Point]) -> String {
    let points = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}"));
    points.collect::<Vec<_>>().join(" ")
}

/// A finished drawing.
pub(super) struct Drawn {
    title: String,
    description: String,
    body: String,
    size: (usize, usize),
}

impl Drawn {
    /// A separate file, with style sheet and background.
    pub(super) fn file(&self) -> String {
        let (width, height) = self.size;
        let (right, bottom) = (width - 1, height - 1);
        let paper = format!(
            r#"<rect class="paper" x="0.5" y="0.5" width="{right}" height="{bottom}" rx="10"/>"#
        );
        let style = format!("<style>\n{STYLE}</style>\n{paper}\n");
        let attributes =
            format!(r#" xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}""#);
        self.element(&attributes, (0, 0, width, height), &style)
    }

    /// An element for a page that has the style sheet, without margins. It shrinks a little in a
    /// narrow window; wider plots scroll.
    pub(super) fn inline(&self) -> String {
        let (width, height) = (
            self.size.0 - MARGIN - CROPPED,
            self.size.1 - CROPPED - MARGIN / 2,
        );
        let least = width * 4 / 5;
        let style = format!(r#" style="width:{width}px;min-width:{least}px""#);
        self.element(&style, (CROPPED, CROPPED, width, height), "")
    }

    fn element(
        &self,
        attributes: &str,
        (x, y, width, height): (usize, usize, usize, usize),
        style: &str,
    ) -> String {
        let Drawn {
            title,
            description,
            body,
            ..
        } = self;
        format!(
            r#"<svg{attributes} class="plot" viewBox="{x} {y} {width} {height}" role="img">
<title>{title}</title>
<desc>{description}</desc>
{style}{body}</svg>
"#
        )
    }
}
