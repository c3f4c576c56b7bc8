//! The pixels of a character, for the GIF: from the bitmap font, or from a shape that is drawn
//! instead.

use super::shapes::{SignShape, rect, shape};
use super::{CELL_HEIGHT, CELL_WIDTH};
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster};
use std::collections::HashMap;

const WIDTH: usize = CELL_WIDTH as usize;
const HEIGHT: usize = CELL_HEIGHT as usize;

/// The number of levels of coverage of a pixel; it is small because each level needs a colour of
/// the palette.
pub(super) const FULL: u8 = 4;

/// The coverage of each pixel of a cell, row by row.
pub(super) type Glyph = [u8; WIDTH * HEIGHT];

/// Samples per pixel, horizontally and vertically.
const SAMPLES: u8 = 4;

/// Replacements for characters that the font lacks: superimposed letters, and rectangles (x, y,
/// width, height).
type StandIn = (&'static str, &'static str, &'static [(u8, u8, u8, u8)]);

const STAND_INS: &[StandIn] = &[
    ("\u{a0}", " ", &[]),
    ("‐‑–−", "-", &[]),
    ("—", "", &[(0, 9, 8, 1)]),
    ("…", "", &[(1, 11, 1, 2), (3, 11, 1, 2), (5, 11, 1, 2)]),
    ("‘’", "'", &[]),
    ("“”", "\"", &[]),
    ("‹", "<", &[]),
    ("›", ">", &[]),
    ("∙⋅", "·", &[]),
    ("✗✘✕", "×", &[]),
    ("≤", "<_", &[]),
    ("≥", ">_", &[]),
    ("≠", "=/", &[]),
    ("≈", "", APPROXIMATELY),
    ("λ", "", LAMBDA),
    ("μ", "µ", &[]),
    ("σ", "o", &[(3, 6, 4, 1)]),
    ("φ", "o|", &[]),
    ("χ", "x", &[]),
];

const APPROXIMATELY: &[(u8, u8, u8, u8)] = &[
    (0, 7, 1, 1),
    (1, 6, 2, 1),
    (3, 7, 2, 1),
    (5, 6, 1, 1),
    (0, 10, 1, 1),
    (1, 9, 2, 1),
    (3, 10, 2, 1),
    (5, 9, 1, 1),
];

const LAMBDA: &[(u8, u8, u8, u8)] = &[
    (1, 4, 2, 1),
    (3, 5, 1, 4),
    (2, 9, 1, 2),
    (1, 11, 1, 2),
    (4, 8, 1, 3),
    (5, 11, 1, 2),
];

/// The glyphs used so far.
#[derive(Debug, Default)]
pub(super) struct Glyphs {
    known: HashMap<(char, bool), Glyph>,
}

impl Glyphs {
    pub(super) fn get(&mut self, character: char, is_bold: bool) -> Glyph {
        let known = self.known.entry((character, is_bold));
        *known.or_insert_with(|| glyph(character, is_bold))
    }
}

fn glyph(character: char, is_bold: bool) -> Glyph {
    if let Some(shape) = shape(character) {
        return drawn(&shape);
    }
    let stand_in = STAND_INS.iter().find(|row| row.0.contains(character));
    match stand_in {
        Some((_, letters, rects)) => {
            let letters = letters
                .chars()
                .filter_map(|letter| of_font(letter, is_bold));
            letters.fold(drawn(&solid(rects)), over)
        }
        None => of_font(character, is_bold).unwrap_or_else(unknown),
    }
}

/// Superimposes two glyphs.
fn over(mut lower: Glyph, upper: Glyph) -> Glyph {
    for (pixel, more) in lower.iter_mut().zip(upper) {
        *pixel = (*pixel).max(more);
    }
    lower
}

/// The glyph of a letter in the font, which is slightly narrower than a cell.
fn of_font(letter: char, is_bold: bool) -> Option<Glyph> {
    let weight = if is_bold {
        FontWeight::Bold
    } else {
        FontWeight::Regular
    };
    let raster = get_raster(letter, weight, RasterHeight::Size16)?;
    let mut pixels = [0; WIDTH * HEIGHT];
    for (row, levels) in raster.rows().take(HEIGHT).enumerate() {
        for (column, &level) in levels.iter().take(WIDTH).enumerate() {
            pixels[row * WIDTH + column] = rounded(level.into(), u8::MAX.into());
        }
    }
    Some(pixels)
}

/// An empty frame for characters that cannot be shown.
fn unknown() -> Glyph {
    drawn(&solid(&[
        (1, 4, 5, 1),
        (1, 12, 5, 1),
        (1, 5, 1, 7),
        (5, 5, 1, 7),
    ]))
}

fn solid(rects: &[(u8, u8, u8, u8)]) -> SignShape {
    let parts = rects.iter();
    let parts = parts.map(|&(x, y, width, height)| rect(x, y, width, height));
    SignShape {
        parts: parts.collect(),
        quarters: 4,
    }
}

fn drawn(shape: &SignShape) -> Glyph {
    let mut pixels = [0; WIDTH * HEIGHT];
    for (index, pixel) in pixels.iter_mut().enumerate() {
        let covered = samples(index).filter(|&at| shape.parts.iter().any(|part| part.covers(at)));
        let covered = covered.count() * usize::from(shape.quarters);
        *pixel = rounded(covered, usize::from(SAMPLES * SAMPLES) * 4);
    }
    pixels
}

/// Sample positions within a pixel.
fn samples(index: usize) -> impl Iterator<Item = (f32, f32)> {
    let (left, top) = ((index % WIDTH) as f32, (index / WIDTH) as f32);
    let offset = |number: u8| (f32::from(number) + 0.5) / f32::from(SAMPLES);
    (0..SAMPLES * SAMPLES).map(move |number| {
        let (across, down) = (offset(number % SAMPLES), offset(number / SAMPLES));
        (left + across, top + down)
    })
}

/// Rounds a share to a level of coverage.
fn rounded(part: usize, whole: usize) -> u8 {
    let level = (part * usize::from(FULL) + whole / 2) / whole;
    u8::try_from(level).map_or(FULL, |level| level.min(FULL))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_block_covers_everything_and_a_blank_nothing() {
        assert_eq!(glyph('█', false), [FULL; 128]);
        assert_eq!(glyph(' ', false), [0; 128]);
    }

    #[test]
    fn letters_use_the_font_and_bold_ones_are_heavier() {
        let ink = |is_bold| -> usize { glyph('H', is_bold).into_iter().map(usize::from).sum() };
        assert!(ink(false) > 50);
        assert!(ink(true) > ink(false));
    }

    #[test]
    fn characters_that_the_font_has_not_are_seen_nevertheless() {
        assert_eq!(glyph('−', false), glyph('-', false));
        assert_eq!(glyph('漢', false), unknown());
        assert_ne!(glyph('≤', false), glyph('<', false));
        let letters = STAND_INS.iter().flat_map(|row| row.1.chars());
        assert!(
            letters
                .into_iter()
                .all(|letter| of_font(letter, true).is_some())
        );
    }
}
