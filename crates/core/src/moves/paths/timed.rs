//! The search under a short lock delay: positions together with the state of the lock timer.
//!
//! The set search of [`PathFinder`](super::PathFinder) assumes that a piece stays movable forever.
//! Where that is not certain, this search is used. It visits states one at a time: a position and a
//! [`LockTimer`]. Of two states of the same position, one whose timer is at least as good in every
//! respect dominates the other. [`Stepper`] computes the state after a tick, and whether it locks.
//!
//! Between two ticks in which gravity moves pieces, a state is expanded once, in the tick in which
//! it is first reached; a piece never waits and then moves, unless gravity moved pieces in the
//! meantime. The search ends when it has found all requested placements, or nothing new for a
//! while.

use super::MAX_TICKS;
use super::stepper::{Moving, Stepper, TickResult};
use crate::moves::{COLUMNS, DropKey, Input, LockTimer, Locking, Path};
use crate::placement::{Placement, Spin};

/// The search ends after this many ticks without a new result: more than a piece needs to reach the
/// bottom of a board.
const IDLE_TICKS: usize = 64;

/// No state, or no ending.
const NONE: u32 = u32::MAX;

/// The inputs that move a piece, including none.
const PRESSES: [Option<Input>; 8] = [
    None,
    Some(Input::Left),
    Some(Input::Right),
    Some(Input::Down),
    Some(Input::Drop),
    Some(Input::Clockwise),
    Some(Input::Counterclockwise),
    Some(Input::Half),
];

/// A piece after a tick.
#[derive(Clone, Copy, Debug)]
struct TimedState {
    moving: Moving,
    tick: usize,
    input: Option<Input>,
    /// The previous state, and another state of the same position.
    parent: u32,
    sibling: u32,
}

/// The end of a path: an input in a tick after a state, possibly followed by a key that locks the
/// piece.
#[derive(Clone, Copy, Debug)]
struct Ending {
    placement: Placement,
    state: u32,
    tick: usize,
    input: Option<Input>,
    lock: Option<Input>,
}

impl Ending {
    fn length(&self) -> usize {
        self.tick + usize::from(self.lock.is_some())
    }
}

/// The search. It is reused, so that few searches allocate memory.
#[derive(Clone, Debug, Default)]
pub(super) struct TimedSearch {
    states: Vec<TimedState>,
    /// For each position, the latest of its states since gravity last acted.
    heads: Vec<u32>,
    endings: Vec<Ending>,
    /// For each placement, its ending.
    ending_of: Vec<u32>,
    /// Whether the current tick has found a new placement or a better spin, and the last tick that
    /// did.
    has_news: bool,
    last_news: usize,
    /// Positions and timers after the last move by gravity.
    after_last_fall: Vec<(usize, LockTimer)>,
}

fn position(moving: &Moving) -> usize {
    (moving.spot.node * COLUMNS + moving.spot.x as usize) * 64 + moving.spot.y as usize
}

fn place(placement: Placement) -> usize {
    let column = placement.shape().rotation as usize * COLUMNS + usize::from(placement.x);
    column * 64 + usize::from(placement.y)
}

impl TimedSearch {
    /// Finds the given placements that can be reached before the piece locks elsewhere.
    pub(super) fn search(&mut self, stepper: &Stepper<'_>, wanted: &[Placement]) {
        self.states.clear();
        self.endings.clear();
        self.after_last_fall.clear();
        (self.has_news, self.last_news) = (false, 0);
        self.heads.clear();
        self.heads.resize(8 * COLUMNS * 64, NONE);
        self.ending_of.clear();
        self.ending_of.resize(4 * COLUMNS * 64, NONE);
        let beginning = stepper.beginning();
        if !stepper.space.is_free(beginning.spot) {
            return;
        }
        self.add(stepper, beginning, 0, None, NONE);
        // The states since the last move by gravity, and those still to be expanded.
        let (mut first, mut fresh) = (0, 0);
        for tick in 1..=MAX_TICKS {
            if std::mem::take(&mut self.has_news) {
                self.last_news = tick;
                if self.has_all(wanted) {
                    return;
                }
            } else if !self.endings.is_empty() && tick > self.last_news + IDLE_TICKS {
                return;
            }
            let rows = stepper.rows_in(tick);
            let end = self.states.len();
            if rows == 0 {
                for number in fresh..end {
                    let moving = self.states[number].moving;
                    self.expand(stepper, number, moving, (tick, 0), &PRESSES[1..]);
                }
                fresh = end;
                if fresh == self.states.len() && stepper.move_rules.gravity.rows == 0 {
                    return;
                }
                continue;
            }
            for state in &self.states[first..end] {
                self.heads[position(&state.moving)] = NONE;
            }
            for number in first..end {
                if let Some(moving) = waited(stepper, &self.states[number], tick - 1) {
                    self.expand(stepper, number, moving, (tick, rows), &PRESSES);
                }
            }
            (first, fresh) = (end, end);
            if first == self.states.len() || self.is_as_after_last_fall(first) {
                return;
            }
        }
    }

    /// Whether all these placements were found.
    fn has_all(&self, wanted: &[Placement]) -> bool {
        wanted.iter().all(|&wanted| {
            let number = self.ending_of[place(wanted)] as usize;
            let ending = self.endings.get(number);
            ending.is_some_and(|ending| ending.placement.spin >= wanted.spin)
        })
    }

    /// Whether the states from this one on equal those after the previous move by gravity.
    fn is_as_after_last_fall(&mut self, first: usize) -> bool {
        let states = self.states[first..].iter();
        let key = |state: &TimedState| (position(&state.moving), state.moving.timer);
        let mut now: Vec<_> = states.map(key).collect();
        now.sort_unstable();
        let is_same = now == self.after_last_fall;
        self.after_last_fall = now;
        is_same
    }

    /// Expands a state with all inputs.
    fn expand(
        &mut self,
        stepper: &Stepper<'_>,
        number: usize,
        moving: Moving,
        (tick, rows): (usize, u32),
        inputs: &[Option<Input>],
    ) {
        for &input in inputs {
            if input == Some(Input::Drop) && stepper.move_rules.drop != DropKey::Sonic {
                continue;
            }
            match stepper.tick(moving, input, rows) {
                None => {}
                Some(TickResult::Moves(moved)) => {
                    self.add(stepper, moved, tick, input, number as u32);
                }
                Some(TickResult::Locks(locked)) => self.note(Ending {
                    placement: stepper.placement(locked),
                    state: number as u32,
                    tick,
                    input,
                    lock: None,
                }),
            }
        }
    }

    /// Adds a state unless an existing one is at least as good, and records the resulting
    /// placement.
    fn add(
        &mut self,
        stepper: &Stepper<'_>,
        moving: Moving,
        tick: usize,
        input: Option<Input>,
        parent: u32,
    ) {
        if moving.spin != Spin::None {
            self.end(stepper, moving, (parent, tick, input));
        }
        let place = position(&moving);
        let mut other = self.heads[place];
        while other != NONE {
            let state = &self.states[other as usize];
            if state.moving.timer.is_as_good_as(moving.timer) {
                return;
            }
            other = state.sibling;
        }
        let number = self.states.len() as u32;
        let moving = Moving {
            spin: Spin::None,
            ..moving
        };
        self.states.push(TimedState {
            moving,
            tick,
            input,
            parent,
            sibling: self.heads[place],
        });
        self.heads[place] = number;
        self.end(stepper, moving, (number, tick, None));
    }

    /// Records the placement of a piece that locks as soon as it can.
    fn end(
        &mut self,
        stepper: &Stepper<'_>,
        moving: Moving,
        (state, tick, input): (u32, usize, Option<Input>),
    ) {
        let move_rules = stepper.move_rules;
        let (moving, lock) = match (move_rules.drop, move_rules.locking) {
            (DropKey::Hard, _) => {
                let spot = stepper.space.fallen(moving.spot, u32::MAX);
                (Moving { spot, ..moving }, Some(Input::Drop))
            }
            _ if !stepper.space.is_grounded(moving.spot) => return,
            (_, Locking::Delay) => (moving, None),
            _ => (moving, Some(Input::Down)),
        };
        self.note(Ending {
            placement: stepper.placement(moving),
            state,
            tick,
            input,
            lock,
        });
    }

    /// Keeps the best spin of a placement, and the shortest path to it.
    fn note(&mut self, ending: Ending) {
        let number = &mut self.ending_of[place(ending.placement)];
        if *number == NONE {
            *number = self.endings.len() as u32;
            self.endings.push(ending);
            self.has_news = true;
            return;
        }
        let best = &mut self.endings[*number as usize];
        let (spin, length) = (ending.placement.spin, ending.length());
        if (spin, best.length()) > (best.placement.spin, length) {
            self.has_news |= spin > best.placement.spin;
            *best = ending;
        }
    }

    /// All placements, in the order of [`super::PathFinder::placements`].
    pub(super) fn placements(&self, placements: &mut Vec<Placement>) {
        placements.clear();
        placements.extend(self.endings.iter().map(|ending| ending.placement));
        placements.sort_unstable_by_key(|place| {
            let shapes = place.piece.shapes().iter();
            let number = shapes.take_while(|shape| shape.rotation != place.rotation);
            (number.count(), place.x, u8::MAX - place.y)
        });
    }

    /// A shortest path to a placement; `None` if it was not reached.
    pub(super) fn path(&self, placement: Placement) -> Option<Path> {
        let number = *self.ending_of.get(place(placement))?;
        let ending = self.endings.get(number as usize)?;
        if ending.placement.spin != placement.spin {
            return None;
        }
        let mut inputs = vec![None; ending.tick];
        if ending.input.is_some() {
            inputs[ending.tick - 1] = ending.input;
        }
        let mut number = ending.state;
        while let Some(state) = self.states.get(number as usize) {
            if state.input.is_some() {
                inputs[state.tick - 1] = state.input;
            }
            number = state.parent;
        }
        if ending.lock.is_some() {
            inputs.push(ending.lock);
        }
        Some(Path(inputs))
    }
}

/// A state after waiting until this tick; `None` if it has locked.
fn waited(stepper: &Stepper<'_>, state: &TimedState, tick: usize) -> Option<Moving> {
    let mut moving = state.moving;
    if stepper.space.is_grounded(moving.spot) {
        for _ in state.tick..tick {
            if moving.timer.lies(stepper.move_rules.lock) {
                return None;
            }
        }
    }
    Some(moving)
}
