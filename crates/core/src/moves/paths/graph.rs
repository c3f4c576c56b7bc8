//! The rotations of one piece as a graph, in the coordinates of bounding boxes.

use super::free_space::Spot;
use crate::piece::{Piece, Shape};
use crate::rotation::{ALL_ROTATIONS, RotationSystem, TURNS, Turn, When};

/// One test of a turn: the displacement of the bounding box.
#[derive(Clone, Copy, Debug)]
pub(in crate::moves) struct TurnTest {
    /// The target node.
    pub(super) to: usize,
    pub(super) dx: i32,
    pub(super) dy: i32,
    pub(super) when: When,
    /// Whether the test turns every T-spin into a full one.
    pub(super) is_far: bool,
}

impl TurnTest {
    /// The position of the piece after the test.
    pub(super) fn target(&self, from: Spot) -> Spot {
        Spot {
            node: self.to,
            x: from.x + self.dx,
            y: from.y + self.dy,
        }
    }
}

/// One turn from one node.
#[derive(Clone, Debug)]
pub(in crate::moves) struct TurnEdge {
    pub(super) turn: Turn,
    pub(super) tests: Vec<TurnTest>,
    /// Whether the middle-column rule of Arika's system can forbid all tests but the first.
    pub(super) can_be_barred: bool,
}

/// The state of a piece without its column and row: its rotation and, in some systems, whether it
/// has used its floor kick.
#[derive(Clone, Debug)]
pub(in crate::moves) struct TurnNode {
    pub(super) edges: Vec<TurnEdge>,
}

/// All nodes of a piece: its four rotations and, where it has floor kicks, the four after one.
#[derive(Clone, Debug)]
pub(in crate::moves) struct Graph {
    pub(super) shapes: [&'static Shape; 4],
    pub(super) nodes: Vec<TurnNode>,
    /// The columns of each rotation in which a first filled cell forbids kicks.
    pub(super) barring: [Option<u8>; 4],
    /// The displacement of turns, if no test has a condition.
    pub(super) free_reach: Option<FreeReach>,
}

/// How far the turns of a piece move its bounding box, in rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreeReach {
    pub(super) up: usize,
    pub(super) down: usize,
}

impl FreeReach {
    /// The reach of all turns; `None` if one has a condition.
    fn of(nodes: &[TurnNode]) -> Option<FreeReach> {
        // Even without turning, a piece falls by one row.
        let mut reach = FreeReach { up: 0, down: 1 };
        for edge in nodes.iter().flat_map(|node| &node.edges) {
            for test in &edge.tests {
                if edge.can_be_barred || test.when != When::Always {
                    return None;
                }
                reach.up = reach.up.max(test.dy.max(0) as usize);
                reach.down = reach.down.max((-test.dy).max(0) as usize);
            }
        }
        Some(reach)
    }
}

impl Graph {
    /// The graph of a piece in a rotation system.
    pub(in crate::moves) fn new(system: &RotationSystem, piece: Piece) -> Graph {
        let turns = system.piece(piece);
        let is_floor_kick = |when: When| when == When::OnGround;
        let kicks = turns.tests.iter().flatten().flat_map(|tests| &tests.kicks);
        let planes = 1 + usize::from(kicks.into_iter().any(|kick| is_floor_kick(kick.when)));
        let mut barring = [None; 4];
        let mut nodes = Vec::new();
        for plane in 0..planes {
            for from in ALL_ROTATIONS {
                let turns_here = TURNS
                    .into_iter()
                    .filter(|turn| *turn != Turn::Half || system.has_half);
                let edges = turns_here.map(|turn| {
                    let tests = system.tests(piece, from, turn);
                    let to = turn.of(from);
                    barring[to as usize] = barring[to as usize].or(tests.barring_column);
                    let (old, new) = (turns.corners[from as usize], turns.corners[to as usize]);
                    let listed = tests
                        .kicks
                        .iter()
                        .filter(|kick| plane == 0 || !is_floor_kick(kick.when));
                    let listed = listed.map(|kick| TurnTest {
                        to: to as usize + 4 * plane.max(usize::from(is_floor_kick(kick.when))),
                        dx: i32::from(new.0 - old.0 + kick.dx),
                        dy: i32::from(new.1 - old.1 + kick.dy),
                        when: kick.when,
                        is_far: kick.is_far(turn),
                    });
                    TurnEdge {
                        turn,
                        tests: listed.collect(),
                        can_be_barred: tests.barring_column.is_some(),
                    }
                });
                let edges = edges.collect();
                nodes.push(TurnNode { edges });
            }
        }
        Graph {
            shapes: ALL_ROTATIONS.map(|rotation| piece.shape(rotation)),
            free_reach: FreeReach::of(&nodes),
            nodes,
            barring,
        }
    }
}
