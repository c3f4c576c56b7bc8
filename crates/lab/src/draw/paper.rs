//! SVG elements of a picture.

use super::{MARGIN, letters};
use crate::report::harmless_name;
use std::fmt::Write;
use tetrolab_core::piece::Piece;

/// A point: distances to the right of and below the upper left corner.
type Point = (usize, usize);

/// The elements so far.
#[derive(Default)]
pub(super) struct Paper {
    body: String,
}

/// Text styles.
#[derive(Clone, Copy)]
pub(super) enum TextStyle {
    Title,
    Caption,
    Head,
    HeadRight,
    HeadMiddle,
    Text,
    Number,
    TextMiddle,
    OnHeat,
    OnBar,
    Rank,
    OnMark,
}

impl TextStyle {
    fn class(self) -> &'static str {
        match self {
            TextStyle::Title => "title",
            TextStyle::Caption => "caption",
            TextStyle::Head => "head",
            TextStyle::HeadRight => "head right",
            TextStyle::HeadMiddle => "head middle",
            TextStyle::Text => "text",
            TextStyle::Number => "text right",
            TextStyle::TextMiddle => "text middle",
            TextStyle::OnHeat => "text middle on-heat",
            TextStyle::OnBar => "text right on-bar",
            TextStyle::Rank => "rank",
            TextStyle::OnMark => "on-mark",
        }
    }
}

impl Paper {
    /// One cell, slightly smaller than its square.
    pub(super) fn cell(&mut self, class: &str, (x, y): Point, size: usize) {
        let (x, y, size) = (x + 1, y + 1, size - 2);
        self.add(format_args!(
            r#"<rect class="{class}" x="{x}" y="{y}" width="{size}" height="{size}" rx="3"/>"#
        ));
    }

    /// The highlight of a cell, on top of it.
    pub(super) fn mark(&mut self, (x, y): Point, size: usize) {
        let (x, y, size) = (x + 2, y + 2, size - 4);
        self.add(format_args!(
            r#"<rect class="mark" x="{x}" y="{y}" width="{size}" height="{size}" rx="3"/>"#
        ));
    }

    /// The frame of the board.
    pub(super) fn well(&mut self, (x, y): Point, (width, height): Point) {
        let (x, y, width, height) = (x - 4, y - 4, width + 8, height + 8);
        self.add(format_args!(
            r#"<rect class="well" x="{x}" y="{y}" width="{width}" height="{height}" rx="6"/>"#
        ));
    }

    /// A closed line in the colour of a piece, on top of a pale one that separates it from filled
    /// cells.
    pub(super) fn outline(&mut self, points: &[(f64, f64)], piece: Piece) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x},{y}")).collect();
        let points = points.join(" ");
        self.add(format_args!(r#"<polygon class="halo" points="{points}"/>"#));
        self.add(format_args!(
            r#"<polygon class="outline {piece}" points="{points}"/>"#
        ));
    }

    /// The mark of a placement in the list, drawn as on the board.
    pub(super) fn swatch(&mut self, (x, y): Point, is_choice: bool, piece: Piece) {
        let kind = if is_choice { "piece" } else { "outline" };
        let (x, y) = (x + 1, y + 1);
        self.add(format_args!(
            r#"<rect class="{kind} {piece}" x="{x}" y="{y}" width="13" height="13" rx="3"/>"#
        ));
    }

    pub(super) fn text(&mut self, (x, y): Point, words: TextStyle, text: &str) {
        let (class, text) = (words.class(), escaped(text));
        self.add(format_args!(
            r#"<text class="{class}" x="{x}" y="{y}">{text}</text>"#
        ));
    }

    /// The title and the line below it.
    pub(super) fn heading(&mut self, title: &str, caption: &str) {
        self.text((MARGIN, MARGIN + 16), TextStyle::Title, title);
        self.text((MARGIN, MARGIN + 38), TextStyle::Caption, caption);
    }

    /// Any element.
    pub(super) fn add(&mut self, element: std::fmt::Arguments<'_>) {
        writeln!(self.body, "{element}").expect("a string takes everything");
    }

    /// The elements alone.
    pub(super) fn into_body(self) -> String {
        self.body
    }

    /// The whole picture of boards, with its style sheet.
    pub(super) fn finish(self, width: usize, height: usize, title: &str) -> String {
        let title = escaped(title);
        let Paper { body } = self;
        let marks = if body.contains("class=\"mark\"") {
            MARKS
        } else {
            ""
        };
        let style = style() + marks;
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">
<title>{title}</title>
<style>
{style}</style>
<rect class="paper" x="0.5" y="0.5" width="{}" height="{}" rx="12"/>
{body}</svg>
"#,
            width - 1,
            height - 1
        )
    }
}

/// Styles of text and background.
const WORDS: &str = "\
text { font-family: system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #1f2933 }
.title { font-size: 17px; font-weight: 600 }
.caption { font-size: 13px; fill: #66727f }
.head { font-size: 12px; fill: #66727f }
.text { font-size: 14px; font-variant-numeric: tabular-nums }
.rank { font-size: 14px; font-weight: 700; text-anchor: middle }
.right { text-anchor: end }
.paper { fill: #ffffff; stroke: #d5dbe1 }
";
/// Styles of text and background on dark pages.
const DARK_WORDS: &str = "\
text { fill: #e6eaee }
.caption, .head { fill: #9aa6b2 }
.paper { fill: #161b22; stroke: #30363d }
";

/// The styles of marked cells, for pictures that have some.
const MARKS: &str = "\
.mark { fill: #f2711c; fill-opacity: 0.35; stroke: #d4500a; stroke-width: 2 }
.on-mark { font-size: 12px; font-weight: 700; text-anchor: middle }
";

/// The style sheet of boards.
fn style() -> String {
    let colours: String = letters()
        .map(|(letter, colour)| {
            format!(
                ".piece.{letter} {{ fill: {colour} }} .outline.{letter} {{ stroke: {colour} }}\n"
            )
        })
        .collect();
    let rules = ".well { fill: #eef1f4 }\n\
         .empty { fill: #ffffff }\n\
         .settled { fill: #97a3af }\n\
         .halo { fill: none; stroke: #ffffff; stroke-width: 4; stroke-linejoin: round }\n\
         .outline { fill: none; stroke-width: 2; stroke-dasharray: 5 3; stroke-linejoin: round }\n";
    let dark = ".well { fill: #0d1117 }\n\
         .empty { fill: #1b222b }\n\
         .settled { fill: #6b7785 }\n\
         .halo { stroke: #161b22 }\n";
    let dark = format!("@media (prefers-color-scheme: dark) {{\n{DARK_WORDS}{dark}}}\n");
    [WORDS, rules, &colours, &dark].concat()
}

/// A text as content or attribute of an element. Control characters, which XML does not allow, and
/// characters that change the direction of writing are shown as escapes.
pub(crate) fn escaped(text: &str) -> String {
    harmless_name(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
