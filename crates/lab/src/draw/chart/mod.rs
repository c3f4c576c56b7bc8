//! Charts of learners: how they learned ([`curves_svg`]), and what their players are worth ([`contest_svg`]).
//!
//! A chart is a function of its numbers, to the byte. A learner has the same colour in all charts of the same learners: by the
//! place of its name in the alphabet.

use super::plot::axis;
mod contest;
mod curves;

pub use contest::{ContestChart, ContestDot, ContestRow, contest_svg};
pub use curves::{CurveChart, CurveLine, curves_svg};

use super::MARGIN;
use super::paper::{Paper, style_sheet};
use std::collections::BTreeSet;
use thiserror::Error;

/// What the lines of learners look like, on white and on black; after ten they begin again, dashed.
const COLOURS: [&str; 10] = [
    "#3b72e8", "#ee7b1c", "#2f9e44", "#e5484d", "#9b51e0", "#0ea5b7", "#c08f00", "#a0673c",
    "#d6519f", "#7a8694",
];
/// How many letters of a learner's name are shown at most.
const LONGEST_NAME: usize = 40;
/// How wide a letter is at most, on average, as a part of its height: fonts differ.
const LETTER: f64 = 0.6;

/// Why a chart cannot be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ChartError {
    /// There is no number in it.
    #[error("there is nothing to draw: the chart has no points")]
    NoPoints,
}

/// The learners of a chart: each once, in the order of their colours.
struct LearnerColours<'a>(Vec<&'a str>);

impl<'a> LearnerColours<'a> {
    fn new(learners: impl Iterator<Item = &'a str>) -> LearnerColours<'a> {
        LearnerColours(learners.collect::<BTreeSet<_>>().into_iter().collect())
    }

    /// The classes of a learner's lines and dots.
    fn class(&self, learner: &str) -> String {
        let index = self.0.iter().position(|&own| own == learner);
        let index = index.unwrap_or_default();
        let again = if index < COLOURS.len() { "" } else { " again" };
        format!("c{}{again}", index % COLOURS.len())
    }
}

/// How wide a chart must be for its heading.
fn heading_width(title: &str, caption: &str) -> usize {
    words_width(title, 17).max(words_width(caption, 13)) + 2 * MARGIN
}

/// How much room words of this height need, in any font.
fn words_width(words: &str, height: usize) -> usize {
    (words.chars().count() as f64 * height as f64 * LETTER).ceil() as usize
}

/// A name, cut if it is very long.
fn short_name(name: &str) -> String {
    if name.chars().count() > LONGEST_NAME {
        name.chars().take(LONGEST_NAME - 1).chain(['…']).collect()
    } else {
        name.to_owned()
    }
}

/// A straight line.
fn straight(paper: &mut Paper, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
    paper.add(format_args!(
        r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#
    ));
}

/// A filled circle.
fn dot(paper: &mut Paper, class: &str, (x, y): (f64, f64), radius: f64) {
    paper.add(format_args!(
        r#"<circle class="dot {class}" cx="{x:.1}" cy="{y:.1}" r="{radius:.1}"/>"#
    ));
}

/// The style sheet of charts.
fn style() -> String {
    let colours = COLOURS.iter().enumerate().map(|(index, colour)| {
        format!(
            ".c{index} {{ stroke: {colour} }} .dot.c{index} {{ stroke: none; fill: {colour} }}\n"
        )
    });
    style_sheet(
        ".middle { text-anchor: middle }\n\
         .grid { stroke: #e6eaee }\n\
         .axis { stroke: #97a3af }\n\
         .curve { fill: none; stroke-width: 1.5; stroke-linejoin: round }\n\
         .pale { stroke-opacity: 0.4 }\n\
         .key { stroke-width: 3 }\n\
         .interval { stroke-width: 1.5; stroke-opacity: 0.7 }\n\
         .again { stroke-dasharray: 5 3 }\n\
         .median { stroke: #1f2933; stroke-width: 2 }\n",
        colours,
        ".grid { stroke: #262d36 }\n\
         .axis { stroke: #6b7785 }\n\
         .median { stroke: #e6eaee }\n",
    )
}

#[cfg(test)]
mod tests;
