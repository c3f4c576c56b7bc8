//! The effects of every placement of one piece on one board, laid out so that features can be
//! computed for all of them together. [`crate::moves`] generates the placements.

use crate::board::Board;
use crate::ends::End;
use crate::moves::{
    COLUMNS, Drops, Excerpt, Group, MoveRules, PathFinder, PathStart, PerColumn, WALL_HEIGHT,
    WINDOW_MARGIN, drops_only, for_each_lane, lane_if,
};
use crate::piece::{Piece, Shape};
use crate::placement::{Landing, Placement, Spin, Surface, Transition};
use crate::rules::{Rules, RulesRef};

/// The maximum number of placements of a decision: T, J and L have 58 on a board 16 columns wide.
pub const MAX_OUTCOMES: usize = 64;

/// Which board the features measure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scored {
    /// The board after full rows are removed, as in nearly all of the literature.
    #[default]
    AfterRemoval,
    /// The board before full rows are removed (Lee's "near perfect" bot).
    BeforeRemoval,
}

/// One placement.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// The placement and its cleared rows.
    pub landing: Landing,
}

/// The indices of the bits in a set, in order.
#[inline]
pub(crate) fn members(set: u64) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let number = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        (number < 64).then_some(number)
    })
}

/// The context of a decision: the board, the piece, and the rules.
#[derive(Clone, Copy, Debug)]
pub struct DecisionContext<'a> {
    /// The board before the placement.
    pub board: &'a Board,
    /// The piece to place.
    pub piece: Piece,
    /// The rules of a step.
    pub rules: RulesRef<'a>,
    /// The next piece, if the player may see it.
    pub next: Option<Piece>,
    /// Which board the features measure.
    pub scored: Scored,
    /// Lines cleared in the game so far.
    pub lines_before: u64,
}

impl<'a> DecisionContext<'a> {
    /// A piece that drops straight down in a game that ends above the top row, without further
    /// information.
    pub fn simple(board: &'a Board, piece: Piece) -> DecisionContext<'a> {
        DecisionContext {
            board,
            piece,
            rules: Rules::Drops(End::ABOVE_TOP),
            next: None,
            scored: Scored::AfterRemoval,
            lines_before: 0,
        }
    }
}

/// The effects of every placement of one piece on one board. It is reused across decisions, so that
/// they do not allocate memory.
///
/// The order is the reference simulator's: shapes in the order of [`Piece::shapes`], and for each
/// shape from left to right.
#[derive(Clone, Debug)]
pub struct Outcomes {
    /// The placements in their layout, one lane each. In a stepped game, some lanes are not
    /// placements.
    drops: Drops,
    /// The lanes that are placements, and the lane of each placement if some lanes are not.
    used_lanes: u64,
    lanes: Box<[u8; MAX_OUTCOMES]>,
    /// The placements that complete rows, and those that end the game, one bit each.
    clearing: u64,
    losing: u64,
    /// The rows that the placements in `clearing` complete; the other entries are undefined.
    cleared: Box<[u64; MAX_OUTCOMES]>,
    /// The boards after the placements; until [`Self::settle_all`], only those with removed rows
    /// are valid.
    afters: Vec<Surface>,
    all_settled: bool,
    /// The columns around the placements; valid after [`Self::show_excerpts`].
    excerpts: Vec<Excerpt>,
    scored: Scored,
    lines_before: u64,
    /// The placements that no straight drop reaches.
    tucked: u64,
    /// Additional state of stepped games.
    stepped: Option<Box<SteppedMoves>>,
}

/// Scratch space of stepped move generation.
#[derive(Clone, Debug, Default)]
struct SteppedMoves {
    finder: PathFinder,
    places: Vec<Placement>,
    /// The placements that have not been added to the outcomes yet.
    pending: Vec<Placement>,
    /// The lanes of tucked placements, and the spins of the lanes that have one.
    tucked_lanes: u64,
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
            used_lanes: 0,
            lanes: Box::new([0; MAX_OUTCOMES]),
            tucked: 0,
            stepped: None,
            drops,
        }
    }
}

impl Outcomes {
    /// Computes the effect of every placement of the piece.
    ///
    /// The rules are only evaluated for placements that could complete a row or end the game. The
    /// others are recognised by the heights of the columns alone (`Bounds`), several at a time, and
    /// their effect is only to add the cells of the piece.
    pub fn generate(&mut self, decision: &DecisionContext<'_>) {
        self.drops.lay_out(decision.board, decision.piece);
        self.tucked = 0;
        self.used_lanes = u64::MAX >> (MAX_OUTCOMES - self.drops.len());
        match decision.rules.move_rules() {
            None => {
                self.stepped = None;
                self.assess(decision);
            }
            Some(move_rules) => self.generate_stepped(decision, move_rules),
        }
    }

    /// Computes the effects in a stepped game: the reachable straight drops, and as many of the
    /// other placements as fit.
    fn generate_stepped(&mut self, decision: &DecisionContext<'_>, move_rules: &MoveRules) {
        let mut moves = self.stepped.take().unwrap_or_default();
        let board = decision.board;
        let start = PathStart::entering(move_rules.entry(decision.piece, board));
        moves.spins.clear();
        moves.pending.clear();
        moves.tucked_lanes = 0;
        if drops_only(&self.drops.before, move_rules, start) && !self.may_spin(move_rules) {
            self.stepped = Some(moves);
            self.assess(decision);
            return;
        }
        moves.finder.search_placements(board, move_rules, start);
        moves
            .finder
            .placements(board, move_rules, &mut moves.places);
        let all = std::mem::take(&mut self.used_lanes);
        for &place in &moves.places {
            let groups = self.drops.straight_groups();
            let mut groups = groups.iter();
            let group = groups.find(|group| group.shape.rotation == place.rotation);
            match group.filter(|group| group.y[usize::from(place.x)] == i16::from(place.y)) {
                None => moves.pending.push(place),
                Some(group) => {
                    let lane = group.start + usize::from(place.x);
                    self.used_lanes |= 1 << lane;
                    if place.spin != Spin::None {
                        moves.spins.push((lane, place.spin));
                    }
                }
            }
        }
        let is_blocked = moves.places.is_empty();
        self.stepped = Some(moves);
        self.add_pending();
        if is_blocked {
            self.used_lanes = all;
        }
        self.assess(decision);
        if is_blocked {
            // If the piece cannot enter, every placement ends the game.
            self.losing = all;
        }
    }

    /// Whether a straight drop could be a spin; pieces other than T would have to be enclosed.
    fn may_spin(&self, move_rules: &MoveRules) -> bool {
        let board = &self.drops.before.board;
        let spins =
            |lane| move_rules.spin_of(board, self.drops.placement(lane), true) != Spin::None;
        self.drops.piece() == Piece::T && (0..self.drops.len()).any(spins)
    }

    /// Adds pending placements, as many as fit.
    fn add_pending(&mut self) {
        let Some(moves) = &mut self.stepped else {
            return;
        };
        let (drops, used_lanes) = (&mut self.drops, &mut self.used_lanes);
        let (spins, tucked_lanes) = (&mut moves.spins, &mut moves.tucked_lanes);
        moves.pending.retain(|&place| {
            let Some(lane) = drops.add_place(place, *used_lanes, MAX_OUTCOMES) else {
                return true;
            };
            *used_lanes |= 1 << lane;
            *tucked_lanes |= 1 << lane;
            if place.spin != Spin::None {
                spins.push((lane, place.spin));
            }
            false
        });
    }

    /// Replaces the placements by others of the same decision that did not fit before; returns
    /// whether there are any.
    pub fn generate_more(&mut self, decision: &DecisionContext<'_>) -> bool {
        let Some(moves) = &mut self.stepped else {
            return false;
        };
        if moves.pending.is_empty() {
            return false;
        }
        self.drops.clear();
        self.used_lanes = 0;
        moves.spins.clear();
        moves.tucked_lanes = 0;
        self.add_pending();
        self.assess(decision);
        true
    }

    /// Assigns indices to the placements: the used lanes, in order.
    fn number_lanes(&mut self) {
        let Some(moves) = &self.stepped else {
            return;
        };
        self.tucked = 0;
        for (index, lane) in members(self.used_lanes).enumerate() {
            self.lanes[index] = lane as u8;
            self.tucked |= (moves.tucked_lanes >> lane & 1) << index;
        }
    }

    /// The lane of a placement.
    #[inline]
    fn lane(&self, index: usize) -> usize {
        match self.stepped {
            None => index,
            Some(_) => usize::from(self.lanes[index]),
        }
    }

    /// The placement of a lane; `None` if the lane is not used.
    #[inline]
    fn placement_in(&self, lane: usize) -> Option<usize> {
        let before = (self.used_lanes & ((1 << lane) - 1)).count_ones() as usize;
        (self.used_lanes >> lane & 1 == 1).then_some(before)
    }

    /// Moves values that were computed lane by lane to the indices of the placements.
    #[inline]
    pub(crate) fn by_placement<T: Copy>(&self, values: &mut [T]) {
        if self.stepped.is_some() {
            for (index, lane) in members(self.used_lanes).enumerate() {
                values[index] = values[lane];
            }
        }
    }

    /// Computes the effects of the placements.
    fn assess(&mut self, decision: &DecisionContext<'_>) {
        self.scored = decision.scored;
        self.lines_before = decision.lines_before;
        self.all_settled = false;
        self.excerpts.clear();
        (self.clearing, self.losing) = (0, 0);
        self.number_lanes();
        let bounds = Bounds::new(&self.drops, decision);
        for number in 0..self.drops.straight_groups().len() {
            let group = &self.drops.groups()[number];
            let noteworthy = bounds.noteworthy(group);
            for_each_lane(noteworthy, group.count, |x| {
                let group = &self.drops.groups()[number];
                let at = (group.shape, x, group.y[x] as usize);
                if let Some(index) = self.placement_in(group.start + x) {
                    self.settle(decision, index, at);
                }
            });
        }
        for index in members(self.tucked) {
            self.settle(decision, index, self.drops.find(self.lane(index)));
            self.afters[index].measure();
        }
    }

    /// Computes the rows that one placement clears, and whether it ends the game.
    fn settle(
        &mut self,
        decision: &DecisionContext<'_>,
        index: usize,
        (shape, x, y): (&'static Shape, usize, usize),
    ) {
        let after = &mut self.afters[index];
        after.board = *decision.board;
        let (board, next) = (&mut after.board, decision.next);
        let settled = decision.rules.settle(board, shape, (x, y), next);
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

    /// The board after a placement, whether or not the other boards have been computed.
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
    pub fn before(&self) -> &Surface {
        &self.drops.before
    }

    /// Computes the board after every placement; before that, only those with removed rows are
    /// available.
    pub(crate) fn settle_all(&mut self) {
        if !self.all_settled {
            for index in 0..self.len() {
                self.afters[index] = Surface::new(self.board_after(index));
            }
            self.all_settled = true;
        }
    }

    /// The placements that no straight drop reaches.
    #[inline]
    pub(crate) fn tucked(&self) -> impl Iterator<Item = usize> + use<> {
        members(self.tucked)
    }

    /// The spin of a placement.
    fn spin(&self, index: usize) -> Spin {
        let spins = self.stepped.as_deref().map(|moves| &moves.spins[..]);
        let spins = spins.unwrap_or_default();
        let found = spins.iter().find(|spin| spin.0 == self.lane(index));
        found.map_or(Spin::None, |spin| spin.1)
    }

    /// Number of placements.
    #[inline]
    pub fn len(&self) -> usize {
        self.used_lanes.count_ones() as usize
    }

    /// Whether there are no placements; never after [`Self::generate`].
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

    /// The placements in their layout.
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

    /// The landing of the placement with this index.
    pub fn landing(&self, index: usize) -> Landing {
        let (shape, x, y) = self.drops.find(self.lane(index));
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

    /// The placement with this index.
    pub fn placement(&self, index: usize) -> Placement {
        Placement {
            spin: self.spin(index),
            ..self.drops.placement(self.lane(index))
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

    /// The placements whose full rows are removed before the board is scored.
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

/// Heights that identify placements that certainly neither complete a row nor end the game.
struct Bounds {
    /// Height of the lowest column to the left of column `c`, and of the lowest column from `c` on.
    left_of: PerColumn,
    from: [i16; COLUMNS + 4],
    /// A piece whose top is not above this row does not end the game unless it completes rows.
    quiet_top: i16,
}

impl Bounds {
    #[inline]
    #[expect(clippy::needless_range_loop, reason = "x is a column in both lists")]
    fn new(drops: &Drops, decision: &DecisionContext<'_>) -> Bounds {
        let board = &drops.before.board;
        let mut bounds = Bounds {
            left_of: [WALL_HEIGHT; COLUMNS],
            from: [WALL_HEIGHT; COLUMNS + 4],
            quiet_top: 0,
        };
        // Beyond the last column there are walls.
        let tops = &drops.tops[WINDOW_MARGIN..WINDOW_MARGIN + COLUMNS];
        let mut least = WALL_HEIGHT;
        for x in 0..COLUMNS {
            bounds.left_of[x] = least;
            least = least.min(tops[x]);
        }
        least = WALL_HEIGHT;
        for x in (0..COLUMNS).rev() {
            least = least.min(tops[x]);
            bounds.from[x] = least;
        }
        // A board with full rows must be examined in detail.
        if board.full_rows() == 0 {
            bounds.quiet_top = decision.rules.safe_height(board) as i16;
        }
        bounds
    }

    /// The placements of one shape that could complete a row or end the game, as a set of lanes.
    ///
    /// The compiler vectorises the loop because its end is not a constant: it unrolls a short loop
    /// with a constant end first, and then recognises only some of its lanes as vectors.
    #[inline]
    fn noteworthy(&self, group: &Group) -> u16 {
        let quiet_below = self.quiet_top - group.shape.height as i16;
        let lanes = group.lanes();
        let (y, left_of) = (&group.y[..lanes], &self.left_of[..lanes]);
        let from = &self.from[group.shape.width..][..lanes];
        let mut noteworthy = 0;
        for x in 0..lanes {
            // A row can only be full where all columns next to the piece are higher than its lowest
            // row.
            let may_clear = y[x] < left_of[x].min(from[x]);
            noteworthy |= lane_if(may_clear | (y[x] > quiet_below), x);
        }
        noteworthy
    }
}

/// The input of a feature: the landing, and the boards before and after it.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The placement and its cleared rows.
    pub landing: Landing,
    /// Lines cleared in the game before this placement.
    pub lines_before: u64,
    /// The board before the placement.
    pub before: &'a Surface,
    /// The board after the placement.
    pub after: &'a Surface,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::{SearchNode, SearchRules};
    use crate::ends::{ENDS, End};
    use crate::evaluators::testing::evaluator;
    use crate::moves::placements;
    use crate::piece::PIECES;
    use crate::rng::Rng;
    use crate::ruleset::ruleset;

    /// Checks that the effects derived from heights agree with the rules.
    fn check_settled(decision: &DecisionContext<'_>) {
        let mut outcomes = Outcomes::default();
        outcomes.generate(decision);
        let DecisionContext { board, rules, .. } = *decision;
        let drops = placements(board, decision.piece);
        assert_eq!(outcomes.len(), drops.len());
        for (index, placement) in drops.into_iter().enumerate() {
            let expected = rules.step(board, placement, decision.next, decision.lines_before);
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
            for end in ENDS.iter().map(End) {
                for next in [None, Some(Piece::I), Some(Piece::T)] {
                    check_settled(&DecisionContext {
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

    /// A stack without openings at the side, with a few cavities inside.
    fn smooth(rng: &mut Rng, mut board: Board) -> Board {
        let mut top = rng.below(6) as usize;
        for column in 0..board.width() {
            top = (top + rng.below(5) as usize).saturating_sub(2).min(9);
            for row in 0..top {
                if row + 3 > top || rng.below(12) > 0 {
                    board.fill(row, column);
                }
            }
        }
        board.remove_full_rows();
        board
    }

    #[test]
    fn where_no_paths_are_searched_straight_drops_are_all_placements() {
        let mut rng = Rng::new(7);
        let mut skipped = 0;
        for spec in [
            "guideline",
            "guideline(moves=stepped(spins=all))",
            "near-perfect-stepped-5x22",
            "nes",
            "tgm",
            "tgm3",
        ] {
            let rules = ruleset(&spec.parse().unwrap(), &evaluator).unwrap();
            let mut rules_of_levels = SearchRules::new(rules.rules.as_ref());
            for _ in 0..150 {
                let board = smooth(&mut rng, rules.empty_board());
                let node = SearchNode {
                    board,
                    lines: 0,
                    level: rng.below(20) as u32,
                };
                let piece = PIECES[rng.below(7) as usize];
                let decision = rules_of_levels.decision(&node, piece, None);
                let move_rules = decision.rules.move_rules().unwrap();
                let start = PathStart::entering(move_rules.entry(decision.piece, &board));
                skipped += usize::from(drops_only(&Surface::new(board), move_rules, start));
                let (mut outcomes, mut found) = (Outcomes::default(), Vec::new());
                outcomes.generate(&decision);
                loop {
                    found.extend((0..outcomes.len()).map(|index| outcomes.placement(index)));
                    if !outcomes.generate_more(&decision) {
                        break;
                    }
                }
                let (mut finder, mut places) = (PathFinder::default(), Vec::new());
                finder.search(&board, move_rules, start);
                finder.placements(&board, move_rules, &mut places);
                let key = |place: &Placement| (place.rotation, place.x, place.y);
                found.sort_by_key(key);
                places.sort_by_key(key);
                assert_eq!(found, places, "{spec}\n{board:?}");
            }
        }
        assert!(skipped > 200, "{skipped}");
    }
}
