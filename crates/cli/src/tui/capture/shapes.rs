//! Characters of the screen that are drawn as shapes: blocks and lines of boxes.
//!
//! Lengths are pixels of a GIF and units of an SVG picture; a cell is 8 wide and 16 high.

use super::boxes;
use super::rects::Rect;

/// A part of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum SignPart {
    /// A rectangle on whole pixels.
    Rect(Rect),
    /// A quarter of a circle around (x, y), one pixel thick: a corner of a box.
    Arc {
        x: u8,
        y: u8,
        to_left: bool,
        to_top: bool,
    },
}

/// The shape of a character.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SignShape {
    pub(super) parts: Vec<SignPart>,
    /// The strength of the colour, in quarters: shades are weaker.
    pub(super) quarters: u8,
}

/// The inner and outer radius of a rounded corner.
const ARC: (f32, f32) = (3.0, 4.0);

/// A rectangle, given by its upper left corner.
pub(super) fn rect(x: u8, y: u8, width: u8, height: u8) -> SignPart {
    SignPart::Rect(Rect {
        x: x.into(),
        y: y.into(),
        width: width.into(),
        height: height.into(),
    })
}

/// The shape of a character, if it is drawn as a shape.
pub(super) fn shape(character: char) -> Option<SignShape> {
    let quarters = match character {
        '░' => 1,
        '▒' => 2,
        '▓' => 3,
        _ => 4,
    };
    let parts = match character {
        '\u{2500}'..'\u{2580}' => boxes::parts(character),
        '\u{2580}'..'\u{25a0}' => block(character),
        _ => Vec::new(),
    };
    (!parts.is_empty()).then_some(SignShape { parts, quarters })
}

fn block(character: char) -> Vec<SignPart> {
    // The number of the character within its Unicode block.
    let number = u8::try_from(u32::from(character) - 0x2580).expect("there are 32 blocks");
    let part = match number {
        0x00 => rect(0, 0, 8, 8),
        0x01..=0x08 => rect(0, 16 - 2 * number, 8, 2 * number),
        0x09..=0x0f => rect(0, 0, 16 - number, 16),
        0x10 => rect(4, 0, 4, 16),
        0x11..=0x13 => rect(0, 0, 8, 16),
        0x14 => rect(0, 0, 8, 2),
        0x15 => rect(7, 0, 1, 16),
        _ => return Vec::new(),
    };
    vec![part]
}

impl SignPart {
    /// Whether the part covers this point of the cell.
    pub(super) fn covers(self, (x, y): (f32, f32)) -> bool {
        match self {
            SignPart::Rect(rect) => {
                let within =
                    |at: f32, from: u32, length: u32| (from..from + length).contains(&(at as u32));
                within(x, rect.x, rect.width) && within(y, rect.y, rect.height)
            }
            SignPart::Arc {
                x: middle_x,
                y: middle_y,
                to_left,
                to_top,
            } => {
                let (right, down) = (x - f32::from(middle_x), y - f32::from(middle_y));
                let is_in_quarter = (right < 0.0) == to_left && (down < 0.0) == to_top;
                is_in_quarter && (ARC.0..ARC.1).contains(&right.hypot(down))
            }
        }
    }

    /// A rounded part as part of the path of an SVG element, with its cell at this position; `None`
    /// for a rectangle.
    pub(super) fn path(self, (left, top): (u32, u32)) -> String {
        match self {
            SignPart::Rect(_) => String::new(),
            SignPart::Arc {
                x,
                y,
                to_left,
                to_top,
            } => {
                let middle = (left as f32 + f32::from(x), top as f32 + f32::from(y));
                arc_path(middle, (to_left, to_top))
            }
        }
    }
}

/// A quarter of a ring, from its end at the side to the one above or below, and back.
fn arc_path((x, y): (f32, f32), (to_left, to_top): (bool, bool)) -> String {
    let right = if to_left { -1.0 } else { 1.0 };
    let down = if to_top { -1.0 } else { 1.0 };
    let there = u8::from(to_left == to_top);
    let (inner, outer) = ARC;
    format!(
        "M{} {y}A{outer} {outer} 0 0 {there} {x} {}V{}A{inner} {inner} 0 0 {} {} {y}z",
        x + right * outer,
        y + down * outer,
        y + down * inner,
        1 - there,
        x + right * inner,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(character: char) -> Vec<SignPart> {
        shape(character).expect("is drawn").parts
    }

    #[test]
    fn blocks_fill_their_share_of_the_cell() {
        assert_eq!(parts('█'), [rect(0, 0, 8, 16)]);
        assert_eq!(parts('▀'), [rect(0, 0, 8, 8)]);
        assert_eq!(parts('▄'), [rect(0, 8, 8, 8)]);
        assert_eq!(parts('▁'), [rect(0, 14, 8, 2)]);
        assert_eq!(parts('▉'), [rect(0, 0, 7, 16)]);
        assert_eq!(parts('▌'), [rect(0, 0, 4, 16)]);
        assert_eq!(parts('▏'), [rect(0, 0, 1, 16)]);
        assert_eq!(shape('▒').unwrap().quarters, 2);
    }

    #[test]
    fn letters_are_not_drawn() {
        assert_eq!(shape('a'), None);
        assert_eq!(shape('…'), None);
    }
}
