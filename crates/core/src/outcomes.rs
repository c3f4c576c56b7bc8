//! What every placement of one piece does to one board, laid out so that features can be computed for all of them at
//! once. Which placements there are is told by [`crate::moves`].

use crate::board::Board;
use crate::moves::{
    Drops, Excerpt, Group, LANES, PathFinder, PathStart, PerColumn, Steering, WALL_HEIGHT,
    WINDOW_MARGIN, for_each_lane, lane_if,
};
use crate::piece::Piece;
use crate::placement::{Landing, Placement, Spin, Surface, Transition};
use crate::rules::{End, Rules, RulesRef};

/// The most placements that a decision can have: T, J and L on a board 16 wide have 58.
pub const MAX_OUTCOMES: usize = 64;

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
    /// The rules of a step.
    pub rules: RulesRef<'a>,
    /// The piece after this one, if the player may know it.
    pub next: Option<Piece>,
    /// Which board the features look at.
    pub scored: Scored,
    /// Lines cleared in the game so far.
    pub lines_before: u64,
}

impl<'a> Question<'a> {
    /// A piece that drops straight down, in a game that ends above the top row, with nothing else to know.
    #[must_use]
    pub fn simple(board: &'a Board, piece: Piece) -> Question<'a> {
        Question {
            board,
            piece,
            rules: Rules::Drops(End::AboveTop),
            next: None,
            scored: Scored::AfterRemoval,
            lines_before: 0,
        }
    }
}

/// What every placement of one piece does to one board. Reused from decision to decision, so that none allocates.
///
/// The order is the reference simulator's: shapes in the order of [`Piece::shapes`], in each from left to right.
#[derive(Clone, Debug)]
pub struct Outcomes {
    /// The placements themselves.
    drops: Drops,
    /// The placements that complete rows, and those that end the game, one bit each.
    clearing: u64,
    losing: u64,
    /// The rows that the placements in `clearing` complete; the other entries mean nothing.
    cleared: Box<[u64; MAX_OUTCOMES]>,
    /// The boards after the placements; only those with removed rows are valid until [`Self::settle_all`].
    afters: Vec<Surface>,
    all_settled: bool,
    /// The columns around the placements; valid after [`Self::show_excerpts`].
    excerpts: Vec<Excerpt>,
    scored: Scored,
    lines_before: u64,
    /// The numbers that are placements; of a steered piece not all are.
    usable: u64,
    /// The numbers of places that no straight drop reaches.
    tucked: u64,
    /// What only steered pieces need.
    steered: Option<Box<Steered>>,
}

/// Room to find the places of steered pieces.
#[derive(Clone, Debug, Default)]
struct Steered {
    finder: PathFinder,
    places: Vec<Placement>,
    /// The places that are not among the outcomes yet.
    pending: Vec<Placement>,
    /// The spins of the outcomes that have one.
    spins: Vec<(usize, Spin)>,
}

impl Default for Outcomes {
    fn default() -> Outcomes {
        let drops = Drops::default();
        Outcomes {
            clearing: 0,
            losing: 0,
            cleared: Box::new([0; MAX_OUTCOMES]),
            afters: vec![drops.before; MAX_OUTCOMES],
            all_settled: false,
            excerpts: Vec::with_capacity(MAX_OUTCOMES),
            scored: Scored::AfterRemoval,
            lines_before: 0,
            usable: 0,
            tucked: 0,
            steered: None,
            drops,
        }
    }
}

impl Outcomes {
    /// Works out what every placement of the piece does.
    ///
    /// The rules are asked only about placements that could complete a row or end the game; the others are recognised
    /// by the heights of the columns alone (`Bounds`), several at a time, and change nothing but the cells of the piece.
    pub fn generate(&mut self, question: &Question<'_>) {
        self.drops.lay_out(question.board, question.piece);
        self.tucked = 0;
        self.usable = u64::MAX >> (MAX_OUTCOMES - self.drops.len());
        match question.rules.steering() {
            None => {
                self.steered = None;
                self.assess(question);
            }
            Some(steering) => self.generate_steered(question, steering),
        }
    }

    /// The same for a piece that is steered: the straight drops that it can reach, and the other places, as many as there is room for.
    fn generate_steered(&mut self, question: &Question<'_>, steering: &Steering) {
        let mut steered = self.steered.take().unwrap_or_default();
        let board = question.board;
        let entry = steering.entry(question.piece, board);
        let start = PathStart::entering(entry);
        steered.finder.search_places(board, steering, start);
        steered.finder.places(board, steering, &mut steered.places);
        let all = std::mem::take(&mut self.usable);
        steered.spins.clear();
        steered.pending.clear();
        for &place in &steered.places {
            let groups = self.drops.straight_groups();
            let mut groups = groups.iter();
            let group = groups.find(|group| group.shape.rotation == place.rotation);
            match group.filter(|group| group.y[usize::from(place.x)] == i16::from(place.y)) {
                None => steered.pending.push(place),
                Some(group) => {
                    let index = group.start + usize::from(place.x);
                    self.usable |= 1 << index;
                    if place.spin != Spin::None {
                        steered.spins.push((index, place.spin));
                    }
                }
            }
        }
        let is_barred = steered.places.is_empty();
        self.steered = Some(steered);
        self.add_pending();
        if is_barred {
            self.usable = all;
        }
        self.assess(question);
        if is_barred {
            // A piece that cannot enter: whatever is done, the game is over.
            self.losing = all;
        }
    }

    /// Adds places that wait, as many as there is room for.
    fn add_pending(&mut self) {
        let Some(steered) = &mut self.steered else {
            return;
        };
        let (drops, usable, tucked) = (&mut self.drops, &mut self.usable, &mut self.tucked);
        let spins = &mut steered.spins;
        steered.pending.retain(|&place| {
            let Some(index) = drops.add_place(place, *usable, MAX_OUTCOMES) else {
                return true;
            };
            *usable |= 1 << index;
            *tucked |= 1 << index;
            if place.spin != Spin::None {
                spins.push((index, place.spin));
            }
            false
        });
    }

    /// Replaces the placements by others of the same question for which there was no room; whether there are any.
    pub fn generate_more(&mut self, question: &Question<'_>) -> bool {
        let waits = |steered: &Steered| !steered.pending.is_empty();
        if !self.steered.as_deref().is_some_and(waits) {
            return false;
        }
        self.drops.clear();
        (self.usable, self.tucked) = (0, 0);
        if let Some(steered) = &mut self.steered {
            steered.spins.clear();
        }
        self.add_pending();
        self.assess(question);
        true
    }

    /// Finds out what the placements do.
    fn assess(&mut self, question: &Question<'_>) {
        self.scored = question.scored;
        self.lines_before = question.lines_before;
        self.all_settled = false;
        self.excerpts.clear();
        (self.clearing, self.losing) = (0, 0);
        let bounds = Bounds::new(&self.drops, question);
        for number in 0..self.drops.straight_groups().len() {
            let group = &self.drops.groups()[number];
            let noteworthy = bounds.noteworthy(group);
            for_each_lane(noteworthy, group.count, |x| {
                self.settle(question, number, x);
            });
        }
        for number in self.drops.straight_groups().len()..self.drops.groups().len() {
            let group = self.drops.groups()[number];
            let lanes = (0..group.count).filter(|x| self.tucked >> (group.start + x) & 1 == 1);
            for x in lanes.collect::<Vec<_>>() {
                self.settle(question, number, x);
                self.afters[group.start + x].measure();
            }
        }
    }

    /// Finds out what one placement of the shape with this number clears and whether it ends the game.
    fn settle(&mut self, question: &Question<'_>, number: usize, x: usize) {
        let group = &self.drops.groups()[number];
        let (shape, index, y) = (group.shape, group.start + x, group.y[x] as usize);
        let after = &mut self.afters[index];
        after.board = *question.board;
        let (board, next) = (&mut after.board, question.next);
        let settled = question.rules.settle(board, shape, (x, y), next);
        self.losing |= u64::from(settled.game_over) << index;
        if settled.cleared != 0 {
            self.clearing |= 1 << index;
            self.cleared[index] = settled.cleared;
            if self.scored == Scored::BeforeRemoval {
                self.afters[index].board = self.board_after(index);
            }
            self.afters[index].measure();
        }
    }

    /// The board after a placement, whether or not the others are settled.
    #[must_use]
    pub fn board_after(&self, index: usize) -> Board {
        let landing = self.landing(index);
        let mut board = self.drops.before.board;
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

    /// The board before the placement.
    #[must_use]
    pub fn before(&self) -> &Surface {
        &self.drops.before
    }

    /// Works out the board after every placement; before that only those with removed rows are known.
    pub(crate) fn settle_all(&mut self) {
        if !self.all_settled {
            for index in 0..self.len() {
                self.afters[index] = Surface::new(self.board_after(index));
            }
            self.all_settled = true;
        }
    }

    /// The numbers that are placements, in order: all of them, but not of a steered piece.
    #[inline]
    pub fn usable(&self) -> impl Iterator<Item = usize> + use<> {
        members(self.usable)
    }

    /// The numbers of places that no straight drop reaches.
    #[inline]
    pub(crate) fn tucked(&self) -> impl Iterator<Item = usize> + use<> {
        members(self.tucked)
    }

    /// The spin of a placement.
    fn spin(&self, index: usize) -> Spin {
        let spins = self.steered.as_deref().map(|steered| &steered.spins[..]);
        let spins = spins.unwrap_or_default();
        let found = spins.iter().find(|spin| spin.0 == index);
        found.map_or(Spin::None, |spin| spin.1)
    }

    /// How many numbers there are; see [`Self::usable`].
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.drops.len()
    }

    /// Whether there is no placement; never so after [`Self::generate`].
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The placements in order.
    #[inline]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Outcome> + '_ {
        (0..self.len()).map(|index| Outcome {
            landing: self.landing(index),
        })
    }

    /// The placements themselves, as they are laid out.
    #[inline]
    pub(crate) fn drops(&self) -> &Drops {
        &self.drops
    }

    /// Lays out the columns around every placement.
    pub(crate) fn show_excerpts(&mut self) {
        if self.excerpts.is_empty() {
            for group in self.drops.groups() {
                let excerpt = |x| Excerpt {
                    columns: group.window(&self.drops.padded, x),
                };
                self.excerpts.extend((0..group.count).map(excerpt));
            }
        }
    }

    /// The columns around the placements of one shape.
    #[inline]
    pub(crate) fn of_group(&self, group: &Group) -> &[Excerpt] {
        &self.excerpts[group.start..group.start + group.count]
    }

    /// The landing of the placement with this number.
    #[must_use]
    pub fn landing(&self, index: usize) -> Landing {
        let (shape, x, y) = self.drops.find(index);
        Landing {
            piece: self.drops.piece(),
            shape,
            x: x as u8,
            y: y as u8,
            spin: self.spin(index),
            board_height: self.drops.before.board.height() as u8,
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
        Placement {
            spin: self.spin(index),
            ..self.drops.placement(index)
        }
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
        debug_assert!(self.all_settled || (self.clearing | self.tucked) >> index & 1 != 0);
        &self.afters[index]
    }

    /// One placement with the boards before and after it.
    pub(crate) fn step(&self, index: usize) -> Step<'_> {
        Step {
            landing: self.landing(index),
            lines_before: self.lines_before,
            before: &self.drops.before,
            after: self.after(index),
        }
    }

    /// The whole transition of one placement.
    #[must_use]
    pub fn transition(&self, index: usize) -> Transition {
        let landing = self.landing(index);
        Transition {
            before: self.drops.before.board,
            placement: landing.placement(),
            cleared: landing.cleared,
            after: self.board_after(index),
            game_over: landing.game_over,
            lines_before: self.lines_before,
        }
    }
}

/// Heights that tell which placements certainly neither complete a row nor end the game.
struct Bounds {
    /// Height of the lowest column left of column `c`, and of the lowest one from `c` on.
    left_of: PerColumn,
    from: [i16; LANES + 4],
    /// A piece whose top is not above this row does not end the game, unless it completes rows.
    quiet_top: i16,
}

impl Bounds {
    #[inline]
    #[expect(clippy::needless_range_loop, reason = "x is a column in both lists")]
    fn new(drops: &Drops, question: &Question<'_>) -> Bounds {
        let board = &drops.before.board;
        let mut bounds = Bounds {
            left_of: [WALL_HEIGHT; LANES],
            from: [WALL_HEIGHT; LANES + 4],
            quiet_top: 0,
        };
        // Beyond the last column there are walls.
        let tops = &drops.tops[WINDOW_MARGIN..WINDOW_MARGIN + LANES];
        let mut least = WALL_HEIGHT;
        for x in 0..LANES {
            bounds.left_of[x] = least;
            least = least.min(tops[x]);
        }
        least = WALL_HEIGHT;
        for x in (0..LANES).rev() {
            least = least.min(tops[x]);
            bounds.from[x] = least;
        }
        // A board that comes with full rows is looked at more closely.
        if board.full_rows() == 0 {
            bounds.quiet_top = question.rules.safe_height(board) as i16;
        }
        bounds
    }

    /// The placements of one shape that could complete a row or end the game, as a set of lanes.
    ///
    /// The loop becomes vector instructions because its end is not a constant: the compiler unrolls a short loop with a
    /// constant end first, and then recognises only some of its lanes as vectors.
    #[inline]
    fn noteworthy(&self, group: &Group) -> u16 {
        let quiet_below = self.quiet_top - group.shape.height as i16;
        let lanes = group.lanes();
        let (y, left_of) = (&group.y[..lanes], &self.left_of[..lanes]);
        let from = &self.from[group.shape.width..][..lanes];
        let mut noteworthy = 0;
        for x in 0..lanes {
            // A row can only be full where all columns beside the piece are higher than its lowest row.
            let may_clear = y[x] < left_of[x].min(from[x]);
            noteworthy |= lane_if(may_clear | (y[x] > quiet_below), x);
        }
        noteworthy
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::placements;
    use crate::piece::PIECES;
    use crate::rules::ENDS;

    /// What a placement does, recognised by heights, is what the rules say of it.
    fn check_settled(question: &Question<'_>) {
        let mut outcomes = Outcomes::default();
        outcomes.generate(question);
        let Question { board, rules, .. } = *question;
        let drops = placements(board, question.piece);
        assert_eq!(outcomes.len(), drops.len());
        for (index, placement) in drops.into_iter().enumerate() {
            let expected = rules.step(board, placement, question.next, question.lines_before);
            assert_eq!(outcomes.transition(index), expected, "{rules:?}");
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
            for &(end, _) in ENDS {
                for next in [None, Some(Piece::I), Some(Piece::T)] {
                    check_settled(&Question {
                        board: &board,
                        piece,
                        rules: Rules::Drops(end),
                        next,
                        scored: Scored::AfterRemoval,
                        lines_before: 0,
                    });
                }
            }
        }
    }
}
