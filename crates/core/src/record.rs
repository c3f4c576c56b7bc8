//! Records: a game as it was played, and the game again from its record.

use crate::board::Board;
use crate::game::{Game, PlacementError, Status};
use crate::piece::{Piece, Rotation};
use crate::placement::Placement;
use crate::ruleset::Ruleset;
use std::fmt;
use std::str::FromStr;

/// A game as it was played. With the ruleset's spec and the seed the placements give back every board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The spec of the ruleset.
    pub ruleset: String,
    /// The seed of the pieces.
    pub seed: u64,
    /// The player, by name or spec.
    pub player: String,
    /// Every placement, in order.
    pub placements: Vec<Placement>,
    /// Where the game stood at the end; [`Status::Playing`] when it was cut off.
    pub status: Status,
    /// Lines cleared.
    pub lines: u64,
    /// Pieces placed, the one that ended the game included.
    pub pieces: u64,
    /// The thesis' line points.
    pub line_points: u64,
}

impl GameRecord {
    /// The record of a game that was played with these placements.
    #[must_use]
    pub fn new(
        ruleset: &Ruleset,
        seed: u64,
        player: &str,
        placements: Vec<Placement>,
        game: &Game,
    ) -> GameRecord {
        GameRecord {
            ruleset: ruleset.name.clone(),
            seed,
            player: player.to_owned(),
            placements,
            status: game.status(),
            lines: game.lines(),
            pieces: game.pieces(),
            line_points: game.line_points(),
        }
    }
}

/// Why a record cannot be played again: the number of the placement, the first being 1, and what is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("placement {number}: {problem}")]
pub struct ReplayError {
    /// Which placement, the first being 1.
    pub number: usize,
    /// Why the rules forbid it.
    pub problem: PlacementError,
}

/// Plays a recorded game again, every placement checked; the game after the last one.
///
/// # Errors
/// Names the first placement that the rules do not allow.
pub fn replay(ruleset: &Ruleset, seed: u64, placements: &[Placement]) -> Result<Game, ReplayError> {
    let mut game = Game::new(ruleset, seed);
    for (index, &placement) in placements.iter().enumerate() {
        apply(&mut game, index, placement)?;
    }
    Ok(game)
}

/// Plays a game again from the short texts of a file; the game after the last one, and the placements in full.
///
/// # Errors
/// Names the first placement that the rules do not allow.
pub fn replay_short(
    ruleset: &Ruleset,
    seed: u64,
    shorts: &[ShortPlacement],
) -> Result<(Game, Vec<Placement>), ReplayError> {
    let mut game = Game::new(ruleset, seed);
    let mut placements = Vec::with_capacity(shorts.len());
    for (index, short) in shorts.iter().enumerate() {
        let placement = short.on(game.board()).ok_or(ReplayError {
            number: index + 1,
            problem: PlacementError::Outside(short.x),
        })?;
        apply(&mut game, index, placement)?;
        placements.push(placement);
    }
    Ok((game, placements))
}

fn apply(game: &mut Game, index: usize, placement: Placement) -> Result<(), ReplayError> {
    let number = index + 1;
    game.check(placement)
        .map_err(|problem| ReplayError { number, problem })?;
    game.apply(placement);
    Ok(())
}

/// A placement as files hold it: piece, rotation and leftmost column; the row follows from dropping the piece.
///
/// Written as the piece's letter, the first letter of the rotation and the column counted from 0: `Te3` is a T turned
/// east whose left edge is in the fourth column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShortPlacement {
    /// Which piece.
    pub piece: Piece,
    /// Which way it is turned; of rotations that look alike the first.
    pub rotation: Rotation,
    /// Leftmost column of the bounding box.
    pub x: u8,
}

impl ShortPlacement {
    /// The whole placement on a board, or `None` when the piece would stick out at the side.
    #[must_use]
    pub fn on(&self, board: &Board) -> Option<Placement> {
        let shape = self.piece.shape(self.rotation);
        let x = usize::from(self.x);
        (x + shape.width <= board.width()).then(|| Placement {
            piece: self.piece,
            rotation: shape.rotation,
            x: self.x,
            y: board.resting_row(shape, x) as u8,
        })
    }
}

impl From<Placement> for ShortPlacement {
    fn from(placement: Placement) -> ShortPlacement {
        ShortPlacement {
            piece: placement.piece,
            rotation: placement.shape().rotation,
            x: placement.x,
        }
    }
}

impl fmt::Display for ShortPlacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rotation = &self.rotation.name()[..1];
        write!(f, "{}{rotation}{}", self.piece, self.x)
    }
}

/// A text that is not a placement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a placement like Te3: a piece (I O T Z S J L), a rotation (n e s w), a column from 0"
)]
pub struct ShortPlacementError(String);

impl FromStr for ShortPlacement {
    type Err = ShortPlacementError;

    fn from_str(text: &str) -> Result<ShortPlacement, ShortPlacementError> {
        parse(text).ok_or_else(|| ShortPlacementError(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<ShortPlacement> {
    let mut letters = text.chars();
    let piece = letters.next().and_then(Piece::from_letter)?;
    let rotation = match letters.next()? {
        'n' => Rotation::North,
        'e' => Rotation::East,
        's' => Rotation::South,
        'w' => Rotation::West,
        _ => return None,
    };
    let column = letters.as_str();
    let x: u8 = column.parse().ok()?;
    let short = ShortPlacement {
        piece,
        rotation: piece.shape(rotation).rotation,
        x,
    };
    // No signs and no leading zeros.
    (x.to_string() == column).then_some(short)
}

#[cfg(test)]
mod tests;
