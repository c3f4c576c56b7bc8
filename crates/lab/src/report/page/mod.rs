//! Pages: reports as self-contained HTML files.
//!
//! A [`Page`] is plain data: text, tables, plots, boards and recorded games, each with the command
//! that produced it. There are pages for experiments, learning runs, evaluations and players.

mod html;
mod index;
mod markup;
pub mod of;
mod replay;

pub use index::index_html;

use crate::draw::plot::Plot;
use crate::report::Align;
use serde::{Deserialize, Serialize};

/// The style sheet of all pages, plots included, for pages that are not reports.
#[must_use]
pub fn style_sheet() -> String {
    [markup::CSS, crate::draw::plot::STYLE].concat()
}

/// A report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// The title of the page.
    pub title: String,
    /// The question that the page answers, in a sentence.
    pub question: String,
    /// The sections of the page, in order.
    pub sections: Vec<Section>,
    /// The provenance of the page's numbers: ruleset, seed, program version, commands.
    pub provenance: Vec<Provenance>,
}

/// A part of a page with a heading.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// The heading.
    pub heading: String,
    /// The content of the section, in order. In a wide window, text directly before a plot is
    /// placed next to it.
    pub blocks: Vec<Block>,
}

/// A part of a section.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Block {
    /// A paragraph; text between backquotes is set as code.
    Text(String),
    /// A table.
    Table(PageTable),
    /// A plot.
    Plot {
        /// The caption, as a sentence.
        caption: String,
        /// The plot.
        plot: Plot,
        /// The command that produced the plot's data.
        command: Option<String>,
    },
    /// A recorded game that can be replayed.
    Replay {
        /// The caption, as a sentence.
        caption: String,
        /// The text of the record: one JSON line, see [`crate::formats::games`].
        record: String,
    },
    /// A board.
    Board {
        /// The caption, as a sentence.
        caption: String,
        /// The rows of the board, the top one first: `.` is an empty cell, `#` a filled one, and a
        /// letter one of the cells of that piece.
        rows: Vec<String>,
    },
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PageTable {
    /// The caption, as a sentence.
    pub caption: String,
    /// The columns. The first one names the rows.
    pub columns: Vec<PageColumn>,
    /// The rows, with one cell for each column.
    pub rows: Vec<Vec<PageCell>>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageColumn {
    /// The heading of the column.
    pub head: String,
    /// The alignment of the column.
    pub align: Align,
}

impl PageColumn {
    /// A column of text.
    #[must_use]
    pub fn text(head: impl Into<String>) -> PageColumn {
        let (head, align) = (head.into(), Align::Left);
        PageColumn { head, align }
    }

    /// A column of numbers.
    #[must_use]
    pub fn number(head: impl Into<String>) -> PageColumn {
        let (head, align) = (head.into(), Align::Right);
        PageColumn { head, align }
    }
}

/// A cell of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageCell {
    /// The text of the cell.
    pub text: String,
    /// Small text below the cell, such as the 95 % interval; may be empty.
    #[serde(default)]
    pub detail: String,
    /// The command that produced the number.
    #[serde(default)]
    pub command: Option<String>,
    /// The verdict on the number.
    #[serde(default)]
    pub badge: Option<Badge>,
}

impl PageCell {
    /// A cell with text only.
    #[must_use]
    pub fn new(text: impl Into<String>) -> PageCell {
        PageCell {
            text: text.into(),
            ..PageCell::default()
        }
    }

    /// The same cell with a smaller text below it.
    #[must_use]
    pub fn detail(self, detail: impl Into<String>) -> PageCell {
        let detail = detail.into();
        PageCell { detail, ..self }
    }

    /// The same cell with the command that produced it.
    #[must_use]
    pub fn command(self, command: impl Into<String>) -> PageCell {
        let command = Some(command.into());
        PageCell { command, ..self }
    }

    /// The same cell with a verdict.
    #[must_use]
    pub fn badge(self, class: BadgeClass, reason: impl Into<String>) -> PageCell {
        let reason = reason.into();
        let badge = Some(Badge { class, reason });
        PageCell { badge, ..self }
    }
}

/// A verdict on a number, with its reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Badge {
    /// The class of the verdict: a word, a sign and a colour.
    pub class: BadgeClass,
    /// The reason; may be empty.
    pub reason: String,
}

/// The classes of verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BadgeClass {
    /// Measured and published numbers agree.
    Agrees,
    /// The measured number is higher.
    Higher,
    /// The measured number is lower.
    Lower,
    /// There are not enough data for a decision.
    Inconclusive,
    /// The numbers measure different things.
    NotComparable,
}

/// The provenance of a page's numbers: a name with its value, or with the command that produces
/// them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The name, such as "ruleset".
    pub name: String,
    /// The value.
    pub value: String,
    /// Whether the value is a command that can be copied.
    #[serde(default)]
    pub is_command: bool,
}

impl Provenance {
    /// A value.
    #[must_use]
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Provenance {
        Provenance {
            name: name.into(),
            value: value.into(),
            is_command: false,
        }
    }

    /// A command.
    #[must_use]
    pub fn command(name: impl Into<String>, command: impl Into<String>) -> Provenance {
        Provenance {
            name: name.into(),
            value: command.into(),
            is_command: true,
        }
    }
}

/// A page of an index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexEntry {
    /// The name of the page's file, in the folder of the index.
    pub file: String,
    /// The title of the page.
    pub title: String,
    /// The result on the page, as a sentence.
    pub summary: String,
}

#[cfg(test)]
mod tests;
