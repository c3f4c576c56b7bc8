//! Records of games, and their replay.

mod inputs;

pub use inputs::{InputLog, InputLogError};

use crate::board::Board;
use crate::game::{Game, PlacementError, Status};
use crate::moves::{MoveError, drop_in};
use crate::piece::{Piece, Rotation};
use crate::placement::{Placement, Spin};
use crate::rotation::ALL_ROTATIONS;
use crate::ruleset::{Ruleset, RulesetParts};
use crate::stepped::{Inputs, SteppedGame};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// A game as it was played: rules, seed and placements, which determine every board. The record of
/// a stepped game played with inputs also has the inputs of every tick, which determine every
/// intermediate position, and the points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The player, by name or spec.
    pub player: String,
    /// The complete rules: a name alone may refer to a different game elsewhere.
    pub rules: RulesetParts,
    /// The texts of the player files that the rules refer to, by name, because a name may refer to
    /// another file elsewhere.
    pub files: BTreeMap<String, String>,
    /// The seed of the pieces.
    pub seed: u64,
    /// The initial board, if it was not empty.
    pub start: Option<Board>,
    /// The placements in order; only the first ones if the record is not complete.
    pub placements: Vec<ShortPlacement>,
    /// The inputs of each tick, if they were recorded: they lead to these placements.
    pub inputs: Option<InputLog>,
    /// Whether every placement was recorded.
    pub complete: bool,
    /// Lines cleared.
    pub lines: u64,
    /// Pieces placed, including the one that ended the game.
    pub pieces: u64,
    /// Whether the player lost; if not, the game was truncated.
    pub finished: bool,
}

/// A sentence that explains why a record is not that of a valid game under its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError(String);

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ReplayError {}

fn refuse<T>(sentence: impl Into<String>) -> Result<T, ReplayError> {
    Err(ReplayError(sentence.into()))
}

impl GameRecord {
    /// Replays the game under the ruleset created from [`rules`](Self::rules), up to the placement
    /// with number `at` or to the end of the record. If the whole record is replayed, the game must
    /// end as recorded.
    ///
    /// # Errors
    /// If the rules do not allow a placement, or the result differs from the record.
    pub fn replay(&self, ruleset: &Ruleset, at: Option<usize>) -> Result<Game, ReplayError> {
        self.check_length()?;
        let held = self.placements.len();
        let wanted = at.unwrap_or(held);
        let Some(placements) = self.placements.get(..wanted) else {
            return refuse(format!(
                "expected a number of placements from 0 to {held}, got {wanted}"
            ));
        };
        let board = self.start.unwrap_or_else(|| ruleset.empty_board());
        let mut game = Game::on_board(ruleset, board, self.seed, None);
        match &self.inputs {
            None => replay_placements(&mut game, placements)?,
            Some(_) if ruleset.stepped().is_none() => {
                return refuse("the record has inputs, but its game is not a stepped game");
            }
            Some(log) => self.replay_inputs(&mut game, log, at)?,
        }
        if wanted == held {
            self.check_end(&game)?;
        }
        Ok(game)
    }

    /// Plays the inputs until this many pieces have locked, or to the end; every piece must lock in
    /// the recorded position.
    fn replay_inputs(
        &self,
        game: &mut Game,
        log: &InputLog,
        at: Option<usize>,
    ) -> Result<(), ReplayError> {
        let held = self.placements.len();
        let other_count = |found: usize| {
            refuse(format!(
                "the inputs place {found} pieces, but the record has {held} placements"
            ))
        };
        let mut found = 0;
        for inputs in log.ticks() {
            if at == Some(found) && !is_between_pieces(game) {
                return Ok(());
            }
            // Nothing more can happen, no matter how long the log continues.
            if game.status() != Status::Playing {
                break;
            }
            let Some(locked) = game.tick(inputs).locked else {
                continue;
            };
            let place = ShortPlacement::stepped(locked.placement);
            let told = self.placements.get(found);
            found += 1;
            match told {
                Some(told) if *told == place => {}
                Some(told) => {
                    return refuse(format!(
                        "the inputs bring piece {found} to {place}, but the record says {told}"
                    ));
                }
                None => return other_count(found),
            }
        }
        if found != at.unwrap_or(held) {
            return other_count(found);
        }
        while at.is_some() && is_between_pieces(game) {
            game.tick(Inputs::NONE);
        }
        Ok(())
    }

    fn check_length(&self) -> Result<(), ReplayError> {
        let (held, pieces) = (self.placements.len(), self.pieces);
        if self.complete && held as u64 != pieces {
            return refuse(format!(
                "the record has {held} placements, but states that {pieces} pieces were placed"
            ));
        }
        if !self.complete && held as u64 >= pieces {
            return refuse(format!(
                "the record is marked as incomplete, but has {held} placements for {pieces} pieces"
            ));
        }
        Ok(())
    }

    /// Checks the game after the last placement of the record. If the record is incomplete, the
    /// game must not have cleared more lines than recorded, and must not be lost.
    fn check_end(&self, game: &Game) -> Result<(), ReplayError> {
        let (found, told) = (game.lines(), self.lines);
        if found > told || (self.complete && found < told) {
            return refuse(format!(
                "the game has {found} lines, but the record says {told}"
            ));
        }
        let (is_lost, pieces) = (game.status() == Status::Over, game.pieces());
        match (is_lost, self.complete && self.finished) {
            (true, false) => refuse(format!(
                "the game is lost after {pieces} pieces, but the record does not say so"
            )),
            (false, true) => refuse(format!(
                "the game is not lost after {pieces} pieces, but the record says that it is"
            )),
            _ => Ok(()),
        }
    }
}

/// Whether the next piece of a stepped game has not entered yet.
fn is_between_pieces(game: &Game) -> bool {
    let falling = game.stepped().and_then(SteppedGame::falling);
    game.status() == Status::Playing && falling.is_none()
}

/// Plays placements and checks each of them.
fn replay_placements(game: &mut Game, placements: &[ShortPlacement]) -> Result<(), ReplayError> {
    for (index, short) in placements.iter().enumerate() {
        let number = index + 1;
        let error = |problem: PlacementError| ReplayError(format!("placement {number}: {problem}"));
        let placement = short.on(game.board());
        let placement = placement.map_err(|problem| error(problem.into()))?;
        game.check(placement).map_err(error)?;
        game.apply(placement);
    }
    Ok(())
}

/// A placement as stored in files: piece, rotation and leftmost column; the row follows from
/// dropping the piece.
///
/// Written as the piece's letter, the first letter of the rotation and the column counted from 0:
/// `Te3` is a T turned east whose left edge is in the fourth column. In stepped games the row
/// follows, and `m` or `f` for a mini or a full spin: `Te3@0f`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShortPlacement {
    /// The piece.
    pub piece: Piece,
    /// The rotation of the piece; the first of equivalent ones.
    pub rotation: Rotation,
    /// Leftmost column of the bounding box.
    pub x: u8,
    /// Lowest row of the bounding box and the spin, in stepped games, where they do not follow from
    /// dropping the piece.
    pub at: Option<(u8, Spin)>,
}

impl ShortPlacement {
    /// A placement of a stepped game.
    pub fn stepped(placement: Placement) -> ShortPlacement {
        ShortPlacement {
            at: Some((placement.y, placement.spin)),
            ..placement.into()
        }
    }

    /// The complete placement on a board.
    ///
    /// # Errors
    /// If the piece would extend beyond a side wall.
    pub fn on(&self, board: &Board) -> Result<Placement, MoveError> {
        let ShortPlacement {
            piece, rotation, x, ..
        } = *self;
        match self.at {
            None => drop_in(board, piece, rotation, x),
            Some((y, spin)) => Ok(Placement {
                piece,
                rotation: piece.shape(rotation).rotation,
                x,
                y,
                spin,
            }),
        }
    }
}

impl From<Placement> for ShortPlacement {
    fn from(placement: Placement) -> ShortPlacement {
        ShortPlacement {
            piece: placement.piece,
            rotation: placement.shape().rotation,
            x: placement.x,
            at: None,
        }
    }
}

impl fmt::Display for ShortPlacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rotation = &self.rotation.name()[..1];
        write!(f, "{}{rotation}{}", self.piece, self.x)?;
        match self.at {
            None => Ok(()),
            Some((y, Spin::None)) => write!(f, "@{y}"),
            Some((y, spin)) => write!(f, "@{y}{}", &spin.name()[..1]),
        }
    }
}

/// A text that is not a placement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortPlacementError(String);

impl fmt::Display for ShortPlacementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "expected a placement like Te3 (piece I O T Z S J L, rotation n e s w, column from 0), got '{}'",
            self.0
        )
    }
}

impl std::error::Error for ShortPlacementError {}

impl FromStr for ShortPlacement {
    type Err = ShortPlacementError;

    fn from_str(text: &str) -> Result<ShortPlacement, ShortPlacementError> {
        parse(text).ok_or_else(|| ShortPlacementError(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<ShortPlacement> {
    let mut letters = text.chars();
    let piece = letters.next().and_then(Piece::from_letter)?;
    let letter = letters.next()?;
    let mut rotations = ALL_ROTATIONS.into_iter();
    let rotation = rotations.find(|rotation| rotation.name().starts_with(letter))?;
    let (column, at) = match letters.as_str().split_once('@') {
        None => (letters.as_str(), None),
        Some((column, at)) => (column, Some(parse_row(at)?)),
    };
    let x: u8 = column.parse().ok()?;
    let short = ShortPlacement {
        piece,
        rotation: piece.shape(rotation).rotation,
        x,
        at,
    };
    // Signs and leading zeros are not allowed.
    (x.to_string() == column).then_some(short)
}

/// Parses a row, followed by `m` or `f` for a spin.
fn parse_row(text: &str) -> Option<(u8, Spin)> {
    let (row, spin) = match (text.strip_suffix('m'), text.strip_suffix('f')) {
        (Some(row), _) => (row, Spin::Mini),
        (_, Some(row)) => (row, Spin::Full),
        _ => (text, Spin::None),
    };
    let y: u8 = row.parse().ok().filter(|y: &u8| y.to_string() == row)?;
    // Such a row is higher than any board, so nothing is shifted by this many rows.
    (y < 64).then_some((y, spin))
}

#[cfg(test)]
mod tests;
