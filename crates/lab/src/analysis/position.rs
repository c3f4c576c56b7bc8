//! The source of an analysed position.

use super::{AnalysedGame, AnalysedPosition, AnalysisError};
use crate::formats::games::{self, RecordedGame};
use crate::library::{FileError, FileSource};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use tetrolab_core::board::{Board, BoardError};
use tetrolab_core::game::GameSnapshot;
use tetrolab_core::piece::Piece;
use tetrolab_core::record::ShortPlacement;
use tetrolab_core::ruleset::{MAX_PREVIEW, Ruleset, RulesetParts};

/// The source of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PositionSource {
    /// A drawn board with its visible pieces.
    Board(BoardSource),
    /// A position in a recorded game.
    Record(GameSource),
}

/// A drawn board with its visible pieces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardSource {
    /// The game: a name, a spec, or a file. The player sees the pieces given here, however many the
    /// ruleset shows.
    pub ruleset: String,
    /// The lowest rows of the board, as `.` and `#`, top row first; those above are empty.
    pub rows: Vec<String>,
    /// The letter of the piece to place.
    pub piece: String,
    /// The letters of the visible pieces after the current one.
    #[serde(default)]
    pub next: String,
}

/// A position in a recorded game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameSource {
    /// The file of game records.
    pub file: PathBuf,
    /// The number of the game in the file, from 1.
    pub game: usize,
    /// Number of pieces placed before the position.
    pub at: usize,
}

impl Default for PositionSource {
    /// The first T of a standard game.
    fn default() -> PositionSource {
        PositionSource::Board(BoardSource {
            ruleset: "simplified-10x10".to_owned(),
            rows: Vec::new(),
            piece: "T".to_owned(),
            next: String::new(),
        })
    }
}

/// A position with its rules.
pub(super) struct Situation {
    pub(super) ruleset: Ruleset,
    pub(super) snapshot: GameSnapshot,
    /// The pieces placed before, if they are known.
    before: Vec<Piece>,
    pub(super) record: Option<AnalysedGame>,
}

impl PositionSource {
    pub(super) fn open(&self, library: FileSource<'_>) -> Result<Situation, AnalysisError> {
        match self {
            PositionSource::Board(source) => source.open(library),
            PositionSource::Record(source) => match library {
                FileSource::Disk | FileSource::Own(_) => source.open(),
                FileSource::Given(_) => Err(AnalysisError::Refused(
                    "a position from a record needs a file, but files cannot be read here"
                        .to_owned(),
                )),
            },
        }
    }
}

impl BoardSource {
    fn open(&self, library: FileSource<'_>) -> Result<Situation, AnalysisError> {
        let named = library.ruleset(&self.ruleset)?;
        let pieces = [one_piece(&self.piece)?, pieces(&self.next)?].concat();
        let board = self.board(&named)?;
        // A snapshot has at most as many pieces as a ruleset can show.
        let parts = RulesetParts {
            preview: (pieces.len() - 1).min(MAX_PREVIEW),
            ..named.parts()
        };
        let ruleset = Ruleset::new(parts, &|spec, width| library.evaluator(spec, width))?;
        Ok(Situation {
            snapshot: GameSnapshot::new(&ruleset, board, &pieces)?,
            ruleset,
            before: Vec::new(),
            record: None,
        })
    }

    fn board(&self, ruleset: &Ruleset) -> Result<Board, AnalysisError> {
        let (width, height) = (ruleset.width, ruleset.height);
        let board = Board::from_lowest_rows(width, height, &self.rows);
        board.map_err(|error| match error {
            BoardError::Rows { found, height } => AnalysisError::TooHigh {
                found,
                ruleset: ruleset.name.clone(),
                height,
            },
            error => error.into(),
        })
    }
}

/// Parses several letters of pieces.
fn pieces(letters: &str) -> Result<Vec<Piece>, AnalysisError> {
    let piece =
        |letter: char| Piece::from_letter(letter).ok_or_else(|| no_piece(&letter.to_string()));
    letters.chars().map(piece).collect()
}

fn no_piece(letter: &str) -> AnalysisError {
    AnalysisError::Refused(format!(
        "'{letter}' is not a piece; the pieces are I, O, T, Z, S, J and L"
    ))
}

/// Parses a single letter of a piece.
fn one_piece(letter: &str) -> Result<Vec<Piece>, AnalysisError> {
    let is_one = letter.chars().count() == 1;
    let piece = is_one.then(|| pieces(letter).ok()).flatten();
    piece.ok_or_else(|| no_piece(letter))
}

impl GameSource {
    fn open(&self) -> Result<Situation, AnalysisError> {
        let found = games::read(&self.file, Some(self.game))?;
        let game = found.first();
        game.map_or_else(|| Err(self.no_game().into()), |game| self.stand(game))
    }

    fn no_game(&self) -> FileError {
        let problem = format!("there is no game {}", self.game);
        FileError::of_file(&self.file, problem)
    }

    /// The position of a game after this many pieces.
    fn stand(&self, recorded: &RecordedGame) -> Result<Situation, AnalysisError> {
        let RecordedGame { line, record } = recorded;
        let here = |problem: String| FileError::at_line(&self.file, *line, problem);
        let ruleset = games::ruleset(record).map_err(|error| here(error.to_string()))?;
        let game = record.replay(&ruleset, Some(self.at));
        let game = game.map_err(|error| here(error.to_string()))?;
        let snapshot = GameSnapshot::of(&game);
        let snapshot = snapshot.ok_or_else(|| {
            let at = self.at;
            here(format!(
                "the game ended after {at} pieces, so there is no piece to place"
            ))
        })?;
        let before = record.placements[..self.at].iter();
        Ok(Situation {
            snapshot,
            before: before.map(|short| short.piece).collect(),
            record: Some(AnalysedGame {
                file: self.file.clone(),
                game: self.game,
                player: record.player.clone(),
                played: record
                    .placements
                    .get(self.at)
                    .map(ShortPlacement::to_string),
            }),
            ruleset,
        })
    }
}

impl Situation {
    /// Adds the knowledge of the coming pieces.
    pub(super) fn foresee(&mut self) -> Result<(), AnalysisError> {
        let snapshot = self.snapshot.clone();
        self.snapshot = snapshot.with_forecast(&self.ruleset, &self.before)?;
        Ok(())
    }

    pub(super) fn about(self) -> AnalysedPosition {
        let view = self.snapshot.view();
        AnalysedPosition {
            ruleset: self.ruleset.name.clone(),
            width: view.board.width(),
            height: view.board.height(),
            board: *view.board,
            piece: view.piece,
            queue: view.queue.to_vec(),
            pieces: view.pieces,
            lines: view.lines,
            record: self.record,
        }
    }
}
