//! A screen as a picture.

use super::canvas::UNDERLINE;
use super::colours::{BACKGROUND, FOREGROUND, Rgb};
use super::look::{Look, cell_at};
use super::part_file::{PartFile, cannot_write};
use super::rects::{self, Rect};
use super::shapes::{SignPart, SignShape, shape};
use super::{CELL_HEIGHT, CELL_WIDTH, MARGIN};
use anyhow::Result;
use ratatui::buffer::Buffer;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

/// The baseline, measured from the top of a cell.
const BASELINE: u32 = 13;
/// With this size, letters of most fonts are as wide as a cell.
const FONT: &str = "font-family=\"ui-monospace,'Cascadia Mono','DejaVu Sans Mono',Menlo,Consolas,monospace\" font-size=\"13.3\"";

/// The screen as an SVG picture with this title, which screen readers and browsers show next to the
/// picture, not in it.
pub(crate) fn svg(screen: &Buffer, title: &str) -> String {
    let mut layers = Layers::default();
    for row in 0..screen.area.height {
        layers.add_row(screen, row);
    }
    layers.picture(screen.area.width, screen.area.height, title)
}

/// Saves the screen as an SVG picture. The file appears under its name only once it is complete.
pub(crate) fn save_svg(path: &Path, screen: &Buffer, title: &str) -> Result<()> {
    let mut file = PartFile::create(path)?;
    let written = file.write_all(svg(screen, title).as_bytes());
    written.map_err(|error| cannot_write(path, &error))?;
    file.finish()
}

/// The layers, from back to front.
#[derive(Default)]
struct Layers {
    backgrounds: BTreeMap<Rgb, Vec<Rect>>,
    blocks: BTreeMap<Rgb, Vec<Rect>>,
    rounds: BTreeMap<Rgb, String>,
    texts: String,
}

/// Adjacent letters of the same style.
struct Run {
    text: String,
    columns: u32,
    left: u32,
    baseline: u32,
    colour: Rgb,
    is_bold: bool,
}

impl Layers {
    fn add_row(&mut self, screen: &Buffer, row: u16) {
        let top = u32::from(row) * u32::from(CELL_HEIGHT);
        let mut run: Option<Run> = None;
        for column in 0..screen.area.width {
            let left = u32::from(column) * u32::from(CELL_WIDTH);
            let look = Look::of(cell_at(screen, column, row));
            self.add_behind(&look, left, top);
            if let Some(shape) = shape(look.character()) {
                self.add_text(run.take());
                self.add_shape(&shape, &look, left, top);
                continue;
            }
            run = match run {
                Some(run) if !run.takes(&look) => {
                    self.add_text(Some(run));
                    Run::start(&look, left, top)
                }
                Some(run) => Some(run.with(&look)),
                None => Run::start(&look, left, top),
            };
        }
        self.add_text(run);
    }

    /// Adds the background of a letter and its underline.
    fn add_behind(&mut self, look: &Look, x: u32, y: u32) {
        let (width, height) = (CELL_WIDTH.into(), CELL_HEIGHT.into());
        let cell = Rect {
            x,
            y,
            width,
            height,
        };
        if look.background != BACKGROUND {
            let rects = self.backgrounds.entry(look.background).or_default();
            rects.push(cell);
        }
        if look.is_underlined {
            let y = y + u32::from(UNDERLINE);
            let line = Rect {
                y,
                height: 1,
                ..cell
            };
            self.blocks.entry(look.foreground).or_default().push(line);
        }
    }

    fn add_shape(&mut self, shape: &SignShape, look: &Look, x: u32, y: u32) {
        let colour = look.background.towards(look.foreground, shape.quarters, 4);
        for part in &shape.parts {
            match part {
                SignPart::Rect(rect) => {
                    let rects = self.blocks.entry(colour).or_default();
                    rects.push(rect.moved(x, y));
                }
                _ => {
                    let path = self.rounds.entry(colour).or_default();
                    path.push_str(&part.path((x, y)));
                }
            }
        }
    }

    fn add_text(&mut self, run: Option<Run>) {
        let Some(run) = run else { return };
        let text = run.text.trim_end_matches(' ');
        let columns = run.columns - u32::from(text.len() < run.text.len());
        let _ = write!(
            self.texts,
            "<text x=\"{}\" y=\"{}\"",
            run.left, run.baseline
        );
        if columns > 1 {
            let length = columns * u32::from(CELL_WIDTH);
            let _ = write!(self.texts, " textLength=\"{length}\"");
        }
        if run.colour != FOREGROUND {
            let _ = write!(self.texts, " fill=\"{}\"", run.colour);
        }
        if run.is_bold {
            self.texts.push_str(" font-weight=\"bold\"");
        }
        let _ = writeln!(self.texts, ">{}</text>", escaped(text));
    }

    fn picture(self, columns: u16, rows: u16, title: &str) -> String {
        let margin = u32::from(MARGIN);
        let width = u32::from(columns) * u32::from(CELL_WIDTH) + 2 * margin;
        let height = u32::from(rows) * u32::from(CELL_HEIGHT) + 2 * margin;
        let (title, texts) = (escaped(title), self.texts);
        let areas = [self.backgrounds, self.blocks];
        let areas = areas.into_iter().flatten();
        let areas = paths(areas.map(|(colour, all)| (colour, rects::path(&rects::merged(all)))));
        let rounds = paths(self.rounds.into_iter());
        // With sharp edges, no gaps appear between areas at any size.
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="-{margin} -{margin} {width} {height}" role="img">
<title>{title}</title>
<rect x="-{margin}" y="-{margin}" width="{width}" height="{height}" rx="{margin}" fill="{BACKGROUND}"/>
<g shape-rendering="crispEdges">
{areas}</g>
{rounds}<g fill="{FOREGROUND}" {FONT}>
{texts}</g>
</svg>
"#
        )
    }
}

impl Run {
    /// Begins a run with this letter; a blank does not begin one.
    fn start(look: &Look, left: u32, top: u32) -> Option<Run> {
        let is_blank = look.symbol == " ";
        (!is_blank).then(|| Run {
            text: look.symbol.to_owned(),
            columns: 1,
            left,
            baseline: top + BASELINE,
            colour: look.foreground,
            is_bold: look.is_bold,
        })
    }

    /// Whether this letter, or a single blank, can extend the run. Letters that a font may lack are
    /// drawn separately, because a substitute font may be wider.
    fn takes(&self, look: &Look) -> bool {
        let is_common = |text: &str| text.chars().all(|letter| letter < '\u{180}');
        let is_alike = (self.colour, self.is_bold) == (look.foreground, look.is_bold);
        match look.symbol {
            " " => !self.text.ends_with(' '),
            symbol => is_alike && is_common(symbol) && is_common(&self.text),
        }
    }

    fn with(mut self, look: &Look) -> Run {
        self.text.push_str(look.symbol);
        self.columns += 1;
        self
    }
}

/// One path element per colour.
fn paths(colours: impl Iterator<Item = (Rgb, String)>) -> String {
    let mut paths = String::new();
    for (colour, path) in colours {
        let _ = writeln!(paths, "<path fill=\"{colour}\" d=\"{path}\"/>");
    }
    paths
}

fn escaped(text: &str) -> String {
    let text = text.replace(|letter: char| letter.is_control(), " ");
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests;
