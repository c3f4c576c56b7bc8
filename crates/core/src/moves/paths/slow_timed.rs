//! A slow reference implementation of the search under a lock delay: every position with every
//! timer state.

use super::slow::{Places, Position, Slow, falling, position};
use super::{MAX_TICKS, PathStart};
use crate::moves::{Input, LockTimer};
use crate::placement::Spin;
use std::collections::BTreeSet;

/// All placements before the piece locks by itself. Exact if gravity never acts, or acts in every
/// tick.
pub(super) fn search(mut slow: Slow<'_>, start: PathStart) -> Places {
    if !start.falling.fits(slow.board) {
        return slow.placements;
    }
    let has_gravity = slow.move_rules.gravity.rows > 0;
    let first = (position(start.falling, start.floor_kicked), start.timer);
    let mut reached = BTreeSet::from([first]);
    let mut seen = reached.clone();
    for tick in 1..=MAX_TICKS + 1 {
        reached
            .iter()
            .for_each(|&(at, _)| slow.finish(start, at, tick - 1));
        let mut next = tick_of_all(&mut slow, start, &reached, tick);
        if !has_gravity {
            next.retain(|state| seen.insert(*state));
        }
        if next == reached || next.is_empty() {
            break;
        }
        reached = next;
    }
    slow.placements
}

/// The states after a tick.
fn tick_of_all(
    slow: &mut Slow<'_>,
    start: PathStart,
    reached: &BTreeSet<(Position, LockTimer)>,
    tick: usize,
) -> BTreeSet<(Position, LockTimer)> {
    let (board, move_rules) = (slow.board, slow.move_rules);
    let rows = move_rules.gravity.rows_in(start.age + tick as u32);
    let mut next = BTreeSet::new();
    for &(at, timer) in reached {
        let before = falling(start, at);
        let was_grounded = before.is_grounded(board);
        for input in Slow::INPUTS {
            let Some((moved, kicked, far_kick)) = slow.press(before, at.3, input) else {
                continue;
            };
            let mut timer = timer;
            match input {
                None => {}
                Some(Input::Down | Input::Drop) if moved == before => {}
                Some(Input::Down | Input::Drop) => timer.fell_to(moved.y),
                Some(_) => timer.moved(move_rules.lock, was_grounded, moved.y),
            }
            let fallen = moved.fallen(board, rows);
            if fallen != moved {
                timer.fell_to(fallen.y);
            }
            let lies = fallen.is_grounded(board);
            let spin = match far_kick {
                Some(far_kick) if lies && fallen == moved => {
                    move_rules.spin(board, moved, far_kick)
                }
                _ => Spin::None,
            };
            if lies && timer.lies(move_rules.lock) {
                slow.note(fallen, spin, tick);
                continue;
            }
            if spin != Spin::None {
                slow.note(fallen, spin, tick + usize::from(slow.has_lock_key()));
            }
            next.insert((position(fallen, kicked), timer));
        }
    }
    next
}
