//! Rotation systems: how a falling piece turns. Each has a file, and a line in [`ROTATIONS`].
//!
//! A system defines the cells of every piece in each of its four rotations, how the piece enters,
//! and the displacements that are tried when the basic position is blocked: the *kicks*, in order.
//! The code here handles one piece on one board in a straightforward way; the path finder
//! (`crate::moves`) handles all positions at the same time, and is tested against this code.

mod arika;
mod drawing;
mod dtet;
mod falling;
mod nintendo;
mod original;
mod sega;
mod srs;

#[cfg(test)]
mod tests;

pub use falling::{Falling, ROWS_ABOVE};

use crate::board::Board;
use crate::piece::{PIECES, Piece, Rotation};
use crate::registry::{Entry, find};
use crate::settings::Settings;
use crate::spec::{Spec, SpecError};
use drawing::corners;

/// The four rotations, clockwise.
pub const ALL_ROTATIONS: [Rotation; 4] = [
    Rotation::North,
    Rotation::East,
    Rotation::South,
    Rotation::West,
];

/// A direction of turning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Turn {
    /// A quarter turn clockwise.
    Clockwise,
    /// A quarter turn counter-clockwise.
    Counterclockwise,
    /// Half a turn, where a system has it.
    Half,
}

/// Every turn, in the order of [`Turn`].
pub const TURNS: [Turn; 3] = [Turn::Clockwise, Turn::Counterclockwise, Turn::Half];

impl Turn {
    /// The rotation after a turn.
    pub fn of(self, rotation: Rotation) -> Rotation {
        let quarters = [1, 3, 2][self as usize];
        ALL_ROTATIONS[(rotation as usize + quarters) % 4]
    }
}

/// When a kick is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// If all previous tests failed.
    Always,
    /// Only if the piece cannot move left or cannot move right before it turns.
    Beside,
    /// Only if the piece cannot fall before it turns, and only once per piece: a floor kick.
    OnGround,
}

/// One test of a turn: the displacement of the piece from its basic position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kick {
    /// Cells to the right.
    pub dx: i8,
    /// Cells up.
    pub dy: i8,
    /// The condition under which the test is tried.
    pub when: When,
}

impl Kick {
    /// A kick that is always tried.
    const fn new(dx: i8, dy: i8) -> Kick {
        let when = When::Always;
        Kick { dx, dy, when }
    }

    /// Whether the kick, in this turn, makes every T-spin a full one: a quarter turn that moves the
    /// piece by one column and two rows. Only `super` has such kicks, as its fifth tests.
    pub fn is_far(self, turn: Turn) -> bool {
        turn != Turn::Half && self.dx.abs() == 1 && self.dy.abs() == 2
    }

    /// The same kick with a condition.
    const fn when(self, when: When) -> Kick {
        Kick { when, ..self }
    }
}

/// The tests of one turn from one rotation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tests {
    /// The kicks in order. The first one has no displacement.
    pub kicks: Vec<Kick>,
    /// If the first filled cell of the turned piece, row by row from the top and from left to
    /// right, is in this column of its box, only the first test is tried: Arika's middle-column
    /// rule.
    pub barring_column: Option<u8>,
}

impl Tests {
    /// Kicks that are always tried, by cells to the right and up.
    fn new(kicks: impl IntoIterator<Item = (i8, i8)>) -> Tests {
        let kicks = kicks.into_iter().map(|(dx, dy)| Kick::new(dx, dy));
        Tests {
            kicks: kicks.collect(),
            barring_column: None,
        }
    }
}

/// How a piece turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceTurns {
    /// The lower left corner of the piece's bounding box in each rotation, relative to a fixed
    /// point.
    pub corners: [(i8, i8); 4],
    /// The rotation in which the piece enters.
    pub enters: Rotation,
    /// How each turn is tried, by the rotation that it starts from.
    pub tests: [[Tests; 3]; 4],
}

/// The row in which pieces enter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryRow {
    /// With their lowest cells just above the visible rows.
    AboveVisible,
    /// With their highest cells in the highest visible row.
    TopVisible,
}

/// A rotation system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RotationSystem {
    /// The spec that creates the system.
    pub name: String,
    /// The row in which pieces enter.
    pub entry_row: EntryRow,
    /// Whether a piece that cannot enter exactly in the middle enters one column further to the
    /// right rather than to the left.
    pub rounds_right: bool,
    /// Whether a piece can make a half turn.
    pub has_half: bool,
    /// Whether a piece that is turned as it enters (initial rotation) may be kicked.
    pub initial_kicks: bool,
    pieces: [PieceTurns; 7],
}

/// The effect of a successful turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turned {
    /// The new position of the piece.
    pub falling: Falling,
    /// The test that succeeded; 0 is the basic position.
    pub test: usize,
    /// Whether the test was a floor kick.
    pub floor_kick: bool,
    /// Whether the test was a [far kick](Kick::is_far).
    pub far_kick: bool,
}

/// The drawings of all pieces in the order of [`PIECES`]: the four rotations side by side, north
/// first.
type Drawings = [&'static [&'static str]; 7];

impl RotationSystem {
    /// A system without kicks, drawn.
    fn drawn(spec: String, drawings: &Drawings, enters: impl Fn(Piece) -> Rotation) -> Self {
        let tests = || Tests::new([(0, 0)]);
        let pieces = PIECES.map(|piece| PieceTurns {
            corners: corners(piece, drawings[piece as usize]),
            enters: enters(piece),
            tests: std::array::from_fn(|_| std::array::from_fn(|_| tests())),
        });
        RotationSystem {
            name: spec,
            entry_row: EntryRow::TopVisible,
            rounds_right: false,
            has_half: false,
            initial_kicks: false,
            pieces,
        }
    }

    /// Replaces the tests of turns: `tests` is called for every piece, rotation and turn.
    fn with_tests(mut self, tests: impl Fn(Piece, Rotation, Turn) -> Option<Tests>) -> Self {
        for piece in PIECES {
            for from in ALL_ROTATIONS {
                for turn in TURNS {
                    if let Some(tests) = tests(piece, from, turn) {
                        self.pieces[piece as usize].tests[from as usize][turn as usize] = tests;
                    }
                }
            }
        }
        self
    }

    /// How a piece turns.
    pub fn piece(&self, piece: Piece) -> &PieceTurns {
        &self.pieces[piece as usize]
    }

    /// How one turn of a piece is tried.
    pub fn tests(&self, piece: Piece, from: Rotation, turn: Turn) -> &Tests {
        &self.piece(piece).tests[from as usize][turn as usize]
    }

    /// The position in which a piece enters a board of this width with this many visible rows.
    pub fn entry(&self, piece: Piece, width: usize, visible: usize) -> Falling {
        let rotation = self.piece(piece).enters;
        let shape = piece.shape(rotation);
        let left = width - shape.width + usize::from(self.rounds_right);
        let y = match self.entry_row {
            EntryRow::AboveVisible => visible,
            EntryRow::TopVisible => visible - shape.height,
        };
        Falling {
            piece,
            rotation,
            x: (left / 2) as i8,
            y: y as i8,
        }
    }

    /// Turns a piece on a board, if any of the tests succeeds. `floor_kicked` says whether the
    /// piece has used its floor kick.
    pub fn turn(
        &self,
        board: &Board,
        falling: Falling,
        turn: Turn,
        floor_kicked: bool,
    ) -> Option<Turned> {
        if turn == Turn::Half && !self.has_half {
            return None;
        }
        let turns = self.piece(falling.piece);
        let tests = &turns.tests[falling.rotation as usize][turn as usize];
        let basic = turned_in_place(turns, falling, turn);
        let barred = || {
            let column = tests.barring_column;
            column.is_some_and(|column| first_taken_column(board, basic) == Some(column))
        };
        for (test, kick) in tests.kicks.iter().enumerate() {
            if test == 1 && barred() {
                return None;
            }
            let floor_kick = kick.when == When::OnGround;
            let tried = match kick.when {
                When::Always => true,
                When::Beside => {
                    !falling.moved(-1, 0).fits(board) || !falling.moved(1, 0).fits(board)
                }
                When::OnGround => !floor_kicked && falling.is_grounded(board),
            };
            let kicked = basic.moved(kick.dx, kick.dy);
            if tried && kicked.fits(board) {
                return Some(Turned {
                    falling: kicked,
                    test,
                    floor_kick,
                    far_kick: kick.is_far(turn),
                });
            }
        }
        None
    }

    /// The position of a piece that is turned as it enters, if the turn fits.
    pub fn initial_turn(&self, board: &Board, falling: Falling, turn: Turn) -> Option<Falling> {
        let turned = self.turn(board, falling, turn, false)?;
        (turned.test == 0 || self.initial_kicks).then_some(turned.falling)
    }
}

/// A turned piece in its basic position.
fn turned_in_place(turns: &PieceTurns, falling: Falling, turn: Turn) -> Falling {
    let to = turn.of(falling.rotation);
    let corner = |rotation: Rotation| turns.corners[rotation as usize];
    let (old, new) = (corner(falling.rotation), corner(to));
    Falling {
        rotation: to,
        ..falling.moved(new.0 - old.0, new.1 - old.1)
    }
}

/// The column, counted from the left end of the bounding box, of the piece's first cell (row by row
/// from the top) that is filled or outside the board.
fn first_taken_column(board: &Board, falling: Falling) -> Option<u8> {
    let mut cells = falling.cells();
    cells.sort_by_key(|&(row, column)| (-row, column));
    let taken = cells
        .iter()
        .find(|cell| !falling::is_free(board, cell.0, cell.1));
    taken.map(|cell| (cell.1 - i32::from(falling.x)) as u8)
}

/// A kind of rotation system.
pub type RotationEntry = Entry<fn(&Settings, String) -> RotationSystem>;

/// Every rotation system. To add one: write its file, add its line here.
pub const ROTATIONS: &[RotationEntry] = &[
    srs::ENTRY,
    arika::ENTRY,
    nintendo::ENTRY,
    nintendo::LEFT,
    original::ENTRY,
    sega::ENTRY,
    dtet::ENTRY,
];

/// Creates the rotation system of a spec.
///
/// # Errors
/// If the system is unknown or its settings are invalid.
pub fn rotation_system(spec: &Spec) -> Result<RotationSystem, SpecError> {
    let entry = find(ROTATIONS, "rotation system", &spec.name)?;
    Ok((entry.make)(&entry.read(spec)?, spec.to_string()))
}
