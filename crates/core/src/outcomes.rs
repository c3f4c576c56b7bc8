//! Every placement of one piece on one board, laid out so that features can be computed for all of them at once.

use crate::board::{Board, WALL};
use crate::game::GameView;
use crate::piece::{Piece, Shape};
use crate::placement::{Landing, Placement, Surface, Transition};
use crate::ruleset::End;

/// The most placements that a decision can have: T, J and L on a board 16 wide have 58.
pub const MAX_OUTCOMES: usize = 64;

/// Columns to the left of the piece that a window shows.
pub(crate) const WINDOW_MARGIN: usize = 2;

/// Which board the features look at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scored {
    /// The board after full rows are removed, as in nearly all of the literature.
    #[default]
    AfterRemoval,
    /// The board with full rows still in it (Lee's "near perfect" bot).
    BeforeRemoval,
}

/// One placement.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// The placement and what it clears.
    pub landing: Landing,
}

/// The columns around one placement: all that a local feature needs when no row is removed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    /// The columns from two left of the piece to the right of it, the piece filled in, no row removed; walls
    /// beside the board.
    pub(crate) window: [u64; 8],
}

/// One number for every column in which a shape can come down.
pub(crate) type Lanes = [i16; LANES];

/// As many as the widest board has columns.
pub(crate) const LANES: usize = 16;

/// One number for every column of the board and the walls beside it: column `c` at `c + WINDOW_MARGIN`.
pub(crate) type Padded<T> = [T; LANES + 8];

/// The height of a wall: no stack is as high.
const WALL_HEIGHT: i16 = 64;

/// The placements of one shape: from the left wall to the right one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub(crate) shape: &'static Shape,
    /// Number of the first of its outcomes.
    pub(crate) start: usize,
    pub(crate) count: usize,
    /// The rows in which the shape comes to rest; only the first `count` mean anything.
    pub(crate) y: Lanes,
}

impl Group {
    /// How many lanes loops have to run through: whole vectors of eight, a few lanes beyond the last one included.
    #[inline]
    pub(crate) fn lanes(&self) -> usize {
        if self.count <= 8 { 8 } else { LANES }
    }

    /// The columns around one placement of the shape, as in [`Window`].
    pub(crate) fn window(&self, padded: &Padded<u64>, x: usize) -> [u64; 8] {
        let mut window = [0; 8];
        window.copy_from_slice(&padded[x..x + 8]);
        for (j, &cells) in self.shape.columns.iter().enumerate() {
            window[WINDOW_MARGIN + j] |= u64::from(cells) << self.y[x];
        }
        window
    }
}

/// The set of lane `x` alone if the condition holds, or of none. Written so that a loop over lanes that puts together
/// a set can be turned into vector instructions: neither a shift nor a look at a table on condition can.
#[inline(always)]
pub(crate) fn lane_if(condition: bool, x: usize) -> u16 {
    const LANE: [u16; LANES] = {
        let mut bits = [0; LANES];
        let mut x = 0;
        while x < LANES {
            bits[x] = 1 << x;
            x += 1;
        }
        bits
    };
    LANE[x] & u16::from(condition).wrapping_neg()
}

/// Calls `visit` for each of the lanes of a set that are among the first `count`.
#[inline]
pub(crate) fn for_each_lane(set: u16, count: usize, mut visit: impl FnMut(usize)) {
    let mut rest = u32::from(set) & ((1 << count) - 1);
    while rest != 0 {
        visit(rest.trailing_zeros() as usize);
        rest &= rest - 1;
    }
}

/// The numbers of the bits of a set, in order.
#[inline]
pub(crate) fn members(set: u64) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let number = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        (number < 64).then_some(number)
    })
}

/// What a decision is about: the board, the piece, and the rules that decide what a placement does.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The board before the placement.
    pub board: &'a Board,
    /// The piece to place.
    pub piece: Piece,
    /// When the game is over.
    pub end: End,
    /// The piece after this one, if the player may know it.
    pub next: Option<Piece>,
    /// Which board the features look at.
    pub scored: Scored,
    /// Lines cleared in the game so far.
    pub lines_before: u64,
}

impl<'a> From<&GameView<'a>> for Question<'a> {
    fn from(view: &GameView<'a>) -> Question<'a> {
        Question {
            board: view.board,
            piece: view.piece,
            end: view.end,
            next: view.queue.first().copied(),
            scored: Scored::AfterRemoval,
            lines_before: view.lines,
        }
    }
}

/// Every placement of one piece on one board. Reused from decision to decision, so that none allocates.
///
/// The order is the reference simulator's: shapes in the order of [`Piece::shapes`], in each from left to right.
#[derive(Clone, Debug)]
pub struct Outcomes {
    pub(crate) before: Surface,
    /// The columns with walls on both sides.
    pub(crate) padded: Padded<u64>,
    /// The heights of the columns and of the walls.
    pub(crate) tops: Padded<i16>,
    piece: Piece,
    count: usize,
    /// The shapes of the piece.
    groups: Vec<Group>,
    /// The placements that complete rows, and those that end the game, one bit each.
    clearing: u64,
    losing: u64,
    /// The rows that the placements in `clearing` complete; the other entries mean nothing.
    cleared: Box<[u64; MAX_OUTCOMES]>,
    /// The boards after the placements; only those with removed rows are valid until [`Self::settle_all`].
    afters: Vec<Surface>,
    all_settled: bool,
    /// The columns around the placements; valid after [`Self::show_windows`].
    windows: Vec<Window>,
    scored: Scored,
    lines_before: u64,
}

impl Default for Outcomes {
    fn default() -> Outcomes {
        let nothing = Surface::new(Board::new(10, 20).expect("a legal size"));
        Outcomes {
            before: nothing,
            padded: [WALL; LANES + 8],
            tops: [WALL_HEIGHT; LANES + 8],
            piece: Piece::O,
            count: 0,
            groups: Vec::with_capacity(4),
            clearing: 0,
            losing: 0,
            cleared: Box::new([0; MAX_OUTCOMES]),
            afters: vec![nothing; MAX_OUTCOMES],
            all_settled: false,
            windows: Vec::with_capacity(MAX_OUTCOMES),
            scored: Scored::AfterRemoval,
            lines_before: 0,
        }
    }
}

impl Outcomes {
    /// Drops the piece in every way that the board allows.
    pub fn generate(&mut self, question: &Question<'_>) {
        self.before = Surface::new(*question.board);
        self.scored = question.scored;
        self.lines_before = question.lines_before;
        self.piece = question.piece;
        self.all_settled = false;
        self.windows.clear();
        self.count = 0;
        (self.clearing, self.losing) = (0, 0);
        self.groups.clear();
        self.pad_columns();
        let lowest = self.lowest_beside(question.end);
        for shape in question.piece.shapes() {
            match shape.width {
                1 => self.drop_everywhere::<1>(question, shape, &lowest),
                2 => self.drop_everywhere::<2>(question, shape, &lowest),
                3 => self.drop_everywhere::<3>(question, shape, &lowest),
                _ => self.drop_everywhere::<4>(question, shape, &lowest),
            }
        }
    }

    /// Drops one shape, `WIDTH` columns wide, in every column.
    fn drop_everywhere<const WIDTH: usize>(
        &mut self,
        question: &Question<'_>,
        shape: &'static Shape,
        lowest: &LowestBeside,
    ) {
        let group = Group {
            shape,
            start: self.count,
            count: question.board.width() + 1 - WIDTH,
            y: self.resting_rows::<WIDTH>(shape),
        };
        let quiet_below = lowest.quiet_top - shape.height as i16;
        let mut marked = 0;
        for x in 0..LANES {
            let y = group.y[x];
            // A row can only be full where all columns beside the piece are higher than its lowest row.
            let may_clear = y < lowest.left_of[x].min(lowest.from[x + WIDTH]);
            marked |= lane_if(may_clear | (y > quiet_below), x);
        }
        self.groups.push(group);
        self.count += group.count;
        for_each_lane(marked, group.count, |x| self.settle(question, &group, x));
    }

    /// The rows in which the shape comes to rest, for every column; a plain loop over lanes, so that it is done in a
    /// few vector instructions. The lanes that stick out of the board mean nothing.
    #[expect(clippy::needless_range_loop, reason = "x is a place in both lists")]
    fn resting_rows<const WIDTH: usize>(&self, shape: &Shape) -> Lanes {
        let mut y = [0; LANES];
        for j in 0..WIDTH {
            let bottom = i16::from(shape.bottoms[j]);
            for x in 0..LANES {
                y[x] = i16::max(y[x], self.tops[WINDOW_MARGIN + x + j] - bottom);
            }
        }
        y
    }

    /// Finds out what one placement clears and whether it ends the game. The others do neither.
    fn settle(&mut self, question: &Question<'_>, group: &Group, x: usize) {
        let (index, y) = (group.start + x, group.y[x] as usize);
        let after = &mut self.afters[index];
        after.board = *question.board;
        after.board.fill_shape(group.shape, x, y);
        let (full, piece_top) = (after.board.full_rows(), y + group.shape.height);
        let settled = question
            .end
            .settle(&after.board, full, piece_top, question.next);
        self.losing |= u64::from(settled.game_over) << index;
        if settled.cleared != 0 {
            self.clearing |= 1 << index;
            self.cleared[index] = settled.cleared;
            if self.scored == Scored::AfterRemoval {
                after.board.remove_rows(settled.cleared);
            }
            after.measure();
        }
    }

    /// Copies the columns and their heights between walls.
    fn pad_columns(&mut self) {
        let width = self.before.board.width();
        self.padded = [WALL; LANES + 8];
        self.padded[WINDOW_MARGIN..WINDOW_MARGIN + width]
            .copy_from_slice(self.before.board.columns());
        self.tops = [WALL_HEIGHT; LANES + 8];
        let tops = &mut self.tops[WINDOW_MARGIN..WINDOW_MARGIN + width];
        for (top, &height) in tops.iter_mut().zip(self.before.heights()) {
            *top = i16::from(height);
        }
    }

    /// Finds the lowest columns beside every column, and how high a piece can reach without consequences.
    #[expect(clippy::needless_range_loop, reason = "x is a column in both lists")]
    fn lowest_beside(&self, end: End) -> LowestBeside {
        let board = &self.before.board;
        let (width, height) = (board.width(), board.height() as i16);
        let mut lowest = LowestBeside {
            left_of: [WALL_HEIGHT; LANES],
            from: [WALL_HEIGHT; LANES + 4],
            quiet_top: 0,
        };
        let tops = &self.tops[WINDOW_MARGIN..WINDOW_MARGIN + LANES];
        let (mut least, mut most) = (WALL_HEIGHT, 0);
        for x in 0..width {
            lowest.left_of[x] = least;
            least = least.min(tops[x]);
            most = most.max(tops[x]);
        }
        least = WALL_HEIGHT;
        for x in (0..width).rev() {
            least = least.min(tops[x]);
            lowest.from[x] = least;
        }
        // Below the two top rows, in which pieces enter, nothing ends in any game.
        let quiet = if end == End::AboveTop {
            height
        } else {
            height - 2
        };
        // A board that comes with full rows, or that is in the two top rows already, is looked at more closely.
        let busy = board.full_rows() != 0 || (most > quiet && end != End::AboveTop);
        lowest.quiet_top = if busy { 0 } else { quiet };
        lowest
    }

    fn board_after(&self, index: usize) -> Board {
        let landing = self.landing(index);
        let mut board = self.before.board;
        board.fill_shape(
            landing.shape,
            usize::from(landing.x),
            usize::from(landing.y),
        );
        if self.scored == Scored::AfterRemoval {
            board.remove_rows(landing.cleared);
        }
        board
    }

    /// Works out the board after every placement; before that only those with removed rows are known.
    pub(crate) fn settle_all(&mut self) {
        if !self.all_settled {
            for index in 0..self.count {
                self.afters[index] = Surface::new(self.board_after(index));
            }
            self.all_settled = true;
        }
    }

    /// Number of placements.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is no placement; never so after [`Self::generate`].
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The placements in order.
    #[inline]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Outcome> + '_ {
        (0..self.count).map(|index| Outcome {
            landing: self.landing(index),
        })
    }

    /// The piece.
    #[inline]
    pub(crate) fn piece(&self) -> Piece {
        self.piece
    }

    /// The shapes of the piece, in order.
    #[inline]
    pub(crate) fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Lays out the columns around every placement.
    pub(crate) fn show_windows(&mut self) {
        if self.windows.is_empty() {
            for group in &self.groups {
                let window = |x| Window {
                    window: group.window(&self.padded, x),
                };
                self.windows.extend((0..group.count).map(window));
            }
        }
    }

    /// The columns around the placements of one shape.
    #[inline]
    pub(crate) fn of_group(&self, group: &Group) -> &[Window] {
        &self.windows[group.start..group.start + group.count]
    }

    /// The landing of the placement with this number.
    #[must_use]
    pub fn landing(&self, index: usize) -> Landing {
        let last = |group: &&Group| group.start <= index;
        let group = self.groups.iter().rev().find(last);
        let group = group.expect("a shape starts at number 0");
        let x = index - group.start;
        Landing {
            piece: self.piece,
            shape: group.shape,
            x: x as u8,
            y: group.y[x] as u8,
            board_height: self.before.board.height() as u8,
            game_over: self.losing >> index & 1 != 0,
            cleared: if self.clearing >> index & 1 != 0 {
                self.cleared[index]
            } else {
                0
            },
        }
    }

    /// The placement with this number.
    #[must_use]
    pub fn placement(&self, index: usize) -> Placement {
        self.landing(index).placement()
    }

    /// The placements that end the game, one bit each.
    #[inline]
    pub(crate) fn losing(&self) -> u64 {
        self.losing
    }

    /// The placements that complete rows.
    #[inline]
    pub(crate) fn clearing(&self) -> impl Iterator<Item = usize> + use<> {
        members(self.clearing)
    }

    /// The placements whose full rows are taken out before the board is looked at.
    #[inline]
    pub(crate) fn removing(&self) -> impl Iterator<Item = usize> + use<> {
        let removes = self.scored == Scored::AfterRemoval;
        self.clearing().filter(move |_| removes)
    }

    /// The board after a placement, measured.
    #[inline]
    pub(crate) fn after(&self, index: usize) -> &Surface {
        debug_assert!(self.all_settled || self.clearing >> index & 1 != 0);
        &self.afters[index]
    }

    /// One placement with the boards before and after it.
    pub(crate) fn step(&self, index: usize) -> Step<'_> {
        Step {
            landing: self.landing(index),
            lines_before: self.lines_before,
            before: &self.before,
            after: self.after(index),
        }
    }

    /// The whole transition of one placement.
    #[must_use]
    pub fn transition(&self, index: usize) -> Transition {
        let landing = self.landing(index);
        Transition {
            before: self.before.board,
            placement: landing.placement(),
            cleared: landing.cleared,
            after: self.board_after(index),
            game_over: landing.game_over,
            lines_before: self.lines_before,
        }
    }
}

/// What tells at a glance which placements neither complete a row nor end the game.
struct LowestBeside {
    /// Height of the lowest column left of column `c`, and of the lowest one from `c` on.
    left_of: Lanes,
    from: [i16; LANES + 4],
    /// A piece whose top is not above this row does not end the game, unless it completes rows.
    quiet_top: i16,
}

/// All that a feature may look at: the landing, and the boards before and after it.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The placement and what it clears.
    pub landing: Landing,
    /// Lines cleared in the game before this placement.
    pub lines_before: u64,
    /// The board before the placement.
    pub before: &'a Surface,
    /// The board after it.
    pub after: &'a Surface,
}

/// Every distinct placement of a piece on a board: the drop counts of the placement game.
#[must_use]
pub fn placements(board: &Board, piece: Piece) -> Vec<Placement> {
    let mut all = Vec::with_capacity(MAX_OUTCOMES);
    for_each_drop(board, piece, |shape, x, y| {
        all.push(Placement {
            piece,
            rotation: shape.rotation,
            x: x as u8,
            y: y as u8,
        });
    });
    all
}

/// Drops the piece in every shape and column, in the reference simulator's order: shape, column, resting row.
#[inline]
fn for_each_drop(board: &Board, piece: Piece, mut visit: impl FnMut(&'static Shape, usize, usize)) {
    for shape in piece.shapes() {
        for x in 0..=board.width() - shape.width {
            visit(shape, x, board.resting_row(shape, x));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{WIDTHS, column_height};
    use crate::piece::PIECES;

    #[test]
    fn placements_on_the_empty_board_are_counted_right_for_every_width() {
        for width in WIDTHS {
            let board = Board::new(width, 20).unwrap();
            for piece in PIECES {
                let expected = match piece {
                    Piece::O => width - 1,
                    Piece::I => width + (width - 3),
                    Piece::S | Piece::Z => (width - 1) + (width - 2),
                    Piece::L | Piece::J | Piece::T => 2 * (width - 1) + 2 * (width - 2),
                };
                assert_eq!(
                    placements(&board, piece).len(),
                    expected,
                    "{piece} on {width}"
                );
            }
        }
        let count = |piece| placements(&Board::new(10, 20).unwrap(), piece).len();
        assert_eq!(PIECES.map(count), [17, 9, 34, 17, 17, 34, 34]);
    }

    #[test]
    fn a_column_is_as_high_as_its_topmost_cell() {
        assert_eq!(column_height(0), 0);
        assert_eq!(column_height(0b1_0010), 5);
    }

    /// What a placement does, told at a glance, is what the rules say of the board with the piece in it.
    fn check_settled(board: &Board, piece: Piece, end: End, next: Option<Piece>) {
        let mut outcomes = Outcomes::default();
        outcomes.generate(&Question {
            board,
            piece,
            end,
            next,
            scored: Scored::AfterRemoval,
            lines_before: 0,
        });
        let drops = placements(board, piece);
        assert_eq!(outcomes.len(), drops.len());
        for (outcome, placement) in outcomes.iter().zip(drops) {
            let landing = outcome.landing;
            assert_eq!(landing.placement(), placement);
            let mut placed = *board;
            let (x, y) = (usize::from(placement.x), usize::from(placement.y));
            placed.fill_shape(landing.shape, x, y);
            let top = y + landing.shape.height;
            let settled = end.settle(&placed, placed.full_rows(), top, next);
            assert_eq!(landing.game_over, settled.game_over, "{placed:?} {end:?}");
            assert_eq!(landing.cleared, settled.cleared, "{placed:?} {end:?}");
        }
    }

    #[test]
    fn every_end_is_noticed() {
        let mut rng = crate::rng::Rng::new(1);
        for round in 0..2000 {
            let (width, height) = (4 + rng.below(13) as usize, 4 + rng.below(20) as usize);
            let mut board = Board::new(width, height).unwrap();
            let (least, most) = (rng.below(height as u64), rng.below(height as u64));
            for column in 0..width {
                let top = least + rng.below(1 + most.saturating_sub(least));
                for row in 0..top as usize {
                    if rng.below(20) > round % 3 {
                        board.fill(row, column);
                    }
                }
            }
            let piece = PIECES[rng.below(7) as usize];
            for &(end, _) in crate::ruleset::ENDS {
                for next in [None, Some(Piece::I), Some(Piece::T)] {
                    check_settled(&board, piece, end, next);
                }
            }
        }
    }
}
