//! Straight drops: every placement of one piece on one board, laid out so that a loop over the
//! columns of a shape is a few vector instructions.

use crate::board::{Board, WALL};
use crate::piece::{Piece, Shape};
use crate::placement::{Placement, Spin, Surface};

/// Number of columns to the left of the piece that an [`Excerpt`] includes.
pub(crate) const WINDOW_MARGIN: usize = 2;

/// The columns around one placement: everything that a local feature needs if no row is removed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Excerpt {
    /// The columns from two left of the piece to its right, with the piece in place and no row
    /// removed; beyond the board there are walls.
    pub(crate) columns: [u64; 8],
}

/// A number for every column in which a shape can drop.
pub(crate) type PerColumn = [i16; COLUMNS];

/// The maximum width of a board.
pub(crate) const COLUMNS: usize = 16;

/// A number for every column of the board and the walls next to it: column `c` is at `c +
/// WINDOW_MARGIN`.
pub(crate) type Padded<T> = [T; COLUMNS + 8];

/// The height of a wall: higher than any stack.
pub(crate) const WALL_HEIGHT: i16 = 64;

/// The placements of one shape: from the left wall to the right one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub(crate) shape: &'static Shape,
    /// The index of the shape's first placement.
    pub(crate) start: usize,
    pub(crate) count: usize,
    /// The rows in which the shape locks; only the first `count` are defined.
    pub(crate) y: PerColumn,
}

impl Group {
    /// Number of lanes that loops process: whole vectors of eight, including a few lanes beyond the
    /// last placement.
    #[inline]
    pub(crate) fn lanes(&self) -> usize {
        if self.count <= 8 { 8 } else { COLUMNS }
    }

    /// The columns around one placement of the shape, as in [`Excerpt`].
    pub(crate) fn window(&self, padded: &Padded<u64>, x: usize) -> [u64; 8] {
        let mut window = [0; 8];
        window.copy_from_slice(&padded[x..x + 8]);
        for (j, &cells) in self.shape.columns.iter().enumerate() {
            window[WINDOW_MARGIN + j] |= u64::from(cells) << self.y[x];
        }
        window
    }
}

/// The set that contains lane `x` if the condition is true, or the empty set. It is written so that
/// the compiler can vectorise a loop over lanes that builds a set, unlike a shift or a conditional
/// lookup.
#[inline(always)]
pub(crate) fn lane_if(condition: bool, x: usize) -> u16 {
    const LANE: [u16; COLUMNS] = {
        let mut bits = [0; COLUMNS];
        let mut x = 0;
        while x < COLUMNS {
            bits[x] = 1 << x;
            x += 1;
        }
        bits
    };
    LANE[x] & u16::from(condition).wrapping_neg()
}

/// Calls `visit` for each lane of a set among the first `count` lanes.
#[inline]
pub(crate) fn for_each_lane(set: u16, count: usize, mut visit: impl FnMut(usize)) {
    let mut rest = u32::from(set) & ((1 << count) - 1);
    while rest != 0 {
        visit(rest.trailing_zeros() as usize);
        rest &= rest - 1;
    }
}

/// Every straight drop of one piece onto one board. Reused across decisions, so that they do not
/// allocate memory.
///
/// The order is the reference simulator's: shapes in the order of [`Piece::shapes`], in each from
/// left to right.
#[derive(Clone, Debug)]
pub(crate) struct Drops {
    /// The board onto which the piece drops.
    pub(crate) before: Surface,
    /// The columns of the board with walls on both sides.
    pub(crate) padded: Padded<u64>,
    /// The heights of the columns and of the walls.
    pub(crate) tops: Padded<i16>,
    piece: Piece,
    count: usize,
    /// The shapes of the piece, followed by positions that no straight drop reaches.
    groups: Vec<Group>,
    straight: usize,
}

impl Default for Drops {
    fn default() -> Drops {
        Drops {
            before: Surface::new(Board::new(10, 20).expect("a legal size")),
            padded: [WALL; COLUMNS + 8],
            tops: [WALL_HEIGHT; COLUMNS + 8],
            piece: Piece::O,
            count: 0,
            groups: Vec::with_capacity(8),
            straight: 0,
        }
    }
}

impl Drops {
    /// Drops a piece onto a board in every shape and column.
    #[inline]
    pub(crate) fn lay_out(&mut self, board: &Board, piece: Piece) {
        self.before.board = *board;
        self.before.measure();
        self.piece = piece;
        self.count = 0;
        self.groups.clear();
        self.pad_columns();
        for shape in piece.shapes() {
            let group = Group {
                shape,
                start: self.count,
                count: board.width() + 1 - shape.width,
                y: self.resting_rows(shape),
            };
            self.groups.push(group);
            self.count += group.count;
        }
        self.straight = self.groups.len();
    }

    /// Discards all placements, but not the board.
    pub(crate) fn clear(&mut self) {
        self.groups.clear();
        (self.count, self.straight) = (0, 0);
    }

    /// Adds a placement that no straight drop reaches: to a group of its shape in which its column
    /// is free, or to a new group that uses only this column. Returns the index of the placement,
    /// or `None` if there are already `most`.
    pub(crate) fn add_place(&mut self, place: Placement, used: u64, most: usize) -> Option<usize> {
        let (shape, x) = (place.shape(), usize::from(place.x));
        let y = i16::from(place.y);
        let is_open = |group: &&mut Group| {
            group.shape.rotation == shape.rotation && used >> (group.start + x) & 1 == 0
        };
        if let Some(group) = self.groups[self.straight..].iter_mut().find(is_open) {
            group.y[x] = y;
            return Some(group.start + x);
        }
        let start = self.count;
        if start + COLUMNS > most {
            return None;
        }
        self.groups.push(Group {
            shape,
            start,
            count: self.before.board.width() + 1 - shape.width,
            y: [y; COLUMNS],
        });
        self.count += self.groups[self.groups.len() - 1].count;
        Some(start + x)
    }

    /// The shapes of the piece that drop straight down, in order.
    #[inline]
    pub(crate) fn straight_groups(&self) -> &[Group] {
        &self.groups[..self.straight]
    }

    /// Copies the columns and their heights between walls.
    fn pad_columns(&mut self) {
        let width = self.before.board.width();
        self.padded = [WALL; COLUMNS + 8];
        self.padded[WINDOW_MARGIN..WINDOW_MARGIN + width]
            .copy_from_slice(self.before.board.columns());
        self.tops = [WALL_HEIGHT; COLUMNS + 8];
        let tops = &mut self.tops[WINDOW_MARGIN..WINDOW_MARGIN + width];
        for (top, &height) in tops.iter_mut().zip(self.before.heights()) {
            *top = i16::from(height);
        }
    }

    /// The rows in which the shape locks, for every column, in a plain loop over lanes that the
    /// compiler vectorises. Lanes outside the board are undefined.
    #[inline]
    fn resting_rows(&self, shape: &Shape) -> PerColumn {
        let mut y = [0; COLUMNS];
        for (j, &bottom) in shape.bottoms[..shape.width].iter().enumerate() {
            let tops = &self.tops[WINDOW_MARGIN + j..][..COLUMNS];
            for (y, &top) in y.iter_mut().zip(tops) {
                *y = i16::max(*y, top - i16::from(bottom));
            }
        }
        y
    }

    /// Number of placements.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// The piece.
    #[inline]
    pub(crate) fn piece(&self) -> Piece {
        self.piece
    }

    /// All groups of placements, the straight drops first.
    #[inline]
    pub(crate) fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The shape of the placement with this index, with its column and the row in which it locks.
    #[inline]
    pub(crate) fn find(&self, index: usize) -> (&'static Shape, usize, usize) {
        let last = |group: &&Group| group.start <= index;
        let group = self.groups.iter().rev().find(last);
        let group = group.expect("a shape starts at number 0");
        let x = index - group.start;
        (group.shape, x, group.y[x] as usize)
    }

    /// The placement with this index.
    pub(crate) fn placement(&self, index: usize) -> Placement {
        let (shape, x, y) = self.find(index);
        Placement {
            piece: self.piece,
            rotation: shape.rotation,
            x: x as u8,
            y: y as u8,
            spin: Spin::None,
        }
    }
}
