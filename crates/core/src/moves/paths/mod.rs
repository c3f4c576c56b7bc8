//! The path finder: every place that a falling piece can reach, twists and tucks included, and a
//! shortest path to each.
//!
//! # What is searched
//!
//! Time runs in ticks. In each tick a player presses one key or none, and then the piece falls by
//! as many rows as gravity says for that tick ([`Gravity`]). The search goes forward tick by tick
//! with the *set* of all positions in which the piece can be: one bit each, so that a move of all
//! of them is a shift of a word. As long as gravity does not strike, sets only grow, and when
//! nothing is new all is found. That is nearly always so before a piece falls for the first time;
//! otherwise the search continues until nothing changes any more, and at most
//! [`MAX_TICKS`] ticks. At 20 rows in a tick every position is on the ground at once.
//!
//! A place counts if the piece is on the ground there and can lock. Of places that look alike (I, S
//! and Z turned by half) one is kept. Where the rules know spins, a place carries the best spin
//! with which it can be entered, and its path ends with that turn.
//!
//! The length of a path is its number of ticks. Its last input locks the piece: a hard drop from as
//! high as possible, or a press of down on the ground; where neither locks, the piece lies until it
//! does.
//!
//! # The lock delay
//!
//! The sets know nothing of the lock delay. That does no harm to what is found within this many
//! ticks after the piece can first be on the ground that no delay can have run out, nor to a place
//! whose path, played with the lock timer, ends there (`Stepper`). If another place remains, a
//! slower search through positions and timers takes over (`TimedSearch`). Both use the timer of the
//! stepped game.
//!
//! # Places without paths
//!
//! Players ask for places much more often than for paths. [`PathFinder::search_places`] begins
//! above the stack instead of at the entry and goes through narrow words (`open`) where the rules
//! allow it. Gravity does not change what is found there if it leaves time for all moves near the
//! stack between two strikes.

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

use super::{Gravity, Input, LockTimer, Path, Spins, Steering};
use crate::board::Board;
use crate::piece::{Piece, Shape};
use crate::placement::{Placement, Spin, Surface};
use crate::rotation::Falling;
use back::PathQuery;
use free_space::{FreeSpace, Plane};
use open::FloodLimits;
use timed::TimedSearch;

/// The most ticks that a path can have before its last input.
pub const MAX_TICKS: usize = 256;

/// The most ticks without gravity that a search without paths asks for: a piece that reaches the
/// stack before gravity strikes, or after the first strikes, has them within [`MAX_TICKS`].
const MAX_WINDOW: usize = 64;

/// How far above the stack a piece must be to turn and move as in the open: no turn moves it by
/// more rows.
const OPEN_ROWS: usize = 5;

/// Where a search begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathStart {
    /// The piece and where it is.
    pub falling: Falling,
    /// How many ticks it has been falling.
    pub age: u32,
    /// Whether it has had its floor kick.
    pub floor_kicked: bool,
    /// How long it has been on the ground.
    pub timer: LockTimer,
}

impl PathStart {
    /// A piece that has just entered.
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
    fn patience(&self, steering: &Steering) -> Option<usize> {
        let is_fresh = self.timer == LockTimer::new(self.falling.y);
        is_fresh.then(|| steering.lock.patience())
    }
}

/// Sets of positions, one for each node of the piece.
type Planes = [Plane; 8];

/// Finds places and paths. Reused from search to search, so that few allocate.
#[derive(Clone, Debug, Default)]
pub struct PathFinder {
    space: FreeSpace,
    /// The positions after each tick, from the start on: `layer[tick][node]`, only as many nodes as
    /// the piece has.
    layers: Vec<Plane>,
    nodes: usize,
    start: Option<PathStart>,
    found: FoundPositions,
    /// What was found by the tick until which no lock delay can have run out, if the search
    /// continued after it.
    certain: Option<Box<FoundPositions>>,
    /// The search under the lock delay.
    timed: TimedSearch,
    /// The places of the fast search.
    listed: Vec<Placement>,
    source: Source,
}

/// Which search has found the places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Source {
    /// The one by sets.
    #[default]
    Sets,
    /// The one under the lock delay.
    Timed,
    /// The fast one, which knows no paths.
    Open,
}

/// The positions on the ground that were reached, and those that a turn, or one with a far kick,
/// has led to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct FoundPositions {
    resting: Planes,
    spun: Planes,
    spun_by_far_kick: Planes,
}

/// Whether one of the last two inputs of a path, the one that locks included, is a turn.
fn ends_with_turn(path: &Path) -> bool {
    let inputs = path.0.iter().rev().flatten().take(2);
    let is_turn = |input: &Input| {
        let turns = [Input::Clockwise, Input::Counterclockwise, Input::Half];
        turns.contains(input)
    };
    inputs.into_iter().any(is_turn)
}

impl PathFinder {
    /// Finds every place that the piece can reach. If it does not fit where it starts, there is
    /// none.
    pub fn search(&mut self, board: &Board, steering: &Steering, start: PathStart) {
        self.search_untimed(board, steering, start);
        self.check_delay(board, steering, start);
    }

    /// A shortest path to a placement of the last search, which must have been on this board with
    /// this steering; none if the placement was not reached.
    pub fn path(&self, board: &Board, steering: &Steering, placement: Placement) -> Option<Path> {
        match self.source {
            Source::Timed => self.timed.path(placement),
            _ => self.trace(board, steering, placement),
        }
    }

    /// A shortest path to one placement; none if it cannot be reached. Faster than a search for all
    /// placements: it ends as soon as the placement is found, so that [`Self::places`] needs
    /// another.
    pub fn find_path(
        &mut self,
        board: &Board,
        steering: &Steering,
        start: PathStart,
        placement: Placement,
    ) -> Option<Path> {
        let query = PathQuery::new(board, steering, start);
        let mut path = None;
        self.search_until(board, steering, start, |sets| {
            path = sets.trace_ticks(&query, placement, sets.sets());
            path.is_some()
        });
        let last = self.sets() + 1;
        let found = path.or_else(|| self.trace_ticks(&query, placement, last));
        let patience = start.patience(steering);
        if let Some(path) = found {
            let is_certain = patience.is_some_and(|patience| path.len() <= patience)
                && (steering.spins == Spins::None || !ends_with_turn(&path));
            let stepper = self.stepper(board, steering, start);
            if is_certain || stepper.walk(&path) == Some(placement) {
                return Some(path);
            }
        }
        if patience.is_some_and(|patience| patience >= MAX_TICKS) {
            return None;
        }
        self.search_timed(board, steering, start, &[placement]);
        self.timed.path(placement)
    }

    /// Searches for these placements under the lock delay.
    fn search_timed(
        &mut self,
        board: &Board,
        steering: &Steering,
        start: PathStart,
        wanted: &[Placement],
    ) {
        let mut timed = std::mem::take(&mut self.timed);
        timed.search(&self.stepper(board, steering, start), wanted);
        self.timed = timed;
        self.source = Source::Timed;
    }

    /// Searches under the lock delay if the search without it has found what may take too long.
    fn check_delay(&mut self, board: &Board, steering: &Steering, start: PathStart) {
        let Some(certain) = self.certain.take() else {
            return;
        };
        if *certain == self.found {
            return;
        }
        let (mut known, mut places) = (Vec::new(), Vec::new());
        self.list(board, steering, &certain, &mut known);
        self.list(board, steering, &self.found, &mut places);
        let stepper = self.stepper(board, steering, start);
        let is_in_time = |&place: &Placement| {
            let path = self.trace(board, steering, place);
            path.is_some_and(|path| stepper.walk(&path) == Some(place))
        };
        let mut doubtful = places.iter().filter(|place| !known.contains(place));
        if !doubtful.all(is_in_time) {
            self.search_timed(board, steering, start, &places);
        }
    }

    /// Finds the same places faster, but no paths to them. A piece that enters well above the stack
    /// can be anywhere in the open before it comes near; from there on the search is the same. It
    /// falls back on [`Self::search`] where gravity could strike near the stack, or a lock delay
    /// end.
    pub fn search_places(&mut self, board: &Board, steering: &Steering, start: PathStart) {
        if let Some(limits) = flood_limits(board, steering, start) {
            if open::search(board, steering, start, limits, &mut self.listed) {
                self.layers.clear();
                (self.nodes, self.start) = (0, Some(start));
                self.source = Source::Open;
                return;
            }
            if steering.graph(start.falling.piece).free_reach.is_none()
                && self.flood_from_the_open(board, steering, start, limits)
            {
                return;
            }
        }
        self.search(board, steering, start);
    }

    /// All places, shape by shape in the order of [`Piece::shapes`](crate::piece::Piece::shapes),
    /// each from left to right and the highest first.
    pub fn places(&self, board: &Board, steering: &Steering, places: &mut Vec<Placement>) {
        match self.source {
            Source::Sets => self.list(board, steering, &self.found, places),
            Source::Timed => self.timed.places(places),
            Source::Open => places.clone_from(&self.listed),
        }
    }
}

/// Adds the placements of a shape in a column, the highest first: the rows in which the piece
/// rests, and those into which a turn, or one with a far kick, has led it.
fn push_column(
    board: &Board,
    steering: &Steering,
    (piece, shape, x): (Piece, &Shape, usize),
    [mut resting, spun, by_far_kick]: [u64; 3],
    places: &mut Vec<Placement>,
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
            placement.spin = steering.spin_of(board, placement, far_kick);
        }
        places.push(placement);
    }
}

/// Whether a piece that enters can be turned and moved to any column before it comes near the
/// stack, and is still this many rows higher as many ticks later.
fn has_room(board: &Board, steering: &Steering, start: PathStart, rows: usize) -> bool {
    // Two turns, and from the middle to the wall.
    let ticks = 3 + board.width().div_ceil(2) + rows;
    let fallen = steering.gravity.rows_by(ticks as u32) as usize;
    let needed = board.max_height() + OPEN_ROWS + rows + fallen;
    start.falling.y as usize >= needed && start.age == 0 && start.falling.fits(board)
}

/// How long a piece that enters well above the stack can be moved near the stack before gravity
/// strikes or a lock delay ends; none if it enters lower, or falls fast. Such a piece can be
/// anywhere above the stack, and in any row of a straight drop, just after some strike of gravity,
/// so that it has all the ticks until the next one.
fn flood_limits(board: &Board, steering: &Steering, start: PathStart) -> Option<FloodLimits> {
    let Gravity { rows, ticks } = steering.gravity;
    let is_open = has_room(board, steering, start, if rows == 0 { 0 } else { 2 });
    let period = ticks
        .checked_div(rows)
        .map_or(MAX_WINDOW, |period| period as usize);
    let patience = start.patience(steering).filter(|_| is_open)?;
    Some(FloodLimits {
        rounds: patience.min(MAX_TICKS),
        ticks: period.min(MAX_WINDOW),
    })
}

/// Whether a piece that enters can lock where a straight drop leads, and nowhere else: it enters
/// well above a stack into which nothing leads from the side, and no cavity of which is large
/// enough for a piece.
pub(crate) fn drops_only(surface: &Surface, steering: &Steering, start: PathStart) -> bool {
    let board = &surface.board;
    if start.patience(steering).is_none() || !has_room(board, steering, start, 0) {
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
