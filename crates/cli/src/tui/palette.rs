//! Colours of pieces and panels.

use ratatui::style::Color;
use tetrolab::core::piece::Piece;

/// A way to colour pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Palette {
    /// The guideline's colours.
    #[default]
    Guideline,
    /// Colours that are distinguishable with any kind of colour vision (Okabe and Ito 2008), with
    /// letters in the cells.
    ColourBlind,
    /// No colours, only letters in the cells.
    Plain,
}

/// Every palette, with its name in the settings file.
pub(crate) const PALETTES: &[(Palette, &str)] = &[
    (Palette::Guideline, "guideline"),
    (Palette::ColourBlind, "colour-blind"),
    (Palette::Plain, "plain"),
];

type Rgb = (u8, u8, u8);

/// In the order of `Piece`: I, O, T, Z, S, J, L.
const GUIDELINE: [Rgb; 7] = [
    (38, 190, 214),
    (235, 196, 52),
    (170, 92, 214),
    (222, 70, 78),
    (92, 190, 88),
    (72, 110, 230),
    (238, 140, 46),
];

const COLOUR_BLIND: [Rgb; 7] = [
    (86, 180, 233),
    (240, 228, 66),
    (204, 121, 167),
    (213, 94, 0),
    (0, 158, 115),
    (0, 114, 178),
    (230, 159, 0),
];

/// Colours as a terminal can show them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Colours {
    pub(crate) palette: Palette,
    /// Whether the terminal has 16 million colours; otherwise the nearest of 256 are used.
    pub(crate) is_true_colour: bool,
}

impl Colours {
    /// The colour of a piece, or of a cell whose piece is unknown.
    pub(crate) fn piece(&self, piece: Option<Piece>) -> Color {
        let Some(piece) = piece else {
            return self.rgb((128, 138, 150));
        };
        match self.palette {
            Palette::Guideline => self.rgb(GUIDELINE[piece as usize]),
            Palette::ColourBlind => self.rgb(COLOUR_BLIND[piece as usize]),
            Palette::Plain => Color::Reset,
        }
    }

    /// Whether cells have the letter of their piece.
    pub(crate) fn has_letters(&self) -> bool {
        self.palette != Palette::Guideline
    }

    /// Whether there are colours.
    pub(crate) fn has_colours(&self) -> bool {
        self.palette != Palette::Plain
    }

    /// The colour of frames and secondary text.
    pub(crate) fn faint(&self) -> Color {
        self.unless_plain((96, 108, 122))
    }

    /// The colour of the dots in empty cells.
    pub(crate) fn dots(&self) -> Color {
        self.unless_plain((58, 66, 78))
    }

    /// The colour of headings.
    pub(crate) fn heading(&self) -> Color {
        self.unless_plain((122, 190, 240))
    }

    /// The colour of important text.
    pub(crate) fn alert(&self) -> Color {
        self.unless_plain((240, 180, 70))
    }

    /// The colour of a danger, from harmless (0) to deadly (1).
    pub(crate) fn danger(&self, share: f64) -> Color {
        let share = share.clamp(0.0, 1.0);
        let mix = |low: f64, high: f64| (low + (high - low) * share) as u8;
        self.unless_plain((mix(70.0, 230.0), mix(170.0, 70.0), mix(110.0, 60.0)))
    }

    fn unless_plain(&self, rgb: Rgb) -> Color {
        if self.has_colours() {
            self.rgb(rgb)
        } else {
            Color::Reset
        }
    }

    fn rgb(&self, (r, g, b): Rgb) -> Color {
        if self.is_true_colour {
            Color::Rgb(r, g, b)
        } else {
            Color::Indexed(nearest_of_256((r, g, b)))
        }
    }
}

/// The nearest colour of the cube of 216.
fn nearest_of_256((r, g, b): Rgb) -> u8 {
    let step = |value: u8| match value {
        0..48 => 0,
        48..115 => 1,
        _ => (value - 35) / 40,
    };
    16 + 36 * step(r) + 6 * step(g) + step(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use tetrolab::core::piece::PIECES;

    #[test]
    fn pieces_are_distinguishable_in_every_palette_even_with_256_colours() {
        for palette in [Palette::Guideline, Palette::ColourBlind] {
            for is_true_colour in [true, false] {
                let colours = Colours {
                    palette,
                    is_true_colour,
                };
                let all = PIECES.map(|piece| format!("{:?}", colours.piece(Some(piece))));
                assert_eq!(BTreeSet::from(all).len(), 7, "{palette:?} {is_true_colour}");
            }
        }
    }
}
