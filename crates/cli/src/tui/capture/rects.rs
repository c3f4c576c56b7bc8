//! Covers an area with few rectangles.

use std::fmt::Write;

/// A rectangle, given by its upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rect {
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) width: u32,
    pub(super) height: u32,
}

impl Rect {
    /// The same rectangle, shifted right and down.
    pub(super) fn moved(self, x: u32, y: u32) -> Rect {
        Rect {
            x: self.x + x,
            y: self.y + y,
            ..self
        }
    }
}

/// Joins rectangles that are side by side, then those on top of each other.
pub(super) fn merged(mut rects: Vec<Rect>) -> Vec<Rect> {
    rects.sort_unstable_by_key(|rect| (rect.y, rect.height, rect.x));
    rects.dedup_by(|next, last| {
        let joins = (next.y, next.height) == (last.y, last.height);
        joins && grow(&mut last.width, last.x, next.x, next.width)
    });
    rects.sort_unstable_by_key(|rect| (rect.x, rect.width, rect.y));
    rects.dedup_by(|next, last| {
        let joins = (next.x, next.width) == (last.x, last.width);
        joins && grow(&mut last.height, last.y, next.y, next.height)
    });
    rects.sort_unstable_by_key(|rect| (rect.y, rect.x, rect.width));
    rects
}

/// Extends an interval by the next one, if there is no gap between them.
fn grow(length: &mut u32, start: u32, next_start: u32, next_length: u32) -> bool {
    let touches = next_start <= start + *length;
    if touches {
        *length = (*length).max(next_start + next_length - start);
    }
    touches
}

/// The rectangles as the path of an SVG element.
pub(super) fn path(rects: &[Rect]) -> String {
    let mut path = String::new();
    for &Rect {
        x,
        y,
        width,
        height,
    } in rects
    {
        let _ = write!(path, "M{x} {y}h{width}v{height}h-{width}z");
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect(x: u32, y: u32, width: u32, height: u32) -> Rect {
        Rect {
            x,
            y,
            width,
            height,
        }
    }

    #[test]
    fn neighbours_become_one() {
        let square = vec![
            rect(8, 16, 8, 16),
            rect(0, 0, 8, 16),
            rect(8, 0, 8, 16),
            rect(0, 16, 8, 16),
        ];
        assert_eq!(merged(square), [rect(0, 0, 16, 32)]);
    }

    #[test]
    fn overlapping_lines_become_one() {
        let line = vec![rect(4, 8, 1, 8), rect(4, 0, 1, 9), rect(4, 16, 1, 16)];
        assert_eq!(merged(line), [rect(4, 0, 1, 32)]);
    }

    #[test]
    fn a_gap_keeps_them_apart() {
        let apart = vec![rect(0, 0, 8, 16), rect(16, 0, 8, 16), rect(8, 16, 8, 16)];
        assert_eq!(
            path(&merged(apart)),
            "M0 0h8v16h-8zM16 0h8v16h-8zM8 16h8v16h-8z"
        );
    }
}
