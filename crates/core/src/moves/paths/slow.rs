//! A slow reference implementation of the path finder: one position at a time, using the rules of
//! the rotation systems directly.

use super::{MAX_TICKS, PathStart};
use crate::board::Board;
use crate::moves::{DropKey, Input, Locking, MoveRules};
use crate::placement::{Placement, Spin};
use crate::rotation::{Falling, Turn};
use std::collections::{BTreeMap, BTreeSet};

/// A position: rotation, column, row, floor kick. It is ordered, so that sets can be compared.
pub(super) type Position = (u8, i8, i8, bool);

/// The placements with the lengths of shortest paths, by rotation, column and row.
pub(super) type Places = BTreeMap<(u8, u8, u8), (Spin, usize)>;

pub(super) struct Slow<'a> {
    pub(super) board: &'a Board,
    pub(super) move_rules: &'a MoveRules,
    pub(super) placements: Places,
}

impl Slow<'_> {
    /// All inputs of a path, including none.
    pub(super) const INPUTS: [Option<Input>; 8] = [
        None,
        Some(Input::Left),
        Some(Input::Right),
        Some(Input::Down),
        Some(Input::Drop),
        Some(Input::Clockwise),
        Some(Input::Counterclockwise),
        Some(Input::Half),
    ];

    /// All placements.
    pub(super) fn search(mut self, start: PathStart) -> Places {
        if !start.falling.fits(self.board) {
            return self.placements;
        }
        let mut reached = BTreeSet::from([position(start.falling, start.floor_kicked)]);
        let mut after_last_fall = None;
        for tick in 1..=MAX_TICKS + 1 {
            reached
                .iter()
                .for_each(|&at| self.finish(start, at, tick - 1));
            if tick > MAX_TICKS {
                break;
            }
            let rows = self.move_rules.gravity.rows_in(start.age + tick as u32);
            let next = self.tick(start, &reached, tick, rows);
            let is_same = next == reached;
            reached = next;
            if rows > 0 && after_last_fall.replace(reached.clone()) == Some(reached.clone()) {
                break;
            }
            if rows == 0 && is_same && after_last_fall.is_none() {
                break;
            }
        }
        self.placements
    }

    /// The positions after a tick.
    fn tick(
        &mut self,
        start: PathStart,
        reached: &BTreeSet<Position>,
        tick: usize,
        rows: u32,
    ) -> BTreeSet<Position> {
        let mut next = BTreeSet::new();
        for &at in reached {
            let falling = falling(start, at);
            for input in Slow::INPUTS {
                let Some((moved, floor_kicked, far_kick)) = self.press(falling, at.3, input) else {
                    continue;
                };
                let locks = self.move_rules.locking == Locking::OnFall && rows > 0;
                let lies = moved.is_grounded(self.board);
                if let (true, Some(far_kick)) = (lies, far_kick) {
                    let spin = self.move_rules.spin(self.board, moved, far_kick);
                    let presses = usize::from(!locks && self.has_lock_key());
                    self.note(moved, spin, tick + presses);
                }
                if lies && locks {
                    self.note(moved, Spin::None, tick);
                } else {
                    next.insert(position(moved.fallen(self.board, rows), floor_kicked));
                }
            }
        }
        next
    }

    /// The position after an input, and for a turn whether it used a far kick.
    pub(super) fn press(
        &self,
        falling: Falling,
        kicked: bool,
        input: Option<Input>,
    ) -> Option<(Falling, bool, Option<bool>)> {
        let moved = |dx, dy| Some(falling.moved(dx, dy)).filter(|moved| moved.fits(self.board));
        let turn = |turn| {
            let turned = self
                .move_rules
                .system
                .turn(self.board, falling, turn, kicked)?;
            Some((
                turned.falling,
                kicked || turned.floor_kick,
                Some(turned.far_kick),
            ))
        };
        let falling = match input {
            None => falling,
            Some(Input::Left) => moved(-1, 0)?,
            Some(Input::Right) => moved(1, 0)?,
            Some(Input::Down) => moved(0, -1)?,
            Some(Input::Drop) if self.move_rules.drop == DropKey::Sonic => {
                falling.fallen(self.board, 64)
            }
            Some(Input::Clockwise) => return turn(Turn::Clockwise),
            Some(Input::Counterclockwise) => return turn(Turn::Counterclockwise),
            Some(Input::Half) => return turn(Turn::Half),
            Some(_) => return None,
        };
        Some((falling, kicked, None))
    }

    pub(super) fn has_lock_key(&self) -> bool {
        self.move_rules.drop == DropKey::Hard || self.move_rules.locking != Locking::Delay
    }

    /// Records where the piece can lock with one more input.
    pub(super) fn finish(&mut self, start: PathStart, at: Position, ticks: usize) {
        let falling = falling(start, at);
        let length = ticks + usize::from(self.has_lock_key());
        if self.move_rules.drop == DropKey::Hard {
            self.note(falling.fallen(self.board, 64), Spin::None, length);
        } else if falling.is_grounded(self.board) {
            self.note(falling, Spin::None, length);
        }
    }

    /// Keeps the best spin of a placement and its shortest path.
    pub(super) fn note(&mut self, falling: Falling, spin: Spin, length: usize) {
        let Placement { rotation, x, y, .. } = falling.placement();
        let best = self
            .placements
            .entry((rotation as u8, x, y))
            .or_insert((spin, length));
        if (spin, best.1) > (best.0, length) {
            *best = (spin, length);
        }
    }
}

pub(super) fn position(falling: Falling, floor_kicked: bool) -> Position {
    (falling.rotation as u8, falling.x, falling.y, floor_kicked)
}

pub(super) fn falling(start: PathStart, at: Position) -> Falling {
    Falling {
        piece: start.falling.piece,
        rotation: crate::rotation::ALL_ROTATIONS[usize::from(at.0)],
        x: at.1,
        y: at.2,
    }
}
