//! Placement records: boards with a placed piece, as JSON objects, one per line.
//!
//! The format of the reference data: `width`, `height`, `rows` (strings of `.` and `#`, top row first), `piece` and
//! `cells` (the four placed cells as [row from the bottom, column]). `queue` may hold the letters of the next pieces.
//! Other fields are ignored; `id` is passed through.

use crate::library::one_line;
use serde_json::Value;
use tetrolab_core::board::{Board, BoardError};
use tetrolab_core::ends::End;
use tetrolab_core::piece::Piece;
use tetrolab_core::placement::{Placement, Transition};
use tetrolab_core::rules::Rules;

/// A board, a piece, and where it was placed.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacementRecord {
    /// The record's own name, whatever it is.
    pub id: Value,
    /// The board before the placement.
    pub board: Board,
    /// Where the piece was placed.
    pub placement: Placement,
    /// The pieces that come next, if the record tells.
    pub queue: Vec<Piece>,
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The line is not a JSON object.
    #[error("is not a JSON object: {0}")]
    Json(String),
    /// A field is missing or of the wrong kind.
    #[error("'{field}' must be {expected}")]
    Field {
        /// The field.
        field: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// The board cannot be.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The cells are not those of the piece.
    #[error("the cells are not those of a piece {0}")]
    Shape(Piece),
    /// A cell lies beside or far above the board.
    #[error("the cell [{row}, {column}] lies outside the board")]
    Outside {
        /// Its row, from the bottom.
        row: usize,
        /// Its column.
        column: usize,
    },
    /// A cell is filled already.
    #[error("the cell [{row}, {column}] is filled already")]
    Taken {
        /// Its row, from the bottom.
        row: usize,
        /// Its column.
        column: usize,
    },
    /// Nothing holds the piece.
    #[error("the piece hangs in the air: no cell rests on the floor or on a filled cell")]
    Floating,
}

impl PlacementRecord {
    /// Reads one line.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn parse(line: &str) -> Result<PlacementRecord, RecordError> {
        let json: Value =
            serde_json::from_str(line).map_err(|error| RecordError::Json(in_a_line(&error)))?;
        if !json.is_object() {
            return Err(RecordError::Json(
                "an object in braces is needed".to_owned(),
            ));
        }
        let board = board_of(&json)?;
        let piece = piece_of(&json["piece"])
            .ok_or(field("piece", "one of the letters I, O, T, Z, S, J, L"))?;
        let cells = cells_of(&json["cells"]).ok_or(field("cells", "four pairs [row, column]"))?;
        check_cells(&board, &cells)?;
        let placement = Placement::from_cells(piece, &cells).ok_or(RecordError::Shape(piece))?;
        Ok(PlacementRecord {
            id: json["id"].clone(),
            board,
            placement,
            queue: queue_of(&json)?,
        })
    }

    /// What the placement does in the simplified game.
    #[must_use]
    pub fn transition(&self) -> Transition {
        Rules::Drops(End::ABOVE_TOP).step(&self.board, self.placement, None, 0)
    }
}

/// What is wrong with the JSON of a line, and in which column; which line of its file that is only the caller knows. Names of fields are quoted
/// in it: their control characters are escaped.
pub(crate) fn in_a_line(error: &serde_json::Error) -> String {
    let text = error.to_string();
    one_line(&text.replace(" at line 1 column ", " at column "))
}

fn field(field: &'static str, expected: &'static str) -> RecordError {
    RecordError::Field { field, expected }
}

fn board_of(json: &Value) -> Result<Board, RecordError> {
    let size = |name: &'static str| {
        let number = json[name]
            .as_u64()
            .and_then(|number| usize::try_from(number).ok());
        number.ok_or(field(name, "a whole number"))
    };
    let (width, height) = (size("width")?, size("height")?);
    let rows = json["rows"]
        .as_array()
        .and_then(|rows| rows.iter().map(Value::as_str).collect());
    let rows: Vec<&str> = rows.ok_or(field("rows", "a list of strings of '.' and '#'"))?;
    Ok(Board::from_rows(width, height, &rows)?)
}

fn piece_of(json: &Value) -> Option<Piece> {
    let mut letters = json.as_str()?.chars();
    let piece = letters.next().and_then(Piece::from_letter)?;
    letters.next().is_none().then_some(piece)
}

fn queue_of(json: &Value) -> Result<Vec<Piece>, RecordError> {
    if json["queue"].is_null() {
        return Ok(Vec::new());
    }
    let letters = json["queue"].as_str();
    let pieces = letters.and_then(|letters| letters.chars().map(Piece::from_letter).collect());
    pieces.ok_or(field(
        "queue",
        "a string of the letters I, O, T, Z, S, J, L",
    ))
}

fn cells_of(json: &Value) -> Option<[(usize, usize); 4]> {
    let cells: [Value; 4] = json.as_array()?.clone().try_into().ok()?;
    let number = |value: &Value| usize::try_from(value.as_u64()?).ok();
    let mut pairs = [(0, 0); 4];
    for (pair, cell) in pairs.iter_mut().zip(&cells) {
        let [row, column] = cell.as_array()?.as_slice() else {
            return None;
        };
        *pair = (number(row)?, number(column)?);
    }
    Some(pairs)
}

fn check_cells(board: &Board, cells: &[(usize, usize); 4]) -> Result<(), RecordError> {
    for &(row, column) in cells {
        if column >= board.width() || row >= board.height() + 4 {
            return Err(RecordError::Outside { row, column });
        }
        if board.is_filled(row, column) {
            return Err(RecordError::Taken { row, column });
        }
    }
    let rests = |&(row, column): &(usize, usize)| row == 0 || board.is_filled(row - 1, column);
    if cells.iter().any(rests) {
        Ok(())
    } else {
        Err(RecordError::Floating)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(rows: &str, piece: &str, cells: &str) -> String {
        format!(
            r#"{{"id":7,"width":4,"height":4,"rows":{rows},"piece":"{piece}","cells":{cells},"more":1}}"#
        )
    }

    const ROWS: &str = r###"["....","....","....","##.."]"###;

    #[test]
    fn a_record_gives_its_transition() {
        let record = PlacementRecord::parse(&line(ROWS, "O", "[[0,2],[0,3],[1,2],[1,3]]")).unwrap();
        assert_eq!(record.id, 7);
        let transition = record.transition();
        assert_eq!((transition.lines(), transition.game_over), (1, false));
        assert_eq!(transition.after.to_rows(), ["....", "....", "....", "..##"]);
    }

    #[test]
    fn wrong_records_are_explained() {
        let error = |text: &str| PlacementRecord::parse(text).unwrap_err().to_string();
        let cells = "[[0,2],[0,3],[1,2],[1,3]]";
        assert!(error(r#"{"width":4,"#).starts_with("is not a JSON object: EOF"));
        assert_eq!(
            error("[]"),
            "is not a JSON object: an object in braces is needed"
        );
        assert_eq!(
            error(&line(r###"["....","...","....","##.."]"###, "O", cells)),
            "row 2 from the top has 3 cells, but the board is 4 wide"
        );
        assert_eq!(
            error(&line(ROWS, "X", cells)),
            "'piece' must be one of the letters I, O, T, Z, S, J, L"
        );
        assert_eq!(
            error(&line(ROWS, "T", cells)),
            "the cells are not those of a piece T"
        );
        assert_eq!(
            error(&line(ROWS, "O", "[[0,1],[0,2],[1,1],[1,2]]")),
            "the cell [0, 1] is filled already"
        );
        assert_eq!(
            error(&line(ROWS, "O", "[[0,3],[0,4],[1,3],[1,4]]")),
            "the cell [0, 4] lies outside the board"
        );
        assert!(
            error(&line(ROWS, "O", "[[1,2],[1,3],[2,2],[2,3]]")).starts_with("the piece hangs")
        );
        assert_eq!(
            error(&line(ROWS, "O", "[[0,2]]")),
            "'cells' must be four pairs [row, column]"
        );
        let narrow = line(ROWS, "O", cells).replace("\"width\":4", "\"width\":3");
        assert_eq!(error(&narrow), "a board is 4 to 16 columns wide, not 3");
    }
}
