//! Where a piece is meant to go, and how it is shown on the way.

use std::collections::VecDeque;
use tetrolab::core::board::Board;
use tetrolab::core::game::Game;
use tetrolab::core::moves::{Input, Path, drop_in};
use tetrolab::core::piece::{Piece, Rotation};
use tetrolab::core::placement::{Placement, Spin};
use tetrolab::core::rotation::{Falling, Turn};
use tetrolab::core::stepped::Inputs;

/// For how many ticks the piece of a placement game is shown before it lies: five pieces a second at normal speed.
pub(crate) const DROP_TICKS: u16 = 12;
/// For how many of them it stands where it came in, and then above its place.
const STANDS: u16 = 4;
const HOVERS: u16 = 7;

/// What somebody has in mind for the piece.
#[derive(Clone, Debug)]
pub(super) enum Plan {
    /// It drops; shown for so many ticks so far.
    Drop { placement: Placement, ticks: u16 },
    /// The inputs of the ticks to come.
    Path(VecDeque<Option<Input>>),
}

impl Plan {
    pub(super) fn drop(placement: Placement) -> Plan {
        Plan::Drop {
            placement,
            ticks: 0,
        }
    }

    /// A piece for which no path is known is dropped where it is.
    pub(super) fn path(path: Option<Path>) -> Plan {
        let path = path.unwrap_or_else(|| Path(vec![Some(Input::Drop), Some(Input::Down)]));
        Plan::Path(path.0.into())
    }

    /// What is pressed in the next tick.
    pub(super) fn next_input(&mut self) -> Inputs {
        match self {
            Plan::Drop { .. } => Inputs::NONE,
            Plan::Path(inputs) => inputs.pop_front().flatten().into(),
        }
    }
}

/// The piece of a placement game above the board, in the middle or above its place; its upper edge is the board's.
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

/// Where the piece of a placement game is shown after so many ticks.
pub(super) fn on_the_way(game: &Game, placement: Placement, ticks: u16) -> Falling {
    if ticks < STANDS {
        return hovering(game, None);
    }
    let above = hovering(game, Some(placement));
    let fallen = i32::from(ticks.saturating_sub(HOVERS));
    let rows = i32::from(above.y) - i32::from(placement.y);
    let all = i32::from(DROP_TICKS - HOVERS);
    above.moved(0, -(rows * fallen / all) as i8)
}

/// The piece of a placement game after these inputs: to the side, or turned about its middle, inside the board.
pub(super) fn steered(game: &Game, aim: Falling, pressed: Inputs) -> Falling {
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
    match piece.shape(next) == shape {
        true => rotation,
        false => piece.shape(next).rotation,
    }
}

/// Where a piece comes to rest that drops from here.
pub(super) fn dropped(board: &Board, aim: Falling) -> Placement {
    let x = aim.x.max(0) as u8;
    drop_in(board, aim.piece, aim.rotation, x).unwrap_or(Placement {
        spin: Spin::None,
        ..aim.placement()
    })
}
