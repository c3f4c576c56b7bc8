//! Decisions for several groups of eight games, each group with one piece.
//!
//! First the placements of every group are scored incrementally (`drop`). Those for which the whole
//! board must be measured are collected from all groups, so that they fill the lanes (`unusual`);
//! then placements whose order rounding may have changed are compared exactly (`exact`).

use super::alone::{DropAlone, Profile};
use super::by_tables::RateAll;
use super::drop::DropTogether;
use super::ratings::{NO_SCORE, Ratings};
use super::set::{SetKind, with_set};
use super::surface::{COLUMNS, Cells, PerColumn, SurfaceMeasures, fill, full_rows, walled};
use super::tables::{Place, Tables};
use super::weights::MEASURES;
use super::whole::Values;
use crate::outcomes::MAX_OUTCOMES;
use crate::simd::{LANES, Lanes, Words};
use std::hint::select_unpredictable;

/// Number of groups decided together.
pub(super) const GROUPS: usize = 8;
/// Number of games in all groups: game `k` is in group `k / LANES`, lane `k % LANES`.
pub(super) const MEMBERS: usize = GROUPS * LANES;
/// The maximum number of placements in all of these games.
pub(super) const MOST: usize = MEMBERS * MAX_OUTCOMES;

/// The choice for each member so far.
pub(super) struct Choices {
    /// The piece to place.
    pub(super) piece: [u8; MEMBERS],
    /// The score of the best placement; [`NO_SCORE`] if all placements lose.
    pub(super) best: [Words; GROUPS],
    /// The next best score.
    pub(super) second: [Words; GROUPS],
    /// The index of the best placement.
    pub(super) index: [Words; GROUPS],
    /// The rows that the best placement completes, if the whole board was measured; otherwise the
    /// placement completes none.
    pub(super) removed: [Words; GROUPS],
    /// The score of the board after the best placement, if the whole board was measured.
    pub(super) board_score: [Words; GROUPS],
}

/// The decision for one game.
pub(super) struct Decision<'t> {
    /// The placement.
    pub(super) place: &'t Place,
    /// The landing row plus one.
    pub(super) landing: i32,
    /// The rows that the placement completes.
    pub(super) removed: u32,
    /// The score of the board after the placement.
    pub(super) board_score: i32,
}

/// A placement of one of the members.
#[derive(Clone, Copy, Default)]
pub(super) struct ListedPlacement {
    pub(super) member: u8,
    pub(super) index: u8,
}

/// Rates the placements of several groups, and finds the best one in every game.
pub(super) struct Decider<L> {
    surface: SurfaceMeasures<L>,
    profile: Profile,
    pub(super) ratings: [Ratings<L>; GROUPS],
    pub(super) choices: Choices,
    pub(super) taken: usize,
    /// Placements whose whole boards must be measured; only the first `listed` are valid.
    pub(super) candidates: [ListedPlacement; MOST],
    /// Number of listed placements.
    pub(super) listed: usize,
    /// The boards after eight of the listed placements.
    pub(super) after: [Cells; LANES],
    /// Scratch space for the columns of these boards, between walls.
    pub(super) columns: PerColumn<L>,
    /// The measures of the boards after some of the listed placements, if exact scores are needed.
    pub(super) values: Values,
}

impl<L: Lanes> Decider<L> {
    pub(super) fn new() -> Decider<L> {
        let nothing = [Words([NO_SCORE; LANES]); GROUPS];
        let choices = Choices {
            piece: [0; MEMBERS],
            best: nothing,
            second: nothing,
            index: nothing,
            removed: [Words([0; LANES]); GROUPS],
            board_score: [Words([0; LANES]); GROUPS],
        };
        Decider {
            surface: SurfaceMeasures::new(),
            profile: Profile::new(),
            ratings: std::array::from_fn(|_| Ratings::new()),
            choices,
            taken: 0,
            candidates: [ListedPlacement::default(); MOST],
            listed: 0,
            after: [[Words([0; 8]); 2]; LANES],
            columns: [L::splat(-1); COLUMNS],
            values: [Words([0; LANES]); MEASURES],
        }
    }

    /// Discards the last decisions.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.taken = 0;
        self.listed = 0;
    }

    /// Rates the placements of one piece on the next group of boards, of which only the first
    /// `count` are used.
    #[inline(always)]
    pub(super) fn rate(
        &mut self,
        tables: &Tables,
        piece: usize,
        boards: &[&Cells; LANES],
        scores: Words,
        count: usize,
    ) {
        let group = self.taken / LANES;
        let ratings = &mut self.ratings[group];
        let surface = &mut self.surface;
        macro_rules! drop {
            ($set:ident $($piece:literal)*) => {
                match piece {
                    $($piece => L::enter(DropTogether::<L, _, $piece> {
                        boards,
                        scores,
                        tables,
                        surface,
                        ratings,
                        _set: $set,
                    }),)*
                    _ => unreachable!("there are seven pieces"),
                }
            };
        }
        with_set!(tables.kind, set => drop!(set 0 1 2 3 4 5 6), else L::enter(RateAll {
            boards,
            piece,
            tables,
            ratings,
        }));
        self.take_group(group, piece, count);
    }

    /// Copies the best ratings of a group.
    #[inline(always)]
    fn take_group(&mut self, group: usize, piece: usize, count: usize) {
        let ratings = &self.ratings[group];
        self.choices.best[group] = ratings.best.score.store();
        self.choices.second[group] = ratings.best.second.store();
        self.choices.index[group] = ratings.best.index.store();
        self.choices.piece[self.taken..][..LANES].fill(piece as u8);
        self.list_unsettled(group, count);
        self.taken += LANES;
    }

    /// Lists the placements of a group whose whole boards must be measured.
    #[inline(always)]
    fn list_unsettled(&mut self, group: usize, count: usize) {
        let lanes = u64::from(u8::MAX >> (LANES - count)) * 0x0101_0101_0101_0101;
        let ratings = &self.ratings[group];
        let mut listed = self.listed;
        for (chunk, unsettled) in ratings.unsettled().enumerate() {
            let mut open = unsettled & lanes;
            let mut next = listed;
            listed += open.count_ones() as usize;
            // More than four are rare; entries beyond the last one are overwritten.
            loop {
                for _ in 0..4 {
                    let bit = open.trailing_zeros();
                    self.candidates[next % MOST] = ListedPlacement {
                        member: (bit % 8) as u8 + (group * LANES) as u8,
                        index: (8 * chunk as u32 + bit / 8) as u8,
                    };
                    next += 1;
                    open &= open.wrapping_sub(1);
                }
                if open == 0 {
                    break;
                }
            }
        }
        self.listed = listed;
    }

    /// Rates the placements of one piece on one board.
    #[inline(always)]
    pub(super) fn rate_alone(&mut self, tables: &Tables, piece: u8, board: &Cells, score: i32) {
        let member = self.taken % MEMBERS;
        let (group, lane) = (member / LANES, member % LANES);
        let (profile, ratings) = (&mut self.profile, &mut self.ratings[group]);
        let numbers = ratings.of_board(lane);
        macro_rules! drop {
            ($set:ident $($piece:literal)*) => {
                match piece {
                    $($piece => L::enter(DropAlone::<_, $piece> {
                        board,
                        score,
                        tables,
                        profile,
                        numbers,
                        _set: $set,
                    }),)*
                    _ => unreachable!("there are seven pieces"),
                }
            };
        }
        let rated = with_set!(tables.kind, set => drop!(set 0 1 2 3 4 5 6),
            else unreachable!("whole boards are looked at together"));
        ratings.set_unsettled(lane, rated.unsettled);
        self.choices.best[group].0[lane] = rated.best;
        self.choices.second[group].0[lane] = rated.second;
        self.choices.index[group].0[lane] = rated.index;
        self.choices.piece[member] = piece;
        self.list_unsettled_alone(member, rated.unsettled);
        self.taken += 1;
    }

    /// Lists the placements of one game whose whole boards must be measured.
    #[inline(always)]
    fn list_unsettled_alone(&mut self, member: usize, mut unsettled: u64) {
        while unsettled != 0 {
            self.list(member, unsettled.trailing_zeros() as u8);
            unsettled &= unsettled - 1;
        }
    }

    /// Finds the best placement in every game.
    #[inline(always)]
    pub(super) fn settle<'b>(&mut self, tables: &Tables, board: impl Fn(usize) -> &'b Cells) {
        self.settle_unusual(tables, &board);
        if tables.weights.tolerance > 0 || !tables.first_wins {
            self.settle_ties(tables, &board);
        }
    }

    /// The best score in a game; [`NO_SCORE`] if all placements lose.
    #[inline(always)]
    pub(super) fn best(&self, member: usize) -> i32 {
        self.choices.best[member / LANES].0[member % LANES]
    }

    /// A listed placement and its landing.
    #[inline(always)]
    pub(super) fn spot<'t>(
        &self,
        tables: &'t Tables,
        candidate: ListedPlacement,
    ) -> (&'t Place, i32) {
        let (member, index) = (usize::from(candidate.member), usize::from(candidate.index));
        let ratings = &self.ratings[member / LANES % GROUPS];
        let landing = ratings.landing(index, member % LANES);
        (
            tables.place(self.choices.piece[member % MEMBERS], index),
            landing,
        )
    }

    /// The decision for one game; `None` if the game is lost.
    #[inline(always)]
    pub(super) fn decision<'t>(
        &self,
        tables: &'t Tables,
        member: usize,
        board: &Cells,
    ) -> Option<Decision<'t>> {
        let (group, lane) = (member / LANES % GROUPS, member % LANES);
        let best = self.choices.best[group].0[lane];
        if best == NO_SCORE {
            return None;
        }
        let index = self.choices.index[group].0[lane] as usize % MAX_OUTCOMES;
        let ratings = &self.ratings[group];
        let landing = ratings.landing(index, lane);
        let place = tables.place(self.choices.piece[member % MEMBERS], index);
        let unusual = !ratings.is_settled(index, lane);
        let (removed, board_score) = if tables.lookup.is_some() {
            let mut after = *board;
            fill::<L>(&mut after, place, landing);
            (full_rows::<L>(&walled(&after, tables)), best)
        } else {
            let landing_score = place.landing.0 + place.landing.1 * landing;
            let usual_score = best.wrapping_sub(landing_score);
            let removed = self.choices.removed[group].0[lane] as u32;
            let board_score = self.choices.board_score[group].0[lane];
            (
                select_unpredictable(unusual, removed, 0),
                select_unpredictable(unusual, board_score, usual_score),
            )
        };
        Some(Decision {
            place,
            landing,
            removed,
            board_score,
        })
    }
}
