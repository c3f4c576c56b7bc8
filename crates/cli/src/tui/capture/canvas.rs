//! The screen in pixels, each an index into the palette.

use super::colours::BACKGROUND;
use super::glyphs::{FULL, Glyph, Glyphs};
use super::look::{Look, cell_at};
use super::palette::{GifPalette, UNCHANGED};
use super::{CELL_HEIGHT, CELL_WIDTH, MARGIN};
use ratatui::buffer::{Buffer, Cell};

/// The row of a cell in which the underline is drawn.
pub(super) const UNDERLINE: u16 = 14;

/// The current screen in pixels.
#[derive(Debug)]
pub(super) struct Canvas {
    columns: u16,
    rows: u16,
    /// The palette indices of the pixels.
    cells: Vec<Cell>,
    pub(super) pixels: Vec<u8>,
    pub(super) palette: GifPalette,
    glyphs: Glyphs,
}

/// A rectangle of pixels: its position and size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Patch {
    pub(super) left: usize,
    pub(super) top: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

impl Canvas {
    /// An empty screen with this many columns and rows.
    pub(super) fn new(columns: u16, rows: u16) -> Canvas {
        let mut palette = GifPalette::new();
        let background = palette.place(BACKGROUND);
        let mut canvas = Canvas {
            columns,
            rows,
            cells: vec![Cell::EMPTY; usize::from(columns) * usize::from(rows)],
            pixels: Vec::new(),
            palette,
            glyphs: Glyphs::default(),
        };
        canvas.pixels = vec![background; canvas.width() * canvas.height()];
        canvas
    }

    pub(super) fn width(&self) -> usize {
        usize::from(self.columns) * usize::from(CELL_WIDTH) + 2 * usize::from(MARGIN)
    }

    pub(super) fn height(&self) -> usize {
        usize::from(self.rows) * usize::from(CELL_HEIGHT) + 2 * usize::from(MARGIN)
    }

    /// Draws the changed cells, clipped to the canvas.
    pub(super) fn draw(&mut self, screen: &Buffer) {
        for row in 0..self.rows {
            for column in 0..self.columns {
                let index = usize::from(row) * usize::from(self.columns) + usize::from(column);
                let cell = cell_at(screen, column, row);
                if self.cells[index] != *cell {
                    self.cells[index] = cell.clone();
                    self.draw_cell(column, row, &Look::of(cell));
                }
            }
        }
    }

    fn draw_cell(&mut self, column: u16, row: u16, look: &Look) {
        let mut glyph = self.glyphs.get(look.character(), look.is_bold);
        if look.is_underlined {
            let start = usize::from(UNDERLINE * CELL_WIDTH);
            glyph[start..start + usize::from(CELL_WIDTH)].fill(FULL);
        }
        let places = self.places(&glyph, look);
        let left = usize::from(MARGIN) + usize::from(column) * usize::from(CELL_WIDTH);
        let top = usize::from(MARGIN) + usize::from(row) * usize::from(CELL_HEIGHT);
        let width = self.width();
        let lines = glyph.chunks_exact(usize::from(CELL_WIDTH));
        for (line, levels) in lines.enumerate() {
            let pixels = &mut self.pixels[(top + line) * width + left..];
            for (pixel, &level) in pixels.iter_mut().zip(levels) {
                *pixel = places[usize::from(level)];
            }
        }
    }

    /// The palette indices of the colours that the glyph needs, by coverage of the pixel.
    fn places(&mut self, glyph: &Glyph, look: &Look) -> [u8; FULL as usize + 1] {
        let mut places = [UNCHANGED; FULL as usize + 1];
        for &level in glyph {
            let place = &mut places[usize::from(level)];
            if *place == UNCHANGED {
                let colour = look.background.towards(look.foreground, level, FULL);
                *place = match level {
                    0 | FULL => self.palette.place(colour),
                    _ => self.palette.place_of_blend(colour),
                };
            }
        }
        places
    }
}

impl Patch {
    /// A rectangle of this size in the upper left corner.
    pub(super) fn sized(width: usize, height: usize) -> Patch {
        Patch {
            left: 0,
            top: 0,
            width,
            height,
        }
    }

    /// The smallest rectangle that contains every difference between two pictures of this width, if
    /// any.
    pub(super) fn between(before: &[u8], after: &[u8], width: usize) -> Option<Patch> {
        let rows = || before.chunks_exact(width).zip(after.chunks_exact(width));
        let differs = |(a, b): (&[u8], &[u8])| a != b;
        let top = rows().position(differs)?;
        let bottom = rows().rposition(differs)?;
        let (mut left, mut right) = (width, 0);
        for (a, b) in rows() {
            let differs = |column: &usize| a[*column] != b[*column];
            left = (0..left).find(differs).unwrap_or(left);
            right = (right..width).rfind(differs).unwrap_or(right);
        }
        Some(Patch {
            left,
            top,
            width: right + 1 - left,
            height: bottom + 1 - top,
        })
    }

    /// The changes within this rectangle; unchanged pixels are transparent.
    pub(super) fn changes(&self, before: &[u8], after: &[u8], width: usize) -> Vec<u8> {
        let rows = self.top..self.top + self.height;
        let indices = rows.flat_map(|row| {
            let start = row * width + self.left;
            start..start + self.width
        });
        let change = |index: usize| {
            if before[index] == after[index] {
                UNCHANGED
            } else {
                after[index]
            }
        };
        indices.map(change).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patch_is_as_small_as_can_be() {
        let before = [1; 20];
        let mut after = before;
        assert_eq!(Patch::between(&before, &after, 5), None);
        (after[7], after[13]) = (2, 3);
        let patch = Patch::between(&before, &after, 5).unwrap();
        let expected = Patch {
            left: 2,
            top: 1,
            width: 2,
            height: 2,
        };
        assert_eq!(patch, expected);
        assert_eq!(patch.changes(&before, &after, 5), [2, 0, 0, 3]);
    }

    #[test]
    fn underlined_cells_have_a_line_below() {
        use ratatui::style::{Modifier, Style};
        let mut screen = Buffer::with_lines(["  "]);
        screen[(1, 0)].set_style(Style::new().add_modifier(Modifier::UNDERLINED));
        let mut canvas = Canvas::new(2, 1);
        let before = canvas.pixels.clone();
        canvas.draw(&screen);
        let patch = Patch::between(&before, &canvas.pixels, canvas.width());
        let expected = Patch {
            left: 16,
            top: 22,
            width: 8,
            height: 1,
        };
        assert_eq!(patch, Some(expected));
    }
}
