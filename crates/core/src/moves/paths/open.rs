//! The fast search for placements above a low stack, without gravity near the stack and without
//! paths.
//!
//! A piece that enters well above the stack can reach any position above it before coming near. The
//! sets therefore start with all positions above the stack, and contain only the rows near the
//! stack: 16, 32 or 64 of them, in words of this width, one per column. Only rotation systems whose
//! kicks are unconditional are searched in this way.

use super::graph::{Graph, TurnTest};
use super::{PathStart, push_column};
use crate::board::Board;
use crate::moves::{COLUMNS, MoveRules};
use crate::piece::{Piece, Shape};
use crate::placement::Placement;
use crate::rotation::ROWS_ABOVE;
use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

/// The rows of one column.
trait Word:
    Copy
    + PartialEq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    const EMPTY: Self;

    /// The lowest rows.
    fn low(rows: u64) -> Self;

    fn wide(self) -> u64;
}

macro_rules! words {
    ($($word:ty),*) => {
        $(impl Word for $word {
            const EMPTY: $word = 0;

            fn low(rows: u64) -> $word {
                rows as $word
            }

            fn wide(self) -> u64 {
                self.into()
            }
        })*
    };
}

words!(u16, u32, u64);

/// Number of margin columns, so that turns need no bounds check.
const MARGIN: usize = 8;

/// The positions of one rotation; column `x` is at `x + MARGIN`.
type PositionColumns<W> = [W; COLUMNS + 2 * MARGIN];

/// The positions of all rotations.
type Sets<W> = [PositionColumns<W>; 4];

/// How long the search may continue after the straight drops: in every round, a piece may have been
/// on the ground for one more tick, and the total must not exceed the ticks between two moves by
/// gravity.
#[derive(Clone, Copy, Debug)]
pub(super) struct FloodLimits {
    pub(super) rounds: usize,
    pub(super) ticks: usize,
}

/// A search among the positions near the stack.
struct OpenSearch<'a, W> {
    graph: &'a Graph,
    /// Number of distinct rotations.
    nodes: usize,
    free: Sets<W>,
    reached: Sets<W>,
    fresh: Sets<W>,
    /// The positions reached by rotations, and by those with a far kick; recorded only if needed.
    is_tracked: bool,
    spun: Sets<W>,
    spun_by_far_kick: Sets<W>,
}

/// Finds all placements within the limits, and returns whether it succeeded. The piece must enter
/// high enough above the stack for every turn.
pub(super) fn search(
    board: &Board,
    move_rules: &MoveRules,
    start: PathStart,
    limits: FloodLimits,
    placements: &mut Vec<Placement>,
) -> bool {
    let graph = move_rules.graph(start.falling.piece);
    let Some(reach) = graph.free_reach else {
        return false;
    };
    // The highest row from which a turn reaches the stack, and the highest row that a turn from
    // there reaches.
    match board.max_height() + reach.down + reach.up + 1 {
        0..=16 => search_in::<u16>(board, move_rules, start, limits, placements),
        17..=32 => search_in::<u32>(board, move_rules, start, limits, placements),
        33..=64 => search_in::<u64>(board, move_rules, start, limits, placements),
        _ => false,
    }
}

fn search_in<W: Word>(
    board: &Board,
    move_rules: &MoveRules,
    start: PathStart,
    limits: FloodLimits,
    placements: &mut Vec<Placement>,
) -> bool {
    let piece = start.falling.piece;
    let graph = move_rules.graph(piece);
    let is_tracked = move_rules.may_spin(piece);
    let looks_alike = graph.shapes[1].rotation == graph.shapes[0].rotation;
    let nodes = if looks_alike && !is_tracked { 1 } else { 4 };
    let empty = [[W::EMPTY; COLUMNS + 2 * MARGIN]; 4];
    let mut search = OpenSearch {
        graph,
        nodes,
        free: empty,
        reached: empty,
        fresh: empty,
        is_tracked,
        spun: empty,
        spun_by_far_kick: empty,
    };
    search.begin(board, start);
    let is_done = search.flood(limits);
    if is_done {
        search.list(board, move_rules, piece, placements);
    }
    is_done
}

/// The positions in which a shape fits.
fn free<W: Word>(board: &Board, shape: &Shape) -> PositionColumns<W> {
    let width = board.width();
    let mut columns = [W::EMPTY; COLUMNS + 4];
    for (rows, &column) in columns.iter_mut().zip(board.columns()) {
        *rows = W::low(column);
    }
    let mut taken = [W::EMPTY; COLUMNS];
    for (number, &cells) in shape.columns[..shape.width].iter().enumerate() {
        let column = &columns[number..number + COLUMNS];
        let mut cells = cells;
        while cells != 0 {
            let row = cells.trailing_zeros();
            cells &= cells - 1;
            for (taken, &column) in taken.iter_mut().zip(column) {
                *taken = *taken | column >> row;
            }
        }
    }
    let rows = board.height() + ROWS_ABOVE + 1 - shape.height;
    let inside = W::low((1 << rows) - 1);
    let mut free = [W::EMPTY; COLUMNS + 2 * MARGIN];
    for x in 0..=width - shape.width {
        free[MARGIN + x] = !taken[x] & inside;
    }
    free
}

fn is_empty<W: Word>(columns: &[W]) -> bool {
    let all = columns.iter().fold(W::EMPTY, |all, &rows| all | rows);
    all == W::EMPTY
}

impl<W: Word> OpenSearch<'_, W> {
    /// The positions above the stack.
    fn begin(&mut self, board: &Board, start: PathStart) {
        let top = board.max_height();
        let down = self.graph.free_reach.map_or(0, |reach| reach.down);
        let open = ((1u64 << (start.falling.y - 3)) - 1) & (!0 << top);
        let near = open & ((2 << (top + down)) - 1);
        let (open, near) = (W::low(open), W::low(near));
        for node in 0..self.nodes {
            let shape = self.graph.shapes[node];
            self.free[node] = free(board, shape);
            let columns = self.free[node];
            self.reached[node] = columns.map(|rows| rows & open);
            self.fresh[node] = columns.map(|rows| rows & near);
        }
    }

    /// Lets the sets grow until nothing changes; returns whether that happened within the limits.
    fn flood(&mut self, limits: FloodLimits) -> bool {
        self.fall();
        let mut ticks = 0;
        // One more round, which must find nothing new; otherwise it might record spins that come
        // too late.
        let rounds = limits.rounds + usize::from(!self.is_tracked);
        for _ in 0..rounds {
            ticks += 1;
            let next = self.press();
            let mut any = false;
            for node in 0..self.nodes {
                for x in 0..COLUMNS + 2 * MARGIN {
                    self.fresh[node][x] = next[node][x] & !self.reached[node][x];
                    self.reached[node][x] = self.reached[node][x] | next[node][x];
                }
                any |= !is_empty(&self.fresh[node]);
            }
            if ticks > limits.ticks && (any || self.is_tracked) {
                return false;
            }
            if !any {
                return true;
            }
            ticks += self.fall();
        }
        false
    }

    /// Lets all new positions fall, row by row; returns the maximum number of rows.
    fn fall(&mut self) -> usize {
        let mut most = 0;
        for node in 0..self.nodes {
            let (reached, fresh) = (&mut self.reached[node], &mut self.fresh[node]);
            let free = &self.free[node];
            let mut falling = *fresh;
            let mut rows = 0;
            loop {
                for x in MARGIN..MARGIN + COLUMNS {
                    falling[x] = falling[x] >> 1 & free[x] & !reached[x];
                    reached[x] = reached[x] | falling[x];
                    fresh[x] = fresh[x] | falling[x];
                }
                if is_empty(&falling[MARGIN..MARGIN + COLUMNS]) {
                    break;
                }
                rows += 1;
            }
            most = most.max(rows);
        }
        most
    }

    /// All positions that can be reached from new ones by a step to the side or a turn.
    fn press(&mut self) -> Sets<W> {
        let mut next = [[W::EMPTY; COLUMNS + 2 * MARGIN]; 4];
        for node in 0..self.nodes {
            let from = self.fresh[node];
            if is_empty(&from) {
                continue;
            }
            let (own, free) = (&mut next[node], &self.free[node]);
            for x in MARGIN..MARGIN + COLUMNS {
                own[x] = own[x] | (from[x - 1] | from[x + 1]) & free[x];
            }
            if self.nodes > 1 {
                self.turn(node, &mut next);
            }
        }
        next
    }

    /// Adds all positions that the turns of a node reach.
    fn turn(&mut self, node: usize, next: &mut Sets<W>) {
        let graph = self.graph;
        for edge in &graph.nodes[node].edges {
            let mut rest = [W::EMPTY; COLUMNS];
            rest.copy_from_slice(&self.fresh[node][MARGIN..MARGIN + COLUMNS]);
            for test in &edge.tests {
                let free = &self.free[test.to];
                if self.is_tracked {
                    let mut targets = [W::EMPTY; COLUMNS + 2 * MARGIN];
                    try_test(test, free, &mut rest, &mut targets);
                    let spun = if test.is_far {
                        &mut self.spun_by_far_kick[test.to]
                    } else {
                        &mut self.spun[test.to]
                    };
                    for x in MARGIN..MARGIN + COLUMNS {
                        next[test.to][x] = next[test.to][x] | targets[x];
                        spun[x] = spun[x] | targets[x];
                    }
                } else {
                    try_test(test, free, &mut rest, &mut next[test.to]);
                }
                if is_empty(&rest) {
                    break;
                }
            }
        }
    }

    /// Lists the positions on the ground in the order of [`super::PathFinder::placements`].
    fn list(
        &self,
        board: &Board,
        move_rules: &MoveRules,
        piece: Piece,
        placements: &mut Vec<Placement>,
    ) {
        placements.clear();
        for shape in piece.shapes() {
            let looks_alike = |&node: &usize| self.graph.shapes[node].rotation == shape.rotation;
            let mut sets = [[W::EMPTY; COLUMNS + 2 * MARGIN]; 3];
            for node in (0..self.nodes).filter(looks_alike) {
                for x in MARGIN..MARGIN + COLUMNS {
                    let free = self.free[node][x];
                    sets[0][x] = sets[0][x] | self.reached[node][x] & !(free << 1);
                    sets[1][x] = sets[1][x] | self.spun[node][x];
                    sets[2][x] = sets[2][x] | self.spun_by_far_kick[node][x];
                }
            }
            for x in 0..=board.width() - shape.width {
                let rows = sets.map(|set| set[MARGIN + x].wide());
                push_column(board, move_rules, (piece, shape, x), rows, placements);
            }
        }
    }
}

/// Adds the positions that one test reaches, and removes their starting positions from the rest.
fn try_test<W: Word>(
    test: &TurnTest,
    free: &PositionColumns<W>,
    rest: &mut [W; COLUMNS],
    next: &mut PositionColumns<W>,
) {
    let first = (MARGIN as i32 + test.dx) as usize;
    let (up, down) = (test.dy.max(0) as u32, (-test.dy).max(0) as u32);
    let targets = next[first..first + COLUMNS].iter_mut();
    let columns = targets.zip(&free[first..first + COLUMNS]).zip(rest);
    for ((next, &free), rest) in columns {
        let fits = *rest << up >> down & free;
        *next = *next | fits;
        *rest = *rest & !(fits << down >> up);
    }
}
