//! Reconstructs a shortest path, from the goal back to the start.

use super::free_space::Spot;
use super::graph::{Graph, TurnTest};
use super::{PathFinder, PathStart};
use crate::board::Board;
use crate::moves::{DropKey, Input, Locking, MoveRules, Path};
use crate::placement::{Placement, Spin};
use crate::rotation::{ALL_ROTATIONS, Falling, Turn};

/// The request for a path.
pub(super) struct PathQuery<'a> {
    board: &'a Board,
    move_rules: &'a MoveRules,
    graph: &'a Graph,
    start: PathStart,
}

impl<'a> PathQuery<'a> {
    /// Requests a path of a piece on a board.
    pub(super) fn new(
        board: &'a Board,
        move_rules: &'a MoveRules,
        start: PathStart,
    ) -> PathQuery<'a> {
        PathQuery {
            board,
            move_rules,
            graph: move_rules.graph(start.falling.piece),
            start,
        }
    }

    /// The number of rows that the piece falls in a tick of the search.
    fn rows_in(&self, tick: usize) -> u32 {
        self.move_rules
            .gravity
            .rows_in(self.start.age + tick as u32)
    }
}

impl From<Turn> for Input {
    fn from(turn: Turn) -> Input {
        match turn {
            Turn::Clockwise => Input::Clockwise,
            Turn::Counterclockwise => Input::Counterclockwise,
            Turn::Half => Input::Half,
        }
    }
}

impl PathFinder {
    /// A shortest path to a placement of the last search, provided that no lock delay interferes.
    pub(super) fn trace(
        &self,
        board: &Board,
        move_rules: &MoveRules,
        placement: Placement,
    ) -> Option<Path> {
        let search = PathQuery::new(board, move_rules, self.start?);
        (1..=self.sets() + 1).find_map(|ticks| self.trace_ticks(&search, placement, ticks))
    }

    /// A path of exactly this many ticks to a placement. It needs the sets of all ticks before the
    /// last.
    pub(super) fn trace_ticks(
        &self,
        search: &PathQuery<'_>,
        placement: Placement,
        ticks: usize,
    ) -> Option<Path> {
        let look = placement.shape().rotation;
        let alike = |node: &usize| search.graph.shapes[node % 4].rotation == look;
        (0..self.nodes).filter(alike).find_map(|node| {
            let at = Spot {
                node,
                x: i32::from(placement.x),
                y: i32::from(placement.y),
            };
            if !self.space.is_grounded(at) {
                return None;
            }
            match placement.spin {
                Spin::None => self.in_ticks(search, at, ticks),
                spin => self.spun_in_ticks(search, at, ticks, spin),
            }
        })
    }

    /// Number of sets.
    pub(super) fn sets(&self) -> usize {
        self.layers.len() / self.nodes.max(1)
    }

    /// Whether the piece can be in a position after a tick.
    fn holds(&self, tick: usize, at: Spot) -> bool {
        let inside = (0..self.space.width as i32).contains(&at.x) && (0..64).contains(&at.y);
        let place = tick * self.nodes + at.node;
        inside && place < self.layers.len() && self.layers[place][at.x as usize] >> at.y & 1 == 1
    }

    /// A path of exactly this many ticks whose last input locks the piece.
    fn in_ticks(&self, search: &PathQuery<'_>, at: Spot, ticks: usize) -> Option<Path> {
        let before = ticks - 1;
        let move_rules = search.move_rules;
        if move_rules.drop == DropKey::Hard {
            if let Some(from) = self.above(before, at) {
                return Some(self.to(search, before, from, &[Some(Input::Drop)]));
            }
        } else if self.holds(before, at) {
            // If there is only a delay, no other key is pressed: the piece waits until it locks.
            let lock: &[Option<Input>] = match move_rules.locking {
                Locking::Delay => &[],
                _ => &[Some(Input::Down)],
            };
            return Some(self.to(search, before, at, lock));
        }
        if move_rules.locking == Locking::OnFall && search.rows_in(ticks) > 0 {
            // The piece reaches the ground in a tick in which gravity acts, and locks.
            let (from, input) = self.before_input_or_drop(search, before, at)?;
            return Some(self.to(search, before, from, &[input]));
        }
        None
    }

    /// A path whose last turn, in the previous tick, makes the spin.
    fn spun_in_ticks(
        &self,
        search: &PathQuery<'_>,
        at: Spot,
        ticks: usize,
        spin: Spin,
    ) -> Option<Path> {
        let move_rules = search.move_rules;
        let turned = ticks - 1;
        let before = turned.checked_sub(1)?;
        let falling = Falling {
            x: at.x as i8,
            y: at.y as i8,
            rotation: ALL_ROTATIONS[at.node % 4],
            ..search.start.falling
        };
        let makes = |test: &TurnTest| move_rules.spin(search.board, falling, test.is_far) == spin;
        let (from, input) = self.before_turn(search, before, at, makes)?;
        let lock = match (move_rules.drop, move_rules.locking) {
            (_, Locking::OnFall) if search.rows_in(turned) > 0 => None,
            (DropKey::Hard, _) => Some(Input::Drop),
            (_, Locking::Delay) => None,
            _ => Some(Input::Down),
        };
        let last = [Some(input), lock];
        let count = 1 + usize::from(lock.is_some());
        Some(self.to(search, before, from, &last[..count]))
    }

    /// The lowest position from which the piece drops straight down to a placement, if the piece
    /// can be there after a tick.
    fn above(&self, tick: usize, place: Spot) -> Option<Spot> {
        let mut at = place;
        while self.space.is_free(at) {
            if self.holds(tick, at) {
                return Some(at);
            }
            at.y += 1;
        }
        None
    }

    /// The path to a position, followed by these inputs.
    fn to(&self, search: &PathQuery<'_>, tick: usize, at: Spot, last: &[Option<Input>]) -> Path {
        let mut inputs = vec![None; tick];
        let mut at = at;
        for tick in (1..=tick).rev() {
            let (from, input) = self.before(search, tick, at);
            inputs[tick - 1] = input;
            at = from;
        }
        inputs.extend_from_slice(last);
        Path(inputs)
    }

    /// The position of the piece one tick earlier, and the input.
    fn before(&self, search: &PathQuery<'_>, tick: usize, at: Spot) -> (Spot, Option<Input>) {
        let rows = search.rows_in(tick) as i32;
        let locks = search.move_rules.locking == Locking::OnFall;
        let mut fell_from = at;
        for fallen in 0..=rows {
            fell_from.y = at.y + fallen;
            if !self.space.is_free(fell_from) {
                break;
            }
            let possible = fallen == rows || self.space.is_grounded(at);
            if !possible || (locks && rows > 0 && fallen == 0) {
                continue;
            }
            if let Some(found) = self.before_input_or_drop(search, tick - 1, fell_from) {
                return found;
            }
        }
        unreachable!("every position after a tick comes from one before it")
    }

    /// Like [`Self::before_input`], but also considers sonic drops.
    fn before_input_or_drop(
        &self,
        search: &PathQuery<'_>,
        tick: usize,
        at: Spot,
    ) -> Option<(Spot, Option<Input>)> {
        let found = self.before_input(search, tick, at);
        if found.is_some()
            || search.move_rules.drop != DropKey::Sonic
            || !self.space.is_grounded(at)
        {
            return found;
        }
        let above = self.above(tick, at)?;
        Some((above, Some(Input::Drop)))
    }

    /// A position after a tick from which one input, or none, leads to another position.
    fn before_input(
        &self,
        search: &PathQuery<'_>,
        tick: usize,
        at: Spot,
    ) -> Option<(Spot, Option<Input>)> {
        if self.holds(tick, at) {
            return Some((at, None));
        }
        let moved = |dx: i32, dy: i32| Spot {
            x: at.x + dx,
            y: at.y + dy,
            ..at
        };
        let steps = [
            (moved(1, 0), Input::Left),
            (moved(-1, 0), Input::Right),
            (moved(0, 1), Input::Down),
        ];
        for (from, input) in steps {
            if self.space.is_free(at) && self.holds(tick, from) {
                return Some((from, Some(input)));
            }
        }
        let (from, input) = self.before_turn(search, tick, at, |_| true)?;
        Some((from, Some(input)))
    }

    /// A position after a tick from which a turn leads to another position by one of the given
    /// tests.
    fn before_turn(
        &self,
        search: &PathQuery<'_>,
        tick: usize,
        at: Spot,
        wanted: impl Fn(&TurnTest) -> bool,
    ) -> Option<(Spot, Input)> {
        for (node, edges) in search
            .graph
            .nodes
            .iter()
            .map(|node| &node.edges)
            .enumerate()
        {
            for edge in edges {
                for (number, test) in edge.tests.iter().enumerate() {
                    let from = Spot {
                        node,
                        x: at.x - test.dx,
                        y: at.y - test.dy,
                    };
                    let possible = test.to == at.node && self.holds(tick, from) && wanted(test);
                    if possible && self.space.first_test(edge, from) == Some(number) {
                        return Some((from, edge.turn.into()));
                    }
                }
            }
        }
        None
    }
}
