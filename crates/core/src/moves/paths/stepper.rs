//! One tick of a falling piece with its lock delay: the rules of a stepped game, without the game.

use super::free_space::{FreeSpace, Spot};
use super::graph::Graph;
use super::{PathFinder, PathStart};
use crate::board::Board;
use crate::moves::{DropKey, Input, LockTimer, Locking, MoveRules, Path};
use crate::placement::{Placement, Spin};
use crate::rotation::{ALL_ROTATIONS, Falling, Turn};

/// A falling piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moving {
    pub(super) spot: Spot,
    pub(super) timer: LockTimer,
    /// The spin if the piece locks here; only defined on the ground.
    pub(super) spin: Spin,
}

/// The result of one tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TickResult {
    /// The piece can still be moved.
    Moves(Moving),
    /// The piece has locked.
    Locks(Moving),
}

/// Everything that determines the result of a tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stepper<'a> {
    pub(super) board: &'a Board,
    pub(super) space: &'a FreeSpace,
    pub(super) move_rules: &'a MoveRules,
    pub(super) graph: &'a Graph,
    pub(super) start: PathStart,
}

impl Stepper<'_> {
    /// The piece at the start of the search.
    pub(super) fn beginning(&self) -> Moving {
        let falling = self.start.falling;
        let has_kicked = self.start.floor_kicked && self.graph.nodes.len() > 4;
        Moving {
            spot: Spot {
                node: falling.rotation as usize + 4 * usize::from(has_kicked),
                x: i32::from(falling.x),
                y: i32::from(falling.y),
            },
            timer: self.start.timer,
            spin: Spin::None,
        }
    }

    /// Number of rows that a piece falls in a tick of the search.
    pub(super) fn rows_in(&self, tick: usize) -> u32 {
        self.move_rules
            .gravity
            .rows_in(self.start.age + tick as u32)
    }

    /// Plays one tick with this input; `None` if the input has no effect.
    pub(super) fn tick(
        &self,
        before: Moving,
        input: Option<Input>,
        rows: u32,
    ) -> Option<TickResult> {
        let mut moving = before;
        if let Some(input) = input {
            match self.press(&mut moving, input) {
                None => return None,
                Some(true) => return Some(TickResult::Locks(moving)),
                Some(false) => {}
            }
        }
        Some(self.end_tick(moving, rows))
    }

    /// Applies a key; returns whether it locks the piece, or `None` if it has no effect.
    fn press(&self, moving: &mut Moving, input: Input) -> Option<bool> {
        match input {
            Input::Left => self.shift(moving, -1)?,
            Input::Right => self.shift(moving, 1)?,
            Input::Clockwise => self.turn(moving, Turn::Clockwise)?,
            Input::Counterclockwise => self.turn(moving, Turn::Counterclockwise)?,
            Input::Half => self.turn(moving, Turn::Half)?,
            Input::Drop if self.move_rules.drop == DropKey::Hard => {
                self.fall(moving, u32::MAX);
                return Some(true);
            }
            Input::Down if self.space.is_grounded(moving.spot) => {
                return (self.move_rules.locking != Locking::Delay).then_some(true);
            }
            Input::Down => self.fall(moving, 1),
            Input::Drop if self.move_rules.drop == DropKey::Sonic => self.fall(moving, u32::MAX),
            Input::Drop | Input::Hold => return None,
        }
        Some(false)
    }

    /// Moves the piece to the side.
    fn shift(&self, moving: &mut Moving, dx: i32) -> Option<()> {
        let mut to = moving.spot;
        to.x += dx;
        self.space.is_free(to).then_some(())?;
        self.moved(moving, to);
        moving.spin = Spin::None;
        Some(())
    }

    /// Turns the piece.
    fn turn(&self, moving: &mut Moving, turn: Turn) -> Option<()> {
        let edges = &self.graph.nodes[moving.spot.node].edges;
        let edge = edges.iter().find(|edge| edge.turn == turn)?;
        let number = self.space.first_test(edge, moving.spot)?;
        let test = &edge.tests[number];
        self.moved(moving, test.target(moving.spot));
        moving.spin = Spin::None;
        if self.space.is_grounded(moving.spot) {
            let falling = self.falling(moving.spot);
            moving.spin = self.move_rules.spin(self.board, falling, test.is_far);
        }
        Some(())
    }

    /// Handles a shift or a turn that brought the piece to another position.
    fn moved(&self, moving: &mut Moving, to: Spot) {
        let was_grounded = self.space.is_grounded(moving.spot);
        let timer = &mut moving.timer;
        timer.moved(self.move_rules.lock, was_grounded, to.y as i8);
        moving.spot = to;
    }

    /// Lets the piece fall by at most this many rows.
    fn fall(&self, moving: &mut Moving, rows: u32) {
        let to = self.space.fallen(moving.spot, rows);
        if to != moving.spot {
            moving.timer.fell_to(to.y as i8);
            moving.spin = Spin::None;
            moving.spot = to;
        }
    }

    /// Applies gravity and the lock delay.
    fn end_tick(&self, mut moving: Moving, rows: u32) -> TickResult {
        let is_grounded = |moving: &Moving| self.space.is_grounded(moving.spot);
        if rows > 0 && self.move_rules.locking == Locking::OnFall && is_grounded(&moving) {
            return TickResult::Locks(moving);
        }
        self.fall(&mut moving, rows);
        if is_grounded(&moving) && moving.timer.lies(self.move_rules.lock) {
            return TickResult::Locks(moving);
        }
        TickResult::Moves(moving)
    }

    /// The piece at a position.
    fn falling(&self, at: Spot) -> Falling {
        Falling {
            x: at.x as i8,
            y: at.y as i8,
            rotation: ALL_ROTATIONS[at.node % 4],
            ..self.start.falling
        }
    }

    /// The placement of a piece that locks here.
    pub(super) fn placement(&self, moving: Moving) -> Placement {
        Placement {
            spin: moving.spin,
            ..self.falling(moving.spot).placement()
        }
    }

    /// The placement at the end of a path, after which the piece waits until it locks; `None` if
    /// the path ends in the air.
    pub(super) fn walk(&self, path: &Path) -> Option<Placement> {
        let mut moving = self.beginning();
        for (index, input) in path.ticks().enumerate() {
            let rows = self.rows_in(index + 1);
            let ticked = self.tick(moving, input, rows);
            match ticked.or_else(|| self.tick(moving, None, rows))? {
                TickResult::Locks(moving) => return Some(self.placement(moving)),
                TickResult::Moves(moved) => moving = moved,
            }
        }
        let rests = self.space.is_grounded(moving.spot);
        rests.then(|| self.placement(moving))
    }
}

impl PathFinder {
    /// The rules on the board of the last search.
    pub(super) fn stepper<'a>(
        &'a self,
        board: &'a Board,
        move_rules: &'a MoveRules,
        start: PathStart,
    ) -> Stepper<'a> {
        Stepper {
            board,
            space: &self.space,
            move_rules,
            graph: move_rules.graph(start.falling.piece),
            start,
        }
    }
}
