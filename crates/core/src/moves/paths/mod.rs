//! The path finder: every place that a falling piece can reach, twists and tucks included, and a shortest path to each.
//!
//! # What is searched
//!
//! Time runs in ticks. In each tick a player presses one key or none, and then the piece falls by as many rows as gravity says for that
//! tick ([`Gravity`](super::Gravity)). The search goes forward tick by tick with the *set* of all positions in which the piece can be: one bit each, so that a
//! move of all of them is a shift of a word. As long as gravity does not strike, sets only grow, and when nothing is new all is found. That is
//! nearly always so before a piece falls for the first time; otherwise the search goes on until nothing changes any more, and at most
//! [`MAX_TICKS`] ticks. At 20 rows in a tick every position is on the ground at once.
//!
//! A place counts if the piece is on the ground there and can lock. Of places that look alike (I, S and Z turned by half) one is kept. Where
//! the rules know spins, a place carries the best spin with which it can be entered, and its path ends with that turn.
//!
//! The length of a path is its number of ticks. Its last input locks the piece: a hard drop from as high as possible, or a press of down on
//! the ground; where neither locks, the piece lies until it does. Lock delays are taken to be long enough for a shortest path.

mod back;
mod field;
mod graph;

#[cfg(test)]
mod slow;
#[cfg(test)]
mod tests;

pub(super) use graph::Graph;

use super::{DropKey, LANES, Locking, Spins, Steering};
use crate::board::Board;
use crate::placement::{Placement, Spin};
use crate::rotation::{Falling, When};
use field::{Field, Plane, shifted};
use graph::Edge;

/// The most ticks that a path can have before its last input.
pub const MAX_TICKS: usize = 256;

/// Where a search begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The piece and where it is.
    pub falling: Falling,
    /// How many ticks it has been falling.
    pub age: u32,
    /// Whether it has had its floor kick.
    pub floor_kicked: bool,
}

impl Start {
    /// A piece that has just entered.
    #[must_use]
    pub fn entering(falling: Falling) -> Start {
        Start {
            falling,
            age: 0,
            floor_kicked: false,
        }
    }
}

/// Sets of positions, one for each node of the piece.
type Planes = [Plane; 8];

/// Finds places and paths. Reused from search to search, so that few allocate.
#[derive(Clone, Debug)]
pub struct PathFinder {
    field: Field,
    /// The positions after each tick, from the start on: `layer[tick][node]`, only as many nodes as the piece has.
    layers: Vec<Plane>,
    nodes: usize,
    start: Option<Start>,
    /// The positions on the ground that were reached, and those that a turn, or the fifth test of one, has led to.
    resting: Planes,
    spun: Planes,
    spun_by_last: Planes,
}

impl Default for PathFinder {
    fn default() -> PathFinder {
        PathFinder {
            field: Field::default(),
            layers: Vec::new(),
            nodes: 0,
            start: None,
            resting: [[0; LANES]; 8],
            spun: [[0; LANES]; 8],
            spun_by_last: [[0; LANES]; 8],
        }
    }
}

fn is_empty(plane: &Plane) -> bool {
    plane.iter().fold(0, |all, word| all | word) == 0
}

impl PathFinder {
    /// Finds every place that the piece can reach. If it does not fit where it starts, there is none.
    pub fn search(&mut self, board: &Board, steering: &Steering, start: Start) {
        let graph = steering.graph(start.falling.piece);
        self.field.measure(board, graph);
        self.nodes = graph.nodes.len();
        self.layers.clear();
        self.start = Some(start);
        self.resting = [[0; LANES]; 8];
        self.spun = [[0; LANES]; 8];
        self.spun_by_last = [[0; LANES]; 8];
        let mut reached: Planes = [[0; LANES]; 8];
        if start.falling.fits(board) {
            let rotation = start.falling.rotation as usize;
            let has_kicked = start.floor_kicked && self.nodes > 4;
            let node = rotation + 4 * usize::from(has_kicked);
            reached[node][start.falling.x as usize] |= 1 << start.falling.y;
            self.grow(steering, graph, start, reached);
        }
    }

    /// Lets the sets grow tick by tick until nothing changes.
    fn grow(&mut self, steering: &Steering, graph: &Graph, start: Start, mut reached: Planes) {
        self.keep(&reached);
        let track = steering.spins != Spins::None;
        let mut fresh = reached;
        let mut after_last_fall = None;
        for tick in 1..=MAX_TICKS {
            let mut next = reached;
            for node in 0..self.nodes {
                if !is_empty(&fresh[node]) {
                    self.step(graph, node, &fresh[node], &mut next, track);
                    if steering.drop == DropKey::Sonic {
                        self.drop_all(node, &fresh[node], &mut next[node]);
                    }
                }
            }
            let rows = steering.gravity.rows_in(start.age + tick as u32);
            if rows == 0 {
                if next == reached && after_last_fall.is_none() {
                    break;
                }
                fresh = without(&next, &reached, self.nodes);
                reached = next;
            } else {
                if steering.locking == Locking::OnFall {
                    self.lock(&mut next);
                }
                self.fall(&mut next, rows);
                reached = next;
                fresh = reached;
                if after_last_fall.replace(reached) == Some(reached) {
                    break;
                }
            }
            self.keep(&reached);
            self.rest(&reached);
        }
        self.rest(&reached);
    }

    /// Remembers the sets after a tick.
    fn keep(&mut self, reached: &Planes) {
        self.layers.extend_from_slice(&reached[..self.nodes]);
    }

    /// Notes the positions on the ground.
    fn rest(&mut self, reached: &Planes) {
        for node in 0..self.nodes {
            let grounded = &self.field.grounded[node % 4];
            for ((resting, reached), grounded) in self.resting[node]
                .iter_mut()
                .zip(&reached[node])
                .zip(grounded)
            {
                *resting |= reached & grounded;
            }
        }
    }

    /// Locks what is on the ground.
    fn lock(&mut self, reached: &mut Planes) {
        self.rest(reached);
        for node in 0..self.nodes {
            let grounded = &self.field.grounded[node % 4];
            for (reached, grounded) in reached[node].iter_mut().zip(grounded) {
                *reached &= !grounded;
            }
        }
    }

    /// Lets everything fall by at most this many rows.
    fn fall(&self, reached: &mut Planes, rows: u32) {
        for node in 0..self.nodes {
            let grounded = &self.field.grounded[node % 4];
            for (reached, grounded) in reached[node].iter_mut().zip(grounded) {
                for _ in 0..rows {
                    let falling = *reached & !grounded;
                    if falling == 0 {
                        break;
                    }
                    *reached = (*reached & grounded) | (falling >> 1);
                }
            }
        }
    }

    /// Adds the positions on the ground below.
    fn drop_all(&self, node: usize, from: &Plane, next: &mut Plane) {
        let (free, grounded) = (&self.field.free[node % 4], &self.field.grounded[node % 4]);
        for x in 0..self.field.width {
            let mut falling = from[x] & free[x];
            while falling & !grounded[x] != 0 {
                falling = (falling & grounded[x]) | (falling & !grounded[x]) >> 1;
            }
            next[x] |= falling;
        }
    }

    /// Adds all positions that one input leads to.
    fn step(&mut self, graph: &Graph, node: usize, from: &Plane, next: &mut Planes, track: bool) {
        let width = self.field.width;
        let free = &self.field.free[node % 4];
        let own = &mut next[node];
        for x in 0..width {
            let left = if x > 0 { from[x - 1] } else { 0 };
            let right = if x + 1 < LANES { from[x + 1] } else { 0 };
            own[x] |= (left | right | from[x] >> 1) & free[x];
        }
        for edge in &graph.nodes[node].edges {
            self.turn(node, edge, from, next, track);
        }
    }

    /// Adds all positions that one turn leads to.
    fn turn(&mut self, node: usize, edge: &Edge, from: &Plane, next: &mut Planes, track: bool) {
        let mut rest = *from;
        for (number, test) in edge.tests.iter().enumerate() {
            let targets = self.tested(node, test, &mut rest);
            for x in 0..self.field.width {
                next[test.to][x] |= targets[x];
            }
            if track {
                let spun = match number {
                    super::steering::LAST_TEST => &mut self.spun_by_last,
                    _ => &mut self.spun,
                };
                for x in 0..self.field.width {
                    spun[test.to][x] |= targets[x];
                }
            }
            if is_empty(&rest) {
                return;
            }
            if number == 0 && edge.can_be_barred {
                self.take_out_barred(test, &mut rest);
            }
        }
    }

    /// The positions that one test leads to; those that it moves are taken out of the rest.
    fn tested(&self, node: usize, test: &graph::Test, rest: &mut Plane) -> Plane {
        let width = self.field.width as i32;
        let free = &self.field.free[test.to % 4];
        let mut targets = [0; LANES];
        for x in 0..width {
            let to = x + test.dx;
            let mut tried = rest[x as usize];
            if tried == 0 || !(0..width).contains(&to) {
                continue;
            }
            match test.when {
                When::Always => {}
                When::Beside => tried &= self.field.beside(node % 4, x as usize),
                When::OnGround => tried &= self.field.grounded[node % 4][x as usize],
            }
            let fits = shifted(tried, test.dy) & free[to as usize];
            targets[to as usize] = fits;
            rest[x as usize] &= !shifted(fits, -test.dy);
        }
        targets
    }

    /// Takes the positions out of the rest that Arika's middle column forbids to kick.
    fn take_out_barred(&self, basic: &graph::Test, rest: &mut Plane) {
        let width = self.field.width as i32;
        let barred = &self.field.barred[basic.to % 4];
        for x in 0..width {
            let to = x + basic.dx;
            if (0..width).contains(&to) {
                rest[x as usize] &= !shifted(barred[to as usize], -basic.dy);
            }
        }
    }

    /// All places, shape by shape in the order of [`Piece::shapes`](crate::piece::Piece::shapes), each from left to right and the highest first.
    pub fn places(&self, board: &Board, steering: &Steering, places: &mut Vec<Placement>) {
        places.clear();
        let Some(start) = self.start else { return };
        let piece = start.falling.piece;
        let graph = steering.graph(piece);
        for shape in piece.shapes() {
            let looks_alike = |node: &usize| graph.shapes[node % 4].rotation == shape.rotation;
            let alike = || (0..self.nodes).filter(looks_alike);
            for x in 0..self.field.width {
                let union = |planes: &Planes| alike().fold(0, |all, node| all | planes[node][x]);
                let (mut resting, spun, by_last) = (
                    union(&self.resting),
                    union(&self.spun),
                    union(&self.spun_by_last),
                );
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
                    if (spun | by_last) >> y & 1 == 1 {
                        let last_test = by_last >> y & 1 == 1;
                        placement.spin = steering.spin_of(board, placement, last_test);
                    }
                    places.push(placement);
                }
            }
        }
    }
}

/// The positions of the first sets that are not in the second.
fn without(all: &Planes, known: &Planes, nodes: usize) -> Planes {
    let mut rest = [[0; LANES]; 8];
    for node in 0..nodes {
        for x in 0..LANES {
            rest[node][x] = all[node][x] & !known[node][x];
        }
    }
    rest
}
