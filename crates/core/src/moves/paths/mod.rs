//! The path finder: every placement that a falling piece can reach, spins and tucks included, and a
//! shortest path to each.
//!
//! # The search
//!
//! Time runs in ticks. In each tick a player presses one key or none, and then the piece falls by
//! the number of rows that gravity gives for that tick ([`Gravity`]). The search advances tick by
//! tick with the *set* of all positions in which the piece can be, one bit each, so that moving all
//! of them is a shift of a word. Until gravity moves the piece, sets only grow, and the search is
//! complete when a tick adds nothing. This nearly always happens before a piece falls for the first
//! time; otherwise the search continues until nothing changes, for at most [`MAX_TICKS`] ticks. At
//! 20 rows per tick every position is on the ground immediately.
//!
//! A placement counts if the piece is on the ground there and can lock. Of equivalent placements
//! (I, S and Z turned by half) one is kept. If the rules recognise spins, a placement has the best
//! spin by which it can be reached, and its path ends with that turn.
//!
//! The length of a path is its number of ticks. Its last input locks the piece: a hard drop from as
//! high as possible, or a press of down on the ground; if neither locks, the piece waits until it
//! locks.
//!
//! # The lock delay
//!
//! The sets ignore the lock delay. That is correct for placements found before any delay can have
//! expired, counted from the first tick in which the piece can be on the ground, and for placements
//! whose path, replayed with the lock timer, ends there (`Stepper`). Other placements need a slower
//! search through positions and timers (`TimedSearch`). Both use the timer of the stepped game.
//!
//! # Placements without paths
//!
//! Players ask for placements much more often than for paths. [`PathFinder::search_placements`]
//! starts above the stack instead of at the entry, and uses narrow words (`open`) where the rules
//! allow it. Gravity does not change the result if there is time for all moves near the stack
//! between two moves by gravity.

mod back;
mod free_space;
mod graph;
mod open;
mod sets;
mod stepper;
mod timed;

#[cfg(test)]
mod slow;
#[cfg(test)]
mod slow_timed;
#[cfg(test)]
mod tests;

pub(super) use graph::Graph;

use super::{Gravity, Input, LockTimer, MoveRules, Path, Spins};
use crate::board::Board;
use crate::piece::{Piece, Shape};
use crate::placement::{Placement, Spin, Surface};
use crate::rotation::Falling;
use back::PathQuery;
use free_space::{FreeSpace, Plane};
use open::FloodLimits;
use timed::TimedSearch;

/// The maximum number of ticks of a path before its last input.
pub const MAX_TICKS: usize = 256;

/// The maximum number of ticks without gravity that a search without paths needs: a piece that
/// reaches the stack before, or shortly after, the first move by gravity has them within
/// [`MAX_TICKS`].
const MAX_WINDOW: usize = 64;

/// How far above the stack a piece must be to turn and move freely: no turn moves it by more rows.
const OPEN_ROWS: usize = 5;

/// The start of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathStart {
    /// The piece and where it is.
    pub falling: Falling,
    /// Number of ticks it has been falling.
    pub age: u32,
    /// Whether the piece has used its floor kick.
    pub floor_kicked: bool,
    /// How long the piece has been on the ground.
    pub timer: LockTimer,
}

impl PathStart {
    /// The start for a piece that has just entered.
    pub fn entering(falling: Falling) -> PathStart {
        PathStart {
            falling,
            age: 0,
            floor_kicked: false,
            timer: LockTimer::new(falling.y),
        }
    }

    /// The number of ticks after the first contact with the ground during which the piece cannot
    /// lock by itself; `None` if it has already used some of its delay.
    fn patience(&self, move_rules: &MoveRules) -> Option<usize> {
        let is_fresh = self.timer == LockTimer::new(self.falling.y);
        is_fresh.then(|| move_rules.lock.patience())
    }
}

/// Sets of positions, one per node of the piece.
type Planes = [Plane; 8];

/// Finds placements and paths. Reused from search to search, to avoid allocations.
#[derive(Clone, Debug, Default)]
pub struct PathFinder {
    space: FreeSpace,
    /// The positions after each tick, starting with the first: `layer[tick][node]`, with as many
    /// nodes as the piece has.
    layers: Vec<Plane>,
    nodes: usize,
    start: Option<PathStart>,
    found: FoundPositions,
    /// The positions found by the last tick at which no lock delay can have expired, if the search
    /// continued after it.
    certain: Option<Box<FoundPositions>>,
    /// The search under the lock delay.
    timed: TimedSearch,
    /// The placements found by the fast search.
    listed: Vec<Placement>,
    source: Source,
}

/// The search that found the placements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Source {
    /// The search by sets.
    #[default]
    Sets,
    /// The search under the lock delay.
    Timed,
    /// The fast search, which finds no paths.
    Open,
}

/// The positions on the ground that were reached, and those reached by a turn, or by a turn with a
/// far kick.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct FoundPositions {
    resting: Planes,
    spun: Planes,
    spun_by_far_kick: Planes,
}

/// Whether one of the last two inputs of a path, including the one that locks, is a turn.
fn ends_with_turn(path: &Path) -> bool {
    let inputs = path.0.iter().rev().flatten().take(2);
    let is_turn = |input: &Input| {
        let turns = [Input::Clockwise, Input::Counterclockwise, Input::Half];
        turns.contains(input)
    };
    inputs.into_iter().any(is_turn)
}

impl PathFinder {
    /// Finds every placement that the piece can reach; none if the piece does not fit at its start.
    pub fn search(&mut self, board: &Board, move_rules: &MoveRules, start: PathStart) {
        self.search_untimed(board, move_rules, start);
        self.check_delay(board, move_rules, start);
    }

    /// A shortest path to a placement of the last search, which must have been on this board with
    /// these rules; `None` if the placement was not reached.
    pub fn path(
        &self,
        board: &Board,
        move_rules: &MoveRules,
        placement: Placement,
    ) -> Option<Path> {
        match self.source {
            Source::Timed => self.timed.path(placement),
            _ => self.trace(board, move_rules, placement),
        }
    }

    /// A shortest path to one placement; `None` if it cannot be reached. Faster than a search for
    /// all placements: it ends as soon as the placement is found, so [`Self::placements`] would
    /// need another search.
    pub fn find_path(
        &mut self,
        board: &Board,
        move_rules: &MoveRules,
        start: PathStart,
        placement: Placement,
    ) -> Option<Path> {
        let query = PathQuery::new(board, move_rules, start);
        let mut path = None;
        self.search_until(board, move_rules, start, |sets| {
            path = sets.trace_ticks(&query, placement, sets.sets());
            path.is_some()
        });
        let last = self.sets() + 1;
        let found = path.or_else(|| self.trace_ticks(&query, placement, last));
        let patience = start.patience(move_rules);
        if let Some(path) = found {
            let is_certain = patience.is_some_and(|patience| path.len() <= patience)
                && (move_rules.spins == Spins::None || !ends_with_turn(&path));
            let stepper = self.stepper(board, move_rules, start);
            if is_certain || stepper.walk(&path) == Some(placement) {
                return Some(path);
            }
        }
        if patience.is_some_and(|patience| patience >= MAX_TICKS) {
            return None;
        }
        self.search_timed(board, move_rules, start, &[placement]);
        self.timed.path(placement)
    }

    /// Searches for these placements under the lock delay.
    fn search_timed(
        &mut self,
        board: &Board,
        move_rules: &MoveRules,
        start: PathStart,
        wanted: &[Placement],
    ) {
        let mut timed = std::mem::take(&mut self.timed);
        timed.search(&self.stepper(board, move_rules, start), wanted);
        self.timed = timed;
        self.source = Source::Timed;
    }

    /// Searches under the lock delay if the search without it has found placements that may take
    /// too long.
    fn check_delay(&mut self, board: &Board, move_rules: &MoveRules, start: PathStart) {
        let Some(certain) = self.certain.take() else {
            return;
        };
        if *certain == self.found {
            return;
        }
        let (mut known, mut placements) = (Vec::new(), Vec::new());
        self.list(board, move_rules, &certain, &mut known);
        self.list(board, move_rules, &self.found, &mut placements);
        let stepper = self.stepper(board, move_rules, start);
        let is_in_time = |&place: &Placement| {
            let path = self.trace(board, move_rules, place);
            path.is_some_and(|path| stepper.walk(&path) == Some(place))
        };
        let mut doubtful = placements.iter().filter(|place| !known.contains(place));
        if !doubtful.all(is_in_time) {
            self.search_timed(board, move_rules, start, &placements);
        }
    }

    /// Finds the same placements faster, but no paths to them. A piece that enters well above the
    /// stack can reach any position in the open space before it comes near the stack; from there
    /// on, the search is the same. It falls back to [`Self::search`] if gravity could act, or a
    /// lock delay expire, near the stack.
    pub fn search_placements(&mut self, board: &Board, move_rules: &MoveRules, start: PathStart) {
        if let Some(limits) = flood_limits(board, move_rules, start) {
            if open::search(board, move_rules, start, limits, &mut self.listed) {
                self.layers.clear();
                (self.nodes, self.start) = (0, Some(start));
                self.source = Source::Open;
                return;
            }
            if move_rules.graph(start.falling.piece).free_reach.is_none()
                && self.flood_from_the_open(board, move_rules, start, limits)
            {
                return;
            }
        }
        self.search(board, move_rules, start);
    }

    /// All placements, shape by shape in the order of
    /// [`Piece::shapes`](crate::piece::Piece::shapes), each from left to right and from top to
    /// bottom.
    pub fn placements(
        &self,
        board: &Board,
        move_rules: &MoveRules,
        placements: &mut Vec<Placement>,
    ) {
        match self.source {
            Source::Sets => self.list(board, move_rules, &self.found, placements),
            Source::Timed => self.timed.placements(placements),
            Source::Open => placements.clone_from(&self.listed),
        }
    }
}

/// Adds the placements of a shape in a column from top to bottom: the rows in which the piece can
/// lock, and those reached by a turn, or by a turn with a far kick.
fn push_column(
    board: &Board,
    move_rules: &MoveRules,
    (piece, shape, x): (Piece, &Shape, usize),
    [mut resting, spun, by_far_kick]: [u64; 3],
    placements: &mut Vec<Placement>,
) {
    while resting != 0 {
        let y = 63 - resting.leading_zeros();
        resting &= !(1 << y);
        let mut placement = Placement {
            piece,
            rotation: shape.rotation,
            x: x as u8,
            y: y as u8,
            spin: Spin::None,
        };
        if (spun | by_far_kick) >> y & 1 == 1 {
            let far_kick = by_far_kick >> y & 1 == 1;
            placement.spin = move_rules.spin_of(board, placement, far_kick);
        }
        placements.push(placement);
    }
}

/// Whether an entering piece can be turned and moved to any column before it comes near the stack,
/// and whether it is then still this many rows above the stack after that many more ticks.
fn has_room(board: &Board, move_rules: &MoveRules, start: PathStart, rows: usize) -> bool {
    // Two turns, and moves from the middle to the wall.
    let ticks = 3 + board.width().div_ceil(2) + rows;
    let fallen = move_rules.gravity.rows_by(ticks as u32) as usize;
    let needed = board.max_height() + OPEN_ROWS + rows + fallen;
    start.falling.y as usize >= needed && start.age == 0 && start.falling.fits(board)
}

/// The number of ticks in which a piece that enters well above the stack can be moved near the
/// stack before gravity moves it or a lock delay ends; `None` if it enters lower or falls too fast.
/// Just after a move by gravity, such a piece can be anywhere above the stack, and in any row of a
/// straight drop, so it has all the ticks until the next such move.
fn flood_limits(board: &Board, move_rules: &MoveRules, start: PathStart) -> Option<FloodLimits> {
    let Gravity { rows, ticks } = move_rules.gravity;
    let is_open = has_room(board, move_rules, start, if rows == 0 { 0 } else { 2 });
    let period = ticks
        .checked_div(rows)
        .map_or(MAX_WINDOW, |period| period as usize);
    let patience = start.patience(move_rules).filter(|_| is_open)?;
    Some(FloodLimits {
        rounds: patience.min(MAX_TICKS),
        ticks: period.min(MAX_WINDOW),
    })
}

/// Whether an entering piece can only reach straight drops: it enters well above a stack that has
/// neither openings at the side nor a cavity large enough for a piece.
pub(crate) fn drops_only(surface: &Surface, move_rules: &MoveRules, start: PathStart) -> bool {
    let board = &surface.board;
    if start.patience(move_rules).is_none() || !has_room(board, move_rules, start, 0) {
        return false;
    }
    let heights = surface.heights();
    let above = |column: usize| heights.get(column).map_or(0, |&height| u64::MAX << height);
    let mut enclosed = 0;
    for (x, &cells) in board.columns().iter().enumerate() {
        let covered = !cells & !above(x);
        if covered & (above(x.wrapping_sub(1)) | above(x + 1)) != 0 {
            return false;
        }
        enclosed += covered.count_ones();
    }
    enclosed < 4
}
