//! Placements: boards with a placed piece, as JSON objects, one per line.
//!
//! The format of the reference data: `width`, `height`, `rows` (strings of `.` and `#`, top row
//! first), `piece` and `cells` (the four placed cells as [row from the bottom, column]). `queue`
//! may contain the letters of the next pieces. `id` is copied to the output, and other fields are
//! ignored.

use super::{LineError, read_line};
use crate::number::Number;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tetrolab_core::board::Board;
use tetrolab_core::ends::End;
use tetrolab_core::features::Feature;
use tetrolab_core::piece::Piece;
use tetrolab_core::placement::{Placement, Transition};
use tetrolab_core::rules::Rules;

/// A board, a piece, and its placement.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacementCase {
    /// The id of the placement in the file, any JSON value.
    pub id: Value,
    /// The board before the placement.
    pub board: Board,
    /// The placement of the piece.
    pub placement: Placement,
    /// The next pieces, if known.
    pub queue: Vec<Piece>,
}

/// A line of the file.
#[derive(Deserialize)]
struct PlacementLine {
    #[serde(default)]
    id: Value,
    width: usize,
    height: usize,
    rows: Vec<String>,
    piece: char,
    cells: [(usize, usize); 4],
    queue: Option<String>,
}

impl PlacementCase {
    /// Reads one line.
    ///
    /// # Errors
    /// If the line is not a valid object, or the placement is impossible.
    pub fn parse(line: &str) -> Result<PlacementCase, LineError> {
        read_line::<PlacementLine>(line)?.try_into()
    }

    /// The effect of the placement in the simplified game.
    pub fn transition(&self) -> Transition {
        Rules::Drops(End::ABOVE_TOP).step(&self.board, self.placement, None, 0)
    }
}

impl TryFrom<PlacementLine> for PlacementCase {
    type Error = LineError;

    fn try_from(line: PlacementLine) -> Result<PlacementCase, LineError> {
        let board =
            Board::from_rows(line.width, line.height, &line.rows).map_err(LineError::new)?;
        let letter = |field, letter: char| {
            let unknown = || {
                let problem = format!("expected letters of I, O, T, Z, S, J, L, found {letter:?}");
                LineError::in_field(field, problem)
            };
            Piece::from_letter(letter).ok_or_else(unknown)
        };
        let piece = letter("piece", line.piece)?;
        check_cells(&board, &line.cells).map_err(LineError)?;
        let placement = Placement::from_cells(piece, &line.cells).ok_or_else(|| {
            LineError::new(format_args!("the cells are not those of a piece {piece}"))
        })?;
        let queue = line.queue.unwrap_or_default();
        Ok(PlacementCase {
            id: line.id,
            board,
            placement,
            queue: queue
                .chars()
                .map(|next| letter("queue", next))
                .collect::<Result<_, _>>()?,
        })
    }
}

/// The values of features, by their names.
pub fn feature_values(
    transition: &Transition,
    features: &[&'static Feature],
) -> Map<String, Value> {
    let value = |feature: &&'static Feature| {
        let numbers = feature.values(transition);
        let numbers: Vec<Number> = numbers.into_iter().map(Number).collect();
        let value = if feature.is_vector() {
            json!(numbers)
        } else {
            json!(numbers[0])
        };
        (feature.id.to_owned(), value)
    };
    features.iter().map(value).collect()
}

fn check_cells(board: &Board, cells: &[(usize, usize); 4]) -> Result<(), String> {
    for &(row, column) in cells {
        if column >= board.width() || row >= board.height() + 4 {
            return Err(format!("the cell [{row}, {column}] is outside the board"));
        }
        if board.is_filled(row, column) {
            return Err(format!("the cell [{row}, {column}] is filled already"));
        }
    }
    let rests = |&(row, column): &(usize, usize)| row == 0 || board.is_filled(row - 1, column);
    if !cells.iter().any(rests) {
        return Err("the piece floats: no cell rests on the floor or on a filled cell".to_owned());
    }
    Ok(())
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
    fn a_placement_gives_its_transition() {
        let case = PlacementCase::parse(&line(ROWS, "O", "[[0,2],[0,3],[1,2],[1,3]]")).unwrap();
        assert_eq!(case.id, 7);
        let transition = case.transition();
        assert_eq!((transition.lines(), transition.game_over), (1, false));
        assert_eq!(transition.after.to_rows(), ["....", "....", "....", "..##"]);
    }

    #[test]
    fn wrong_placements_are_explained() {
        let error = |text: &str| PlacementCase::parse(text).unwrap_err().to_string();
        let cells = "[[0,2],[0,3],[1,2],[1,3]]";
        assert!(error(r#"{"width":4,"#).starts_with("not a JSON object: EOF"));
        assert_eq!(
            error("[]"),
            "invalid type: sequence, expected an object in braces at column 0"
        );
        assert_eq!(
            error(&line(r###"["....","...","....","##.."]"###, "O", cells)),
            "row 2 from the top: expected 4 cells, found 3"
        );
        assert_eq!(
            error(&line(ROWS, "X", cells)),
            "'piece': expected letters of I, O, T, Z, S, J, L, found 'X'"
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
            "the cell [0, 4] is outside the board"
        );
        assert!(
            error(&line(ROWS, "O", "[[1,2],[1,3],[2,2],[2,3]]")).starts_with("the piece floats")
        );
        assert_eq!(
            error(&line(ROWS, "O", "[[0,2]]")),
            "'cells': invalid length 1, expected an array of length 4 at column 93"
        );
        let narrow = line(ROWS, "O", cells).replace("\"width\":4", "\"width\":3");
        assert_eq!(
            error(&narrow),
            "a board must be 4 to 16 columns wide, got 3"
        );
    }
}
