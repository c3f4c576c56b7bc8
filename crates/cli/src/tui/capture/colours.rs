//! Terminal colours as red, green and blue.

use ratatui::style::Color;
use std::fmt;

/// A colour: red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Rgb(pub(super) u8, pub(super) u8, pub(super) u8);

/// The default colour of text.
pub(super) const FOREGROUND: Rgb = Rgb(0xd8, 0xde, 0xe9);
/// The default background colour.
pub(super) const BACKGROUND: Rgb = Rgb(0x14, 0x18, 0x1f);

/// The sixteen named colours, with the values of xterm.
pub(super) const NAMED: [(Color, Rgb); 16] = [
    (Color::Black, Rgb(0, 0, 0)),
    (Color::Red, Rgb(205, 0, 0)),
    (Color::Green, Rgb(0, 205, 0)),
    (Color::Yellow, Rgb(205, 205, 0)),
    (Color::Blue, Rgb(0, 0, 238)),
    (Color::Magenta, Rgb(205, 0, 205)),
    (Color::Cyan, Rgb(0, 205, 205)),
    (Color::Gray, Rgb(229, 229, 229)),
    (Color::DarkGray, Rgb(127, 127, 127)),
    (Color::LightRed, Rgb(255, 0, 0)),
    (Color::LightGreen, Rgb(0, 255, 0)),
    (Color::LightYellow, Rgb(255, 255, 0)),
    (Color::LightBlue, Rgb(92, 92, 255)),
    (Color::LightMagenta, Rgb(255, 0, 255)),
    (Color::LightCyan, Rgb(0, 255, 255)),
    (Color::White, Rgb(255, 255, 255)),
];

impl Rgb {
    /// This colour, or `otherwise` if it is the terminal's default.
    pub(super) fn of(colour: Color, otherwise: Rgb) -> Rgb {
        match colour {
            Color::Rgb(red, green, blue) => Rgb(red, green, blue),
            Color::Indexed(index) => indexed(index),
            _ => named(colour).map_or(otherwise, indexed),
        }
    }

    /// The colour that is `steps` of `all` steps away from this one, towards another.
    pub(super) fn towards(self, other: Rgb, steps: u8, all: u8) -> Rgb {
        let (steps, all) = (u16::from(steps), u16::from(all));
        let mix = |from: u8, to: u8| {
            let sum = u16::from(from) * (all - steps) + u16::from(to) * steps;
            u8::try_from((sum + all / 2) / all).expect("a mean is between the two")
        };
        Rgb(
            mix(self.0, other.0),
            mix(self.1, other.1),
            mix(self.2, other.2),
        )
    }

    /// The difference of two colours, weighted by the eye's sensitivity: highest for green, lowest
    /// for blue.
    pub(super) fn distance(self, other: Rgb) -> u32 {
        let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
        3 * square(self.0, other.0) + 4 * square(self.1, other.1) + 2 * square(self.2, other.2)
    }
}

/// Formats a colour as SVG and asciicast write it: `#14181f`.
impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// The number of a named colour, 0 to 15.
pub(super) fn named(colour: Color) -> Option<u8> {
    let number = NAMED.iter().position(|row| row.0 == colour);
    number.map(|number| number as u8)
}

/// One of the 256 colours of a terminal: the named ones, a 6x6x6 cube, and greys.
fn indexed(index: u8) -> Rgb {
    let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
    match index {
        0..16 => NAMED[usize::from(index)].1,
        16..232 => {
            let cube = index - 16;
            Rgb(level(cube / 36), level(cube / 6 % 6), level(cube % 6))
        }
        232.. => {
            let grey = 8 + 10 * (index - 232);
            Rgb(grey, grey, grey)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rgb(colour: Color) -> Rgb {
        Rgb::of(colour, FOREGROUND)
    }

    #[test]
    fn colours_are_those_of_xterm() {
        assert_eq!(rgb(Color::Reset), FOREGROUND);
        assert_eq!(rgb(Color::Red), Rgb(205, 0, 0));
        assert_eq!(rgb(Color::White), rgb(Color::Indexed(15)));
        assert_eq!(rgb(Color::Indexed(16)), Rgb(0, 0, 0));
        assert_eq!(rgb(Color::Indexed(208)), Rgb(255, 135, 0));
        assert_eq!(rgb(Color::Indexed(231)), Rgb(255, 255, 255));
        assert_eq!(rgb(Color::Indexed(255)), Rgb(238, 238, 238));
        assert_eq!(rgb(Color::Rgb(1, 2, 3)), Rgb(1, 2, 3));
    }

    #[test]
    fn colours_mix_in_steps() {
        let (black, grey) = (Rgb(0, 0, 0), Rgb(100, 50, 255));
        assert_eq!(black.towards(grey, 0, 4), black);
        assert_eq!(black.towards(grey, 1, 4), Rgb(25, 13, 64));
        assert_eq!(black.towards(grey, 4, 4), grey);
    }
}
