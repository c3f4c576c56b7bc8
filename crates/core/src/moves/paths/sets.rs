//! The search by sets of positions.

use super::free_space::{Plane, shifted};
use super::graph::{Graph, TurnEdge, TurnTest};
use super::open::FloodLimits;
use super::{
    FoundPositions, MAX_TICKS, OPEN_ROWS, PathFinder, PathStart, Planes, Source, push_column,
};
use crate::board::Board;
use crate::moves::{COLUMNS, DropKey, Locking, MoveRules};
use crate::placement::Placement;
use crate::rotation::When;
use std::ops::Range;

/// The tick until which the result does not depend on the lock delay.
struct Deadline {
    patience: Option<usize>,
    first_on_ground: Option<usize>,
}

impl Deadline {
    fn new(patience: Option<usize>) -> Deadline {
        Deadline {
            patience,
            first_on_ground: None,
        }
    }
}

fn is_empty(plane: &Plane) -> bool {
    plane.iter().fold(0, |all, word| all | word) == 0
}

impl PathFinder {
    /// Finds every position that the piece could reach if it never locked by itself.
    pub(super) fn search_untimed(
        &mut self,
        board: &Board,
        move_rules: &MoveRules,
        start: PathStart,
    ) {
        self.search_until(board, move_rules, start, |_| false);
    }

    /// Like [`Self::search_untimed`], but stops once all wanted placements are found.
    pub(super) fn search_until(
        &mut self,
        board: &Board,
        move_rules: &MoveRules,
        start: PathStart,
        is_enough: impl FnMut(&PathFinder) -> bool,
    ) {
        let graph = self.begin(board, move_rules, start);
        let mut reached: Planes = [[0; COLUMNS]; 8];
        if start.falling.fits(board) {
            let rotation = start.falling.rotation as usize;
            let has_kicked = start.floor_kicked && self.nodes > 4;
            let node = rotation + 4 * usize::from(has_kicked);
            reached[node][start.falling.x as usize] |= 1 << start.falling.y;
            self.grow(move_rules, graph, start, reached, is_enough);
        }
    }

    /// Lets all positions in the open space near the stack grow without gravity; returns whether
    /// they stopped changing within the limits.
    pub(super) fn flood_from_the_open(
        &mut self,
        board: &Board,
        move_rules: &MoveRules,
        start: PathStart,
        limits: FloodLimits,
    ) -> bool {
        let graph = self.begin(board, move_rules, start);
        let (top, entry) = (board.max_height(), start.falling.y);
        let in_the_open = ((1u64 << (entry - 3)) - 1) & (!0 << top);
        let near = in_the_open & ((1 << (top + OPEN_ROWS)) - 1);
        let (mut reached, mut fresh): (Planes, Planes) = ([[0; COLUMNS]; 8], [[0; COLUMNS]; 8]);
        for (node, free) in self.space.free.iter().enumerate() {
            reached[node] = free.map(|rows| rows & in_the_open);
            for (x, free) in free.iter().enumerate() {
                let mut falling = free & near;
                while falling != 0 {
                    fresh[node][x] |= falling;
                    falling = falling >> 1 & free & !fresh[node][x];
                }
                reached[node][x] |= fresh[node][x];
            }
        }
        // One tick more than the lock delay certainly allows. Nothing new may be found in it;
        // otherwise it might record spins that come too late.
        let more = usize::from(!move_rules.may_spin(start.falling.piece));
        let ticks = limits.ticks.min(limits.rounds) + more;
        self.flood(move_rules, graph, reached, fresh, ticks)
    }

    /// Lets the sets grow without gravity until nothing changes; returns whether that happened
    /// within this many ticks.
    fn flood(
        &mut self,
        move_rules: &MoveRules,
        graph: &Graph,
        mut reached: Planes,
        mut fresh: Planes,
        ticks: usize,
    ) -> bool {
        for _ in 0..ticks {
            let mut next: Planes = [[0; COLUMNS]; 8];
            self.press_all(move_rules, graph, &fresh, &mut next);
            if !self.add(&next, &mut reached, &mut fresh) {
                self.rest(&reached);
                return true;
            }
        }
        false
    }

    /// Prepares for a search.
    fn begin<'a>(
        &mut self,
        board: &Board,
        move_rules: &'a MoveRules,
        start: PathStart,
    ) -> &'a Graph {
        let graph = move_rules.graph(start.falling.piece);
        self.space.measure(board, graph);
        self.nodes = graph.nodes.len();
        self.layers.clear();
        self.start = Some(start);
        self.found = FoundPositions::default();
        self.certain = None;
        self.source = Source::Sets;
        graph
    }

    /// Lets the sets grow tick by tick until nothing changes, or enough has been found.
    fn grow(
        &mut self,
        move_rules: &MoveRules,
        graph: &Graph,
        start: PathStart,
        mut reached: Planes,
        mut is_enough: impl FnMut(&PathFinder) -> bool,
    ) {
        self.keep(&reached);
        if is_enough(self) {
            return;
        }
        let mut fresh = reached;
        let mut after_last_fall: Option<Box<Planes>> = None;
        let mut deadline = Deadline::new(start.patience(move_rules));
        self.mind(&mut deadline, &reached, 0);
        for tick in 1..=MAX_TICKS {
            let mut next: Planes = [[0; COLUMNS]; 8];
            self.press_all(move_rules, graph, &fresh, &mut next);
            let rows = move_rules.gravity.rows_in(start.age + tick as u32);
            if rows == 0 {
                let is_done = !self.add(&next, &mut reached, &mut fresh);
                if is_done && after_last_fall.is_none() {
                    break;
                }
            } else {
                self.add(&next, &mut reached, &mut fresh);
                if move_rules.locking == Locking::OnFall {
                    self.lock(&mut reached);
                }
                self.fall(&mut reached, rows);
                fresh = reached;
                let last = after_last_fall.get_or_insert_with(|| Box::new([[!0; COLUMNS]; 8]));
                if **last == reached {
                    break;
                }
                **last = reached;
            }
            self.keep(&reached);
            if is_enough(self) {
                return;
            }
            if after_last_fall.is_some() {
                self.rest(&reached);
            }
            self.mind(&mut deadline, &reached, tick);
        }
        self.rest(&reached);
    }

    /// Stores the positions found by the deadline.
    fn mind(&mut self, deadline: &mut Deadline, reached: &Planes, tick: usize) {
        let Some(patience) = deadline.patience.filter(|&patience| patience < MAX_TICKS) else {
            if deadline.patience.is_none() && tick == 0 {
                self.certain = Some(Box::default());
            }
            return;
        };
        let grounded = &self.space.grounded;
        let touches = |node: usize| {
            let columns = reached[node].iter().zip(&grounded[node % 4]);
            columns.fold(0, |all, (reached, grounded)| all | reached & grounded) != 0
        };
        if deadline.first_on_ground.is_none() && (0..self.nodes).any(touches) {
            deadline.first_on_ground = Some(tick);
        }
        if deadline
            .first_on_ground
            .is_some_and(|first| tick == first + patience)
        {
            self.rest(reached);
            self.certain = Some(Box::new(self.found.clone()));
        }
    }

    /// All positions that one input leads to.
    fn press_all(
        &mut self,
        move_rules: &MoveRules,
        graph: &Graph,
        from: &Planes,
        next: &mut Planes,
    ) {
        for node in 0..self.nodes {
            if is_empty(&from[node]) {
                continue;
            }
            self.step(move_rules, graph, node, &from[node], next);
            if move_rules.drop == DropKey::Sonic {
                self.drop_all(node, &from[node], &mut next[node]);
            }
        }
    }

    /// Adds positions to the known ones; returns the new ones, and whether there are any.
    fn add(&self, next: &Planes, reached: &mut Planes, fresh: &mut Planes) -> bool {
        let mut any = 0;
        for node in 0..self.nodes {
            let planes = next[node].iter().zip(&mut reached[node]);
            for ((next, reached), fresh) in planes.zip(&mut fresh[node]) {
                *fresh = next & !*reached;
                *reached |= next;
                any |= *fresh;
            }
        }
        any != 0
    }

    /// Stores the sets after a tick.
    fn keep(&mut self, reached: &Planes) {
        self.layers.extend_from_slice(&reached[..self.nodes]);
    }

    /// Records the positions on the ground.
    fn rest(&mut self, reached: &Planes) {
        for node in 0..self.nodes {
            let grounded = &self.space.grounded[node % 4];
            for ((resting, reached), grounded) in self.found.resting[node]
                .iter_mut()
                .zip(&reached[node])
                .zip(grounded)
            {
                *resting |= reached & grounded;
            }
        }
    }

    /// Locks the positions on the ground.
    fn lock(&mut self, reached: &mut Planes) {
        self.rest(reached);
        for node in 0..self.nodes {
            let grounded = &self.space.grounded[node % 4];
            for (reached, grounded) in reached[node].iter_mut().zip(grounded) {
                *reached &= !grounded;
            }
        }
    }

    /// Lets everything fall by at most this many rows.
    fn fall(&self, reached: &mut Planes, rows: u32) {
        for node in 0..self.nodes {
            let grounded = &self.space.grounded[node % 4];
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
        let (free, grounded) = (&self.space.free[node % 4], &self.space.grounded[node % 4]);
        for x in 0..self.space.width {
            let mut falling = from[x] & free[x];
            while falling & !grounded[x] != 0 {
                falling = (falling & grounded[x]) | (falling & !grounded[x]) >> 1;
            }
            next[x] |= falling;
        }
    }

    /// Adds all positions that a step to the side, a row down or a turn leads to.
    fn step(
        &mut self,
        move_rules: &MoveRules,
        graph: &Graph,
        node: usize,
        from: &Plane,
        next: &mut Planes,
    ) {
        let width = self.space.width;
        let free = &self.space.free[node % 4];
        let own = &mut next[node];
        for x in 0..width {
            own[x] |= (from[x] >> 1) & free[x];
        }
        for x in 1..width {
            own[x] |= from[x - 1] & free[x];
            own[x - 1] |= from[x] & free[x - 1];
        }
        for edge in &graph.nodes[node].edges {
            self.turn(move_rules, node, edge, from, next);
        }
    }

    /// Adds all positions that a turn leads to, and records them if the piece may spin.
    fn turn(
        &mut self,
        move_rules: &MoveRules,
        node: usize,
        edge: &TurnEdge,
        from: &Plane,
        next: &mut Planes,
    ) {
        let piece = self.start.map(|start| start.falling.piece);
        let is_tracked = piece.is_some_and(|piece| move_rules.may_spin(piece));
        let mut rest = *from;
        for (number, test) in edge.tests.iter().enumerate() {
            if is_tracked {
                let mut targets = [0; COLUMNS];
                self.try_test(node, test, &mut rest, &mut targets);
                let spun = if test.is_far {
                    &mut self.found.spun_by_far_kick[test.to]
                } else {
                    &mut self.found.spun[test.to]
                };
                for x in 0..COLUMNS {
                    next[test.to][x] |= targets[x];
                    spun[x] |= targets[x];
                }
            } else {
                self.try_test(node, test, &mut rest, &mut next[test.to]);
            }
            if is_empty(&rest) {
                return;
            }
            if number == 0 && edge.can_be_barred {
                self.take_out_barred(test, &mut rest);
            }
        }
    }

    /// Adds the positions that one test reaches, and removes their starting positions from the
    /// rest.
    fn try_test(&self, node: usize, test: &TurnTest, rest: &mut Plane, next: &mut Plane) {
        let width = self.space.width as i32;
        let (first, last) = ((-test.dx).max(0), (width - test.dx).min(width));
        if first >= last {
            return;
        }
        let own = first as usize..last as usize;
        let to = (first + test.dx) as usize..(last + test.dx) as usize;
        let free = &self.space.free[test.to % 4][to.clone()];
        if test.when != When::Always {
            return self.try_conditional(node, test, (own, to), rest, next);
        }
        let columns = rest[own].iter_mut().zip(&mut next[to]).zip(free);
        // Two loops, so that the direction is not checked for each column.
        if test.dy >= 0 {
            for ((rest, next), free) in columns {
                let fits = *rest << test.dy & free;
                *next |= fits;
                *rest &= !(fits >> test.dy);
            }
        } else {
            for ((rest, next), free) in columns {
                let fits = *rest >> -test.dy & free;
                *next |= fits;
                *rest &= !(fits << -test.dy);
            }
        }
    }

    /// Like [`Self::try_test`], for a conditional test.
    fn try_conditional(
        &self,
        node: usize,
        test: &TurnTest,
        (own, to): (Range<usize>, Range<usize>),
        rest: &mut Plane,
        next: &mut Plane,
    ) {
        for (x, to) in own.zip(to) {
            let condition = match test.when {
                When::Always => !0,
                When::Beside => self.space.beside(node % 4, x),
                When::OnGround => self.space.grounded[node % 4][x],
            };
            let tried = rest[x] & condition;
            let fits = shifted(tried, test.dy) & self.space.free[test.to % 4][to];
            next[to] |= fits;
            rest[x] &= !shifted(fits, -test.dy);
        }
    }

    /// Removes from the rest the positions in which Arika's middle-column rule forbids kicks.
    fn take_out_barred(&self, basic: &TurnTest, rest: &mut Plane) {
        let width = self.space.width as i32;
        let barred = &self.space.barred[basic.to % 4];
        for x in 0..width {
            let to = x + basic.dx;
            if (0..width).contains(&to) {
                rest[x as usize] &= !shifted(barred[to as usize], -basic.dy);
            }
        }
    }

    /// Lists the positions found.
    pub(super) fn list(
        &self,
        board: &Board,
        move_rules: &MoveRules,
        found: &FoundPositions,
        placements: &mut Vec<Placement>,
    ) {
        placements.clear();
        let Some(start) = self.start else { return };
        let piece = start.falling.piece;
        let graph = move_rules.graph(piece);
        for shape in piece.shapes() {
            let looks_alike = |node: &usize| graph.shapes[node % 4].rotation == shape.rotation;
            let alike = || (0..self.nodes).filter(looks_alike);
            for x in 0..self.space.width {
                let union = |planes: &Planes| alike().fold(0, |all, node| all | planes[node][x]);
                let rows = [&found.resting, &found.spun, &found.spun_by_far_kick].map(union);
                push_column(board, move_rules, (piece, shape, x), rows, placements);
            }
        }
    }
}
