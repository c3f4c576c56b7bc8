//! The plan for a piece, and how its movement is shown.

use std::collections::VecDeque;
use tetrolab_core::board::Board;
use tetrolab_core::game::Game;
use tetrolab_core::moves::{Input, Path, drop_in};
use tetrolab_core::piece::{Piece, Rotation};
use tetrolab_core::placement::{Placement, Spin};
use tetrolab_core::rotation::{Falling, Turn};
use tetrolab_core::stepped::Inputs;

/// Number of ticks for which the piece of a placement game is shown before it drops: five pieces
/// per second.
pub(super) const DROP_TICKS: u16 = 12;
/// The tick in which the piece moves above its placement, and the tick in which it starts to fall.
const MOVES: u16 = 4;
const FALLS: u16 = 7;

/// The bot's or the record's plan for the piece.
#[derive(Clone, Debug)]
pub(super) enum Plan {
    /// A drop; the number of ticks so far.
    Drop { placement: Placement, ticks: u16 },
    /// The inputs of the coming ticks.
    Path(VecDeque<Option<Input>>),
}

impl Plan {
    pub(super) fn drop(placement: Placement) -> Plan {
        Plan::Drop {
            placement,
            ticks: 0,
        }
    }

    /// Plans to drop a piece from its position if no path is known.
    pub(super) fn path(path: Option<Path>) -> Plan {
        let path = path.unwrap_or_else(|| Path(vec![Some(Input::Drop), Some(Input::Down)]));
        Plan::Path(path.0.into())
    }

    /// The inputs of the next tick.
    pub(super) fn next_input(&mut self) -> Inputs {
        match self {
            Plan::Drop { .. } => Inputs::NONE,
            Plan::Path(inputs) => inputs.pop_front().flatten().into(),
        }
    }
}

/// The piece of a placement game above the board, in the middle or above its placement.
pub(super) fn hovering(game: &Game, above: Option<Placement>) -> Falling {
    let (piece, rotation) = match above {
        Some(placement) => (placement.piece, placement.rotation),
        None => (game.view().piece, Rotation::North),
    };
    let shape = piece.shape(rotation);
    let middle = (game.board().width() - shape.width) / 2;
    Falling {
        piece,
        rotation: shape.rotation,
        x: above.map_or(middle as i8, |placement| placement.x as i8),
        y: (game.board().height() - shape.height) as i8,
    }
}

/// The piece of a placement game after this many ticks.
pub(super) fn on_the_way(game: &Game, placement: Placement, ticks: u16) -> Falling {
    if ticks < MOVES {
        return hovering(game, None);
    }
    let above = hovering(game, Some(placement));
    let fallen = i32::from(ticks.saturating_sub(FALLS));
    let rows = i32::from(above.y) - i32::from(placement.y);
    let all = i32::from(DROP_TICKS - FALLS);
    above.moved(0, -(rows * fallen / all) as i8)
}

/// The piece of a placement game after these inputs: moved, or turned about its middle.
pub(super) fn moved(game: &Game, aim: Falling, pressed: Inputs) -> Falling {
    let width = game.board().width() as i8;
    let turns = [
        (Input::Clockwise, Turn::Clockwise),
        (Input::Counterclockwise, Turn::Counterclockwise),
        (Input::Half, Turn::Half),
    ];
    let mut aim = aim;
    for (_, turn) in turns.into_iter().filter(|(input, _)| pressed.has(*input)) {
        let before = aim.shape();
        let after = turned(aim.piece, aim.rotation, turn);
        let shape = aim.piece.shape(after);
        aim.x += (before.width as i8 - shape.width as i8) / 2;
        aim.rotation = after;
        aim.y = (game.board().height() - shape.height) as i8;
    }
    let step = i8::from(pressed.has(Input::Right)) - i8::from(pressed.has(Input::Left));
    let far = if pressed.slide { width } else { 1 };
    aim.x = (aim.x + step * far).clamp(0, width - aim.shape().width as i8);
    aim
}

/// The next rotation that looks different.
fn turned(piece: Piece, rotation: Rotation, turn: Turn) -> Rotation {
    let shape = piece.shape(rotation);
    let next = turn.of(rotation);
    if piece.shape(next) == shape {
        rotation
    } else {
        piece.shape(next).rotation
    }
}

/// The placement of a piece that drops from here.
pub(super) fn dropped(board: &Board, aim: Falling) -> Placement {
    let x = aim.x.max(0) as u8;
    drop_in(board, aim.piece, aim.rotation, x).unwrap_or(Placement {
        spin: Spin::None,
        ..aim.placement()
    })
}
