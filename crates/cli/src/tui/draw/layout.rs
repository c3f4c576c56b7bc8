//! How large a board is drawn, and which rows are visible.

use tetrolab::session::{Editor, Session};

/// The position and size of a drawn board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoardLayout {
    pub(super) width: usize,
    /// Rows above the frame, where pieces of stepped games enter; the frame then has no upper edge.
    pub(super) above: usize,
    /// The size of a cell in columns and in half lines: with 2 a cell is two characters wide, with
    /// 1 it is half a character.
    pub(super) scale: usize,
    rows: Rows,
}

/// The visible rows of the board: a block that starts at `first`, and `upper` more rows after a
/// gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rows {
    all: usize,
    first: usize,
    lower: usize,
    gap: usize,
    upper: usize,
}

/// The maximum number of rows shown above the board.
const MOST_ABOVE: usize = 2;
/// The maximum size of a cell.
const LARGEST: usize = 8;
/// Number of rows shown around the piece, if it is in the upper part of a high board.
const AROUND_PIECE: usize = 4;
/// Columns next to a board with large cells, reserved so that the panels keep their width.
const BESIDE_ONE: usize = 58;
const BESIDE_TWO: usize = 26;

impl BoardLayout {
    /// The largest layout that fits. With `allows_halves`, cells may be half a line high; the
    /// smallest ones always are.
    pub(super) fn fitting(
        session: &Session,
        editor: Option<&Editor>,
        (width, height): (u16, u16),
        is_alone: bool,
        allows_halves: bool,
    ) -> BoardLayout {
        let (columns, rows) = (session.ruleset().width, session.visible_rows());
        let (room, lines) = (usize::from(width), usize::from(height).saturating_sub(2));
        let beside = if is_alone { BESIDE_ONE } else { BESIDE_TWO };
        let fits = |scale: &usize| {
            let beside = if *scale > 2 { beside } else { 0 };
            let is_allowed = scale.is_multiple_of(2) || allows_halves;
            is_allowed
                && (rows * scale).div_ceil(2) <= lines
                && scale * columns + 2 + beside <= room
        };
        let scale = (2..=LARGEST).rev().find(fits).unwrap_or(1);
        let most = 2 * lines / scale;
        // The line of the upper edge counts as one of them.
        let above = match session.ruleset().stepped() {
            Some(_) if scale > 1 => (2 * (lines + 1) / scale - rows).min(MOST_ABOVE),
            _ => 0,
        };
        let focus = match editor {
            Some(editor) => Some((editor.cursor.0, editor.cursor.0 + 1)),
            None => piece_rows(session, rows),
        };
        let stack = session.game().board().columns().iter();
        let stack = stack
            .map(|column| 64 - column.leading_zeros() as usize)
            .max();
        BoardLayout {
            width: columns,
            above,
            scale,
            rows: Rows::fitting(rows, most, stack.unwrap_or(0).min(rows), focus),
        }
    }

    /// Width and height on the screen in characters, including the frame.
    pub(super) fn size(&self) -> (u16, u16) {
        let rows = self.shown_rows() + self.above;
        let edge = usize::from(self.above == 0);
        let lines = (rows * self.scale).div_ceil(2) + 1 + edge;
        ((self.scale * self.width + 2) as u16, lines as u16)
    }

    /// Lines above the frame.
    pub(super) fn lines_above(&self) -> u16 {
        (self.above * self.scale / 2) as u16
    }

    /// All rows that the rules show.
    pub(super) fn all_rows(&self) -> usize {
        self.rows.all
    }

    /// The visible rows.
    pub(super) fn shown_rows(&self) -> usize {
        self.rows.lower + self.rows.upper
    }

    /// The number of hidden rows.
    pub(super) fn hidden(&self) -> usize {
        self.rows.all - self.shown_rows()
    }

    /// The position of a row among the visible ones, from the bottom.
    pub(super) fn place(&self, row: usize) -> Option<usize> {
        let Rows {
            all,
            first,
            lower,
            gap,
            upper,
        } = self.rows;
        let place = row.checked_sub(first)?;
        match place {
            _ if row >= all => Some(row - all + lower + upper),
            _ if place < lower => Some(place),
            _ if (lower + gap..lower + gap + upper).contains(&place) => Some(place - gap),
            _ => None,
        }
    }

    /// The line below which rows are hidden, if there are this many lines including the frame.
    pub(super) fn gap_line(&self, height: u16) -> Option<u16> {
        let below = (self.rows.lower * self.scale / 2) as u16;
        let is_one = self.rows.gap > 0 && self.rows.upper > 0;
        is_one.then(|| height.saturating_sub(2 + below))
    }
}

impl Rows {
    /// Chooses at most this many rows: those at the top of the stack, and those of the piece or the
    /// cursor.
    fn fitting(all: usize, most: usize, stack: usize, focus: Option<(usize, usize)>) -> Rows {
        let mut rows = Rows {
            all,
            first: 0,
            lower: all.min(most),
            gap: 0,
            upper: 0,
        };
        if all <= most {
            return rows;
        }
        let upper = AROUND_PIECE.min(most.div_ceil(2));
        let lower = most - upper;
        rows.first = (stack + 1).saturating_sub(lower).min(all - most);
        let Some((bottom, top)) = focus else {
            return rows;
        };
        rows.first = rows.first.min(bottom);
        if top > rows.first + most {
            let begin = bottom.min(all - upper);
            (rows.lower, rows.upper) = (lower, upper);
            rows.gap = begin.saturating_sub(rows.first + lower);
        }
        rows
    }
}

/// The lowest row of the falling piece, and the row above its highest one.
fn piece_rows(session: &Session, rows: usize) -> Option<(usize, usize)> {
    let cells = session.falling()?.cells();
    let on_board = cells
        .into_iter()
        .filter_map(|(row, _)| usize::try_from(row).ok());
    let cells: Vec<usize> = on_board.map(|row| row.min(rows - 1)).collect();
    Some((*cells.iter().min()?, cells.iter().max()? + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(rows: Rows) -> Vec<usize> {
        let layout = BoardLayout {
            width: 10,
            above: 0,
            scale: 1,
            rows,
        };
        (0..rows.all)
            .filter(|&row| layout.place(row).is_some())
            .collect()
    }

    #[test]
    fn a_high_board_shows_its_stack_and_its_piece() {
        for (stack, piece, expected) in [
            // A low stack and a piece at the top.
            (3, Some((38, 40)), (0..12, 36..40)),
            // The falling piece, also near the stack.
            (3, Some((20, 22)), (0..12, 20..24)),
            (3, Some((10, 12)), (0..16, 0..0)),
            // A high stack: its lowest rows are hidden.
            (30, Some((38, 40)), (19..31, 36..40)),
            (40, None, (24..40, 0..0)),
            // A piece far below the top of the stack.
            (30, Some((5, 7)), (5..21, 0..0)),
        ] {
            let rows = Rows::fitting(40, 16, stack, piece);
            let expected: Vec<usize> = expected.0.chain(expected.1).collect();
            assert_eq!(places(rows), expected, "{stack} {piece:?}");
        }
        assert_eq!(places(Rows::fitting(20, 30, 9, None)).len(), 20);
        // No size hides the piece or panics.
        for most in 1..40 {
            for stack in 0..=40 {
                for bottom in 0..39 {
                    let rows = Rows::fitting(40, most, stack, Some((bottom, bottom + 1)));
                    let places = places(rows);
                    assert_eq!(places.len(), most);
                    assert!(places.contains(&bottom), "{most} {stack} {bottom}");
                }
            }
        }
    }
}
